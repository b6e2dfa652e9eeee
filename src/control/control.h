/* adjust_control: ask for a value, get the value, proven. The engine is pure: it has no clock, no
 * memory between calls and no device; everything it knows comes through struct ct_ops. Equal answers
 * of the ops give equal results and equal traces, to the byte.
 *
 * Source: the complete specification is restated in docs/adjust-control.md (contract, state machine,
 * decisions). States: RESOLVE → GATE → READ → RANGE → (already there) → SELECT → [ATTEMPT → SETTLE →
 * COMPARE]* → done. */
#ifndef DEFT_CONTROL_CONTROL_H
#define DEFT_CONTROL_CONTROL_H

#include "control/domain.h"
#include "ui/node.h"

#include <stdbool.h>
#include <stdint.h>

#define CT_DEFAULT_ATTEMPTS 5
#define CT_MAX_ATTEMPTS 100 /* whatever is asked for (G16) */
#define CT_MAX_READS 64     /* reads of one settling; then it counts as still moving */

/* The only ways to fail (spec: public codes). */
enum ct_code {
	CT_OK,
	CT_ELEMENT_NOT_FOUND,
	CT_ELEMENT_NOT_INTERACTABLE,
	CT_CONTROL_CONVERGENCE_FAILED,
	CT_UNKNOWN,
};

/* In the fixed order of preference. */
enum ct_strategy { CT_SET, CT_SET_SECOND, CT_STEPS, CT_PLACE, CT_STRATEGIES, CT_NONE = CT_STRATEGIES };

enum ct_offer {
	CT_OFFERS_SET = 1,        /* the platform's own write */
	CT_OFFERS_SET_SECOND = 2, /* a second write channel (Compose semantics, UIKit value) */
	CT_OFFERS_INCREMENT = 4,
	CT_OFFERS_DECREMENT = 8,
};

struct ct_channel {
	bool has_number;
	double number;
	bool has_range;
	double min, max, step;
};

/* The control as one reading shows it: authoritative state only, no hints. */
struct ct_reading {
	struct ct_channel value, raw; /* raw: for property raw_value; absent numbers: same as value */
	bool has_raw;
	char text[256];      /* raw accessibility text, "" when none */
	unsigned offers;     /* enum ct_offer, as the runtime proves them */
	bool enabled, visible;
	bool has_rect, vertical, rtl;
	struct ui_rect rect;
	bool read_only;      /* shows a value and takes none: a progress bar */
	bool rating;         /* a scale of its own: fractions need a step (G21) */
	bool stale;          /* taken before the last operation: is read again */
};

enum ct_answer {
	CT_DONE,     /* carried out, or read */
	CT_REJECTED, /* refused by the device: counts as an attempt */
	CT_GONE,     /* the element is not there (any more) */
	CT_LOST,     /* the way to the device failed */
	CT_OVER,     /* the deadline of the whole call has passed */
};

/* What the engine drives. Every operation may block by its own limits; `ctx` is the caller's. */
struct ct_ops {
	void *ctx;
	enum ct_answer (*resolve)(void *ctx);
	enum ct_answer (*read)(void *ctx, struct ct_reading *ret);
	/* Called between two readings of one settling: lets time pass. False: the settling's deadline is
	 * over; two fresh readings are taken all the same (G23). `reads`: how many there were so far. */
	bool (*settle)(void *ctx, unsigned reads);
	enum ct_answer (*set)(void *ctx, double value, enum ct_strategy which);
	enum ct_answer (*step)(void *ctx, int direction);
	enum ct_answer (*place)(void *ctx, double x, double y);
};

struct ct_request {
	const char *property; /* "value" (also NULL) or "raw_value"; anything else is not interactable */
	double target;        /* finite */
	bool has_tolerance;
	double tolerance;     /* >= 0 */
	int64_t max_attempts; /* > 0 */
};

enum ct_stage { CT_STAGE_RESOLVE, CT_STAGE_EXECUTE, CT_STAGE_VERIFY, CT_STAGE_RECOVER };

/* One step of the trace; its index in the array is the attempt_index of the public form. */
struct ct_trace_step {
	enum ct_stage stage;
	bool success;
	enum ct_strategy strategy; /* execute */
	int direction;             /* execute, increment_decrement: +1, -1 */
	double x, y;               /* execute, coordinate */
	bool has_value;
	double value;              /* execute: what was asked; verify: what was read */
	unsigned reads;            /* verify: readings until it held still */
};

#define CT_TRACE_MAX (2 * CT_MAX_ATTEMPTS + 2)

/* Why it ended so: X(NAME, name for programs, sentence). */
#define CT_REASONS(X) \
	X(CONVERGED, "converged", "the control reached the value") \
	X(ALREADY, "already_there", "the control is at the value already") \
	X(NO_TARGET, "no_target", "exactly one of selector and element_id has to name the control") \
	X(NOT_FOUND, "not_found", "nothing on the screen is the control that was asked for") \
	X(AMBIGUOUS, "ambiguous", "several controls match") \
	X(GONE, "gone", "the control is not on the screen") \
	X(TIME, "deadline", "time ran out before the value was reached") \
	X(LOST, "device_lost", "the device could not be reached") \
	X(NOT_FRESH, "not_fresh", "the device gives no fresh reading") \
	X(PROPERTY, "property_unsupported", "the property is not one that can be adjusted") \
	X(DISABLED, "disabled", "the control is disabled") \
	X(INVISIBLE, "not_visible", "the control is not visible") \
	X(READ_ONLY, "read_only", "the control only shows its value") \
	X(NO_AREA, "no_area", "the control has no area") \
	X(UNSTABLE, "not_stable", "the control does not stand still") \
	X(NOT_ADJUSTABLE, "not_adjustable", "the element is not an adjustable control") \
	X(NO_WAY, "no_strategy", "the control offers no proven way to reach the value") \
	X(WAY_LOST, "strategy_lost", "the control stopped offering a way to change it, twice") \
	X(UNREADABLE, "unreadable", "the control's value can't be read as a number") \
	X(BROKEN_RANGE, "broken_range", "the control's range makes no sense") \
	X(OUT_OF_RANGE, "out_of_range", "the value is outside of the control's range") \
	X(FRACTION, "no_step", "the rating shows no step, so a fraction means nothing") \
	X(MOVING, "still_moving", "the control was still moving when its time was up") \
	X(REFUSED, "refused", "the control refused the change") \
	X(UNCHANGED, "unchanged", "the control took the change and stands where it stood") \
	X(NOT_REACHED, "not_reached", "the control did not reach the value within the allowed attempts")

enum ct_reason {
#define CT_REASON_ENUM(name, word, sentence) CT_REASON_##name,
	CT_REASONS(CT_REASON_ENUM)
#undef CT_REASON_ENUM
	CT_REASON_COUNT
};

struct ct_result {
	enum ct_code code;
	enum ct_reason reason;
	bool retryable;
	bool has_target;            /* target and tolerance are known (the control could be read) */
	double target, tolerance;   /* quantised */
	bool has_domain;            /* as last read */
	struct ct_domain domain;
	bool has_actual;            /* read after the last operation, or before the first */
	double actual;
	bool has_before;
	double before;
	bool within, converged;
	unsigned attempts;
	bool coordinate;            /* adjustment_mode: a point of the track was used */
	enum ct_strategy strategy;  /* the last one used; CT_NONE: no operation */
	struct ct_trace_step trace[CT_TRACE_MAX];
	unsigned n_trace;
};

void ct_adjust(const struct ct_ops *ops, const struct ct_request *request, struct ct_result *ret);

const char *ct_code_name(enum ct_code code);       /* "ELEMENT_NOT_FOUND"; CT_OK: NULL */
const char *ct_strategy_name(enum ct_strategy s);  /* "direct_set_value", "increment_decrement", … */
const char *ct_stage_name(enum ct_stage s);
const char *ct_reason_name(enum ct_reason r);      /* "out_of_range" */
const char *ct_reason_text(enum ct_reason r);      /* the sentence */

/* A result for a request that never gets to a control: nothing was read, nothing done. */
void ct_refuse(struct ct_result *ret, enum ct_code code, enum ct_reason reason, bool retryable);

/* --- parts, also for tests ---- */
/* The current value and domain of a property in a reading; false: not readable as a number. */
bool ct_read_value(const struct ct_reading *r, const char *property, double *ret_value,
                   struct ct_domain *ret_domain);
/* The first proven strategy from `from` on; CT_NONE: none. up: the target is above the value. */
enum ct_strategy ct_select(const struct ct_reading *r, const struct ct_domain *d, bool up,
                           enum ct_strategy from);
/* The point of the track for a value; inside the control by one point. */
void ct_track_point(const struct ct_reading *r, const struct ct_domain *d, double value,
                    double *ret_x, double *ret_y);

#endif
