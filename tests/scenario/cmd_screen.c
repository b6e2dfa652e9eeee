#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "platform/platform.h"
#include "support/virtual_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RULES 32
#define MAX_REQUESTS 4096

struct rule {
	char command[32];
	char *data, *error;
	int64_t takes_ms;
};

static struct {
	json_t *snapshot; /* data of the snapshot reply */
	const char *state, *reason;
	struct rule rules[MAX_RULES];
	size_t n_rules;
	json_t *requests[MAX_REQUESTS];
	size_t n_requests;
	void (*on_request)(const json_t *request);
	bool alive;
	char *text;
} screen;

/* --- the screen -------------------------------------------------------------------------------- */

static json_t *node_json(const struct screen_node *n, size_t index, int parent)
{
	static const struct {
		char letter;
		const char *key;
	} flags[] = { { 'e', "editable" },           { 'p', "password" },          { 'r', "readOnly" },
		          { 'm', "multiline" },          { 's', "scrollable" },        { 'f', "focused" },
		          { 'a', "hiddenContentAbove" }, { 'b', "hiddenContentBelow" } };
	const char *given = n->flags ? n->flags : "";
	bool enabled = !strchr(given, 'd');
	json_t *o = json_object();

	jx_set_int(o, "index", (int64_t)index);
	jx_set_str(o, "type", n->role);
	jx_set_str(o, "role", n->role);
	jx_set_str(o, "label", n->label);
	jx_set_str(o, "value", n->value);
	jx_set(o, "nodeId", json_sprintf("n%zu:%s", index, n->label ? n->label : n->role));
	jx_set(o, "rect",
	       json_pack("{s:f,s:f,s:f,s:f}", "x", n->x, "y", n->y, "width",
	                 n->width > 0 ? n->width : 100, "height", n->height > 0 ? n->height : 20));
	jx_set_bool(o, "enabled", enabled);
	jx_set_bool(o, "hittable", enabled);
	jx_set_bool(o, "visible", true);
	jx_set_int(o, "depth", n->depth);
	if (parent >= 0)
		jx_set_int(o, "parentIndex", parent);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (strchr(given, flags[i].letter))
			jx_set_bool(o, flags[i].key, true);
	return o;
}

void screen_show(const struct screen_node *nodes, size_t n)
{
	int parents[64] = { 0 };
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		int depth = nodes[i].depth;

		json_array_append_new(list, node_json(&nodes[i], i, depth ? parents[depth - 1] : -1));
		parents[depth] = (int)i;
	}
	json_decref(screen.snapshot);
	screen.snapshot = json_pack("{s:o,s:b,s:s,s:s}", "nodes", list, "truncated", 0, "appName",
	                            "Demo", "appBundleId", "demo");
}

void screen_quality(const char *state, const char *reason)
{
	screen.state = state;
	screen.reason = reason;
}

static struct rule *rule_for(const char *command, bool make)
{
	for (size_t i = 0; i < screen.n_rules; i++)
		if (!strcmp(screen.rules[i].command, command))
			return &screen.rules[i];
	if (!make)
		return NULL;
	if (screen.n_rules == MAX_RULES)
		abort();
	struct rule *r = &screen.rules[screen.n_rules++];
	*r = (struct rule){ .data = NULL };
	snprintf(r->command, sizeof(r->command), "%s", command);
	return r;
}

void screen_reply(const char *command, const char *data)
{
	struct rule *r = rule_for(command, true);

	free(r->data);
	r->data = data ? strdup(data) : NULL;
}

void screen_fail(const char *command, const char *error)
{
	struct rule *r = rule_for(command, true);

	free(r->error);
	r->error = error ? strdup(error) : NULL;
}

void screen_takes(const char *command, int64_t ms)
{
	rule_for(command, true)->takes_ms = ms;
}

void screen_on_request(void (*fn)(const json_t *request))
{
	screen.on_request = fn;
}

/* --- the runner that is not there -------------------------------------------------------------- */

static int start(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e)
{
	*ret = (struct cl_endpoint){ .host = "scripted", .port = 1, .process = { 1001, 1 } };
	screen.alive = true;
	return 0;
}

static bool alive(void *ctx, const struct cl_endpoint *ep)
{
	return screen.alive;
}

static void stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
	screen.alive = false;
}

static json_t *snapshot_data(void)
{
	json_t *data = json_deep_copy(screen.snapshot);
	json_t *quality = json_pack("{s:s,s:s}", "state", screen.state ? screen.state : "healthy",
	                            "backend", "scripted");

	jx_set_str(quality, "reason", screen.reason);
	jx_set(data, "snapshotQuality", quality);
	return data;
}

static json_t *answer(const char *command)
{
	const struct rule *r = rule_for(command, false);

	if (r && r->error)
		return json_pack("{s:b,s:o}", "ok", 0, "error", json_loads(r->error, 0, NULL));
	if (r && r->data)
		return json_pack("{s:b,s:o}", "ok", 1, "data", json_loads(r->data, 0, NULL));
	return json_pack("{s:b,s:o}", "ok", 1, "data",
	                 !strcmp(command, "snapshot") ? snapshot_data() : json_object());
}

static int post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                struct call c, struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	json_t *request = jx_parse(body, len, NULL);
	const char *command = jx_get_str(request, "command", "?");
	const struct rule *r;
	int64_t takes;

	if (screen.n_requests == MAX_REQUESTS)
		abort();
	screen.requests[screen.n_requests++] = request;
	if (screen.on_request)
		screen.on_request(request);
	r = rule_for(command, false);
	takes = r ? r->takes_ms : 0;
	if (takes > deadline_left(c.deadline)) {
		virtual_clock_advance(deadline_left(c.deadline));
		*ret_failure = CL_TIMED_OUT;
		return error_set(e, ERR_TIMEOUT, "the runner did not answer in time");
	}
	virtual_clock_advance(takes);
	auto_json json_t *data = answer(command);

	jx_dump(data, false, reply);
	*ret_failure = CL_OK;
	return 0;
}

/* --- the device -------------------------------------------------------------------------------- */

static int devices(const struct pf_caller *caller, struct call c, struct pf_device_info *list,
                   size_t max, size_t *ret_n, struct error *e)
{
	list[0] = (struct pf_device_info){ .platform = "linux",
		                               .id = "linux::7",
		                               .name = "Scripted",
		                               .kind = "desktop",
		                               .target = "desktop",
		                               .available = true };
	*ret_n = 1;
	return 0;
}

static int attach(const struct pf_caller *caller, const struct pf_device_info *info,
                  struct pf_device **ret, struct error *e)
{
	const struct cl_provider provider = {
		.start = start, .alive = alive, .post = post, .stop = stop
	};
	struct pf_device *d = calloc(1, sizeof(*d));
	int r = pf_runner_device_init(d, info, &provider, e);

	if (r < 0)
		free(d);
	else
		*ret = d;
	return r;
}

struct harness *screen_new(void)
{
	static const struct pf_module module = { .platform = "linux",
		                                     .devices = devices,
		                                     .attach = attach };
	static const struct pf_module *const modules[] = { &module, NULL };

	memset(&screen, 0, sizeof(screen));
	virtual_clock_use(1000);
	pf_set_modules(modules);
	screen_show(NULL, 0);
	return harness_new(NULL);
}

void screen_free(struct harness *h)
{
	screen_on_request(NULL);
	harness_free(h);
	screen_forget();
	for (size_t i = 0; i < screen.n_rules; i++) {
		free(screen.rules[i].data);
		free(screen.rules[i].error);
	}
	json_decref(screen.snapshot);
	free(screen.text);
	memset(&screen, 0, sizeof(screen));
	pf_set_modules(NULL);
	virtual_clock_leave();
}

/* --- requests ---------------------------------------------------------------------------------- */

static bool counts(const json_t *request, const char *command)
{
	const char *name = jx_get_str(request, "command", "");

	return command ? !strcmp(name, command) : strcmp(name, "uptime") && strcmp(name, "shutdown");
}

size_t screen_count(const char *command)
{
	size_t n = 0;

	for (size_t i = 0; i < screen.n_requests; i++)
		n += counts(screen.requests[i], command);
	return n;
}

const json_t *screen_request(const char *command, size_t n)
{
	for (size_t i = 0; i < screen.n_requests; i++)
		if (counts(screen.requests[i], command) && n-- == 0)
			return screen.requests[i];
	fprintf(stderr, "there was no such request: %s\n", command ? command : "any");
	abort();
}

void screen_forget(void)
{
	for (size_t i = 0; i < screen.n_requests; i++)
		json_decref(screen.requests[i]);
	screen.n_requests = 0;
}

/* --- commands ---------------------------------------------------------------------------------- */

void screen_open(struct harness *h)
{
	screen_reply("launch", "{\"id\":\"demo\",\"name\":\"Demo\",\"pid\":77,\"started\":true}");
	json_decref(harness_ok(h, "open", "{\"app\":\"demo\"}"));
	screen_forget();
}

const char *screen_text(struct harness *h, const char *command, const char *args)
{
	auto_json json_t *response = harness_call(
	    h, &(struct harness_call){ .command = command, .args = args, .output = "text" });
	size_t n;

	free(screen.text);
	screen.text = strdup(jx_get_str(response, "text", ""));
	n = strlen(screen.text);
	if (!jx_get_bool(response, "ok", false)) {
		fprintf(stderr, "%s %s: %s\n", command, args, json_dumps(response, 0));
		abort();
	}
	if (n && screen.text[n - 1] == '\n')
		screen.text[n - 1] = '\0';
	return screen.text;
}

json_t *screen_error(struct harness *h, const char *command, const char *args)
{
	auto_json json_t *response = harness_run(h, command, args);

	if (jx_get_bool(response, "ok", false)) {
		fprintf(stderr, "%s %s succeeded: %s\n", command, args, json_dumps(response, 0));
		abort();
	}
	return json_incref(json_object_get(response, "error"));
}

const char *screen_reason(const json_t *error)
{
	return jx_get_str(json_object_get(error, "details"), "reason", "");
}
