/* Command lines and JSON arguments: the first byte chooses the command, the rest is its argv (one word
 * a line) and, where it parses, its arguments. What is accepted must pass the check again unchanged. */
#include "command/spec.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

#define MAX_WORDS 64

static void check_again(const struct cmd_spec *spec, json_t *args)
{
	auto_json json_t *copy = json_deep_copy(args);

	if (cmd_check_args(spec, copy, false, NULL) < 0 || !json_equal(copy, args))
		abort();
}

static void try_argv(const struct cmd_spec *spec, char *text)
{
	const char *argv[MAX_WORDS];
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = NULL;
	auto_json json_t *globals = NULL;
	int argc = 0;

	for (char *line = text; line && argc < MAX_WORDS;) {
		char *end = strchr(line, '\n');

		argv[argc++] = line;
		if (end)
			*end++ = '\0';
		line = end;
	}
	if (cmd_argv_command(argc, argv) > argc)
		abort();
	if (cmd_parse_argv(spec, argc, argv, &args, &globals, &e) < 0) {
		if (args || globals || !e.message || !utf8_valid(e.message, strlen(e.message)))
			abort();
		return;
	}
	if (!json_object_get(globals, "help"))
		check_again(spec, args);
	if (cmd_deadline_ms(spec, args, globals) <= 0)
		abort();
}

static void try_json(const struct cmd_spec *spec, const char *text)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = jx_parse(text, strlen(text), &e);
	auto_json json_t *globals = NULL;

	if (!json_is_object(args) || cmd_take_globals(spec, args, true, &globals, &e) < 0)
		return;
	if (cmd_check_args(spec, args, true, &e) == 0)
		check_again(spec, args);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);
	auto_free char *text = NULL;

	if (size == 0)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	try_json(all[data[0] % n], text);
	try_argv(all[data[0] % n], text);
	return 0;
}
