#include "client/internal.h"

#include "base/log.h"

#include <stddef.h>

enum {
	REUSE = 0,
	IGNORE = 0,
	START = CL_DO_START,
	END = CL_DO_STOP | CL_DO_FORGET | CL_DO_COUNT_DROP,
	LEAVE = CL_DO_FAREWELL | CL_DO_STOP | CL_DO_FORGET,
};
/* clang-format off */
#define NEVER(state) { state, CL_DO_REFUSE }
/* clang-format on */

/* State x event to state and actions. NEVER marks what the client's own order of work excludes. */
static const struct cl_state_row rows[CL_STATE_COUNT][CL_EV_COUNT] = {
	[CL_IDLE] = {
		[CL_EV_NEEDED] = { CL_STARTING, START },
		[CL_EV_ANNOUNCED] = NEVER(CL_IDLE),
		[CL_EV_START_FAILED] = NEVER(CL_IDLE),
		[CL_EV_ANSWERED] = NEVER(CL_IDLE),
		[CL_EV_PROVED] = NEVER(CL_IDLE),
		[CL_EV_DOUBTED] = NEVER(CL_IDLE),
		[CL_EV_GONE] = NEVER(CL_IDLE),
		[CL_EV_DROPPED] = { CL_IDLE, IGNORE },
		[CL_EV_CLOSED] = { CL_IDLE, IGNORE },
	},
	[CL_STARTING] = {
		[CL_EV_NEEDED] = NEVER(CL_STARTING),
		[CL_EV_ANNOUNCED] = { CL_STARTED, 0 },
		[CL_EV_START_FAILED] = { CL_INVALID, 0 },
		[CL_EV_ANSWERED] = NEVER(CL_STARTING),
		[CL_EV_PROVED] = NEVER(CL_STARTING),
		[CL_EV_DOUBTED] = NEVER(CL_STARTING),
		[CL_EV_GONE] = NEVER(CL_STARTING),
		[CL_EV_DROPPED] = NEVER(CL_STARTING),
		[CL_EV_CLOSED] = NEVER(CL_STARTING),
	},
	[CL_STARTED] = {
		[CL_EV_NEEDED] = { CL_STARTED, REUSE },
		[CL_EV_ANNOUNCED] = NEVER(CL_STARTED),
		[CL_EV_START_FAILED] = NEVER(CL_STARTED),
		[CL_EV_ANSWERED] = { CL_READY, 0 },
		[CL_EV_PROVED] = NEVER(CL_STARTED),
		[CL_EV_DOUBTED] = NEVER(CL_STARTED),
		[CL_EV_GONE] = { CL_INVALID, END },
		[CL_EV_DROPPED] = { CL_INVALID, END },
		[CL_EV_CLOSED] = { CL_IDLE, LEAVE },
	},
	[CL_READY] = {
		[CL_EV_NEEDED] = { CL_READY, REUSE },
		[CL_EV_ANNOUNCED] = NEVER(CL_READY),
		[CL_EV_START_FAILED] = NEVER(CL_READY),
		[CL_EV_ANSWERED] = { CL_READY, 0 },
		[CL_EV_PROVED] = { CL_READY, CL_DO_NOTE },
		[CL_EV_DOUBTED] = { CL_READY, CL_DO_FORGET },
		[CL_EV_GONE] = { CL_INVALID, END },
		[CL_EV_DROPPED] = { CL_INVALID, END },
		[CL_EV_CLOSED] = { CL_IDLE, LEAVE },
	},
	[CL_INVALID] = {
		[CL_EV_NEEDED] = { CL_STARTING, START | CL_DO_COUNT_RESTART },
		[CL_EV_ANNOUNCED] = NEVER(CL_INVALID),
		[CL_EV_START_FAILED] = NEVER(CL_INVALID),
		[CL_EV_ANSWERED] = NEVER(CL_INVALID),
		[CL_EV_PROVED] = NEVER(CL_INVALID),
		[CL_EV_DOUBTED] = NEVER(CL_INVALID),
		[CL_EV_GONE] = NEVER(CL_INVALID),
		[CL_EV_DROPPED] = { CL_INVALID, IGNORE },
		[CL_EV_CLOSED] = { CL_IDLE, IGNORE },
	},
};

const struct cl_state_row *cl_state_row(enum cl_state state, enum cl_event event)
{
	return &rows[state][event];
}

const char *cl_state_name(enum cl_state state)
{
	static const char *const names[CL_STATE_COUNT] = { "idle", "starting", "started", "ready",
		                                               "invalid" };
	return names[state];
}

const char *cl_event_name(enum cl_event event)
{
	static const char *const names[CL_EV_COUNT] = { "needed",   "announced", "startFailed",
		                                            "answered", "proved",    "doubted",
		                                            "gone",     "dropped",   "closed" };
	return names[event];
}

bool cl_runs(const struct cl_session *s)
{
	return s->state == CL_STARTED || s->state == CL_READY;
}

bool cl_is_ready(const struct cl_session *s)
{
	return s->state == CL_READY;
}
