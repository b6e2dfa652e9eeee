#include "runner/match.h"

#include "base/buf.h"
#include "base/limits.h"
#include "ui/role.h"
#include "ui/selector.h"

#include <string.h>

/* Points around a text input that still count as inside it. */
#define INPUT_TOLERANCE 2.0

int rc_capture(struct rc_env *env, const struct wire_request *r, struct call c, struct ui_tree *ret,
               struct error *e)
{
	const struct rb_snapshot_opts opts = { .app = r->app, .surface = r->surface, .depth = -1 };

	return env->backend->ops->snapshot(env->backend, call_limit(c, LIM_SNAPSHOT_BUDGET_MS), &opts,
	                                   ret, e);
}

static bool known_key(const char *key)
{
	static const char *const keys[] = { "id", "label", "text", "value" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

static int pick(const struct ui_tree *t, const char *text, enum ui_pick how, uint32_t *ret,
                struct error *e)
{
	struct ui_selector *s = NULL;
	int r = ui_selector_parse(text, &s, e);

	if (r == 0)
		r = ui_target_pick(t, s, text, how, ret, e);
	ui_selector_free(s);
	return r;
}

int rc_match(const struct ui_tree *t, const char *key, const char *value, enum ui_pick how,
             uint32_t *ret_node, struct error *e)
{
	struct buf auto_buf text;

	buf_init(&text, LIM_SELECTOR);
	if (!known_key(key))
		return error_set(e, ERR_INVALID_ARGS, "selectorKey must be id, label, text or value");
	buf_addf(&text, "%s=", key);
	buf_add_quoted(&text, value);
	if (text.over)
		return error_set(e, ERR_INVALID_ARGS, "selectorValue is longer than %d bytes",
		                 LIM_SELECTOR);
	return pick(t, text.data, how, ret_node, e);
}

static bool has_text(const char *s, const char *part)
{
	return s && ui_text_contains(s, part);
}

uint32_t rc_find_text(const struct ui_tree *t, const char *text)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];

		if (has_text(n->label, text) || has_text(n->identifier, text) || has_text(n->value, text))
			return i;
	}
	return UI_NONE;
}

static bool is_input(const struct ui_node *n)
{
	return ui_role_is_text_input(n->role) || ui_has(n, UI_EDITABLE);
}

const char *rc_readable(const struct ui_node *n)
{
	const char *first = is_input(n) ? n->value : n->label;
	const char *second = is_input(n) ? n->label : n->value;

	if (first && *first)
		return first;
	if (second && *second)
		return second;
	return n->identifier && *n->identifier ? n->identifier : NULL;
}

static bool under(const struct ui_node *n, double x, double y)
{
	struct ui_rect r = n->rect;

	if (!ui_has(n, UI_HAS_RECT))
		return false;
	if (is_input(n))
		r = (struct ui_rect){ r.x - INPUT_TOLERANCE, r.y - INPUT_TOLERANCE,
			                  r.width + 2 * INPUT_TOLERANCE, r.height + 2 * INPUT_TOLERANCE };
	return ui_rect_contains(r, x, y);
}

static double area(const struct ui_node *n)
{
	return n->rect.width * n->rect.height;
}

static bool better(const struct ui_node *a, const struct ui_node *b)
{
	return is_input(a) != is_input(b) ? is_input(a) : area(a) < area(b);
}

uint32_t rc_text_at(const struct ui_tree *t, double x, double y)
{
	uint32_t best = UI_NONE;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];

		if (under(n, x, y) && rc_readable(n) && (best == UI_NONE || better(n, &t->nodes[best])))
			best = i;
	}
	return best;
}
