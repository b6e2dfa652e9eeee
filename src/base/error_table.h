/* The one error table: X(code, exit status, retriable, meaning, default hint).
 *
 * CLI exit codes, JSON errors, MCP errors and docs/errors.md are made from it. The order is the
 * order of the documentation; the code's name is what travels on every wire.
 *
 * Exit statuses: 1 failed, 2 the call itself is wrong, 3 target on the screen, 4 device or app,
 * 5 session or daemon, 6 time ran out or canceled, 7 cannot be done here, 8 done but not proven,
 * 9 runner, 70 a defect of deft. */
#ifndef DEFT_BASE_ERROR_TABLE_H
#define DEFT_BASE_ERROR_TABLE_H

#define ERROR_TABLE(X)                                                                                  \
	X(COMMAND_FAILED, 1, false, "the command failed for the reason in the message",                     \
	  "run again with --debug and read `deft daemon logs`")                                             \
	X(IO_ERROR, 1, false, "a file could not be read or written", "check the path, its rights and the free space") \
	X(LIMIT_EXCEEDED, 1, false, "a documented limit was met", "see docs/limits.md")                     \
	X(INVALID_ARGS, 2, false, "an argument is missing, unknown or out of range",                        \
	  "see `deft help <command>`")                                                                      \
	X(UNKNOWN_COMMAND, 2, false, "no command has this name", "see `deft help`")                         \
	X(ELEMENT_NOT_FOUND, 3, false, "nothing on the screen matches the target",                          \
	  "take `deft snapshot -i` and use a ref or selector from it")                                      \
	X(AMBIGUOUS_MATCH, 3, false, "several elements match the target",                                   \
	  "use one of the candidates' refs, or add id=, role= or value= to the selector")                   \
	X(ELEMENT_STALE, 3, false, "the element behind the ref is gone or is another one now",              \
	  "take a new `deft snapshot -i`; refs belong to the last snapshot")                                \
	X(ELEMENT_OFFSCREEN, 3, false, "the element is outside of what is visible",                         \
	  "scroll it into view: `deft scroll down`, then take a new snapshot")                              \
	X(ELEMENT_COVERED, 3, false, "another window or element lies over the target",                      \
	  "close or move what covers it, then take a new snapshot")                                         \
	X(ELEMENT_DISABLED, 3, false, "the element does not take input now",                                \
	  "do what enables it first, then take a new snapshot")                                             \
	X(INVALID_TARGET, 3, false, "the element is not of the kind this command needs",                    \
	  "choose an element of the right kind from `deft snapshot -i`")                                    \
	X(ELEMENT_NOT_INTERACTABLE, 3, false, "the control offers no proven way to be changed",             \
	  "read its actions and range with `deft get attrs`")                                               \
	X(DEVICE_NOT_FOUND, 4, false, "no device matches", "run `deft devices`")                            \
	X(DEVICE_UNAVAILABLE, 4, true, "the device is there but can't be used now",                         \
	  "the message names the missing piece; `deft devices` shows it too")                               \
	X(DEVICE_IN_USE, 4, true, "another session holds the device",                                       \
	  "close that session or use it with --session")                                                    \
	X(APP_NOT_FOUND, 4, false, "no program of this name is installed", "run `deft apps --all`")         \
	X(APP_NOT_RUNNING, 4, false, "the program is not running (any more)", "start it with `deft open`")  \
	X(APP_NOT_ACCESSIBLE, 4, false, "the program runs but shows nothing to the accessibility bus",      \
	  "start it with `deft open`, which sets the accessibility environment")                            \
	X(APP_NOT_RESPONDING, 4, true, "the program does not answer accessibility calls",                   \
	  "wait and try again, or close it with `deft close --force`")                                      \
	X(SESSION_NOT_FOUND, 5, false, "no session of this name is open", "start one with `deft open <app>`") \
	X(SESSION_BUSY, 5, true, "another request of this session runs", "wait for it, or use another session") \
	X(DAEMON_UNAVAILABLE, 5, true, "the daemon can't be reached or started", "read `deft daemon logs`") \
	X(DAEMON_VERSION_MISMATCH, 5, false, "client and daemon are of different builds",                   \
	  "stop the old one with `deft daemon stop`; the next command starts the right one")                \
	X(UNAUTHORIZED, 5, false, "the caller may not use this daemon", "use the daemon of your own user")  \
	X(TIMEOUT, 6, true, "time ran out", "raise --timeout, or look with `deft snapshot` what is on the screen") \
	X(CANCELED, 6, true, "the caller went away or canceled", "run the command again if it is still wanted") \
	X(UNSUPPORTED_OPERATION, 7, false, "this device or program has no means for it",                    \
	  "the message names what is missing and what works instead")                                       \
	X(TOOL_MISSING, 7, false, "a program or library that is needed is not installed",                   \
	  "install what the message names")                                                                 \
	X(TEXT_ENTRY_MISMATCH, 8, false, "the text was read back and is not what was asked for",            \
	  "compare both texts in the details")                                                              \
	X(NO_EFFECT, 8, false, "the action was accepted and nothing changed",                               \
	  "take a snapshot; the element may ignore this action")                                            \
	X(CONTROL_CONVERGENCE_FAILED, 8, false, "the control did not reach the value asked for",            \
	  "the actual value is in the details")                                                             \
	X(UNKNOWN, 8, false, "the control's own state can't be read as a number",                           \
	  "read the raw value with `deft get attrs`")                                                       \
	X(RUNNER_UNAVAILABLE, 9, true, "the runner could not be started or reached",                        \
	  "run the command again; if it stays, read `deft daemon logs`")                                    \
	X(RUNNER_LOST_REPLY, 9, false, "the reply was lost; the details say what is known of the command",  \
	  "take `deft snapshot -i` and go on from what it shows; the command is not repeated")              \
	X(RUNNER_BUSY, 9, true, "the runner still works on an earlier command", "try again in a few seconds") \
	X(RUNNER_WEDGED, 9, true, "the runner has hung for too long and is restarted", "run the command again") \
	X(MAIN_THREAD_TIMEOUT, 9, true, "the command took longer than the watchdog allows",                 \
	  "take a snapshot to see what it did, then go on")                                                 \
	X(INTERNAL_ERROR, 70, false, "a defect of deft", "please report it with the request's trace")

#endif
