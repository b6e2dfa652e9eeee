#include "base/cleanup.h"
#include "base/limits.h"
#include "ui/target_internal.h"

#include <stdlib.h>
#include <string.h>

/* The matches of a selector and where each of them leads. */
struct candidates {
	uint32_t *nodes;
	uint32_t count;
};

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static bool is_shown(const struct ui_tree *t, uint32_t node, enum ui_pick pick)
{
	return ui_has(&t->nodes[node], UI_VISIBLE);
}

/* Keeps the nodes that pass, unless none does. */
static void prefer(struct candidates *c, const struct ui_tree *t, enum ui_pick pick,
                   bool (*pass)(const struct ui_tree *, uint32_t, enum ui_pick))
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->count; i++)
		n += pass(t, c->nodes[i], pick);
	if (n == 0 || n == c->count)
		return;
	n = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		if (pass(t, c->nodes[i], pick))
			c->nodes[n++] = c->nodes[i];
	}
	c->count = n;
}

/* Replaces every match by the node that would take the input, if there is one; each once, in order. */
static void lead_on(struct candidates *c, const struct ui_tree *t, enum ui_pick pick)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t to = ui_target_promote(t, c->nodes[i], pick);
		if (ui_target_takes(t, to, pick))
			c->nodes[i] = to;
	}
	qsort(c->nodes, c->count, sizeof(*c->nodes), compare);
	for (uint32_t i = 0; i < c->count; i++) {
		if (n == 0 || c->nodes[n - 1] != c->nodes[i])
			c->nodes[n++] = c->nodes[i];
	}
	c->count = n;
}

static bool is_chain(const struct ui_tree *t, const struct candidates *c)
{
	for (uint32_t i = 1; i < c->count; i++) {
		if (!ui_is_ancestor(t, c->nodes[i - 1], c->nodes[i]))
			return false;
	}
	return true;
}

/* On one chain: the innermost, when the choice makes no difference to anybody: nothing in the chain takes
 * input, or all that do are of one role (a button around a button, case A26). */
static bool settle_chain(const struct ui_tree *t, struct candidates *c, enum ui_pick pick)
{
	prefer(c, t, pick, ui_target_takes);
	uint32_t last = c->nodes[c->count - 1];
	for (uint32_t i = 0; i < c->count && ui_target_takes(t, last, pick); i++) {
		if (t->nodes[c->nodes[i]].role != t->nodes[last].role)
			return false;
	}
	c->nodes[0] = last;
	c->count = 1;
	return true;
}

static int ambiguous(const struct ui_tree *t, const struct candidates *c, const char *text,
                     struct error *e)
{
	json_t *lines = ui_target_lines(t, c->nodes, c->count);
	error_set(e, ERR_AMBIGUOUS_MATCH, "%u elements match %.300s", (unsigned)c->count, text);
	error_detail_str(e, "selector", text);
	error_detail_int(e, "matches", c->count);
	error_detail(e, "candidates", lines);
	if (c->count > UI_CANDIDATES_MAX)
		error_detail_int(e, "more", c->count - UI_CANDIDATES_MAX);
	return -ERR_AMBIGUOUS_MATCH;
}

static int choose(const struct ui_tree *t, struct candidates *c, const char *text,
                  enum ui_pick pick, uint32_t *ret_node, struct error *e)
{
	prefer(c, t, pick, is_shown);
	bool chain = is_chain(t, c);
	/* Reading two texts of one row is not the same as pressing the row at either of them. */
	if (pick == UI_PICK_READ && !chain)
		return ambiguous(t, c, text, e);
	if (pick != UI_PICK_READ || c->count > 1)
		lead_on(c, t, pick);
	if (pick != UI_PICK_READ)
		prefer(c, t, pick, ui_target_takes);
	if (c->count > 1 && !(is_chain(t, c) && settle_chain(t, c, pick)))
		return ambiguous(t, c, text, e);
	*ret_node = c->nodes[0];
	return 0;
}

int ui_target_pick(const struct ui_tree *t, const struct ui_selector *s, const char *text,
                   enum ui_pick pick, uint32_t *ret_node, struct error *e)
{
	struct ui_matches m;
	int rc = ui_selector_find(s, t, &m, e);
	if (rc < 0)
		return rc;
	auto_free uint32_t *nodes = m.nodes;
	struct candidates c = { nodes, m.count };
	if (c.count == 0)
		return ui_target_not_found(t, s, text, e);
	return choose(t, &c, text, pick, ret_node, e);
}
