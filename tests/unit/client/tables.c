#include "tables.h"

#include "base/cleanup.h"
#include "client/internal.h"

#include <string.h>

/* --- states ---------------------------------------------------------------------------------------- */

static void add_actions(struct buf *out, unsigned actions)
{
	static const struct {
		unsigned action;
		const char *text;
	} texts[] = {
		{ CL_DO_START, "start" },
		{ CL_DO_FAREWELL, "farewell" },
		{ CL_DO_STOP, "stop" },
		{ CL_DO_NOTE, "note proof" },
		{ CL_DO_FORGET, "forget proof" },
		{ CL_DO_COUNT_RESTART, "count restart" },
		{ CL_DO_COUNT_DROP, "count invalidation" },
	};
	const char *between = " / ";
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!(actions & texts[i].action))
			continue;
		buf_addf(out, "%s%s", between, texts[i].text);
		between = ", ";
	}
}

static void make_states(struct buf *out)
{
	buf_adds(out, "| Event |");
	for (int s = 0; s < CL_STATE_COUNT; s++)
		buf_addf(out, " %s |", cl_state_name((enum cl_state)s));
	buf_adds(out, "\n|---|");
	for (int s = 0; s < CL_STATE_COUNT; s++)
		buf_adds(out, "---|");
	buf_adds(out, "\n");
	for (int ev = 0; ev < CL_EV_COUNT; ev++) {
		buf_addf(out, "| `%s` |", cl_event_name((enum cl_event)ev));
		for (int s = 0; s < CL_STATE_COUNT; s++) {
			const struct cl_state_row *row = cl_state_row((enum cl_state)s, (enum cl_event)ev);
			if (row->actions & CL_DO_REFUSE) {
				buf_adds(out, " – |");
				continue;
			}
			buf_addf(out, " %s", cl_state_name(row->next));
			add_actions(out, row->actions);
			buf_adds(out, " |");
		}
		buf_adds(out, "\n");
	}
}

/* --- preflight ------------------------------------------------------------------------------------- */

static const char *condition(const char *reason)
{
	static const char *const texts[][2] = {
		{ "read_only_startup_command", "the session is not ready, and the command may be resent" },
		{ "startup", "the session is not ready" },
		{ "readiness_probe_command", "the command is `uptime` or `status`" },
		{ "conservative_command", "the command is not one of the allowlist" },
		{ "no_recent_healthy_mutation", "there is no proof" },
		{ "app_activation_uncertain", "the proof is of another app, or one of both names none" },
		{ "healthy_mutation_stale", "the proof is older than `LIM_RUNNER_RECENCY_MS`" },
		{ "recent_healthy_mutation", "otherwise" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (strcmp(texts[i][0], reason) == 0)
			return texts[i][1];
	return "(no text for this rule)";
}

static void make_preflight(struct buf *out)
{
	const struct cl_preflight_rule *rule;
	buf_adds(out, "| # | When | Preflight | Reason told |\n|---|---|---|---|\n");
	for (size_t i = 0; (rule = cl_preflight_rule(i)); i++)
		buf_addf(out, "| %zu | %s | %s | `%s`%s |\n", i + 1, condition(rule->reason),
		         rule->run ? "runs" : "skipped", rule->reason,
		         rule->tells_age ? " and the proof's age" : "");
}

/* --- failure ladder -------------------------------------------------------------------------------- */

static void make_ladder(struct buf *out)
{
	static const char *const paths[CL_PATH_COUNT] = { "reported; session kept",
		                                              "once more behind a preflight, then restart",
		                                              "restart and run there", "status question" };
	buf_adds(out, "| Class | Path | Reason of an invalidation | `executed` of a mutation |\n"
	              "|---|---|---|---|\n");
	for (int c = CL_CLASS_NONE + 1; c < CL_CLASS_COUNT; c++) {
		const struct cl_ladder_row *row = cl_ladder((enum cl_class)c);
		buf_addf(out, "| `%s` | %s | %s%s%s | %s |\n", cl_class_name((enum cl_class)c),
		         paths[row->path], row->reason ? "`" : "", row->reason ? row->reason : "",
		         row->reason ? "`" : "", row->executed ? row->executed : "by the error's code");
	}
}

/* --- recovery -------------------------------------------------------------------------------------- */

static void make_recovery(struct buf *out)
{
	static const char *const answers[CL_ANSWER_COUNT] = {
		"nothing to ask about",    "no answer",
		"the caller's time is up", "`completed`, reply retained",
		"`completed`, no reply",   "`failed`",
		"`accepted` or `started`", "`notAccepted`, anything else",
		"no state in the answer",
	};
	static const char *const actions[] = { "transport error", "the retained reply",
		                                   "the runner's error", "`RUNNER_LOST_REPLY`" };
	buf_adds(out, "| Answer | Mutation | Read | Session | Decision | `executed` |\n"
	              "|---|---|---|---|---|---|\n");
	for (int a = 0; a < CL_ANSWER_COUNT; a++) {
		const struct cl_recovery_row *row = cl_recovery_row((enum cl_answer)a);
		bool one = strcmp(row->decision[0], row->decision[1]) == 0;
		buf_addf(out, "| %s | %s | %s | %s | `%s`%s%s%s | %s |\n", answers[a],
		         actions[row->action[0]], actions[row->action[1]],
		         row->invalidate ? "invalidated" : "kept", row->decision[0],
		         one ? "" : ", a read: `", one ? "" : row->decision[1], one ? "" : "`",
		         row->executed ? row->executed : "by the error's code");
	}
}

const struct table tables[] = {
	{ "states", make_states },
	{ "preflight", make_preflight },
	{ "ladder", make_ladder },
	{ "recovery", make_recovery },
};
const size_t n_tables = ARRAY_SIZE(tables);
