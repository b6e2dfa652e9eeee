#include "backend/atspi/bus.h"

#include <poll.h>

static int conn_failed(struct error *e, int r, const char *address)
{
	error_set(e, ERR_IO_ERROR, "can't connect to the bus: %s", strerror(-r));
	error_detail_str(e, "address", address);
	return -ERR_IO_ERROR;
}

/* One round of waiting and processing; 0, or a negative code. */
static int conn_step(sd_bus *bus, const char *address, struct call c, struct error *e)
{
	int events, r = sd_bus_process(bus, NULL);

	if (r < 0)
		return conn_failed(e, r, address);
	if (r > 0)
		return 0;
	events = sd_bus_get_events(bus);
	if (events < 0)
		return conn_failed(e, events, address);
	r = call_poll(c, sd_bus_get_fd(bus), (short)events, "the bus handshake", e);
	return r < 0 ? r : 0;
}

int bus_conn_open(struct bus_conn *ret, const char *address, bool bus_client, struct call c,
                  struct error *e)
{
	sd_bus *bus = NULL;
	int r = sd_bus_new(&bus);

	if (r >= 0)
		r = sd_bus_set_address(bus, address);
	if (r >= 0 && bus_client)
		r = sd_bus_set_bus_client(bus, true);
	if (r >= 0)
		r = sd_bus_set_anonymous(bus, false);
	if (r >= 0)
		r = sd_bus_start(bus);
	if (r < 0) {
		sd_bus_unref(bus);
		return conn_failed(e, r, address);
	}
	/* Not sd_bus_open(): that one waits for as long as the other side likes. */
	while ((r = sd_bus_is_ready(bus)) == 0) {
		r = conn_step(bus, address, c, e);
		if (r < 0) {
			sd_bus_close_unref(bus);
			return r;
		}
	}
	if (r < 0) {
		sd_bus_close_unref(bus);
		return conn_failed(e, r, address);
	}
	*ret = (struct bus_conn){ .bus = bus };
	return 0;
}

void bus_conn_close(struct bus_conn *conn)
{
	if (!conn || !conn->bus)
		return;
	/* Without flushing: a program that has stopped reading must not hold us up. */
	sd_bus_close(conn->bus);
	sd_bus_unref(conn->bus);
	*conn = (struct bus_conn){ .lost = true };
}
