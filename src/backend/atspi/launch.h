/* Starting programs so that they can be driven, finding the running ones, ending them.
 *
 * A started program is the user's: it has a session of its own, writes to a log file, and stays when
 * the runner ends. struct launcher remembers what was started only to reap it. */
#ifndef DEFT_ATSPI_LAUNCH_H
#define DEFT_ATSPI_LAUNCH_H

#include "backend/atspi/atspi.h"
#include "backend/atspi/program.h"
#include "base/proc.h"

struct launcher;
void launcher_free(struct launcher *l); /* NULL is fine; ends nothing */
/* Takes note of programs that have ended. */
void launcher_reap(struct launcher *l);

/* The environment of a program: the runner's own without what is private to it, accessibility
 * switched on, the display of this runner, then `extra` (object of strings or NULL) and `mark`.
 * *ret: NULL-terminated, freed with desktop_argv_free(). */
int launch_env(const struct atspi *a, const json_t *extra, const char *mark, char ***ret,
               struct error *e);

/* A program that was started. */
struct started {
	struct proc *proc; /* owned by the launcher */
	char mark[64];     /* "DEFT_LAUNCH_ID=…": what its processes carry in their environment */
	char log[512];     /* "" when there is none */
	long log_from;     /* bytes that were in the log before */
};
int launch_start(struct atspi *a, const struct program *p, const struct rb_launch *l,
                 struct started *ret, struct error *e);
/* -ERR_COMMAND_FAILED with exit status and last output, for a program that has ended. */
int launch_ended(const struct started *s, const struct program *p, int status, struct error *e);

/* rb_ops */
int atspi_launch(struct atspi *a, struct call c, const struct rb_launch *l, json_t **ret,
                 struct error *e);
int atspi_activate(struct atspi *a, struct call c, const char *app, struct error *e);
int atspi_terminate(struct atspi *a, struct call c, const char *app, bool force, bool *ret_left,
                    struct error *e);
int atspi_apps(struct atspi *a, struct call c, bool installed, json_t **ret, struct error *e);
int atspi_prepare(struct atspi *a, struct call c, const char *app, bool interaction,
                  struct error *e);

/* Ends one process by its number now: *ret_left when it is still there afterwards. */
int launch_end(struct atspi *a, struct call c, pid_t pid, bool force, bool *ret_left,
               struct error *e);
/* Brings the program's window forward and waits until it is there; 0 also when X11 isn't available
 * or the program has no X window of its own. */
int launch_raise(struct atspi *a, struct call c, pid_t pid, struct error *e);

#endif
