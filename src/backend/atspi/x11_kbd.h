/* Inside the X11 half: one use of the keyboard, from reading its state to putting it back. */
#ifndef DEFT_ATSPI_X11_KBD_H
#define DEFT_ATSPI_X11_KBD_H

#include "backend/atspi/x11_keymap.h"
#include "backend/atspi/x11_priv.h"

struct x11_kbd {
	struct x11 *x;
	struct x11_keymap map;
	uint8_t locked_group, locked_mods; /* as found: put back at the end */
	uint8_t group;                     /* in force now */
	bool opened;
};

/* Reads the keymap in use, lets go of modifiers somebody holds and of locks (not Num Lock).
 * -ERR_DEVICE_UNAVAILABLE with reason modifiers_held when a person's finger is on one. */
int x11_kbd_open(struct x11_kbd *k, struct x11 *x, struct call c, struct error *e);
/* Puts group and locks back; takes the spare keys back when the focused program is known to have
 * read everything. Works also after a canceled call. */
void x11_kbd_close(struct x11_kbd *k);
/* Sends one key with what it needs around it; nothing is flushed. */
void x11_kbd_stroke(struct x11_kbd *k, const struct x11_stroke *s);
void x11_kbd_down(struct x11_kbd *k, uint8_t keycode);
void x11_kbd_up(struct x11_kbd *k, uint8_t keycode);
/* Gives spare keys a meaning. n must not be above map.n_spare. */
int x11_kbd_map_spare(struct x11_kbd *k, struct call c, const uint32_t *characters, size_t n,
                      struct error *e);
/* The same for one keysym: *ret_keycode. */
int x11_kbd_map_symbol(struct x11_kbd *k, struct call c, uint32_t keysym, uint8_t *ret_keycode,
                       struct error *e);
/* The spare key of a character that was mapped; 0: none. */
uint8_t x11_kbd_spare_of(const struct x11_kbd *k, uint32_t character);

#endif
