#include "backend/virtual/tree.h"

#include "base/limits.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* What holds for all widgets of one root, and what is handed down from parent to child. */
struct scope {
	const struct vd_device *d;
	struct ui_tree *tree;
};

struct inherited {
	uint32_t node; /* parent in the tree */
	struct ui_rect clip;
	bool clipped_away, enabled;
};

void vd_handle(const struct vd_widget *w, char out[16])
{
	snprintf(out, 16, "v%u", w->uid);
}

static uint32_t state_flags(const struct vd_device *d, const struct vd_widget *w)
{
	uint32_t f = UI_VISIBLE;
	if (w->enabled)
		f |= UI_ENABLED;
	if (vd_is(w, VT_CHECK))
		f |= UI_CHECKABLE | (w->checked ? UI_CHECKED : 0);
	if (vd_is(w, VT_TEXT_IN))
		f |= UI_FOCUSABLE | (w->enabled ? UI_EDITABLE : 0);
	if (vd_is(w, VT_SECRET))
		f |= UI_PASSWORD;
	if (vd_is(w, VT_MULTILINE))
		f |= UI_MULTILINE;
	if (w->kind == VD_DROPDOWN)
		f |= UI_EXPANDABLE;
	if (w->kind == VD_OPTION && w->checked)
		f |= UI_SELECTED;
	if (w->kind == VD_ALERT || w->kind == VD_SHEET)
		f |= UI_MODAL;
	if (w->uid == d->focus)
		f |= UI_FOCUSED;
	if (vd_is(w, VT_SCROLLS) && w->content > w->rect.height)
		f |= UI_SCROLLABLE;
	if (w->kind == VD_SCREEN)
		f |= UI_ACTIVE;
	return f;
}

/* Whether a press in the middle of what is to be seen of it reaches it. Only what is in view is tried,
 * which is a screenful, however long the lists are. */
static void add_position_flags(const struct scope *s, const struct vd_widget *w,
                               const struct inherited *in, uint32_t *flags)
{
	double x, y;
	if (in->clipped_away || !ui_rect_usable(in->clip))
		return;
	ui_rect_center(in->clip, &x, &y);
	if (!vd_reaches(s->d, w, x, y, NULL))
		*flags |= UI_COVERED;
	else if (in->enabled && w->enabled && vd_is(w, VT_PRESS | VT_CONTROL))
		*flags |= UI_HITTABLE;
}

static void set_value(const struct vd_device *d, const struct vd_widget *w, struct ui_tree *t,
                      struct ui_node *n)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_TREE_STRING);
	if (vd_is(w, VT_SECRET)) {
		n->hidden_count = w->text ? (uint32_t)utf8_count(w->text) : 0;
		return;
	}
	if (w->control)
		vd_control_text(w, &text);
	else if (vd_is(w, VT_ANIMATED))
		buf_addf(&text, "%d", (int)(d->clock.now_ms / VD_TICK_MS % 100));
	else if (w->chosen >= 0 && vd_is(w, VT_CHOICE))
		buf_adds(&text, json_string_value(json_array_get(w->choices, (size_t)w->chosen)));
	else if (vd_is(w, VT_TEXT_IN) && w->text)
		buf_adds(&text, w->text);
	n->value = ui_tree_text(t, text.data, &n->flags);
}

static void set_control(const struct vd_device *d, const struct vd_widget *w, struct ui_tree *t,
                        struct ui_node *n)
{
	const struct vd_flavour *f = d->flavour;
	const char *actions[4];
	uint32_t k = 0;
	if (w->control) {
		const struct vd_control *c = w->control;
		if (c->has_range && !c->text_only) {
			n->flags |= UI_HAS_RANGE;
			n->range = (struct ui_range){ c->min, c->max, c->step, c->value };
		}
		if (vd_control_offers(w, VD_BY_VALUE))
			actions[k++] = f->set_action;
		if (vd_control_offers(w, VD_BY_STEP)) {
			actions[k++] = f->increment_action;
			actions[k++] = f->decrement_action;
		}
	} else if (vd_is(w, VT_PRESS)) {
		actions[k++] = f->press_action;
	}
	n->actions = ui_tree_texts(t, actions, k);
	n->n_actions = k;
}

static void merged_label(const struct vd_widget *w, struct buf *out)
{
	for (const struct vd_widget *c = vd_widget_next(w, w); c; c = vd_widget_next(w, c)) {
		const char *text = c->label ? c->label : c->text;
		if (text && out->len)
			buf_adds(out, ", ");
		if (text)
			buf_adds(out, text);
	}
}

void vd_label_of(const struct vd_widget *w, struct buf *out)
{
	if (w->label)
		buf_adds(out, w->label);
	else if (w->collapsed)
		merged_label(w, out);
	else if (vd_is(w, VT_TEXT_IN))
		buf_adds(out, w->placeholder ? w->placeholder : "");
	else if (w->text && w->kind != VD_POPUP)
		buf_adds(out, w->text);
}

static void set_label(const struct vd_widget *w, struct ui_tree *t, struct ui_node *n)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_TREE_STRING);
	vd_label_of(w, &text);
	n->label = ui_tree_text(t, text.data, &n->flags);
	n->description = ui_tree_text(t, w->error, &n->flags);
}

static void hidden_content(const struct vd_widget *w, struct ui_node *n)
{
	if (!vd_is(w, VT_SCROLLS))
		return;
	if (w->offset > 0)
		n->flags |= UI_HIDDEN_ABOVE;
	if (w->content - w->offset > w->rect.height + 0.5)
		n->flags |= UI_HIDDEN_BELOW;
}

static uint32_t add_node(const struct scope *s, const struct vd_widget *w,
                         const struct inherited *in, uint32_t extra)
{
	uint32_t index = ui_tree_add(s->tree, in->node);
	if (index == UI_NONE)
		return index;
	char handle[16];
	vd_handle(w, handle);
	struct ui_node *n = &s->tree->nodes[index];
	const struct vd_kind_info *kind = vd_kind_info(w->kind);
	n->role = kind->role;
	n->type = kind->type[s->d->flavour->id];
	n->flags = state_flags(s->d, w) | UI_HAS_RECT | extra;
	n->rect = w->rect;
	add_position_flags(s, w, in, &n->flags);
	n->handle = ui_tree_text(s->tree, handle, NULL);
	n->identifier = ui_tree_text(s->tree, w->id, NULL);
	set_label(w, s->tree, n);
	set_value(s->d, w, s->tree, n);
	set_control(s->d, w, s->tree, n);
	hidden_content(w, n);
	return index;
}

/* The clip a container gives to its children. */
static void enter(const struct vd_widget *w, struct inherited *in)
{
	if (vd_is(w, VT_SCROLLS))
		in->clipped_away |= !ui_rect_intersect(in->clip, w->rect, &in->clip);
}

static struct inherited inherit(const struct vd_widget *w, const struct inherited *from)
{
	struct inherited in = *from;
	struct ui_rect part;
	if (in.clipped_away || !ui_rect_intersect(in.clip, w->rect, &part))
		in.clipped_away = true;
	else
		in.clip = part;
	return in;
}

static void add_subtree(const struct scope *s, const struct vd_widget *w, struct inherited in)
{
	if (!w->shown)
		return;
	struct inherited own = inherit(w, &in);
	bool chosen = w->parent && w->parent->kind == VD_SEGMENTS && w->parent->chosen >= 0;
	if (chosen) {
		const struct vd_widget *c = w->parent->first;
		for (int i = 0; i < w->parent->chosen && c; i++)
			c = c->next;
		chosen = c == w;
	}
	uint32_t index = add_node(s, w, &own, chosen ? UI_SELECTED : 0);
	if (index == UI_NONE || w->collapsed)
		return;
	in.node = index;
	in.enabled &= w->enabled;
	enter(w, &in);
	for (const struct vd_widget *c = w->first; c; c = c->next)
		add_subtree(s, c, in);
}

static struct ui_rect whole_screen(const struct vd_device *d)
{
	return (struct ui_rect){ 0, 0, d->width, d->height };
}

int vd_tree_make(const struct vd_device *d, struct ui_tree *ret, struct error *e)
{
	struct vd_widget *roots[VD_STACK_MAX + 2];
	unsigned n = vd_device_roots(d, roots);
	if (n == 0)
		return error_set(e, ERR_APP_NOT_RUNNING, "no app is in front on the virtual device");
	int r = ui_tree_init(ret, e);
	if (r < 0)
		return r;
	struct ui_tree *t = ret;
	const struct scope s = { d, t };
	for (unsigned i = 0; i < n; i++) {
		const struct inherited in = { UI_NONE, whole_screen(d), false, true };
		add_subtree(&s, roots[i], in);
	}
	t->screen = whole_screen(d);
	t->app = ui_tree_text(t, d->scene->app_name, NULL);
	t->app_id = ui_tree_text(t, d->scene->app_id, NULL);
	t->quality = (struct ui_quality){ .state = "healthy", .backend = "virtual" };
	return 0;
}

void vd_view_of(const struct vd_device *d, const struct vd_widget *w, struct vd_view *ret)
{
	const struct vd_widget *path[LIM_TREE_DEPTH];
	size_t n = 0;
	for (const struct vd_widget *p = w; p && n < LIM_TREE_DEPTH; p = p->parent)
		path[n++] = p;
	const struct scope s = { d, NULL };
	struct inherited in = { UI_NONE, whole_screen(d), false, true };
	while (n-- > 1) {
		in.enabled &= path[n]->enabled;
		enter(path[n], &in);
	}
	struct inherited own = inherit(w, &in);
	ret->flags = state_flags(d, w);
	add_position_flags(&s, w, &own, &ret->flags);
	if (!in.enabled)
		ret->flags &= ~(uint32_t)UI_ENABLED;
	ret->clip = own.clip;
	ret->clipped_away = own.clipped_away || !ui_rect_usable(own.clip);
	ret->covered = (ret->flags & UI_COVERED) != 0;
}
