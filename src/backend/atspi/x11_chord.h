/* Key chords as text: [modifier "+"]* key. Pure.
 *
 * modifiers  ctrl control · shift · alt option · super meta win cmd command
 * keys       one character ("a", "?", "é", "+"), a name of the table in x11_chord.c (enter, page-down,
 *            F5, …), or a keysym name of the X keyboard ("Multi_key", "XF86AudioMute")
 *
 * Names ignore case, '-' and '_'. A capital letter means Shift, except after ctrl, alt or super, where
 * "ctrl+A" is what people write for ctrl+a. A modifier alone is a key too ("super"). */
#ifndef DEFT_ATSPI_X11_CHORD_H
#define DEFT_ATSPI_X11_CHORD_H

#include "base/error.h"

#include <stdint.h>

enum x11_mod {
	X11_MOD_CTRL = 1u << 0,
	X11_MOD_SHIFT = 1u << 1,
	X11_MOD_ALT = 1u << 2,
	X11_MOD_SUPER = 1u << 3,
};

struct x11_chord {
	unsigned mods;   /* enum x11_mod */
	uint32_t keysym; /* of the key that is pressed while they are held */
};

/* -ERR_INVALID_ARGS, for an unknown name with the nearest ones in the hint. */
int x11_chord_parse(const char *text, struct x11_chord *ret, struct error *e);

#endif
