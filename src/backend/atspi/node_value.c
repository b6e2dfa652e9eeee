/* Numeric controls through the Value interface. Only what the program itself says counts: its
 * range, its step, and the value it shows after it was set. */
#include "backend/atspi/node.h"

#include <math.h>

static const char *const increase_verbs[] = { "Increase", "increment", "increase", NULL };
static const char *const decrease_verbs[] = { "Decrease", "decrement", "decrease", NULL };

/* What a value may be set on: progress and level bars take it too, some of them out of range. */
static bool settable_role(uint32_t role)
{
	static const uint8_t roles[] = {
		ATSPI_ROLE_SLIDER,     ATSPI_ROLE_SPIN_BUTTON, ATSPI_ROLE_DIAL,
		ATSPI_ROLE_SCROLL_BAR, ATSPI_ROLE_SPLIT_PANE,  ATSPI_ROLE_RATING,
	};

	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (roles[i] == role)
			return true;
	return false;
}

static int no_value(const struct atspi_node *n, struct error *e)
{
	return error_set(e, ERR_INVALID_TARGET, "%s has no numeric value", node_words(n));
}

/* One Value property that may be missing: 0 and *ret untouched then. */
static int optional_double(struct atspi *a, struct call c, const struct atspi_node *n,
                           const char *name, double *ret, bool *ret_has, struct error *e)
{
	double v;
	int r = node_double(a, c, n, name, &v, e);

	*ret_has = r == 0 && isfinite(v);
	if (*ret_has)
		*ret = v;
	if (r == -ERR_UNSUPPORTED_OPERATION || r == -ERR_UNKNOWN) {
		error_clear(e);
		return 0;
	}
	return r;
}

static int read_numbers(struct atspi *a, struct call c, const struct atspi_node *n,
                        struct rb_control *k, struct error *e)
{
	bool has_min, has_max, has_step;
	int r = optional_double(a, c, n, "CurrentValue", &k->value, &k->has_value, e);

	if (r == 0)
		r = optional_double(a, c, n, "MinimumValue", &k->min, &has_min, e);
	if (r == 0)
		r = optional_double(a, c, n, "MaximumValue", &k->max, &has_max, e);
	if (r == 0)
		r = optional_double(a, c, n, "MinimumIncrement", &k->step, &has_step, e);
	if (r < 0)
		return r;
	k->has_range = has_min && has_max && k->max > k->min;
	if (!has_step || k->step < 0)
		k->step = 0;
	return 0;
}

/* The value as the program words it: Value.Text, else what a spin button shows. */
static int read_words(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct rb_control *k, struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	const char *text;
	int r = node_property(a, c, n, ATSPI_I_VALUE, "Text", &m, e);

	if (r == 0 && bus_read_variant_string(m, &text))
		bus_copy(k->raw, sizeof(k->raw), text);
	if (r < 0 && r != -ERR_UNSUPPORTED_OPERATION)
		return r;
	error_clear(e);
	if (k->raw[0] || !(n->ifaces & ATSPI_IF_TEXT) || n->role == ATSPI_ROLE_PASSWORD)
		return 0;
	m = sd_bus_message_unref(m);
	r = bus_call(a->bus, c, node_target(n, ATSPI_I_TEXT, "GetText"), &m, e, "ii", 0,
	             (int32_t)sizeof(k->raw));
	if (r == 0 && sd_bus_message_read(m, "s", &text) > 0)
		bus_copy(k->raw, sizeof(k->raw), text);
	if (r == -ERR_UNSUPPORTED_OPERATION) {
		error_clear(e);
		r = 0;
	}
	return r;
}

static int read_place(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct rb_control *k, struct error *e)
{
	struct node_chain chain;
	int r = node_chain_read(a, c, n, &chain, e);

	if (r < 0)
		return r;
	k->has_rect = node_chain_rect(a, c, n, &chain, 0, &k->rect) && ui_rect_usable(k->rect);
	k->vertical = atspi_state(n->states, ATSPI_STATE_VERTICAL);
	if (k->has_rect && !k->vertical && !atspi_state(n->states, ATSPI_STATE_HORIZONTAL))
		k->vertical = n->role != ATSPI_ROLE_SPIN_BUTTON && k->rect.height > k->rect.width;
	free(chain.steps);
	return 0;
}

static bool can_set(const struct atspi_node *n, const struct rb_control *k)
{
	return (n->flags & UI_ENABLED) && !(n->flags & UI_READ_ONLY) && settable_role(n->role) &&
	       k->has_value && k->has_range;
}

static int read_control(struct atspi *a, struct call c, const struct atspi_node *n,
                        struct rb_control *k, struct node_actions *list, struct error *e)
{
	int r;

	*k = (struct rb_control){ .flags = n->flags, .role = n->ui_role };
	if (!(n->ifaces & ATSPI_IF_VALUE))
		return no_value(n, e);
	r = read_numbers(a, c, n, k, e);
	if (r == 0)
		r = node_actions_read(a, c, n, list, e);
	if (r < 0)
		return r;
	k->can_set = can_set(n, k);
	k->can_increment = (k->can_set && k->step > 0) ||
	                   (settable_role(n->role) && node_action_index(list, increase_verbs) >= 0);
	k->can_decrement = (k->can_set && k->step > 0) ||
	                   (settable_role(n->role) && node_action_index(list, decrease_verbs) >= 0);
	return 0;
}

int atspi_control_read(struct atspi *a, struct call c, const char *handle, struct rb_control *ret,
                       struct error *e)
{
	struct node_actions list;
	struct rb_control k;
	struct atspi_node n;
	int r = atspi_node_find(a, c, handle, &n, e);

	if (r == 0)
		r = read_control(a, c, &n, &k, &list, e);
	if (r == 0)
		r = read_words(a, c, &n, &k, e);
	if (r == 0)
		r = read_place(a, c, &n, &k, e);
	if (r == 0)
		*ret = k;
	return r;
}

/* --- setting ---------------------------------------------------------------------------------- */

static double tolerance(const struct rb_control *k)
{
	return fmax(k->step / 2, 1e-6 * (k->max - k->min));
}

static int out_of_range(const struct atspi_node *n, const struct rb_control *k, double value,
                        struct error *e)
{
	auto_buf struct buf text;

	buf_init(&text, LIM_ERROR_TEXT);
	buf_addf(&text, "%s takes values from ", node_words(n));
	buf_add_number(&text, k->min);
	buf_adds(&text, " to ");
	buf_add_number(&text, k->max);
	buf_adds(&text, ", not ");
	buf_add_number(&text, value);
	error_set(e, ERR_INVALID_ARGS, "%s", text.data);
	error_reason(e, "out_of_range");
	error_detail(e, "min", json_real(k->min));
	error_detail(e, "max", json_real(k->max));
	return -ERR_INVALID_ARGS;
}

static int not_settable(const struct atspi_node *n, struct error *e)
{
	if (!(n->flags & UI_ENABLED))
		return atspi_node_enabled(n, e);
	error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s shows a value and takes none", node_words(n));
	error_reason(e, "read_only");
	return -ERR_ELEMENT_NOT_INTERACTABLE;
}

/* Properties.Set, always with a variant: a bare double takes GTK 3 programs down. */
static int send_value(struct atspi *a, struct call c, const struct atspi_node *n, double value,
                      struct error *e)
{
	sd_bus_message *m = bus_message(a->bus, node_target(n, DBUS_I_PROPERTIES, "Set"));

	if (m && sd_bus_message_append(m, "ssv", ATSPI_I_VALUE, "CurrentValue", "d", value) < 0)
		m = sd_bus_message_unref(m);
	if (!m)
		return error_set(e, ERR_COMMAND_FAILED, "the value can't be sent");
	return bus_call_message(a->bus, c, n->peer, m, 0, NULL, e);
}

static int not_reached(const struct atspi_node *n, double wanted, double actual, struct error *e)
{
	auto_buf struct buf text;

	buf_init(&text, LIM_ERROR_TEXT);
	buf_addf(&text, "%s was set to ", node_words(n));
	buf_add_number(&text, wanted);
	buf_adds(&text, " and shows ");
	buf_add_number(&text, actual);
	error_set(e, ERR_CONTROL_CONVERGENCE_FAILED, "%s", text.data);
	error_detail(e, "requested", json_real(wanted));
	if (isfinite(actual))
		error_detail(e, "actual", json_real(actual));
	return -ERR_CONTROL_CONVERGENCE_FAILED;
}

/* Programs take a value at once or a little later. */
static int await_value(struct atspi *a, struct call c, const struct atspi_node *n, double wanted,
                       double within, struct error *e)
{
	struct deadline end = deadline_in(LIM_ATSPI_READ_BACK_MS);

	for (;;) {
		double actual;
		int r = node_double(a, c, n, "CurrentValue", &actual, e);

		if (r < 0 || fabs(actual - wanted) <= within)
			return r;
		if (deadline_over(end))
			return not_reached(n, wanted, actual, e);
		r = clock_wait(NODE_POLL_MS, c.cancel, e);
		if (r == 0)
			r = call_check(c, "reading the value back", e);
		if (r < 0)
			return r;
	}
}

int node_value_set(struct atspi *a, struct call c, const struct atspi_node *n, double value,
                   struct error *e)
{
	struct node_actions list;
	struct rb_control k;
	int r = read_control(a, c, n, &k, &list, e);

	if (r < 0)
		return r;
	if (!k.can_set)
		return not_settable(n, e);
	if (!isfinite(value) || value < k.min || value > k.max)
		return out_of_range(n, &k, value, e);
	r = send_value(a, c, n, value, e);
	return r < 0 ? r : await_value(a, c, n, value, tolerance(&k), e);
}

int atspi_control_set(struct atspi *a, struct call c, const char *handle, double value,
                      struct error *e)
{
	struct atspi_node n;
	int r = atspi_node_find(a, c, handle, &n, e);

	return r < 0 ? r : node_value_set(a, c, &n, value, e);
}

/* --- one step --------------------------------------------------------------------------------- */

static int at_limit(const struct atspi_node *n, int direction, struct error *e)
{
	error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s is at its %s", node_words(n),
	          direction > 0 ? "maximum" : "minimum");
	error_reason(e, "at_limit");
	return -ERR_ELEMENT_NOT_INTERACTABLE;
}

/* Until the value has left `before` in the direction. */
static int await_move(struct atspi *a, struct call c, const struct atspi_node *n, double before,
                      int direction, struct error *e)
{
	struct deadline end = deadline_in(LIM_ATSPI_READ_BACK_MS);

	for (;;) {
		double now;
		int r = node_double(a, c, n, "CurrentValue", &now, e);

		if (r < 0 || (now - before) * direction > 0)
			return r;
		if (deadline_over(end))
			return error_set(e, ERR_NO_EFFECT, "%s did not move", node_words(n));
		r = clock_wait(NODE_POLL_MS, c.cancel, e);
		if (r == 0)
			r = call_check(c, "reading the value back", e);
		if (r < 0)
			return r;
	}
}

int atspi_control_step(struct atspi *a, struct call c, const char *handle, int direction,
                       struct error *e)
{
	struct node_actions list;
	struct rb_control k;
	struct atspi_node n;
	double target;
	int index, r = atspi_node_find(a, c, handle, &n, e);

	if (r == 0)
		r = read_control(a, c, &n, &k, &list, e);
	if (r < 0)
		return r;
	index = node_action_index(&list, direction > 0 ? increase_verbs : decrease_verbs);
	if (!settable_role(n.role) || !k.has_value || !(n.flags & UI_ENABLED) ||
	    (index < 0 && !k.can_set))
		return not_settable(&n, e);
	if (index < 0 && !(k.step > 0)) {
		error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s tells no step", node_words(&n));
		error_hint(e, "set a value instead");
		error_reason(e, "no_step");
		return -ERR_ELEMENT_NOT_INTERACTABLE;
	}
	if (k.has_range && (direction > 0 ? k.value >= k.max : k.value <= k.min))
		return at_limit(&n, direction, e);
	if (index >= 0) {
		r = node_action_do(a, c, &n, (uint32_t)index, e);
		return r < 0 ? r : await_move(a, c, &n, k.value, direction, e);
	}
	target = fmin(fmax(k.value + direction * k.step, k.min), k.max);
	r = send_value(a, c, &n, target, e);
	return r < 0 ? r : await_value(a, c, &n, target, tolerance(&k), e);
}
