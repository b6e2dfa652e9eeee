/* An adjustment in words. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "command/adjust_envelope.h"
#include "command/shared.h"

static void add_name(const struct adjust_facts *f, struct buf *out)
{
	const struct ui_node *n = f->tree ? &f->tree->nodes[f->node] : NULL;
	const char *name = !n ? NULL : n->label ? n->label : n->caption ? n->caption : n->identifier;

	if (name)
		cmd_add_line(out, name);
	else
		buf_addf(out, "[%s]", n ? ui_role_name(n->role) : "control");
}

/* "was 40, asked 63 → stop 65" */
static void add_wish(const struct adjust_facts *f, struct buf *out)
{
	const struct ct_result *r = f->result;

	buf_adds(out, " was ");
	buf_add_number(out, r->before);
	buf_adds(out, ", asked ");
	buf_add_number(out, f->ask->target);
	if (!r->has_target || r->target == f->ask->target)
		return;
	buf_adds(out, r->domain.step > 0 ? " \u2192 stop " : " \u2192 ");
	buf_add_number(out, r->target);
}

/* "set directly, then stepped" */
static void add_ways(const struct ct_result *r, struct buf *out)
{
	static const char *const words[] = { "set directly", "set directly", "stepped",
		                                 "pressed on its track" };
	enum ct_strategy last = CT_NONE;

	for (unsigned i = 0; i < r->n_trace; i++) {
		if (r->trace[i].stage != CT_STAGE_EXECUTE || r->trace[i].strategy == last)
			continue;
		buf_addf(out, "%s%s", last == CT_NONE ? "" : ", then ", words[r->trace[i].strategy]);
		last = r->trace[i].strategy;
	}
}

static void add_attempts(const struct ct_result *r, struct buf *out)
{
	add_ways(r, out);
	buf_addf(out, ", %u attempt%s", r->attempts, r->attempts == 1 ? "" : "s");
}

static void say_success(const struct adjust_facts *f, struct buf *out)
{
	const struct ct_result *r = f->result;

	add_name(f, out);
	if (!r->attempts) {
		buf_adds(out, " is ");
		buf_add_number(out, r->actual);
		buf_adds(out, " already, asked ");
		buf_add_number(out, f->ask->target);
		buf_adds(out, "; nothing was done");
		return;
	}
	add_wish(f, out);
	buf_adds(out, "; now ");
	buf_add_number(out, r->actual);
	buf_adds(out, " (");
	add_attempts(r, out);
	if (r->actual != r->target) {
		buf_adds(out, ", within ");
		buf_add_number(out, r->tolerance);
	}
	buf_addc(out, ')');
}

/* What is known now: "is 10 after 5 attempts (set directly)". */
static void add_present(const struct ct_result *r, struct buf *out)
{
	if (!r->attempts)
		return;
	if (r->has_actual) {
		buf_adds(out, "; is ");
		buf_add_number(out, r->actual);
	} else {
		buf_adds(out, "; what it is now is not known");
	}
	buf_adds(out, " (");
	add_attempts(r, out);
	buf_addc(out, ')');
}

static void add_reason(const struct adjust_facts *f, struct buf *out)
{
	const struct ct_result *r = f->result;

	buf_addf(out, ": %s", ct_reason_text(r->reason));
	if (r->reason == CT_REASON_OUT_OF_RANGE) {
		buf_addc(out, ' ');
		buf_add_number(out, r->domain.min);
		buf_adds(out, "..");
		buf_add_number(out, r->domain.max);
	}
	if (r->reason == CT_REASON_UNREADABLE && f->last && f->last->text[0]) {
		buf_adds(out, ": it says \"");
		cmd_add_line(out, f->last->text);
		buf_addc(out, '"');
	}
	if ((r->reason == CT_REASON_REFUSED || r->reason == CT_REASON_LOST) && f->last_error &&
	    f->last_error->message)
		buf_addf(out, ": %s", f->last_error->message);
}

static void say_failure(const struct adjust_facts *f, struct buf *out)
{
	const struct ct_result *r = f->result;

	if (f->find_error && f->find_error->message) {
		buf_adds(out, f->find_error->message);
		return;
	}
	if (!f->tree) {
		buf_adds(out, ct_reason_text(r->reason));
		return;
	}
	add_name(f, out);
	if (r->has_before)
		add_wish(f, out);
	add_present(r, out);
	add_reason(f, out);
}

void adjust_sentence(const struct adjust_facts *f, struct buf *out)
{
	if (f->result->code == CT_OK)
		say_success(f, out);
	else
		say_failure(f, out);
}

const char *adjust_hint(const struct adjust_facts *f)
{
	static const char *const hints[CT_REASON_COUNT] = {
		[CT_REASON_NO_TARGET] = "give a selector such as 'id=\"volume\"', or an element_id",
		[CT_REASON_AMBIGUOUS] = "use the id or ref of one of the alternates",
		[CT_REASON_GONE] = "take `deft snapshot -i` and see what became of it",
		[CT_REASON_TIME] = "raise --timeout, or look what keeps the device busy",
		[CT_REASON_LOST] = "run the command again; if it stays, read `deft daemon logs`",
		[CT_REASON_PROPERTY] = "adjustable are value and raw_value",
		[CT_REASON_DISABLED] = "do what enables it first",
		[CT_REASON_INVISIBLE] = "scroll it into view, or close what covers it",
		[CT_REASON_READ_ONLY] = "a progress or level bar shows a value and takes none",
		[CT_REASON_UNSTABLE] = "wait until it stands still: `deft wait stable`",
		[CT_REASON_NO_WAY] =
		    "scroll it into view, press it or give it keys; read what it offers with "
		    "`deft get attrs`",
		[CT_REASON_OUT_OF_RANGE] = "ask for a value in the control's own range and units",
		[CT_REASON_FRACTION] = "ask for a whole number",
		[CT_REASON_MOVING] = "pause what moves it, or allow a --tolerance that covers the movement",
		[CT_REASON_UNREADABLE] = "its text is free or localised; press or type, then look",
		[CT_REASON_NOT_REACHED] = "allow more --max-attempts, or a --tolerance",
	};
	return f->find_error && f->find_error->hint ? f->find_error->hint : hints[f->result->reason];
}
