#include "platform/linux/a11y_bus.h"

#include "base/limits.h"

#include <poll.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char name[] = "org.a11y.Bus";

/* sd-bus would wait for the handshake as long as it likes (25 s): driven by hand, with our deadline. */
static bool wait_ready(sd_bus *bus, struct call c)
{
	for (;;) {
		int r = sd_bus_process(bus, NULL);
		if (r < 0)
			return false;
		if (sd_bus_is_ready(bus) > 0)
			return true;
		if (r > 0)
			continue;
		int fd = sd_bus_get_fd(bus), events = sd_bus_get_events(bus);
		if (fd < 0 || events < 0 || call_poll(c, fd, (short)events, "the session bus", NULL) < 0)
			return false;
	}
}

static sd_bus *connect_to(const char *address, struct call c)
{
	sd_bus *bus = NULL;
	if (sd_bus_new(&bus) < 0)
		return NULL;
	if (sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0 &&
	    sd_bus_start(bus) >= 0 && wait_ready(bus, c))
		return bus;
	sd_bus_close_unref(bus);
	return NULL;
}

static sd_bus_message *ask(sd_bus *bus, const char *method, const char *argument, struct call c)
{
	sd_bus_message *request = NULL, *reply = NULL;
	int64_t left = deadline_left(c.deadline);
	int r = sd_bus_message_new_method_call(bus, &request, "org.freedesktop.DBus",
	                                       "/org/freedesktop/DBus", "org.freedesktop.DBus", method);
	if (r >= 0 && argument)
		r = sd_bus_message_append(request, "s", argument);
	if (r >= 0 && left > 0)
		sd_bus_call(bus, request, (uint64_t)left * 1000, NULL, &reply);
	sd_bus_message_unref(request);
	return reply;
}

static enum pf_a11y is_running(sd_bus *bus, struct call c)
{
	sd_bus_message *reply = ask(bus, "NameHasOwner", name, c);
	int owned = 0;
	bool read = reply && sd_bus_message_read(reply, "b", &owned) > 0;
	sd_bus_message_unref(reply);
	if (!read)
		return PF_A11Y_NO_ANSWER;
	return owned ? PF_A11Y_THERE : PF_A11Y_MISSING;
}

static enum pf_a11y is_activatable(sd_bus *bus, struct call c)
{
	sd_bus_message *reply = ask(bus, "ListActivatableNames", NULL, c);
	if (!reply)
		return PF_A11Y_NO_ANSWER;
	enum pf_a11y found = PF_A11Y_MISSING;
	const char *one;
	if (sd_bus_message_enter_container(reply, 'a', "s") > 0)
		while (found == PF_A11Y_MISSING && sd_bus_message_read(reply, "s", &one) > 0)
			if (strcmp(one, name) == 0)
				found = PF_A11Y_THERE;
	sd_bus_message_unref(reply);
	return found;
}

enum pf_a11y pf_a11y_check(const char *address, struct call c)
{
	c = call_limit(c, LIM_DESKTOP_CHECK_MS);
	sd_bus *bus = connect_to(address, c);
	if (!bus)
		return PF_A11Y_NO_ANSWER;
	enum pf_a11y found = is_running(bus, c);
	if (found == PF_A11Y_MISSING)
		found = is_activatable(bus, c);
	sd_bus_close_unref(bus);
	return found;
}
