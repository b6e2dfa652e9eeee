/* The runner's command table: X(NAME, wire name, interaction, runner read-only, lifecycle,
 * retain reply, client read-only, preflight skip). Source: runner protocol 2.4; the commands after
 * the blank line are ours and are described in docs/runner-protocol.md.
 *
 * interaction   gates foreground guard and stabilisation
 * read-only     runner: may be retried inside the runner; conditional: `alert` only for get
 * lifecycle     skips app activation
 * retain        reply JSON is kept in the journal for recovery
 * client RO     the client may resend it
 * skip          may skip its preflight after a recent healthy mutation
 */
#ifndef DEFT_WIRE_RUNNER_COMMANDS_H
#define DEFT_WIRE_RUNNER_COMMANDS_H

#include <stdbool.h>

enum wire_ro { WIRE_RO_NEVER, WIRE_RO_ALWAYS, WIRE_RO_CONDITIONAL };

/* clang-format off */
#define RUNNER_COMMANDS(X) \
	/*  NAME              wire               inter. read-only             lifec. retain cl.RO  skip */ \
	X(TAP,                "tap",             true,  WIRE_RO_NEVER,        false, true,  false, true)  \
	X(LONG_PRESS,         "longPress",       true,  WIRE_RO_NEVER,        false, true,  false, true)  \
	X(DRAG,               "drag",            true,  WIRE_RO_NEVER,        false, true,  false, true)  \
	X(SWIPE,              "swipe",           true,  WIRE_RO_NEVER,        false, true,  false, true)  \
	X(SCROLL,             "scroll",          true,  WIRE_RO_NEVER,        false, true,  false, true)  \
	X(SEQUENCE,           "sequence",        true,  WIRE_RO_NEVER,        false, true,  false, true)  \
	X(TYPE,               "type",            true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(BACK,               "back",            true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(HOME,               "home",            false, WIRE_RO_NEVER,        false, true,  false, false) \
	X(ROTATE,             "rotate",          true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(KEYBOARD_DISMISS,   "keyboardDismiss", true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(FIND_TEXT,          "findText",        false, WIRE_RO_ALWAYS,       false, true,  true,  false) \
	X(READ_TEXT,          "readText",        false, WIRE_RO_ALWAYS,       false, true,  true,  false) \
	X(SNAPSHOT,           "snapshot",        false, WIRE_RO_ALWAYS,       false, false, true,  false) \
	X(SCREENSHOT,         "screenshot",      false, WIRE_RO_ALWAYS,       true,  false, true,  false) \
	X(QUERY_SELECTOR,     "querySelector",   false, WIRE_RO_NEVER,        false, true,  true,  false) \
	X(ALERT,              "alert",           false, WIRE_RO_CONDITIONAL,  false, true,  false, false) \
	X(STATUS,             "status",          false, WIRE_RO_ALWAYS,       true,  false, true,  false) \
	X(UPTIME,             "uptime",          false, WIRE_RO_NEVER,        true,  false, true,  false) \
	X(SHUTDOWN,           "shutdown",        false, WIRE_RO_NEVER,        true,  true,  false, false) \
	\
	X(FOCUS,              "focus",           true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(KEY,                "key",             true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(PERFORM_ACTION,     "performAction",   true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(LOCATE,             "locate",          false, WIRE_RO_ALWAYS,       false, true,  true,  false) \
	X(READ_CONTROL,       "readControl",     false, WIRE_RO_ALWAYS,       false, true,  true,  false) \
	X(SET_VALUE,          "setValue",        true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(STEP,               "step",            true,  WIRE_RO_NEVER,        false, true,  false, false) \
	X(APPS,               "apps",            false, WIRE_RO_ALWAYS,       true,  false, true,  false) \
	X(DEVICE_INFO,        "deviceInfo",      false, WIRE_RO_ALWAYS,       true,  true,  true,  false) \
	X(LAUNCH,             "launch",          false, WIRE_RO_NEVER,        true,  true,  false, false) \
	X(ACTIVATE,           "activate",        false, WIRE_RO_NEVER,        true,  true,  false, false) \
	X(TERMINATE,          "terminate",       false, WIRE_RO_NEVER,        true,  true,  false, false) \
	X(IDLE,               "idle",            false, WIRE_RO_NEVER,        true,  true,  false, false)
/* clang-format on */

enum wire_command {
#define RUNNER_ENUM(name, wire, inter, ro, life, retain, cro, skip) WIRE_CMD_##name,
	RUNNER_COMMANDS(RUNNER_ENUM)
#undef RUNNER_ENUM
	WIRE_CMD_COUNT
};

struct wire_command_traits {
	const char *name;
	bool interaction;
	enum wire_ro read_only;
	bool lifecycle;
	bool retain_reply;
	bool client_read_only;
	bool preflight_skip;
};

const struct wire_command_traits *wire_command_traits(enum wire_command c);
/* -1 for an unknown name. */
int wire_command_from_name(const char *name);

#endif
