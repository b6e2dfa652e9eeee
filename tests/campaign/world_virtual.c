#include "world.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world {
	struct line *line;
	struct ledger *ledger;
	char log[512];
	unsigned audits;
};

enum kind { TAP, SEQUENCE, TYPE, SET_VALUE, STEP, SNAPSHOT, READ_TEXT, UPTIME, KINDS };
enum { TAPS_OF_SEQUENCE = 2 };

static const char *scene_path(void)
{
	const char *path = getenv("DEFT_CAMPAIGN_SCENE");
	return path ? path : CAMPAIGN_SCENE;
}

/* --- commands -------------------------------------------------------------------------------------- */

static json_t *on(const char *command, const char *identifier, const char *id)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "command", command, "commandId", id,
	                 "appBundleId", "campaign", "selectorKey", "id", "selectorValue", identifier);
}

/* The button's place never changes: nothing above it does. */
static json_t *sequence(const char *id)
{
	json_t *steps = json_array();
	for (int i = 0; i < TAPS_OF_SEQUENCE; i++)
		json_array_append_new(steps,
		                      json_pack("{s:s, s:i, s:i}", "kind", "tap", "x", 206, "y", 118));
	return json_pack("{s:s, s:s, s:s, s:o}", "command", "sequence", "commandId", id, "appBundleId",
	                 "campaign", "steps", steps);
}

static json_t *command(struct world *w, unsigned kind, const char *id)
{
	json_t *j;
	switch ((enum kind)kind) {
	case TAP: return on("tap", "count", id);
	case SEQUENCE: return sequence(id);
	case TYPE:
		j = on("type", "notes", id);
		json_object_set_new(j, "text", json_sprintf("%s;", id));
		return j;
	case SET_VALUE:
		j = on("setValue", "level", id);
		jx_set_int(j, "value", 1 + (int64_t)(strtoull(strrchr(id, '-') + 1, NULL, 10) % 1000));
		return j;
	case STEP:
		j = on("step", "quantity", id);
		jx_set_str(j, "direction", "increment");
		return j;
	case READ_TEXT: return on("readText", "notes", id);
	case SNAPSHOT:
		return json_pack("{s:s, s:s, s:s}", "command", "snapshot", "commandId", id, "appBundleId",
		                 "campaign");
	default: return json_pack("{s:s, s:s}", "command", "uptime", "commandId", id);
	}
}

static bool is_mutation(unsigned kind)
{
	return kind < SNAPSHOT;
}

/* --- life ------------------------------------------------------------------------------------------ */

static bool prepare(struct line *l, void *ctx)
{
	struct world *w = ctx;
	ledger_next_runner(w->ledger);
	json_t auto_json *data = line_ask(l, json_pack("{s:s, s:s, s:s}", "command", "launch", "target",
	                                               scene_path(), "commandId", "audit-launch"));
	return data != NULL;
}

static void close_world(struct world *w)
{
	if (!w)
		return;
	ledger_free(w->ledger);
	remove(w->log);
	free(w);
}

static struct world *open_world(const char *dir, const char *const *argv)
{
	static _Atomic unsigned number;
	struct world *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	snprintf(w->log, sizeof w->log, "%s/runner-%u.log", dir, number++);
	w->ledger = ledger_new(w->log);
	const struct line_opts o = { .argv = argv, .log_path = w->log, .prepare = prepare, .ctx = w };
	w->line = w->ledger ? line_new(&o) : NULL;
	if (w->line)
		return w;
	close_world(w);
	return NULL;
}

static struct line *line_of(struct world *w)
{
	return w->line;
}

/* --- books ----------------------------------------------------------------------------------------- */

static json_t *ask_as_auditor(struct world *w, const char *name)
{
	char id[32];
	snprintf(id, sizeof id, "audit-%u", w->audits++);
	json_t *request = json_pack("{s:s, s:s}", "command", name, "commandId", id);
	if (strcmp(name, "snapshot") == 0)
		jx_set_bool(request, "raw", true);
	return line_ask(w->line, request);
}

/* The executor is serial: whoever is answered now stood behind all that was accepted before. */
static bool settle(struct world *w)
{
	json_t auto_json *data = ask_as_auditor(w, "deviceInfo");
	ledger_update(w->ledger);
	return data != NULL;
}

static int executed(struct world *w, const char *id)
{
	return ledger_done(w->ledger, id);
}

static bool heard(struct world *w, const char *id)
{
	const struct ledger_entry *e = ledger_find(w->ledger, id);
	return e && e->accepted > 0;
}

static const json_t *node_by_id(const json_t *tree, const char *identifier)
{
	size_t i;
	json_t *node;
	json_array_foreach(json_object_get(tree, "nodes"), i, node)
	{
		if (strcmp(jx_get_str(node, "identifier", ""), identifier) == 0)
			return node;
	}
	return NULL;
}

static int count_rows(const json_t *tree)
{
	size_t i;
	json_t *node;
	int n = 0;
	json_array_foreach(json_object_get(tree, "nodes"), i, node)
	{
		n += strcmp(jx_get_str(node, "label", ""), "counted") == 0;
	}
	return n;
}

static int count_words(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += *text == ';';
	return n;
}

static bool same(const char *what, int64_t shown, int64_t told, struct buf *why)
{
	if (shown == told)
		return true;
	buf_addf(why, "%s: the app shows %lld, the runner told of %lld", what, (long long)shown,
	         (long long)told);
	return false;
}

static bool app_agrees(struct world *w, const json_t *tree, struct buf *why)
{
	int taps = ledger_done_now(w->ledger, "tap", false) +
	           TAPS_OF_SEQUENCE * ledger_done_now(w->ledger, "sequence", false);
	const char *notes = jx_get_str(node_by_id(tree, "notes"), "value", "");
	int64_t steps = strtoll(jx_get_str(node_by_id(tree, "quantity"), "value", "0"), NULL, 10);
	return same("rows", count_rows(tree), taps, why) &&
	       same("words", count_words(notes), ledger_done_now(w->ledger, "type", false), why) &&
	       same("steps", steps, ledger_done_now(w->ledger, "step", false), why);
}

static bool runner_agrees(struct world *w, const json_t *facts, struct buf *why)
{
	static const char *const names[] = { "tap", "sequence", "type", "setValue", "step" };
	const json_t *counts = json_object_get(facts, "executed");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!same(names[i], jx_get_int(counts, names[i], 0),
		          ledger_done_now(w->ledger, names[i], true), why))
			return false;
	return true;
}

static bool agrees(struct world *w, struct buf *why)
{
	json_t auto_json *tree = ask_as_auditor(w, "snapshot");
	json_t auto_json *facts = ask_as_auditor(w, "deviceInfo");
	ledger_update(w->ledger);
	if (!tree || !facts)
		return true; /* gone meanwhile: nothing to compare */
	return app_agrees(w, tree, why) && runner_agrees(w, facts, why);
}

const struct world_ops world_virtual = {
	.name = "virtual",
	.kinds = KINDS,
	.open = open_world,
	.close = close_world,
	.prepare = prepare,
	.command = command,
	.is_mutation = is_mutation,
	.executed = executed,
	.heard = heard,
	.settle = settle,
	.agrees = agrees,
	.line = line_of,
	.lasts = 300,
};
