/* docs/runner-protocol.md against the code: the trait table, every request field, every constant. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "wire/runner_commands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct buf doc;

static int load(void **state)
{
	const char *data = getenv("DEFT_TEST_DATA");
	auto_free char *path = fs_join(data ? data : ".", "../../docs/runner-protocol.md");

	buf_init(&doc, 1 << 20);
	return fs_read(path, 1 << 20, &doc, NULL) < 0 ? -1 : 0;
}

static int unload(void **state)
{
	buf_done(&doc);
	return 0;
}

static const char *yes(bool b)
{
	return b ? "yes" : "no";
}

static void assert_said(const char *text)
{
	if (!strstr(doc.data, text))
		fail_msg("docs/runner-protocol.md does not say: %s", text);
}

static void every_command_has_its_row(void **state)
{
	for (int c = 0; c < WIRE_CMD_COUNT; c++) {
		const struct wire_command_traits *t = wire_command_traits((enum wire_command)c);
		const char *ro = t->read_only == WIRE_RO_CONDITIONAL ? "get" : yes(t->read_only);
		char row[256];

		snprintf(row, sizeof(row), "| `%s` | %s | %s | %s | %s | %s | %s |\n", t->name,
		         yes(t->interaction), ro, yes(t->lifecycle), yes(t->retain_reply),
		         yes(t->client_read_only), yes(t->preflight_skip));
		assert_said(row);
	}
}

static void every_request_field_is_named(void **state)
{
	static const char *const fields[] = {
		"commandId",
		"statusCommandId",
		"appBundleId",
		"nodeId",
		"expectRole",
		"expectLabel",
		"text",
		"selectorKey",
		"selectorValue",
		"textEntryMode",
		"action",
		"direction",
		"button",
		"keys",
		"surface",
		"scope",
		"outPath",
		"orientation",
		"target",
		"args",
		"env",
		"x",
		"y",
		"x2",
		"y2",
		"durationMs",
		"amount",
		"pixels",
		"value",
		"timeoutMs",
		"count",
		"delayMs",
		"depth",
		"interactiveOnly",
		"raw",
		"fullscreen",
		"force",
		"relaunch",
		"background",
		"installed",
		"inlineScreenshot",
		"flavour",
		"steps",
		"pauseMs",
		"kind",
		"synthesized",
	};
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		snprintf(name, sizeof(name), "`%s`", fields[i]);
		if (!strstr(doc.data, name)) {
			snprintf(name, sizeof(name), "%s?", fields[i]);
			assert_said(name);
		}
	}
}

static void constants_are_those_of_the_code(void **state)
{
	static const struct {
		const char *name;
		long value;
	} constants[] = {
		{ "LIM_RUNNER_REQUEST", LIM_RUNNER_REQUEST },
		{ "LIM_COMMAND_ID", LIM_COMMAND_ID },
		{ "LIM_RUNNER_QUEUE", LIM_RUNNER_QUEUE },
		{ "LIM_RUNNER_SEALED", LIM_RUNNER_SEALED },
		{ "LIM_RUNNER_CONNECTIONS", LIM_RUNNER_CONNECTIONS },
		{ "LIM_RUNNER_KEEPALIVE_MS", LIM_RUNNER_KEEPALIVE_MS },
		{ "LIM_RUNNER_WATCHDOG_MS", LIM_RUNNER_WATCHDOG_MS },
		{ "LIM_RUNNER_WEDGED_MS", LIM_RUNNER_WEDGED_MS },
		{ "LIM_RUNNER_DRAIN_MS", LIM_RUNNER_DRAIN_MS },
		{ "LIM_SNAPSHOT_BUDGET_MS", LIM_SNAPSHOT_BUDGET_MS },
		{ "LIM_JOURNAL_ENTRIES", LIM_JOURNAL_ENTRIES },
		{ "LIM_JOURNAL_REPLY", LIM_JOURNAL_REPLY },
		{ "LIM_SEQUENCE_STEPS", LIM_SEQUENCE_STEPS },
		{ "LIM_TEXT", LIM_TEXT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(constants); i++) {
		char digits[32], number[48], row[128];
		size_t n = 0, len = (size_t)snprintf(digits, sizeof(digits), "%ld", constants[i].value);

		for (size_t k = 0; k < len; k++) {
			if (k > 0 && (len - k) % 3 == 0)
				number[n++] = ',';
			number[n++] = digits[k];
		}
		number[n] = '\0';
		snprintf(row, sizeof(row), "| `%s` | %s", constants[i].name, number);
		assert_said(row);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_has_its_row),
		cmocka_unit_test(every_request_field_is_named),
		cmocka_unit_test(constants_are_those_of_the_code),
	};

	return cmocka_run_group_tests_name("runner_doc", tests, load, unload);
}
