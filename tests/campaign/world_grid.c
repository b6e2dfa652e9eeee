#include "world.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program has this many check boxes; each command takes the next one. One world at a time. */
enum { BOXES = 120, CATCH_UP_MS = 5000 };
enum kind { TAP, FIND_TEXT, SNAPSHOT, UPTIME, KINDS };

/* What became of the boxes is the program's memory: it outlives every session. */
static struct {
	FILE *log;
	int toggled[BOXES];
	unsigned next;
} grid;

struct world {
	struct line *line;
	struct ledger *ledger;
	char log[512];
	unsigned audits;
	struct use {
		char id[40];
		unsigned box;
		int before; /* toggles of the box when the command was made */
	} uses[BOXES];
	size_t n_uses;
};

/* --- the program's log ------------------------------------------------------------------------------ */

static void read_log(void)
{
	char line[256];
	const char *path = getenv("DEFT_APP_LOG");
	if (!grid.log && path)
		grid.log = fopen(path, "re");
	if (!grid.log)
		return;
	clearerr(grid.log);
	for (long at = ftell(grid.log); fgets(line, sizeof line, grid.log); at = ftell(grid.log)) {
		unsigned box;
		if (!strchr(line, '\n')) { /* half of a line: once more later */
			fseek(grid.log, at, SEEK_SET);
			return;
		}
		if (sscanf(line, "toggled w%u ", &box) == 1 && box < BOXES)
			grid.toggled[box]++;
	}
}

static const struct use *use_of(const struct world *w, const char *id)
{
	for (size_t i = w->n_uses; i-- > 0;)
		if (strcmp(w->uses[i].id, id) == 0)
			return &w->uses[i];
	return NULL;
}

static int executed(struct world *w, const char *id)
{
	const struct use *u = use_of(w, id);
	return u ? grid.toggled[u->box] - u->before : 0;
}

/* --- commands -------------------------------------------------------------------------------------- */

static json_t *tap(struct world *w, const char *id)
{
	unsigned box = grid.next++ % BOXES;
	struct use *u = &w->uses[w->n_uses++];
	read_log();
	*u = (struct use){ .box = box, .before = grid.toggled[box] };
	snprintf(u->id, sizeof u->id, "%s", id);
	json_t *j =
	    json_pack("{s:s, s:s, s:s}", "command", "tap", "commandId", id, "selectorKey", "label");
	json_object_set_new(j, "selectorValue", json_sprintf("w%u", box));
	return j;
}

static json_t *command(struct world *w, unsigned kind, const char *id)
{
	switch ((enum kind)kind) {
	case TAP: return tap(w, id);
	case FIND_TEXT:
		return json_pack("{s:s, s:s, s:s}", "command", "findText", "commandId", id, "text", "w1");
	case SNAPSHOT:
		return json_pack("{s:s, s:s, s:b, s:i}", "command", "snapshot", "commandId", id,
		                 "interactiveOnly", 1, "depth", 2);
	default: return json_pack("{s:s, s:s}", "command", "uptime", "commandId", id);
	}
}

static bool is_mutation(unsigned kind)
{
	return kind == TAP;
}

/* --- life ------------------------------------------------------------------------------------------ */

static bool prepare(struct line *l, void *ctx)
{
	struct world *w = ctx;
	ledger_next_runner(w->ledger);
	return true;
}

static void close_world(struct world *w)
{
	if (!w)
		return;
	ledger_free(w->ledger);
	if (grid.log)
		fclose(grid.log);
	grid.log = NULL;
	memset(grid.toggled, 0, sizeof grid.toggled); /* read from the beginning by the next world */
	remove(w->log);
	free(w);
}

static struct world *open_world(const char *dir, const char *const *argv)
{
	static unsigned number;
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

static bool heard(struct world *w, const char *id)
{
	const struct ledger_entry *e = ledger_find(w->ledger, id);
	return e && e->accepted > 0;
}

/* The program shows everything that the runner says it did. */
static bool has_caught_up(struct world *w)
{
	read_log();
	for (size_t i = 0; i < w->n_uses; i++)
		if (ledger_done(w->ledger, w->uses[i].id) > executed(w, w->uses[i].id))
			return false;
	return true;
}

static bool settle(struct world *w)
{
	char id[32];
	snprintf(id, sizeof id, "audit-%u", w->audits++);
	/* Answered by the program itself, after it has seen what was sent to it before. */
	json_t auto_json *data = line_ask(w->line, json_pack("{s:s, s:s, s:s}", "command", "findText",
	                                                     "commandId", id, "text", "w0"));
	ledger_update(w->ledger);
	for (int ms = 0; ms < CATCH_UP_MS && !has_caught_up(w); ms++)
		clock_wait(1, NULL, NULL);
	return data != NULL;
}

static bool agrees(struct world *w, struct buf *why)
{
	for (size_t i = 0; i < w->n_uses; i++) {
		const struct use *u = &w->uses[i];
		int told = ledger_done(w->ledger, u->id), seen = executed(w, u->id);
		if (told == seen)
			continue;
		buf_addf(why, "%s (w%u): the program was toggled %d times, the runner told of %d", u->id,
		         u->box, seen, told);
		return false;
	}
	return true;
}

const struct world_ops world_grid = {
	.name = "grid",
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
	.lasts = 100,
};
