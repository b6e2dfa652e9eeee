/* What codes, strategies, stages and reasons are called outside. */
#include "control/control.h"

const char *ct_code_name(enum ct_code code)
{
	static const char *const names[] = { NULL, "ELEMENT_NOT_FOUND", "ELEMENT_NOT_INTERACTABLE",
		                                 "CONTROL_CONVERGENCE_FAILED", "UNKNOWN" };
	return names[code];
}

const char *ct_strategy_name(enum ct_strategy s)
{
	static const char *const names[] = { "direct_set_value", "direct_set_value_second",
		                                 "increment_decrement", "coordinate", "none" };
	return names[s];
}

const char *ct_stage_name(enum ct_stage s)
{
	static const char *const names[] = { "resolve", "execute", "verify", "recover" };
	return names[s];
}

struct reason {
	const char *name, *text;
};

static const struct reason reasons[CT_REASON_COUNT] = {
#define CT_REASON_ROW(name, word, sentence) [CT_REASON_##name] = { word, sentence },
	CT_REASONS(CT_REASON_ROW)
#undef CT_REASON_ROW
};

const char *ct_reason_name(enum ct_reason r)
{
	return reasons[r].name;
}

const char *ct_reason_text(enum ct_reason r)
{
	return reasons[r].text;
}
