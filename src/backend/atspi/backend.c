#include "backend/atspi/backend_atspi.h"

#include "backend/atspi/acting.h"
#include "backend/atspi/atspi.h"
#include "backend/atspi/launch.h"
#include "backend/atspi/x11.h"

#include <stdlib.h>

/* --- rb_ops → the two halves ---------------------------------------------------------------- */

static struct atspi *of(struct rb_backend *b)
{
	return (struct atspi *)b;
}

/* For the operations of the executor thread: with the X server that is there now. */
static struct atspi *fresh(struct rb_backend *b)
{
	struct atspi *a = of(b);
	x11_renew(a->x11);
	launcher_reap(a->launcher);
	return a;
}

static int op_describe(struct rb_backend *b, struct call c, json_t **ret, struct error *e)
{
	return atspi_describe(of(b), c, ret, e);
}

static void op_close(struct rb_backend *b)
{
	struct atspi *a = of(b);
	if (!a)
		return;
	atspi_bus_close(a);
	launcher_free(a->launcher);
	x11_close(a->x11);
	free(a);
}

static int op_snapshot(struct rb_backend *b, struct call c, const struct rb_snapshot_opts *o,
                       struct ui_tree *ret, struct error *e)
{
	return atspi_snapshot(fresh(b), c, o, ret, e);
}

static int op_locate(struct rb_backend *b, struct call c, const char *node, struct rb_located *ret,
                     struct error *e)
{
	return atspi_locate(fresh(b), c, node, ret, e);
}

static int op_tap(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e)
{
	return atspi_tap(fresh(b), c, t, e);
}

static int op_drag(struct rb_backend *b, struct call c, const struct rb_drag *d, struct error *e)
{
	return atspi_drag(fresh(b), c, d, e);
}

static int op_scroll(struct rb_backend *b, struct call c, const struct rb_scroll *s, int *ret_moved,
                     struct error *e)
{
	return atspi_scroll(fresh(b), c, s, ret_moved, e);
}

static int op_perform(struct rb_backend *b, struct call c, const char *node, const char *action,
                      const char **ret_name, struct error *e)
{
	return atspi_do_action(fresh(b), c, node, action, ret_name, e);
}

static int op_focus(struct rb_backend *b, struct call c, const char *node, struct error *e)
{
	return atspi_focus(fresh(b), c, node, e);
}

static int op_text(struct rb_backend *b, struct call c, const struct rb_text *t,
                   struct rb_text_result *ret, struct error *e)
{
	return atspi_text(fresh(b), c, t, ret, e);
}

static int op_read_text(struct rb_backend *b, struct call c, const char *node, struct buf *out,
                        struct error *e)
{
	return atspi_read_text(fresh(b), c, node, out, e);
}

static int op_key(struct rb_backend *b, struct call c, const char *chord, struct error *e)
{
	return atspi_key(fresh(b), c, chord, e);
}

static int op_screenshot(struct rb_backend *b, struct call c, const struct rb_shot *s,
                         struct rb_image *ret, struct error *e)
{
	return atspi_screenshot(fresh(b), c, s, ret, e);
}

static int op_control_read(struct rb_backend *b, struct call c, const char *node,
                           struct rb_control *ret, struct error *e)
{
	return atspi_control_read(fresh(b), c, node, ret, e);
}

static int op_control_set(struct rb_backend *b, struct call c, const char *node, double value,
                          struct error *e)
{
	return atspi_control_set(fresh(b), c, node, value, e);
}

static int op_control_step(struct rb_backend *b, struct call c, const char *node, int direction,
                           struct error *e)
{
	return atspi_control_step(fresh(b), c, node, direction, e);
}

static int op_apps(struct rb_backend *b, struct call c, bool installed, json_t **ret,
                   struct error *e)
{
	return atspi_apps(fresh(b), c, installed, ret, e);
}

static int op_launch(struct rb_backend *b, struct call c, const struct rb_launch *l, json_t **ret,
                     struct error *e)
{
	return atspi_launch(fresh(b), c, l, ret, e);
}

static int op_activate(struct rb_backend *b, struct call c, const char *app, struct error *e)
{
	return atspi_activate(fresh(b), c, app, e);
}

static int op_terminate(struct rb_backend *b, struct call c, const char *app, bool force,
                        bool *ret_left, struct error *e)
{
	return atspi_terminate(fresh(b), c, app, force, ret_left, e);
}

static int op_prepare(struct rb_backend *b, struct call c, const char *app, bool interaction,
                      struct error *e)
{
	return atspi_prepare(fresh(b), c, app, interaction, e);
}

static const struct rb_ops ops = {
	.name = "atspi",
	.describe = op_describe,
	.close = op_close,
	.snapshot = op_snapshot,
	.locate = op_locate,
	.tap = op_tap,
	.drag = op_drag,
	.scroll = op_scroll,
	.perform = op_perform,
	.focus = op_focus,
	.text = op_text,
	.read_text = op_read_text,
	.key = op_key,
	.screenshot = op_screenshot,
	.control_read = op_control_read,
	.control_set = op_control_set,
	.control_step = op_control_step,
	.apps = op_apps,
	.launch = op_launch,
	.activate = op_activate,
	.terminate = op_terminate,
	.prepare = op_prepare,
};

int atspi_backend_open(struct rb_backend **ret, struct error *e)
{
	const struct x11_env env = { .display = getenv("DISPLAY"),
		                         .wayland = getenv("WAYLAND_DISPLAY"),
		                         .session_type = getenv("XDG_SESSION_TYPE") };
	struct atspi *a = calloc(1, sizeof(*a));
	if (!a)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	a->base.ops = &ops;
	int r = x11_open(&a->x11, &env, e);
	if (r < 0) {
		free(a);
		return r;
	}
	*ret = &a->base;
	return 0;
}
