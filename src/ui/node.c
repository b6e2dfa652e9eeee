#include "ui/node.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "ui/arena.h"

#include <string.h>

int ui_tree_init(struct ui_tree *t, struct error *e)
{
	struct ui_arena *a = ui_arena_new();
	if (!a)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	*t = (struct ui_tree){ .arena = a };
	return 0;
}

void ui_tree_done(struct ui_tree *t)
{
	if (!t)
		return;
	free(t->nodes);
	json_decref(t->warnings);
	ui_arena_free(t->arena);
	*t = (struct ui_tree){ 0 };
}

int ui_tree_check(const struct ui_tree *t, struct error *e)
{
	if (t->arena && !ui_arena_failed(t->arena))
		return 0;
	return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out while the tree was built");
}

static bool reserve(struct ui_tree *t)
{
	if (t->count < t->cap)
		return true;
	uint32_t cap = t->cap ? t->cap * 2 : 64;
	struct ui_node *nodes = realloc(t->nodes, cap * sizeof(*nodes));
	if (!nodes)
		return false;
	t->nodes = nodes;
	t->cap = cap;
	return true;
}

uint32_t ui_tree_add(struct ui_tree *t, uint32_t parent)
{
	if (t->count >= LIM_TREE_NODES || !reserve(t)) {
		t->truncated = true;
		return UI_NONE;
	}
	uint32_t i = t->count++;
	t->nodes[i] = (struct ui_node){
		.parent = parent,
		.depth = parent == UI_NONE ? 0 : t->nodes[parent].depth + 1,
		.role = UI_OTHER,
	};
	return i;
}

/* What nearly every text is: printable ASCII and line breaks, which needs no repair. */
static bool plain_ascii(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c >= 0x80 || (c < 0x20 && c != '\n' && c != '\t'))
			return false;
	}
	return true;
}

const char *ui_tree_text(struct ui_tree *t, const char *s, uint32_t *flags)
{
	if (!s || !*s)
		return NULL;
	size_t len = strlen(s);
	if (len <= LIM_TREE_STRING && plain_ascii(s, len))
		return ui_arena_copy(t->arena, s, len);
	bool cut = false;
	auto_free char *repaired = utf8_repair(s, len, LIM_TREE_STRING, &cut);
	if (cut && flags)
		*flags |= UI_CUT;
	return repaired && *repaired ? ui_arena_copy(t->arena, repaired, strlen(repaired)) : NULL;
}

const char *const *ui_tree_texts(struct ui_tree *t, const char *const *list, uint32_t n)
{
	if (n == 0)
		return NULL;
	const char **copy = ui_arena_alloc(t->arena, n * sizeof(*copy));
	if (!copy)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		const char *text = ui_tree_text(t, list[i], NULL);
		copy[i] = text ? text : "";
	}
	return copy;
}

void ui_tree_warn(struct ui_tree *t, const char *text)
{
	auto_free char *repaired = utf8_repair(text, strlen(text), LIM_ERROR_TEXT, NULL);
	if (!t->warnings)
		t->warnings = json_array();
	if (t->warnings && repaired)
		json_array_append_new(t->warnings, json_string(repaired));
}

static const char *copy_text(struct ui_arena *a, const char *s)
{
	return s ? ui_arena_copy(a, s, strlen(s)) : NULL;
}

static const char *const *copy_actions(struct ui_arena *a, const struct ui_node *from)
{
	if (from->n_actions == 0)
		return NULL;
	const char **list = ui_arena_alloc(a, from->n_actions * sizeof(*list));
	for (uint32_t i = 0; list && i < from->n_actions; i++) {
		list[i] = copy_text(a, from->actions[i]);
		if (!list[i])
			return NULL;
	}
	return list;
}

uint32_t ui_tree_copy_node(struct ui_tree *to, uint32_t parent, const struct ui_node *from)
{
	uint32_t i = ui_tree_add(to, parent);
	if (i == UI_NONE)
		return UI_NONE;
	struct ui_arena *a = to->arena;
	struct ui_node *n = &to->nodes[i];
	uint32_t depth = n->depth;
	*n = *from;
	n->parent = parent;
	n->depth = depth;
	n->type = copy_text(a, from->type);
	n->label = copy_text(a, from->label);
	n->value = copy_text(a, from->value);
	n->identifier = copy_text(a, from->identifier);
	n->description = copy_text(a, from->description);
	n->caption = copy_text(a, from->caption);
	n->handle = copy_text(a, from->handle);
	n->actions = copy_actions(a, from);
	if (!n->actions)
		n->n_actions = 0;
	return i;
}

uint32_t ui_tree_subtree_end(const struct ui_tree *t, uint32_t i)
{
	uint32_t end = i + 1;
	while (end < t->count && t->nodes[end].depth > t->nodes[i].depth)
		end++;
	return end;
}

void ui_tree_subtree_ends(const struct ui_tree *t, uint32_t *ret_ends)
{
	for (uint32_t i = 0; i < t->count; i++)
		ret_ends[i] = i + 1;
	/* Children come after their parent: seen from the back, a node's end is final when met. */
	for (uint32_t i = t->count; i-- > 0;) {
		uint32_t parent = t->nodes[i].parent;
		if (parent != UI_NONE && ret_ends[parent] < ret_ends[i])
			ret_ends[parent] = ret_ends[i];
	}
}

bool ui_is_ancestor(const struct ui_tree *t, uint32_t ancestor, uint32_t node)
{
	uint32_t i = t->nodes[node].parent;
	while (i != UI_NONE && i > ancestor)
		i = t->nodes[i].parent;
	return i == ancestor && i != UI_NONE;
}

const char *ui_node_text(const struct ui_node *n)
{
	if (n->label && *n->label)
		return n->label;
	if (n->value && *n->value && !ui_node_secret(n))
		return n->value;
	return n->identifier && *n->identifier ? n->identifier : NULL;
}

bool ui_node_secret(const struct ui_node *n)
{
	return ui_has(n, UI_PASSWORD) || n->role == UI_PASSWORD_FIELD;
}
