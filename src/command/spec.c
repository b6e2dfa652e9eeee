/* Finding commands and parameters by name, and what was probably meant. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "base/number.h"
#include "command/spec_internal.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static bool spec_is_named(const struct cmd_spec *spec, const char *name)
{
	if (!strcmp(spec->name, name))
		return true;
	for (const char *const *a = spec->aliases; a && *a; a++)
		if (!strcmp(*a, name))
			return true;
	return false;
}

const struct cmd_spec *cmd_spec_find(const char *name)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; name && i < n; i++)
		if (spec_is_named(all[i], name))
			return all[i];
	return NULL;
}

const struct cmd_param *cmd_param_find(const struct cmd_param *params, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(params[i].name, name))
			return &params[i];
	return NULL;
}

const struct cmd_param *cmd_param_for(const struct cmd_spec *spec, const char *name,
                                      bool *ret_global)
{
	const struct cmd_param *p = cmd_param_find(spec->params, spec->n_params, name);

	*ret_global = !p;
	return p ? p : cmd_param_find(cmd_global_params, cmd_n_global_params, name);
}

void cmd_flag_name(const struct cmd_param *p, char *out, size_t size)
{
	size_t n = 0;

	if (!size)
		return;
	for (int dash = 0; dash < 2 && n + 1 < size; dash++)
		out[n++] = '-';
	for (const char *s = p->name; *s && n + 2 < size; s++) {
		if (isupper((unsigned char)*s))
			out[n++] = '-';
		out[n++] = (char)tolower((unsigned char)*s);
	}
	out[n] = '\0';
}

/* --- nearest names ----------------------------------------------------------------------------- */

#define NEAREST_MAX 48 /* longer words are no typing mistakes of ours */

/* Edits (insert, delete, replace, swap of neighbours) from a to b, without regard to case. */
static unsigned edit_distance(const char *a, size_t la, const char *b, size_t lb)
{
	unsigned row[3][NEAREST_MAX + 1];

	for (size_t j = 0; j <= lb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *now = row[i % 3], *up = row[(i + 2) % 3], *upup = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
			unsigned best = up[j - 1] + (ca != cb);

			if (up[j] + 1 < best)
				best = up[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]) && upup[j - 2] + 1 < best)
				best = upup[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[la % 3][lb];
}

/* How far `name` is from what was typed; UINT32_MAX: too far to be meant. */
static unsigned name_distance(const char *word, size_t len, const char *name)
{
	size_t ln = strlen(name), longer = len > ln ? len : ln;
	unsigned limit = len <= 3 ? 1 : longer / 3 > 2 ? (unsigned)(longer / 3) : 2;
	unsigned d;

	if (ln > NEAREST_MAX)
		return UINT32_MAX;
	/* "snap" is no slip of the fingers, but a beginning; it is as good as one slip. */
	if (len >= 3 && ln > len && !strncasecmp(word, name, len))
		return 1;
	d = edit_distance(word, len, name, ln);
	return d <= limit ? d : UINT32_MAX;
}

const char *cmd_nearest(const char *word, const char *const *names, size_t n)
{
	const char *best = NULL;
	unsigned best_distance = UINT32_MAX;
	size_t len = word ? strlen(word) : 0;

	if (len == 0 || len > NEAREST_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned d = name_distance(word, len, names[i]);

		if (d < best_distance) {
			best_distance = d;
			best = names[i];
		}
	}
	return best;
}

const char *cmd_nearest_command(const char *word)
{
	const char *names[256];
	size_t n, used = 0;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n && used < ARRAY_SIZE(names); i++) {
		if (!cmd_on_cli(all[i]))
			continue;
		names[used++] = all[i]->name;
		for (const char *const *a = all[i]->aliases; a && *a && used < ARRAY_SIZE(names); a++)
			names[used++] = *a;
	}
	return cmd_nearest(word, names, used);
}

/* --- deadline ---------------------------------------------------------------------------------- */

static long budget_of(const struct cmd_param *p, const json_t *args)
{
	const json_t *v = json_object_get(args, p->name);
	int64_t ms;

	if (json_is_array(v) && json_array_size(v))
		v = json_array_get(v, json_array_size(v) - 1);
	if (json_is_string(v))
		return number_parse_int(json_string_value(v), &ms) && ms > 0 && ms <= LIM_REQUEST_MAX_MS
		           ? (long)ms
		           : 0;
	return json_is_number(v) ? (long)json_number_value(v) : 0;
}

long cmd_deadline_ms(const struct cmd_spec *spec, const json_t *args, const json_t *globals)
{
	const json_t *given = json_object_get(globals, "timeout");
	long ms = spec->timeout_ms > 0 ? spec->timeout_ms : LIM_REQUEST_DEFAULT_MS;

	if (json_is_number(given))
		return (long)json_number_value(given);
	for (size_t i = 0; i < spec->n_params; i++) {
		long budget = spec->params[i].budget ? budget_of(&spec->params[i], args) : 0;

		if (budget > 0 && budget + LIM_REQUEST_MARGIN_MS > ms)
			ms = budget + LIM_REQUEST_MARGIN_MS;
	}
	return ms < LIM_REQUEST_MAX_MS ? ms : LIM_REQUEST_MAX_MS;
}
