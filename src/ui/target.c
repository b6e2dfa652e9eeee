#include "ui/target.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "base/number.h"
#include "ui/screen_text.h"

#include <string.h>

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
		s++;
	return s;
}

static size_t trimmed_length(const char *s)
{
	size_t n = strlen(s);
	while (n > 0 && (s[n - 1] == ' ' || (s[n - 1] >= '\t' && s[n - 1] <= '\r')))
		n--;
	return n;
}

/* Decimal digits up to the given end; 0 (which is no ref and no generation) when it is anything else. */
static uint64_t digits(const char *s, const char *end, uint64_t max)
{
	uint64_t v = 0;
	if (s == end)
		return 0;
	for (; s < end; s++) {
		if (*s < '0' || *s > '9' || v > (max - (uint64_t)(*s - '0')) / 10)
			return 0;
		v = v * 10 + (uint64_t)(*s - '0');
	}
	return v;
}

/* eN or eN~sG, the whole of it. */
static bool parse_ref(const char *s, const char *end, struct ui_target *ret)
{
	if (*s != 'e')
		return false;
	const char *pin = memchr(s, '~', (size_t)(end - s));
	uint64_t ref = digits(s + 1, pin ? pin : end, UINT32_MAX - 1);
	uint64_t generation = 0;
	if (pin &&
	    (pin + 1 >= end || pin[1] != 's' || (generation = digits(pin + 2, end, INT64_MAX)) == 0))
		return false;
	if (ref == 0)
		return false;
	*ret =
	    (struct ui_target){ .kind = UI_TARGET_REF, .ref = (uint32_t)ref, .generation = generation };
	return true;
}

/* "120 44", "120,44", "120, 44". */
static bool parse_point(const char *s, const char *end, struct ui_target *ret)
{
	char x[40], y[40];
	double px, py;
	size_t n = strcspn(s, " \t\n,");
	const char *rest = s + n;
	rest = skip_blanks(rest);
	if (*rest == ',')
		rest = skip_blanks(rest + 1);
	if (rest >= end || n >= sizeof(x) || (size_t)(end - rest) >= sizeof(y))
		return false;
	memcpy(x, s, n);
	x[n] = '\0';
	memcpy(y, rest, (size_t)(end - rest));
	y[end - rest] = '\0';
	if (!number_parse(x, &px) || !number_parse(y, &py))
		return false;
	*ret = (struct ui_target){ .kind = UI_TARGET_POINT, .x = px, .y = py };
	return true;
}

static int refuse_text(const char *text, size_t len, struct error *e)
{
	auto_buf struct buf quoted;
	auto_free char *plain = strndup(text, len);
	buf_init(&quoted, LIM_ERROR_TEXT);
	ui_add_quoted(&quoted, plain ? plain : "");
	error_set(e, ERR_INVALID_ARGS, "%.200s is neither a ref, a selector nor a point", quoted.data);
	error_hint(e, "to find an element by its text, write text=%.200s", quoted.data);
	return -ERR_INVALID_ARGS;
}

static int parse_selector(const char *text, size_t len, struct ui_target *ret, struct error *e)
{
	struct ui_selector *s;
	int rc = ui_selector_parse(text, &s, e); /* only to refuse it here */
	if (rc < 0)
		return rc;
	ui_selector_free(s);
	char *copy = strndup(text, len);
	if (!copy)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	*ret = (struct ui_target){ .kind = UI_TARGET_SELECTOR, .selector = copy };
	return 0;
}

int ui_target_parse(const char *text, struct ui_target *ret, struct error *e)
{
	const char *s = skip_blanks(text);
	size_t len = trimmed_length(s);
	const char *end = s + len;
	if (len == 0)
		return error_set(e, ERR_INVALID_ARGS, "the target is empty");
	if (*s == '@') {
		if (parse_ref(s + 1, end, ret))
			return 0;
		error_set(e, ERR_INVALID_ARGS, "\"%.80s\" is not a ref", s);
		error_hint(e, "refs look like @e3, or @e3~s12 with the number of their snapshot");
		return -ERR_INVALID_ARGS;
	}
	if (parse_ref(s, end, ret) || parse_point(s, end, ret))
		return 0;
	if (ui_selector_looks_like(s))
		return parse_selector(s, len, ret, e);
	return refuse_text(s, len, e);
}

void ui_target_done(struct ui_target *t)
{
	if (!t)
		return;
	free(t->selector);
	*t = (struct ui_target){ 0 };
}
