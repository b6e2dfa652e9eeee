/* rb_ops.describe: what this desktop can do, and why it can't do the rest. Called from any thread:
 * touches only what never changes after the start, and the environment. */
#include "backend/atspi/acting.h"

#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/jx.h"

#include <sys/utsname.h>

static json_t *screen(const struct x11 *x)
{
	int w, h;
	json_t *o = json_object();
	x11_screen_size(x, &w, &h);
	jx_set_int(o, "width", w);
	jx_set_int(o, "height", h);
	jx_set_num(o, "scale", 1);
	return o;
}

/* A session bus can be found: by address, or where systemd puts it. */
static bool may_have_bus(void)
{
	const char *atspi = getenv("AT_SPI_BUS_ADDRESS"), *session = getenv("DBUS_SESSION_BUS_ADDRESS"),
	           *runtime = getenv("XDG_RUNTIME_DIR");
	return (atspi && *atspi) || (session && *session) || (runtime && *runtime);
}

static const char *no_bus(const struct x11 *x)
{
	if (may_have_bus() || x11_available(x))
		return NULL;
	return "there is no session bus (DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are not set)";
}

static void put(json_t *caps, json_t *missing, const char *name, const char *why_not)
{
	jx_set_bool(caps, name, why_not == NULL);
	if (why_not)
		jx_set_str(missing, name, why_not);
}

int atspi_describe(struct atspi *a, struct call c, json_t **ret, struct error *e)
{
	static const char *const by_x11[] = { "pointer", "keyboard", "screenshot", "windows" };
	static const char *const by_bus[] = { "snapshot", "semanticActions", "setValue",
		                                  "editableText" };
	const char *why_x11 = x11_available(a->x11) ? NULL : x11_why_not(a->x11);
	const char *why_bus = no_bus(a->x11);
	json_t *o = json_object(), *caps = json_object(), *missing = json_object();
	struct utsname host;
	(void)c;
	(void)e;
	for (size_t i = 0; i < ARRAY_SIZE(by_x11); i++)
		put(caps, missing, by_x11[i], why_x11);
	for (size_t i = 0; i < ARRAY_SIZE(by_bus); i++)
		put(caps, missing, by_bus[i], why_bus);
	put(caps, missing, "alert", "dialogs of desktop programs are windows: snapshot and press them");
	put(caps, missing, "navigate", "desktops have no back, home or rotation: use key chords");
	jx_set_str(o, "platform", "linux");
	jx_set_str(o, "name", uname(&host) == 0 ? host.nodename : "desktop");
	jx_set_str(o, "target", "desktop");
	if (x11_available(a->x11))
		jx_set_str(o, "display", x11_display(a->x11));
	jx_set(o, "screen", screen(a->x11));
	jx_set(o, "capabilities", caps);
	if (json_object_size(missing) > 0)
		jx_set(o, "unavailable", missing);
	else
		json_decref(missing);
	*ret = o;
	return 0;
}
