#include "backend/virtual/fault_tree.h"

#include "base/limits.h"

#include <math.h>

static void copy_head(const struct ui_tree *from, struct ui_tree *to)
{
	to->screen = from->screen;
	to->truncated = from->truncated;
	to->app = ui_tree_text(to, from->app, NULL);
	to->app_id = ui_tree_text(to, from->app_id, NULL);
	to->quality = (struct ui_quality){ .state = "healthy", .backend = "virtual" };
}

int vd_tree_copy(const struct ui_tree *from, struct ui_tree *ret, struct error *e)
{
	struct ui_tree t = { 0 };
	int r = ui_tree_init(&t, e);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < from->count; i++)
		ui_tree_copy_node(&t, from->nodes[i].parent, &from->nodes[i]);
	copy_head(from, &t);
	if ((r = ui_tree_check(&t, e)) < 0) {
		ui_tree_done(&t);
		return r;
	}
	*ret = t;
	return 0;
}

static void say(struct ui_tree *t, const char *state, const char *code, const char *reason)
{
	t->quality.state = state;
	t->quality.reason_code = code;
	t->quality.reason = reason;
}

static void replace(struct ui_tree *t, struct ui_tree *with)
{
	ui_tree_done(t);
	*t = *with;
}

/* --- each fault -------------------------------------------------------------------------------- */

static int stale(struct ui_tree *t, const struct ui_tree *before, struct error *e)
{
	struct ui_tree old = { 0 };
	int r = before->count ? vd_tree_copy(before, &old, e) : 0;
	if (r == 0 && old.count)
		replace(t, &old);
	return r;
}

static int sparse(struct ui_tree *t, struct error *e)
{
	struct ui_tree root = { 0 };
	int r = ui_tree_init(&root, e);
	if (r < 0)
		return r;
	ui_tree_copy_node(&root, UI_NONE, &t->nodes[0]);
	copy_head(t, &root);
	say(&root, "sparse", "no_content", "the program shows nothing inside of its window");
	replace(t, &root);
	return 0;
}

/* The texts below a node, as frameworks merge them. */
static const char *merged(struct ui_tree *to, const struct ui_tree *t, uint32_t i, uint32_t *flags)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_TREE_STRING);
	for (uint32_t k = i; k < ui_tree_subtree_end(t, i); k++) {
		const char *said = t->nodes[k].label;
		if (said && text.len)
			buf_adds(&text, ", ");
		if (said)
			buf_adds(&text, said);
	}
	return ui_tree_text(to, text.data, flags);
}

static int collapsed(struct ui_tree *t, struct error *e)
{
	struct ui_tree to = { 0 };
	int r = ui_tree_init(&to, e);
	if (r < 0)
		return r;
	uint32_t root = UI_NONE;
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		if (n->depth == 0) {
			root = ui_tree_copy_node(&to, UI_NONE, n);
		} else if (n->depth == 1) {
			uint32_t leaf = ui_tree_copy_node(&to, root, n), cut = 0;
			const char *label = merged(&to, t, i, &cut);
			if (leaf != UI_NONE) {
				to.nodes[leaf].label = label;
				to.nodes[leaf].flags |= cut;
			}
		}
	}
	copy_head(t, &to);
	replace(t, &to);
	return 0;
}

static uint32_t add_group(struct ui_tree *t, uint32_t parent)
{
	uint32_t i = ui_tree_add(t, parent);
	if (i == UI_NONE)
		return i;
	struct ui_node *n = &t->nodes[i];
	n->role = UI_GROUP;
	n->type = "android.view.ViewGroup";
	n->flags = UI_ENABLED | UI_VISIBLE | UI_HAS_RECT;
	n->rect = t->screen;
	return i;
}

/* New nodes hang from a root of their own: children must follow their parents in preorder. */
static void more(struct ui_tree *t, int64_t count, bool nested)
{
	uint32_t root = add_group(t, UI_NONE), parent = root;
	for (int64_t k = 1; k < count && parent != UI_NONE; k++) {
		uint32_t made = add_group(t, parent);
		if (made == UI_NONE)
			break;
		if (nested)
			parent = made;
	}
	if (t->truncated)
		say(t, "partial", "node_limit", "the tree has more nodes than the limit");
}

static void spoil_numbers(struct ui_tree *t)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	for (uint32_t i = 0; i < t->count; i++) {
		struct ui_node *n = &t->nodes[i];
		n->rect.x = bad[i % 3];
		n->rect.height = bad[(i + 1) % 3];
		n->range.current = bad[i % 3];
		n->range.step = bad[(i + 1) % 3];
	}
}

int vd_fault_tree(const struct vd_faults *f, const struct ui_tree *before, struct ui_tree *t,
                  struct error *e)
{
	int r = 0;
	if (vd_faults_met(f, VF_ROOT_FAILURE)) {
		error_set(e, ERR_APP_NOT_ACCESSIBLE, "the accessibility could not read the root element");
		return error_reason(e, "root_unreadable");
	}
	if (vd_faults_met(f, VF_STALE))
		r = stale(t, before, e);
	if (r == 0 && vd_faults_met(f, VF_COLLAPSED))
		r = collapsed(t, e);
	if (r == 0 && vd_faults_met(f, VF_SPARSE))
		r = sparse(t, e);
	if (r < 0)
		return r;
	const struct vd_fault *deep = vd_faults_met(f, VF_DEEP), *wide = vd_faults_met(f, VF_NODES);
	if (deep)
		more(t, deep->count, true);
	if (wide)
		more(t, wide->count, false);
	if (vd_faults_met(f, VF_NON_FINITE))
		spoil_numbers(t);
	return 0;
}
