#include "backend/virtual/widget.h"

#include "base/buf.h"
#include "base/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct vd_widget *vd_widget_new(enum vd_kind kind, uint32_t uid)
{
	struct vd_widget *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->kind = kind;
	w->uid = uid;
	w->enabled = w->shown = true;
	w->chosen = -1;
	return w;
}

void vd_widget_free(struct vd_widget *w)
{
	if (!w)
		return;
	for (struct vd_widget *c = w->first, *next; c; c = next) {
		next = c->next;
		vd_widget_free(c);
	}
	free(w->id);
	free(w->label);
	free(w->text);
	free(w->placeholder);
	free(w->error);
	json_decref(w->on);
	json_decref(w->choices);
	if (w->control)
		free(w->control->format);
	free(w->control);
	free(w);
}

void vd_widget_append(struct vd_widget *parent, struct vd_widget *child)
{
	child->parent = parent;
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

void vd_widget_detach(struct vd_widget *child)
{
	struct vd_widget *parent = child->parent, *before = NULL;
	if (!parent)
		return;
	for (struct vd_widget *c = parent->first; c != child; c = c->next)
		before = c;
	if (before)
		before->next = child->next;
	else
		parent->first = child->next;
	if (parent->last == child)
		parent->last = before;
	child->parent = child->next = NULL;
}

struct vd_widget *vd_widget_next(const struct vd_widget *root, const struct vd_widget *w)
{
	if (w->first)
		return w->first;
	while (w != root) {
		if (w->next)
			return w->next;
		w = w->parent;
	}
	return NULL;
}

struct vd_widget *vd_widget_by_id(struct vd_widget *root, const char *id)
{
	for (struct vd_widget *w = root; w; w = vd_widget_next(root, w))
		if (w->id && strcmp(w->id, id) == 0)
			return w;
	return NULL;
}

struct vd_widget *vd_widget_by_uid(struct vd_widget *root, uint32_t uid)
{
	for (struct vd_widget *w = root; w; w = vd_widget_next(root, w))
		if (w->uid == uid)
			return w;
	return NULL;
}

bool vd_widget_visible(const struct vd_widget *w)
{
	for (; w; w = w->parent)
		if (!w->shown)
			return false;
	return true;
}

void vd_replace(char **slot, const char *text)
{
	char *copy = text && *text ? strdup(text) : NULL;
	free(*slot);
	*slot = copy;
}

void vd_widget_set_text(struct vd_widget *w, const char *text)
{
	vd_replace(&w->text, text);
}

static void number(char **slot, int64_t n)
{
	if (!*slot || !strchr(*slot, '#'))
		return;
	auto_buf struct buf out;
	buf_init(&out, LIM_TREE_STRING);
	for (const char *p = *slot; *p; p++) {
		if (*p == '#')
			buf_addf(&out, "%" PRId64, n);
		else
			buf_addc(&out, *p);
	}
	vd_replace(slot, out.data);
}

void vd_widget_number(struct vd_widget *root, int64_t n)
{
	for (struct vd_widget *w = root; w; w = vd_widget_next(root, w)) {
		number(&w->id, n);
		number(&w->label, n);
		number(&w->text, n);
	}
}
