#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t get_c_locale(void)
{
	pthread_once(&c_locale_once, make_c_locale);
	return c_locale;
}

static const char *skip_digits(const char *s)
{
	while (*s >= '0' && *s <= '9')
		s++;
	return s;
}

/* [+-]digits[.digits][e[+-]digits] and nothing else. */
static bool is_decimal(const char *s)
{
	if (*s == '+' || *s == '-')
		s++;
	const char *digits = s;
	s = skip_digits(s);
	if (s == digits)
		return false;
	if (*s == '.') {
		digits = ++s;
		s = skip_digits(s);
		if (s == digits)
			return false;
	}
	if (*s == 'e' || *s == 'E') {
		s++;
		if (*s == '+' || *s == '-')
			s++;
		digits = s;
		s = skip_digits(s);
		if (s == digits)
			return false;
	}
	return *s == '\0';
}

bool number_parse(const char *s, double *ret)
{
	if (!is_decimal(s))
		return false;
	double v = strtod_l(s, NULL, get_c_locale());
	if (!isfinite(v))
		return false;
	*ret = v;
	return true;
}

bool number_parse_int(const char *s, int64_t *ret)
{
	const char *digits = s + (*s == '+' || *s == '-');
	if (*digits == '\0' || *skip_digits(digits) != '\0')
		return false;
	errno = 0;
	long long v = strtoll(s, NULL, 10);
	if (errno)
		return false;
	*ret = v;
	return true;
}

int64_t number_round(double v)
{
	if (isnan(v))
		return 0;
	if (v >= (double)INT64_MAX)
		return INT64_MAX;
	if (v <= (double)INT64_MIN)
		return INT64_MIN;
	return llround(v);
}

void number_format(double v, char out[NUMBER_TEXT])
{
	if (!isfinite(v)) {
		memcpy(out, "null", 5);
		return;
	}
	if (v == trunc(v) && fabs(v) < 1e15) {
		snprintf(out, NUMBER_TEXT, "%lld", (long long)v);
		return;
	}
	/* Any decimal of up to 15 digits survives the way through a normal double, so %.15g prints
	 * the shortest one when it reads back at all. Subnormals carry fewer digits. */
	locale_t before = uselocale(get_c_locale());
	for (int digits = fabs(v) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		snprintf(out, NUMBER_TEXT, "%.*g", digits, v);
		if (strtod_l(out, NULL, c_locale) == v)
			break;
	}
	uselocale(before);
}
