#include "ledger.h"

#include "base/buf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENTRIES = 8192, LINE = 1 << 20 };

struct ledger {
	int fd;
	struct buf rest; /* the beginning of a line */
	struct ledger_entry *entries;
	size_t n;
	unsigned runners;
};

struct ledger *ledger_new(const char *log_path)
{
	struct ledger *l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	l->fd = open(log_path, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
	l->entries = calloc(ENTRIES, sizeof *l->entries);
	buf_init(&l->rest, LINE);
	if (l->fd >= 0 && l->entries)
		return l;
	ledger_free(l);
	return NULL;
}

void ledger_free(struct ledger *l)
{
	if (!l)
		return;
	if (l->fd >= 0)
		close(l->fd);
	free(l->entries);
	buf_done(&l->rest);
	free(l);
}

static struct ledger_entry *entry_of(struct ledger *l, const char *id)
{
	for (size_t i = l->n; i-- > 0;)
		if (strcmp(l->entries[i].id, id) == 0)
			return &l->entries[i];
	if (l->n == ENTRIES)
		abort();
	struct ledger_entry *e = &l->entries[l->n++];
	snprintf(e->id, sizeof e->id, "%s", id);
	return e;
}

/* The word after key in a log line. */
static bool word_after(const char *line, const char *key, char *out, size_t size)
{
	const char *at = strstr(line, key);
	if (!at)
		return false;
	at += strlen(key);
	snprintf(out, size, "%.*s", (int)strcspn(at, " \n"), at);
	return true;
}

static void read_line(struct ledger *l, const char *line)
{
	char id[64], command[24], ok[8] = "";
	bool accepted = strstr(line, "DEFT_RUNNER_COMMAND_ACCEPTED ") != NULL;
	bool completed = strstr(line, "DEFT_RUNNER_COMMAND_COMPLETED ") != NULL;
	if (!(accepted || completed) || !word_after(line, "commandId=", id, sizeof id) ||
	    !word_after(line, "command=", command, sizeof command))
		return;
	struct ledger_entry *e = entry_of(l, id);
	snprintf(e->command, sizeof e->command, "%s", command);
	e->runner = l->runners;
	word_after(line, "ok=", ok, sizeof ok);
	e->accepted += accepted;
	e->done += completed && ok[0] == '1';
	e->refused += completed && ok[0] != '1';
}

void ledger_update(struct ledger *l)
{
	char some[65536];
	ssize_t n;
	while ((n = read(l->fd, some, sizeof some)) > 0) {
		buf_add(&l->rest, some, (size_t)n);
		char *end;
		while ((end = memchr(l->rest.data, '\n', l->rest.len))) {
			*end = '\0';
			read_line(l, l->rest.data);
			buf_drop_front(&l->rest, (size_t)(end + 1 - l->rest.data));
		}
	}
}

const struct ledger_entry *ledger_find(const struct ledger *l, const char *id)
{
	for (size_t i = l->n; i-- > 0;)
		if (strcmp(l->entries[i].id, id) == 0)
			return &l->entries[i];
	return NULL;
}

int ledger_done(const struct ledger *l, const char *id)
{
	const struct ledger_entry *e = ledger_find(l, id);
	return e ? e->done : 0;
}

int ledger_done_now(const struct ledger *l, const char *command, bool tried)
{
	int n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct ledger_entry *e = &l->entries[i];
		if (e->runner == l->runners && strcmp(e->command, command) == 0)
			n += e->done + (tried ? e->refused : 0);
	}
	return n;
}

void ledger_next_runner(struct ledger *l)
{
	ledger_update(l);
	l->runners++;
}

const struct ledger_entry *ledger_at(const struct ledger *l, size_t i)
{
	return i < l->n ? &l->entries[i] : NULL;
}
