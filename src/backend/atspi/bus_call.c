/* One call on its own, for the operations on a single element. */
#include "backend/atspi/bus.h"

struct single {
	enum bus_outcome outcome;
	sd_bus_message *m;
};

static void on_answer(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct single *s = ctx;

	s->outcome = outcome;
	s->m = sd_bus_message_ref(m);
}

static int refused(sd_bus_message *m, struct error *e)
{
	const sd_bus_error *se = m ? sd_bus_message_get_error(m) : NULL;

	error_set(e, ERR_UNSUPPORTED_OPERATION, "the program refused the accessibility call");
	if (se)
		error_detail_str(e, "dbus", se->message ? se->message : se->name);
	return -ERR_UNSUPPORTED_OPERATION;
}

int bus_outcome_error(enum bus_outcome outcome, const struct atspi_peer *peer, sd_bus_message *m,
                      struct error *e)
{
	switch (outcome) {
	case BUS_OK: return 0;
	case BUS_NO_ANSWER:
		return error_set(e, ERR_APP_NOT_RESPONDING, "%s does not answer accessibility calls",
		                 peer->name[0] ? peer->name : "the program");
	case BUS_GONE:
		if (peer->gone)
			return error_set(e, ERR_APP_NOT_RUNNING, "%s is not running any more",
			                 peer->name[0] ? peer->name : "the program");
		return error_set(e, ERR_ELEMENT_STALE, "the element is gone");
	case BUS_REFUSED: break;
	}
	return refused(m, e);
}

int bus_call_message(struct atspi_bus *b, struct call c, struct atspi_peer *peer, sd_bus_message *m,
                     int64_t patience_ms, sd_bus_message **ret_m, struct error *e)
{
	struct single s = { BUS_NO_ANSWER, NULL };
	int64_t probing = bus_peer_patience(peer);
	auto_pipe struct bus_pipe p;
	int r;

	bus_pipe_init(&p, b, c);
	r = bus_pipe_send(&p, peer, m, probing > 0 ? probing : patience_ms, on_answer, &s, 0, e);
	if (r == 0)
		r = bus_pipe_wait(&p, e);
	if (r == 0)
		r = bus_outcome_error(s.outcome, peer, s.m, e);
	if (r == 0 && ret_m)
		*ret_m = sd_bus_message_ref(s.m);
	sd_bus_message_unref(s.m);
	return r;
}

int bus_call(struct atspi_bus *b, struct call c, struct bus_target t, sd_bus_message **ret_m,
             struct error *e, const char *types, ...)
{
	sd_bus_message *m = bus_message(b, t);
	va_list ap;

	if (m && types) {
		va_start(ap, types);
		if (sd_bus_message_appendv(m, types, ap) < 0)
			m = sd_bus_message_unref(m);
		va_end(ap);
	}
	return bus_call_message(b, c, t.peer, m, 0, ret_m, e);
}
