/* Programs on the accessibility bus. */
#include "backend/atspi/bus.h"

void bus_copy(char *to, size_t size, const char *from)
{
	size_t n = from ? strlen(from) : 0;

	if (n >= size) {
		n = size - 1;
		while (n > 0 && ((unsigned char)from[n] & 0xC0) == 0x80)
			n--;
	}
	if (n > 0)
		memcpy(to, from, n);
	to[n] = '\0';
}

struct atspi_peer *bus_peer(struct atspi_bus *b, const char *name)
{
	struct atspi_peer *p;

	for (p = b->peers; p; p = p->next)
		if (strcmp(p->bus, name) == 0)
			return p;
	if (b->n_peers >= LIM_ATSPI_PEERS || strlen(name) >= sizeof(p->bus))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	bus_copy(p->bus, sizeof(p->bus), name);
	p->next = b->peers;
	b->peers = p;
	b->n_peers++;
	return p;
}

void bus_peer_free(struct atspi_peer *p)
{
	if (!p)
		return;
	bus_conn_close(p->direct);
	free(p->direct);
	bus_words_free(p->words);
	free(p);
}

int64_t bus_peer_patience(struct atspi_peer *p)
{
	if (!p->silent)
		return 0;
	p->silent = false;
	return LIM_ATSPI_PROBE_MS;
}

void bus_peer_go_direct(struct atspi_bus *b, struct atspi_peer *p, const char *address,
                        struct call c)
{
	struct bus_conn conn = { NULL };
	struct bus_conn *direct;

	if (p->direct || !address || strncmp(address, "unix:", 5) != 0)
		return;
	if (bus_conn_open(&conn, address, false, call_limit(c, LIM_ATSPI_PROBE_MS), NULL) < 0)
		return;
	direct = calloc(1, sizeof(*direct));
	if (!direct) {
		bus_conn_close(&conn);
		return;
	}
	*direct = conn;
	p->direct = direct;
}
