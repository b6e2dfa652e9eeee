/* Which build this program is: client and daemon compare it, so that a rebuilt client notices an
 * older daemon of the same version. */
#ifndef DEFT_BASE_BUILD_H
#define DEFT_BASE_BUILD_H

const char *build_version(void); /* "0.1.0" */
const char *build_id(void);      /* 12 hex digits over all sources (tools/build-id) */

#endif
