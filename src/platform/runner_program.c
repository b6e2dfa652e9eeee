#include "platform/runner_program.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "client/http_provider.h"
#include "platform/caller_env.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the directory of the running executable; %1$s is the kind. Programs of a build lie in
 * src/daemon or tests/unit/<room>, runners in runners/<kind>. */
static const char *const places[] = {
	"deft-runner-%1$s",
	"../libexec/deft/deft-runner-%1$s",
	"runners/%1$s/deft-runner-%1$s",
	"../runners/%1$s/deft-runner-%1$s",
	"../../runners/%1$s/deft-runner-%1$s",
	"../../../runners/%1$s/deft-runner-%1$s",
};

static char *program_in(const char *dir, const char *place, const char *kind)
{
	struct buf auto_buf name;
	buf_init(&name, LIM_PATH);
	for (const char *p = place; *p; p++) {
		if (strncmp(p, "%1$s", 4) == 0) {
			buf_adds(&name, kind);
			p += 3;
		} else {
			buf_addc(&name, *p);
		}
	}
	char auto_free *path = name.over ? NULL : fs_join(dir, name.data);
	return path ? fs_which(path, "") : NULL;
}

char *pf_runner_program(const char *kind)
{
	const char *told = getenv("DEFT_RUNNER_DIR");
	if (told && told[0])
		return program_in(told, places[0], kind);
	char auto_free *here = fs_exe_dir();
	char *found = NULL;
	for (size_t i = 0; here && !found && i < ARRAY_SIZE(places); i++)
		found = program_in(here, places[i], kind);
	return found;
}

void pf_unavailable(struct pf_device_info *info, const char *code, const char *reason)
{
	info->available = false;
	snprintf(info->reason_code, sizeof info->reason_code, "%s", code);
	snprintf(info->reason, sizeof info->reason, "%s", reason);
}

/* <state_dir>/runner-<id>.log, the id without anything special. NULL: no log. */
static char *log_path(const struct pf_caller *caller, const char *id)
{
	if (!caller->state_dir || fs_mkdirs(caller->state_dir, 0700, NULL) < 0)
		return NULL;
	struct buf auto_buf name;
	buf_init(&name, LIM_PATH);
	buf_adds(&name, "runner-");
	for (const char *p = id; *p; p++)
		buf_addc(&name, isalnum((unsigned char)*p) || *p == '.' || *p == '_' ? *p : '-');
	buf_adds(&name, ".log");
	return name.over ? NULL : fs_join(caller->state_dir, name.data);
}

static int make_provider(const struct pf_caller *caller, const char *id, const char *program,
                         struct cl_provider *ret, struct error *e)
{
	char **env = pf_caller_env(caller);
	char auto_free *log = log_path(caller, id);
	if (!env)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	const struct cl_http_opts opts = {
		.argv = (const char *const[]){ program, NULL },
		.env = (const char *const *)env,
		.log_path = log,
	};
	int r = cl_http_provider_new(ret, &opts, e);
	pf_env_free(env);
	return r;
}

int pf_runner_attach(const struct pf_caller *caller, const struct pf_device_info *info,
                     const char *kind, struct pf_device **ret, struct error *e)
{
	char auto_free *program = pf_runner_program(kind);
	if (!program) {
		error_set(e, ERR_TOOL_MISSING, "the program deft-runner-%s is not installed beside deft",
		          kind);
		error_hint(e, "install deft as a whole, or set DEFT_RUNNER_DIR to where the runners are");
		return error_reason(e, "runner_missing");
	}
	struct cl_provider provider;
	int r = make_provider(caller, info->id, program, &provider, e);
	if (r < 0)
		return r;
	struct pf_device auto_free *d = calloc(1, sizeof *d);
	r = d ? pf_runner_device_init(d, info, &provider, e)
	      : error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	if (r < 0) {
		provider.free(provider.ctx);
		return r;
	}
	*ret = TAKE(d);
	return 0;
}
