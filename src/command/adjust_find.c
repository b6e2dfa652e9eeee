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
	return ct_select(&r, &domain, true, CT_SET) != CT_NONE ||
	       ct_select(&r, &domain, false, CT_SET) != CT_NONE;
}

/* Exactly one match with a proven way (G18); UI_NONE: none, several, or too many to ask. */
static uint32_t only_control(struct dm_request *rq, struct call c, struct act_target *t,
                             const struct ui_selector *s)
{
	struct ui_matches m = { 0 };
	uint32_t found = UI_NONE;

	if (ui_selector_find(s, &t->capture, &m, NULL) < 0 || m.count > LIM_ADJUST_CANDIDATES)
		return UI_NONE;
	auto_free uint32_t *nodes = m.nodes;
	for (uint32_t i = 0; i < m.count; i++) {
		if (!t->capture.nodes[nodes[i]].handle || !is_proven(rq, c, t, nodes[i]))
			continue;
		if (found != UI_NONE)
			return UI_NONE;
		found = nodes[i];
	}
	return found;
}

/* Keeps the error with its candidates unless one of them alone is meant. */
static int pick_control(struct dm_request *rq, struct call c, const char *selector,
                        struct act_target *ret, struct error *e)
{
	auto_target struct act_target t = { 0 };
	struct ui_selector *s = NULL;

	if (ui_target_parse(selector, &t.parsed, NULL) < 0 ||
	    ui_selector_parse(t.parsed.selector, &s, NULL) < 0)
		return -(int)e->code;
	t.node = act_capture(rq, c, &t.capture, NULL) < 0 ? UI_NONE : only_control(rq, c, &t, s);
	ui_selector_free(s);
	if (t.node == UI_NONE)
		return -(int)e->code;
	error_clear(e);
	*ret = t;
	ret->tree = &ret->capture;
	t = (struct act_target){ 0 };
	return 0;
}

/* --- one look ---------------------------------------------------------------------------------- */

static int no_such_id(const char *id, struct error *e)
{
	error_set(e, ERR_ELEMENT_NOT_FOUND, "no element of the screen has the id %.40s", id);
	return error_hint(e, "element ids stand in the JSON of `deft snapshot` and of adjustments");
}

static int look_for_id(struct dm_request *rq, struct call c, const char *id, struct act_target *t,
                       struct error *e)
{
	int r = act_capture(rq, c, &t->capture, e);

	if (r < 0)
		return r;
	t->node = element_id_find(&t->capture, dm_device(rq)->info.platform, id);
	if (t->node != UI_NONE && t->capture.nodes[t->node].handle) {
		t->tree = &t->capture;
		return 0;
	}
	act_target_done(t);
	return no_such_id(id, e);
}

static int look(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                struct act_target *t, struct error *e)
{
	int r;

	if (ask->element_id)
		return look_for_id(rq, c, ask->element_id, t, e);
	r = act_resolve(rq, ask->selector, UI_PICK_TOUCH, t, e);
	return r == -ERR_AMBIGUOUS_MATCH ? pick_control(rq, c, ask->selector, t, e) : r;
}

/* The first look costs one capture; only then time is told and allowed to pass. */
static int look_until_found(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                            struct act_target *t, struct error *e)
{
	struct pf_device *d = dm_device(rq);
	int r = look(rq, c, ask, t, e);

	if (r != -ERR_ELEMENT_NOT_FOUND || pf_idle(d, c, 0, NULL) < 0)
		return r;
	int64_t end = pf_time_ms(d) + LIM_ADJUST_RESOLVE_MS;
	while (r == -ERR_ELEMENT_NOT_FOUND && pf_time_ms(d) < end &&
	       pf_idle(d, c, LIM_WAIT_POLL_MS, NULL) == 0) {
		error_clear(e);
		r = look(rq, c, ask, t, e);
	}
	return r;
}

int adjust_find(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                struct act_target *ret, struct error *e)
{
	if (ask->element_id && !element_id_valid(ask->element_id))
		return no_such_id(ask->element_id, e);
	return look_until_found(rq, c, ask, ret, e);
}
