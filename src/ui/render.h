/* Snapshot text (agent surface 4.3). Colours only when asked for; never other escapes: control
 * characters of the screen's text are shown as \n or U+FFFD, so that screen text stays data. */
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
