/* Which way a control can be moved, proven by what the runtime offers: names, labels and derived roles
 * prove nothing. */
#include "control/control.h"
#include "control/value.h"

#include <math.h>
#include <string.h>

static bool wants_raw(const char *property)
{
	return property && strcmp(property, "raw_value") == 0;
}

static bool from_text(const struct ct_reading *r, const struct ct_channel *c, double *ret_value,
                      struct ct_domain *ret_domain)
{
	struct ct_parsed p;
	if (!ct_value_parse(r->text, strlen(r->text), &p))
		return false;
	*ret_value = p.value;
	if (c->has_range)
		*ret_domain = ct_domain_make(true, c->min, c->max, c->step);
	else if (p.has_max)
		*ret_domain = ct_domain_make(true, 0, p.max, c->step);
	else if (p.percent)
		*ret_domain = ct_domain_make(true, 0, 100, c->step);
	else
		*ret_domain = ct_domain_make(false, 0, 0, c->step);
	return true;
}

bool ct_read_value(const struct ct_reading *r, const char *property, double *ret_value,
                   struct ct_domain *ret_domain)
{
	bool raw = wants_raw(property) && r->has_raw;
	const struct ct_channel *c = raw ? &r->raw : &r->value;
	if (!c->has_number)
		return !raw && from_text(r, c, ret_value, ret_domain);
	if (!isfinite(c->number))
		return false;
	*ret_value = c->number;
	*ret_domain = ct_domain_make(c->has_range, c->min, c->max, c->step);
	return true;
}

static bool placeable(const struct ct_reading *r, const struct ct_domain *d)
{
	return r->has_rect && d->has_range && d->max > d->min && ui_rect_usable(r->rect);
}

static bool proven(const struct ct_reading *r, const struct ct_domain *d, int direction,
                   enum ct_strategy s)
{
	switch (s) {
	case CT_SET: return r->offers & CT_OFFERS_SET;
	case CT_SET_SECOND: return r->offers & CT_OFFERS_SET_SECOND;
	case CT_STEPS: return r->offers & (direction > 0 ? CT_OFFERS_INCREMENT : CT_OFFERS_DECREMENT);
	case CT_PLACE: return placeable(r, d);
	default: return false;
	}
}

enum ct_strategy ct_select(const struct ct_reading *r, const struct ct_domain *d, int direction,
                           enum ct_strategy from)
{
	for (enum ct_strategy s = from; s < CT_STRATEGIES; s++)
		if (proven(r, d, direction, s))
			return s;
	return CT_NONE;
}

void ct_track_point(const struct ct_reading *r, const struct ct_domain *d, double value,
                    double *ret_x, double *ret_y)
{
	double part = (value - d->min) / (d->max - d->min);
	double x = r->rect.x + r->rect.width / 2, y = r->rect.y + r->rect.height / 2;
	if (r->vertical)
		y = r->rect.y + r->rect.height * (1 - part);
	else
		x = r->rect.x + r->rect.width * (r->rtl ? 1 - part : part);
	*ret_x = fmin(fmax(x, r->rect.x + 1), r->rect.x + r->rect.width - 1);
	*ret_y = fmin(fmax(y, r->rect.y + 1), r->rect.y + r->rect.height - 1);
}
