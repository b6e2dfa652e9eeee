#include "command/element_id.h"

#include "base/jx.h"

#include <stdio.h>
#include <string.h>

/* Two FNV-1a sums with different starts; 96 of their 128 bits make the id. */
struct digest {
	uint64_t a, b;
};

static void mix(struct digest *d, const char *text)
{
	/* The final NUL goes in, so that texts can't run into each other. */
	for (const char *p = text ? text : "\1";; p++) {
		d->a = (d->a ^ (unsigned char)*p) * 1099511628211u;
		d->b = (d->b ^ (unsigned char)*p) * 1099511628211u;
		if (!*p)
			break;
	}
}

bool element_label_bears_value(const char *label)
{
	return label && strpbrk(label, "0123456789");
}

static void mix_node(struct digest *d, const struct ui_node *n)
{
	mix(d, n->identifier);
	mix(d, n->type);
	mix(d, ui_role_name(n->role));
}

static struct digest digest_of(const struct ui_tree *t, const char *platform, uint32_t node)
{
	const struct ui_node *n = &t->nodes[node];
	struct digest d = { 14695981039346656037u, 0x9ae16a3b2f90404fu };

	mix(&d, platform);
	mix(&d, t->app_id);
	mix_node(&d, n);
	mix(&d, !n->identifier && !element_label_bears_value(n->label) ? n->label : NULL);
	for (uint32_t up = n->parent; up != UI_NONE; up = t->nodes[up].parent)
		if (t->nodes[up].identifier)
			mix_node(&d, &t->nodes[up]);
	return d;
}

static bool same(struct digest x, struct digest y)
{
	return x.a == y.a && x.b == y.b;
}

/* What can't have the same digest is not summed up at all. */
static bool alike(const struct ui_node *a, const struct ui_node *b)
{
	return a->role == b->role && (a->identifier != NULL) == (b->identifier != NULL) &&
	       (!a->identifier || strcmp(a->identifier, b->identifier) == 0);
}

static void write_id(struct digest d, char out[ELEMENT_ID_SIZE])
{
	snprintf(out, ELEMENT_ID_SIZE, "el_%016llx%08llx", (unsigned long long)d.a,
	         (unsigned long long)(d.b >> 32));
}

bool element_id_of(const struct ui_tree *t, const char *platform, uint32_t node,
                   char out[ELEMENT_ID_SIZE])
{
	struct digest d = digest_of(t, platform, node);

	for (uint32_t i = 0; i < t->count; i++)
		if (i != node && alike(&t->nodes[i], &t->nodes[node]) && same(d, digest_of(t, platform, i)))
			return false;
	write_id(d, out);
	return true;
}

uint32_t element_id_find(const struct ui_tree *t, const char *platform, const char *id)
{
	uint32_t found = UI_NONE;
	char own[ELEMENT_ID_SIZE];

	for (uint32_t i = 0; i < t->count; i++) {
		write_id(digest_of(t, platform, i), own);
		if (strcmp(own, id) != 0)
			continue;
		if (found != UI_NONE)
			return UI_NONE;
		found = i;
	}
	return found;
}

bool element_id_valid(const char *id)
{
	return strncmp(id, "el_", 3) == 0 && strlen(id) == ELEMENT_ID_SIZE - 1 &&
	       strspn(id + 3, "0123456789abcdef") == ELEMENT_ID_SIZE - 4;
}

static uint32_t find_handle(const struct ui_tree *t, const char *handle)
{
	for (uint32_t i = 0; handle && i < t->count; i++)
		if (t->nodes[i].handle && strcmp(t->nodes[i].handle, handle) == 0)
			return i;
	return UI_NONE;
}

void element_ids_put(json_t *nodes, const struct ui_tree *view, const struct ui_tree *raw,
                     const char *platform)
{
	char id[ELEMENT_ID_SIZE];

	for (uint32_t i = 0; i < view->count; i++) {
		const struct ui_node *n = &view->nodes[i];

		if (!ui_role_is_adjustable(n->role) && !ui_has(n, UI_HAS_RANGE))
			continue;
		uint32_t there = find_handle(raw, n->handle);

		if (there != UI_NONE && element_id_of(raw, platform, there, id))
			jx_set_str(json_array_get(nodes, i), "elementId", id);
	}
}
