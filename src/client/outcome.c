#include "client/internal.h"

#include "base/cleanup.h"
#include "base/jx.h"

/* What the runner's own error says about the command. Refusals come before any input (runner.h);
 * read-back failures after it. Every other code leaves it open. */
static const struct {
	enum err_code code;
	const char *executed;
} known[] = {
	{ ERR_INVALID_ARGS, "no" },
	{ ERR_UNKNOWN_COMMAND, "no" },
	{ ERR_UNAUTHORIZED, "no" },
	{ ERR_RUNNER_BUSY, "no" },
	{ ERR_RUNNER_WEDGED, "no" },
	{ ERR_ELEMENT_NOT_FOUND, "no" },
	{ ERR_AMBIGUOUS_MATCH, "no" },
	{ ERR_ELEMENT_STALE, "no" },
	{ ERR_ELEMENT_OFFSCREEN, "no" },
	{ ERR_ELEMENT_COVERED, "no" },
	{ ERR_ELEMENT_DISABLED, "no" },
	{ ERR_INVALID_TARGET, "no" },
	{ ERR_ELEMENT_NOT_INTERACTABLE, "no" },
	{ ERR_APP_NOT_FOUND, "no" },
	{ ERR_UNSUPPORTED_OPERATION, "no" },
	{ ERR_TOOL_MISSING, "no" },
	{ ERR_TEXT_ENTRY_MISMATCH, "yes" },
	{ ERR_NO_EFFECT, "yes" },
	{ ERR_CONTROL_CONVERGENCE_FAILED, "yes" },
};

static const char *told_by_runner(const struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].code == e->code && !json_object_get(e->details, "remoteCode"))
			return known[i].executed;
	return "unknown";
}

void cl_note_executed(struct error *e, enum cl_class class, bool sent)
{
	if (!e || json_object_get(e->details, "executed"))
		return;
	const char *executed = cl_ladder(class)->executed;
	if (!executed)
		executed = told_by_runner(e);
	if (class == CL_CLASS_CANCELED && !sent)
		executed = "no";
	error_detail_str(e, "executed", executed);
}
