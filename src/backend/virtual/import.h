/* Recorded screens as scenes: a `uiautomator dump` (XML) or a `snapshot --raw --json` becomes a static
 * scene whose widgets stand where they were recorded. */
#ifndef DEFT_BACKEND_VIRTUAL_IMPORT_H
#define DEFT_BACKEND_VIRTUAL_IMPORT_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

/* True for texts that look like one of the recorded forms. */
bool vd_import_wanted(const char *text, size_t len);
/* Appends the scene JSON to out. */
int vd_import(const char *text, size_t len, const char *name, struct buf *out, struct error *e);

#endif
