/* The connection to the accessibility bus, kept between commands. */
#include "backend/atspi/bus.h"

#include "base/limits.h"
#include "base/log.h"

#define LOG_ROOM "atspi"

static int bus_failed(int r, const char *address, struct error *e)
{
	if (r == -ERR_CANCELED)
		return error_set(e, ERR_CANCELED, "canceled while connecting to the accessibility bus");
	if (r == -ERR_TIMEOUT) {
		error_set(e, ERR_DEVICE_UNAVAILABLE,
		          "the accessibility bus accepts connections and does not answer");
		error_reason(e, "accessibility_bus_silent");
	} else {
		error_set(e, ERR_DEVICE_UNAVAILABLE, "the accessibility bus can't be reached");
		error_reason(e, "accessibility_bus_refused");
	}
	error_hint(e, "restart at-spi-bus-launcher (package at-spi2-core) or the desktop session");
	error_detail_str(e, "address", address);
	return -ERR_DEVICE_UNAVAILABLE;
}

/* GTK 3 offers its cache over the bus only after somebody has asked the registry for events, and
 * newer launchers switch accessibility on by the same sign. A rare event, so that little comes. */
static void register_interest(struct atspi_bus *b)
{
	auto_message sd_bus_message *m = NULL;

	if (sd_bus_message_new_method_call(b->main.bus, &m, ATSPI_REGISTRY, "/org/a11y/atspi/registry",
	                                   ATSPI_I_REGISTRY, "RegisterEvent") < 0)
		return;
	if (sd_bus_message_append(m, "sass", "window:create", 0, "") < 0 ||
	    sd_bus_message_set_expect_reply(m, false) < 0)
		return;
	sd_bus_send(b->main.bus, m, NULL);
}

static void read_bus_id(struct atspi_bus *b)
{
	static const char hex[] = "0123456789abcdef";
	sd_id128_t id = SD_ID128_NULL;

	sd_bus_get_bus_id(b->main.bus, &id);
	for (size_t i = 0; i < 8; i++) {
		b->id[2 * i] = hex[id.bytes[i] >> 4];
		b->id[2 * i + 1] = hex[id.bytes[i] & 15];
	}
}

static void free_bus(struct atspi_bus *b)
{
	if (!b)
		return;
	atspi_apps_clear(&b->apps);
	while (b->peers) {
		struct atspi_peer *p = b->peers;

		b->peers = p->next;
		bus_peer_free(p);
	}
	while (b->free_jobs)
		b->free_jobs = bus_job_free(b->free_jobs);
	bus_conn_close(&b->main);
	free(b);
}

static int connect_fresh(struct atspi *a, struct call c, struct error *e)
{
	auto_buf struct buf address;
	struct atspi_bus *b;
	int r;

	buf_init(&address, LIM_PATH);
	c = call_limit(c, LIM_ATSPI_CONNECT_MS);
	r = bus_address_find(a->x11, c, &address, e);
	if (r < 0)
		return r;
	b = calloc(1, sizeof(*b));
	if (!b)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	r = bus_conn_open(&b->main, address.data, true, c, NULL);
	if (r < 0) {
		free(b);
		return bus_failed(r, address.data, e);
	}
	bus_copy(b->registry.bus, sizeof(b->registry.bus), ATSPI_REGISTRY);
	bus_copy(b->registry.root, sizeof(b->registry.root), ATSPI_ROOT);
	bus_copy(b->daemon.bus, sizeof(b->daemon.bus), "org.freedesktop.DBus");
	read_bus_id(b);
	register_interest(b);
	a->bus = b;
	log_msg(LOG_DEBUG, LOG_ROOM, "connected to the accessibility bus %s", address.data);
	return 0;
}

int atspi_bus_connect(struct atspi *a, struct call c, struct error *e)
{
	if (a->bus) {
		atspi_bus_drain(a);
		if (!a->bus->main.lost)
			return 0;
		log_msg(LOG_WARN, LOG_ROOM, "the accessibility bus has gone away; connecting again");
		atspi_bus_close(a);
	}
	return connect_fresh(a, c, e);
}

void atspi_bus_close(struct atspi *a)
{
	free_bus(a->bus);
	a->bus = NULL;
}

static void drain(struct bus_conn *conn)
{
	int r = 0;

	while (!conn->lost && (r = sd_bus_process(conn->bus, NULL)) > 0)
		;
	if (r < 0)
		conn->lost = true;
}

void atspi_bus_drain(struct atspi *a)
{
	if (!a->bus)
		return;
	drain(&a->bus->main);
	for (struct atspi_peer *p = a->bus->peers; p; p = p->next)
		if (p->direct)
			drain(p->direct);
}
