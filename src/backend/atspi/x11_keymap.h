/* Which keys produce a text under a keyboard layout. Pure: works on a compiled keymap, no server.
 *
 * A character is looked up in the current layout first, then in the other ones (us + ru: "y" while ru
 * is active is typed with the us group locked for that key). Dead keys are never used: they would
 * swallow the key after them. What no key produces is given to spare keycodes, which the caller maps
 * before typing; a plan is cut into segments that fit the spare keycodes there are. */
#ifndef DEFT_ATSPI_X11_KEYMAP_H
#define DEFT_ATSPI_X11_KEYMAP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xkbcommon/xkbcommon.h>

/* One key press: the key, and what must be in force while it is pressed. */
struct x11_stroke {
	uint32_t character; /* code point; 0 for keys that are none */
	uint8_t keycode;    /* 0: a spare key has to be mapped to the character */
	uint8_t layout;     /* group */
	uint8_t mods;       /* real modifiers: Shift 1, Control 4, Mod1 8 … Mod5 128 */
};

struct x11_keymap {
	struct xkb_keymap *keymap;
	uint8_t layout;     /* the active group */
	uint8_t mod_key[8]; /* keycode that holds each real modifier down, 0: none */
	uint8_t spare[64];  /* keycodes without any meaning, the best first */
	size_t n_spare;
	struct x11_entry *entries; /* private: sorted by keysym and character */
	size_t n_entries;
};

/* Takes a reference to the keymap. */
int x11_keymap_init(struct x11_keymap *m, struct xkb_keymap *keymap, unsigned layout,
                    struct error *e);
void x11_keymap_done(struct x11_keymap *m);
/* The cheapest way to one keysym. */
bool x11_keymap_find(const struct x11_keymap *m, xkb_keysym_t sym, struct x11_stroke *ret);

struct x11_plan {
	struct x11_stroke *strokes;
	size_t n;
};

/* Plans a valid UTF-8 text: newline is the Return key, tab the Tab key. Before anything is typed:
 * -ERR_INVALID_ARGS for other control characters, -ERR_UNSUPPORTED_OPERATION with details.character
 * when a character has no key and there is no spare one. */
int x11_plan_text(const struct x11_keymap *m, const char *text, struct x11_plan *ret,
                  struct error *e);
void x11_plan_done(struct x11_plan *p);
/* The end of the longest run from `from` on that needs at most max spare keys; their characters in
 * out, each once, *ret_n of them. */
size_t x11_plan_segment(const struct x11_plan *p, size_t from, size_t max, uint32_t *out,
                        size_t *ret_n);

#endif
