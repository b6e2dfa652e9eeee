#include "command/adjust_device.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "ui/fingerprint.h"

#include <string.h>

/* Readings asked for in one request: as many as make a settled value. */
#define READS 2

void adjust_device_init(struct adjust_device *d, struct dm_request *rq,
                        const struct adjust_ask *ask)
{
	memset(d, 0, sizeof(*d));
	d->rq = rq;
	d->ask = ask;
	d->call = call_limit(rq->call, LIM_ADJUST_MS);
}

void adjust_device_done(struct adjust_device *d)
{
	act_target_done(&d->target);
	json_decref(d->readings);
	error_clear(&d->find_error);
	error_clear(&d->last_error);
}

/* --- answers ------------------------------------------------------------------------------------- */

static struct ct_channel channel_of(const json_t *control)
{
	struct ct_channel c = { 0 };

	c.has_number = jx_num(control, "value", &c.number, NULL) == 1;
	c.has_range =
	    jx_num(control, "min", &c.min, NULL) == 1 && jx_num(control, "max", &c.max, NULL) == 1;
	jx_num(control, "step", &c.step, NULL);
	return c;
}

static bool rect_of(const json_t *control, struct ui_rect *ret)
{
	const json_t *r = json_object_get(control, "rect");

	*ret = (struct ui_rect){ 0 };
	return jx_num(r, "x", &ret->x, NULL) == 1 && jx_num(r, "y", &ret->y, NULL) == 1 &&
	       jx_num(r, "width", &ret->width, NULL) == 1 &&
	       jx_num(r, "height", &ret->height, NULL) == 1;
}

struct ct_reading adjust_reading(const json_t *control, enum ui_role role)
{
	struct ct_reading r = { .value = channel_of(control),
		                    .enabled = jx_get_bool(control, "enabled", true),
		                    .visible = jx_get_bool(control, "visible", true),
		                    .vertical = jx_get_bool(control, "vertical", false),
		                    .rtl = jx_get_bool(control, "rightToLeft", false),
		                    .rating = role == UI_RATING };
	const char *raw = jx_get_str(control, "raw", "");

	memcpy(r.text, raw, strnlen(raw, sizeof(r.text) - 1));
	r.has_rect = rect_of(control, &r.rect);
	r.read_only =
	    jx_get_bool(control, "readOnly", false) || role == UI_PROGRESS_BAR || role == UI_LEVEL_BAR;
	if (jx_get_bool(control, "canSet", false))
		r.offers |= CT_OFFERS_SET;
	if (jx_get_bool(control, "canIncrement", false))
		r.offers |= CT_OFFERS_INCREMENT;
	if (jx_get_bool(control, "canDecrement", false))
		r.offers |= CT_OFFERS_DECREMENT;
	return r;
}

/* --- requests ------------------------------------------------------------------------------------ */

/* The label is checked once, against what the caller saw; afterwards the handle is enough, and a label
 * that carries the value changes with it. */
static json_t *request_for(struct adjust_device *d, const char *command)
{
	const struct ui_node *n = act_node(&d->target);
	json_t *o = act_request(d->rq, command, &d->target);

	if (d->has_first || element_label_bears_value(n->label))
		json_object_del(o, "expectLabel");
	return o;
}

static int send(struct adjust_device *d, json_t *request_stolen, json_t **ret_reply)
{
	auto_json json_t *request = request_stolen;
	struct pf_device *device = dm_device(d->rq);

	error_clear(&d->last_error);
	return device->ops->run(device, d->call, request, ret_reply, &d->last_error);
}

static void give_readings(struct adjust_device *d, json_t *reply)
{
	json_t *list = json_object_get(reply, "readings");

	json_decref(d->readings);
	d->readings = json_array_size(list) ? json_incref(list) : json_pack("[O]", reply);
	d->next = 0;
}

/* --- operations ---------------------------------------------------------------------------------- */

static enum ct_answer lost(const struct adjust_device *d)
{
	return deadline_over(d->call.deadline) ? CT_OVER : CT_LOST;
}

/* What the tree of before the first operation tells: its fingerprint and the element's id. */
static void note_tree(struct adjust_device *d, const struct ui_tree *t)
{
	const struct ui_node *n = act_node(&d->target);
	uint32_t node = n ? act_find_handle(t, n->handle) : UI_NONE;

	ui_fingerprint_hex(ui_fingerprint(t, true), d->print_before);
	if (node == UI_NONE || !element_id_of(t, dm_device(d->rq)->info.platform, node, d->element_id))
		d->element_id[0] = '\0';
}

static void note_screen(struct adjust_device *d)
{
	auto_tree struct ui_tree t = { 0 };

	if (act_capture(d->rq, d->call, &t, NULL) == 0)
		note_tree(d, &t);
}

void adjust_device_print(struct adjust_device *d, char out[17])
{
	auto_tree struct ui_tree t = { 0 };

	out[0] = '\0';
	if (act_capture(d->rq, d->call, &t, NULL) == 0)
		ui_fingerprint_hex(ui_fingerprint(&t, true), out);
}

static enum ct_answer on_resolve(void *ctx)
{
	struct adjust_device *d = ctx;
	int r = adjust_find(d->rq, d->call, d->ask, &d->target, &d->find_error);

	d->resolve_ms = clock_wall_ms();
	if (d->target.capture.count)
		note_tree(d, &d->target.capture);
	else if (r == 0 && d->ask->fingerprints)
		note_screen(d);
	d->settling = deadline_in(LIM_CONTROL_SETTLE_MS);
	switch (-r) {
	case 0: return CT_DONE;
	case ERR_ELEMENT_NOT_FOUND:
	case ERR_ELEMENT_STALE:
	case ERR_INVALID_TARGET:
	case ERR_APP_NOT_RUNNING:
	case ERR_AMBIGUOUS_MATCH: return CT_GONE;
	default: return lost(d);
	}
}

static enum ct_answer fetch(struct adjust_device *d)
{
	json_t *request = request_for(d, "readControl");
	auto_json json_t *reply = NULL;
	int r;

	jx_set_int(request, "reads", READS);
	if (d->read_before)
		jx_set_int(request, "delayMs", LIM_CONTROL_GAP_MS);
	r = send(d, request, &reply);
	switch (-r) {
	case 0: break;
	case ERR_ELEMENT_NOT_FOUND:
	case ERR_ELEMENT_STALE:
	case ERR_APP_NOT_RUNNING: return CT_GONE;
	case ERR_INVALID_TARGET: /* has no number at all: the engine judges what that means */
	case ERR_UNSUPPORTED_OPERATION: reply = json_object(); break;
	default: return lost(d);
	}
	give_readings(d, reply);
	return CT_DONE;
}

static enum ct_answer on_read(void *ctx, struct ct_reading *ret)
{
	struct adjust_device *d = ctx;
	enum ct_answer a = d->next < json_array_size(d->readings) ? CT_DONE : fetch(d);

	if (a != CT_DONE)
		return a;
	d->read_before = true;
	d->last = adjust_reading(json_array_get(d->readings, d->next++), act_node(&d->target)->role);
	d->last.visible &= !d->hidden;
	if (!d->has_first)
		d->first = d->last;
	d->has_first = true;
	d->read_ms[d->ops] = clock_wall_ms();
	*ret = d->last;
	return CT_DONE;
}

/* Time passes in the runner, between the readings of a request and before those of a further one. */
static bool on_settle(void *ctx, unsigned reads)
{
	const struct adjust_device *d = ctx;
	bool over = !dm_device(d->rq)->own_time && deadline_over(d->settling);

	return reads < LIM_CONTROL_READS && !over;
}

/* What became of an operation. A change that was made and shows another value than was asked for is
 * carried out: its readings tell. */
static enum ct_answer outcome(struct adjust_device *d, int r, json_t *reply)
{
	d->settling = deadline_in(LIM_CONTROL_SETTLE_MS);
	switch (-r) {
	case 0:
		if (reply && !json_object_get(reply, "unread") && json_object_get(reply, "canSet"))
			give_readings(d, reply);
		return CT_DONE;
	case ERR_NO_EFFECT:
	case ERR_CONTROL_CONVERGENCE_FAILED: return CT_DONE;
	case ERR_ELEMENT_NOT_FOUND:
	case ERR_ELEMENT_STALE:
	case ERR_APP_NOT_RUNNING: return CT_GONE;
	case ERR_ELEMENT_COVERED:
	case ERR_ELEMENT_OFFSCREEN: d->hidden = true; return CT_REJECTED;
	case ERR_ELEMENT_DISABLED:
	case ERR_ELEMENT_NOT_INTERACTABLE:
	case ERR_INVALID_TARGET:
	case ERR_INVALID_ARGS:
	case ERR_COMMAND_FAILED:
	case ERR_UNSUPPORTED_OPERATION: return CT_REJECTED;
	default: return lost(d);
	}
}

static enum ct_answer operate(struct adjust_device *d, json_t *request)
{
	auto_json json_t *reply = NULL;
	int r;

	if (deadline_over(d->call.deadline)) {
		json_decref(request);
		return CT_OVER;
	}
	json_decref(d->readings);
	d->readings = NULL;
	d->next = 0;
	d->read_before = false;
	d->op_ms[d->ops] = clock_wall_ms();
	d->ops++;
	r = send(d, request, &reply);
	dm_progress(d->rq, "adjusting", d->ops, -1);
	return outcome(d, r, reply);
}

static enum ct_answer on_set(void *ctx, double value, enum ct_strategy which)
{
	struct adjust_device *d = ctx;
	json_t *request = request_for(d, "setValue");

	(void)which; /* runners write through the best channel of their platform themselves */
	jx_set_num(request, "value", value);
	jx_set_int(request, "reads", READS);
	return operate(d, request);
}

static enum ct_answer on_step(void *ctx, int direction)
{
	struct adjust_device *d = ctx;
	json_t *request = request_for(d, "step");

	jx_set_str(request, "direction", direction > 0 ? "increment" : "decrement");
	jx_set_int(request, "reads", READS);
	return operate(d, request);
}

static enum ct_answer on_place(void *ctx, double x, double y)
{
	struct adjust_device *d = ctx;
	json_t *request = request_for(d, "tap");

	jx_set_num(request, "x", x);
	jx_set_num(request, "y", y);
	return operate(d, request);
}

struct ct_ops adjust_device_ops(struct adjust_device *d)
{
	return (struct ct_ops){ .ctx = d,
		                    .resolve = on_resolve,
		                    .read = on_read,
		                    .settle = on_settle,
		                    .set = on_set,
		                    .step = on_step,
		                    .place = on_place };
}
