#include "backend/atspi/tree.h"

#define ARENA_BLOCK (64 * 1024)

struct arena_block {
	struct arena_block *next;
	max_align_t data[];
};

void *arena_alloc(struct tree_arena *a, size_t size)
{
	void *p;

	size = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	if (size > a->left) {
		size_t want = size > ARENA_BLOCK ? size : ARENA_BLOCK;
		struct arena_block *b = malloc(sizeof(*b) + want);

		if (!b)
			return NULL;
		b->next = a->blocks;
		a->blocks = b;
		a->at = (char *)b->data;
		a->left = want;
	}
	p = a->at;
	a->at += size;
	a->left -= size;
	return p;
}

const char *arena_text(struct tree_arena *a, const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = arena_alloc(a, n);

	if (copy)
		memcpy(copy, s, n);
	return copy;
}

void arena_done(struct tree_arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
	*a = (struct tree_arena){ NULL };
}
