/* The parsed form of a selector; shared by its parser, its matcher and the look for near misses. */
#ifndef DEFT_UI_SELECTOR_INTERNAL_H
#define DEFT_UI_SELECTOR_INTERNAL_H

#include "base/limits.h"
#include "ui/selector.h"
#include "ui/text.h"

enum ui_key {
	UI_SEL_ID,
	UI_SEL_ROLE,
	UI_SEL_TEXT,
	UI_SEL_LABEL,
	UI_SEL_VALUE,
	UI_SEL_APPNAME,
	UI_SEL_WINDOWTITLE,
	UI_SEL_FIRST_FLAG, /* what follows is true or false */
	UI_SEL_VISIBLE = UI_SEL_FIRST_FLAG,
	UI_SEL_HIDDEN,
	UI_SEL_EDITABLE,
	UI_SEL_SELECTED,
	UI_SEL_ENABLED,
	UI_SEL_HITTABLE,
	UI_SEL_FOCUSED,
	UI_SEL_CHECKED,
	UI_SEL_KEYS
};

struct ui_term {
	enum ui_key key;
	bool contains; /* *= */
	bool wanted;   /* of a flag */
	int role;      /* of role=: what the value names, -1: only a platform's type */
	bool display;  /* the value is one of our own role names: types don't count */
	char *value;   /* as written, unescaped; NULL for flags */
	struct ui_needle needle;
};

struct ui_alternative {
	struct ui_term terms[LIM_SELECTOR_TERMS];
	unsigned count;
};

struct ui_selector {
	struct ui_alternative alternatives[LIM_SELECTOR_ALTERNATIVES];
	unsigned count;
};

/* The key named by the first len bytes, case ignored; UI_SEL_KEYS: none. */
enum ui_key ui_selector_key(const char *name, size_t len);
const char *ui_selector_key_name(enum ui_key key);
/* The texts that a key compares, at most 2, in order; returns how many. */
unsigned ui_selector_texts(const struct ui_tree *t, uint32_t node, enum ui_key key,
                           const char *ret[2]);

#endif
