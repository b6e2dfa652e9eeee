/* type, readText, key. Text is read back by the backend; what differs is an error with both texts,
 * and what is secret is never repeated. */
#include "runner/commands.h"

#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "runner/actionability.h"
#include "runner/match.h"
#include "ui/role.h"

#include <string.h>

#define DELAY_MAX_MS 10000

/* --- type ------------------------------------------------------------------------------------ */

static int text_of(const struct wire_request *r, struct rb_text *ret, struct error *e)
{
	if (!r->text)
		return error_set(e, ERR_INVALID_ARGS, "type requires text");
	if (utf8_count(r->text) > LIM_TEXT)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the text is longer than %d characters", LIM_TEXT);
	*ret = (struct rb_text){ .text = r->text, .mode = RB_TEXT_APPEND };
	if (r->text_entry_mode && strcmp(r->text_entry_mode, "replace") == 0)
		ret->mode = RB_TEXT_REPLACE;
	else if (r->text_entry_mode && strcmp(r->text_entry_mode, "append") != 0)
		return error_set(e, ERR_INVALID_ARGS, "textEntryMode must be append or replace");
	if (r->delay_ms > DELAY_MAX_MS)
		return error_set(e, ERR_INVALID_ARGS, "delayMs must be at most %d", DELAY_MAX_MS);
	ret->delay_ms = r->delay_ms > 0 ? (int)r->delay_ms : 0;
	return 0;
}

static int check_input(const struct rb_located *at, struct error *e)
{
	if (at->flags & UI_READ_ONLY)
		return error_set(e, ERR_INVALID_TARGET, "[%s] \"%s\" is read-only", ui_role_name(at->role),
		                 at->label);
	if (ui_role_is_text_input(at->role) || (at->flags & UI_EDITABLE))
		return 0;
	return error_set(e, ERR_INVALID_TARGET, "[%s] \"%s\" is not a text input",
	                 ui_role_name(at->role), at->label);
}

/* An element is typed into; a point is pressed first, so that what lies there takes the focus. */
static int aim(struct rc_env *env, const struct wire_request *r, struct call c, struct rc_target *t,
               struct error *e)
{
	bool found = false;
	int status = rc_target_resolve(env, r, c, RC_NEED_ENABLED | RC_NEED_UNCOVERED, t, &found, e);

	if (status < 0 || !found)
		return status;
	if (t->node)
		return check_input(&t->at, e);

	const struct rb_tap tap = { .x = t->x, .y = t->y, .clicks = 1 };

	return env->backend->ops->tap(env->backend, c, &tap, e);
}

/* A single-line field drops a line end that was only meant to submit. */
static bool same_text(const char *want, size_t want_len, const struct buf *actual)
{
	while (want_len > actual->len && (want[want_len - 1] == '\n' || want[want_len - 1] == '\r'))
		want_len--;
	return want_len == actual->len && memcmp(want, actual->data, want_len) == 0;
}

static bool mismatch(const struct rb_text *text, const struct rb_text_result *got)
{
	if (got->verified || got->secret || (got->actual.len == 0 && !got->read_back))
		return false;
	if (text->mode == RB_TEXT_REPLACE)
		return !same_text(text->text, strlen(text->text), &got->actual);
	return strstr(got->actual.data, text->text) == NULL;
}

static int report(const struct rb_text *text, const struct rb_text_result *got, json_t **ret,
                  struct error *e)
{
	if (mismatch(text, got)) {
		error_set(e, ERR_TEXT_ENTRY_MISMATCH, "the field holds \"%s\" after entering \"%s\"",
		          got->actual.data, text->text);
		error_detail_str(e, "expected", text->text);
		return error_detail_str(e, "actual", got->actual.data);
	}
	*ret = rc_message("typed");
	jx_set_str(*ret, "route", got->route);
	jx_set_bool(*ret, "verified", got->verified);
	if (got->secret)
		jx_set_bool(*ret, "secret", true);
	else if (got->verified || got->read_back || got->actual.len > 0)
		jx_set_str(*ret, "text", got->actual.data);
	return 0;
}

int rc_cmd_type(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	struct rc_target auto_target t = { 0 };
	struct rb_text_result got = { 0 };
	struct rb_text text;
	int status = text_of(r, &text, e);

	if (status == 0 && !env->backend->ops->text)
		status = rc_unsupported(env, r, e);
	if (status == 0)
		status = aim(env, r, c, &t, e);
	if (status < 0)
		return status;
	text.node = t.node;
	buf_init(&got.actual, LIM_RUNNER_REQUEST);
	status = env->backend->ops->text(env->backend, c, &text, &got, e);
	if (status == 0)
		status = report(&text, &got, ret, e);
	if (status == 0 && t.node)
		rc_put_element(*ret, &t.at);
	if (status == 0 && t.has_point)
		rc_put_touch(*ret, env, t.x, t.y);
	buf_done(&got.actual);
	return status;
}

/* --- readText -------------------------------------------------------------------------------- */

static int read_at_point(struct rc_env *env, const struct wire_request *r, struct call c,
                         json_t **ret, struct error *e)
{
	struct ui_tree auto_tree tree = { 0 };
	int status = rc_capture(env, r, c, &tree, e);

	if (status < 0)
		return status;
	uint32_t i = rc_text_at(&tree, r->x.v, r->y.v);
	if (i == UI_NONE)
		return error_set(e, ERR_ELEMENT_NOT_FOUND, "readText did not resolve text");
	*ret = json_object();
	jx_set_str(*ret, "text", rc_readable(&tree.nodes[i]));
	return 0;
}

static int read_node(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                     struct error *e)
{
	struct rc_target auto_target t = { 0 };
	struct buf auto_buf text;
	int status;

	buf_init(&text, LIM_RUNNER_REPLY / 8);
	if (!env->backend->ops->read_text)
		return rc_unsupported(env, r, e);
	status = rc_target_node(env, r, c, 0, &t, e);
	if (status == 0)
		status = env->backend->ops->read_text(env->backend, c, t.node, &text, e);
	if (status < 0)
		return status;
	if (text.over)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the text is longer than %u bytes",
		                 LIM_RUNNER_REPLY / 8);
	*ret = json_object();
	jx_set_str(*ret, "text", text.data);
	rc_put_element(*ret, &t.at);
	return 0;
}

int rc_cmd_read_text(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                     struct error *e)
{
	if (r->node || (r->selector_key && r->selector_value))
		return read_node(env, r, c, ret, e);
	if (r->x.has && r->y.has)
		return read_at_point(env, r, c, ret, e);
	return error_set(e, ERR_INVALID_ARGS, "readText requires nodeId, a selector or x and y");
}

/* --- key ------------------------------------------------------------------------------------- */

int rc_cmd_key(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
               struct error *e)
{
	int status;

	if (!r->keys || !*r->keys)
		return error_set(e, ERR_INVALID_ARGS, "key requires keys");
	if (!env->backend->ops->key)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->key(env->backend, c, r->keys, e);
	if (status < 0)
		return status;
	*ret = rc_message("key pressed");
	jx_set_str(*ret, "keys", r->keys);
	return 0;
}
