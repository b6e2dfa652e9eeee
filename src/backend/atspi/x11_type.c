/* Keys into the focused window: chords and text. */
#include "backend/atspi/x11_chord.h"
#include "backend/atspi/x11_kbd.h"
#include "base/limits.h"

/* --- chords --------------------------------------------------------------------------------- */

static const struct {
	unsigned mod;
	uint8_t real; /* the modifier a stroke may need anyway */
	xkb_keysym_t sym;
} chord_mods[] = {
	{ X11_MOD_CTRL, XCB_MOD_MASK_CONTROL, XKB_KEY_Control_L },
	{ X11_MOD_ALT, XCB_MOD_MASK_1, XKB_KEY_Alt_L },
	{ X11_MOD_SUPER, XCB_MOD_MASK_4, XKB_KEY_Super_L },
	{ X11_MOD_SHIFT, XCB_MOD_MASK_SHIFT, XKB_KEY_Shift_L },
};

/* The keys of the chord's modifiers, in the order they go down. */
static int mod_keys(const struct x11_kbd *k, unsigned mods, uint8_t *out, size_t *ret_n,
                    struct error *e)
{
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(chord_mods); i++) {
		struct x11_stroke s;
		if (!(mods & chord_mods[i].mod))
			continue;
		if (!x11_keymap_find(&k->map, chord_mods[i].sym, &s))
			return error_set(e, ERR_UNSUPPORTED_OPERATION,
			                 "this keyboard layout has no key for one of the modifiers");
		out[n++] = s.keycode;
	}
	*ret_n = n;
	return 0;
}

static uint8_t real_mods(unsigned mods)
{
	uint8_t real = 0;
	for (size_t i = 0; i < ARRAY_SIZE(chord_mods); i++)
		if (mods & chord_mods[i].mod)
			real |= chord_mods[i].real;
	return real;
}

static int send_chord(struct x11_kbd *k, struct call c, const struct x11_chord *chord,
                      struct error *e)
{
	struct x11_stroke s = { .layout = k->map.layout };
	uint8_t held[ARRAY_SIZE(chord_mods)];
	size_t n = 0;
	int r = mod_keys(k, chord->mods, held, &n, e);
	if (r == 0 && !x11_keymap_find(&k->map, chord->keysym, &s))
		r = x11_kbd_map_symbol(k, c, chord->keysym, &s.keycode, e);
	if (r < 0)
		return r;
	s.mods &= (uint8_t)~real_mods(chord->mods);
	for (size_t i = 0; i < n; i++)
		x11_kbd_down(k, held[i]);
	x11_kbd_stroke(k, &s);
	while (n > 0)
		x11_kbd_up(k, held[--n]);
	return x11_sync(k->x, c, e);
}

int x11_key(struct x11 *x, struct call c, const char *text, struct error *e)
{
	struct x11_chord chord;
	struct x11_kbd k;
	int r = x11_chord_parse(text, &chord, e);
	if (r == 0)
		r = x11_kbd_open(&k, x, c, e);
	if (r < 0)
		return r;
	r = send_chord(&k, c, &chord, e);
	x11_kbd_close(&k);
	return r < 0 ? r : 0;
}

/* --- text ----------------------------------------------------------------------------------- */

/* Sends strokes [from, to), all of whose keys have their meaning. */
static int send_run(struct x11_kbd *k, struct call c, const struct x11_plan *p, size_t from,
                    size_t to, int delay_ms, struct error *e)
{
	int r = 0;
	for (size_t i = from; i < to && r >= 0; i++) {
		struct x11_stroke s = p->strokes[i];
		if (s.keycode == 0)
			s.keycode = x11_kbd_spare_of(k, s.character);
		x11_kbd_stroke(k, &s);
		if (delay_ms > 0) {
			xcb_flush(k->x->conn);
			r = x11_pause(c, delay_ms, e);
		} else if ((i - from) % LIM_X11_TYPE_BATCH == LIM_X11_TYPE_BATCH - 1) {
			r = x11_sync(k->x, c, e);
			if (r == 0)
				r = x11_barrier(k->x, c, e);
		}
	}
	return r < 0 ? r : x11_sync(k->x, c, e);
}

static int send_plan(struct x11_kbd *k, struct call c, const struct x11_plan *p, int delay_ms,
                     struct error *e)
{
	uint32_t characters[LIM_X11_SPARE_KEYS];
	size_t max = k->map.n_spare < LIM_X11_SPARE_KEYS ? k->map.n_spare : LIM_X11_SPARE_KEYS;
	for (size_t from = 0; from < p->n;) {
		size_t n = 0;
		size_t to = x11_plan_segment(p, from, max, characters, &n);
		int r = 0;
		if (n > 0 && from > 0)
			r = x11_barrier(k->x, c, e); /* the keys of the last segment get a new meaning */
		if (r >= 0 && n > 0)
			r = x11_kbd_map_spare(k, c, characters, n, e);
		if (r >= 0)
			r = send_run(k, c, p, from, to, delay_ms, e);
		if (r < 0)
			return r;
		from = to;
	}
	return 0;
}

int x11_type(struct x11 *x, struct call c, const char *text, int delay_ms, struct error *e)
{
	struct x11_kbd k;
	struct x11_plan p;
	int r = x11_kbd_open(&k, x, c, e);
	if (r < 0)
		return r;
	r = x11_plan_text(&k.map, text, &p, e);
	if (r == 0) {
		r = send_plan(&k, c, &p, delay_ms, e);
		if (r == 0)
			r = x11_barrier(x, c, e);
		x11_plan_done(&p);
	}
	x11_kbd_close(&k);
	return r < 0 ? r : 0;
}
