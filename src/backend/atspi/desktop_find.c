/* Finding desktop entries in the data directories. */
#include "backend/atspi/desktop_entry.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <dirent.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define SUFFIX ".desktop"
#define DEPTH_MAX 4

struct finder {
	struct desktop_entry *list;
	size_t n, cap;
};

static bool has_suffix(const char *name)
{
	size_t n = strlen(name);
	return n > strlen(SUFFIX) && strcmp(name + n - strlen(SUFFIX), SUFFIX) == 0;
}

static bool known(const struct finder *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->list[i].id, id) == 0)
			return true;
	return false;
}

/* The id of a file in a subfolder has the folder's name before it: "kde/foo" is kde-foo. */
static void add_file(struct finder *f, const char *path, const char *prefix)
{
	struct desktop_entry d = { NULL };
	if (desktop_entry_read(path, &d, NULL) < 0)
		return;
	if (*prefix) {
		auto_buf struct buf id;
		buf_init(&id, LIM_PATH);
		buf_addf(&id, "%s%s", prefix, d.id);
		free(d.id);
		d.id = buf_detach(&id);
	}
	if (f->n == f->cap && f->n < LIM_DESKTOP_ENTRIES) {
		size_t cap = f->cap ? f->cap * 2 : 64;
		struct desktop_entry *grown = realloc(f->list, cap * sizeof(*grown));
		if (grown) {
			f->list = grown;
			f->cap = cap;
		}
	}
	if (f->n == f->cap || !d.id || known(f, d.id))
		desktop_entry_done(&d);
	else
		f->list[f->n++] = d;
}

static void scan_folder(struct finder *f, const char *folder, const char *prefix, int depth)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *at = readdir(dir); at; at = readdir(dir)) {
		auto_free char *path = fs_join(folder, at->d_name);
		struct stat st;
		if (at->d_name[0] == '.' || !path || stat(path, &st) < 0)
			continue;
		if (S_ISREG(st.st_mode) && has_suffix(at->d_name))
			add_file(f, path, prefix);
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
			auto_buf struct buf deeper;
			buf_init(&deeper, LIM_PATH);
			buf_addf(&deeper, "%s%s-", prefix, at->d_name);
			scan_folder(f, path, deeper.data, depth + 1);
		}
	}
	closedir(dir);
}

static void scan_data_dir(struct finder *f, const char *dir, size_t len)
{
	auto_buf struct buf folder;
	buf_init(&folder, LIM_PATH);
	if (len == 0 || dir[0] != '/') /* relative paths are to be ignored */
		return;
	buf_add(&folder, dir, len);
	buf_adds(&folder, "/applications");
	if (!folder.over)
		scan_folder(f, folder.data, "", 0);
}

static void scan_home(struct finder *f)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	auto_buf struct buf dir;
	buf_init(&dir, LIM_PATH);
	if (data && *data)
		buf_adds(&dir, data);
	else if (home && *home)
		buf_addf(&dir, "%s/.local/share", home);
	scan_data_dir(f, dir.data, dir.len);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct desktop_entry *)a)->id, ((const struct desktop_entry *)b)->id);
}

void desktop_entries_read(struct desktop_entries *ret)
{
	struct finder f = { NULL };
	const char *dirs = getenv("XDG_DATA_DIRS");
	dirs = dirs && *dirs ? dirs : "/usr/local/share:/usr/share";
	scan_home(&f);
	while (*dirs) {
		size_t len = strcspn(dirs, ":");
		scan_data_dir(&f, dirs, len);
		dirs += len + (dirs[len] == ':');
	}
	size_t n = 0;
	for (size_t i = 0; i < f.n; i++) {
		if (desktop_entry_usable(&f.list[i]))
			f.list[n++] = f.list[i];
		else
			desktop_entry_done(&f.list[i]);
	}
	if (n > 0)
		qsort(f.list, n, sizeof(*f.list), by_id);
	*ret = (struct desktop_entries){ f.list, n };
}

void desktop_entries_done(struct desktop_entries *d)
{
	for (size_t i = 0; i < d->n; i++)
		desktop_entry_done(&d->list[i]);
	free(d->list);
	*d = (struct desktop_entries){ NULL, 0 };
}

const struct desktop_entry *desktop_entries_find(const struct desktop_entries *d, const char *id)
{
	size_t len = strlen(id);
	len -= has_suffix(id) ? strlen(SUFFIX) : 0;
	for (size_t i = 0; i < d->n; i++)
		if (strlen(d->list[i].id) == len && memcmp(d->list[i].id, id, len) == 0)
			return &d->list[i];
	for (size_t i = 0; i < d->n; i++)
		if (strlen(d->list[i].id) == len && strncasecmp(d->list[i].id, id, len) == 0)
			return &d->list[i];
	return NULL;
}
