/* One element, found again by its handle. */
#include "backend/atspi/node.h"

#include "base/utf8.h"

static int stale(struct error *e, const char *why)
{
	error_set(e, ERR_ELEMENT_STALE, "the element is gone or is another one now");
	error_reason(e, why);
	return -ERR_ELEMENT_STALE;
}

static const struct atspi_app *app_of(const struct atspi_apps *apps, const char *bus)
{
	for (uint32_t i = 0; i < apps->n; i++)
		if (strcmp(apps->apps[i].bus, bus) == 0)
			return &apps->apps[i];
	return NULL;
}

/* The program of a handle from the list as it is; one that is not in it is looked for afresh. Web
 * views are shown by processes that are in no list: they are known by their bus name alone. */
static int find_peer(struct atspi *a, struct call c, struct atspi_node *n, struct error *e)
{
	const struct atspi_apps *apps = &a->bus->apps;
	int r;

	n->app = app_of(apps, n->handle.bus);
	if (!n->app || n->app->peer->gone) {
		r = atspi_apps_refresh(a, c, 0, &apps, e);
		if (r < 0)
			return r;
		n->app = app_of(apps, n->handle.bus);
	}
	n->peer = n->app ? n->app->peer : bus_peer(a->bus, n->handle.bus);
	if (!n->peer || n->peer->gone)
		return stale(e, "program_gone");
	return 0;
}

struct answers {
	struct atspi_node *n;
	enum bus_outcome role, states;
	char name[256], description[256], role_name[64], related[256], text[256], caption[256];
	char related_path[256];
};

enum {
	ASK_ROLE,
	ASK_STATES,
	ASK_IFACES,
	ASK_NAME,
	ASK_DESCRIPTION,
	ASK_PARENT,
	ASK_INDEX,
	ASK_ROLE_NAME,
	ASK_RELATIONS,
	ASK_RELATED,
	ASK_TEXT,
};

static void take_parent(struct answers *a, sd_bus_message *m)
{
	const char *name, *path;

	if (!bus_read_object(m, &name, &path))
		return;
	bus_copy(a->n->parent_bus, sizeof(a->n->parent_bus), *name ? name : a->n->peer->bus);
	bus_copy(a->n->parent_path, sizeof(a->n->parent_path), path);
}

static void take_text(char *to, size_t size, sd_bus_message *m, bool variant)
{
	const char *text;

	if (variant ? bus_read_variant_string(m, &text) : sd_bus_message_read(m, "s", &text) > 0)
		bus_copy(to, size, text);
}

static void on_answer(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct answers *a = ctx;

	if (tag == ASK_ROLE)
		a->role = outcome;
	if (tag == ASK_STATES)
		a->states = outcome;
	if (outcome != BUS_OK)
		return;
	switch (tag) {
	case ASK_ROLE:
		if (sd_bus_message_read(m, "u", &a->n->role) <= 0)
			a->role = BUS_REFUSED;
		break;
	case ASK_STATES:
		if (!bus_read_states(m, &a->n->states))
			a->n->states = 0;
		break;
	case ASK_IFACES:
		if (!bus_read_ifaces(m, &a->n->ifaces))
			a->n->ifaces = 0;
		break;
	case ASK_INDEX:
		if (sd_bus_message_read(m, "i", &a->n->index) <= 0)
			a->n->index = -1;
		break;
	case ASK_PARENT: take_parent(a, m); break;
	case ASK_NAME: take_text(a->name, sizeof(a->name), m, true); break;
	case ASK_DESCRIPTION: take_text(a->description, sizeof(a->description), m, true); break;
	case ASK_RELATED: take_text(a->related, sizeof(a->related), m, true); break;
	case ASK_ROLE_NAME: take_text(a->role_name, sizeof(a->role_name), m, false); break;
	case ASK_TEXT: take_text(a->text, sizeof(a->text), m, false); break;
	default: bus_read_labelled_by(m, a->related_path, sizeof(a->related_path)); break;
	}
}

static int ask_method(struct bus_pipe *p, struct answers *ans, const char *member, uint32_t tag,
                      int64_t patience, struct error *e)
{
	return bus_pipe_call(p, node_target(ans->n, ATSPI_I_ACCESSIBLE, member), patience, on_answer,
	                     ans, tag, e, NULL);
}

static int ask_property(struct bus_pipe *p, struct answers *ans, const char *path, const char *name,
                        uint32_t tag, int64_t patience, struct error *e)
{
	struct bus_target t = { ans->n->peer, path, DBUS_I_PROPERTIES, "Get" };

	return bus_pipe_call(p, t, patience, on_answer, ans, tag, e, "ss", ATSPI_I_ACCESSIBLE, name);
}

static int ask_all(struct atspi *a, struct call c, struct answers *ans, struct error *e)
{
	static const struct {
		const char *name;
		uint32_t tag;
	} methods[] = {
		{ "GetRole", ASK_ROLE },
		{ "GetState", ASK_STATES },
		{ "GetInterfaces", ASK_IFACES },
		{ "GetIndexInParent", ASK_INDEX },
	}, properties[] = {
		{ "Name", ASK_NAME },
		{ "Description", ASK_DESCRIPTION },
		{ "Parent", ASK_PARENT },
	};
	const char *path = ans->n->handle.path;
	int64_t patience = bus_peer_patience(ans->n->peer);
	auto_pipe struct bus_pipe p;
	int r = 0;

	bus_pipe_init(&p, a->bus, c);
	for (size_t i = 0; i < ARRAY_SIZE(methods) && r == 0; i++)
		r = ask_method(&p, ans, methods[i].name, methods[i].tag, patience, e);
	for (size_t i = 0; i < ARRAY_SIZE(properties) && r == 0; i++)
		r = ask_property(&p, ans, path, properties[i].name, properties[i].tag, patience, e);
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

/* What only some elements need: the role's name, the label that points at it, its text, the text
 * inside it. */
static int ask_more(struct atspi *a, struct call c, struct answers *ans, struct error *e)
{
	struct atspi_node *n = ans->n;
	enum ui_role role = atspi_role_to_ui(n->role, NULL, n->states);
	auto_pipe struct bus_pipe p;
	int r = 0;

	bus_pipe_init(&p, a->bus, c);
	if (atspi_role_needs_name(n->role))
		r = ask_method(&p, ans, "GetRoleName", ASK_ROLE_NAME, 0, e);
	if (r == 0 && atspi_wants_relation(n->peer->toolkit, role, ans->name))
		r = ask_method(&p, ans, "GetRelationSet", ASK_RELATIONS, 0, e);
	if (r == 0 && role == UI_TEXT && (n->ifaces & ATSPI_IF_TEXT) &&
	    !atspi_name(n->peer->toolkit, ans->name))
		r = bus_pipe_call(&p, node_target(n, ATSPI_I_TEXT, "GetText"), 0, on_answer, ans, ASK_TEXT,
		                  e, "ii", 0, (int32_t)sizeof(ans->text));
	if (r == 0)
		r = bus_pipe_wait(&p, e);
	if (r == 0 && ans->related_path[0])
		r = ask_property(&p, ans, ans->related_path, "Name", ASK_RELATED, 0, e);
	if (r == 0)
		r = bus_pipe_wait(&p, e);
	if (r == 0 && atspi_wants_caption(n->peer->toolkit, role, ans->name))
		r = node_caption(a, c, n, ans->caption, sizeof(ans->caption), e);
	return r;
}

/* GTK never gives a path to a second object, and GTK 4 changes its mind about parents (the pages of
 * a stack come into being between the stack and what is on them). */
static bool parent_counts(enum atspi_toolkit toolkit)
{
	return toolkit != ATSPI_TOOLKIT_GTK3 && toolkit != ATSPI_TOOLKIT_GTK4;
}

/* Whether what answered is what the handle was made for. */
static int check(const struct answers *ans, struct error *e)
{
	const struct atspi_node *n = ans->n;

	if (ans->role == BUS_NO_ANSWER || ans->states == BUS_NO_ANSWER)
		return bus_outcome_error(BUS_NO_ANSWER, n->peer, NULL, e);
	if (ans->role != BUS_OK || ans->states != BUS_OK)
		return stale(e, ans->n->peer->gone ? "program_gone" : "object_gone");
	if (atspi_state(n->states, ATSPI_STATE_DEFUNCT))
		return stale(e, "object_gone");
	if (n->role != n->handle.role)
		return stale(e, "another_element");
	if (parent_counts(n->peer->toolkit) && n->parent_path[0] &&
	    tree_hash(n->parent_path) != n->handle.parent_hash)
		return stale(e, "another_element");
	return 0;
}

/* Repaired as a snapshot repairs it. */
static void take_label(struct atspi_node *n, const char *label)
{
	auto_free char *repaired =
	    label ? utf8_repair(label, strlen(label), sizeof(n->label) - 1, NULL) : NULL;

	bus_copy(n->label, sizeof(n->label), repaired);
}

static void finish(struct answers *ans)
{
	struct atspi_node *n = ans->n;
	struct atspi_texts texts = { ans->name, ans->related, ans->description, ans->text,
		                         ans->caption[0] ? ans->caption : NULL };

	n->ui_role = atspi_role_to_ui(n->role, ans->role_name, n->states);
	if (strcmp(n->parent_path, n->peer->root) == 0)
		n->ui_role = atspi_top_level_role(n->ui_role);
	n->flags = atspi_flags(n->states, n->role, n->ui_role);
	take_label(n, atspi_label(n->peer->toolkit, n->ui_role, &texts));
}

int atspi_node_find(struct atspi *a, struct call c, const char *handle, struct atspi_node *ret,
                    struct error *e)
{
	struct atspi_node n = { .index = -1 };
	struct answers ans = { .n = &n, .role = BUS_GONE, .states = BUS_GONE };
	int r = atspi_handle_parse(handle, &n.handle, e);

	if (r == 0)
		r = atspi_bus_connect(a, c, e);
	if (r < 0)
		return r;
	if (strcmp(n.handle.bus_id, a->bus->id) != 0)
		return stale(e, "another_bus");
	r = find_peer(a, c, &n, e);
	if (r == 0)
		r = ask_all(a, c, &ans, e);
	if (r == 0)
		r = check(&ans, e);
	if (r == 0)
		r = ask_more(a, c, &ans, e);
	if (r < 0)
		return r;
	finish(&ans);
	*ret = n;
	return 0;
}

int atspi_node_enabled(const struct atspi_node *n, struct error *e)
{
	if (n->flags & UI_ENABLED)
		return 0;
	return error_set(e, ERR_ELEMENT_DISABLED, "%s %s does not take input now",
	                 ui_role_name(n->ui_role), n->label[0] ? n->label : "(without a name)");
}
