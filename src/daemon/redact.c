#include "daemon/redact.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <string.h>
#include <strings.h>

#define MASK "[redacted]"

/* Words before or in a key that say its value is secret; matched without regard to case. */
static const char *const secret_keys[] = {
	"token", "secret", "password",   "passwd",    "pwd",        "apikey",      "api_key", "api-key",
	"auth",  "cookie", "session_id", "sessionid", "credential", "private_key", "value",   "text",
};
/* Prefixes of credentials that tell themselves. */
static const char *const token_prefixes[] = {
	"ghp_",  "gho_",  "ghs_", "ghu_", "github_pat_", "glpat-",
	"xoxb-", "xoxp-", "sk-",  "AKIA", "ASIA",
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-' || c == '.';
}

static bool is_secret_key(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(secret_keys); i++) {
		size_t n = strlen(secret_keys[i]);
		for (size_t at = 0; at + n <= len; at++)
			if (strncasecmp(word + at, secret_keys[i], n) == 0)
				return true;
	}
	return false;
}

static bool is_token(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(token_prefixes); i++) {
		size_t n = strlen(token_prefixes[i]);
		if (len >= n + 8 && strncmp(word, token_prefixes[i], n) == 0)
			return true;
	}
	return false;
}

static bool is_scheme(const char *word, size_t len)
{
	return (len == 6 && strncasecmp(word, "bearer", 6) == 0) ||
	       (len == 5 && strncasecmp(word, "basic", 5) == 0);
}

/* Length of a value: a quoted string with its quotes, else up to a blank or separator. */
static size_t value_length(const char *s)
{
	if (*s != '"' && *s != '\'')
		return strcspn(s, " \t\n&;,\"'");
	size_t i = 1;
	while (s[i] && s[i] != s[0])
		i += s[i] == '\\' && s[i + 1] ? 2 : 1;
	return s[i] ? i + 1 : i;
}

/* "user:password@" after "://": its length, 0 when there is none. */
static size_t userinfo_length(const char *s)
{
	size_t n = strcspn(s, "/?# \t\n@");
	return s[n] == '@' ? n : 0;
}

static size_t mask(struct buf *out, size_t len)
{
	if (len > 0)
		buf_adds(out, MASK);
	return len;
}

void dm_redact_text(const char *s, struct buf *out)
{
	while (*s) {
		size_t len = 0;
		while (is_word(s[len]))
			len++;
		if (len == 0) {
			if (strncmp(s, "://", 3) == 0) {
				buf_adds(out, "://");
				s += 3;
				s += mask(out, userinfo_length(s));
			} else {
				buf_addc(out, *s++);
			}
			continue;
		}
		if (is_token(s, len))
			mask(out, len);
		else
			buf_add(out, s, len);
		const char *word = s;
		s += len;
		size_t gap = is_scheme(word, len) ? strspn(s, " ") : 0;
		if (gap == 0 && (*s == '=' || *s == ':') && s[1] != '/' && is_secret_key(word, len))
			gap = 1 + strspn(s + 1, " ");
		/* "Authorization: Bearer x": the scheme is no secret, what follows is */
		if (gap > 0 && !is_scheme(s + gap, value_length(s + gap))) {
			buf_add(out, s, gap);
			s += gap;
			s += mask(out, value_length(s));
		}
	}
}

static json_t *count(const json_t *value)
{
	auto_buf struct buf b;
	size_t i, n = 0;
	json_t *item;
	buf_init(&b, 64);
	if (json_is_string(value))
		n = utf8_count(json_string_value(value));
	json_array_foreach((json_t *)(uintptr_t)value, i, item) n +=
	    json_is_string(item) ? utf8_count(json_string_value(item)) : 0;
	buf_addf(&b, "<%zu characters>", n);
	return json_string(b.data);
}

static bool is_free_text(enum cmd_type type)
{
	return type == CMD_TEXT || type == CMD_WORDS || type == CMD_LIST;
}

json_t *dm_redact_args(const struct cmd_spec *spec, const json_t *args)
{
	json_t *out = json_object();
	for (size_t i = 0; i < spec->n_params; i++) {
		const struct cmd_param *p = &spec->params[i];
		json_t *v = json_object_get(args, p->name);
		auto_buf struct buf text;
		buf_init(&text, LIM_ERROR_TEXT);
		if (!v)
			continue;
		if (is_free_text(p->type))
			jx_set(out, p->name, count(v));
		else if (json_is_string(v)) {
			dm_redact_text(json_string_value(v), &text);
			jx_set_str(out, p->name, text.data);
		} else if (json_is_number(v) || json_is_boolean(v))
			jx_set(out, p->name, json_incref(v));
	}
	return out;
}
