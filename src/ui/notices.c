/* What a snapshot says about its own worth, one sentence each (agent surface 4.7, runner protocol
 * 6.11). */
#include "base/buf.h"
#include "base/limits.h"
#include "ui/view.h"

#include <string.h>

#define SPARSE_NODES 3  /* so few nodes and no verdict: something is wrong */
#define RICH_NODES 12   /* so many nodes and none interactive: worth a word */
#define MERGED_PARTS 10 /* more comma-separated parts in one leaf: several elements in one */

static void warn(struct ui_tree *view, struct buf *text)
{
	size_t i;
	json_t *old;
	json_array_foreach(view->warnings, i, old)
	{
		if (strcmp(json_string_value(old), text->data) == 0)
			return;
	}
	ui_tree_warn(view, text->data);
}

__attribute__((format(printf, 2, 3))) static void notice(struct ui_tree *view, const char *fmt, ...)
{
	auto_buf struct buf text;
	va_list ap;
	buf_init(&text, LIM_ERROR_TEXT);
	va_start(ap, fmt);
	buf_addv(&text, fmt, ap);
	va_end(ap);
	warn(view, &text);
}

static bool is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

static void notice_verdict(const struct ui_quality *q, struct ui_tree *view)
{
	const char *reason = q->reason ? q->reason : q->reason_code;
	if (is(q->state, "recovered") && !is(q->reason_code, "deferred") &&
	    !is(q->reason_code, "requested-backend"))
		notice(view, "Recovered this snapshot with the %s accessibility backend%s%.300s.",
		       q->backend, reason ? " after: " : "", reason ? reason : "");
	if (is(q->state, "sparse"))
		notice(view,
		       "No snapshot backend could read this screen%s%.300s%s: take a screenshot and use "
		       "coordinates, or try again after navigating.",
		       reason ? " (" : "", reason ? reason : "", reason ? ")" : "");
	if (is(q->state, "partial"))
		notice(view, "This snapshot is incomplete%s%.300s.", reason ? ": " : "",
		       reason ? reason : "");
	if (q->effective_depth && !is(q->state, "healthy"))
		notice(view, "The tree was read down to depth %u only; use -s to read on below an element.",
		       (unsigned)q->effective_depth);
}

static void notice_losses(const struct ui_tree *raw, struct ui_tree *view)
{
	if (raw->truncated && !is(raw->quality.state, "partial"))
		notice(view, "The tree was cut at a limit; narrow it with -s or -d.");
	if (raw->dropped)
		notice(view,
		       "%u element%s vanished while the tree was read; take a new snapshot when "
		       "something is missing.",
		       (unsigned)raw->dropped, raw->dropped == 1 ? "" : "s");
}

static void notice_emptiness(const struct ui_tree *raw, const struct ui_view_opts *opts,
                             const struct ui_view_stats *stats, struct ui_tree *view)
{
	if (stats->scope_missed) {
		notice(view, "Nothing contains the scope \"%.200s\"; take the snapshot without -s.",
		       opts->scope);
		return;
	}
	if (view->count == 0 && raw->count > 0 && opts->depth >= 0)
		notice(view, "Nothing to show down to depth %d; try again without -d.", opts->depth);
	else if (view->count == 0 && opts->interactive && raw->count >= RICH_NODES)
		notice(view, "None of the %u elements can be acted on; see them with `deft snapshot`.",
		       (unsigned)raw->count);
	if (raw->count <= SPARSE_NODES && !opts->scope && opts->depth < 0 && !raw->quality.state)
		notice(view,
		       "Only %u element%s: this tree is probably not what is on the screen. Take a "
		       "screenshot, open or navigate again, and retry.",
		       (unsigned)raw->count, raw->count == 1 ? "" : "s");
}

static unsigned comma_parts(const char *s)
{
	unsigned n = 1;
	for (; *s; s++)
		n += s[0] == ',' && s[1] == ' ';
	return n;
}

static void notice_merged(struct ui_tree *view)
{
	for (uint32_t i = 0; i < view->count; i++) {
		const struct ui_node *n = &view->nodes[i];
		bool leaf = i + 1 == view->count || view->nodes[i + 1].parent != i;
		if (!leaf || !n->label || n->role == UI_TEXT || ui_role_is_text_input(n->role) ||
		    comma_parts(n->label) <= MERGED_PARTS)
			continue;
		notice(view,
		       "@e%u [%s] merges many labels into one accessibility element; the app has to "
		       "expose them one by one.",
		       (unsigned)n->ref, ui_role_name(n->role));
		return;
	}
}

void ui_view_notices(const struct ui_tree *raw, const struct ui_view_opts *opts,
                     const struct ui_view_stats *stats, struct ui_tree *view)
{
	size_t i;
	json_t *text;
	json_array_foreach(raw->warnings, i, text) ui_tree_warn(view, json_string_value(text));
	notice_verdict(&raw->quality, view);
	notice_losses(raw, view);
	notice_emptiness(raw, opts, stats, view);
	if (!raw->quality.state)
		notice_merged(view);
}
