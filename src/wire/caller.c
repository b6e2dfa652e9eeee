#include "wire/caller.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jx.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* The variables that decide which display, bus and programs a request means. */
static const char *const env_names[] = {
	"DISPLAY",
	"WAYLAND_DISPLAY",
	"XAUTHORITY",
	"XDG_RUNTIME_DIR",
	"XDG_SESSION_TYPE",
	"XDG_DATA_DIRS",
	"XDG_DATA_HOME",
	"XDG_CURRENT_DESKTOP",
	"DBUS_SESSION_BUS_ADDRESS",
	"AT_SPI_BUS_ADDRESS",
	"HOME",
	"PATH",
	"LANG",
	"LC_ALL",
	"USER",
	"NO_AT_BRIDGE",
	"GTK_A11Y",
	"GSK_RENDERER",
	"QT_QPA_PLATFORM",
};

void wire_call_id(char out[WIRE_CALL_ID])
{
	uint64_t n;
	if (getrandom(&n, sizeof(n), GRND_NONBLOCK) != (ssize_t)sizeof(n))
		n = ((uint64_t)getpid() << 40) ^ (uint64_t)clock_now_us();
	snprintf(out, WIRE_CALL_ID, "%016llx", (unsigned long long)n);
}

json_t *wire_caller_meta(void)
{
	json_t *meta = json_object(), *env = json_object();
	auto_free char *cwd = getcwd(NULL, 0);
	jx_set_str(meta, "cwd", cwd);
	for (size_t i = 0; i < ARRAY_SIZE(env_names); i++)
		jx_set_str(env, env_names[i], getenv(env_names[i]));
	jx_set(meta, "env", env);
	return meta;
}

json_t *wire_call_make(const char *id, const char *command, json_t *args_stolen,
                       const json_t *globals, json_t *meta_stolen)
{
	json_t *call = json_object();
	jx_set_str(meta_stolen, "platform", jx_get_str(globals, "platform", NULL));
	jx_set_str(meta_stolen, "device", jx_get_str(globals, "device", NULL));
	jx_set_str(call, "type", "request");
	jx_set_str(call, "id", id);
	jx_set_str(call, "command", command);
	jx_set(call, "args", args_stolen);
	jx_set_str(call, "session", jx_get_str(globals, "session", NULL));
	jx_set(call, "meta", meta_stolen);
	return call;
}

json_t *wire_cancel_make(const char *id)
{
	json_t *cancel = json_object();
	jx_set_str(cancel, "type", "cancel");
	jx_set_str(cancel, "id", id);
	return cancel;
}

/* New reference: the absolute form of one path; anything but a relative path stays as it is. */
static json_t *absolute(const char *cwd, json_t *path)
{
	const char *text = json_string_value(path);
	if (!text || text[0] == '/' || text[0] == '\0')
		return json_incref(path);
	auto_free char *joined = fs_join(cwd, text);
	return json_string(joined);
}

int wire_absolute_path(json_t *args, const char *key, struct error *e)
{
	json_t *value = json_object_get(args, key);
	if (!value)
		return 0;
	auto_free char *cwd = getcwd(NULL, 0);
	if (!cwd)
		return error_set(e, ERR_IO_ERROR, "the current directory can't be read: %s",
		                 strerror(errno));
	size_t i;
	json_t *item;
	json_array_foreach (value, i, item)
		json_array_set_new(value, i, absolute(cwd, item));
	if (json_is_string(value))
		jx_set(args, key, absolute(cwd, value));
	return 0;
}

int wire_answer_lost(const char *command, bool only_reads, const char *reason, struct error *e)
{
	error_set(e, ERR_DAEMON_UNAVAILABLE, "the daemon ended before it answered `%s`; %s", command,
	          only_reads ? "nothing was changed" : "whether it took effect is not known");
	error_reason(e, reason);
	error_detail_str(e, "outcome", only_reads ? "unchanged" : "unknown");
	return error_hint(e,
	                  "%s; the next command starts a new daemon, `deft daemon logs` tells why the "
	                  "old one ended",
	                  only_reads ? "run it again" : "take a snapshot before you repeat it");
}

int wire_answer_silent(const char *command, long deadline_ms, struct error *e)
{
	error_set(e, ERR_TIMEOUT, "the daemon did not answer `%s` within its %ld ms", command,
	          deadline_ms);
	error_reason(e, "daemon_silent");
	return error_hint(e,
	                  "look at `deft daemon status`; `deft daemon stop --force` ends a hung one");
}
