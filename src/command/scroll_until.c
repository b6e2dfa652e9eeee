#include "command/scroll_until.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "command/shared.h"
#include "ui/filter.h"
#include "ui/fingerprint.h"
#include "ui/selector.h"
#include "ui/viewport.h"

#include <math.h>
#include <string.h>

#define EDGE_PX 1 /* an edge this close is the same edge */

/* How much of the wanted element is in view. */
enum sight { UNKNOWN, OUTSIDE, CUT_OFF, IN_VIEW };

struct search {
	const char *words;
	struct ui_selector *selector;
	const struct act_target *asked; /* the container the caller named */
	const char *direction;          /* NULL: not decided yet */
	struct ui_tree tree;            /* the last look */
	struct act_target found;        /* the wanted node in `tree`; tree NULL: none */
	enum sight sight;
	double overhang;                      /* of what is cut off, px */
	uint64_t seen[LIM_SCROLL_PASSES + 2]; /* by pass, the last one a short one */
	unsigned passes, idle;
	bool nudged, held; /* held: the program has it, shown or not */
};

static void search_done(struct search *s)
{
	ui_selector_free(s->selector);
	ui_tree_done(&s->tree);
}

/* --- where the element is ----------------------------------------------------------------------- */

/* The part of [from, from+size) that lies outside of [low, low+room), with its side. */
static double outside(double from, double size, double low, double room, bool *ret_before)
{
	double before = low - from, behind = from + size - (low + room);

	*ret_before = before > behind;
	return fmax(0, fmax(before, behind));
}

/* Cut off, and what would bring the rest: only where all of it fits at all. */
static enum sight sight_of_shown(struct search *s, const struct ui_node *n,
                                 const struct ui_viewport *port)
{
	bool above, left;
	double y = outside(n->rect.y, n->rect.height, port->rect.y, port->rect.height, &above);
	double x = outside(n->rect.x, n->rect.width, port->rect.x, port->rect.width, &left);

	if (y > EDGE_PX && n->rect.height <= port->rect.height) {
		s->overhang = y;
		s->direction = above ? "up" : "down";
		return CUT_OFF;
	}
	if (x > EDGE_PX && n->rect.width <= port->rect.width) {
		s->overhang = x;
		s->direction = left ? "left" : "right";
		return CUT_OFF;
	}
	return IN_VIEW;
}

static const char *towards(enum ui_place place)
{
	static const char *const ways[] = {
		[UI_ABOVE] = "up", [UI_BELOW] = "down", [UI_LEFT] = "left", [UI_RIGHT] = "right"
	};

	return place == UI_NOWHERE || place == UI_IN_VIEW ? NULL : ways[place];
}

/* Of several matches the first that is in view counts, else the first whose place is known. */
static enum sight sight_of(struct search *s, const struct ui_matches *m, uint32_t *ret_node,
                           const char **ret_way)
{
	enum sight best = UNKNOWN;

	for (uint32_t i = 0; i < m->count && best < CUT_OFF; i++) {
		const struct ui_node *n = &s->tree.nodes[m->nodes[i]];
		struct ui_viewport port = ui_viewport_of(&s->tree, m->nodes[i]);
		enum ui_place place = ui_viewport_place(n, &port);
		enum sight sight = OUTSIDE;

		if (place == UI_IN_VIEW && ui_has(n, UI_VISIBLE))
			sight = ui_has(n, UI_HAS_RECT) && port.known ? sight_of_shown(s, n, &port) : IN_VIEW;
		if (sight <= best)
			continue;
		best = sight;
		*ret_node = m->nodes[i];
		*ret_way = towards(place);
	}
	return best;
}

/* Of lists whose hidden rows have no place (GTK 3) the order tells: what comes before the first row
 * that is shown lies above. */
static const char *way_by_order(const struct ui_tree *t, uint32_t node)
{
	uint32_t list = t->nodes[node].parent;

	while (list != UI_NONE && !ui_node_scrolls(&t->nodes[list]))
		list = t->nodes[list].parent;
	if (list == UI_NONE)
		return NULL;
	for (uint32_t i = list + 1, end = ui_tree_subtree_end(t, list); i < end; i++)
		if (ui_has(&t->nodes[i], UI_VISIBLE) && ui_has(&t->nodes[i], UI_HAS_RECT) &&
		    !ui_is_ancestor(t, i, node) && t->nodes[i].role != UI_SCROLL_BAR)
			return node < i ? "up" : "down";
	return NULL;
}

/* Where to, for an element that is not shown. A look that fails decides nothing. */
static void find_hidden(struct dm_request *rq, struct search *s)
{
	auto_error struct error ignored = ERROR_INIT;
	auto_tree struct ui_tree whole = { 0 };
	struct ui_matches m = { 0 };

	if (act_capture_whole(rq, rq->call, &whole, &ignored) < 0 ||
	    ui_selector_find(s->selector, &whole, &m, &ignored) < 0)
		return;
	s->held = m.count > 0;
	if (s->held && !s->direction)
		s->direction = way_by_order(&whole, m.nodes[0]);
	free(m.nodes);
}

/* --- looks and passes --------------------------------------------------------------------------- */

static bool seen_before(const struct search *s, uint64_t fp)
{
	for (unsigned i = 0; i < s->passes; i++)
		if (s->seen[i] == fp)
			return true;
	return false;
}

static int look(struct dm_request *rq, struct search *s, struct error *e)
{
	struct ui_tree tree = { 0 };
	struct ui_matches m = { 0 };
	const char *way = NULL;
	uint32_t node = 0;
	int r = act_capture(rq, rq->call, &tree, e);

	if (r < 0)
		return r;
	ui_tree_done(&s->tree);
	s->tree = tree;
	s->found = (struct act_target){ 0 };
	r = ui_selector_find(s->selector, &s->tree, &m, e);
	if (r < 0)
		return r;
	s->sight = sight_of(s, &m, &node, &way);
	s->held |= s->sight != UNKNOWN;
	if (s->sight != UNKNOWN)
		s->found = (struct act_target){ .tree = &s->tree, .node = node };
	if (!s->direction)
		s->direction = way;
	free(m.nodes);
	uint64_t fp = ui_fingerprint(&s->tree, true);
	s->idle = seen_before(s, fp) ? s->idle + 1 : 0;
	s->seen[s->passes] = fp;
	return 0;
}

static bool can_be_scrolled(const struct search *s, uint32_t i)
{
	const struct ui_node *n = &s->tree.nodes[i];
	struct ui_viewport port = ui_viewport_of(&s->tree, i);

	return ui_node_scrolls(n) && n->handle && ui_has(n, UI_VISIBLE) && ui_has(n, UI_HAS_RECT) &&
	       ui_rect_usable(n->rect) && ui_viewport_place(n, &port) == UI_IN_VIEW;
}

/* UI_NONE: no container is known, the app's window is scrolled. */
static uint32_t container(const struct search *s)
{
	uint32_t best = UI_NONE;
	double best_area = 0;

	if (s->found.tree)
		for (uint32_t i = s->tree.nodes[s->found.node].parent; i != UI_NONE;
		     i = s->tree.nodes[i].parent)
			if (can_be_scrolled(s, i))
				return i;
	for (uint32_t i = 0; i < s->tree.count; i++) {
		double area = s->tree.nodes[i].rect.width * s->tree.nodes[i].rect.height;

		if (area > best_area && can_be_scrolled(s, i)) {
			best = i;
			best_area = area;
		}
	}
	return best;
}

static json_t *scroll_request(struct dm_request *rq, const struct search *s, struct error *e)
{
	const struct ui_node *asked = act_node(s->asked);
	struct act_target at = { .tree = &s->tree };

	if (!asked && s->asked->parsed.kind == UI_TARGET_POINT)
		return act_request(rq, "scroll", s->asked);
	at.node = asked ? act_find_handle(&s->tree, asked->handle) : container(s);
	if (at.node != UI_NONE)
		return act_request(rq, "scroll", &at);
	if (!asked)
		return act_bare_request(rq, "scroll");
	error_set(e, ERR_ELEMENT_STALE, "the container is not on the screen any more");
	return NULL;
}

/* One pass; a nudge goes only as far as the element is cut off. */
static int pass(struct dm_request *rq, struct search *s, struct error *e)
{
	json_t *request = scroll_request(rq, s, e);
	auto_json json_t *reply = NULL;
	const char *const sizes[] = { "amount", "pixels" };

	if (!request)
		return -(int)e->code;
	if (!s->direction)
		s->direction = "down";
	jx_set_str(request, "direction", s->direction);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (json_object_get(rq->args, sizes[i]) && !s->nudged)
			json_object_set(request, sizes[i], json_object_get(rq->args, sizes[i]));
	if (s->nudged)
		jx_set_int(request, "pixels", (int64_t)ceil(s->overhang));
	s->passes++;
	dm_progress(rq, "scrolling", s->passes, -1);
	return act_send(rq, request, &reply, e);
}

/* --- the end ------------------------------------------------------------------------------------ */

static const char *opposite(const char *direction)
{
	static const char *const pairs[][2] = {
		{ "up", "down" }, { "down", "up" }, { "left", "right" }, { "right", "left" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (!strcmp(pairs[i][0], direction))
			return pairs[i][1];
	return direction;
}

static int end_reached(const struct search *s, struct error *e)
{
	if (!act_capture_complete(&s->tree)) {
		error_set(e, ERR_COMMAND_FAILED,
		          "the tree was read only in part; whether %.300s can be scrolled to is not known",
		          s->words);
		return error_reason(e, "capture_incomplete");
	}
	error_set(e, s->held ? ERR_ELEMENT_OFFSCREEN : ERR_ELEMENT_NOT_FOUND,
	          "%.300s did not come into view: %u passes %s, and nothing new comes", s->words,
	          s->passes, s->direction);
	error_reason(e, "scroll_end_reached");
	return error_hint(
	    e, "try the other way (`deft scroll %s --until …`), or name the container: --target",
	    opposite(s->direction));
}

static int limit_met(const struct search *s, struct error *e)
{
	error_set(e, ERR_LIMIT_EXCEEDED,
	          "%.300s did not come into view in %u passes %s; the content goes on", s->words,
	          s->passes, s->direction);
	error_reason(e, "scroll_pass_limit");
	return error_hint(e, "run it again to go on from here, or search in the program itself");
}

static void say(const struct search *s, const char *way, json_t *data)
{
	auto_free char *line = act_line(&s->found);

	jx_set_str(data, "until", s->words);
	jx_set_int(data, "passes", s->passes);
	jx_set_bool(data, "whole", s->sight == IN_VIEW);
	act_describe(&s->found, data);
	json_object_del(data, "targetKind");
	if (s->passes == 0) {
		cmd_message(data, "Already in view: %s", line);
		return;
	}
	jx_set_str(data, "direction", way);
	cmd_message(data, "In view%s after %u pass%s %s: %s", s->sight == IN_VIEW ? "" : " in part",
	            s->passes, s->passes == 1 ? "" : "es", way, line);
}

/* 1: go on. What is cut off is worth one short pass, whatever that brings. */
static int next(struct search *s, struct error *e)
{
	if (s->sight == IN_VIEW || s->nudged)
		return 0;
	if (s->sight == CUT_OFF) {
		s->nudged = true;
		return 1;
	}
	if (s->idle >= LIM_SCROLL_IDLE_PASSES)
		return end_reached(s, e);
	if (s->passes >= LIM_SCROLL_PASSES)
		return limit_met(s, e);
	return 1;
}

int scroll_until(struct dm_request *rq, const struct act_target *t, const char *direction,
                 json_t **ret_data, struct error *e)
{
	__attribute__((cleanup(search_done))) struct search s = {
		.words = jx_get_str(rq->args, "until", ""),
		.asked = t,
		.direction = direction,
	};
	const char *way = NULL;
	int r = ui_selector_parse(s.words, &s.selector, e);

	if (r < 0)
		return r;
	r = look(rq, &s, e);
	if (r == 0 && !s.held)
		find_hidden(rq, &s);
	while (r == 0 && (r = next(&s, e)) > 0) {
		r = pass(rq, &s, e);
		way = way ? way : s.direction;
		if (r == 0)
			r = look(rq, &s, e);
	}
	if (r < 0)
		return error_detail_int(e, "passes", s.passes);
	*ret_data = json_object();
	say(&s, way, *ret_data);
	return 0;
}
