/* Random scenes and random commands over the runner core in process, with fixed seeds. What must hold:
 * nothing crashes, what a snapshot lists is found again under its handle as it was listed, what it
 * calls hittable has a point where a press reaches it, and equal seeds give equal transcripts.
 *
 * DEFT_FUZZ_SEEDS=n runs n seeds instead of the few of an ordinary test run. */
#include "test.h"

#include "backend/virtual/backend_virtual.h"
#include "backend/virtual/scene.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"
#include "random_scene.h"
#include "runner/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STEPS 60

static char dir[] = "/tmp/deft-random-XXXXXX";

struct run {
	uint64_t seed;
	int step;
	struct dice dice;
	struct rc_env env;
	json_t *nodes; /* of the last snapshot, owned */
	struct buf transcript;
};

/* --- commands ---------------------------------------------------------------------------------- */

/* Real time is in a reply by contract; nothing else may differ between two runs. */
static void drop_times(json_t *j)
{
	void *next;
	const char *key;
	json_t *value;
	size_t i;
	json_object_foreach_safe(j, next, key, value)
	{
		size_t len = strlen(key);
		if (len > 8 && strcmp(key + len - 8, "UptimeMs") == 0)
			json_object_del(j, key);
		else
			drop_times(value);
	}
	json_array_foreach(j, i, value) drop_times(value);
}

static json_t *send(struct run *r, json_t *request_stolen)
{
	auto_error struct error e = ERROR_INIT;
	struct wire_request req;
	json_t *data = NULL;
	auto_buf struct buf body;
	buf_init(&body, LIM_RUNNER_REQUEST);
	jx_dump(request_stolen, false, &body);
	json_decref(request_stolen);
	if (wire_request_parse(body.data, body.len, &req, &e) < 0)
		fail_msg("seed %llu: %s: %s", (unsigned long long)r->seed, body.data, e.message);
	int status = rc_execute(&r->env, &req, CALL_FOREVER, &data, &e);
	wire_request_done(&req);
	json_t *reply = status < 0 ? wire_reply_error(&e) : wire_reply_ok(data);
	drop_times(reply);
	buf_adds(&r->transcript, body.data);
	buf_adds(&r->transcript, "\n  ");
	if (!jx_dump(reply, false, &r->transcript))
		fail_msg("seed %llu step %d: the reply is no JSON", (unsigned long long)r->seed, r->step);
	buf_addc(&r->transcript, '\n');
	return reply;
}

static const char *code_of(const json_t *reply)
{
	return jx_get_str(json_object_get(reply, "error"), "code", "");
}

static json_t *about(struct run *r, const char *command, const json_t *node)
{
	json_t *o = json_pack("{s:s}", "command", command);
	(void)r;
	for (const char *const *k = (const char *const[]){ "nodeId", NULL }; *k; k++)
		jx_set_str(o, *k, jx_get_str(node, *k, NULL));
	jx_set_str(o, "expectRole", jx_get_str(node, "role", NULL));
	jx_set_str(o, "expectLabel", jx_get_str(node, "label", NULL));
	return o;
}

static const json_t *some_node(struct run *r)
{
	size_t n = json_array_size(r->nodes);
	return n ? json_array_get(r->nodes, dice_roll(&r->dice, (uint32_t)n)) : NULL;
}

static json_t *at_point(struct run *r, const char *command)
{
	return json_pack("{s:s, s:i, s:i}", "command", command, "x", (int)dice_roll(&r->dice, 390), "y",
	                 (int)dice_roll(&r->dice, 850));
}

static json_t *text_command(struct run *r, const json_t *node)
{
	static const char *const texts[] = { "Ada", "ada@example.org", "2026-11-30", "a\nb", "\u00fc" };
	json_t *o = about(r, "type", node);
	jx_set_str(o, "text", texts[dice_roll(&r->dice, ARRAY_SIZE(texts))]);
	jx_set_str(o, "textEntryMode", dice_roll(&r->dice, 2) ? "append" : "replace");
	return o;
}

static json_t *with_value(struct run *r, const json_t *node)
{
	json_t *o = about(r, "setValue", node);
	jx_set_num(o, "value", (double)dice_roll(&r->dice, 100) - 20);
	return o;
}

static json_t *with_word(struct run *r, const char *command, const char *key,
                         const char *const *words, uint32_t n)
{
	json_t *o = json_pack("{s:s}", "command", command);
	jx_set_str(o, key, words[dice_roll(&r->dice, n)]);
	return o;
}

static json_t *drag_command(struct run *r)
{
	json_t *o = at_point(r, "drag");
	jx_set_int(o, "x2", dice_roll(&r->dice, 390));
	jx_set_int(o, "y2", dice_roll(&r->dice, 850));
	return o;
}

static json_t *step_command(struct run *r, const json_t *node)
{
	json_t *o = about(r, "step", node);
	jx_set_str(o, "direction", dice_roll(&r->dice, 2) ? "up" : "down");
	return o;
}

static json_t *random_command(struct run *r)
{
	static const char *const keys[] = { "tab", "enter", "backspace", "escape", "F5" };
	static const char *const ways[] = { "up", "down" };
	static const char *const places[] = { "portrait", "landscape-left" };
	static const char *const answers[] = { "get", "accept", "dismiss" };
	static const char *const plain[] = { "back", "home", "keyboardDismiss", "apps", "idle" };
	const json_t *n = some_node(r);
	switch (dice_roll(&r->dice, 20)) {
	case 0:
	case 1:
	case 2:
	case 3: return n ? about(r, "tap", n) : at_point(r, "tap");
	case 4: return at_point(r, "tap");
	case 5: return n ? about(r, "longPress", n) : at_point(r, "longPress");
	case 6: return text_command(r, n);
	case 7: return with_word(r, "key", "keys", keys, ARRAY_SIZE(keys));
	case 8: return with_word(r, "scroll", "direction", ways, ARRAY_SIZE(ways));
	case 9: return drag_command(r);
	case 10: return with_value(r, n);
	case 11: return step_command(r, n);
	case 12: return about(r, "readControl", n);
	case 13: return about(r, "readText", n);
	case 14: return about(r, "performAction", n);
	case 15: return with_word(r, "rotate", "orientation", places, ARRAY_SIZE(places));
	case 16: return with_word(r, "alert", "action", answers, ARRAY_SIZE(answers));
	case 17:
		return json_pack("{s:s, s:i}", "command", "idle", "durationMs",
		                 (int)dice_roll(&r->dice, 2000));
	case 18: return about(r, "focus", n);
	default: return json_pack("{s:s}", "command", plain[dice_roll(&r->dice, ARRAY_SIZE(plain))]);
	}
}

/* --- what must hold ----------------------------------------------------------------------------- */

static void check_node(struct run *r, const json_t *node)
{
	auto_json json_t *reply = send(r, about(r, "locate", node));
	const json_t *data = json_object_get(reply, "data");
	bool hittable = jx_get_bool(node, "hittable", false);
	if (strcmp(code_of(reply), "") != 0)
		fail_msg("seed %llu step %d: %s [%s] \"%s\" was listed and is not found again: %s",
		         (unsigned long long)r->seed, r->step, jx_get_str(node, "nodeId", "?"),
		         jx_get_str(node, "role", "?"), jx_get_str(node, "label", ""),
		         jx_get_str(json_object_get(reply, "error"), "message", ""));
	if (hittable && (!json_object_get(data, "x") || jx_get_bool(data, "covered", false) ||
	                 jx_get_bool(data, "offscreen", false)))
		fail_msg("seed %llu step %d: %s [%s] \"%s\" is called hittable and has no point",
		         (unsigned long long)r->seed, r->step, jx_get_str(node, "nodeId", "?"),
		         jx_get_str(node, "role", "?"), jx_get_str(node, "label", ""));
}

static void look(struct run *r)
{
	auto_json json_t *reply = send(r, json_pack("{s:s}", "command", "snapshot"));
	if (strcmp(code_of(reply), "APP_NOT_RUNNING") == 0) {
		json_decref(
		    send(r, json_pack("{s:s, s:s}", "command", "activate", "appBundleId", "random")));
		return;
	}
	assert_string_equal(code_of(reply), "");
	json_decref(r->nodes);
	r->nodes = json_incref(json_object_get(json_object_get(reply, "data"), "nodes"));
	size_t i;
	json_t *node;
	json_array_foreach(r->nodes, i, node) check_node(r, node);
}

static void write_scene(struct run *r, char path[64])
{
	auto_json json_t *scene = random_scene(&r->dice);
	auto_buf struct buf text;
	buf_init(&text, LIM_SCENE);
	jx_dump(scene, false, &text);
	snprintf(path, 64, "%s/scene.json", dir);
	assert_int_equal(fs_write(path, text.data, text.len, 0600, NULL), 0);
}

/* The transcript of one seed; caller frees. */
static char *play(uint64_t seed)
{
	struct run r = { .seed = seed, .dice = dice_seed(seed) };
	const struct vd_options o = { .scene_dir = dir };
	char path[64];
	buf_init(&r.transcript, 256u * 1024 * 1024);
	write_scene(&r, path);
	assert_int_equal(vd_backend_open(&r.env.backend, &o, NULL), 0);
	auto_json json_t *opened =
	    send(&r, json_pack("{s:s, s:s}", "command", "launch", "target", path));
	if (strcmp(code_of(opened), "") != 0)
		fail_msg("seed %llu: %s", (unsigned long long)seed,
		         jx_get_str(json_object_get(opened, "error"), "message", ""));
	for (r.step = 0; r.step < STEPS; r.step++) {
		look(&r);
		auto_json json_t *reply = send(&r, random_command(&r));
		if (strcmp(code_of(reply), "INTERNAL_ERROR") == 0)
			fail_msg("seed %llu step %d: INTERNAL_ERROR", (unsigned long long)seed, r.step);
	}
	if (seed % 8 == 0)
		json_decref(
		    send(&r, json_pack("{s:s, s:b}", "command", "screenshot", "inlineScreenshot", 1)));
	r.env.backend->ops->close(r.env.backend);
	json_decref(r.nodes);
	return buf_detach(&r.transcript);
}

static uint64_t seeds(void)
{
	const char *told = getenv("DEFT_FUZZ_SEEDS");
	int64_t n;
	return told && number_parse_int(told, &n) && n > 0 ? (uint64_t)n : 48;
}

static void random_scenes_hold_the_invariants(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= seeds(); seed++)
		free(play(seed));
}

static void same_seed_same_transcript(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= seeds() / 4; seed++) {
		auto_free char *first = play(seed), *second = play(seed);
		if (strcmp(first, second) != 0)
			fail_msg("seed %llu: two runs differ", (unsigned long long)seed);
	}
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	char path[64];
	snprintf(path, sizeof(path), "%s/scene.json", dir);
	unlink(path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_scenes_hold_the_invariants),
		cmocka_unit_test(same_seed_same_transcript),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
