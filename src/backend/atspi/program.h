/* What a launch target means: a desktop entry, a program file, or something for xdg-open. */
#ifndef DEFT_ATSPI_PROGRAM_H
#define DEFT_ATSPI_PROGRAM_H

#include "backend/atspi/atspi.h"

#include <stdbool.h>
#include <stddef.h>

enum program_kind { PROGRAM_ENTRY, PROGRAM_FILE, PROGRAM_OPENER };

struct program {
	enum program_kind kind;
	char *id;      /* desktop id, or the file's name */
	char *name;    /* for people */
	char *exe;     /* resolved path of what is started; NULL: not found on this machine */
	char *cwd;     /* NULL: the runner's */
	char **argv;   /* NULL-terminated */
	bool has_args; /* the caller gave arguments of its own */
	bool by_path;  /* this very file is meant, and nothing else of its name */
};

/* Resolves a target: "org.gnome.Calculator[.desktop]", the name of an entry ("Calculator"), a program
 * on PATH, a path to a program, entry or document, a URL. args: array of strings or NULL.
 * -ERR_APP_NOT_FOUND with details.near, -ERR_AMBIGUOUS_MATCH for an entry name that several have,
 * -ERR_TOOL_MISSING without xdg-open. */
int program_resolve(const char *target, const json_t *args, struct program *ret, struct error *e);
void program_done(struct program *p);

/* A running application is an instance of the program: by executable, else (a wrapper started
 * something else) by name, unless the program was given as a path. */
bool program_is(const struct program *p, const struct atspi_app *app);
/* Chromium and what is built on it, which shows no tree unless told on its command line. */
bool program_is_chromium(const char *exe);

#endif
