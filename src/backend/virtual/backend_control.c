/* Numeric controls as a driver sees them. */
#include "backend/virtual/backend_internal.h"

#include "backend/virtual/tree.h"

#include <math.h>
#include <string.h>

int vd_control_read(struct rb_backend *b, struct call c, const char *node, struct rb_control *ret,
                    struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = vd_find(d, node, &w, e);
	if (r < 0)
		return r;
	struct vd_view view;
	vd_view_of(d, w, &view);
	memset(ret, 0, sizeof(*ret));
	ret->flags = view.flags;
	ret->role = vd_kind_info(w->kind)->role;
	ret->rect = w->rect;
	ret->has_rect = !view.clipped_away;
	const struct vd_control *k = w->control;
	if (!k)
		return 0;
	auto_buf struct buf text;
	buf_init(&text, sizeof(ret->raw) - 1);
	vd_control_text(w, &text);
	memcpy(ret->raw, text.data, text.len + 1);
	ret->has_value = !k->text_only;
	ret->value = k->value;
	ret->has_range = k->has_range;
	ret->min = k->min;
	ret->max = k->max;
	ret->step = k->step;
	ret->vertical = k->vertical;
	ret->rtl = k->rtl;
	ret->can_set = vd_control_offers(w, VD_BY_VALUE);
	ret->can_increment = ret->can_decrement = vd_control_offers(w, VD_BY_STEP);
	if (vd_faults_met(vd_of(b)->faults, VF_NON_FINITE)) {
		ret->value = NAN;
		ret->min = -INFINITY;
		ret->max = INFINITY;
		ret->rect.x = NAN;
	}
	return 0;
}

static int changeable(struct vd_device *d, const char *node, struct vd_widget **ret,
                      struct error *e)
{
	int r = vd_find(d, node, ret, e);
	if (r < 0)
		return r;
	if (!(*ret)->control)
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "a %s has no value to set",
		                 vd_kind_info((*ret)->kind)->word);
	return (*ret)->enabled ? 0 : error_set(e, ERR_ELEMENT_DISABLED, "the control is disabled");
}

int vd_control_set(struct rb_backend *b, struct call c, const char *node, double value,
                   struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = changeable(d, node, &w, e);
	if (r < 0)
		return r;
	if (!vd_control_ask(d, w, value, VD_BY_VALUE))
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE,
		                 "the control does not offer a direct set");
	return 0;
}

int vd_control_step(struct rb_backend *b, struct call c, const char *node, int direction,
                    struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = changeable(d, node, &w, e);
	if (r < 0)
		return r;
	const struct vd_control *k = w->control;
	if (!vd_control_ask(d, w, k->value + direction * vd_control_stride(k), VD_BY_STEP))
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "the control offers no steps");
	return 0;
}
