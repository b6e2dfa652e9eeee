#include "backend/atspi/x11_keymap.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <limits.h>

struct x11_entry {
	xkb_keysym_t sym;
	uint32_t cost; /* lower is better */
	struct x11_stroke stroke;
};

/* --- reading the keymap --------------------------------------------------------------------- */

/* The keys that, held down, put one real modifier in force. A state machine answers that better than
 * the modifier map: it knows level keys and locks. */
static void find_mod_keys(struct x11_keymap *m)
{
	struct xkb_state *s = xkb_state_new(m->keymap);
	if (!s)
		return;
	for (xkb_keycode_t k = xkb_keymap_min_keycode(m->keymap);
	     k <= xkb_keymap_max_keycode(m->keymap) && k <= UINT8_MAX; k++) {
		xkb_state_update_mask(s, 0, 0, 0, 0, 0, m->layout);
		xkb_state_update_key(s, k, XKB_KEY_DOWN);
		xkb_mod_mask_t held = xkb_state_serialize_mods(s, XKB_STATE_MODS_DEPRESSED) & 0xff;
		bool clean = (xkb_state_serialize_mods(s, XKB_STATE_MODS_LOCKED) & 0xff) == 0;
		xkb_state_update_key(s, k, XKB_KEY_UP);
		clean = clean && xkb_state_serialize_mods(s, XKB_STATE_MODS_EFFECTIVE) == 0;
		for (unsigned bit = 0; bit < 8 && clean; bit++)
			if (held == 1u << bit && m->mod_key[bit] == 0)
				m->mod_key[bit] = (uint8_t)k;
	}
	xkb_state_unref(s);
}

/* The smallest set of modifiers that selects a level and that can be held (Caps Lock and Num Lock
 * can't: their keys lock). */
static bool level_mods(const struct x11_keymap *m, xkb_keycode_t k, xkb_layout_index_t layout,
                       xkb_level_index_t level, uint8_t *ret)
{
	xkb_mod_mask_t masks[16];
	size_t n =
	    xkb_keymap_key_get_mods_for_level(m->keymap, k, layout, level, masks, ARRAY_SIZE(masks));
	int best = INT_MAX;
	for (size_t i = 0; i < n && i < ARRAY_SIZE(masks); i++) {
		xkb_mod_mask_t mask = masks[i];
		bool holdable = mask <= 0xff;
		for (unsigned bit = 0; bit < 8; bit++)
			if (mask & (1u << bit) && m->mod_key[bit] == 0)
				holdable = false;
		int bits = __builtin_popcount(mask);
		if (holdable && bits < best) {
			best = bits;
			*ret = (uint8_t)mask;
		}
	}
	return best != INT_MAX;
}

static int add_key(struct x11_keymap *m, xkb_keycode_t k, size_t *cap)
{
	xkb_layout_index_t layouts = xkb_keymap_num_layouts_for_key(m->keymap, k);
	for (xkb_layout_index_t l = 0; l < layouts && l <= UINT8_MAX; l++) {
		xkb_level_index_t levels = xkb_keymap_num_levels_for_key(m->keymap, k, l);
		for (xkb_level_index_t v = 0; v < levels; v++) {
			const xkb_keysym_t *syms;
			uint8_t mods = 0;
			if (xkb_keymap_key_get_syms_by_level(m->keymap, k, l, v, &syms) != 1 ||
			    !level_mods(m, k, l, v, &mods))
				continue;
			if (m->n_entries == *cap) {
				*cap = *cap ? *cap * 2 : 1024;
				struct x11_entry *grown = realloc(m->entries, *cap * sizeof(*grown));
				if (!grown)
					return -1;
				m->entries = grown;
			}
			/* A key with one layout means the same in every group. */
			bool here = layouts == 1 || l == m->layout;
			m->entries[m->n_entries++] = (struct x11_entry){
				.sym = syms[0],
				.cost =
				    (here ? 0 : 4096u) + (uint32_t)__builtin_popcount(mods) * 256u + (uint32_t)k,
				.stroke = { xkb_keysym_to_utf32(syms[0]), (uint8_t)k, here ? m->layout : (uint8_t)l,
				            mods },
			};
		}
	}
	return 0;
}

static int by_sym(const void *pa, const void *pb)
{
	const struct x11_entry *a = pa, *b = pb;
	if (a->sym != b->sym)
		return a->sym < b->sym ? -1 : 1;
	return a->cost < b->cost ? -1 : a->cost > b->cost;
}

static int add_all(struct x11_keymap *m, struct error *e)
{
	xkb_keycode_t min = xkb_keymap_min_keycode(m->keymap);
	xkb_keycode_t max = xkb_keymap_max_keycode(m->keymap);
	size_t cap = 0;
	max = max > UINT8_MAX ? UINT8_MAX : max;
	for (xkb_keycode_t k = max; k >= min && k > 0; k--) {
		if (xkb_keymap_num_layouts_for_key(m->keymap, k) > 0) {
			if (add_key(m, k, &cap) < 0)
				return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
		} else if (m->n_spare < ARRAY_SIZE(m->spare)) {
			m->spare[m->n_spare++] = (uint8_t)k;
		}
	}
	qsort(m->entries, m->n_entries, sizeof(*m->entries), by_sym);
	return 0;
}

int x11_keymap_init(struct x11_keymap *m, struct xkb_keymap *keymap, unsigned layout,
                    struct error *e)
{
	*m = (struct x11_keymap){ .keymap = xkb_keymap_ref(keymap), .layout = (uint8_t)layout };
	find_mod_keys(m);
	int r = add_all(m, e);
	if (r < 0)
		x11_keymap_done(m);
	return r;
}

void x11_keymap_done(struct x11_keymap *m)
{
	xkb_keymap_unref(m->keymap);
	free(m->entries);
	*m = (struct x11_keymap){ NULL };
}

bool x11_keymap_find(const struct x11_keymap *m, xkb_keysym_t sym, struct x11_stroke *ret)
{
	size_t lo = 0, hi = m->n_entries;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (m->entries[mid].sym < sym)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == m->n_entries || m->entries[lo].sym != sym)
		return false;
	*ret = m->entries[lo].stroke;
	return true;
}

/* --- planning a text ------------------------------------------------------------------------ */

/* Layouts name one character in more than one way: 0x6c1 and U+0430 are both "а". */
static bool find_character(const struct x11_keymap *m, uint32_t cp, struct x11_stroke *ret)
{
	if (x11_keymap_find(m, xkb_utf32_to_keysym(cp), ret))
		return true;
	const struct x11_entry *best = NULL;
	for (size_t i = 0; i < m->n_entries; i++) {
		const struct x11_entry *at = &m->entries[i];
		if (at->stroke.character == cp && (!best || at->cost < best->cost))
			best = at;
	}
	if (best)
		*ret = best->stroke;
	return best != NULL;
}

static int no_key(uint32_t cp, struct error *e)
{
	char utf8[5] = { 0 };
	utf8_put(cp, utf8);
	error_set(e, ERR_UNSUPPORTED_OPERATION,
	          "the keyboard can't produce \"%s\" (U+%04X); nothing was typed", utf8, (unsigned)cp);
	error_reason(e, "character_without_key");
	error_detail_str(e, "character", utf8);
	error_hint(e, "add a keyboard layout that has it, or fill an element that takes text "
	              "directly");
	return -ERR_UNSUPPORTED_OPERATION;
}

static int plan_one(const struct x11_keymap *m, uint32_t cp, struct x11_stroke *ret,
                    struct error *e)
{
	bool control = cp < ' ' || (cp >= 0x7f && cp < 0xa0);
	*ret = (struct x11_stroke){ .character = cp, .layout = m->layout };
	if (cp == '\n' || cp == '\t') {
		xkb_keysym_t sym = cp == '\n' ? XKB_KEY_Return : XKB_KEY_Tab;
		return x11_keymap_find(m, sym, ret) ? 0 : no_key(cp, e);
	}
	if (control)
		return error_set(e, ERR_INVALID_ARGS,
		                 "the control character U+%04X can't be typed; nothing was typed",
		                 (unsigned)cp);
	if (find_character(m, cp, ret))
		return 0;
	if (m->n_spare == 0 || xkb_utf32_to_keysym(cp) == XKB_KEY_NoSymbol)
		return no_key(cp, e);
	return 0;
}

int x11_plan_text(const struct x11_keymap *m, const char *text, struct x11_plan *ret,
                  struct error *e)
{
	size_t n = utf8_count(text);
	if (n > LIM_TEXT)
		return error_set(e, ERR_LIMIT_EXCEEDED, "more than %d characters", LIM_TEXT);
	struct x11_plan p = { .strokes = calloc(n + 1, sizeof(*p.strokes)) };
	if (!p.strokes)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	for (const char *at = text; *at;) {
		uint32_t cp = utf8_next(&at);
		int r = plan_one(m, cp, &p.strokes[p.n++], e);
		if (r < 0) {
			x11_plan_done(&p);
			return r;
		}
	}
	*ret = p;
	return 0;
}

void x11_plan_done(struct x11_plan *p)
{
	free(p->strokes);
	*p = (struct x11_plan){ NULL };
}

size_t x11_plan_segment(const struct x11_plan *p, size_t from, size_t max, uint32_t *out,
                        size_t *ret_n)
{
	size_t n = 0, at;
	for (at = from; at < p->n; at++) {
		const struct x11_stroke *s = &p->strokes[at];
		size_t i = 0;
		while (i < n && out[i] != s->character)
			i++;
		if (s->keycode != 0 || i < n)
			continue;
		if (n == max)
			break;
		out[n++] = s->character;
	}
	*ret_n = n;
	return at;
}
