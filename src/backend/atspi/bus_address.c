/* Where the accessibility bus is: the order of the AT-SPI clients in use. */
#include "backend/atspi/bus.h"
#include "backend/atspi/x11.h"

static int unavailable(struct error *e, const char *reason, const char *message, const char *hint)
{
	error_set(e, ERR_DEVICE_UNAVAILABLE, "%s", message);
	error_hint(e, "%s", hint);
	error_reason(e, reason);
	return -ERR_DEVICE_UNAVAILABLE;
}

static int no_session_bus(struct error *e, const char *why)
{
	unavailable(e, "no_session_bus", "no session bus: the desktop's programs can't be read",
	            "run inside the desktop session, or start one with `dbus-run-session`; "
	            "DBUS_SESSION_BUS_ADDRESS must name it");
	if (why)
		error_detail_str(e, "cause", why);
	return -ERR_DEVICE_UNAVAILABLE;
}

static int silent_launcher(struct error *e)
{
	return unavailable(
	    e, "accessibility_bus_silent",
	    "the session bus does not tell the accessibility bus: no answer from org.a11y.Bus",
	    "restart at-spi-bus-launcher (package at-spi2-core) or the desktop session");
}

/* The address of the session bus. */
static int session_address(struct buf *out, struct error *e)
{
	const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
	const char *dir = getenv("XDG_RUNTIME_DIR");

	if (address && *address) {
		buf_adds(out, address);
		return 0;
	}
	if (!dir || !*dir)
		return no_session_bus(e, "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set");
	buf_addf(out, "unix:path=%s/bus", dir);
	return 0;
}

/* An error of the session bus about org.a11y.Bus, in our words. */
static int launcher_refused(const sd_bus_error *se, struct error *e)
{
	unavailable(e, "no_accessibility_bus",
	            "no accessibility bus: the session bus knows no org.a11y.Bus",
	            "install at-spi2-core (it brings at-spi-bus-launcher), then log in again");
	if (se && se->name)
		error_detail_str(e, "cause", se->message ? se->message : se->name);
	return -ERR_DEVICE_UNAVAILABLE;
}

struct address_answer {
	bool done, ok;
	struct buf *out;
	sd_bus_error error;
};

static int on_address(sd_bus_message *m, void *data, sd_bus_error *ret_error)
{
	struct address_answer *answer = data;
	const char *address = NULL;

	answer->done = true;
	if (sd_bus_message_is_method_error(m, NULL)) {
		sd_bus_error_copy(&answer->error, sd_bus_message_get_error(m));
		return 0;
	}
	if (sd_bus_message_read(m, "s", &address) > 0 && address && *address) {
		buf_adds(answer->out, address);
		answer->ok = true;
	}
	return 0;
}

/* Runs the connection until the answer is in; 0 also when it stayed away (answer->done false). */
static int await_answer(sd_bus *bus, struct address_answer *answer, struct call c, struct error *e)
{
	while (!answer->done) {
		int events, r = sd_bus_process(bus, NULL);

		if (r < 0)
			return no_session_bus(e, strerror(-r));
		if (r > 0)
			continue;
		events = sd_bus_get_events(bus);
		if (events < 0)
			return no_session_bus(e, strerror(-events));
		r = call_poll(c, sd_bus_get_fd(bus), (short)events, "the accessibility bus address", e);
		if (r == -ERR_TIMEOUT)
			return 0;
		if (r < 0)
			return r;
	}
	return 0;
}

static int ask_session_bus(struct bus_conn *conn, struct buf *out, struct call c, struct error *e)
{
	struct address_answer answer = { .out = out };
	sd_bus_slot *slot = NULL;
	int r = sd_bus_call_method_async(conn->bus, &slot, "org.a11y.Bus", "/org/a11y/bus",
	                                 "org.a11y.Bus", "GetAddress", on_address, &answer, NULL);

	if (r < 0)
		return no_session_bus(e, strerror(-r));
	r = await_answer(conn->bus, &answer, c, e);
	sd_bus_slot_unref(slot);
	if (r == 0 && !answer.done)
		r = silent_launcher(e);
	else if (r == 0 && !answer.ok)
		r = launcher_refused(&answer.error, e);
	sd_bus_error_free(&answer.error);
	return r;
}

static int from_session_bus(struct call c, struct buf *out, struct error *e)
{
	struct bus_conn conn = { NULL };
	auto_buf struct buf address;
	int r;

	buf_init(&address, LIM_PATH);
	r = session_address(&address, e);
	if (r < 0)
		return r;
	r = bus_conn_open(&conn, address.data, true, c, NULL);
	if (r == -ERR_CANCELED)
		return error_set(e, ERR_CANCELED, "canceled while connecting to the session bus");
	if (r == -ERR_TIMEOUT)
		return no_session_bus(e, "the session bus accepts connections and does not answer");
	if (r < 0)
		return no_session_bus(e, address.data);
	r = ask_session_bus(&conn, out, c, e);
	bus_conn_close(&conn);
	return r;
}

int bus_address_find(struct x11 *x11, struct call c, struct buf *out, struct error *e)
{
	const char *given = getenv("AT_SPI_BUS_ADDRESS");

	if (given && *given) {
		buf_adds(out, given);
		return 0;
	}
	if (x11 && x11_available(x11) && x11_atspi_bus(x11, c, out) && out->len > 0)
		return 0;
	buf_reset(out);
	return from_session_bus(c, out, e);
}
