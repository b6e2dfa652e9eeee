#include "control/value.h"

#include "base/cleanup.h"
#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define MAX_BYTES 64
#define MAX_DIGITS 15

/* The text without direction marks and with every kind of blank made the ASCII one, trimmed. */
struct plain {
	char text[MAX_BYTES];
	size_t len;
};

struct cursor {
	const char *at, *end;
};

static bool is_mark(uint32_t cp)
{
	return cp == 0x200E || cp == 0x200F || cp == 0x061C || (cp >= 0x202A && cp <= 0x202E) ||
	       (cp >= 0x2066 && cp <= 0x2069) || cp == 0xFEFF;
}

static bool is_blank(uint32_t cp)
{
	return cp == ' ' || cp == '\t' || cp == 0x00A0 || cp == 0x202F || cp == 0x2007;
}

static bool make_plain(const char *text, size_t len, struct plain *ret)
{
	char copy[MAX_BYTES + 1];
	if (len > MAX_BYTES || !utf8_valid(text, len) || memchr(text, 0, len))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	ret->len = 0;
	for (const char *p = copy; *p;) {
		uint32_t cp = utf8_next(&p);
		if (is_mark(cp))
			continue;
		if (is_blank(cp)) {
			if (ret->len)
				ret->text[ret->len++] = ' ';
			continue;
		}
		ret->len += utf8_put(cp, ret->text + ret->len);
	}
	while (ret->len && ret->text[ret->len - 1] == ' ')
		ret->len--;
	return true;
}

static bool at_end(const struct cursor *c)
{
	return c->at == c->end;
}

static bool take(struct cursor *c, const char *word)
{
	size_t len = strlen(word);
	if ((size_t)(c->end - c->at) < len || memcmp(c->at, word, len) != 0)
		return false;
	c->at += len;
	return true;
}

/* 1–15 ASCII digits. */
static bool digits(struct cursor *c, double *ret, int *ret_n)
{
	*ret = 0;
	for (*ret_n = 0; !at_end(c) && *c->at >= '0' && *c->at <= '9'; c->at++, ++*ret_n)
		*ret = *ret * 10 + (*c->at - '0');
	return *ret_n >= 1 && *ret_n <= MAX_DIGITS;
}

/* Optional sign, digits, optionally a point and digits. */
static bool number(struct cursor *c, double *ret)
{
	bool negative = take(c, "-") || take(c, "\xE2\x88\x92");
	double value, part;
	int n;
	if (!negative)
		take(c, "+");
	if (!digits(c, &value, &n))
		return false;
	if (take(c, ".")) {
		if (!digits(c, &part, &n))
			return false;
		value = (value * pow(10, n) + part) / pow(10, n);
	}
	*ret = negative && value != 0 ? -value : value;
	return true;
}

static bool blanks(struct cursor *c)
{
	const char *from = c->at;
	while (take(c, " "))
		;
	return c->at > from;
}

static const char *const units[] = {
	"percent",
	"dB",
	"\xC2\xB0",
	"\xC2\xB0"
	"C",
	"\xC2\xB0"
	"F",
	"px",
	"dp",
	"pt",
	"ms",
	"s",
	"sec",
	"min",
	"h",
	"x",
	"bpm",
	"Hz",
	"star",
	"stars",
	"step",
	"steps",
};

static const char *unit(const struct cursor *c)
{
	size_t len = (size_t)(c->end - c->at);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i]) == len && memcmp(units[i], c->at, len) == 0)
			return units[i];
	return NULL;
}

static bool take_of(struct cursor *c)
{
	return take(c, "of") || take(c, "Of") || take(c, "oF") || take(c, "OF");
}

/* NUM of NUM [unit]; the cursor stands behind the first number. */
static bool of_form(struct cursor c, struct ct_parsed *p)
{
	if (!blanks(&c) || !take_of(&c) || !blanks(&c) || !number(&c, &p->max))
		return false;
	if (p->max <= 0 || p->value < 0 || p->value > p->max)
		return false;
	p->has_max = true;
	if (at_end(&c))
		return true;
	blanks(&c);
	p->unit = unit(&c);
	return p->unit != NULL;
}

bool ct_value_parse(const char *text, size_t len, struct ct_parsed *ret)
{
	struct plain plain;
	struct ct_parsed p = { 0 };
	if (!make_plain(text, len, &plain))
		return false;
	struct cursor c = { plain.text, plain.text + plain.len };
	if (!number(&c, &p.value))
		return false;
	struct cursor rest = c;
	blanks(&rest);
	bool good = at_end(&c);
	if (!good && take(&rest, "%"))
		good = p.percent = at_end(&rest);
	else if (!good && (p.unit = unit(&rest)))
		good = true;
	else if (!good)
		good = of_form(c, &p);
	p.percent |= p.unit && strcmp(p.unit, "percent") == 0;
	if (good)
		*ret = p;
	return good;
}
