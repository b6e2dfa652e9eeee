/* swipe: a quick drag between two points, or a series of them. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"
#include "platform/sequence.h"

#include <string.h>

struct swipe {
	double x1, y1, x2, y2;
	int64_t ms, count, pause_ms;
	bool ping_pong;
};

static struct swipe swipe_read(const json_t *args)
{
	return (struct swipe){
		.x1 = jx_get_num(args, "x1", 0),
		.y1 = jx_get_num(args, "y1", 0),
		.x2 = jx_get_num(args, "x2", 0),
		.y2 = jx_get_num(args, "y2", 0),
		.ms = jx_get_int(args, "durationMs", 0),
		.count = jx_get_int(args, "count", 1),
		.pause_ms = jx_get_int(args, "pauseMs", 0),
		.ping_pong = !strcmp(jx_get_str(args, "pattern", ""), "ping-pong"),
	};
}

static struct pf_step swipe_step(const struct swipe *s, int64_t i)
{
	bool back = s->ping_pong && i % 2, last = i + 1 == s->count;

	return (struct pf_step){
		.kind = "drag",
		.has_point = true,
		.x = back ? s->x2 : s->x1,
		.y = back ? s->y2 : s->y1,
		.x2 = back ? s->x1 : s->x2,
		.y2 = back ? s->y1 : s->y2,
		.duration_ms = (int)s->ms,
		.pause_ms = last ? -1 : (int)s->pause_ms,
	};
}

static json_t *result(const struct swipe *s)
{
	json_t *data = json_object();

	jx_set_num(data, "x1", s->x1);
	jx_set_num(data, "y1", s->y1);
	jx_set_num(data, "x2", s->x2);
	jx_set_num(data, "y2", s->y2);
	jx_set_int(data, "durationMs", s->ms);
	jx_set_int(data, "count", s->count);
	jx_set_int(data, "pauseMs", s->pause_ms);
	jx_set_str(data, "pattern", s->ping_pong ? "ping-pong" : "one-way");
	if (s->count > 1)
		cmd_message(data, "Swiped %lld times (%s)", (long long)s->count,
		            s->ping_pong ? "ping-pong" : "one-way");
	else
		jx_set_str(data, "message", "Swiped");
	return data;
}

/* One drag is one command; more of them are a sequence, cut by the runner's time budget. */
static int swipe_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	struct swipe s = swipe_read(rq->args);
	struct pf_step steps[LIM_PRESS_COUNT];
	auto_json json_t *base = act_bare_request(rq, "sequence");
	auto_json json_t *reply = NULL;
	int r;

	for (int64_t i = 0; i < s.count; i++)
		steps[i] = swipe_step(&s, i);
	if (s.count == 1) {
		json_t *drag = act_bare_request(rq, "drag");

		jx_set_num(drag, "x", s.x1);
		jx_set_num(drag, "y", s.y1);
		jx_set_num(drag, "x2", s.x2);
		jx_set_num(drag, "y2", s.y2);
		jx_set_int(drag, "durationMs", s.ms);
		r = act_send(rq, drag, &reply, e);
	} else {
		r = pf_sequence_run(dm_device(rq), rq->call, base, steps, (size_t)s.count, &reply, e);
	}
	if (r < 0)
		return r;
	*ret_data = result(&s);
	return 0;
}

#define COORDINATE(name_, text)                                                               \
	{                                                                                         \
		.name = name_, .type = CMD_NUMBER, .positional = true, .required = true, .help = text \
	}

static const char *const patterns[] = { "one-way", "ping-pong", NULL };
static const struct cmd_param params[] = {
	COORDINATE("x1", "where it starts, from the left"),
	COORDINATE("y1", "where it starts, from the top"),
	COORDINATE("x2", "where it ends, from the left"),
	COORDINATE("y2", "where it ends, from the top"),
	{ .name = "durationMs",
	  .type = CMD_INT,
	  .positional = true,
	  .has_min = true,
	  .min = LIM_SWIPE_MIN_MS,
	  .has_max = true,
	  .max = LIM_SWIPE_MAX_MS,
	  .dflt = "250",
	  .unit = "ms",
	  .help = "how long one swipe takes" },
	{ .name = "count",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = LIM_PRESS_COUNT,
	  .dflt = "1",
	  .help = "how often" },
	PARAM_MS("pauseMs", 0, LIM_INTERVAL_MS, "0", "pause between two swipes"),
	{ .name = "pattern",
	  .type = CMD_ENUM,
	  .values = patterns,
	  .dflt = "one-way",
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "ping-pong: every second swipe goes back" },
};
static const char *const examples[] = {
	"deft swipe 300 600 300 200", "deft swipe 300 600 300 200 400 --count 3 --pattern ping-pong",
	NULL
};

const struct cmd_entry cmd_entry_swipe = {
	.spec = { .name = "swipe",
	          .summary = "Swipe from one point to another",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(swipe_run, cmd_render_message),
};
