/* A selector for a node that is already known: for records, for results, and to find it again. */
#include "base/cleanup.h"
#include "ui/screen_text.h"
#include "ui/selector_internal.h"

#include <stdlib.h>

/* Room for the longest label, escaped; longer chains than LIM_SELECTOR are cut by alternative. */
#define TERM_MAX LIM_SELECTOR

struct chain {
	struct buf kept; /* alternatives that find exactly the node */
	struct buf all;
};

static bool finds_only(const struct ui_tree *t, uint32_t node, const char *text)
{
	struct ui_selector *s;
	struct ui_matches m = { 0 };
	if (ui_selector_parse(text, &s, NULL) < 0)
		return false;
	bool only = ui_selector_find(s, t, &m, NULL) == 0 && m.count == 1 && m.nodes[0] == node;
	free(m.nodes);
	ui_selector_free(s);
	return only;
}

static void append(struct buf *chain, const struct buf *alternative)
{
	static const char sep[] = " || ";
	if (chain->len + alternative->len + sizeof(sep) > LIM_SELECTOR)
		return; /* a chain may be shorter, never cut in the middle */
	if (chain->len > 0)
		buf_adds(chain, sep);
	buf_add(chain, alternative->data, alternative->len);
}

/* One alternative: [role=R] [key="text"]; nothing when the text is missing. */
static void offer(struct chain *c, const struct ui_tree *t, uint32_t node, const char *role,
                  const char *key, const char *text)
{
	auto_buf struct buf b;
	buf_init(&b, TERM_MAX);
	if ((key && (!text || !*text)) || (!key && !role))
		return;
	if (role)
		buf_addf(&b, "role=%s", role);
	if (key) {
		buf_addf(&b, "%s%s=", role ? " " : "", key);
		ui_add_quoted(&b, text);
	}
	if (b.over)
		return;
	append(&c->all, &b);
	if (finds_only(t, node, b.data))
		append(&c->kept, &b);
}

char *ui_selector_for(const struct ui_tree *t, uint32_t node)
{
	const struct ui_node *n = &t->nodes[node];
	const char *role = ui_role_name(n->role);
	struct chain c;
	buf_init(&c.kept, LIM_SELECTOR);
	buf_init(&c.all, LIM_SELECTOR);
	offer(&c, t, node, NULL, "id", n->identifier);
	offer(&c, t, node, role, "label", n->label);
	offer(&c, t, node, NULL, "label", n->label);
	offer(&c, t, node, NULL, "value", ui_node_secret(n) ? NULL : n->value);
	if (c.all.len == 0)
		offer(&c, t, node, role, NULL, NULL);
	char *text = buf_detach(c.kept.len > 0 ? &c.kept : &c.all);
	buf_done(&c.kept);
	buf_done(&c.all);
	return text;
}
