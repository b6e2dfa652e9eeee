#include "command/shared.h"

#include "base/jx.h"

#include <stdarg.h>

void cmd_render_message(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	cmd_add_line(out, jx_get_str(data, "message", ""));
	buf_addc(out, '\n');
}

void cmd_message(json_t *data, const char *fmt, ...)
{
	auto_buf struct buf b;
	va_list ap;

	buf_init(&b, LIM_ENVELOPE_LINE);
	va_start(ap, fmt);
	buf_addv(&b, fmt, ap);
	va_end(ap);
	jx_set_str(data, "message", b.data);
}

void cmd_add_point(struct buf *out, double x, double y)
{
	buf_addc(out, '(');
	buf_add_number(out, x);
	buf_adds(out, ", ");
	buf_add_number(out, y);
	buf_addc(out, ')');
}

void cmd_add_line(struct buf *out, const char *text)
{
	for (const char *s = text; *s; s++)
		buf_addc(out, (unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s);
}

static bool is_given(const json_t *args, const char *key)
{
	const json_t *v = json_object_get(args, key);

	return v && !json_is_false(v);
}

int cmd_exclude(const json_t *args, const char *a, const char *b, struct error *e)
{
	if (!is_given(args, a) || !is_given(args, b))
		return 0;
	error_set(e, ERR_INVALID_ARGS, "%s and %s exclude each other", a, b);
	return error_hint(e, "give one of the two");
}
