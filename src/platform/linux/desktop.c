#include "platform/linux/desktop.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "platform/caller_env.h"
#include "platform/linux/a11y_bus.h"
#include "platform/linux/dbus_address.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

__attribute__((format(printf, 3, 4))) static bool lack(struct pf_lack *ret, const char *code,
                                                       const char *fmt, ...)
{
	ret->code = code;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(ret->text, sizeof ret->text, fmt, ap);
	va_end(ap);
	return false;
}

/* Whether somebody listens on a unix socket; abstract names have no file. A local connect either
 * succeeds or fails at once, and a full queue still means that somebody is there. */
static bool answers(const char *path, bool abstract)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	if (len + 1 > sizeof address.sun_path)
		return false;
	memcpy(address.sun_path + (abstract ? 1 : 0), path, len);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1);
	int auto_close fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	return connect(fd, (struct sockaddr *)&address, size) == 0 || errno == EAGAIN;
}

/* --- display -------------------------------------------------------------------------------------- */

/* The number in "[unix]:N[.S]"; -1 for a display of another host, which can't be judged cheaply. */
static int local_display(const char *display)
{
	const char *colon = strrchr(display, ':');
	bool local = colon && (colon == display || strncmp(display, "unix:", 5) == 0);
	return local && isdigit((unsigned char)colon[1]) ? (int)strtol(colon + 1, NULL, 10) : -1;
}

static bool check_x11(const char *display, struct pf_lack *ret)
{
	int n = local_display(display);
	if (n < 0)
		return strchr(display, ':')
		           ? true
		           : lack(ret, "display_unreachable", "DISPLAY=%.80s is no X display", display);
	char path[64];
	snprintf(path, sizeof path, "/tmp/.X11-unix/X%d", n);
	if (answers(path, false) || answers(path, true))
		return true;
	return lack(ret, "display_unreachable", "no X server answers on display %.80s", display);
}

static bool check_wayland(const struct pf_caller *caller, const char *display, struct pf_lack *ret)
{
	const char *dir = pf_caller_get(caller, "XDG_RUNTIME_DIR");
	if (display[0] != '/' && !dir)
		return lack(ret, "display_unreachable",
		            "WAYLAND_DISPLAY=%.80s needs XDG_RUNTIME_DIR, which is not set", display);
	char auto_free *path = fs_join(dir ? dir : "/", display);
	if (path && answers(path, false))
		return true;
	return lack(ret, "display_unreachable", "no Wayland compositor answers on %.150s",
	            path ? path : display);
}

static bool check_display(const struct pf_caller *caller, struct pf_lack *ret)
{
	const char *x11 = pf_caller_get(caller, "DISPLAY");
	const char *wayland = pf_caller_get(caller, "WAYLAND_DISPLAY");
	if (!x11 && !wayland)
		return lack(ret, "no_display", "no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
	struct pf_lack second;
	if (!x11)
		return check_wayland(caller, wayland, ret);
	return check_x11(x11, ret) || (wayland && check_wayland(caller, wayland, &second));
}

const char *pf_desktop_display(const struct pf_caller *caller)
{
	const char *x11 = pf_caller_get(caller, "DISPLAY");
	return x11 ? x11 : pf_caller_get(caller, "WAYLAND_DISPLAY");
}

/* --- session bus ---------------------------------------------------------------------------------- */

/* One address: nobody there only where that can be told; other transports are left to the runner. */
static bool bus_answers(const char *address, size_t len)
{
	if (len < 5 || strncmp(address, "unix:", 5) != 0)
		return true;
	struct buf auto_buf path;
	buf_init(&path, LIM_PATH);
	if (dbus_address_value(address, len, "path", &path))
		return answers(path.data, false);
	buf_reset(&path);
	if (dbus_address_value(address, len, "abstract", &path))
		return answers(path.data, true);
	return true;
}

/* On success *ret_address is the bus's address; the caller frees. */
static bool check_bus(const struct pf_caller *caller, char **ret_address, struct pf_lack *ret)
{
	const char *address = pf_caller_get(caller, "DBUS_SESSION_BUS_ADDRESS");
	if (address) {
		for (const char *p = address; *p;) {
			size_t n = strcspn(p, ";");
			if (n && bus_answers(p, n)) {
				*ret_address = strdup(address);
				return true;
			}
			p += n + (p[n] == ';');
		}
		return lack(ret, "session_bus_unreachable",
		            "no session bus answers on DBUS_SESSION_BUS_ADDRESS=%.150s", address);
	}
	const char *dir = pf_caller_get(caller, "XDG_RUNTIME_DIR");
	if (!dir)
		return lack(ret, "no_session_bus",
		            "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set");
	char auto_free *path = fs_join(dir, "bus");
	if (path && answers(path, false)) {
		*ret_address = dbus_address_of(path);
		return true;
	}
	return lack(
	    ret, "no_session_bus",
	    "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and nobody answers on %.120s/bus",
	    dir);
}

/* The bus driver knows whether somebody provides the accessibility bus. */
static bool check_a11y(const struct pf_caller *caller, const char *address, struct call c,
                       struct pf_lack *ret)
{
	if (pf_caller_get(caller, "AT_SPI_BUS_ADDRESS") || !address)
		return true;
	switch (pf_a11y_check(address, c)) {
	case PF_A11Y_THERE: return true;
	case PF_A11Y_MISSING:
		return lack(
		    ret, "no_accessibility_bus",
		    "no accessibility bus: no program provides org.a11y.Bus (package at-spi2-core)");
	case PF_A11Y_NO_ANSWER: break;
	}
	return lack(ret, "session_bus_unreachable", "the session bus at %.150s does not answer",
	            address);
}

/* --- identity ------------------------------------------------------------------------------------- */

/* ":0", "unix:0" and ":0.0" are one screen. */
static void add_display(const char *display, struct buf *out)
{
	int n = local_display(display);
	const char *screen = n < 0 ? NULL : strchr(strrchr(display, ':'), '.');
	if (n < 0)
		buf_adds(out, display);
	else
		buf_addf(out, ":%d%s", n, screen && strcmp(screen, ".0") != 0 ? screen : "");
}

/* "@3f9a1c" for a bus that is not the one every login has; FNV-1a, folded to 24 bits. */
static void add_bus(const struct pf_caller *caller, struct buf *out)
{
	const char *address = pf_caller_get(caller, "DBUS_SESSION_BUS_ADDRESS");
	const char *dir = pf_caller_get(caller, "XDG_RUNTIME_DIR");
	struct buf auto_buf bus, usual;
	buf_init(&bus, LIM_PATH);
	buf_init(&usual, LIM_PATH);
	if (address)
		dbus_address_identity(address, &bus);
	else if (dir)
		buf_addf(&bus, "%s/bus", dir);
	buf_addf(&usual, "/run/user/%u/bus", (unsigned)geteuid());
	if (bus.len == 0 || strcmp(bus.data, usual.data) == 0)
		return;
	uint32_t hash = 0x811c9dc5u;
	for (const char *p = bus.data; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 0x01000193u;
	buf_addf(out, "@%06x", (unsigned)((hash >> 24) ^ (hash & 0xffffffu)));
}

void pf_desktop_id(const struct pf_caller *caller, struct buf *out)
{
	const char *display = pf_desktop_display(caller);
	buf_adds(out, "linux");
	if (!display)
		return;
	buf_addc(out, ':');
	add_display(display, out);
	add_bus(caller, out);
}

bool pf_desktop_check(const struct pf_caller *caller, struct call c, struct pf_lack *ret)
{
	*ret = (struct pf_lack){ .code = "" };
	char auto_free *address = NULL;
	return check_display(caller, ret) && check_bus(caller, &address, ret) &&
	       check_a11y(caller, address, c, ret);
}
