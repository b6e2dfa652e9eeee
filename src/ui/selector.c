#include "base/cleanup.h"
#include "ui/filter.h"
#include "ui/selector_internal.h"

#include <stdlib.h>
#include <string.h>

enum grade { NO, LOOSE, EXACT }; /* how well something matches */

static const char *surface_title(const struct ui_tree *t, uint32_t i)
{
	for (; i != UI_NONE; i = t->nodes[i].parent) {
		if (ui_role_is_surface(t->nodes[i].role))
			return t->nodes[i].label;
	}
	return t->window_title;
}

static const char *program_name(const struct ui_tree *t, uint32_t i)
{
	for (; i != UI_NONE; i = t->nodes[i].parent) {
		if (t->nodes[i].role == UI_APPLICATION && t->nodes[i].label)
			return t->nodes[i].label;
	}
	return t->app;
}

unsigned ui_selector_texts(const struct ui_tree *t, uint32_t node, enum ui_key key,
                           const char *ret[2])
{
	const struct ui_node *n = &t->nodes[node];
	ret[0] = ret[1] = NULL;
	switch (key) {
	case UI_SEL_ID: ret[0] = n->identifier; break;
	case UI_SEL_LABEL: ret[0] = n->label ? n->label : n->description; break;
	case UI_SEL_VALUE: ret[0] = ui_node_secret(n) ? NULL : n->value; break;
	case UI_SEL_TEXT: ret[0] = ui_node_text(n); break;
	case UI_SEL_WINDOWTITLE: ret[0] = surface_title(t, node); break;
	case UI_SEL_APPNAME:
		ret[0] = program_name(t, node);
		ret[1] = t->app_id;
		break;
	default: break;
	}
	return ret[1] ? 2 : 1;
}

static enum grade match_text(const struct ui_term *term, const char *s)
{
	if (term->contains)
		return ui_needle_found(&term->needle, s) ? EXACT : NO;
	if (!s)
		return *term->value ? NO : EXACT;
	if (!ui_needle_equals(&term->needle, s))
		return NO;
	return strcmp(s, term->value) == 0 ? EXACT : LOOSE;
}

/* What the snapshot prints, or what the platform calls it. A word that is one of our role names never
 * means a type: AT-SPI calls text fields "text". A word of some other platform means the role, but
 * nodes of this very type go first: imagebutton before all the other buttons. */
static enum grade match_role(const struct ui_term *term, const struct ui_node *n)
{
	bool same = term->role >= 0 && (enum ui_role)term->role == n->role;
	if (term->contains)
		return ui_needle_found(&term->needle, ui_role_name(n->role)) ||
		               ui_needle_found(&term->needle, n->type)
		           ? EXACT
		           : NO;
	if (term->display)
		return same ? EXACT : NO;
	if (ui_type_equal(term->value, n->type))
		return EXACT;
	return same ? LOOSE : NO;
}

static bool is_editable(const struct ui_node *n)
{
	bool field = ui_role_is_text_input(n->role) && !ui_has(n, UI_READ_ONLY);
	return (field || ui_has(n, UI_EDITABLE)) && ui_has(n, UI_ENABLED);
}

static bool is_visible(const struct ui_tree *t, uint32_t node)
{
	const struct ui_node *n = &t->nodes[node];
	return ui_has(n, UI_VISIBLE) && ui_node_in_view(t, node);
}

static bool flag_of(const struct ui_tree *t, uint32_t node, enum ui_key key)
{
	const struct ui_node *n = &t->nodes[node];
	switch (key) {
	case UI_SEL_VISIBLE: return is_visible(t, node);
	case UI_SEL_HIDDEN: return !is_visible(t, node);
	case UI_SEL_EDITABLE: return is_editable(n);
	case UI_SEL_SELECTED: return ui_has(n, UI_SELECTED);
	case UI_SEL_ENABLED: return ui_has(n, UI_ENABLED);
	case UI_SEL_HITTABLE: return ui_has(n, UI_HITTABLE);
	case UI_SEL_FOCUSED: return ui_has(n, UI_FOCUSED);
	case UI_SEL_CHECKED: return ui_has(n, UI_CHECKED);
	default: return false;
	}
}

static enum grade match_term(const struct ui_term *term, const struct ui_tree *t, uint32_t node)
{
	if (term->key >= UI_SEL_FIRST_FLAG)
		return flag_of(t, node, term->key) == term->wanted ? EXACT : NO;
	if (term->key == UI_SEL_ROLE)
		return match_role(term, &t->nodes[node]);
	const char *texts[2];
	unsigned n = ui_selector_texts(t, node, term->key, texts);
	enum grade best = NO;
	for (unsigned i = 0; i < n; i++) {
		enum grade g = match_text(term, texts[i]);
		best = g > best ? g : best;
	}
	return best;
}

static enum grade match(const struct ui_alternative *a, const struct ui_tree *t, uint32_t node)
{
	enum grade worst = EXACT;
	for (unsigned i = 0; i < a->count && worst != NO; i++) {
		enum grade g = match_term(&a->terms[i], t, node);
		worst = g < worst ? g : worst;
	}
	return worst;
}

bool ui_selector_matches(const struct ui_selector *s, unsigned alternative, const struct ui_tree *t,
                         uint32_t node)
{
	return alternative < s->count && match(&s->alternatives[alternative], t, node) != NO;
}

unsigned ui_selector_alternatives(const struct ui_selector *s)
{
	return s->count;
}

/* Nodes that match to the byte go before those that match after folding (case J04). */
static uint32_t collect(const struct ui_alternative *a, const struct ui_tree *t, uint32_t *nodes)
{
	uint32_t count = 0;
	enum grade best = LOOSE;
	for (uint32_t i = 0; i < t->count; i++) {
		enum grade g = match(a, t, i);
		if (g > best) {
			best = g;
			count = 0;
		}
		if (g == best)
			nodes[count++] = i;
	}
	return count;
}

int ui_selector_find(const struct ui_selector *s, const struct ui_tree *t, struct ui_matches *ret,
                     struct error *e)
{
	auto_free uint32_t *nodes = malloc((t->count + 1) * sizeof(*nodes));
	if (!nodes)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	struct ui_matches found = { 0 };
	for (unsigned a = 0; a < s->count && found.count == 0; a++) {
		found.alternative = a;
		found.count = collect(&s->alternatives[a], t, nodes);
	}
	found.nodes = TAKE(nodes);
	*ret = found;
	return 0;
}
