#include "ui/render.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/number.h"
#include "ui/screen_text.h"
#include "ui/selector.h"
#include "ui/tree_json.h"

#include <math.h>
#include <string.h>

#define LABEL_MAX 80
#define PREVIEW_MAX 45

#define C_REF "\x1b[36m"
#define C_FACT "\x1b[33m"
#define C_DIM "\x1b[2m"
#define C_OFF "\x1b[0m"

static void fact(struct buf *out, bool color, const char *text)
{
	buf_addf(out, color ? " " C_FACT "[%s]" C_OFF : " [%s]", text);
}

static void fact_open(struct buf *out, bool color)
{
	buf_adds(out, color ? " " C_FACT "[" : " [");
}

static void fact_close(struct buf *out, bool color)
{
	buf_adds(out, color ? "]" C_OFF : "]");
}

/* Roles whose text is content that may run over lines. */
static bool is_text_surface(enum ui_role r)
{
	return r == UI_TEXT || r == UI_HEADING || r == UI_TERMINAL || r == UI_WEB_AREA ||
	       ui_role_is_text_input(r);
}

static bool is_long(const struct ui_node *n, const char *s)
{
	return ui_text_longer(s, LABEL_MAX) || (is_text_surface(n->role) && strchr(s, '\n'));
}

static bool is_checkable(const struct ui_node *n)
{
	return ui_role_is_checkable(n->role) || ui_has(n, UI_CHECKABLE);
}

/* The texts of a line: what stands as label, as value, as preview; each may be NULL. */
struct line_texts {
	const char *label, *value, *preview;
};

static struct line_texts texts_of(const struct ui_node *n)
{
	struct line_texts t = { .label = n->label ? n->label : n->caption };
	bool silent = ui_node_secret(n) || is_checkable(n);
	const char *value = silent ? NULL : n->value;
	if (!t.label && !ui_has(n, UI_HAS_RANGE)) {
		t.label = value;
		value = NULL;
	}
	if (!t.label)
		t.label = n->description;
	if (value && t.label && ui_text_equal(value, t.label))
		value = NULL;
	if (t.label && is_long(n, t.label)) {
		t.preview = t.label;
		t.label = NULL;
	}
	if (value && is_long(n, value)) {
		t.preview = t.preview ? t.preview : value;
		value = NULL;
	}
	t.value = value;
	return t;
}

/* "text-view" becomes "Text view". */
static void add_role_phrase(struct buf *out, enum ui_role role)
{
	const char *name = ui_role_name(role);
	buf_addc(out, (char)(name[0] - 'a' + 'A'));
	for (const char *p = name + 1; *p; p++)
		buf_addc(out, *p == '-' ? ' ' : *p);
}

static void add_value(const struct ui_node *n, const char *value, bool color, struct buf *out)
{
	double number;
	bool range = ui_has(n, UI_HAS_RANGE);
	if (!value && !range)
		return;
	fact_open(out, color);
	buf_adds(out, "value:\"");
	if (value && !(range && number_parse(value, &number)))
		ui_add_escaped(out, value, SIZE_MAX);
	else if (range)
		ui_add_number(out, n->range.current);
	buf_addc(out, '"');
	fact_close(out, color);
}

static void add_range(const struct ui_node *n, const char *value, bool color, struct buf *out)
{
	double number;
	fact_open(out, color);
	buf_adds(out, "range ");
	ui_add_number(out, n->range.min);
	buf_adds(out, "..");
	ui_add_number(out, n->range.max);
	if (n->range.step > 0) {
		buf_adds(out, " step ");
		ui_add_number(out, n->range.step);
	}
	if (value && !number_parse(value, &number)) {
		buf_adds(out, " at ");
		ui_add_number(out, n->range.current);
	}
	fact_close(out, color);
}

static void add_count(struct buf *out, bool color, const char *what, double n)
{
	fact_open(out, color);
	buf_addf(out, "%s ", what);
	ui_add_number(out, n);
	fact_close(out, color);
}

/* Our own facts, before those of the specified grammar. */
static void add_state(const struct ui_node *n, bool color, struct buf *out)
{
	if (ui_has(n, UI_MIXED))
		fact(out, color, "mixed");
	else if (ui_has(n, UI_CHECKED))
		fact(out, color, "checked");
	if (ui_has(n, UI_EXPANDED))
		fact(out, color, "expanded");
	if (ui_node_secret(n))
		fact(out, color, "password");
	if (n->hidden_count)
		add_count(out, color, "characters", n->hidden_count);
	if (ui_has(n, UI_ACTIVE))
		fact(out, color, "active");
	if (ui_has(n, UI_MODAL))
		fact(out, color, "modal");
	if (n->role == UI_KEYBOARD && ui_has(n, UI_HAS_RECT))
		add_count(out, color, "height", n->rect.height);
}

static void add_flags(const struct ui_node *n, bool color, struct buf *out)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} facts[] = {
		{ UI_COVERED, "covered" },   { UI_SELECTED, "selected" },   { UI_FOCUSED, "focused" },
		{ UI_EDITABLE, "editable" }, { UI_READ_ONLY, "read-only" }, { UI_SCROLLABLE, "scrollable" },
	};
	/* Only what a person could act on is worth the word: wrappers and texts are never "enabled". */
	if (!ui_has(n, UI_ENABLED) && (!ui_role_is_plain(n->role) || n->n_actions > 0) &&
	    n->role != UI_APPLICATION)
		fact(out, color, "disabled");
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (ui_has(n, facts[i].flag))
			fact(out, color, facts[i].text);
	}
}

static void add_preview(const char *text, bool color, struct buf *out)
{
	fact_open(out, color);
	buf_adds(out, "preview:\"");
	ui_add_escaped(out, text, PREVIEW_MAX);
	buf_adds(out, ui_text_longer(text, PREVIEW_MAX) ? "...\"" : "\"");
	fact_close(out, color);
}

void ui_render_line(const struct ui_tree *t, uint32_t node, bool color, struct buf *out)
{
	const struct ui_node *n = &t->nodes[node];
	struct line_texts texts = texts_of(n);
	if (n->ref)
		buf_addf(out, color ? C_REF "@e%u" C_OFF " " : "@e%u ", (unsigned)n->ref);
	buf_addf(out, "[%s]", ui_role_name(n->role));
	if (texts.label || texts.preview)
		buf_adds(out, " \"");
	if (texts.label)
		ui_add_escaped(out, texts.label, SIZE_MAX);
	else if (texts.preview)
		add_role_phrase(out, n->role);
	if (texts.label || texts.preview)
		buf_addc(out, '"');
	if (!is_checkable(n))
		add_value(n, texts.value, color, out);
	if (ui_has(n, UI_HAS_RANGE) && !is_checkable(n))
		add_range(n, texts.value, color, out);
	add_state(n, color, out);
	add_flags(n, color, out);
	if (texts.preview)
		add_preview(texts.preview, color, out);
	if (texts.preview || ui_has(n, UI_CUT))
		fact(out, color, "truncated");
	if (ui_has(n, UI_UNRESPONSIVE))
		fact(out, color, "not-responding");
}

static void add_hint(const struct ui_node *n, uint32_t depth, bool above, bool color,
                     struct buf *out)
{
	buf_fill(out, ' ', 2 * (size_t)depth + 2);
	buf_addf(out, color ? C_DIM "[content %s %s hidden]" C_OFF "\n" : "[content %s %s hidden]\n",
	         above ? "above" : "below", ui_role_name(n->role));
}

/* Writes the hints of the containers that end before the next node, which is a child of `parent`;
 * `open` is the node printed last. From the inside out. */
static void close_containers(const struct ui_tree *t, uint32_t open, uint32_t parent, bool color,
                             struct buf *out)
{
	for (; open != UI_NONE && open != parent; open = t->nodes[open].parent) {
		const struct ui_node *n = &t->nodes[open];
		if (ui_has(n, UI_HIDDEN_BELOW))
			add_hint(n, n->depth, false, color, out);
	}
}

static void render_lines(const struct ui_tree *t, const struct ui_render_opts *opts,
                         struct buf *out)
{
	uint32_t open = UI_NONE;
	for (uint32_t i = 0; i < t->count && !out->over; i++) {
		const struct ui_node *n = &t->nodes[i];
		uint32_t depth = opts->flat ? 0 : n->depth;
		if (!opts->flat)
			close_containers(t, open, n->parent, opts->color, out);
		buf_fill(out, ' ', 2 * (size_t)depth);
		ui_render_line(t, i, opts->color, out);
		buf_addc(out, '\n');
		if (ui_has(n, UI_HIDDEN_ABOVE))
			add_hint(n, depth, true, opts->color, out);
		if (opts->flat && ui_has(n, UI_HIDDEN_BELOW))
			add_hint(n, depth, false, opts->color, out);
		open = i;
	}
	if (!opts->flat)
		close_containers(t, open, UI_NONE, opts->color, out);
}

static void render_raw(const struct ui_tree *t, struct buf *out)
{
	for (uint32_t i = 0; i < t->count && !out->over; i++) {
		auto_json json_t *j = ui_node_to_json(t, i);
		jx_dump(j, false, out);
		buf_addc(out, '\n');
	}
}

static void render_head(const struct ui_tree *t, const struct ui_view_stats *stats, bool raw,
                        struct buf *out)
{
	size_t i;
	json_t *warning;
	if (t->app) {
		buf_adds(out, "Page: ");
		ui_add_one_line(out, t->app);
		buf_addc(out, '\n');
	}
	if (t->app_id) {
		buf_adds(out, "App: ");
		ui_add_one_line(out, t->app_id);
		buf_addc(out, '\n');
	}
	if (raw || stats->visible == stats->total)
		buf_addf(out, "Snapshot: %u nodes", (unsigned)stats->visible);
	else
		buf_addf(out, "Snapshot: %u visible nodes (%u total)", (unsigned)stats->visible,
		         (unsigned)stats->total);
	buf_adds(out, t->truncated ? " (truncated)\n" : "\n");
	json_array_foreach(t->warnings, i, warning)
	{
		ui_add_one_line(out, json_string_value(warning));
		buf_addc(out, '\n');
	}
}

static void render_outside(const char *where, uint32_t count, const char *const labels[3],
                           struct buf *out)
{
	if (count == 0)
		return;
	buf_addf(out, "[off-screen %s] %u interactive item%s", where, (unsigned)count,
	         count == 1 ? "" : "s");
	for (unsigned i = 0; i < 3 && labels[i]; i++) {
		buf_adds(out, i == 0 ? ": \"" : ", \"");
		ui_add_escaped(out, labels[i], LABEL_MAX);
		buf_adds(out, ui_text_longer(labels[i], LABEL_MAX) ? "...\"" : "\"");
	}
	buf_addc(out, '\n');
}

void ui_render_snapshot(const struct ui_tree *view, const struct ui_view_stats *stats,
                        const struct ui_render_opts *opts, struct buf *out)
{
	render_head(view, stats, opts->raw, out);
	if (opts->raw) {
		render_raw(view, out);
		return;
	}
	render_lines(view, opts, out);
	render_outside("above", stats->offscreen_above, stats->above, out);
	render_outside("below", stats->offscreen_below, stats->below, out);
}
