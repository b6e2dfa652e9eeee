/* How elements are named in messages. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "ui/render.h"
#include "ui/screen_text.h"
#include "ui/selector_internal.h"
#include "ui/target_internal.h"

#include <string.h>

#define HAYSTACK_MIN 3 /* a label of one or two letters is part of everything */

char *ui_node_line(const struct ui_tree *t, uint32_t node)
{
	struct buf b;
	buf_init(&b, LIM_ERROR_TEXT);
	ui_render_line(t, node, false, &b);
	return buf_detach(&b);
}

static void add_difference(const struct ui_tree *t, uint32_t node, struct buf *line)
{
	const struct ui_node *n = &t->nodes[node];
	if (n->identifier) {
		buf_adds(line, " id=");
		ui_add_quoted(line, n->identifier);
		return;
	}
	for (uint32_t p = n->parent; p != UI_NONE; p = t->nodes[p].parent) {
		const struct ui_node *up = &t->nodes[p];
		if (!up->label || up->role == UI_APPLICATION || up->role == UI_WINDOW)
			continue;
		buf_addf(line, " in [%s] ", ui_role_name(up->role));
		ui_add_quoted(line, up->label);
		break;
	}
	if (ui_has(n, UI_HAS_RECT)) {
		double x, y;
		ui_rect_center(n->rect, &x, &y);
		buf_adds(line, " at ");
		ui_add_number(line, x);
		buf_addc(line, ',');
		ui_add_number(line, y);
	}
}

json_t *ui_target_lines(const struct ui_tree *t, const uint32_t *nodes, uint32_t count)
{
	struct buf lines[UI_CANDIDATES_MAX];
	bool twin[UI_CANDIDATES_MAX] = { false };
	json_t *list = json_array();
	if (count > UI_CANDIDATES_MAX)
		count = UI_CANDIDATES_MAX;
	for (uint32_t i = 0; i < count; i++) {
		buf_init(&lines[i], LIM_ERROR_TEXT);
		ui_render_line(t, nodes[i], false, &lines[i]);
		for (uint32_t k = 0; k < i; k++) {
			if (strcmp(lines[k].data, lines[i].data) == 0)
				twin[i] = twin[k] = true;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (twin[i])
			add_difference(t, nodes[i], &lines[i]);
		json_array_append_new(list, json_string(lines[i].data));
		buf_done(&lines[i]);
	}
	return list;
}

/* --- near misses ---------------------------------------------------------------------------- */

static const struct ui_term *first_text_term(const struct ui_selector *s)
{
	for (unsigned a = 0; a < s->count; a++) {
		for (unsigned i = 0; i < s->alternatives[a].count; i++) {
			const struct ui_term *term = &s->alternatives[a].terms[i];
			if (term->key <= UI_SEL_VALUE && term->key != UI_SEL_ROLE && term->needle.count > 0)
				return term;
		}
	}
	return NULL;
}

/* The node's text contains what was looked for, or is a part of it. */
static bool comes_near(const struct ui_term *term, const struct ui_node *n)
{
	const char *text = ui_node_text(n);
	if (!text)
		return false;
	if (ui_needle_found(&term->needle, text) || ui_needle_found(&term->needle, n->identifier))
		return true;
	return strlen(text) >= HAYSTACK_MIN && strlen(text) <= LIM_SELECTOR &&
	       ui_text_contains(term->value, text);
}

static bool listed(const json_t *lines, const char *line)
{
	for (size_t i = 0; i < json_array_size(lines); i++) {
		if (strcmp(json_string_value(json_array_get(lines, i)), line) == 0)
			return true;
	}
	return false;
}

static json_t *near_lines(const struct ui_tree *t, const struct ui_term *term)
{
	json_t *lines = json_array();
	for (uint32_t i = 0; i < t->count && json_array_size(lines) < UI_CANDIDATES_MAX; i++) {
		if (!ui_has(&t->nodes[i], UI_VISIBLE) || !comes_near(term, &t->nodes[i]))
			continue;
		auto_free char *line = ui_node_line(t, i);
		if (line && !listed(lines, line))
			json_array_append_new(lines, json_string(line));
	}
	return lines;
}

int ui_target_not_found(const struct ui_tree *t, const struct ui_selector *s, const char *text,
                        struct error *e)
{
	const struct ui_term *term = first_text_term(s);
	error_set(e, ERR_ELEMENT_NOT_FOUND, "nothing on the screen matches %.300s", text);
	error_reason(e, "selector_not_found");
	error_detail_str(e, "selector", text);
	auto_json json_t *lines = term ? near_lines(t, term) : json_array();
	if (json_array_size(lines) == 0)
		return -ERR_ELEMENT_NOT_FOUND;
	const char *key = ui_selector_key_name(term->key);
	error_detail(e, "near", json_incref(lines));
	error_hint(e, "near: %.200s; %s= compares the whole text, %s*= finds a part of it",
	           json_string_value(json_array_get(lines, 0)), key, key);
	return -ERR_ELEMENT_NOT_FOUND;
}
