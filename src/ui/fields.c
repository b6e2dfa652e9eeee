#include "ui/fields.h"

#include "base/cleanup.h"

#include <stddef.h>

#define TEXT(key, member)                                    \
	{                                                        \
		key, UI_FIELD_TEXT, offsetof(struct ui_node, member) \
	}
#define COUNT(key, member)                                    \
	{                                                         \
		key, UI_FIELD_COUNT, offsetof(struct ui_node, member) \
	}
#define SPECIAL(key, which)          \
	{                                \
		key, UI_FIELD_SPECIAL, which \
	}
#define FLAG(key, flag)          \
	{                            \
		key, UI_FIELD_FLAG, flag \
	}
#define BOOL(key, flag)          \
	{                            \
		key, UI_FIELD_BOOL, flag \
	}

const struct ui_field ui_fields[] = {
	SPECIAL("index", UI_KEY_INDEX),
	SPECIAL("ref", UI_KEY_REF),
	SPECIAL("type", UI_KEY_TYPE),
	SPECIAL("role", UI_KEY_ROLE),
	TEXT("label", label),
	TEXT("caption", caption),
	SPECIAL("value", UI_KEY_VALUE),
	TEXT("identifier", identifier),
	TEXT("description", description),
	SPECIAL("rect", UI_KEY_RECT),
	SPECIAL("range", UI_KEY_RANGE),
	BOOL("enabled", UI_ENABLED),
	BOOL("hittable", UI_HITTABLE),
	BOOL("visible", UI_VISIBLE),
	FLAG("focused", UI_FOCUSED),
	FLAG("focusable", UI_FOCUSABLE),
	FLAG("selected", UI_SELECTED),
	FLAG("checked", UI_CHECKED),
	FLAG("checkable", UI_CHECKABLE),
	FLAG("mixed", UI_MIXED),
	FLAG("editable", UI_EDITABLE),
	FLAG("password", UI_PASSWORD),
	FLAG("expanded", UI_EXPANDED),
	FLAG("expandable", UI_EXPANDABLE),
	FLAG("modal", UI_MODAL),
	FLAG("active", UI_ACTIVE),
	FLAG("readOnly", UI_READ_ONLY),
	FLAG("multiline", UI_MULTILINE),
	FLAG("scrollable", UI_SCROLLABLE),
	FLAG("covered", UI_COVERED),
	FLAG("unresponsive", UI_UNRESPONSIVE),
	FLAG("cut", UI_CUT),
	FLAG("hiddenContentAbove", UI_HIDDEN_ABOVE),
	FLAG("hiddenContentBelow", UI_HIDDEN_BELOW),
	SPECIAL("actions", UI_KEY_ACTIONS),
	COUNT("pid", pid),
	COUNT("hiddenCount", hidden_count),
	SPECIAL("depth", UI_KEY_DEPTH),
	SPECIAL("parentIndex", UI_KEY_PARENT),
	TEXT("nodeId", handle),
};

const unsigned ui_fields_count = ARRAY_SIZE(ui_fields);
