/* The caller's environment: where the caller is, and what a runner started for it gets. */
#ifndef DEFT_PLATFORM_CALLER_ENV_H
#define DEFT_PLATFORM_CALLER_ENV_H

#include "platform/platform.h"

/* The caller's value; NULL when unset or empty. A caller that told nothing at all stands where the
 * daemon stands. */
const char *pf_caller_get(const struct pf_caller *caller, const char *name);
/* A whole environment "K=V" for a program started for this caller: the daemon's own, without what
 * says where the daemon stands, and with the caller's known variables. Ends with pf_env_free();
 * NULL when memory ran out. */
char **pf_caller_env(const struct pf_caller *caller);
void pf_env_free(char **env);

#endif
