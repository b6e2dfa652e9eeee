/* Pages of GTK 4 that are not the current one. A stack or notebook leaves a page where it was when
 * it shows another: same place, VISIBLE, nothing in the states. Only asking what lies at the point
 * tells which of the pages is on top. (GTK 3 unmaps such pages and says so.) */
#include "backend/atspi/tree.h"

#define ROLE_PANEL 39

bool stack_page_candidate(const struct tree_reader *r, const struct tree_item *item)
{
	const struct tree_item *up = &r->items[item->parent];

	return item->peer->toolkit == ATSPI_TOOLKIT_GTK4 && item->role == ROLE_PANEL &&
	       up->role == ROLE_PANEL && (up->n > 1 || !(up->ifaces & ATSPI_IF_COMPONENT));
}

/* The extents of a page: its own, or (a GtkStackPage has none) those of what is on it. */
static const struct tree_extents *page_extents(const struct tree_reader *r, uint32_t i)
{
	const struct tree_item *page = &r->items[i];

	if (!(page->known & ITEM_EXTENTS) && page->n == 1 && !(page->ifaces & ATSPI_IF_COMPONENT))
		page = &r->items[page->first];
	return (page->known & ITEM_EXTENTS) && place_extents_sane(&page->extents) ? &page->extents
	                                                                          : NULL;
}

static bool same_extents(const struct tree_extents *a, const struct tree_extents *b)
{
	return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* The extents that several children share; NULL: none do. */
static const struct tree_extents *shared_extents(const struct tree_reader *r,
                                                 const struct tree_item *stack)
{
	for (uint32_t i = 0; i + 1 < stack->n; i++) {
		const struct tree_extents *x = page_extents(r, stack->first + i);

		for (uint32_t k = i + 1; x && k < stack->n; k++) {
			const struct tree_extents *y = page_extents(r, stack->first + k);

			if (y && same_extents(x, y))
				return x;
		}
	}
	return NULL;
}

struct pick {
	struct tree_reader *r;
	uint32_t stack;
	struct tree_extents extents;
};

/* The child of the stack that item i is in; UI_NONE: in none. */
static uint32_t page_of(const struct tree_reader *r, uint32_t stack, uint32_t i)
{
	while (i != UI_NONE && r->items[i].parent != stack)
		i = r->items[i].parent;
	return i;
}

static void on_pick(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct pick *pick = ctx;
	struct tree_reader *r = pick->r;
	struct tree_item *stack = &r->items[pick->stack];
	const char *name, *path;
	uint32_t *slot = NULL, top;

	if (outcome == BUS_OK && bus_read_object(m, &name, &path))
		slot = reader_slot(r, stack->peer, path);
	top = slot && *slot ? page_of(r, pick->stack, *slot - 1) : UI_NONE;
	for (uint32_t k = 0; k < stack->n && top != UI_NONE; k++) {
		const struct tree_extents *x = page_extents(r, stack->first + k);

		if (stack->first + k != top && x && same_extents(x, &pick->extents))
			r->items[stack->first + k].beneath = true;
	}
}

static int ask_pick(struct bus_pipe *p, struct pick *pick, struct error *e)
{
	const struct tree_item *stack = &pick->r->items[pick->stack];
	const struct tree_item *window = &pick->r->items[stack->window];
	struct bus_target t = { window->peer, window->path, ATSPI_I_COMPONENT, "GetAccessibleAtPoint" };

	return bus_pipe_call(
	    p, t, 0, on_pick, pick, 0, e, "iiu", pick->extents.x + pick->extents.width / 2,
	    pick->extents.y + pick->extents.height / 2, place_coord_type(stack->peer->toolkit));
}

int reader_stacks(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++) {
		const struct tree_item *item = &r->items[i];
		const struct tree_extents *x;
		struct pick *pick;

		if (item->peer->toolkit != ATSPI_TOOLKIT_GTK4 || item->role != ROLE_PANEL ||
		    item->window == UI_NONE || item->n < 2)
			continue;
		x = shared_extents(r, item);
		pick = x ? arena_alloc(&r->arena, sizeof(*pick)) : NULL;
		if (!pick)
			continue;
		*pick = (struct pick){ r, i, *x };
		result = ask_pick(&p, pick, e);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}
