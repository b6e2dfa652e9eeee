/* The trait table against the protocol's own (runner protocol 2.4), written down a second time. */
#include "wire/runner_commands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* I interaction, A always / C conditionally read-only, L lifecycle, R reply retained, D read-only for
 * the client, S preflight may be skipped; in this order. */
static const struct expected {
	const char *name, *traits;
} table[] = {
	{ "tap", "IRS" },
	{ "longPress", "IRS" },
	{ "drag", "IRS" },
	{ "swipe", "IRS" },
	{ "scroll", "IRS" },
	{ "sequence", "IRS" },
	{ "type", "IR" },
	{ "back", "IR" },
	{ "home", "R" },
	{ "rotate", "IR" },
	{ "keyboardDismiss", "IR" },
	{ "findText", "ARD" },
	{ "readText", "ARD" },
	{ "snapshot", "AD" },
	{ "screenshot", "ALD" },
	{ "querySelector", "RD" },
	{ "alert", "CR" },
	{ "status", "ALD" },
	{ "uptime", "LD" },
	{ "shutdown", "LR" },
	{ "focus", "IR" },
	{ "key", "IR" },
	{ "performAction", "IR" },
	{ "locate", "ARD" },
	{ "readControl", "ARD" },
	{ "setValue", "IR" },
	{ "step", "IR" },
	{ "apps", "ALD" },
	{ "deviceInfo", "ALRD" },
	{ "launch", "LR" },
	{ "activate", "LR" },
	{ "terminate", "LR" },
	{ "idle", "LR" },
};

static void spell(const struct wire_command_traits *t, char out[8])
{
	size_t n = 0;

	if (t->interaction)
		out[n++] = 'I';
	if (t->read_only != WIRE_RO_NEVER)
		out[n++] = t->read_only == WIRE_RO_ALWAYS ? 'A' : 'C';
	if (t->lifecycle)
		out[n++] = 'L';
	if (t->retain_reply)
		out[n++] = 'R';
	if (t->client_read_only)
		out[n++] = 'D';
	if (t->preflight_skip)
		out[n++] = 'S';
	out[n] = '\0';
}

static void every_command_has_the_protocols_traits(void **state)
{
	assert_int_equal(sizeof(table) / sizeof(table[0]), WIRE_CMD_COUNT);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int c = wire_command_from_name(table[i].name);
		char spelled[8];

		assert_true(c >= 0);
		spell(wire_command_traits((enum wire_command)c), spelled);
		assert_string_equal(wire_command_traits((enum wire_command)c)->name, table[i].name);
		assert_string_equal(spelled, table[i].traits);
	}
}

static void what_mutates_is_never_resent(void **state)
{
	for (int c = 0; c < WIRE_CMD_COUNT; c++) {
		const struct wire_command_traits *t = wire_command_traits((enum wire_command)c);

		if (t->interaction) {
			assert_int_equal(t->read_only, WIRE_RO_NEVER);
			assert_false(t->client_read_only);
		}
		if (t->preflight_skip)
			assert_true(t->interaction);
	}
}

static void unknown_names_are_no_command(void **state)
{
	assert_int_equal(wire_command_from_name("tapSeries"), -1);
	assert_int_equal(wire_command_from_name("Tap"), -1);
	assert_int_equal(wire_command_from_name(""), -1);
	assert_int_equal(wire_command_from_name(NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_has_the_protocols_traits),
		cmocka_unit_test(what_mutates_is_never_resent),
		cmocka_unit_test(unknown_names_are_no_command),
	};

	return cmocka_run_group_tests_name("runner_commands", tests, NULL, NULL);
}
