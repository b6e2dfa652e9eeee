/* Runner programs on this machine: where they are, and devices that stand on one. */
#ifndef DEFT_PLATFORM_RUNNER_PROGRAM_H
#define DEFT_PLATFORM_RUNNER_PROGRAM_H

#include "platform/platform.h"

/* Path of the runner program deft-runner-<kind>: in $DEFT_RUNNER_DIR, beside the executable, in
 * ../libexec/deft, or where the build tree has it. Caller frees; NULL when there is none. */
char *pf_runner_program(const char *kind);
/* A device over such a runner (pf_runner_ops), which is started by the first command with the
 * caller's environment and logs to <state_dir>/runner-<id>.log. -ERR_TOOL_MISSING. */
int pf_runner_attach(const struct pf_caller *caller, const struct pf_device_info *info,
                     const char *kind, struct pf_device **ret, struct error *e);
/* Marks an entry as not usable now. */
void pf_unavailable(struct pf_device_info *info, const char *code, const char *reason);

#endif
