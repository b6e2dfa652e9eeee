/* Bodies of runner requests, from the bytes to the backend: whatever comes in, a backend sees only what
 * its contract promises (finite points on the screen, durations and counts in their limits). */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "runner/dispatch.h"
#include "wire/runner_msg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 400
#define HEIGHT 800

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool promise)
{
	if (!promise)
		abort();
}

static void must_be_on_screen(double x, double y)
{
	must(x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT);
}

static int describe(struct rb_backend *b, struct call c, json_t **ret, struct error *e)
{
	*ret = json_pack("{s:{s:i,s:i}}", "screen", "width", WIDTH, "height", HEIGHT);
	return 0;
}

static int snapshot(struct rb_backend *b, struct call c, const struct rb_snapshot_opts *o,
                    struct ui_tree *ret, struct error *e)
{
	struct ui_tree t;
	int r = ui_tree_init(&t, e);
	uint32_t i;

	if (r < 0)
		return r;
	must(o->depth >= -1 && o->depth < LIM_TREE_DEPTH);
	i = ui_tree_add(&t, UI_NONE);
	t.nodes[i].label = ui_tree_text(&t, "Save", NULL);
	t.nodes[i].handle = ui_tree_text(&t, "save", NULL);
	t.nodes[i].role = UI_BUTTON;
	t.nodes[i].flags = UI_ENABLED | UI_VISIBLE | UI_HAS_RECT | UI_HITTABLE;
	t.nodes[i].rect = (struct ui_rect){ 10, 10, 80, 30 };
	*ret = t;
	return 0;
}

static int locate(struct rb_backend *b, struct call c, const char *node, struct rb_located *ret,
                  struct error *e)
{
	if (strcmp(node, "save") != 0)
		return error_set(e, ERR_ELEMENT_STALE, "gone");
	*ret = (struct rb_located){ .rect = { 10, 10, 80, 30 },
		                        .x = 50,
		                        .y = 25,
		                        .has_point = true,
		                        .flags = UI_ENABLED | UI_EDITABLE,
		                        .role = UI_TEXT_FIELD,
		                        .label = "Save" };
	return 0;
}

static int tap(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e)
{
	must_be_on_screen(t->x, t->y);
	must(t->clicks == 1 || t->clicks == 2);
	must(t->hold_ms >= 0 && t->hold_ms <= LIM_HOLD_MS);
	return 0;
}

static int drag(struct rb_backend *b, struct call c, const struct rb_drag *d, struct error *e)
{
	must_be_on_screen(d->x, d->y);
	must_be_on_screen(d->x2, d->y2);
	must(d->duration_ms >= LIM_SWIPE_MIN_MS && d->duration_ms <= LIM_SWIPE_MAX_MS);
	return 0;
}

static int scroll(struct rb_backend *b, struct call c, const struct rb_scroll *s, int *ret_moved,
                  struct error *e)
{
	must_be_on_screen(s->x, s->y);
	must((s->dx == 0) != (s->dy == 0));
	return 0;
}

static int text(struct rb_backend *b, struct call c, const struct rb_text *t,
                struct rb_text_result *ret, struct error *e)
{
	must(utf8_valid(t->text, strlen(t->text)) && utf8_count(t->text) <= LIM_TEXT);
	ret->route = "fuzz";
	return 0;
}

static const struct rb_ops ops = { .name = "fuzz",
	                               .describe = describe,
	                               .snapshot = snapshot,
	                               .locate = locate,
	                               .tap = tap,
	                               .drag = drag,
	                               .scroll = scroll,
	                               .text = text };

static void execute(const struct wire_request *r)
{
	struct rb_backend backend = { &ops };
	struct rc_env env = { .backend = &backend };
	struct error auto_error e = ERROR_INIT;
	struct call c = { deadline_in(1000), NULL };
	auto_json
	json_t *data = NULL;
	struct buf auto_buf out;

	buf_init(&out, LIM_RUNNER_REPLY);
	if (rc_execute(&env, r, c, &data, &e) < 0)
		must(e.code != ERR_OK && e.message && utf8_valid(e.message, strlen(e.message)));
	else
		must(!data || jx_dump(data, false, &out));
}

static int64_t virtual_now;

static int64_t now_ms(void *ctx)
{
	return virtual_now;
}

static void advance(void *ctx, int64_t ms)
{
	virtual_now += ms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct clock_source source = { .now_ms = now_ms,
		                                        .wall_ms = now_ms,
		                                        .advance = advance };
	struct error auto_error e = ERROR_INIT;
	struct wire_request r;

	log_set_level(LOG_ERROR);
	clock_set_source(&source);
	if (wire_request_parse((const char *)data, size, &r, &e) < 0) {
		must(e.code == ERR_INVALID_ARGS && e.message && e.hint);
		return 0;
	}
	must(!r.command_id || strlen(r.command_id) <= LIM_COMMAND_ID);
	if (r.command != WIRE_CMD_STATUS && r.command != WIRE_CMD_UPTIME &&
	    r.command != WIRE_CMD_SCREENSHOT)
		execute(&r);
	wire_request_done(&r);
	return 0;
}
