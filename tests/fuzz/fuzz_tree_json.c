/* Any bytes as a runner's tree: refused, or read, viewed, printed and written back to the same tree. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "ui/fingerprint.h"
#include "ui/render.h"
#include "ui/tree_json.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct ui_tree *t, struct ui_view_opts opts)
{
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	auto_buf struct buf out;
	buf_init(&out, 1 << 24);
	if (ui_view_make(t, &opts, &view, &stats, NULL) < 0)
		abort();
	const struct ui_render_opts how = { .flat = opts.interactive, .raw = opts.raw };
	ui_render_snapshot(&view, &stats, &how, &out);
	for (size_t i = 0; i < out.len; i++) {
		if (out.data[i] == '\x1b')
			abort();
	}
}

static void write_back(const struct ui_tree *t)
{
	auto_tree struct ui_tree again = { 0 };
	auto_json json_t *j = ui_tree_to_json(t);
	if (ui_tree_from_json(j, &again, NULL) < 0 ||
	    ui_fingerprint(t, true) != ui_fingerprint(&again, true))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_tree struct ui_tree t = { 0 };
	auto_json json_t *j = jx_parse((const char *)data, size, NULL);
	if (!j || ui_tree_from_json(j, &t, NULL) < 0)
		return 0;
	look(&t, (struct ui_view_opts){ .depth = -1 });
	look(&t, (struct ui_view_opts){ .depth = -1, .interactive = true });
	look(&t, (struct ui_view_opts){ .depth = -1, .raw = true });
	look(&t, (struct ui_view_opts){ .depth = 3, .scope = "a" });
	write_back(&t);
	return 0;
}
