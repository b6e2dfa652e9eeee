/* Random trees: what must hold for every one of them. The seed of a failure is printed;
 * DEFT_TEST_SEED=N runs that one alone. */
#include "base/jx.h"
#include "base/number.h"
#include "ui/fingerprint.h"
#include "ui/target.h"
#include "ui_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 300
#define NODES_MAX 120

struct random {
	uint64_t state;
};

/* splitmix64 */
static uint32_t below(struct random *r, uint32_t n)
{
	uint64_t z = r->state += 0x9E3779B97F4A7C15ull;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
	return (uint32_t)((z ^ (z >> 31)) % n);
}

static const char *word(struct random *r)
{
	static const char *const words[] = { NULL,   NULL,       "",     "Save",          "save ",
		                                 "true", "42",       "a\nb", "\xC3\xBC",      "say \"hi\"",
		                                 "\\",   "pkg:id/x", "a, b", "a\xE2\x80\xA8", "x || y" };
	return words[below(r, ARRAY_SIZE(words))];
}

static double place(struct random *r)
{
	static const double odd[] = { -2147483648.0, 1e300, -1, 0, 0.5 };
	return below(r, 12) == 0 ? odd[below(r, ARRAY_SIZE(odd))] : (double)below(r, 900) - 100;
}

static void random_node(struct random *r, struct ui_tree *t, uint32_t i)
{
	static const char *const actions[] = { "click", "clipboard.copy", "increase" };
	struct ui_node *n = &t->nodes[i];
	n->role = (enum ui_role)below(r, UI_ROLE_COUNT);
	n->flags = below(r, 1u << 25) & ~(uint32_t)(UI_HAS_RECT | UI_HAS_RANGE);
	n->flags |= below(r, 4) ? UI_VISIBLE | UI_ENABLED : 0;
	n->type = ui_tree_text(t, below(r, 3) ? "push button" : ui_role_name(n->role), NULL);
	n->label = ui_tree_text(t, word(r), NULL);
	n->value = ui_node_secret(n) ? NULL : ui_tree_text(t, word(r), NULL);
	n->identifier = ui_tree_text(t, word(r), NULL);
	n->description = below(r, 5) ? NULL : ui_tree_text(t, word(r), NULL);
	n->handle = ui_tree_text(t, word(r), NULL);
	n->pid = below(r, 3);
	n->hidden_count = below(r, 3);
	struct ui_rect rect = { place(r), place(r), place(r), place(r) };
	if (ui_rect_known(rect)) {
		n->rect = rect;
		n->flags |= UI_HAS_RECT;
	}
	if (below(r, 4) == 0) {
		n->range = (struct ui_range){ 0, below(r, 100), 0.5, below(r, 100) };
		n->flags |= UI_HAS_RANGE;
	}
	n->n_actions = below(r, 4);
	n->actions = ui_tree_texts(t, actions, n->n_actions);
	n->n_actions = n->actions ? n->n_actions : 0;
}

static void random_tree(uint64_t seed, struct ui_tree *ret)
{
	struct random r = { seed };
	assert_int_equal(ui_tree_init(ret, NULL), 0);
	uint32_t count = 1 + below(&r, NODES_MAX);
	for (uint32_t i = 0; i < count; i++) {
		/* any node of the open path may be the parent */
		uint32_t parent = i ? i - 1 : UI_NONE;
		while (parent != UI_NONE && below(&r, 3) == 0)
			parent = ret->nodes[parent].parent;
		assert_int_equal(ui_tree_add(ret, parent), i);
		random_node(&r, ret, i);
	}
	ret->app = ui_tree_text(ret, word(&r), NULL);
	ret->truncated = below(&r, 2);
	if (below(&r, 2))
		ret->screen = (struct ui_rect){ 0, 0, 400, 800 };
}

/* Fails with the seed. */
#define HOLDS(seed, what)                                                           \
	do {                                                                            \
		if (!(what))                                                                \
			fail_msg("DEFT_TEST_SEED=%llu: %s", (unsigned long long)(seed), #what); \
	} while (0)

static bool same_json(const struct ui_tree *a, const struct ui_tree *b)
{
	auto_json json_t *x = ui_tree_to_json(a), *y = ui_tree_to_json(b);
	return json_equal(x, y);
}

static void json_round_trip(uint64_t seed, const struct ui_tree *t)
{
	auto_tree struct ui_tree again = { 0 };
	auto_buf struct buf text;
	buf_init(&text, 1 << 22);
	auto_json json_t *j = ui_tree_to_json(t);
	HOLDS(seed, jx_dump(j, false, &text));
	auto_json json_t *parsed = jx_parse(text.data, text.len, NULL);
	HOLDS(seed, parsed);
	HOLDS(seed, ui_tree_from_json(parsed, &again, NULL) == 0);
	HOLDS(seed, again.count == t->count);
	HOLDS(seed, same_json(t, &again));
	HOLDS(seed, ui_fingerprint(t, true) == ui_fingerprint(&again, true));
	HOLDS(seed, ui_fingerprint(t, false) == ui_fingerprint(&again, false));
}

static bool is_preorder(const struct ui_tree *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t p = t->nodes[i].parent, open = i - 1;
		if (p == UI_NONE ? t->nodes[i].depth != 0
		                 : p >= i || t->nodes[i].depth != t->nodes[p].depth + 1)
			return false;
		while (p != UI_NONE && open != UI_NONE && open > p)
			open = t->nodes[open].parent;
		if (p != UI_NONE && open != p)
			return false;
	}
	return true;
}

static size_t count_lines(const char *s)
{
	size_t n = 0;
	for (; *s; s++)
		n += *s == '\n';
	return n;
}

/* Everything printed is one line an entry, and nothing of the screen ends a line or starts an escape. */
static void text_is_tame(uint64_t seed, const struct ui_tree *view,
                         const struct ui_view_stats *stats, const struct ui_view_opts *opts)
{
	auto_buf struct buf out, again;
	buf_init(&out, 1 << 22);
	buf_init(&again, 1 << 22);
	const struct ui_render_opts how = { .flat = opts->interactive && !opts->raw, .raw = opts->raw };
	ui_render_snapshot(view, stats, &how, &out);
	ui_render_snapshot(view, stats, &how, &again);
	HOLDS(seed, strcmp(out.data, again.data) == 0);
	HOLDS(seed, strchr(out.data, '\x1b') == NULL);
	size_t hints = 0;
	for (uint32_t i = 0; i < view->count && !opts->raw; i++)
		hints +=
		    ui_has(&view->nodes[i], UI_HIDDEN_ABOVE) + ui_has(&view->nodes[i], UI_HIDDEN_BELOW);
	size_t want = 1 + (view->app != NULL) + json_array_size(view->warnings) + view->count + hints +
	              (stats->offscreen_above > 0) + (stats->offscreen_below > 0);
	HOLDS(seed, count_lines(out.data) == want);
}

static void views_are_consistent(uint64_t seed, const struct ui_tree *t)
{
	const struct ui_view_opts views[] = {
		{ .depth = -1 },
		{ .interactive = true, .depth = -1 },
		{ .raw = true, .depth = -1 },
		{ .depth = 2 },
		{ .depth = -1, .scope = "save" },
		{ .interactive = true, .depth = -1, .scope = "a" },
	};
	for (size_t k = 0; k < ARRAY_SIZE(views); k++) {
		auto_tree struct ui_tree view = { 0 };
		struct ui_view_stats stats;
		HOLDS(seed, ui_view_make(t, &views[k], &view, &stats, NULL) == 0);
		HOLDS(seed, is_preorder(&view));
		HOLDS(seed, stats.visible == view.count && stats.total == t->count);
		HOLDS(seed, view.count <= t->count);
		HOLDS(seed, view.truncated == t->truncated);
		for (uint32_t i = 0; i < view.count; i++) {
			HOLDS(seed, view.nodes[i].ref == i + 1);
			HOLDS(seed, !views[k].interactive || view.nodes[i].depth == 0);
		}
		HOLDS(seed,
		      views[k].depth >= 0 || views[k].scope || !views[k].raw || view.count == t->count);
		text_is_tame(seed, &view, &stats, &views[k]);
	}
}

/* A made selector parses, and what it finds alone is the node. */
static void selectors_lead_back(uint64_t seed, const struct ui_tree *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		struct ui_selector *s = NULL;
		struct ui_matches m = { 0 };
		auto_free char *text = ui_selector_for(t, i);
		HOLDS(seed, text && ui_selector_looks_like(text));
		HOLDS(seed, ui_selector_parse(text, &s, NULL) == 0);
		HOLDS(seed, ui_selector_find(s, t, &m, NULL) == 0);
		bool among = false;
		for (uint32_t k = 0; k < m.count; k++)
			among = among || m.nodes[k] == i;
		HOLDS(seed, among);
		free(m.nodes);
		ui_selector_free(s);
	}
}

static void promotion_stays(uint64_t seed, const struct ui_tree *t)
{
	const enum ui_pick picks[] = { UI_PICK_TOUCH, UI_PICK_TEXT_INPUT, UI_PICK_READ };
	for (uint32_t i = 0; i < t->count; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(picks); k++) {
			uint32_t to = ui_target_promote(t, i, picks[k]);
			HOLDS(seed, to < t->count);
			HOLDS(seed, to == i || ui_is_ancestor(t, to, i) || ui_is_ancestor(t, i, to));
			HOLDS(seed, picks[k] != UI_PICK_TEXT_INPUT || ui_target_promote(t, to, picks[k]) == to);
		}
	}
}

typedef void property(uint64_t seed, const struct ui_tree *t);

static void for_every_tree(property *p)
{
	const char *only = getenv("DEFT_TEST_SEED");
	int64_t seed = 0;
	bool one = only && number_parse_int(only, &seed);
	for (uint64_t s = one ? (uint64_t)seed : 1; s <= (one ? (uint64_t)seed : ROUNDS); s++) {
		auto_tree struct ui_tree t = { 0 };
		random_tree(s, &t);
		p(s, &t);
	}
}

static void json_round_trip_test(void **state)
{
	(void)state;
	for_every_tree(json_round_trip);
}

static void views_are_consistent_test(void **state)
{
	(void)state;
	for_every_tree(views_are_consistent);
}

static void selectors_lead_back_test(void **state)
{
	(void)state;
	for_every_tree(selectors_lead_back);
}

static void promotion_stays_test(void **state)
{
	(void)state;
	for_every_tree(promotion_stays);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_round_trip_test),
		cmocka_unit_test(views_are_consistent_test),
		cmocka_unit_test(selectors_lead_back_test),
		cmocka_unit_test(promotion_stays_test),
	};
	return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
