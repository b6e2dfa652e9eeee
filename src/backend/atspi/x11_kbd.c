#include "backend/atspi/x11_kbd.h"
#include "base/limits.h"

#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon-x11.h>

#define MOD_NUM XCB_MOD_MASK_2

/* The spare keys in use, the index being that of the keymap's spare list. */
struct x11_typist {
	uint8_t keycode[LIM_X11_SPARE_KEYS];
	uint32_t keysym[LIM_X11_SPARE_KEYS];
	size_t n;
};

static void send_symbol(struct x11 *x, uint8_t keycode, uint32_t keysym)
{
	/* Both levels, or the server makes a lower and upper case pair of a letter. */
	xcb_keysym_t both[2] = { keysym, keysym };
	xcb_change_keyboard_mapping(x->conn, 1, keycode, 2, both);
}

static void forget_spares(struct x11 *x)
{
	for (size_t i = 0; x->typist && i < x->typist->n; i++)
		send_symbol(x, x->typist->keycode[i], XCB_NO_SYMBOL);
	if (x->typist)
		x->typist->n = 0;
}

void x11_typist_free(struct x11 *x)
{
	if (!x->typist)
		return;
	if (x->conn && !xcb_connection_has_error(x->conn)) {
		forget_spares(x);
		x11_sync(x, x11_undo_call(), NULL);
	}
	free(TAKE(x->typist));
}

/* --- opening -------------------------------------------------------------------------------- */

static int read_keymap(struct x11_kbd *k, uint8_t *ret_held, struct error *e)
{
	int32_t dev = xkb_x11_get_core_keyboard_device_id(k->x->conn);
	struct xkb_context *ctx = dev >= 0 ? xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES) : NULL;
	struct xkb_keymap *map =
	    ctx ? xkb_x11_keymap_new_from_device(ctx, k->x->conn, dev, XKB_KEYMAP_COMPILE_NO_FLAGS)
	        : NULL;
	struct xkb_state *state = map ? xkb_x11_state_new_from_device(map, k->x->conn, dev) : NULL;
	int r = 0;
	if (state) {
		uint8_t group = (uint8_t)xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE);
		k->locked_group = (uint8_t)xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_LOCKED);
		k->locked_mods = (uint8_t)xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED);
		*ret_held = (uint8_t)xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED);
		k->group = group;
		x11_keymap_done(&k->map);
		r = x11_keymap_init(&k->map, map, group, e);
	} else {
		r = xcb_connection_has_error(k->x->conn)
		        ? x11_lost(k->x, e)
		        : error_set(e, ERR_COMMAND_FAILED, "the keyboard layout can't be read");
	}
	xkb_state_unref(state);
	xkb_keymap_unref(map);
	xkb_context_unref(ctx);
	return r;
}

/* Lets go of every modifier key that is down: one left down by a program that ended. */
static int release_modifiers(struct x11_kbd *k, struct call c, struct error *e)
{
	auto_free xcb_query_keymap_reply_t *down = NULL;
	auto_free xcb_get_modifier_mapping_reply_t *mods = NULL;
	int r = x11_reply(k->x, c, xcb_query_keymap(k->x->conn).sequence, &down, e);
	if (r == 0)
		r = x11_reply(k->x, c, xcb_get_modifier_mapping(k->x->conn).sequence, &mods, e);
	if (r < 0)
		return r;
	const xcb_keycode_t *codes = xcb_get_modifier_mapping_keycodes(mods);
	int n = xcb_get_modifier_mapping_keycodes_length(mods);
	for (int i = 0; i < n; i++)
		if (codes[i] != 0 && down->keys[codes[i] / 8] & (1u << (codes[i] % 8)))
			x11_kbd_up(k, codes[i]);
	return x11_sync(k->x, c, e);
}

static int held_error(uint8_t held, struct error *e)
{
	static const char *const names[] = { "Shift",    "Caps Lock", "Ctrl",  "Alt",
		                                 "Num Lock", "Mod3",      "Super", "AltGr" };
	const char *name = "a modifier";
	for (unsigned bit = 0; bit < 8; bit++)
		if (held & (1u << bit))
			name = names[bit];
	error_set(e, ERR_DEVICE_UNAVAILABLE, "%s is held down on the keyboard; no key was sent", name);
	error_reason(e, "modifiers_held");
	error_hint(e, "let go of it and run the command again");
	return -ERR_DEVICE_UNAVAILABLE;
}

static void lock(struct x11_kbd *k, uint8_t affect, uint8_t mods, bool set_group, uint8_t group)
{
	xcb_xkb_latch_lock_state(k->x->conn, XCB_XKB_ID_USE_CORE_KBD, affect, mods, set_group, group,
	                         affect, 0, 0);
}

static void clear_locks(struct x11_kbd *k)
{
	uint8_t locks = k->locked_mods & (uint8_t)~MOD_NUM;
	if (locks)
		lock(k, locks, 0, false, 0);
}

int x11_kbd_open(struct x11_kbd *k, struct x11 *x, struct call c, struct error *e)
{
	*k = (struct x11_kbd){ .x = x };
	uint8_t held = 0;
	int r = x11_require(x, "send keys", e);
	if (r == 0)
		r = call_check(c, "the keyboard", e);
	if (r < 0)
		return r;
	/* Reading a keymap can't be given up half-way: a server that hangs is found out before. */
	r = x11_sync(x, c, e);
	if (r < 0)
		return r;
	r = read_keymap(k, &held, e);
	if (r == 0 && k->map.n_spare == 0 && x->typist && x->typist->n > 0) {
		forget_spares(x);
		r = read_keymap(k, &held, e);
	}
	if (r == 0 && held != 0) {
		r = release_modifiers(k, c, e);
		if (r == 0)
			r = read_keymap(k, &held, e);
		if (r == 0 && held != 0)
			r = held_error(held, e);
	}
	if (r < 0) {
		x11_keymap_done(&k->map);
		return r;
	}
	clear_locks(k);
	k->opened = true;
	return 0;
}

void x11_kbd_close(struct x11_kbd *k)
{
	if (!k->opened)
		return;
	uint8_t locks = k->locked_mods & (uint8_t)~MOD_NUM;
	bool other_group = k->group != k->map.layout;
	if (locks || other_group)
		lock(k, locks, locks, other_group, k->locked_group);
	/* Only a program that has read its keys may see their meaning change. */
	if (k->x->typist && k->x->typist->n > 0 && x11_barrier(k->x, x11_undo_call(), NULL) == 1)
		forget_spares(k->x);
	x11_sync(k->x, x11_undo_call(), NULL);
	x11_keymap_done(&k->map);
	k->opened = false;
}

/* --- sending -------------------------------------------------------------------------------- */

void x11_kbd_down(struct x11_kbd *k, uint8_t keycode)
{
	x11_fake(k->x, XCB_KEY_PRESS, keycode, 0, 0);
}

void x11_kbd_up(struct x11_kbd *k, uint8_t keycode)
{
	x11_fake(k->x, XCB_KEY_RELEASE, keycode, 0, 0);
}

void x11_kbd_stroke(struct x11_kbd *k, const struct x11_stroke *s)
{
	if (s->layout != k->group) {
		lock(k, 0, 0, true, s->layout);
		k->group = s->layout;
	}
	for (int bit = 0; bit < 8; bit++)
		if (s->mods & (1u << bit))
			x11_kbd_down(k, k->map.mod_key[bit]);
	x11_kbd_down(k, s->keycode);
	x11_kbd_up(k, s->keycode);
	for (int bit = 7; bit >= 0; bit--)
		if (s->mods & (1u << bit))
			x11_kbd_up(k, k->map.mod_key[bit]);
}

/* --- spare keys ----------------------------------------------------------------------------- */

static struct x11_typist *typist(struct x11 *x, struct error *e)
{
	if (!x->typist)
		x->typist = calloc(1, sizeof(*x->typist));
	if (!x->typist)
		error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	return x->typist;
}

static void give(struct x11_kbd *k, size_t slot, uint32_t keysym)
{
	struct x11_typist *t = k->x->typist;
	size_t i = 0;
	while (i < t->n && t->keycode[i] != k->map.spare[slot])
		i++;
	if (i == t->n && t->n < LIM_X11_SPARE_KEYS)
		t->n++;
	if (i == LIM_X11_SPARE_KEYS)
		return;
	t->keycode[i] = k->map.spare[slot];
	t->keysym[i] = keysym;
	send_symbol(k->x, k->map.spare[slot], keysym);
}

int x11_kbd_map_spare(struct x11_kbd *k, struct call c, const uint32_t *characters, size_t n,
                      struct error *e)
{
	if (!typist(k->x, e))
		return -ERR_COMMAND_FAILED;
	for (size_t i = 0; i < n; i++)
		give(k, i, xkb_utf32_to_keysym(characters[i]));
	return x11_sync(k->x, c, e);
}

int x11_kbd_map_symbol(struct x11_kbd *k, struct call c, uint32_t keysym, uint8_t *ret_keycode,
                       struct error *e)
{
	if (k->map.n_spare == 0) {
		char name[64] = "";
		xkb_keysym_get_name(keysym, name, sizeof(name));
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the keyboard has no key for %s", name);
	}
	if (!typist(k->x, e))
		return -ERR_COMMAND_FAILED;
	give(k, 0, keysym);
	*ret_keycode = k->map.spare[0];
	return x11_sync(k->x, c, e);
}

uint8_t x11_kbd_spare_of(const struct x11_kbd *k, uint32_t character)
{
	const struct x11_typist *t = k->x->typist;
	uint32_t sym = xkb_utf32_to_keysym(character);
	for (size_t i = 0; t && i < t->n; i++)
		if (t->keysym[i] == sym)
			return t->keycode[i];
	return 0;
}
