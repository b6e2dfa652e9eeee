/* The keys of a node on the wire, in the order they are written: one table for both directions. */
#ifndef DEFT_UI_FIELDS_H
#define DEFT_UI_FIELDS_H

#include "ui/node.h"

enum ui_field_kind {
	UI_FIELD_TEXT,    /* const char * at offset, left out when NULL */
	UI_FIELD_FLAG,    /* enum ui_flag, true only */
	UI_FIELD_BOOL,    /* enum ui_flag, always written */
	UI_FIELD_COUNT,   /* uint32_t at offset, left out when 0 */
	UI_FIELD_SPECIAL, /* index, role, rect, …: a shape of its own */
};

enum ui_field_special {
	UI_KEY_INDEX,
	UI_KEY_TYPE,
	UI_KEY_ROLE,
	UI_KEY_VALUE,
	UI_KEY_RECT,
	UI_KEY_DEPTH,
	UI_KEY_PARENT,
	UI_KEY_ACTIONS,
	UI_KEY_RANGE,
	UI_KEY_REF
};

struct ui_field {
	const char *key;
	enum ui_field_kind kind;
	uint32_t what; /* offset in struct ui_node, enum ui_flag or enum ui_field_special */
};

extern const struct ui_field ui_fields[];
extern const unsigned ui_fields_count;

#endif
