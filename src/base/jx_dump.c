/* JSON out. Not jansson's own writer, which prints doubles with 17 digits or loses some. */
#include "base/jx.h"
#include "base/limits.h"

static bool dump(const json_t *j, bool pretty, unsigned depth, struct buf *out);

static void new_line(bool pretty, unsigned depth, struct buf *out)
{
	if (!pretty)
		return;
	buf_addc(out, '\n');
	buf_fill(out, ' ', (size_t)2 * depth);
}

static bool dump_array(const json_t *j, bool pretty, unsigned depth, struct buf *out)
{
	if (json_array_size(j) == 0)
		return buf_adds(out, "[]");
	size_t i;
	json_t *v;
	json_array_foreach(j, i, v)
	{
		buf_addc(out, i ? ',' : '[');
		new_line(pretty, depth + 1, out);
		if (!dump(v, pretty, depth + 1, out))
			return false;
	}
	new_line(pretty, depth, out);
	return buf_addc(out, ']');
}

static bool dump_object(json_t *j, bool pretty, unsigned depth, struct buf *out)
{
	if (json_object_size(j) == 0)
		return buf_adds(out, "{}");
	char open = '{';
	for (void *it = json_object_iter(j); it; it = json_object_iter_next(j, it), open = ',') {
		buf_addc(out, open);
		new_line(pretty, depth + 1, out);
		buf_add_quoted(out, json_object_iter_key(it));
		buf_adds(out, pretty ? ": " : ":");
		if (!dump(json_object_iter_value(it), pretty, depth + 1, out))
			return false;
	}
	new_line(pretty, depth, out);
	return buf_addc(out, '}');
}

static bool dump(const json_t *j, bool pretty, unsigned depth, struct buf *out)
{
	if (depth > LIM_JSON_DEPTH) {
		out->over = true;
		return false;
	}
	switch (json_typeof(j)) {
	case JSON_OBJECT: return dump_object((json_t *)(uintptr_t)j, pretty, depth, out);
	case JSON_ARRAY: return dump_array(j, pretty, depth, out);
	case JSON_STRING: return buf_add_quoted(out, json_string_value(j));
	case JSON_INTEGER: return buf_addf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(j));
	case JSON_REAL: return buf_add_number(out, json_real_value(j));
	case JSON_TRUE: return buf_adds(out, "true");
	case JSON_FALSE: return buf_adds(out, "false");
	case JSON_NULL: break;
	}
	return buf_adds(out, "null");
}

bool jx_dump(const json_t *j, bool pretty, struct buf *out)
{
	return j ? dump(j, pretty, 0, out) : buf_adds(out, "null");
}
