#include "backend/atspi/desktop_entry.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <stddef.h>
#include <string.h>

void desktop_entry_done(struct desktop_entry *d)
{
	char *all[] = { d->id,   d->file,     d->type, d->name, d->generic_name,
		            d->exec, d->try_exec, d->path, d->icon, d->wm_class };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		free(all[i]);
	*d = (struct desktop_entry){ NULL };
}

/* --- parsing -------------------------------------------------------------------------------- */

static const struct {
	const char *key;
	size_t at;
} text_keys[] = {
	{ "Type", offsetof(struct desktop_entry, type) },
	{ "Name", offsetof(struct desktop_entry, name) },
	{ "GenericName", offsetof(struct desktop_entry, generic_name) },
	{ "Exec", offsetof(struct desktop_entry, exec) },
	{ "TryExec", offsetof(struct desktop_entry, try_exec) },
	{ "Path", offsetof(struct desktop_entry, path) },
	{ "Icon", offsetof(struct desktop_entry, icon) },
	{ "StartupWMClass", offsetof(struct desktop_entry, wm_class) },
};

static const struct {
	const char *key;
	size_t at;
} bool_keys[] = {
	{ "Terminal", offsetof(struct desktop_entry, terminal) },
	{ "Hidden", offsetof(struct desktop_entry, hidden) },
	{ "NoDisplay", offsetof(struct desktop_entry, no_display) },
	{ "DBusActivatable", offsetof(struct desktop_entry, dbus) },
};

struct span {
	const char *at;
	size_t len;
};

static bool is(struct span s, const char *word)
{
	return s.len == strlen(word) && memcmp(s.at, word, s.len) == 0;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct span trim(struct span s)
{
	while (s.len > 0 && blank(s.at[0])) {
		s.at++;
		s.len--;
	}
	while (s.len > 0 && blank(s.at[s.len - 1]))
		s.len--;
	return s;
}

/* The escapes of values of type string; an unknown one stays as it is. */
static char *unescape(struct span v)
{
	static const char codes[] = "sntr\\", meant[] = " \n\t\r\\";
	auto_free char *raw = malloc(v.len + 1);
	if (!raw)
		return NULL;
	size_t n = 0;
	for (size_t i = 0; i < v.len; i++) {
		const char *code =
		    v.at[i] == '\\' && i + 1 < v.len && v.at[i + 1] ? strchr(codes, v.at[i + 1]) : NULL;
		raw[n++] = code ? meant[code - codes] : v.at[i];
		i += code != NULL;
	}
	return utf8_repair(raw, n, LIM_DESKTOP_ENTRY, NULL);
}

static int set_key(struct desktop_entry *d, struct span key, struct span value)
{
	for (size_t i = 0; i < ARRAY_SIZE(text_keys); i++) {
		char **to = (void *)((char *)d + text_keys[i].at);
		if (!is(key, text_keys[i].key) || *to)
			continue;
		*to = unescape(value);
		return *to ? 0 : -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(bool_keys); i++)
		if (is(key, bool_keys[i].key))
			*(bool *)((char *)d + bool_keys[i].at) = is(value, "true");
	return 0;
}

static struct span next_line(const char **at, const char *end)
{
	const char *nl = memchr(*at, '\n', (size_t)(end - *at));
	struct span line = { *at, (size_t)((nl ? nl : end) - *at) };
	*at = nl ? nl + 1 : end;
	return trim(line);
}

static int parse_line(struct desktop_entry *d, struct span line)
{
	const char *eq = line.len > 0 && line.at[0] != '#' ? memchr(line.at, '=', line.len) : NULL;
	if (!eq)
		return 0;
	struct span key = trim((struct span){ line.at, (size_t)(eq - line.at) });
	struct span value = trim((struct span){ eq + 1, line.len - (size_t)(eq + 1 - line.at) });
	return set_key(d, key, value);
}

int desktop_entry_parse(const char *text, size_t len, struct desktop_entry *ret, struct error *e)
{
	struct desktop_entry d = { NULL };
	const char *at = text, *end = text + len;
	bool inside = false, seen = false;
	while (at < end) {
		struct span line = next_line(&at, end);
		if (line.len > 0 && line.at[0] == '[') {
			inside = !seen && is(line, "[Desktop Entry]");
			seen = seen || inside;
		} else if (inside && parse_line(&d, line) < 0) {
			desktop_entry_done(&d);
			return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
		}
	}
	if (!seen) {
		desktop_entry_done(&d);
		return error_set(e, ERR_INVALID_ARGS, "not a desktop entry: no [Desktop Entry] group");
	}
	*ret = d;
	return 0;
}

bool desktop_entry_usable(const struct desktop_entry *d)
{
	if (!d->exec || !*d->exec || d->hidden || (d->type && strcmp(d->type, "Application") != 0))
		return false;
	if (!d->try_exec || !*d->try_exec)
		return true;
	auto_free char *path = fs_which(d->try_exec, NULL);
	return path != NULL;
}

int desktop_entry_read(const char *file, struct desktop_entry *ret, struct error *e)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_DESKTOP_ENTRY);
	struct desktop_entry d = { NULL };
	int r = fs_read(file, LIM_DESKTOP_ENTRY, &text, e);
	if (r == 0)
		r = desktop_entry_parse(text.data, text.len, &d, e);
	if (r < 0)
		return error_prefix(e, "%s", file);
	const char *base = strrchr(file, '/');
	base = base ? base + 1 : file;
	size_t n = strlen(base);
	n -= n > 8 && strcmp(base + n - 8, ".desktop") == 0 ? 8 : 0;
	d.id = utf8_repair(base, n, LIM_PATH, NULL);
	d.file = strdup(file);
	if (!d.id || !d.file) {
		desktop_entry_done(&d);
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	}
	*ret = d;
	return 0;
}
