#include "command/scroll_edge.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "command/shared.h"
#include "ui/filter.h"
#include "ui/fingerprint.h"

#include <string.h>

struct edge {
	const char *name, *direction;
	uint32_t hidden_flag; /* UI_HIDDEN_ABOVE or UI_HIDDEN_BELOW */
	const struct act_target *target;
	struct ui_tree view; /* the last look */
	uint64_t fingerprint;
	unsigned passes, idle;
};

static void edge_done(struct edge *g)
{
	ui_tree_done(&g->view);
}

/* The container in the last view: the target's node, else the largest that has more to show. */
static uint32_t container(const struct edge *g)
{
	const struct ui_node *wanted = act_node(g->target);
	uint32_t best = UI_NONE;
	double best_area = 0;

	if (wanted)
		return act_find_handle(&g->view, wanted->handle);
	for (uint32_t i = 0; i < g->view.count; i++) {
		const struct ui_node *n = &g->view.nodes[i];
		double area = n->rect.width * n->rect.height;

		if (ui_has(n, g->hidden_flag) && ui_has(n, UI_HAS_RECT) && n->handle && area > best_area &&
		    (g->target->parsed.kind == UI_TARGET_NONE ||
		     ui_rect_contains(n->rect, g->target->parsed.x, g->target->parsed.y))) {
			best = i;
			best_area = area;
		}
	}
	return best;
}

/* Looks again. 1: more is hidden beyond the edge, 0: the edge is reached. */
static int look(struct dm_request *rq, struct edge *g, struct error *e)
{
	auto_tree struct ui_tree raw = { 0 };
	struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	const struct ui_view_opts opts = { .depth = -1 };
	uint64_t fp;
	int r = act_capture(rq, rq->call, &raw, e);

	if (r == 0)
		r = ui_view_make(&raw, &opts, &view, &stats, e);
	if (r < 0)
		return r;
	if (!act_capture_complete(&raw)) {
		ui_tree_done(&view);
		error_set(e, ERR_COMMAND_FAILED,
		          "the tree was read only in part; whether the %s is reached "
		          "is not known",
		          g->name);
		return error_reason(e, "capture_incomplete");
	}
	fp = ui_fingerprint(&raw, true); /* the view leaves out what moves off the screen */
	g->idle = g->passes && fp == g->fingerprint ? g->idle + 1 : 0;
	g->fingerprint = fp;
	ui_tree_done(&g->view);
	g->view = view;
	uint32_t i = container(g);
	if (i == UI_NONE && act_node(g->target))
		return error_set(e, ERR_ELEMENT_STALE, "the container is not on the screen any more");
	return i != UI_NONE && ui_has(&g->view.nodes[i], g->hidden_flag);
}

static int pass(struct dm_request *rq, struct edge *g, struct error *e)
{
	struct act_target at = { .tree = &g->view, .node = container(g) };
	auto_json json_t *reply = NULL;
	json_t *request = act_request(rq, "scroll", &at);

	jx_set_str(request, "direction", g->direction);
	g->passes++;
	return act_send(rq, request, &reply, e);
}

static int gave_up(const struct edge *g, const char *reason, struct error *e)
{
	if (!strcmp(reason, "scroll_moves_nothing"))
		error_set(e, ERR_NO_EFFECT, "%u passes in a row moved nothing, although more is hidden",
		          g->idle);
	else
		error_set(e, ERR_LIMIT_EXCEEDED, "the %s was not reached in %u passes", g->name, g->passes);
	error_reason(e, reason);
	error_detail_int(e, "passes", g->passes);
	return error_hint(e, "scroll one container of it: `deft scroll %s --target <ref>`", g->name);
}

static json_t *result(const struct edge *g)
{
	json_t *data = json_object();

	jx_set_str(data, "direction", g->direction);
	jx_set_str(data, "edge", g->name);
	jx_set_int(data, "passes", g->passes);
	if (g->passes)
		cmd_message(data, "Scrolled to %s with %u %s pass%s", g->name, g->passes, g->direction,
		            g->passes == 1 ? "" : "es");
	else
		cmd_message(data, "Already at %s; nothing is hidden beyond", g->name);
	return data;
}

int scroll_to_edge(struct dm_request *rq, const struct act_target *t, const char *edge,
                   json_t **ret_data, struct error *e)
{
	bool down = !strcmp(edge, "bottom");
	__attribute__((cleanup(edge_done))) struct edge g = {
		.name = edge,
		.direction = down ? "down" : "up",
		.hidden_flag = down ? UI_HIDDEN_BELOW : UI_HIDDEN_ABOVE,
		.target = t,
	};
	int more = look(rq, &g, e);

	while (more > 0) {
		int r;

		if (g.idle >= LIM_SCROLL_IDLE_PASSES)
			return gave_up(&g, "scroll_moves_nothing", e);
		if (g.passes >= LIM_SCROLL_PASSES)
			return gave_up(&g, "scroll_pass_limit", e);
		r = pass(rq, &g, e);
		if (r < 0)
			return r;
		dm_progress(rq, "scrolling", g.passes, -1);
		more = look(rq, &g, e);
	}
	if (more == 0)
		*ret_data = result(&g);
	return more;
}
