#include "base/buf.h"
#include "base/utf8.h"
#include "ui/screen_text.h"
#include "ui/selector_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct parser {
	const char *text, *at;
	struct error *e;
};

static const char *const key_names[UI_SEL_KEYS] = {
	[UI_SEL_ID] = "id",
	[UI_SEL_ROLE] = "role",
	[UI_SEL_TEXT] = "text",
	[UI_SEL_LABEL] = "label",
	[UI_SEL_VALUE] = "value",
	[UI_SEL_APPNAME] = "appname",
	[UI_SEL_WINDOWTITLE] = "windowtitle",
	[UI_SEL_VISIBLE] = "visible",
	[UI_SEL_HIDDEN] = "hidden",
	[UI_SEL_EDITABLE] = "editable",
	[UI_SEL_SELECTED] = "selected",
	[UI_SEL_ENABLED] = "enabled",
	[UI_SEL_HITTABLE] = "hittable",
	[UI_SEL_FOCUSED] = "focused",
	[UI_SEL_CHECKED] = "checked",
};

enum ui_key ui_selector_key(const char *name, size_t len)
{
	for (unsigned k = 0; k < UI_SEL_KEYS; k++) {
		if (strlen(key_names[k]) == len && strncasecmp(key_names[k], name, len) == 0)
			return (enum ui_key)k;
	}
	return UI_SEL_KEYS;
}

const char *ui_selector_key_name(enum ui_key key)
{
	return key_names[key];
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool at_or(const char *p)
{
	return p[0] == '|' && p[1] == '|';
}

static void skip_blanks(struct parser *p)
{
	while (is_blank(*p->at))
		p->at++;
}

static size_t word_length(const char *s)
{
	size_t n = 0;
	while ((s[n] >= 'a' && s[n] <= 'z') || (s[n] >= 'A' && s[n] <= 'Z'))
		n++;
	return n;
}

/* Says what is wrong, where, and what would be right. */
__attribute__((format(printf, 3, 4))) static int refuse(struct parser *p, const char *where,
                                                        const char *fmt, ...)
{
	auto_buf struct buf what;
	va_list ap;
	buf_init(&what, LIM_ERROR_TEXT);
	va_start(ap, fmt);
	buf_addv(&what, fmt, ap);
	va_end(ap);
	size_t position = (size_t)(where - p->text) + 1;
	error_set(p->e, ERR_INVALID_ARGS, "selector, position %zu: %s", position, what.data);
	error_hint(p->e, "a selector is key=value, such as label=\"Save\" or id=ok role=button; "
	                 "alternatives are separated by ||");
	error_detail_int(p->e, "position", (long long)position);
	return -ERR_INVALID_ARGS;
}

static bool hex4(const char *s, uint32_t *ret)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++) {
		char c = s[i];
		if (c >= '0' && c <= '9')
			v = v * 16 + (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v * 16 + (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return false;
	}
	*ret = v;
	return true;
}

/* \uXXXX, surrogate pairs included; moves *s behind it. Half a pair becomes U+FFFD. */
static bool take_unicode(const char **s, struct buf *out)
{
	uint32_t cp, low;
	char bytes[4];
	if (!hex4(*s + 2, &cp))
		return false;
	*s += 6;
	if (cp >= 0xD800 && cp < 0xDC00 && (*s)[0] == '\\' && (*s)[1] == 'u' && hex4(*s + 2, &low) &&
	    low >= 0xDC00 && low < 0xE000) {
		cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
		*s += 6;
	}
	if (cp == 0 || (cp >= 0xD800 && cp < 0xE000))
		cp = 0xFFFD;
	buf_add(out, bytes, utf8_put(cp, bytes));
	return true;
}

/* A backslash before anything that JSON does not know stands for itself: "C:\x" (case J01). */
static void take_escape(const char **s, struct buf *out)
{
	static const char from[] = "\"'\\/bfnrt", to[] = "\"'\\/\b\f\n\r\t";
	const char *known = (*s)[1] ? strchr(from, (*s)[1]) : NULL;
	if (known) {
		buf_addc(out, to[known - from]);
		*s += 2;
	} else if ((*s)[1] != 'u' || !take_unicode(s, out)) {
		buf_addc(out, '\\');
		*s += 1;
	}
}

static int parse_quoted(struct parser *p, struct buf *out)
{
	const char *start = p->at;
	char quote = *p->at++;
	while (*p->at && *p->at != quote) {
		if (*p->at == '\\')
			take_escape(&p->at, out);
		else
			buf_addc(out, *p->at++);
	}
	if (!*p->at)
		return refuse(p, start,
		              "this quote is not closed (a backslash at the end of a value is "
		              "written \\\\)");
	p->at++;
	if (*p->at && !is_blank(*p->at) && !at_or(p->at))
		return refuse(p, p->at, "expected a blank, || or the end after the closing quote");
	return 0;
}

static int parse_value(struct parser *p, const char *key, struct buf *out)
{
	if (*p->at == '"' || *p->at == '\'')
		return parse_quoted(p, out);
	const char *start = p->at;
	while (*p->at && !is_blank(*p->at) && !at_or(p->at))
		p->at++;
	if (p->at == start)
		return refuse(p, start, "expected a value after %s=", key);
	buf_add(out, start, (size_t)(p->at - start));
	return 0;
}

static int set_flag(struct parser *p, const char *where, struct ui_term *term, const char *value)
{
	if (strcasecmp(value, "true") == 0 || strcasecmp(value, "false") == 0) {
		term->wanted = strcasecmp(value, "true") == 0;
		return 0;
	}
	return refuse(p, where, "%s is true or false", ui_selector_key_name(term->key));
}

static int set_value(struct parser *p, const char *where, struct ui_term *term, struct buf *value)
{
	const char *name = ui_selector_key_name(term->key);
	if (term->key >= UI_SEL_FIRST_FLAG)
		return set_flag(p, where, term, value->data);
	if (value->len == 0 && (term->contains || term->key == UI_SEL_ROLE))
		return refuse(p, where, "expected a value after %s", name);
	term->role = ui_role_from_display_name(value->data);
	term->display = term->role >= 0;
	if (!term->display)
		term->role = ui_role_from_name(value->data);
	if (!ui_needle_init(&term->needle, value->data))
		return error_set(p->e, ERR_LIMIT_EXCEEDED, "memory ran out");
	term->value = buf_detach(value);
	return 0;
}

static int parse_operator(struct parser *p, struct ui_term *term)
{
	const char *name = ui_selector_key_name(term->key), *where = p->at;
	if (p->at[0] == '*' && p->at[1] == '=') {
		term->contains = true;
		p->at++;
	}
	if (*p->at != '=')
		return refuse(p, where, "expected = after %s", name);
	p->at++;
	if (term->contains && term->key >= UI_SEL_FIRST_FLAG)
		return refuse(p, where, "%s is true or false, *= is for texts", name);
	return 0;
}

static int parse_term(struct parser *p, struct ui_term *term)
{
	const char *start = p->at;
	size_t len = word_length(start);
	auto_buf struct buf value;
	buf_init(&value, LIM_SELECTOR);
	term->key = ui_selector_key(start, len);
	if (term->key == UI_SEL_KEYS)
		return len == 0 ? refuse(p, start, "expected a key such as id, role, text, label or value")
		                : refuse(p, start, "unknown key \"%.*s\"; a value with blanks needs quotes",
		                         len > 40 ? 40 : (int)len, start);
	p->at += len;
	if (term->key >= UI_SEL_FIRST_FLAG && (!*p->at || is_blank(*p->at) || at_or(p->at))) {
		term->wanted = true;
		return 0;
	}
	int rc = parse_operator(p, term);
	const char *where = p->at;
	if (rc == 0)
		rc = parse_value(p, ui_selector_key_name(term->key), &value);
	return rc < 0 ? rc : set_value(p, where, term, &value);
}

static int parse_alternative(struct parser *p, struct ui_alternative *a)
{
	skip_blanks(p);
	if (!*p->at || at_or(p->at))
		return refuse(p, p->at,
		              p->at == p->text ? "the selector is empty"
		                               : "expected an alternative beside ||");
	while (*p->at && !at_or(p->at)) {
		if (a->count == LIM_SELECTOR_TERMS)
			return refuse(p, p->at, "more than %d terms", LIM_SELECTOR_TERMS);
		int rc = parse_term(p, &a->terms[a->count++]);
		if (rc < 0)
			return rc;
		skip_blanks(p);
	}
	return 0;
}

int ui_selector_parse(const char *text, struct ui_selector **ret, struct error *e)
{
	struct parser p = { text, text, e };
	size_t len = strlen(text);
	if (len > LIM_SELECTOR)
		return error_set(e, ERR_INVALID_ARGS, "the selector has more than %d bytes", LIM_SELECTOR);
	if (!utf8_valid(text, len))
		return error_set(e, ERR_INVALID_ARGS, "the selector is not valid UTF-8");
	struct ui_selector *s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	int rc;
	do {
		if (s->count == LIM_SELECTOR_ALTERNATIVES) {
			rc = refuse(&p, p.at, "more than %d alternatives", LIM_SELECTOR_ALTERNATIVES);
			break;
		}
		if (s->count > 0)
			p.at += 2;
		rc = parse_alternative(&p, &s->alternatives[s->count++]);
	} while (rc == 0 && *p.at);
	if (rc < 0) {
		ui_selector_free(s);
		return rc;
	}
	*ret = s;
	return 0;
}

void ui_selector_free(struct ui_selector *s)
{
	if (!s)
		return;
	for (unsigned a = 0; a < s->count; a++) {
		for (unsigned i = 0; i < s->alternatives[a].count; i++) {
			free(s->alternatives[a].terms[i].value);
			ui_needle_done(&s->alternatives[a].terms[i].needle);
		}
	}
	free(s);
}

bool ui_selector_looks_like(const char *text)
{
	const char *p = text;
	for (;;) {
		while (is_blank(*p))
			p++;
		size_t len = word_length(p);
		enum ui_key key = ui_selector_key(p, len);
		if (key == UI_SEL_KEYS)
			return false;
		p += len;
		if (*p == '=' || (p[0] == '*' && p[1] == '='))
			return true;
		/* Flags may stand bare, but a text of such words alone is a text. */
		if (key < UI_SEL_FIRST_FLAG || (*p && !is_blank(*p)))
			return false;
	}
}
