/* Any bytes as a selector: parses or is refused with a position, and what parses can be used. */
#include "base/cleanup.h"
#include "ui/selector.h"
#include "ui/target.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void small_tree(struct ui_tree *t, const char *text)
{
	if (ui_tree_init(t, NULL) < 0)
		abort();
	for (uint32_t i = 0; i < 6; i++) {
		uint32_t n = ui_tree_add(t, i % 3 ? i - 1 : UI_NONE);
		t->nodes[n].role = (enum ui_role)(UI_BUTTON + i);
		t->nodes[n].flags = UI_VISIBLE | UI_ENABLED;
		t->nodes[n].label = ui_tree_text(t, i % 2 ? text : "Save", NULL);
		t->nodes[n].value = ui_tree_text(t, i % 2 ? "7" : text, NULL);
	}
}

static void use(const struct ui_selector *s, const char *text)
{
	auto_tree struct ui_tree t = { 0 };
	auto_error struct error e = ERROR_INIT;
	uint32_t node;
	small_tree(&t, text);
	for (int pick = UI_PICK_TOUCH; pick <= UI_PICK_READ; pick++) {
		int rc = ui_target_pick(&t, s, text, (enum ui_pick)pick, &node, &e);
		if (rc == 0 ? node >= t.count : e.code != (enum err_code) - rc)
			abort();
		error_clear(&e);
	}
	auto_free char *made = ui_selector_for(&t, 1);
	struct ui_selector *again;
	if (!made || ui_selector_parse(made, &again, NULL) < 0)
		abort();
	ui_selector_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_error struct error e = ERROR_INIT;
	auto_free char *text = strndup((const char *)data, size);
	struct ui_selector *s = NULL;
	ui_selector_looks_like(text);
	if (ui_selector_parse(text, &s, &e) == 0)
		use(s, text);
	else if (s || !e.message)
		abort();
	ui_selector_free(s);
	return 0;
}
