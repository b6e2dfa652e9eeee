#include "ui/fingerprint.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <string.h>

#define FNV_START 14695981039346656037ull
#define FNV_PRIME 1099511628211ull

/* Facts that follow from places; without rects they would smuggle them in again. */
#define PLACE_FLAGS (UI_HAS_RECT | UI_HITTABLE | UI_COVERED)

static void mix(uint64_t *fp, const void *data, size_t len)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < len; i++)
		*fp = (*fp ^ p[i]) * FNV_PRIME;
}

static void mix_u32(uint64_t *fp, uint32_t v)
{
	const unsigned char bytes[4] = { (unsigned char)v, (unsigned char)(v >> 8),
		                             (unsigned char)(v >> 16), (unsigned char)(v >> 24) };
	mix(fp, bytes, sizeof(bytes));
}

static void mix_double(uint64_t *fp, double v)
{
	uint64_t bits;
	v += 0.0; /* -0 and 0 are the same place */
	memcpy(&bits, &v, sizeof(bits));
	mix_u32(fp, (uint32_t)bits);
	mix_u32(fp, (uint32_t)(bits >> 32));
}

/* The length goes first, so that texts can't run into each other; NULL differs from every text. */
static void mix_text(uint64_t *fp, const char *s)
{
	size_t len = s ? strlen(s) : 0;
	mix_u32(fp, s ? (uint32_t)len + 1 : 0);
	if (s)
		mix(fp, s, len);
}

static void mix_node(uint64_t *fp, const struct ui_node *n, bool with_rects)
{
	mix_u32(fp, n->parent);
	mix_text(fp, ui_role_name(n->role)); /* the name outlives the number */
	mix_u32(fp, with_rects ? n->flags : n->flags & ~(uint32_t)PLACE_FLAGS);
	mix_text(fp, n->label);
	mix_text(fp, ui_node_secret(n) ? NULL : n->value);
	mix_text(fp, n->identifier);
	mix_text(fp, n->description);
	mix_u32(fp, n->hidden_count);
	if (ui_has(n, UI_HAS_RANGE)) {
		const double range[] = { n->range.min, n->range.max, n->range.step, n->range.current };
		for (size_t i = 0; i < ARRAY_SIZE(range); i++)
			mix_double(fp, range[i]);
	}
	if (with_rects && ui_has(n, UI_HAS_RECT)) {
		const double rect[] = { n->rect.x, n->rect.y, n->rect.width, n->rect.height };
		for (size_t i = 0; i < ARRAY_SIZE(rect); i++)
			mix_double(fp, rect[i]);
	}
}

uint64_t ui_fingerprint(const struct ui_tree *t, bool with_rects)
{
	uint64_t fp = FNV_START;
	mix_u32(&fp, t->count);
	for (uint32_t i = 0; i < t->count; i++)
		mix_node(&fp, &t->nodes[i], with_rects);
	return fp;
}

void ui_fingerprint_hex(uint64_t fp, char out[17])
{
	snprintf(out, 17, "%016llx", (unsigned long long)fp);
}
