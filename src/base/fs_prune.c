#include "base/fs.h"

#include "base/cleanup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct aged {
	char *name;
	struct timespec at;
};

struct pile {
	struct aged *files;
	size_t n, cap;
};

static void pile_done(struct pile *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->files[i].name);
	free(p->files);
}

static bool add(struct pile *p, const char *name, struct timespec at)
{
	if (p->n == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 64;
		struct aged *more = reallocarray(p->files, cap, sizeof(*more));
		if (!more)
			return false;
		p->files = more;
		p->cap = cap;
	}
	char *copy = strdup(name);
	if (!copy)
		return false;
	p->files[p->n++] = (struct aged){ copy, at };
	return true;
}

static bool ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);
	return n >= m && strcmp(s + n - m, suffix) == 0;
}

static int oldest_first(const void *a, const void *b)
{
	const struct aged *x = a, *y = b;
	if (x->at.tv_sec != y->at.tv_sec)
		return x->at.tv_sec < y->at.tv_sec ? -1 : 1;
	if (x->at.tv_nsec != y->at.tv_nsec)
		return x->at.tv_nsec < y->at.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

void fs_keep_newest(const char *dir, const char *suffix, size_t keep)
{
	__attribute__((cleanup(pile_done))) struct pile p = { NULL };
	struct dirent *d;
	struct stat st;
	DIR *listing = opendir(dir);
	if (!listing)
		return;
	while ((d = readdir(listing)))
		if (ends_with(d->d_name, suffix) &&
		    fstatat(dirfd(listing), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode) && !add(&p, d->d_name, st.st_mtim))
			break;
	if (p.n > keep) {
		qsort(p.files, p.n, sizeof(*p.files), oldest_first);
		for (size_t i = 0; i < p.n - keep; i++)
			unlinkat(dirfd(listing), p.files[i].name, 0);
	}
	closedir(listing);
}
