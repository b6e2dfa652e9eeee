/* The command functions (runner protocol 2.6; ours: docs/runner-protocol.md) and what they share.
 * One file per group; rc_command_fn is declared in dispatch.h. */
#ifndef DEFT_RUNNER_COMMANDS_H
#define DEFT_RUNNER_COMMANDS_H

#include "runner/dispatch.h"

/* cmd_tap.c */
rc_command_fn rc_cmd_tap, rc_cmd_long_press, rc_cmd_drag;
/* cmd_scroll.c */
rc_command_fn rc_cmd_scroll, rc_cmd_swipe;
/* cmd_sequence.c */
rc_command_fn rc_cmd_sequence;
/* cmd_text.c */
rc_command_fn rc_cmd_type, rc_cmd_read_text, rc_cmd_key;
/* cmd_find.c */
rc_command_fn rc_cmd_find_text, rc_cmd_query_selector, rc_cmd_locate;
/* cmd_capture.c */
rc_command_fn rc_cmd_snapshot, rc_cmd_screenshot;
/* cmd_control.c */
rc_command_fn rc_cmd_focus, rc_cmd_perform_action, rc_cmd_read_control, rc_cmd_set_value,
    rc_cmd_step;
/* cmd_nav.c */
rc_command_fn rc_cmd_back, rc_cmd_home, rc_cmd_rotate, rc_cmd_keyboard_dismiss, rc_cmd_alert;
/* cmd_app.c */
rc_command_fn rc_cmd_apps, rc_cmd_device_info, rc_cmd_launch, rc_cmd_activate, rc_cmd_terminate;
/* cmd_app.c: the device's own time passes by durationMs (absent: 0, only asks how late it is there);
 * {"deviceTimeMs"}. A mutation that is never resent: sent twice, time would pass twice. */
rc_command_fn rc_cmd_idle;
/* cmd_app.c: nothing to carry out, the transport stops the runner after the reply. */
rc_command_fn rc_cmd_shutdown;

/* --- shared (common.c) ----------------------------------------------------------------------- */

/* -ERR_UNSUPPORTED_OPERATION naming the command and the backend. */
int rc_unsupported(const struct rc_env *env, const struct wire_request *r, struct error *e);
/* {"message": text}. */
json_t *rc_message(const char *text);
/* The screen's size; asks the device at most every RC_SCREEN_FRESH_MS. 0 x 0 when it has none. */
#define RC_SCREEN_FRESH_MS 2000
struct rc_screen rc_screen(struct rc_env *env, struct call c);
/* The point is on the screen; one that is not on the screen as known makes it be read again. */
int rc_check_point(struct rc_env *env, struct call c, double x, double y, struct error *e);
/* {x,y,width,height}. */
json_t *rc_rect_json(struct ui_rect r);
/* x, y, referenceWidth, referenceHeight. */
void rc_put_touch(json_t *data, const struct rc_env *env, double x, double y);
/* The same with x2, y2. */
void rc_put_drag(json_t *data, const struct rc_env *env, const struct rb_drag *d);
/* gestureStartUptimeMs, gestureEndUptimeMs (now). */
void rc_put_times(json_t *data, double start_ms);
/* Rounds and clamps a duration; dflt when absent. */
int rc_duration(struct wire_num n, int dflt, int min, int max);
/* Frame of the app's active (else first) window, else the screen; -ERR_DEVICE_UNAVAILABLE without. */
int rc_interaction_frame(struct rc_env *env, const struct wire_request *r, struct call c,
                         struct ui_rect *ret, struct error *e);

#endif
