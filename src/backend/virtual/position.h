/* Where in a JSON text a value stands: so that an error about a scene names line and column, although
 * the parser keeps none. */
#ifndef DEFT_BACKEND_VIRTUAL_POSITION_H
#define DEFT_BACKEND_VIRTUAL_POSITION_H

#include "base/buf.h"

#include <stddef.h>

/* One step of a path, linked to the step above; lives on the stack of whoever walks the JSON. */
struct vd_where {
	const struct vd_where *up; /* NULL: the root value */
	const char *key;           /* member of an object, or NULL: */
	size_t index;              /* element of an array */
};

/* 1-based line and column of the value in a well-formed text; 1:1 when it is not there. */
void vd_position(const char *text, size_t len, const struct vd_where *where, int *ret_line,
                 int *ret_column);
/* "screens[2].body[0].control" */
void vd_where_print(const struct vd_where *where, struct buf *out);

#endif
