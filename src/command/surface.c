#include "command/surface.h"

#include "base/jx.h"
#include "base/utf8.h"

#include <string.h>

#define MAX_LABELS 6
#define MAX_BUTTONS 4
#define MAX_WORDS_BYTES 80

static void add_unique(json_t *list, size_t max, const char *text)
{
	size_t i;
	json_t *item;
	char *cut;

	if (json_array_size(list) >= max)
		return;
	cut = utf8_repair(text, strlen(text), MAX_WORDS_BYTES, NULL);
	json_array_foreach(list, i, item)
	{
		if (cut && !strcmp(json_string_value(item), cut)) {
			free(cut);
			return;
		}
	}
	if (cut)
		json_array_append_new(list, json_string(cut));
	free(cut);
}

static void collect(const struct ui_tree *t, bool visible, json_t *labels, json_t *buttons)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		bool button = n->role == UI_BUTTON || n->role == UI_TOGGLE_BUTTON || n->role == UI_LINK;

		if (n->label && ui_has(n, UI_VISIBLE) == visible && n->role != UI_APPLICATION)
			add_unique(button ? buttons : labels, button ? MAX_BUTTONS : MAX_LABELS, n->label);
	}
}

json_t *surface_json(const struct ui_tree *t)
{
	json_t *labels = json_array(), *buttons = json_array(), *o = json_object();

	collect(t, true, labels, buttons);
	if (!json_array_size(labels) && !json_array_size(buttons))
		collect(t, false, labels, buttons);
	jx_set(o, "labels", labels);
	jx_set(o, "buttons", buttons);
	return o;
}

void surface_words(const json_t *surface, struct buf *out)
{
	const json_t *list = json_object_get(surface, "buttons");
	size_t i;
	json_t *item;

	if (!json_array_size(list))
		list = json_object_get(surface, "labels");
	if (!json_array_size(list))
		buf_adds(out, "nothing with a text");
	json_array_foreach(list, i, item)
	{
		buf_adds(out, i ? ", " : "");
		buf_add_quoted(out, json_string_value(item));
	}
}
