/* What lies above an element: asked step by step, each step in one round. */
#include "backend/atspi/node.h"

struct step_answers {
	struct node_step *step;
	struct atspi_peer *peer;
	bool gone, silent, at_top;
	char up[256];
};

enum { ASK_ROLE, ASK_STATES, ASK_EXTENTS, ASK_PARENT, ASK_NAME };

static void take_parent(struct step_answers *s, sd_bus_message *m)
{
	const char *name, *path;

	/* A parent in another process (the socket of a plug) ends the chain: its places are others. */
	if (!bus_read_object(m, &name, &path) || (*name && strcmp(name, s->peer->bus) != 0) ||
	    strcmp(path, ATSPI_NULL) == 0 || strlen(path) >= sizeof(s->up))
		return;
	bus_copy(s->up, sizeof(s->up), path);
}

static void on_answer(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct step_answers *s = ctx;
	struct tree_extents *x = &s->step->extents;
	const char *text;

	s->gone = s->gone || outcome == BUS_GONE;
	s->silent = s->silent || outcome == BUS_NO_ANSWER;
	if (outcome != BUS_OK)
		return;
	switch (tag) {
	case ASK_ROLE:
		if (sd_bus_message_read(m, "u", &s->step->role) <= 0)
			s->gone = true;
		break;
	case ASK_STATES:
		if (!bus_read_states(m, &s->step->states))
			s->step->states = 0;
		break;
	case ASK_EXTENTS:
		s->step->has_extents =
		    sd_bus_message_read(m, "(iiii)", &x->x, &x->y, &x->width, &x->height) > 0;
		break;
	case ASK_NAME:
		if (bus_read_variant_string(m, &text))
			bus_copy(s->step->name, sizeof(s->step->name), text);
		break;
	default: take_parent(s, m); break;
	}
}

static int ask_step(struct atspi *a, struct call c, struct step_answers *s, struct error *e)
{
	const char *path = s->step->path;
	struct bus_target role = { s->peer, path, ATSPI_I_ACCESSIBLE, "GetRole" };
	struct bus_target states = { s->peer, path, ATSPI_I_ACCESSIBLE, "GetState" };
	struct bus_target extents = { s->peer, path, ATSPI_I_COMPONENT, "GetExtents" };
	struct bus_target get = { s->peer, path, DBUS_I_PROPERTIES, "Get" };
	auto_pipe struct bus_pipe p;
	int r;

	bus_pipe_init(&p, a->bus, c);
	r = bus_pipe_call(&p, get, 0, on_answer, s, ASK_PARENT, e, "ss", ATSPI_I_ACCESSIBLE, "Parent");
	if (r == 0)
		r = bus_pipe_call(&p, role, 0, on_answer, s, ASK_ROLE, e, NULL);
	if (r == 0)
		r = bus_pipe_call(&p, states, 0, on_answer, s, ASK_STATES, e, NULL);
	if (r == 0)
		r = bus_pipe_call(&p, extents, 0, on_answer, s, ASK_EXTENTS, e, "u",
		                  place_coord_type(s->peer->toolkit));
	if (r == 0)
		r = bus_pipe_call(&p, get, 0, on_answer, s, ASK_NAME, e, "ss", ATSPI_I_ACCESSIBLE, "Name");
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

static int read_chain(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct node_chain *chain, struct error *e)
{
	struct step_answers s = { .peer = n->peer };

	bus_copy(s.up, sizeof(s.up), n->handle.path);
	while (s.up[0] && strcmp(s.up, n->peer->root) != 0) {
		int r;

		if (chain->n == NODE_STEPS) {
			chain->cut = true;
			break;
		}
		s.step = &chain->steps[chain->n];
		bus_copy(s.step->path, sizeof(s.step->path), s.up);
		s.up[0] = '\0';
		r = ask_step(a, c, &s, e);
		if (r < 0)
			return r;
		if (s.silent || s.gone)
			return bus_outcome_error(s.silent ? BUS_NO_ANSWER : BUS_GONE, n->peer, NULL, e);
		if (s.step->role == 75) /* the program itself, under another path */
			break;
		chain->n++;
	}
	return 0;
}

int node_chain_read(struct atspi *a, struct call c, const struct atspi_node *n,
                    struct node_chain *ret, struct error *e)
{
	struct node_chain chain = { .steps = calloc(NODE_STEPS, sizeof(*chain.steps)) };
	int r;

	if (!chain.steps)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	r = read_chain(a, c, n, &chain, e);
	if (r == 0 && chain.n == 0)
		r = error_set(e, ERR_ELEMENT_STALE, "the element is in no window any more");
	if (r < 0) {
		free(chain.steps);
		return r;
	}
	*ret = chain;
	return 0;
}

struct tree_place node_chain_place(struct place_desk *desk, const struct atspi_node *n,
                                   const struct node_chain *chain, uint32_t i, uint32_t *ret_popup)
{
	const struct node_step *top = &chain->steps[chain->n - 1];
	struct tree_place place =
	    place_of_window(desk, n->peer, top->name, top->has_extents ? &top->extents : NULL);

	/* From the window down: a popover may have popovers of its own, and the innermost counts. */
	*ret_popup = UI_NONE;
	for (uint32_t k = chain->n - 1; k-- > i;) {
		const struct node_step *step = &chain->steps[k], *up = &chain->steps[k + 1];

		if (step->has_extents && up->has_extents &&
		    place_of_popup(desk, n->peer, &step->extents, &up->extents, &place))
			*ret_popup = k;
	}
	return place;
}

bool node_chain_rect(struct atspi *a, struct call c, const struct atspi_node *n,
                     const struct node_chain *chain, uint32_t i, struct ui_rect *ret)
{
	auto_desk struct place_desk desk;
	struct tree_place place;
	uint32_t popup;

	place_desk_init(&desk, a, c);
	place = node_chain_place(&desk, n, chain, i, &popup);
	return chain->steps[i].has_extents && place_rect(&place, &chain->steps[i].extents, ret);
}
