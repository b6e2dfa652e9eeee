/* What a snapshot says about itself. */
#include "backend/atspi/tree_look.h"
#include "backend/atspi/x11.h"

static void verdict(struct ui_tree *t, const char *state, const char *code, const char *reason)
{
	/* The gravest reason comes first and stays. */
	if (t->quality.reason_code)
		return;
	t->quality.state = state;
	t->quality.reason_code = code;
	t->quality.reason = reason;
}

static void warn_silent(const struct tree_reader *r, struct ui_tree *t)
{
	auto_buf struct buf text;

	buf_init(&text, LIM_ERROR_TEXT);
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->items[i].parent != UI_NONE || !r->items[i].peer->silent)
			continue;
		buf_reset(&text);
		buf_addf(&text, "%s does not answer accessibility calls; what it shows is unknown",
		         r->items[i].name && *r->items[i].name ? r->items[i].name : "a program");
		ui_tree_warn(t, text.data);
	}
}

/* A browser that keeps accessibility off shows its windows with nothing in them. */
static bool is_shut(const struct tree_reader *r, uint32_t app)
{
	const struct tree_item *item = &r->items[app];
	bool frame = false;

	if (item->peer->toolkit != ATSPI_TOOLKIT_CHROMIUM && item->peer->toolkit != ATSPI_TOOLKIT_GECKO)
		return false;
	for (uint32_t k = 0; k < item->n; k++) {
		if (r->items[item->first + k].n > 0)
			return false;
		frame = true;
	}
	return frame;
}

static void check_shut(const struct tree_reader *r, struct ui_tree *t)
{
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->items[i].parent != UI_NONE || !is_shut(r, i))
			continue;
		verdict(t, "sparse", "accessibility_off", "accessibility is off in this program");
		ui_tree_warn(
		    t, "accessibility is off in this program: start it with "
		       "--force-renderer-accessibility and ACCESSIBILITY_ENABLED=1 (`deft open` does)");
	}
}

static void check_cut(const struct tree_reader *r, struct ui_tree *t)
{
	auto_buf struct buf text;

	buf_init(&text, LIM_ERROR_TEXT);
	for (uint32_t i = 0; i < r->n; i++) {
		if (!r->items[i].children_cut)
			continue;
		t->truncated = true;
		buf_reset(&text);
		buf_addf(&text, "%s %s has %d children; the %u around what is shown were read",
		         atspi_role_name(r->items[i].role), r->items[i].name ? r->items[i].name : "",
		         (int)r->items[i].child_count, (unsigned)r->items[i].n);
		ui_tree_warn(t, text.data);
		verdict(t, "partial", "children_limit", "a list has too many children to read them all");
	}
}

/* Something of the tree is seen in this window. */
static bool has_items(const struct tree_reader *r, const struct tree_look *looks,
                      const struct x11_window *w)
{
	for (uint32_t i = 0; i < r->n; i++) {
		double x, y;

		if (!looks[i].visible || !looks[i].has_rect || !looks[i].in_popup)
			continue;
		ui_rect_center(looks[i].rect, &x, &y);
		if (ui_rect_contains(w->client, x, y))
			return true;
	}
	return false;
}

/* Qt shows the menus of its buttons on the screen and not in the tree. */
static void check_popups(struct tree_reader *r, const struct tree_look *looks, struct ui_tree *t)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct x11_window *w;

		if (r->items[i].parent != UI_NONE || r->items[i].silent)
			continue;
		w = place_desk_popup(&r->desk, r->items[i].peer->pid);
		if (w && !has_items(r, looks, w) && x11_pointer_is_held(r->atspi->x11, r->call))
			ui_tree_warn(t, "an open menu or list is not in the program's tree: reach it by keys "
			                "(`deft key down`, `deft key enter`, `deft key escape`), or by a point "
			                "from a screenshot");
	}
}

void set_quality(struct tree_reader *r, const struct tree_look *looks, struct ui_tree *t,
                 bool silent_seen)
{
	t->quality.state = "healthy";
	t->quality.backend = r->walked ? "atspi-walk" : "atspi-cache";
	if (r->out_of_time) {
		verdict(t, "partial", "budget_exhausted", "time ran out before everything was read");
		ui_tree_warn(t, "time ran out before everything was read");
	}
	if (silent_seen) {
		verdict(t, "partial", "not_responding", "a program or a part of it does not answer");
		warn_silent(r, t);
	}
	if (t->quality.effective_depth > 0) {
		t->truncated = true;
		verdict(t, "partial", "depth_limit", "the tree is deeper than the limit");
	}
	if (r->too_many) {
		t->truncated = true;
		verdict(t, "partial", "node_limit", "the tree has more nodes than the limit");
	}
	check_cut(r, t);
	if (t->truncated)
		verdict(t, "partial", "node_limit", "the tree has more nodes than the limit");
	check_shut(r, t);
	check_popups(r, looks, t);
	if (t->count <= 1)
		verdict(t, "sparse", "no_windows", "the program shows no window to the accessibility bus");
}
