/* What /proc says about other processes. Nothing here signals or waits. */
#ifndef DEFT_ATSPI_PROCESS_H
#define DEFT_ATSPI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The executable of a process as a resolved path; false: gone, or not ours to see. */
bool process_exe(pid_t pid, char *out, size_t size);
/* The process runs this program (a resolved path): as its executable, or as the script that one of
 * the first two words of its command line names. */
bool process_runs(pid_t pid, const char *program);
/* The process was started with this "NAME=value" in its environment. */
bool process_has_env(pid_t pid, const char *assignment);

#endif
