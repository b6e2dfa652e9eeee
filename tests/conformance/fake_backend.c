#include "fake_backend.h"

#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct element {
	const char *handle, *label;
	enum ui_role role;
	struct ui_rect rect; /* width 0: no place */
	uint32_t flags;
};

#define PRESSABLE (UI_ENABLED | UI_VISIBLE)
#define FIELD (PRESSABLE | UI_EDITABLE | UI_FOCUSABLE)

static const struct element elements[] = {
	{ "save", "Save", UI_BUTTON, { 20, 20, 100, 40 }, PRESSABLE },
	{ "off", "Off", UI_BUTTON, { 20, 80, 100, 40 }, UI_VISIBLE },
	{ "below", "Below", UI_BUTTON, { 20, 900, 100, 40 }, PRESSABLE },
	{ "under", "Under", UI_BUTTON, { 20, 140, 100, 40 }, PRESSABLE },
	{ "nowhere", "Nowhere", UI_BUTTON, { 0, 0, 0, 0 }, PRESSABLE },
	{ "nothing", "Nothing", UI_BUTTON, { 0, 0, 0, 0 }, PRESSABLE },
	{ "name", "Name", UI_TEXT_FIELD, { 20, 200, 200, 30 }, FIELD },
	{ "digits", "Digits", UI_TEXT_FIELD, { 20, 240, 200, 30 }, FIELD },
	{ "silent", "Silent", UI_TEXT_FIELD, { 20, 280, 200, 30 }, FIELD },
	{ "secret", "Secret", UI_PASSWORD_FIELD, { 20, 320, 200, 30 }, FIELD | UI_PASSWORD },
	{ "fixed", "Fixed", UI_TEXT_FIELD, { 20, 360, 200, 30 }, PRESSABLE | UI_READ_ONLY },
	{ "volume", "Volume", UI_SLIDER, { 20, 400, 200, 20 }, PRESSABLE },
	{ "list", "List", UI_SCROLL_AREA, { 20, 440, 300, 200 }, PRESSABLE | UI_SCROLLABLE },
	{ "twin1", "Twin", UI_BUTTON, { 20, 660, 100, 40 }, PRESSABLE },
	{ "twin2", "Twin", UI_BUTTON, { 140, 660, 100, 40 }, PRESSABLE },
};

static struct fake_backend *self(struct rb_backend *b)
{
	return (struct fake_backend *)b;
}

static const struct element *element_of(const char *handle)
{
	for (size_t i = 0; handle && i < sizeof(elements) / sizeof(elements[0]); i++)
		if (strcmp(elements[i].handle, handle) == 0)
			return &elements[i];
	return NULL;
}

static int stale(const char *handle, struct error *e)
{
	return error_set(e, ERR_ELEMENT_STALE, "the element behind \"%s\" is gone", handle);
}

__attribute__((format(printf, 2, 3))) static void note(struct fake_backend *f, const char *fmt, ...)
{
	size_t used = strlen(f->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->log + used, sizeof(f->log) - used, fmt, ap);
	va_end(ap);
}

static const char *text_of(const struct fake_backend *f, const char *handle)
{
	if (strcmp(handle, "name") == 0)
		return f->name;
	if (strcmp(handle, "digits") == 0)
		return f->digits;
	return strcmp(handle, "fixed") == 0 ? "as it is" : NULL;
}

/* --- the gate -------------------------------------------------------------------------------- */

void fake_close_gate(struct fake_backend *f, bool deaf)
{
	pthread_mutex_lock(&f->lock);
	f->gate_closed = true;
	f->deaf = deaf;
	pthread_mutex_unlock(&f->lock);
}

void fake_open_gate(struct fake_backend *f)
{
	pthread_mutex_lock(&f->lock);
	f->gate_closed = false;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

void fake_wait_at_gate(struct fake_backend *f)
{
	pthread_mutex_lock(&f->lock);
	while (f->at_gate == 0)
		pthread_cond_wait(&f->changed, &f->lock);
	pthread_mutex_unlock(&f->lock);
}

/* A gate that listens gives its lock away while it looks at the call. */
static int pass_gate(struct fake_backend *f, struct call c, struct error *e)
{
	int r = 0;

	pthread_mutex_lock(&f->lock);
	f->at_gate++;
	pthread_cond_broadcast(&f->changed);
	while (f->gate_closed && r == 0) {
		if (f->deaf) {
			pthread_cond_wait(&f->changed, &f->lock);
			continue;
		}
		pthread_mutex_unlock(&f->lock);
		clock_wait(1, c.cancel, NULL);
		r = call_check(c, "tap", e);
		pthread_mutex_lock(&f->lock);
	}
	f->at_gate--;
	pthread_mutex_unlock(&f->lock);
	return r;
}

static void enter(struct fake_backend *f)
{
	if (atomic_fetch_add(&f->inside, 1) > 0)
		f->overlapped = true;
}

static void leave(struct fake_backend *f)
{
	atomic_fetch_sub(&f->inside, 1);
}

/* --- reading --------------------------------------------------------------------------------- */

static int fake_describe(struct rb_backend *b, struct call c, json_t **ret, struct error *e)
{
	atomic_fetch_add(&self(b)->describes, 1);
	*ret = json_pack("{s:s,s:s,s:{s:i,s:i,s:i},s:{s:b,s:b}}", "platform", "fake", "name", "Fake",
	                 "screen", "width", FAKE_WIDTH, "height", FAKE_HEIGHT, "scale", 1,
	                 "capabilities", "input", 1, "screenshot", 1);
	return 0;
}

static void fake_close(struct rb_backend *b)
{
	struct fake_backend *f = self(b);

	atomic_fetch_add(&f->closed, 1);
	pthread_mutex_destroy(&f->lock);
	pthread_cond_destroy(&f->changed);
}

static void add_element(struct fake_backend *f, struct ui_tree *t, const struct element *el)
{
	uint32_t i = ui_tree_add(t, 1);

	if (i == UI_NONE)
		return;
	struct ui_node *n = &t->nodes[i];

	n->role = el->role;
	n->type = ui_tree_text(t, ui_role_name(el->role), NULL);
	n->label = ui_tree_text(t, el->label, NULL);
	n->identifier = ui_tree_text(t, el->handle, NULL);
	n->handle = ui_tree_text(t, el->handle, NULL);
	n->value = ui_tree_text(t, text_of(f, el->handle), NULL);
	n->flags = el->flags;
	n->rect = el->rect;
	if (el->rect.width > 0)
		n->flags |= UI_HAS_RECT;
	if ((el->flags & UI_ENABLED) && el->rect.width > 0 && el->rect.y < FAKE_HEIGHT)
		n->flags |= UI_HITTABLE;
	if (el->role == UI_SLIDER) {
		n->flags |= UI_HAS_RANGE;
		n->range = (struct ui_range){ 0, 1, 0.25, f->volume };
	}
}

static void add_frame(struct ui_tree *t, enum ui_role role, const char *handle, uint32_t parent)
{
	uint32_t i = ui_tree_add(t, parent);

	if (i == UI_NONE)
		return;
	t->nodes[i].role = role;
	t->nodes[i].label = ui_tree_text(t, "Fake", NULL);
	t->nodes[i].handle = ui_tree_text(t, handle, NULL);
	t->nodes[i].rect = (struct ui_rect){ 0, 0, FAKE_WIDTH, FAKE_HEIGHT };
	t->nodes[i].flags = PRESSABLE | UI_HAS_RECT | UI_ACTIVE;
}

static int fake_snapshot(struct rb_backend *b, struct call c, const struct rb_snapshot_opts *o,
                         struct ui_tree *ret, struct error *e)
{
	struct fake_backend *f = self(b);
	struct ui_tree t;
	int r;

	atomic_fetch_add(&f->snapshots, 1);
	if (atomic_load(&f->fail_snapshots) > 0) {
		atomic_fetch_sub(&f->fail_snapshots, 1);
		return error_set(e, ERR_DEVICE_UNAVAILABLE, "the fake screen is not available");
	}
	r = ui_tree_init(&t, e);
	if (r < 0)
		return r;
	add_frame(&t, UI_APPLICATION, "app", UI_NONE);
	add_frame(&t, UI_WINDOW, "window", 0);
	for (size_t i = 0; (o->depth < 0 || o->depth > 1) && i < sizeof(elements) / sizeof(elements[0]);
	     i++)
		add_element(f, &t, &elements[i]);
	t.app = ui_tree_text(&t, o->app ? o->app : "Fake", NULL);
	t.screen = (struct ui_rect){ 0, 0, FAKE_WIDTH, FAKE_HEIGHT };
	*ret = t;
	return 0;
}

static int fake_locate(struct rb_backend *b, struct call c, const char *node,
                       struct rb_located *ret, struct error *e)
{
	const struct element *el = element_of(node);

	if (!el)
		return stale(node, e);
	*ret = (struct rb_located){
		.rect = el->rect,
		.has_point = el->rect.width > 0,
		.x = el->rect.x + el->rect.width / 2,
		.y = el->rect.y + el->rect.height / 2,
		.offscreen = el->rect.y >= FAKE_HEIGHT,
		.covered = strcmp(node, "under") == 0,
		.no_point_reason = el->rect.width > 0 ? NULL : "it has no place",
		.flags = el->flags,
		.role = el->role,
		.semantic = strcmp(node, "nowhere") == 0,
	};
	snprintf(ret->label, sizeof(ret->label), "%s", el->label);
	if (ret->covered)
		snprintf(ret->covered_by, sizeof(ret->covered_by), "Cookie banner");
	return 0;
}

static int fake_read_text(struct rb_backend *b, struct call c, const char *node, struct buf *out,
                          struct error *e)
{
	const struct element *el = element_of(node);
	const char *text;

	if (!el)
		return stale(node, e);
	text = text_of(self(b), node);
	buf_adds(out, text ? text : el->label);
	return 0;
}

/* --- acting ---------------------------------------------------------------------------------- */

static int fake_tap(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e)
{
	struct fake_backend *f = self(b);
	int r;

	enter(f);
	r = pass_gate(f, c, e);
	int number = atomic_fetch_add(&f->taps, r == 0) + 1;
	if (r == 0 && number == f->fail_tap_number)
		r = error_set(e, ERR_UNSUPPORTED_OPERATION, "tap unsupported");
	if (r == 0)
		note(f, "tap %g,%g n=%d h=%d b=%d %s;", t->x, t->y, t->clicks, t->hold_ms, (int)t->button,
		     t->node ? t->node : "-");
	leave(f);
	return r;
}

static int fake_drag(struct rb_backend *b, struct call c, const struct rb_drag *d, struct error *e)
{
	struct fake_backend *f = self(b);

	enter(f);
	atomic_fetch_add(&f->drags, 1);
	note(f, "drag %g,%g>%g,%g %d;", d->x, d->y, d->x2, d->y2, d->duration_ms);
	leave(f);
	return 0;
}

static int fake_scroll(struct rb_backend *b, struct call c, const struct rb_scroll *s,
                       int *ret_moved, struct error *e)
{
	struct fake_backend *f = self(b);
	double before = f->offset;

	note(f, "scroll %g,%g at %g,%g %s;", s->dx, s->dy, s->x, s->y, s->node ? s->node : "-");
	f->offset = fmax(0, fmin(1000, f->offset + s->dy));
	*ret_moved = f->offset != before;
	return 0;
}

static int fake_perform(struct rb_backend *b, struct call c, const char *node, const char *action,
                        const char **ret_name, struct error *e)
{
	if (!element_of(node))
		return stale(node, e);
	if (action && strcmp(action, "press") != 0)
		return error_set(e, ERR_INVALID_ARGS, "the element has no action \"%s\"", action);
	note(self(b), "perform %s;", node);
	*ret_name = "press";
	return 0;
}

static int fake_focus(struct rb_backend *b, struct call c, const char *node, struct error *e)
{
	struct fake_backend *f = self(b);

	snprintf(f->focus, sizeof(f->focus), "%s", node);
	note(f, "focus %s;", node);
	return 0;
}

static void enter_text(char *field, size_t size, const struct rb_text *t, bool digits_only)
{
	size_t n = t->mode == RB_TEXT_REPLACE ? 0 : strlen(field);

	for (const char *p = t->text; *p && n + 1 < size; p++)
		if (*p != '\n' && (!digits_only || isdigit((unsigned char)*p)))
			field[n++] = *p;
	field[n] = '\0';
}

static int fake_text(struct rb_backend *b, struct call c, const struct rb_text *t,
                     struct rb_text_result *ret, struct error *e)
{
	struct fake_backend *f = self(b);
	const char *node = t->node ? t->node : "name";
	bool secret = strcmp(node, "secret") == 0, silent = strcmp(node, "silent") == 0;
	bool digits = strcmp(node, "digits") == 0;
	char *field = secret ? f->secret : digits ? f->digits : f->name;

	note(f, "text %s m=%d d=%d;", node, (int)t->mode, t->delay_ms);
	ret->route = "editable-text";
	if (silent)
		return 0;
	enter_text(field, sizeof(f->name), t, digits);
	ret->secret = secret;
	ret->read_back = !secret;
	ret->verified = !digits && !strchr(t->text, '\n');
	if (!secret)
		buf_adds(&ret->actual, field);
	return 0;
}

static int fake_key(struct rb_backend *b, struct call c, const char *chord, struct error *e)
{
	note(self(b), "key %s;", chord);
	return 0;
}

static int fake_screenshot(struct rb_backend *b, struct call c, const struct rb_shot *s,
                           struct rb_image *ret, struct error *e)
{
	static const char png[] = "\x89PNG\r\n\x1a\nfake";

	note(self(b), "shot %s;", s->node ? s->node : "-");
	buf_add(&ret->png, png, sizeof(png) - 1);
	ret->width = FAKE_WIDTH;
	ret->height = FAKE_HEIGHT;
	ret->scale = 1;
	return 0;
}

/* --- control --------------------------------------------------------------------------------- */

static int fake_control_read(struct rb_backend *b, struct call c, const char *node,
                             struct rb_control *ret, struct error *e)
{
	const struct element *el = element_of(node);

	if (!el)
		return stale(node, e);
	*ret = (struct rb_control){ .has_value = el->role == UI_SLIDER,
		                        .has_range = el->role == UI_SLIDER,
		                        .value = self(b)->volume,
		                        .max = 1,
		                        .step = 0.25,
		                        .can_set = el->role == UI_SLIDER,
		                        .can_increment = true,
		                        .can_decrement = true,
		                        .flags = el->flags,
		                        .role = el->role,
		                        .rect = el->rect,
		                        .has_rect = true };
	return 0;
}

static int fake_control_set(struct rb_backend *b, struct call c, const char *node, double value,
                            struct error *e)
{
	self(b)->volume = fmax(0, fmin(1, round(value * 4) / 4));
	return 0;
}

static int fake_control_step(struct rb_backend *b, struct call c, const char *node, int direction,
                             struct error *e)
{
	self(b)->volume = fmax(0, fmin(1, self(b)->volume + direction * 0.25));
	note(self(b), "step %d;", direction);
	return 0;
}

/* --- programs and navigation ----------------------------------------------------------------- */

static int fake_apps(struct rb_backend *b, struct call c, bool installed, json_t **ret,
                     struct error *e)
{
	*ret = json_pack("[{s:s,s:s,s:b}]", "id", "fake", "name", "Fake", "running", 1);
	if (installed)
		json_array_append_new(
		    *ret, json_pack("{s:s,s:s,s:b}", "id", "other", "name", "Other", "running", 0));
	return 0;
}

static int fake_launch(struct rb_backend *b, struct call c, const struct rb_launch *l, json_t **ret,
                       struct error *e)
{
	note(self(b), "launch %s re=%d bg=%d;", l->target, l->relaunch, l->background);
	*ret = json_pack("{s:s,s:s,s:b,s:b}", "id", l->target, "name", l->target, "running", 1,
	                 "started", 1);
	return 0;
}

static int fake_activate(struct rb_backend *b, struct call c, const char *app, struct error *e)
{
	note(self(b), "activate %s;", app);
	return 0;
}

static int fake_terminate(struct rb_backend *b, struct call c, const char *app, bool force,
                          bool *ret_left, struct error *e)
{
	note(self(b), "terminate %s f=%d;", app, force);
	*ret_left = !force;
	return 0;
}

static int fake_navigate(struct rb_backend *b, struct call c, const char *what, struct error *e)
{
	note(self(b), "navigate %s;", what);
	return 0;
}

static int fake_alert(struct rb_backend *b, struct call c, const char *action, json_t **ret,
                      struct error *e)
{
	note(self(b), "alert %s;", action);
	*ret = json_pack("{s:b}", "present", 0);
	return 0;
}

static int fake_prepare(struct rb_backend *b, struct call c, const char *app, bool interaction,
                        struct error *e)
{
	atomic_fetch_add(&self(b)->prepared, 1);
	if (app && strcmp(app, "missing") == 0)
		return error_set(e, ERR_APP_NOT_RUNNING, "app 'missing' is not running");
	return 0;
}

int fake_idle(struct rb_backend *b, struct call c, int64_t ms, int64_t *ret_now_ms, struct error *e)
{
	self(b)->device_ms += ms;
	*ret_now_ms = self(b)->device_ms;
	return 0;
}

void fake_clear_log(struct fake_backend *f)
{
	f->log[0] = '\0';
}

void fake_init(struct fake_backend *f)
{
	memset(f, 0, sizeof(*f));
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	f->volume = 0.5;
	f->head.ops = &f->ops;
	f->ops = (struct rb_ops){
		.name = "fake",
		.describe = fake_describe,
		.close = fake_close,
		.snapshot = fake_snapshot,
		.locate = fake_locate,
		.tap = fake_tap,
		.drag = fake_drag,
		.scroll = fake_scroll,
		.perform = fake_perform,
		.focus = fake_focus,
		.text = fake_text,
		.read_text = fake_read_text,
		.key = fake_key,
		.screenshot = fake_screenshot,
		.control_read = fake_control_read,
		.control_set = fake_control_set,
		.control_step = fake_control_step,
		.apps = fake_apps,
		.launch = fake_launch,
		.activate = fake_activate,
		.terminate = fake_terminate,
		.navigate = fake_navigate,
		.alert = fake_alert,
		.prepare = fake_prepare,
	};
}
