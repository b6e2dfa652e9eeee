#include "base/utf8.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

size_t utf8_step(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	if (len == 0)
		return 0;
	if (s[0] < 0x80)
		return 1;
	size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4 || n > len)
		return 0;
	/* The second byte's range excludes overlong forms, surrogates and what is above U+10FFFF. */
	unsigned char low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

bool utf8_valid(const char *s, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = utf8_step(s + i, len - i);
		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

static bool is_bad_control(char c)
{
	return (unsigned char)c < 0x20 && c != '\t' && c != '\n';
}

char *utf8_repair(const char *s, size_t len, size_t max_bytes, bool *ret_cut)
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t room = len > max_bytes / 3 ? max_bytes : len * 3;
	char *out = malloc(room + 1);
	if (!out)
		return NULL;
	size_t o = 0, i = 0;
	while (i < len) {
		size_t n = utf8_step(s + i, len - i);
		bool bad = n == 0 || (n == 1 && is_bad_control(s[i]));
		const char *from = bad ? replacement : s + i;
		size_t size = bad ? 3 : n;
		if (size > room - o)
			break;
		memcpy(out + o, from, size);
		o += size;
		i += n ? n : 1;
	}
	out[o] = '\0';
	if (ret_cut)
		*ret_cut = i < len;
	return out;
}

size_t utf8_count(const char *s)
{
	size_t n = 0;
	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

uint32_t utf8_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	if (p[0] == 0)
		return 0;
	unsigned n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	uint32_t cp = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
	unsigned i = 1;
	for (; i < n && p[i]; i++)
		cp = cp << 6 | (p[i] & 0x3fu);
	*s += i;
	return cp;
}

unsigned utf8_put(uint32_t cp, char out[4])
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	unsigned n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (unsigned i = n; i-- > 1; cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)((0xf00u >> n & 0xff) | cp);
	return n;
}

size_t utf8_offset(const char *s, size_t n)
{
	const char *p = s;
	while (n-- && *p)
		utf8_next(&p);
	return (size_t)(p - s);
}

/* Ranges of capital letters: every `step`th code point from first to last moves by delta. */
struct fold {
	uint32_t first, last;
	uint8_t step;
	int16_t delta;
};

/* Sorted by code point; Unicode's CaseFolding.txt, statuses C and S, of the scripts named in the header. */
static const struct fold folds[] = {
	{ 0x41, 0x5a, 1, 32 },    { 0xb5, 0xb5, 1, 775 },       { 0xc0, 0xd6, 1, 32 },
	{ 0xd8, 0xde, 1, 32 },    { 0x100, 0x12e, 2, 1 },       { 0x132, 0x136, 2, 1 },
	{ 0x139, 0x147, 2, 1 },   { 0x14a, 0x176, 2, 1 },       { 0x178, 0x178, 1, -121 },
	{ 0x179, 0x17d, 2, 1 },   { 0x17f, 0x17f, 1, -268 },    { 0x1cd, 0x1db, 2, 1 },
	{ 0x1de, 0x1ee, 2, 1 },   { 0x1f8, 0x21e, 2, 1 },       { 0x222, 0x232, 2, 1 },
	{ 0x370, 0x372, 2, 1 },   { 0x376, 0x376, 1, 1 },       { 0x386, 0x386, 1, 38 },
	{ 0x388, 0x38a, 1, 37 },  { 0x38c, 0x38c, 1, 64 },      { 0x38e, 0x38f, 1, 63 },
	{ 0x391, 0x3a1, 1, 32 },  { 0x3a3, 0x3ab, 1, 32 },      { 0x3c2, 0x3c2, 1, 1 },
	{ 0x400, 0x40f, 1, 80 },  { 0x410, 0x42f, 1, 32 },      { 0x460, 0x480, 2, 1 },
	{ 0x48a, 0x4be, 2, 1 },   { 0x4c0, 0x4c0, 1, 15 },      { 0x4c1, 0x4cd, 2, 1 },
	{ 0x4d0, 0x52e, 2, 1 },   { 0x1e00, 0x1e94, 2, 1 },     { 0x1e9e, 0x1e9e, 1, -7615 },
	{ 0x1ea0, 0x1efe, 2, 1 }, { 0x212a, 0x212a, 1, -8383 }, { 0xff21, 0xff3a, 1, 32 },
};

uint32_t utf8_fold(uint32_t cp)
{
	if (cp < 0x80)
		return cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
	size_t low = 0, high = ARRAY_SIZE(folds);
	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct fold *f = &folds[mid];
		if (cp < f->first)
			high = mid;
		else if (cp > f->last)
			low = mid + 1;
		else
			return (cp - f->first) % f->step ? cp : (uint32_t)((int32_t)cp + f->delta);
	}
	return cp;
}

bool utf8_is_space(uint32_t cp)
{
	switch (cp) {
	case ' ':
	case '\t':
	case '\n':
	case '\r':
	case '\v':
	case '\f':
	case 0xa0:
	case 0x202f:
	case 0x205f:
	case 0x3000:
	case 0xfeff: return true;
	default: return cp >= 0x2000 && cp <= 0x200b;
	}
}
