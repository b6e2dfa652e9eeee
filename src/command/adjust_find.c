#include "command/adjust_find.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "command/adjust_device.h"
#include "command/element_id.h"

#include <string.h>

/* --- before the device is asked ---------------------------------------------------------------- */

static bool is_blank(const char *s)
{
	return !s || s[strspn(s, " \t\r\n")] == '\0';
}

int adjust_check_target(const struct adjust_ask *ask, bool *ret_names_one, struct error *e)
{
	__attribute__((cleanup(ui_target_done))) struct ui_target t = { 0 };
	struct ui_selector *s = NULL;
	int r;

	*ret_names_one = !ask->selector != !ask->element_id &&
	                 !is_blank(ask->selector ? ask->selector : ask->element_id);
	if (!*ret_names_one || !ask->selector)
		return 0;
	r = ui_target_parse(ask->selector, &t, e);
	if (r < 0)
		return r;
	if (t.kind == UI_TARGET_POINT) {
		error_set(e, ERR_INVALID_ARGS, "a point has no value to adjust");
		return error_hint(e,
		                  "give a ref or a selector, for example 'role=slider label=\"Volume\"'");
	}
	if (t.kind != UI_TARGET_SELECTOR)
		return 0;
	r = ui_selector_parse(t.selector, &s, e);
	ui_selector_free(s);
	return r;
}

/* --- several matches --------------------------------------------------------------------------- */

/* Whether this very node, asked for itself, offers a way to be changed (not what its role suggests). */
static bool is_proven(struct dm_request *rq, struct call c, struct act_target *t, uint32_t node)
{
	struct pf_device *d = dm_device(rq);
	struct act_target one = { .tree = &t->capture, .node = node };
	auto_json json_t *request = act_request(rq, "readControl", &one);
	auto_json json_t *control = NULL;
	struct ct_reading r;
	struct ct_domain domain;
	double value;

	if (d->ops->run(d, c, request, &control, NULL) < 0)
		return false;
	r = adjust_reading(control, t->capture.nodes[node].role);
	if (!ct_read_value(&r, NULL, &value, &domain) || r.read_only)
		return false;
	return ct_select(&r, &domain, 1, CT_SET) != CT_NONE ||
	       ct_select(&r, &domain, -1, CT_SET) != CT_NONE;
}

/* Exactly one match with a proven way (G18); false: none, several, or too many to ask. */
static bool only_control(struct dm_request *rq, struct call c, struct act_target *t,
                         const struct ui_selector *s)
{
	struct ui_matches m = { 0 };
	uint32_t found = UI_NONE, n = 0;

	if (ui_selector_find(s, &t->capture, &m, NULL) < 0)
		return false;
	auto_free uint32_t *nodes = m.nodes;
	for (uint32_t i = 0; m.count <= LIM_ADJUST_CANDIDATES && i < m.count; i++) {
		if (!t->capture.nodes[nodes[i]].handle || !is_proven(rq, c, t, nodes[i]))
			continue;
		found = nodes[i];
		n++;
	}
	if (n == 1)
		t->node = found;
	return n == 1;
}

/* --- one look ---------------------------------------------------------------------------------- */

static int capture(struct dm_request *rq, struct call c, struct act_target *t, struct error *e)
{
	ui_tree_done(&t->capture);
	t->capture = (struct ui_tree){ 0 };
	return act_capture(rq, c, &t->capture, e);
}

static int look_for_selector(struct dm_request *rq, struct call c, struct act_target *t,
                             struct error *e)
{
	struct ui_selector *s = NULL;
	int r = ui_selector_parse(t->parsed.selector, &s, e);

	if (r == 0)
		r = capture(rq, c, t, e);
	if (r == 0) {
		r = ui_target_pick(&t->capture, s, t->parsed.selector, UI_PICK_TOUCH, &t->node, e);
		if (r == -ERR_AMBIGUOUS_MATCH && only_control(rq, c, t, s)) {
			error_clear(e);
			r = 0;
		}
	}
	ui_selector_free(s);
	return r;
}

static int look_for_id(struct dm_request *rq, struct call c, const char *id, struct act_target *t,
                       struct error *e)
{
	int r = element_id_valid(id) ? capture(rq, c, t, e) : 0;

	if (r < 0)
		return r;
	t->node = UI_NONE;
	if (t->capture.count)
		t->node = element_id_find(&t->capture, dm_device(rq)->info.platform, id);
	if (t->node != UI_NONE)
		return 0;
	error_set(e, ERR_ELEMENT_NOT_FOUND, "no element of the screen has the id %.40s", id);
	return error_hint(e, "element ids stand in the JSON of `deft snapshot` and of adjustments");
}

static int look(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                struct act_target *t, struct error *e)
{
	int r = ask->element_id ? look_for_id(rq, c, ask->element_id, t, e)
	                        : look_for_selector(rq, c, t, e);

	if (r == 0 && !t->capture.nodes[t->node].handle)
		r = error_set(e, ERR_ELEMENT_NOT_FOUND,
		              "the element was not given a handle by its platform");
	if (r == 0)
		t->tree = &t->capture;
	return r;
}

static bool worth_waiting(const struct adjust_ask *ask, int r)
{
	return r == -ERR_ELEMENT_NOT_FOUND && (!ask->element_id || element_id_valid(ask->element_id));
}

static int look_until_found(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                            struct act_target *t, struct error *e)
{
	struct pf_device *d = dm_device(rq);
	auto_error struct error pause = ERROR_INIT;
	int r = look(rq, c, ask, t, e);
	int64_t end = 0;

	for (bool begun = false; worth_waiting(ask, r); begun = true) {
		if (pf_idle(d, c, begun ? LIM_WAIT_POLL_MS : 0, &pause) < 0)
			return r;
		if (!begun)
			end = pf_time_ms(d) + LIM_ADJUST_RESOLVE_MS;
		else if (pf_time_ms(d) >= end)
			return r;
		if (begun) {
			error_clear(e);
			r = look(rq, c, ask, t, e);
		}
	}
	return r;
}

int adjust_find(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                struct act_target *ret, struct error *e)
{
	int r = ask->selector ? ui_target_parse(ask->selector, &ret->parsed, e) : 0;

	if (r < 0)
		return r;
	if (ret->parsed.kind == UI_TARGET_REF) {
		act_target_done(ret);
		return act_resolve(rq, ask->selector, UI_PICK_TOUCH, ret, e);
	}
	r = look_until_found(rq, c, ask, ret, e);
	dm_stage(rq, "resolve");
	return r;
}
