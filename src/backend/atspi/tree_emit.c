/* From items to the ui_tree: what is shown, labels, values, flags, rectangles. */
#include "backend/atspi/tree.h"
#include "backend/atspi/tree_look.h"
#include "backend/atspi/x11.h"

#include <math.h>

struct emitter {
	struct tree_reader *r;
	struct ui_tree *t;
	struct tree_look *looks; /* per item */
	uint32_t *nodes;         /* per item: index in t, UI_NONE not emitted */
	bool silent_seen, depth_cut;
};

/* --- one node --------------------------------------------------------------------------------- */

static const char *number_text(struct ui_tree *t, double v)
{
	auto_buf struct buf text;

	buf_init(&text, 64);
	if (!isfinite(v))
		return NULL;
	buf_add_number(&text, v);
	return ui_tree_text(t, text.data, NULL);
}

/* GTK 4 puts the value of a scroll bar into a part of it. */
static const struct tree_item *value_holder(const struct tree_reader *r,
                                            const struct tree_item *item)
{
	if (item->role != ATSPI_ROLE_SCROLL_BAR || (item->known & ITEM_VALUE) || item->n != 1)
		return item;
	return &r->items[item->first];
}

static void put_range(struct ui_tree *t, struct ui_node *n, const struct tree_item *item)
{
	if (!(item->known & ITEM_VALUE) || !isfinite(item->current))
		return;
	if (!n->value && !ui_has(n, UI_PASSWORD))
		n->value = number_text(t, item->current);
	if (!(item->known & ITEM_MIN) || !(item->known & ITEM_MAX) || !isfinite(item->min) ||
	    !isfinite(item->max) || !(item->max > item->min))
		return;
	n->range = (struct ui_range){
		.min = item->min,
		.max = item->max,
		.step = isfinite(item->step) && item->step > 0 ? item->step : 0,
		.current = item->current,
	};
	n->flags |= UI_HAS_RANGE;
}

/* GTK counts the page into the maximum of a scroll bar, so that no value ever reaches it. The page is
 * what the container around it shows. */
static void drop_page(const struct emitter *m, struct ui_node *n, uint32_t i)
{
	const struct tree_item *item = &m->r->items[i];
	const struct tree_look *outer = &m->looks[item->parent == UI_NONE ? i : item->parent];
	enum atspi_toolkit toolkit = item->peer->toolkit;
	double max;

	if (n->role != UI_SCROLL_BAR || !ui_has(n, UI_HAS_RANGE) || !ui_has(n, UI_HAS_RECT) ||
	    outer->role != UI_SCROLL_AREA || !outer->has_rect ||
	    (toolkit != ATSPI_TOOLKIT_GTK3 && toolkit != ATSPI_TOOLKIT_GTK4))
		return;
	max = n->range.max - (n->rect.height > n->rect.width ? outer->rect.height : outer->rect.width);
	if (max > n->range.min)
		n->range.max = fmax(max, n->range.current);
}

static void put_texts(struct emitter *m, struct ui_node *n, uint32_t i)
{
	const struct tree_item *item = &m->r->items[i];
	const char *label = look_label(m->r, m->looks, i);
	const char *value = item->text && !ui_has(n, UI_PASSWORD) ? item->text : NULL;

	if (value && label == value)
		value = NULL;
	n->label = ui_tree_text(m->t, label, &n->flags);
	n->value = ui_tree_text(m->t, value ? value : look_choice(m->r, m->looks, i), &n->flags);
	if (item->description && (!label || strcmp(label, item->description) != 0))
		n->description = ui_tree_text(m->t, item->description, NULL);
	n->identifier = ui_tree_text(m->t, item->id, NULL);
	if (ui_has(n, UI_PASSWORD))
		n->hidden_count = item->chars;
}

int reader_handle(const struct tree_reader *r, uint32_t i, struct buf *out)
{
	const struct tree_item *item = &r->items[i];
	struct atspi_handle h = { .role = item->role };

	if (item->parent == UI_NONE || strlen(item->path) >= sizeof(h.path))
		return -ERR_LIMIT_EXCEEDED;
	bus_copy(h.bus_id, sizeof(h.bus_id), r->bus->id);
	bus_copy(h.bus, sizeof(h.bus), item->peer->bus);
	bus_copy(h.path, sizeof(h.path), item->path);
	h.parent_hash = tree_hash(r->items[item->parent].path);
	return atspi_handle_format(&h, out);
}

static void put_handle(struct emitter *m, struct ui_node *n, uint32_t i)
{
	auto_buf struct buf text;

	buf_init(&text, 512);
	if (reader_handle(m->r, i, &text) == 0)
		n->handle = ui_tree_text(m->t, text.data, NULL);
}

static void fill_node(struct emitter *m, uint32_t index, uint32_t i)
{
	const struct tree_item *item = &m->r->items[i];
	const struct tree_look *look = &m->looks[i];
	struct ui_node *n = &m->t->nodes[index];

	n->role = look->role;
	n->type = atspi_role_name(item->role);
	n->pid = item->peer->pid > 0 ? (uint32_t)item->peer->pid : 0;
	n->flags |= look->flags;
	if (look->has_rect) {
		n->rect = look->rect;
		n->flags |= UI_HAS_RECT;
	}
	if (item->silent)
		n->flags |= UI_UNRESPONSIVE;
	put_texts(m, n, i);
	put_range(m->t, n, value_holder(m->r, item));
	drop_page(m, n, i);
	put_handle(m, n, i);
	if (item->n_actions > 0) {
		n->actions = ui_tree_texts(m->t, item->actions, item->n_actions);
		n->n_actions = n->actions ? item->n_actions : 0;
	}
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool wanted(struct emitter *m, uint32_t i)
{
	const struct tree_item *item = &m->r->items[i];

	if (item->gone || atspi_state(item->states, ATSPI_STATE_DEFUNCT)) {
		m->t->dropped++;
		return false;
	}
	m->silent_seen = m->silent_seen || item->silent;
	return m->r->opts->raw || m->looks[i].visible || item->silent;
}

/* Adds item i below its parent; false: it and what lies below stay out. */
static bool emit_item(struct emitter *m, uint32_t i)
{
	uint32_t parent = m->r->items[i].parent;
	uint32_t index;

	if (!wanted(m, i))
		return false;
	index = ui_tree_add(m->t, parent == UI_NONE ? UI_NONE : m->nodes[parent]);
	if (index == UI_NONE)
		return false;
	m->nodes[i] = index;
	fill_node(m, index, i);
	return true;
}

struct frame {
	uint32_t item, next;
};

static void emit_subtree(struct emitter *m, uint32_t root, struct frame *stack)
{
	unsigned limit = m->r->opts->depth >= 0 ? (unsigned)m->r->opts->depth : LIM_TREE_DEPTH;
	unsigned depth = 0;

	if (!emit_item(m, root))
		return;
	stack[0] = (struct frame){ root, 0 };
	for (;;) {
		struct frame *top = &stack[depth];
		const struct tree_item *item = &m->r->items[top->item];
		uint32_t child = item->first + top->next;

		if (top->next == item->n || depth >= limit) {
			m->depth_cut = m->depth_cut || top->next < item->n;
			if (depth-- == 0)
				return;
			continue;
		}
		top->next++;
		if (emit_item(m, child))
			stack[++depth] = (struct frame){ child, 0 };
	}
}

static void set_heading(struct emitter *m, const struct atspi_apps *apps)
{
	const struct tree_reader *r = m->r;
	const struct atspi_app *app = NULL;
	unsigned roots = 0;

	for (uint32_t i = 0; i < r->n; i++)
		roots += r->items[i].parent == UI_NONE;
	for (uint32_t k = 0; roots == 1 && k < apps->n && !app; k++)
		if (apps->apps[k].peer == r->items[0].peer)
			app = &apps->apps[k];
	if (!app)
		return;
	m->t->app = ui_tree_text(m->t, app->name, NULL);
	m->t->app_id = ui_tree_text(m->t, app->id, NULL);
	for (uint32_t k = 0; k < app->n_windows; k++)
		if (app->windows[k].active || (!m->t->window_title && app->windows[k].title &&
		                               atspi_state(app->windows[k].states, ATSPI_STATE_SHOWING)))
			m->t->window_title = ui_tree_text(m->t, app->windows[k].title, NULL);
}

static int emit_all(struct emitter *m, struct error *e)
{
	struct frame *stack = calloc(LIM_TREE_DEPTH + 2, sizeof(*stack));

	if (!stack)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	for (uint32_t i = 0; i < m->r->n; i++)
		m->nodes[i] = UI_NONE;
	for (uint32_t i = 0; i < m->r->n; i++)
		if (m->r->items[i].parent == UI_NONE)
			emit_subtree(m, i, stack);
	free(stack);
	return 0;
}

static void set_screen(struct emitter *m)
{
	int width = 0, height = 0;

	if (m->r->atspi->x11)
		x11_screen_size(m->r->atspi->x11, &width, &height);
	m->t->screen = (struct ui_rect){ 0, 0, width, height };
}

int reader_emit(struct tree_reader *r, const struct atspi_apps *apps, struct ui_tree *t,
                struct error *e)
{
	struct emitter m = { .r = r, .t = t };
	int result;

	set_screen(&m);
	m.nodes = calloc(r->n + 1, sizeof(*m.nodes));
	m.looks = looks_make(r, t->screen);
	if (m.nodes && m.looks)
		result = emit_all(&m, e);
	else
		result = error_set(e, ERR_COMMAND_FAILED, "out of memory");
	if (result == 0) {
		set_heading(&m, apps);
		if (m.depth_cut && r->opts->depth < 0)
			t->quality.effective_depth = LIM_TREE_DEPTH;
		set_quality(r, m.looks, t, m.silent_seen);
	}
	free(m.nodes);
	looks_free(m.looks);
	return result;
}
