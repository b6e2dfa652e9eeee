#include "command/acting.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <string.h>

void act_target_done(struct act_target *t)
{
	ui_target_done(&t->parsed);
	ui_tree_done(&t->capture);
	*t = (struct act_target){ 0 };
}

const struct ui_node *act_node(const struct act_target *t)
{
	return t->tree ? &t->tree->nodes[t->node] : NULL;
}

uint32_t act_find_handle(const struct ui_tree *t, const char *handle)
{
	for (uint32_t i = 0; handle && i < t->count; i++)
		if (t->nodes[i].handle && !strcmp(t->nodes[i].handle, handle))
			return i;
	return UI_NONE;
}

/* --- captures ---------------------------------------------------------------------------------- */

static int capture(struct dm_request *rq, struct call call, bool raw, struct ui_tree *ret,
                   struct error *e)
{
	struct pf_device *d = dm_device(rq);
	struct pf_snapshot_opts opts = { .app = dm_app(rq), .raw = raw, .depth = -1 };

	if (!d->ops->snapshot)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "%s can't be read as a tree", d->info.name);
	return d->ops->snapshot(d, call, &opts, ret, e);
}

int act_capture(struct dm_request *rq, struct call call, struct ui_tree *ret, struct error *e)
{
	return capture(rq, call, false, ret, e);
}

int act_capture_whole(struct dm_request *rq, struct call call, struct ui_tree *ret, struct error *e)
{
	return capture(rq, call, true, ret, e);
}

bool act_capture_complete(const struct ui_tree *t)
{
	const char *state = t->quality.state;

	return !t->truncated && (!state || !strcmp(state, "healthy") || !strcmp(state, "recovered"));
}

/* --- refs -------------------------------------------------------------------------------------- */

static int ref_stale(const struct ui_target *t, const struct dm_frame *f, const char *reason,
                     const char *what, struct error *e)
{
	error_set(e, ERR_ELEMENT_STALE, "@e%u: %s", t->ref, what);
	error_reason(e, reason);
	error_detail(e, "ref", json_sprintf("e%u", t->ref));
	if (t->generation)
		error_detail_int(e, "mintedGeneration", (long long)t->generation);
	if (f)
		error_detail_int(e, "currentGeneration", (long long)f->generation);
	return -ERR_ELEMENT_STALE;
}

static int resolve_ref(struct dm_request *rq, enum ui_pick pick, struct act_target *t,
                       struct error *e)
{
	const struct dm_frame *f = dm_frame(rq);
	uint32_t i = 0;

	if (!f)
		return ref_stale(&t->parsed, NULL, "no_snapshot", "no snapshot is current in this session",
		                 e);
	if (t->parsed.generation && t->parsed.generation != f->generation)
		return ref_stale(&t->parsed, f, "ref_generation_mismatch",
		                 "the ref is of another snapshot than the current one", e);
	while (i < f->view.count && f->view.nodes[i].ref != t->parsed.ref)
		i++;
	if (i == f->view.count)
		return ref_stale(&t->parsed, f, "ref_not_issued", "the last snapshot has no such ref", e);
	t->tree = &f->view;
	/* A person who says "press this label" means the button around it; text goes where it was told. */
	t->node = pick == UI_PICK_TOUCH ? ui_target_promote(t->tree, i, pick) : i;
	if (t->node == UI_NONE)
		t->node = i;
	return 0;
}

/* --- selectors --------------------------------------------------------------------------------- */

/* Candidates get the refs under which the caller already knows them. */
static void lend_refs(const struct dm_frame *f, struct ui_tree *capture)
{
	for (uint32_t i = 0; f && i < f->view.count; i++) {
		uint32_t k =
		    f->view.nodes[i].ref ? act_find_handle(capture, f->view.nodes[i].handle) : UI_NONE;

		if (k != UI_NONE)
			capture->nodes[k].ref = f->view.nodes[i].ref;
	}
}

/* "Not there" and "I could not look" must not sound the same. */
static void tell_incomplete(const struct ui_tree *t, struct error *e)
{
	if (!error_is(e, ERR_ELEMENT_NOT_FOUND) || act_capture_complete(t))
		return;
	error_reason(e, "capture_incomplete");
	error_detail_str(e, "captureState", t->truncated ? "truncated" : t->quality.state);
	error_hint(e, "the tree was read only in part (%s); look at it with `deft snapshot -i`",
	           t->quality.reason ? t->quality.reason : "a limit was met");
}

static int pick_one(struct dm_request *rq, const struct ui_selector *s, enum ui_pick pick,
                    struct act_target *t, struct error *e)
{
	int r = ui_target_pick(&t->capture, s, t->parsed.selector, pick, &t->node, e);

	if (r == -ERR_AMBIGUOUS_MATCH) {
		lend_refs(dm_frame(rq), &t->capture);
		r = ui_target_pick(&t->capture, s, t->parsed.selector, pick, &t->node, e);
	}
	tell_incomplete(&t->capture, e);
	return r;
}

/* "Not there" is said only after a look at what the program holds but does not show: a row that is
 * scrolled out is off-screen, not absent. Keeps the first error when nothing is found there either. */
static int look_deeper(struct dm_request *rq, const struct ui_selector *s, enum ui_pick pick,
                       struct act_target *t, struct error *e)
{
	auto_error struct error ignored = ERROR_INIT;
	struct ui_tree deep = { 0 };
	uint32_t node;

	if (capture(rq, rq->call, true, &deep, &ignored) < 0)
		return -(int)e->code;
	if (ui_target_pick(&deep, s, t->parsed.selector, pick, &node, &ignored) < 0) {
		ui_tree_done(&deep);
		return -(int)e->code;
	}
	error_clear(e);
	ui_tree_done(&t->capture);
	t->capture = deep;
	t->node = node;
	return 0;
}

static int resolve_selector(struct dm_request *rq, enum ui_pick pick, struct act_target *t,
                            struct error *e)
{
	struct ui_selector *s = NULL;
	int r = ui_selector_parse(t->parsed.selector, &s, e);

	if (r == 0)
		r = act_capture(rq, rq->call, &t->capture, e);
	if (r == 0)
		r = pick_one(rq, s, pick, t, e);
	if (r == -ERR_ELEMENT_NOT_FOUND)
		r = look_deeper(rq, s, pick, t, e);
	ui_selector_free(s);
	t->tree = &t->capture;
	return r;
}

int act_resolve(struct dm_request *rq, const char *text, enum ui_pick pick, struct act_target *ret,
                struct error *e)
{
	struct act_target *t = ret;
	int r;

	*t = (struct act_target){ 0 };
	r = ui_target_parse(text, &t->parsed, e);
	if (r < 0)
		return r;
	switch (t->parsed.kind) {
	case UI_TARGET_REF: r = resolve_ref(rq, pick, t, e); break;
	case UI_TARGET_SELECTOR: r = resolve_selector(rq, pick, t, e); break;
	default: r = 0;
	}
	if (r == 0 && act_node(t) && !act_node(t)->handle) {
		auto_free char *line = act_line(t);

		r = error_set(e, ERR_INVALID_TARGET, "%s was not given a handle by its platform",
		              line ? line : text);
		error_hint(e, "act on a point instead: x y of its rect in `deft get attrs`");
	}
	if (r < 0)
		act_target_done(t);
	dm_stage(rq, "resolve");
	return r;
}

/* --- requests ---------------------------------------------------------------------------------- */

json_t *act_bare_request(struct dm_request *rq, const char *command)
{
	json_t *o = json_object();

	jx_set_str(o, "command", command);
	jx_set_str(o, "appBundleId", dm_app(rq));
	return o;
}

json_t *act_request(struct dm_request *rq, const char *command, const struct act_target *t)
{
	json_t *o = act_bare_request(rq, command);
	const struct ui_node *n = act_node(t);

	if (n) {
		jx_set_str(o, "nodeId", n->handle);
		jx_set_str(o, "expectRole", ui_role_name(n->role));
		jx_set_str(o, "expectLabel", n->label);
	} else {
		jx_set_num(o, "x", t->parsed.x);
		jx_set_num(o, "y", t->parsed.y);
	}
	return o;
}

int act_send(struct dm_request *rq, json_t *request_stolen, json_t **ret_reply, struct error *e)
{
	auto_json json_t *request = request_stolen;
	struct pf_device *d = dm_device(rq);
	json_t *reply = NULL;
	int r;

	if (!d->ops->run)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "%s can't do %s", d->info.name,
		                 jx_get_str(request, "command", "this"));
	r = d->ops->run(d, rq->call, request, &reply, e);
	dm_stage(rq, "send");
	if (r < 0)
		return r;
	*ret_reply = reply ? reply : json_object();
	return 0;
}

void act_merge(json_t *data, const json_t *reply)
{
	static const char *const transport[] = { "message", "currentUptimeMs", "runnerMainThreadBusy",
		                                     "gestureStartUptimeMs", "gestureEndUptimeMs" };
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)reply, key, value)
	{
		bool skip = false;

		for (size_t i = 0; i < ARRAY_SIZE(transport); i++)
			skip |= !strcmp(key, transport[i]);
		if (!skip)
			json_object_set(data, key, value);
	}
}

/* --- results ----------------------------------------------------------------------------------- */

#define LINE_LABEL_BYTES 160

char *act_line(const struct act_target *t)
{
	auto_buf struct buf b;
	auto_free char *label = NULL;
	const struct ui_node *n = act_node(t);
	const char *text = n ? n->label ? n->label : n->caption ? n->caption : n->identifier : NULL;

	buf_init(&b, LIM_ERROR_TEXT);
	if (n && n->ref)
		buf_addf(&b, "@e%u ", n->ref);
	if (n)
		buf_addf(&b, "[%s]", ui_role_name(n->role));
	if (text)
		label = utf8_repair(text, strlen(text), LINE_LABEL_BYTES, NULL);
	if (label) {
		buf_addc(&b, ' ');
		buf_add_quoted(&b, label);
	}
	return buf_detach(&b);
}

void act_describe(const struct act_target *t, json_t *data)
{
	static const char *const kinds[] = { "none", "ref", "selector", "point" };
	const struct ui_node *n = act_node(t);
	auto_free char *line = act_line(t);

	jx_set_str(data, "targetKind", kinds[t->parsed.kind]);
	if (t->parsed.kind == UI_TARGET_REF)
		jx_set(data, "ref", json_sprintf("e%u", t->parsed.ref));
	jx_set_str(data, "selector", t->parsed.selector);
	if (!n)
		return;
	jx_set_str(data, "role", ui_role_name(n->role));
	jx_set_str(data, "label", n->label);
	jx_set_str(data, "element", line);
}
