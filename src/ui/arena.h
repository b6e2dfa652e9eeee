/* Memory of one tree: grows in chunks, released as a whole. A failed allocation gives NULL and is
 * remembered, so that a builder checks once at the end. Not thread-safe. */
#ifndef DEFT_UI_ARENA_H
#define DEFT_UI_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct ui_arena;

struct ui_arena *ui_arena_new(void);
void ui_arena_free(struct ui_arena *a);
/* Aligned for pointers and doubles; contents undefined. */
void *ui_arena_alloc(struct ui_arena *a, size_t size);
/* A NUL-terminated copy of len bytes. */
char *ui_arena_copy(struct ui_arena *a, const char *s, size_t len);
/* True once any allocation has failed. */
bool ui_arena_failed(const struct ui_arena *a);

#endif
