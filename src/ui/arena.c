#include "ui/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK ((size_t)8 * 1024)
#define LARGEST_CHUNK ((size_t)1024 * 1024)

struct chunk {
	struct chunk *next;
	alignas(max_align_t) char data[];
};

struct ui_arena {
	struct chunk *chunks;
	char *free, *end;
	size_t next_size; /* doubles up to LARGEST_CHUNK, so that small trees stay small */
	bool failed;
};

struct ui_arena *ui_arena_new(void)
{
	struct ui_arena *a = calloc(1, sizeof(*a));
	if (a)
		a->next_size = FIRST_CHUNK;
	return a;
}

void ui_arena_free(struct ui_arena *a)
{
	if (!a)
		return;
	for (struct chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

static bool grow(struct ui_arena *a, size_t need)
{
	size_t size = need > a->next_size ? need : a->next_size;
	struct chunk *c = malloc(sizeof(*c) + size);
	if (!c) {
		a->failed = true;
		return false;
	}
	c->next = a->chunks;
	a->chunks = c;
	a->free = c->data;
	a->end = c->data + size;
	if (a->next_size < LARGEST_CHUNK)
		a->next_size *= 2;
	return true;
}

static void *take(struct ui_arena *a, size_t size, size_t align)
{
	size_t pad = a->free ? (size_t)(-(uintptr_t)a->free & (align - 1)) : 0;
	if (!a->free || (size_t)(a->end - a->free) < pad || (size_t)(a->end - a->free) - pad < size) {
		if (!grow(a, size))
			return NULL;
		pad = 0; /* chunk data is aligned for everything */
	}
	char *p = a->free + pad;
	a->free = p + size;
	return p;
}

void *ui_arena_alloc(struct ui_arena *a, size_t size)
{
	return take(a, size, alignof(max_align_t));
}

char *ui_arena_copy(struct ui_arena *a, const char *s, size_t len)
{
	char *p = take(a, len + 1, 1);
	if (!p)
		return NULL;
	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

bool ui_arena_failed(const struct ui_arena *a)
{
	return a->failed;
}
