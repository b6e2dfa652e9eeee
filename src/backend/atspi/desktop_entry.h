/* Desktop entry files (.desktop): parsing, command lines, and finding them.
 * Source of the rules: Desktop Entry Specification 1.5. Parsing is pure. */
#ifndef DEFT_ATSPI_DESKTOP_ENTRY_H
#define DEFT_ATSPI_DESKTOP_ENTRY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The [Desktop Entry] group of one file; all strings owned, NULL when the key is absent. */
struct desktop_entry {
	char *id;   /* "org.gnome.Calculator": the file's name in its directory, without .desktop */
	char *file; /* the path it was read from */
	char *type, *name, *generic_name, *exec, *try_exec, *path, *icon, *wm_class;
	bool terminal, hidden, no_display, dbus;
};

/* -ERR_INVALID_ARGS when the text has no [Desktop Entry] group. Keys that are not known, other groups
 * and broken lines are skipped; ill-formed text is repaired; the first of two equal keys counts. */
int desktop_entry_parse(const char *text, size_t len, struct desktop_entry *ret, struct error *e);
void desktop_entry_done(struct desktop_entry *d);

/* The command line of the entry: quoting undone, field codes replaced (%f %u the first of args,
 * %F %U all of them, %i %c %k, %% and the deprecated ones); args that no code takes are appended.
 * *ret: NULL-terminated, freed with desktop_argv_free(). -ERR_INVALID_ARGS for a broken or empty
 * Exec line, -ERR_LIMIT_EXCEEDED above LIM_LAUNCH_ARGS words. */
int desktop_entry_argv(const struct desktop_entry *d, const char *const *args, size_t n_args,
                       char ***ret, struct error *e);
void desktop_argv_free(char **argv);

/* Can be offered and started: an Application with Exec, not Hidden, its TryExec there. */
bool desktop_entry_usable(const struct desktop_entry *d);

/* Every usable entry of the data directories ($XDG_DATA_HOME, $XDG_DATA_DIRS with their defaults),
 * sorted by id; of one id only the first directory's counts, also when it is hidden there. Broken
 * files are skipped. */
struct desktop_entries {
	struct desktop_entry *list;
	size_t n;
};
void desktop_entries_read(struct desktop_entries *ret);
void desktop_entries_done(struct desktop_entries *d);
/* By id, with or without ".desktop"; exactly, else ignoring case. NULL: none. */
const struct desktop_entry *desktop_entries_find(const struct desktop_entries *d, const char *id);
/* Reads one file; id is its name without directory and suffix. */
int desktop_entry_read(const char *file, struct desktop_entry *ret, struct error *e);

#endif
