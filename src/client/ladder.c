#include "client/internal.h"

/* Runner protocol 4.9 and 4.11, over typed classes instead of message texts. A restart sends the
 * command again and therefore stands only where nothing of it was sent. A runner that refuses one
 * connection may still be well: before it is given up its preflight decides. */
static const struct cl_ladder_row rows[CL_CLASS_COUNT] = {
	[CL_CLASS_NONE] = { CL_PATH_RETHROW, NULL, NULL },
	[CL_CLASS_START] = { CL_PATH_RETHROW, NULL, "no" },
	[CL_CLASS_OUT_OF_TIME] = { CL_PATH_RETHROW, NULL, "no" },
	[CL_CLASS_PREFLIGHT_CONNECT] = { CL_PATH_RESTART, "runner_connect_failed_before_command_send",
	                                 "no" },
	[CL_CLASS_PREFLIGHT_LOST] = { CL_PATH_RESTART,
	                              "runner_readiness_preflight_failed_before_command_send", "no" },
	[CL_CLASS_PREFLIGHT_REFUSED] = { CL_PATH_RETHROW, NULL, "no" },
	[CL_CLASS_NOT_SENT] = { CL_PATH_AGAIN, "runner_connect_failed_before_command_send", "no" },
	[CL_CLASS_LOST] = { CL_PATH_RECOVER, "transport_error_after_command_send", "unknown" },
	[CL_CLASS_TIMED_OUT] = { CL_PATH_RETHROW, NULL, "unknown" },
	[CL_CLASS_CANCELED] = { CL_PATH_RETHROW, NULL, "unknown" },
	[CL_CLASS_BAD_REPLY] = { CL_PATH_RETHROW, NULL, "unknown" },
	[CL_CLASS_RUNNER_ERROR] = { CL_PATH_RETHROW, NULL, NULL },
};

const struct cl_ladder_row *cl_ladder(enum cl_class class)
{
	return &rows[class];
}

const char *cl_class_name(enum cl_class class)
{
	static const char *const names[CL_CLASS_COUNT] = {
		"none",    "start", "outOfTime", "preflightConnect", "preflightLost", "preflightRefused",
		"notSent", "lost",  "timedOut",  "canceled",         "badReply",      "runnerError",
	};
	return names[class];
}

enum cl_class cl_class_of(enum cl_failure failure)
{
	static const enum cl_class classes[] = {
		[CL_OK] = CL_CLASS_NONE,           [CL_NOT_SENT] = CL_CLASS_NOT_SENT,
		[CL_LOST] = CL_CLASS_LOST,         [CL_TIMED_OUT] = CL_CLASS_TIMED_OUT,
		[CL_CANCELED] = CL_CLASS_CANCELED,
	};
	return classes[failure];
}
