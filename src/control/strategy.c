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

static struct ct_domain domain_of(const struct ct_channel *c)
{
	return ct_domain_make(c->has_range, c->min, c->max, c->step);
}

/* A range of the platform beats the one that a text tells. */
static bool from_text(const struct ct_reading *r, struct ct_channel c, double *ret_value,
                      struct ct_domain *ret_domain)
{
	struct ct_parsed p;
	if (!ct_value_parse(r->text, strlen(r->text), &p))
		return false;
	if (!c.has_range && (p.has_max || p.percent)) {
		c.has_range = true;
		c.min = 0;
		c.max = p.has_max ? p.max : 100;
	}
	*ret_value = p.value;
	*ret_domain = domain_of(&c);
	return true;
}

bool ct_read_value(const struct ct_reading *r, const char *property, double *ret_value,
                   struct ct_domain *ret_domain)
{
	bool raw = wants_raw(property) && r->has_raw;
	const struct ct_channel *c = raw ? &r->raw : &r->value;
	if (!c->has_number)
		return !raw && from_text(r, *c, ret_value, ret_domain);
	if (!isfinite(c->number))
		return false;
	*ret_value = c->number;
	*ret_domain = domain_of(c);
	return true;
}

static bool placeable(const struct ct_reading *r, const struct ct_domain *d)
{
	return r->has_rect && d->has_range && d->max > d->min && ui_rect_usable(r->rect);
}

static bool proven(const struct ct_reading *r, const struct ct_domain *d, bool up,
                   enum ct_strategy s)
{
	switch (s) {
	case CT_SET: return r->offers & CT_OFFERS_SET;
	case CT_SET_SECOND: return r->offers & CT_OFFERS_SET_SECOND;
	case CT_STEPS: return r->offers & (up ? CT_OFFERS_INCREMENT : CT_OFFERS_DECREMENT);
	default: return placeable(r, d);
	}
}

enum ct_strategy ct_select(const struct ct_reading *r, const struct ct_domain *d, bool up,
                           enum ct_strategy from)
{
	while (from < CT_STRATEGIES && !proven(r, d, up, from))
		from++;
	return from;
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
