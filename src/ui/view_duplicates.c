/* A button and the label in it, a row and its title, a scroll view that inherits the text of its only
 * button: one text, printed once. */
#include "base/cleanup.h"
#include "ui/selector.h"
#include "ui/view.h"

#define CAPTION_LEVELS 4 /* how deep a control's text may lie below it (runner protocol 6.7) */

struct chain {
	uint32_t owner;     /* nearest ancestor with a text, UI_NONE: none */
	uint32_t control;   /* nearest interactive ancestor, UI_NONE: none */
	enum ui_role inner; /* role of an interactive descendant with the same text */
	bool repeated;      /* there is such a descendant */
};

const char *ui_view_text(const struct ui_viewer *v, uint32_t i)
{
	const struct ui_node *n = &v->raw->nodes[i];
	if (n->label)
		return n->label;
	if (v->marks[i].caption)
		return v->marks[i].caption;
	return ui_role_is_plain(n->role) && !ui_node_secret(n) ? n->value : NULL;
}

static bool wants_caption(const struct ui_viewer *v, uint32_t i)
{
	const struct ui_node *n = &v->raw->nodes[i];
	return v->marks[i].interactive && !n->label && !n->value && !ui_has(n, UI_EDITABLE) &&
	       !ui_role_is_text_input(n->role) && !ui_role_is_adjustable(n->role) &&
	       n->role != UI_TERMINAL;
}

/* The first text below that is no control of its own. */
static const char *find_caption(const struct ui_viewer *v, uint32_t i)
{
	const struct ui_tree *t = v->raw;
	uint32_t next;
	for (uint32_t c = i + 1; c < v->marks[i].end; c = next) {
		const struct ui_node *n = &t->nodes[c];
		next = c + 1;
		if (v->marks[c].interactive || n->depth >= t->nodes[i].depth + CAPTION_LEVELS)
			next = v->marks[c].end;
		if (!v->marks[c].interactive && v->marks[c].shown && ui_role_is_plain(n->role) &&
		    ui_view_text(v, c))
			return ui_view_text(v, c);
	}
	return NULL;
}

/* "com.example:id/toolbar" names a thing for programmers. */
static bool is_resource_id(const char *label)
{
	bool id = false;
	for (const char *p = label; *p; p++) {
		if (*p == ' ')
			return false;
		id = id || (p[0] == ':' && p[1] == 'i' && p[2] == 'd' && p[3] == '/');
	}
	return id;
}

static bool hides_resource_id(const struct ui_node *n)
{
	return n->label &&
	       (n->role == UI_GROUP || n->role == UI_IMAGE || n->role == UI_LIST ||
	        n->role == UI_COLLECTION || n->role == UI_OTHER) &&
	       is_resource_id(n->label);
}

static void link_up(struct ui_viewer *v, struct chain *chains)
{
	for (uint32_t i = 0; i < v->raw->count; i++) {
		uint32_t p = v->raw->nodes[i].parent;
		struct ui_mark *m = &v->marks[i];
		if (hides_resource_id(&v->raw->nodes[i]))
			m->unlabelled = true;
		if (wants_caption(v, i))
			m->caption = find_caption(v, i);
		chains[i] = (struct chain){ .owner = UI_NONE, .control = UI_NONE };
		if (p == UI_NONE)
			continue;
		chains[i].owner = ui_view_text(v, p) ? p : chains[p].owner;
		chains[i].control = v->marks[p].interactive ? p : chains[p].control;
	}
}

/* GTK 4 puts a text widget into each of its entries: the outer one is the field. */
static bool is_inner_field(const struct ui_viewer *v, uint32_t i, uint32_t control)
{
	const struct ui_node *n = &v->raw->nodes[i];
	if (control == UI_NONE || !ui_role_is_text_input(n->role))
		return false;
	const struct ui_node *outer = &v->raw->nodes[control];
	if (!ui_role_is_text_input(outer->role) && outer->role != UI_SPIN_BUTTON)
		return false;
	if (ui_has(n, UI_EDITABLE) && !ui_has(outer, UI_EDITABLE))
		return false;
	return !n->label || ui_text_equal(n->label, outer->label);
}

static bool is_plain(const struct ui_viewer *v, uint32_t i)
{
	const struct ui_node *n = &v->raw->nodes[i];
	return ui_role_is_plain(n->role) && !v->marks[i].interactive && !ui_node_scrolls(n);
}

static bool same_as_owner(const struct ui_viewer *v, uint32_t i, uint32_t owner)
{
	if (owner == UI_NONE)
		return false;
	enum ui_role role = v->raw->nodes[owner].role; /* a title heads its page, the window names it */
	return role != UI_APPLICATION && !ui_role_is_surface(role) && ui_view_text(v, i) &&
	       ui_text_equal(ui_view_text(v, i), ui_view_text(v, owner));
}

/* Settles node i against the nearest ancestor with a text; called from the leaves up. */
static void settle(struct ui_viewer *v, struct chain *chains, uint32_t i)
{
	const struct ui_node *n = &v->raw->nodes[i];
	struct ui_mark *m = &v->marks[i];
	struct chain *c = &chains[i];
	if (!m->shown)
		return; /* what is not printed repeats nothing */
	if (is_inner_field(v, i, c->control)) {
		m->dropped = true;
		v->marks[c->control].add_flags |= n->flags & UI_FOCUSED;
		return;
	}
	bool same = same_as_owner(v, i, c->owner);
	if (same && (m->interactive || c->repeated)) {
		chains[c->owner].repeated = true;
		chains[c->owner].inner = m->interactive ? n->role : c->inner;
	}
	if (ui_role_is_surface(n->role))
		return;
	if (is_plain(v, i))
		m->dropped = same || c->repeated;
	else if (m->interactive && !ui_node_scrolls(n))
		m->dropped = c->repeated && c->inner == n->role;
	else
		m->unlabelled = m->unlabelled || c->repeated;
}

int ui_view_mark_duplicates(struct ui_viewer *v, struct error *e)
{
	auto_free struct chain *chains = malloc((v->raw->count + 1) * sizeof(*chains));
	if (!chains)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	link_up(v, chains);
	for (uint32_t i = v->raw->count; i-- > 0;)
		settle(v, chains, i);
	return 0;
}
