/* Every case of tests/data/control/cases.json: one TAP line each. Cases of the engine run on a scripted
 * control, texts and stops through the parser and the domain; a case that needs more than the engine
 * names the test that proves it, and that test must name the case. */
#include "script.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "control/value.h"

/* --- TAP ----------------------------------------------------------------------------------------- */

static unsigned tests, failures;
static struct buf complaint;

__attribute__((format(printf, 1, 2))) static void complain(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_adds(&complaint, "# ");
	buf_addv(&complaint, fmt, ap);
	buf_addc(&complaint, '\n');
	va_end(ap);
}

static void report(const char *id, const char *title)
{
	bool good = complaint.len == 0;
	failures += !good;
	printf("%sok %u - %s %s\n%s", good ? "" : "not ", ++tests, id, title, complaint.data);
	buf_reset(&complaint);
}

/* --- engine -------------------------------------------------------------------------------------- */

static const char *code_word(enum ct_code code)
{
	static const char *const words[] = { "OK", "NF", "NI", "CF", "UN" };
	return words[code];
}

static void expect_number(const json_t *expect, const char *key, bool has, double actual)
{
	const json_t *want = json_object_get(expect, key);
	if (!want)
		return;
	if (json_is_null(want) ? has : !has || actual != json_number_value(want))
		complain("%s: %s%.17g", key, has ? "" : "none, ", actual);
}

static void expect_text(const json_t *expect, const char *key, const char *actual)
{
	const char *want = jx_get_str(expect, key, NULL);
	if (want && strcmp(want, actual) != 0)
		complain("%s: \"%s\", expected \"%s\"", key, actual, want);
}

static void trace_text(const struct ct_result *r, struct buf *out)
{
	for (unsigned i = 0; i < r->n_trace; i++)
		buf_addf(out, "%s%s%c", i ? " " : "", ct_stage_name(r->trace[i].stage),
		         r->trace[i].success ? '+' : '-');
}

static void check_step(const struct ct_result *r, const struct ct_trace_step *t)
{
	if (t->stage == CT_STAGE_EXECUTE) {
		if (!t->has_value || t->strategy == CT_NONE)
			complain("an execution without value or strategy");
		if (abs(t->direction) != (t->strategy == CT_STEPS))
			complain("direction %d of %s", t->direction, ct_strategy_name(t->strategy));
		if ((t->strategy == CT_PLACE) != (t->x > 0 && t->y > 0))
			complain("the point of %s is (%g, %g)", ct_strategy_name(t->strategy), t->x, t->y);
	}
	if (t->stage == CT_STAGE_VERIFY && t == &r->trace[r->n_trace - 1 - (r->code != CT_OK)] &&
	    (t->has_value != r->has_actual || (t->has_value && t->value != r->actual)))
		complain("the last verification read %g, the result says %g", t->value, r->actual);
}

/* What holds for every run, whatever the case is about. */
static void check_always(const struct script *s, const struct ct_result *r)
{
	bool good = r->code == CT_OK;
	if (r->converged != good || r->within != good)
		complain("converged %d within %d with code %s", r->converged, r->within,
		         code_word(r->code));
	if ((r->reason == CT_REASON_CONVERGED || r->reason == CT_REASON_ALREADY) != good)
		complain("reason %s", ct_reason_name(r->reason));
	if (good && r->retryable)
		complain("a success is retryable");
	if (r->n_trace < 1 || r->trace[0].stage != CT_STAGE_RESOLVE ||
	    (r->trace[r->n_trace - 1].stage == CT_STAGE_RECOVER) == good)
		complain("the trace does not begin with resolve or end with recover");
	for (unsigned i = 0; i < r->n_trace; i++)
		check_step(r, &r->trace[i]);
	if (r->attempts == 0 && strcmp(jx_get_str(s->play, "id", ""), "U11") != 0 &&
	    r->strategy != CT_NONE)
		complain("a strategy and no attempt");
	if (r->has_actual && !r->has_domain)
		complain("a value without a domain");
	if (s->resolves != 1)
		complain("resolved %u times", s->resolves);
}

static void check_engine(const json_t *c, const struct script *s, const struct ct_result *r)
{
	const json_t *expect = json_object_get(c, "expect");
	auto_buf struct buf steps;
	buf_init(&steps, 64 * 1024);
	trace_text(r, &steps);
	check_always(s, r);
	expect_text(expect, "code", code_word(r->code));
	expect_number(expect, "attempts", true, r->attempts);
	expect_text(expect, "ops", s->log.data);
	expect_text(expect, "reason", ct_reason_name(r->reason));
	expect_text(expect, "strategy", ct_strategy_name(r->strategy));
	expect_text(expect, "mode", r->coordinate ? "coordinate" : "semantic");
	expect_text(expect, "trace", steps.data);
	expect_number(expect, "target", r->has_target, r->target);
	expect_number(expect, "tolerance", r->has_target, r->tolerance);
	expect_number(expect, "actual", r->has_actual, r->actual);
	expect_number(expect, "before", r->has_before, r->before);
	expect_number(expect, "reads", true, s->total_reads);
	if (json_object_get(expect, "retryable") &&
	    r->retryable != jx_get_bool(expect, "retryable", false))
		complain("retryable: %d", r->retryable);
	bool unsent = strcmp(jx_get_str(c, "id", ""), "U11") == 0; /* asked for and not carried out */
	if (s->ops != r->attempts + unsent)
		complain("%u operations, %u attempts", s->ops, r->attempts);
}

static void run_engine(const json_t *fixtures, const json_t *c)
{
	struct script s;
	struct ct_result r;
	struct ct_request rq = script_request(c);
	memset(&r, 0xAA, sizeof(r)); /* nothing of what was there may shine through */
	script_init(&s, fixtures, c);
	struct ct_ops ops = script_ops(&s);
	ct_adjust(&ops, &rq, &r);
	check_engine(c, &s, &r);
	script_done(&s);
}

/* --- texts and stops ----------------------------------------------------------------------------- */

static void run_text(const json_t *c, const char *text)
{
	const json_t *expect = json_object_get(c, "expect"), *number = json_object_get(c, "number");
	struct ct_parsed p = { 0 };
	struct ct_reading r = { 0 };
	struct ct_domain d;
	bool good = ct_value_parse(text, strlen(text), &p);
	if (number) {
		r.value = (struct ct_channel){ .has_number = true, .number = json_number_value(number) };
		memcpy(r.text, text, strnlen(text, sizeof(r.text) - 1));
		good = ct_read_value(&r, NULL, &p.value, &d);
	}
	if (good != json_is_object(expect)) {
		complain("\"%s\" is %s", text, good ? "accepted" : "refused");
		return;
	}
	if (!good)
		return;
	expect_number(expect, "value", true, p.value);
	expect_text(expect, "unit", p.unit ? p.unit : "none");
	if (!number && (p.unit != NULL) != (json_object_get(expect, "unit") != NULL))
		complain("\"%s\": unit %s", text, p.unit ? p.unit : "none");
	if (p.percent != jx_get_bool(expect, "percent", false))
		complain("\"%s\": percent %d", text, p.percent);
	if (p.has_max != (json_object_get(expect, "max") != NULL))
		complain("\"%s\": max %d", text, p.has_max);
	expect_number(expect, "max", p.has_max, p.max);
}

static void run_texts(const json_t *c)
{
	size_t i;
	json_t *text;
	json_array_foreach(json_object_get(c, "parse"), i, text) run_text(c, json_string_value(text));
	const char *hex = jx_get_str(c, "hex", NULL);
	char bytes[65] = "";
	for (size_t k = 0; hex && hex[2 * k] && k < sizeof(bytes) - 1; k++) {
		const char two[] = { hex[2 * k], hex[2 * k + 1], '\0' };
		bytes[k] = (char)strtoul(two, NULL, 16);
	}
	if (hex)
		run_text(c, bytes);
}

static void run_stop(const json_t *c, double step)
{
	const json_t *q = json_object_get(c, "quantise"), *expect = json_object_get(c, "expect");
	struct ct_domain d =
	    ct_domain_make(true, jx_get_num(q, "min", 0), jx_get_num(q, "max", 0), step);
	double stop = ct_quantise(&d, jx_get_num(q, "target", 0));
	expect_number(expect, "stop", true, stop);
	if (stop == 0 && signbit(stop))
		complain("minus zero");
	expect_number(expect, "tolerance", true, ct_default_tolerance(&d));
}

static void run_stops(const json_t *c)
{
	json_t *step = json_object_get(json_object_get(c, "quantise"), "step");
	if (!json_is_array(step)) {
		run_stop(c, json_number_value(step));
		return;
	}
	for (size_t i = 0; i < json_array_size(step); i++) {
		json_t *one = json_array_get(step, i);
		run_stop(c, json_is_string(one) ? NAN : json_number_value(one));
	}
}

/* --- proofs elsewhere ---------------------------------------------------------------------------- */

static const char *source_root(void)
{
	static char root[4096];
	const char *data = getenv("DEFT_TEST_DATA");
	snprintf(root, sizeof(root), "%s/../..", data ? data : "tests/data");
	return root;
}

static bool names_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	for (const char *at = text; (at = strstr(at, word)); at += len)
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[len]))
			return true;
	return false;
}

static void check_proof(const json_t *c, const char *file)
{
	auto_free char *path = fs_join(source_root(), file);
	auto_buf struct buf text;
	buf_init(&text, 1 << 20);
	if (!path || fs_read(path, text.max, &text, NULL) < 0)
		complain("%s is not there", file);
	else if (!names_word(text.data, jx_get_str(c, "id", "?")))
		complain("%s does not name it", file);
}

static void check_proofs(const json_t *c)
{
	size_t i;
	json_t *file;
	const char *only = jx_get_str(c, "proof", NULL);
	if (only)
		check_proof(c, only);
	json_array_foreach(json_object_get(c, "also"), i, file) check_proof(c, json_string_value(file));
}

/* --- all of them --------------------------------------------------------------------------------- */

static void run_case(const json_t *fixtures, const json_t *c)
{
	if (json_object_get(c, "parse") || json_object_get(c, "hex"))
		run_texts(c);
	else if (json_object_get(c, "quantise"))
		run_stops(c);
	else if (json_object_get(c, "control"))
		run_engine(fixtures, c);
	else if (!json_object_get(c, "proof"))
		complain("nothing is said about how it is proven");
	check_proofs(c);
	const json_t *texts = json_object_get(c, "parse");
	const char *shown = json_string_value(json_array_get(texts, 0));
	report(jx_get_str(c, "id", "?"), jx_get_str(c, "title", shown ? shown : ""));
}

static bool has_case(const json_t *cases, const char *key, const char *word)
{
	size_t i, k;
	json_t *c, *accepts;
	json_array_foreach((json_t *)cases, i, c)
	{
		if (strcmp(key, "id") == 0 && strcmp(jx_get_str(c, "id", ""), word) == 0)
			return true;
		json_array_foreach(json_object_get(c, key), k,
		                   accepts) if (strcmp(json_string_value(accepts), word) == 0) return true;
	}
	return false;
}

static void check_every_id(const json_t *cases)
{
	static const struct {
		char letter;
		int last;
	} groups[] = { { 'C', 30 }, { 'T', 10 }, { 'M', 12 }, { 'P', 50 }, { 'Q', 27 },
		           { 'R', 18 }, { 'S', 37 }, { 'I', 15 }, { 'V', 14 }, { 'D', 5 } };
	int n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		for (int k = 1; k <= groups[i].last; k++, n++) {
			char id[16];
			snprintf(id, sizeof(id), "%c%02d", groups[i].letter, k);
			if (!has_case(cases, "id", id))
				complain("%s is missing", id);
		}
	if (n != 218)
		complain("%d ids", n);
	report("all", "no case of the 218 is missing");
}

static void check_every_criterion(const json_t *cases)
{
	static const char *const criteria[] = { "C1", "C2", "C3", "C4", "A1", "A2", "A3", "A4", "A5",
		                                    "A6", "A7", "I1", "I2", "I3", "I4", "I5", "I6", "V1",
		                                    "V2", "V3", "V4", "F1", "F2", "F3", "DET" };
	for (size_t i = 0; i < ARRAY_SIZE(criteria); i++)
		if (!has_case(cases, "accepts", criteria[i]))
			complain("no case is about %s", criteria[i]);
	report("all", "every acceptance criterion has its case");
}

int main(void)
{
	const char *dir = getenv("DEFT_TEST_DATA");
	auto_free char *path = fs_join(dir ? dir : "tests/data", "control/cases.json");
	json_error_t where;
	auto_json json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
	if (!all) {
		printf("Bail out! %s: line %d: %s\n", path, where.line, where.text);
		return 1;
	}
	json_t *cases = json_object_get(all, "cases"), *c;
	size_t i;
	buf_init(&complaint, 64 * 1024);
	json_array_foreach(cases, i, c) run_case(json_object_get(all, "fixtures"), c);
	check_every_id(cases);
	check_every_criterion(cases);
	printf("1..%u\n", tests);
	buf_done(&complaint);
	return failures ? 1 : 0;
}
