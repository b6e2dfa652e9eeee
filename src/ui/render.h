/* Snapshot text. Colours only when asked for; never other escapes: control characters of the screen's
 * text are shown as \n or \u0085, so that screen text stays data.
 *
 * Grammar (agent surface 4.3, ours marked +):
 *   output  := meta* header notices lines summary
 *   meta    := "Page: " app NL | "App: " id NL
 *   header  := "Snapshot: " ( N " nodes" | V " visible nodes (" T " total)" ) [ " (truncated)" ] NL
 *   line    := indent "@" ref " [" role "]" [ ' "' label '"' ] fact* NL       two blanks a level, none in -i
 *   fact    := + ' [value:"…"]'  + " [range MIN..MAX step S at CURRENT]"  + " [checked]" | " [mixed]"
 *              + " [expanded]"  + " [password]"  + " [characters N]"  + " [active]"  + " [modal]"
 *              + " [height N]" (of a keyboard)
 *              " [disabled]" " [covered]" " [selected]" " [focused]" " [editable]" + " [read-only]"
 *              " [scrollable]" ' [preview:"…"]' " [truncated]" + " [not-responding]"   in this order
 *   hint    := indent "  [content above " role " hidden]" | indent "  [content below " role " hidden]"
 *   summary := "[off-screen above] " n " interactive item(s)" [ ": " labels ] | "[off-screen below] …"
 *
 * The label is the node's own, else its caption, its value, + its description. + A value is shown when there is one
 * and it is not the label, never for check boxes and their kind (their state is the answer) and never
 * for secret fields. + A range's current value stands in [value:…]; when the platform's own words for it
 * are no number, they stand there and the number follows " at ". The step is left out when unknown.
 * A text over 80 characters or (in text fields, text views and texts) with a line break is shown as
 * preview of its first 45 characters; without another text the label is then the name of the role.
 *
 * Labels, values and previews are written as JSON strings: what is printed between the quotes can be pasted into
 * a selector. */
#ifndef DEFT_UI_RENDER_H
#define DEFT_UI_RENDER_H

#include "base/buf.h"
#include "ui/filter.h"

struct ui_render_opts {
	bool color;
	bool flat;  /* -i */
	bool raw;   /* one compact JSON object a node */
};

/* Page/App, header, notices, lines, summary. */
void ui_render_snapshot(const struct ui_tree *view, const struct ui_view_stats *stats,
                        const struct ui_render_opts *opts, struct buf *out);
/* One node's line without indent and newline: '@e3 [button] "Save" [disabled]'. */
void ui_render_line(const struct ui_tree *t, uint32_t node, bool color, struct buf *out);

#endif
