#include "base/error.h"

#include "base/buf.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct error_row {
	const char *name;
	int exit_status;
	bool retriable;
	const char *meaning, *hint;
};

static const struct error_row rows[ERR_COUNT] = { [ERR_OK] = { "OK", 0, false, "it worked", "" },
#define ERROR_ROW(name, exit_status, retriable, meaning, hint) \
	[ERR_##name] = { #name, exit_status, retriable, meaning, hint },
	                                              ERROR_TABLE(ERROR_ROW)
#undef ERROR_ROW
};

static const struct error_row *row_of(enum err_code code)
{
	return &rows[(unsigned)code < ERR_COUNT ? code : ERR_INTERNAL_ERROR];
}

/* One line of valid UTF-8 of bounded length; NULL when memory ran out. */
static char *one_line(const char *text, size_t len)
{
	char *line = utf8_repair(text, len, LIM_ERROR_TEXT, NULL);
	for (char *p = line; p && *p; p++)
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	return line;
}

__attribute__((format(printf, 1, 0))) static char *format_line(const char *fmt, va_list ap)
{
	struct buf auto_buf text;
	buf_init(&text, (size_t)4 * LIM_ERROR_TEXT);
	va_list again;
	va_copy(again, ap);
	if (!buf_addv(&text, fmt, ap)) {
		/* Longer than the ceiling: keep its beginning. */
		buf_reset(&text);
		char *room = buf_reserve(&text, LIM_ERROR_TEXT);
		if (room && vsnprintf(room, LIM_ERROR_TEXT + 1, fmt, again) > 0)
			buf_commit(&text, strlen(room));
	}
	va_end(again);
	return one_line(text.data, text.len);
}

int error_set(struct error *e, enum err_code code, const char *fmt, ...)
{
	if (!e)
		return -(int)code;
	/* Formatted before the old content goes: the arguments may be part of it. */
	va_list ap;
	va_start(ap, fmt);
	char *message = format_line(fmt, ap);
	va_end(ap);
	error_clear(e);
	e->code = code;
	e->message = message;
	return -(int)code;
}

static int result_of(const struct error *e)
{
	return e ? -(int)e->code : -(int)ERR_COMMAND_FAILED;
}

int error_hint(struct error *e, const char *fmt, ...)
{
	if (!e)
		return result_of(e);
	va_list ap;
	va_start(ap, fmt);
	char *hint = format_line(fmt, ap);
	va_end(ap);
	free(e->hint);
	e->hint = hint;
	return result_of(e);
}

int error_detail(struct error *e, const char *key, json_t *value)
{
	if (!e) {
		json_decref(value);
		return result_of(e);
	}
	if (!e->details)
		e->details = json_object();
	jx_set(e->details, key, value);
	return result_of(e);
}

int error_detail_str(struct error *e, const char *key, const char *value)
{
	if (!e || !value)
		return result_of(e);
	if (!e->details)
		e->details = json_object();
	jx_set_str(e->details, key, value);
	return result_of(e);
}

int error_detail_int(struct error *e, const char *key, long long value)
{
	return error_detail(e, key, json_integer(value));
}

int error_reason(struct error *e, const char *reason)
{
	return error_detail_str(e, "reason", reason);
}

int error_prefix(struct error *e, const char *fmt, ...)
{
	if (!e)
		return result_of(e);
	struct buf auto_buf text;
	buf_init(&text, (size_t)4 * LIM_ERROR_TEXT);
	va_list ap;
	va_start(ap, fmt);
	buf_addv(&text, fmt, ap);
	va_end(ap);
	buf_addf(&text, ": %s", e->message ? e->message : "");
	char *message = one_line(text.data, text.len);
	free(e->message);
	e->message = message;
	return result_of(e);
}

void error_move(struct error *to, struct error *from)
{
	if (!to) {
		error_clear(from);
		return;
	}
	if (to == from)
		return;
	error_clear(to);
	*to = *from;
	*from = (struct error)ERROR_INIT;
}

void error_clear(struct error *e)
{
	if (!e)
		return;
	free(e->message);
	free(e->hint);
	json_decref(e->details);
	*e = (struct error)ERROR_INIT;
}

const char *error_code_name(enum err_code code)
{
	return row_of(code)->name;
}

static enum err_code find_code(const char *name)
{
	for (int i = ERR_OK + 1; name && i < ERR_COUNT; i++)
		if (strcmp(rows[i].name, name) == 0)
			return (enum err_code)i;
	return ERR_OK;
}

enum err_code error_code_from_name(const char *name)
{
	enum err_code code = find_code(name);
	return code ? code : ERR_COMMAND_FAILED;
}

bool error_code_known(const char *name)
{
	return find_code(name) != ERR_OK;
}

int error_exit_status(enum err_code code)
{
	return row_of(code)->exit_status;
}

bool error_retriable(enum err_code code)
{
	return row_of(code)->retriable;
}

const char *error_meaning(enum err_code code)
{
	return row_of(code)->meaning;
}

const char *error_default_hint(enum err_code code)
{
	return row_of(code)->hint;
}

const char *error_hint_text(const struct error *e)
{
	return e->hint ? e->hint : error_default_hint(e->code);
}

json_t *error_to_json(const struct error *e)
{
	json_t *j = json_object();
	jx_set_str(j, "code", error_code_name(e->code));
	jx_set_str(j, "message", e->message ? e->message : error_meaning(e->code));
	jx_set_str(j, "hint", error_hint_text(e));
	jx_set_bool(j, "retriable", error_retriable(e->code));
	if (e->details && json_object_size(e->details))
		jx_set(j, "details", json_incref(e->details));
	return j;
}

int error_from_json(struct error *e, const json_t *j)
{
	const char *name = jx_get_str(j, "code", NULL);
	enum err_code code = error_code_from_name(name);
	const char *message = jx_get_str(j, "message", NULL);
	error_set(e, code, "%s", message ? message : error_meaning(code));
	if (!e)
		return -(int)code;
	const char *hint = jx_get_str(j, "hint", NULL);
	if (hint)
		error_hint(e, "%s", hint);
	json_t *details = json_object_get(j, "details");
	if (json_is_object(details))
		e->details = json_deep_copy(details);
	if (name && !error_code_known(name))
		error_detail_str(e, "remoteCode", name);
	return -(int)code;
}
