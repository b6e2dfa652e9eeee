/* The fork and what runs in the child before exec. Used by proc.c only. */
#ifndef DEFT_BASE_PROC_SPAWN_H
#define DEFT_BASE_PROC_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct spawn {
	const char *path; /* resolved program */
	char *const *argv, *const *env;
	const char *cwd;  /* may be NULL */
	int in, out, err; /* become 0, 1, 2; all >= SPAWN_FD_MIN, closed by the caller */
	bool die_with_parent, new_session;
};

/* Descriptors given to the child must not stand where 0..3 will be put. */
enum { SPAWN_FD_MIN = 10 };

/* The pid, or -errno of the step that failed in *ret_step ("fork", "chdir", "exec"). */
pid_t spawn_run(const struct spawn *s, const char **ret_step);

#endif
