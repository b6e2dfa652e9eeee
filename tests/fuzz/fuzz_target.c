/* Any bytes as a target: exactly one kind, or a refusal with a hint that leaves the result alone. */
#include "base/cleanup.h"
#include "ui/target.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_whole(const struct ui_target *t)
{
	switch (t->kind) {
	case UI_TARGET_REF: return t->ref > 0 && !t->selector;
	case UI_TARGET_SELECTOR: return t->selector && ui_selector_looks_like(t->selector);
	case UI_TARGET_POINT: return isfinite(t->x) && isfinite(t->y) && !t->selector;
	case UI_TARGET_NONE: return false;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_error struct error e = ERROR_INIT;
	auto_free char *text = strndup((const char *)data, size);
	struct ui_target t = { .generation = 77 };
	int rc = ui_target_parse(text, &t, &e);
	if (rc == 0 ? !is_whole(&t) : t.generation != 77 || e.code != ERR_INVALID_ARGS || !e.message)
		abort();
	if (rc == 0)
		ui_target_done(&t);
	return 0;
}
