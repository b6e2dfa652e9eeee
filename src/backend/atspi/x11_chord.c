#include "backend/atspi/x11_chord.h"

#include "backend/atspi/near.h"
#include "base/cleanup.h"
#include "base/number.h"
#include "base/utf8.h"

#include <string.h>
#include <strings.h>
#include <xkbcommon/xkbcommon.h>

static const struct {
	const char *name;
	unsigned mod;
	xkb_keysym_t keysym;
} modifiers[] = {
	{ "ctrl", X11_MOD_CTRL, XKB_KEY_Control_L },   { "control", X11_MOD_CTRL, XKB_KEY_Control_L },
	{ "shift", X11_MOD_SHIFT, XKB_KEY_Shift_L },   { "alt", X11_MOD_ALT, XKB_KEY_Alt_L },
	{ "option", X11_MOD_ALT, XKB_KEY_Alt_L },      { "super", X11_MOD_SUPER, XKB_KEY_Super_L },
	{ "meta", X11_MOD_SUPER, XKB_KEY_Super_L },    { "win", X11_MOD_SUPER, XKB_KEY_Super_L },
	{ "command", X11_MOD_SUPER, XKB_KEY_Super_L }, { "cmd", X11_MOD_SUPER, XKB_KEY_Super_L },
};

static const struct {
	const char *name;
	xkb_keysym_t keysym;
} keys[] = {
	{ "enter", XKB_KEY_Return },
	{ "return", XKB_KEY_Return },
	{ "tab", XKB_KEY_Tab },
	{ "escape", XKB_KEY_Escape },
	{ "esc", XKB_KEY_Escape },
	{ "backspace", XKB_KEY_BackSpace },
	{ "delete", XKB_KEY_Delete },
	{ "del", XKB_KEY_Delete },
	{ "insert", XKB_KEY_Insert },
	{ "home", XKB_KEY_Home },
	{ "end", XKB_KEY_End },
	{ "page-up", XKB_KEY_Prior },
	{ "page-down", XKB_KEY_Next },
	{ "pgup", XKB_KEY_Prior },
	{ "pgdn", XKB_KEY_Next },
	{ "up", XKB_KEY_Up },
	{ "down", XKB_KEY_Down },
	{ "left", XKB_KEY_Left },
	{ "right", XKB_KEY_Right },
	{ "arrow-up", XKB_KEY_Up },
	{ "arrow-down", XKB_KEY_Down },
	{ "arrow-left", XKB_KEY_Left },
	{ "arrow-right", XKB_KEY_Right },
	{ "space", XKB_KEY_space },
	{ "plus", XKB_KEY_plus },
	{ "minus", XKB_KEY_minus },
	{ "comma", XKB_KEY_comma },
	{ "period", XKB_KEY_period },
	{ "dot", XKB_KEY_period },
	{ "slash", XKB_KEY_slash },
	{ "backslash", XKB_KEY_backslash },
	{ "semicolon", XKB_KEY_semicolon },
	{ "equal", XKB_KEY_equal },
	{ "quote", XKB_KEY_apostrophe },
	{ "grave", XKB_KEY_grave },
	{ "menu", XKB_KEY_Menu },
	{ "caps-lock", XKB_KEY_Caps_Lock },
	{ "num-lock", XKB_KEY_Num_Lock },
	{ "scroll-lock", XKB_KEY_Scroll_Lock },
	{ "print-screen", XKB_KEY_Print },
	{ "print", XKB_KEY_Print },
	{ "pause", XKB_KEY_Pause },
	{ "volume-up", XKB_KEY_XF86AudioRaiseVolume },
	{ "volume-down", XKB_KEY_XF86AudioLowerVolume },
	{ "mute", XKB_KEY_XF86AudioMute },
};

/* Equality of names: case, '-' and '_' do not count. */
static bool same_name(const char *a, const char *b)
{
	for (;;) {
		while (*a == '-' || *a == '_')
			a++;
		while (*b == '-' || *b == '_')
			b++;
		if (strncasecmp(a, b, 1) != 0)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

static int modifier_of(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++)
		if (same_name(word, modifiers[i].name))
			return (int)i;
	return -1;
}

static xkb_keysym_t function_key(const char *word)
{
	int64_t n;
	if ((*word != 'f' && *word != 'F') || !number_parse_int(word + 1, &n) || n < 1 || n > 24)
		return XKB_KEY_NoSymbol;
	return XKB_KEY_F1 + (xkb_keysym_t)(n - 1);
}

static xkb_keysym_t named_key(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (same_name(word, keys[i].name))
			return keys[i].keysym;
	int mod = modifier_of(word);
	if (mod >= 0)
		return modifiers[mod].keysym;
	xkb_keysym_t f = function_key(word);
	return f != XKB_KEY_NoSymbol ? f : xkb_keysym_from_name(word, XKB_KEYSYM_NO_FLAGS);
}

/* One character on its own. */
static xkb_keysym_t character_key(const char *word, unsigned mods)
{
	const char *at = word;
	uint32_t cp = utf8_next(&at);
	if (*at || cp <= ' ' || cp == 0x7f)
		return XKB_KEY_NoSymbol;
	if (mods & ~(unsigned)X11_MOD_SHIFT)
		cp = utf8_fold(cp);
	return xkb_utf32_to_keysym(cp);
}

static int unknown(const char *what, const char *word, struct error *e)
{
	struct near_names near = { .word = word };
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		near_offer(&near, keys[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++)
		near_offer(&near, modifiers[i].name);
	error_set(e, ERR_INVALID_ARGS, "unknown %s \"%.64s\"", what, word);
	if (near.n > 0) {
		error_hint(e, "did you mean \"%s\"?", near.name[0]);
		return -ERR_INVALID_ARGS;
	}
	error_hint(e, "modifiers: ctrl shift alt super; keys: one character, or enter tab escape "
	              "backspace delete home end page-up page-down up down left right space "
	              "plus F1..F24 …");
	return -ERR_INVALID_ARGS;
}

/* Splits off the text before the next '+', which may itself be the key ("ctrl++"). False: last. */
static bool take_modifier(const char **at, char *word, size_t size)
{
	const char *plus = strchr(*at, '+');
	if (!plus || plus == *at || (size_t)(plus - *at) >= size)
		return false;
	memcpy(word, *at, (size_t)(plus - *at));
	word[plus - *at] = '\0';
	*at = plus + 1;
	return true;
}

int x11_chord_parse(const char *text, struct x11_chord *ret, struct error *e)
{
	struct x11_chord chord = { 0 };
	char word[64];
	const char *at = text;
	if (!utf8_valid(text, strlen(text)))
		return error_set(e, ERR_INVALID_ARGS, "the key chord is not valid UTF-8");
	while (take_modifier(&at, word, sizeof(word))) {
		int mod = modifier_of(word);
		if (mod < 0)
			return unknown("modifier", word, e);
		chord.mods |= modifiers[mod].mod;
	}
	if (!*at)
		return error_set(e, ERR_INVALID_ARGS, "the chord \"%.64s\" names no key", text);
	chord.keysym = character_key(at, chord.mods);
	if (chord.keysym == XKB_KEY_NoSymbol)
		chord.keysym = named_key(at);
	if (chord.keysym == XKB_KEY_NoSymbol)
		return unknown("key", at, e);
	*ret = chord;
	return 0;
}
