#include "script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/jx.h"

/* A control that does not answer in the meantime is given so many readings. */
#define WINDOW 6

static void die(const char *what)
{
	fprintf(stderr, "the script is wrong: %s\n", what);
	abort();
}

/* --- readings ------------------------------------------------------------------------------------ */

static bool number_of(const json_t *o, const char *key, double *ret)
{
	const json_t *v = json_object_get(o, key);
	const char *word = json_string_value(v);
	if (!v || json_is_null(v))
		return false;
	if (word)
		*ret = strcmp(word, "nan") == 0 ? NAN : INFINITY;
	else
		*ret = json_number_value(v);
	return true;
}

static struct ct_channel channel_of(const json_t *o)
{
	struct ct_channel c = { 0 };
	c.has_number = number_of(o, "value", &c.number);
	c.has_range = number_of(o, "min", &c.min) && number_of(o, "max", &c.max);
	number_of(o, "step", &c.step);
	return c;
}

static unsigned offers_of(const json_t *caps)
{
	static const char *const names[] = { "SET", "SET2", "INC", "DEC" };
	unsigned offers = 0;
	size_t i;
	json_t *cap;
	json_array_foreach((json_t *)caps, i, cap)
	{
		unsigned bit = 0;
		for (unsigned k = 0; k < ARRAY_SIZE(names); k++)
			if (strcmp(names[k], json_string_value(cap)) == 0)
				bit = 1u << k;
		if (!bit)
			die(json_string_value(cap));
		offers |= bit;
	}
	return offers;
}

struct ct_reading script_reading(const json_t *o)
{
	const json_t *rect = json_object_get(o, "rect"), *raw = json_object_get(o, "raw");
	struct ct_reading r = {
		.value = channel_of(o),
		.has_raw = json_is_object(raw),
		.offers = offers_of(json_object_get(o, "caps")),
		.enabled = jx_get_bool(o, "enabled", true),
		.visible = jx_get_bool(o, "visible", true),
		.vertical = jx_get_bool(o, "vertical", false),
		.rtl = jx_get_bool(o, "rtl", false),
		.read_only = jx_get_bool(o, "readOnly", false),
		.rating = jx_get_bool(o, "rating", false),
		.stale = jx_get_bool(o, "stale", false),
		.has_rect = json_is_array(rect),
	};
	const char *text = jx_get_str(o, "text", "");
	memcpy(r.text, text, strnlen(text, sizeof(r.text) - 1));
	if (r.has_raw)
		r.raw = channel_of(raw);
	double side[4] = { 0 };
	for (size_t i = 0; r.has_rect && i < 4; i++)
		side[i] = json_number_value(json_array_get(rect, i));
	r.rect = (struct ui_rect){ side[0], side[1], side[2] - side[0], side[3] - side[1] };
	return r;
}

/* --- the play ------------------------------------------------------------------------------------ */

/* Entry i of a list of which the last one stays; an object counts as a list of one. */
static json_t *staying(json_t *list, size_t i)
{
	if (!json_is_array(list))
		return list;
	size_t n = json_array_size(list);
	return n ? json_array_get(list, i < n ? i : n - 1) : NULL;
}

static json_t *moment(const struct script *s)
{
	if (s->ops == 0)
		return json_object_get(s->play, "looks");
	return staying(json_object_get(s->play, "after"), s->ops - 1);
}

static enum ct_answer answer_of(const char *word)
{
	static const char *const names[] = { "done", "rejected", "gone", "lost", "over" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], word) == 0)
			return (enum ct_answer)i;
	die(word);
	return CT_LOST;
}

static enum ct_answer on_resolve(void *ctx)
{
	struct script *s = ctx;
	s->resolves++;
	return answer_of(jx_get_str(s->play, "resolve", "done"));
}

static enum ct_answer on_read(void *ctx, struct ct_reading *ret)
{
	struct script *s = ctx;
	json_t *patch = staying(moment(s), s->reads);
	s->reads++;
	s->total_reads++;
	if (patch)
		json_object_update(s->state, patch);
	const char *answer = jx_get_str(patch, "answer", NULL);
	if (answer)
		return answer_of(answer);
	*ret = script_reading(s->state);
	return CT_DONE;
}

static bool on_settle(void *ctx, unsigned reads)
{
	const struct script *s = ctx;
	size_t told = json_array_size(moment(s));
	return reads < (told > WINDOW ? told : WINDOW) && !jx_get_bool(s->play, "slow", false);
}

static enum ct_answer operation(struct script *s)
{
	json_t *answer = staying(json_object_get(s->play, "answers"), s->ops);
	s->ops++;
	s->reads = 0;
	return answer_of(answer ? json_string_value(answer) : "done");
}

static void log_word(struct script *s, const char *word)
{
	buf_addf(&s->log, "%s%s", s->ops ? "; " : "", word);
}

static enum ct_answer on_set(void *ctx, double value, enum ct_strategy which)
{
	struct script *s = ctx;
	log_word(s, which == CT_SET ? "SET " : "SET2 ");
	buf_add_number(&s->log, value);
	return operation(s);
}

static enum ct_answer on_step(void *ctx, int direction)
{
	struct script *s = ctx;
	log_word(s, direction > 0 ? "INC" : "DEC");
	return operation(s);
}

static enum ct_answer on_place(void *ctx, double x, double y)
{
	struct script *s = ctx;
	log_word(s, "TAP ");
	buf_add_number(&s->log, x);
	buf_addc(&s->log, ',');
	buf_add_number(&s->log, y);
	return operation(s);
}

void script_init(struct script *s, const json_t *fixtures, const json_t *play)
{
	const char *name = jx_get_str(play, "control", "");
	json_t *fixture = json_object_get(fixtures, name), *start = json_object_get(play, "start");
	if (!fixture)
		die(name);
	*s = (struct script){ .fixtures = fixtures, .play = play };
	s->state = json_deep_copy(fixture);
	if (start)
		json_object_update(s->state, start);
	buf_init(&s->log, 64 * 1024);
}

void script_done(struct script *s)
{
	json_decref(s->state);
	buf_done(&s->log);
}

struct ct_ops script_ops(struct script *s)
{
	return (struct ct_ops){ .ctx = s,
		                    .resolve = on_resolve,
		                    .read = on_read,
		                    .settle = on_settle,
		                    .set = on_set,
		                    .step = on_step,
		                    .place = on_place };
}

struct ct_request script_request(const json_t *play)
{
	const json_t *o = json_object_get(play, "request");
	struct ct_request rq = {
		.property = jx_get_str(o, "property", NULL),
		.target = json_number_value(json_object_get(o, "target")),
		.max_attempts = jx_get_int(o, "maxAttempts", CT_DEFAULT_ATTEMPTS),
	};
	rq.has_tolerance = number_of(o, "tolerance", &rq.tolerance);
	return rq;
}
