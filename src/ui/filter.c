#include "ui/filter.h"

#include "base/cleanup.h"
#include "ui/selector.h"
#include "ui/text.h"
#include "ui/view.h"

#include <stdlib.h>
#include <string.h>

static bool in_scope(const struct ui_node *n, const struct ui_needle *needle)
{
	return ui_needle_found(needle, n->label) || ui_needle_found(needle, n->identifier) ||
	       (!ui_node_secret(n) && ui_needle_found(needle, n->value));
}

/* Narrows first..end to the scope's subtree; false when nothing matches. */
static bool find_scope(struct ui_viewer *v, const struct ui_needle *needle)
{
	uint32_t hit = UI_NONE;
	for (uint32_t i = 0; i < v->raw->count; i++) {
		bool shown = v->opts->raw || v->marks[i].shown;
		if ((hit != UI_NONE && !shown) || !in_scope(&v->raw->nodes[i], needle))
			continue;
		hit = i;
		if (shown)
			break;
	}
	if (hit == UI_NONE)
		return false;
	v->first = hit;
	v->end = v->marks[hit].end;
	return true;
}

static int apply_scope(struct ui_viewer *v, struct ui_view_stats *stats, struct error *e)
{
	struct ui_needle needle;
	if (!v->opts->scope || !*v->opts->scope)
		return 0;
	if (!ui_needle_init(&needle, v->opts->scope))
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	stats->scope_missed = !find_scope(v, &needle);
	if (stats->scope_missed)
		v->end = v->first;
	ui_needle_done(&needle);
	return 0;
}

static bool too_deep(const struct ui_viewer *v, uint32_t i)
{
	const struct ui_tree *t = v->raw;
	return v->opts->depth >= 0 &&
	       t->nodes[i].depth - t->nodes[v->first].depth > (uint32_t)v->opts->depth;
}

/* A label that is only a number or a truth value says nothing about a wrapper. */
static bool is_meaningful(const char *label)
{
	if (!label || ui_text_equal(label, "true") || ui_text_equal(label, "false"))
		return false;
	return label[strspn(label, "0123456789 ")] != '\0';
}

static bool is_empty_wrapper(const struct ui_viewer *v, uint32_t i)
{
	static const uint32_t telling = UI_FOCUSED | UI_SELECTED | UI_UNRESPONSIVE | UI_HAS_RANGE |
	                                UI_CHECKED | UI_EXPANDABLE | UI_HIDDEN_ABOVE | UI_HIDDEN_BELOW;
	const struct ui_node *n = &v->raw->nodes[i];
	const struct ui_mark *m = &v->marks[i];
	if (n->role != UI_GROUP && n->role != UI_OTHER && n->role != UI_SEPARATOR)
		return false;
	if (m->interactive || ui_node_scrolls(n) || ((n->flags | m->add_flags) & telling))
		return false;
	return m->unlabelled || !is_meaningful(ui_view_text(v, i));
}

/* Cells and the like count only when there is something about them. */
static bool is_empty_item(const struct ui_viewer *v, uint32_t i)
{
	static const uint32_t telling =
	    UI_FOCUSED | UI_SELECTED | UI_CHECKABLE | UI_EDITABLE | UI_EXPANDABLE;
	const struct ui_node *n = &v->raw->nodes[i];
	if (n->role != UI_CELL && n->role != UI_LIST_ITEM && n->role != UI_TREE_ITEM &&
	    n->role != UI_MENU)
		return false;
	if (ui_view_text(v, i) || n->value || (n->flags & telling))
		return false;
	for (uint32_t k = 0; k < n->n_actions; k++) {
		if (ui_action_is_press(n->actions[k]))
			return false;
	}
	return true;
}

static bool is_answer(const struct ui_viewer *v, uint32_t i)
{
	const struct ui_node *n = &v->raw->nodes[i];
	if (v->marks[i].interactive)
		return n->role != UI_SCROLL_BAR && !is_empty_item(v, i);
	if (ui_node_scrolls(n) || n->role == UI_KEYBOARD || ui_has(n, UI_UNRESPONSIVE))
		return true;
	if (ui_role_is_surface(n->role))
		return n->label != NULL;
	return (n->role == UI_PROGRESS_BAR || n->role == UI_LEVEL_BAR) &&
	       (n->value || ui_has(n, UI_HAS_RANGE));
}

static bool keeps(const struct ui_viewer *v, uint32_t i)
{
	if (too_deep(v, i))
		return false;
	if (v->opts->raw)
		return true;
	if (!v->marks[i].shown || v->marks[i].dropped)
		return false;
	return v->opts->interactive ? is_answer(v, i) : !is_empty_wrapper(v, i);
}

/* The whole keyboard is one line, unless it is what was asked for. */
static bool is_closed_keyboard(const struct ui_viewer *v, uint32_t i)
{
	return v->raw->nodes[i].role == UI_KEYBOARD && !v->opts->raw && !v->opts->scope;
}

/* Copies one node and adds what the passes found out about it. */
static bool add(struct ui_viewer *v, struct ui_tree *view, uint32_t i, uint32_t parent)
{
	uint32_t at = ui_tree_copy_node(view, parent, &v->raw->nodes[i]);
	if (at == UI_NONE)
		return false;
	struct ui_node *n = &view->nodes[at];
	const struct ui_mark *m = &v->marks[i];
	n->ref = at + 1;
	if (v->opts->raw)
		return true;
	n->flags |= m->add_flags;
	if (m->unlabelled)
		n->label = NULL;
	n->caption = m->unlabelled ? NULL : ui_tree_text(view, m->caption, NULL);
	return true;
}

/* Copies what is kept; map[i] is where a kept node, or its nearest kept ancestor, stands in the view. */
static void build(struct ui_viewer *v, struct ui_tree *view, uint32_t *map)
{
	const struct ui_tree *t = v->raw;
	bool flat = v->opts->interactive && !v->opts->raw;
	uint32_t keyboards[8], n_keyboards = 0, next;
	for (uint32_t i = v->first; i < v->end; i = next) {
		next = i + 1;
		uint32_t up =
		    i == v->first || t->nodes[i].parent == UI_NONE || t->nodes[i].parent < v->first
		        ? UI_NONE
		        : map[t->nodes[i].parent];
		map[i] = up;
		if (is_closed_keyboard(v, i)) {
			next = v->marks[i].end;
			if ((flat || up == UI_NONE) && n_keyboards < ARRAY_SIZE(keyboards)) {
				keyboards[n_keyboards++] = i;
				continue;
			}
		}
		if (!keeps(v, i))
			continue;
		if (!add(v, view, i, flat ? UI_NONE : up))
			return;
		map[i] = view->count - 1;
	}
	for (uint32_t k = 0; k < n_keyboards; k++) {
		if (keeps(v, keyboards[k]))
			add(v, view, keyboards[k], UI_NONE);
	}
}

static void add_label(struct ui_tree *view, const char **labels, const char *text)
{
	for (unsigned k = 0; text && k < 3; k++) {
		if (!labels[k]) {
			labels[k] = ui_tree_text(view, text, NULL);
			return;
		}
		if (ui_text_equal(labels[k], text))
			return;
	}
}

/* What can be acted on but lies outside of the screen or window, with no scroll area to say so. */
static void count_outside(const struct ui_viewer *v, struct ui_tree *view,
                          struct ui_view_stats *stats)
{
	for (uint32_t i = v->first; i < v->end; i++) {
		const struct ui_mark *m = &v->marks[i];
		if (!m->loose || m->shown || !m->interactive || too_deep(v, i) ||
		    !ui_has(&v->raw->nodes[i], UI_VISIBLE))
			continue;
		bool above = m->place == UI_ABOVE || m->place == UI_LEFT;
		if (above)
			stats->offscreen_above++;
		else
			stats->offscreen_below++;
		add_label(view, above ? stats->above : stats->below, ui_view_text(v, i));
	}
}

static void copy_head(const struct ui_tree *raw, struct ui_tree *view)
{
	view->truncated = raw->truncated;
	view->dropped = raw->dropped;
	view->screen = raw->screen;
	view->app = ui_tree_text(view, raw->app, NULL);
	view->app_id = ui_tree_text(view, raw->app_id, NULL);
	view->surface = ui_tree_text(view, raw->surface, NULL);
	view->window_title = ui_tree_text(view, raw->window_title, NULL);
	view->quality = raw->quality;
	view->quality.state = ui_tree_text(view, raw->quality.state, NULL);
	view->quality.backend = ui_tree_text(view, raw->quality.backend, NULL);
	view->quality.reason = ui_tree_text(view, raw->quality.reason, NULL);
	view->quality.reason_code = ui_tree_text(view, raw->quality.reason_code, NULL);
}

/* Where nothing at all is visible (no rects worth the name, or a scope that is scrolled away), all is
 * shown rather than nothing. Afterwards the depth limit. */
static void settle_shown(struct ui_viewer *v)
{
	bool any = false;
	for (uint32_t i = v->first; i < v->end && !any; i++)
		any = v->marks[i].shown;
	for (uint32_t i = v->first; i < v->end; i++)
		v->marks[i].shown = (v->marks[i].shown || !any) && !too_deep(v, i);
}

/* The passes that find out what to show; with --raw only the scope counts. */
static int look(struct ui_viewer *v, struct ui_view_stats *stats, struct error *e)
{
	const struct ui_tree *t = v->raw;
	for (uint32_t i = 0; i < t->count; i++)
		v->marks[i].interactive = ui_node_interactive(t, i);
	int rc = v->opts->raw ? 0 : ui_view_mark_visible(v, e);
	if (rc == 0)
		rc = apply_scope(v, stats, e);
	if (rc < 0 || v->opts->raw)
		return rc;
	settle_shown(v);
	rc = ui_view_mark_duplicates(v, e);
	return rc < 0 ? rc : ui_view_mark_covered(v, e);
}

static struct ui_mark *new_marks(const struct ui_tree *t)
{
	struct ui_mark *marks = calloc(t->count + 1, sizeof(*marks));
	for (uint32_t i = 0; marks && i < t->count; i++)
		marks[i].end = i + 1;
	for (uint32_t i = t->count; marks && i-- > 0;) {
		uint32_t p = t->nodes[i].parent;
		if (p != UI_NONE && marks[p].end < marks[i].end)
			marks[p].end = marks[i].end;
	}
	return marks;
}

int ui_view_make(const struct ui_tree *raw, const struct ui_view_opts *opts, struct ui_tree *ret,
                 struct ui_view_stats *ret_stats, struct error *e)
{
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats = { .total = raw->count };
	auto_free struct ui_mark *marks = new_marks(raw);
	auto_free uint32_t *map = malloc((raw->count + 1) * sizeof(*map));
	if (!marks || !map)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	struct ui_viewer v = { raw, opts, marks, 0, raw->count };
	int rc = ui_tree_init(&view, e);
	if (rc == 0)
		rc = look(&v, &stats, e);
	if (rc < 0)
		return rc;
	copy_head(raw, &view);
	build(&v, &view, map);
	if (!opts->raw)
		count_outside(&v, &view, &stats);
	stats.visible = view.count;
	ui_view_notices(raw, opts, &stats, &view);
	rc = ui_tree_check(&view, e);
	if (rc < 0)
		return rc;
	*ret = view;
	*ret_stats = stats;
	view = (struct ui_tree){ 0 };
	return 0;
}
