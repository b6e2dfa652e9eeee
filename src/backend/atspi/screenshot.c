/* rb_ops.screenshot: the screen, a program's window, or one element of it. */
#include "backend/atspi/acting.h"

#include "backend/atspi/launch.h"
#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/limits.h"

/* A window as a person sees it: with its decoration, without the shadow around it. */
static struct ui_rect seen(const struct x11_window *w)
{
	const int *in = w->gtk_frame, *out = w->net_frame;
	return (struct ui_rect){
		.x = w->client.x + in[0] - out[0],
		.y = w->client.y + in[2] - out[2],
		.width = w->client.width - in[0] - in[1] + out[0] + out[1],
		.height = w->client.height - in[2] - in[3] + out[2] + out[3],
	};
}

static int app_rect(struct atspi *a, struct call c, const char *app, struct ui_rect *ret,
                    struct error *e)
{
	const struct atspi_apps *apps;
	const struct atspi_app *found;
	struct x11_window w;
	int r = atspi_apps_refresh(a, c, 0, &apps, e);
	if (r == 0)
		r = atspi_app_find(apps, app, &found, e);
	if (r < 0)
		return r;
	/* Only what is on top can be seen. */
	pid_t pid = found->pid;
	r = launch_raise(a, c, pid, e);
	if (r == 0)
		r = x11_window_for(a->x11, c, pid, NULL, &w, e);
	if (r == -ERR_ELEMENT_NOT_FOUND)
		return error_set(e, ERR_ELEMENT_OFFSCREEN, "%s shows no window now", app);
	if (r == 0)
		*ret = seen(&w);
	return r;
}

static int node_rect(struct atspi *a, struct call c, const char *node, struct ui_rect *ret,
                     struct error *e)
{
	struct rb_located at;
	struct x11_window w;
	int r = acting_raise_node(a, c, node, &w, e);
	if (r == 0)
		r = atspi_locate(a, c, node, &at, e);
	if (r < 0)
		return r;
	if (!ui_rect_usable(at.rect))
		return error_set(e, ERR_ELEMENT_OFFSCREEN, "\"%s\" has no place on the screen now",
		                 at.label);
	*ret = at.rect;
	return 0;
}

int atspi_screenshot(struct atspi *a, struct call c, const struct rb_shot *s, struct rb_image *ret,
                     struct error *e)
{
	struct ui_rect rect, shown;
	const struct ui_rect *part = NULL;
	int r = x11_require(a->x11, "take a picture of the screen", e);
	if (r == 0 && s->node) {
		r = node_rect(a, c, s->node, &rect, e);
		part = &rect;
	} else if (r == 0 && s->app && !s->fullscreen) {
		r = app_rect(a, c, s->app, &rect, e);
		part = &rect;
	}
	if (r == 0)
		r = x11_capture(a->x11, c, part, &ret->png, &shown, e);
	if (r < 0)
		return r;
	ret->width = (int)shown.width;
	ret->height = (int)shown.height;
	ret->scale = 1;
	ret->x = shown.x;
	ret->y = shown.y;
	ret->x = shown.x;
	ret->y = shown.y;
	return 0;
}
