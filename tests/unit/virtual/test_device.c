/* The virtual device as a user meets it: presses, text, scrolling, dialogs, time, and the habits of the
 * bundled controls. */
#include "test.h"

#include "backend/virtual/device.h"
#include "backend/virtual/tree.h"
#include "base/cleanup.h"
#include "ui/fingerprint.h"

#include <math.h>
#include <stdio.h>

static struct vd_device dev;

static int open_demo(void **state)
{
	(void)state;
	auto_error struct error e = ERROR_INIT;
	struct vd_scene *s = NULL;
	vd_device_init(&dev, vd_flavour(VD_ANDROID));
	if (vd_scene_load(DEFT_SCENES_DIR "/demo.json", &s, &e) < 0)
		return -1;
	return vd_device_open(&dev, s, &e);
}

static int close_demo(void **state)
{
	(void)state;
	vd_device_done(&dev);
	return 0;
}

static struct vd_widget *by_id(const char *id)
{
	struct vd_widget *w = vd_device_by_id(&dev, id);
	if (!w)
		fail_msg("no widget %s", id);
	return w;
}

static void press(const char *id)
{
	double x, y;
	ui_rect_center(by_id(id)->rect, &x, &y);
	vd_press(&dev, x, y, 1, 0);
}

static void go(const char *screen)
{
	vd_navigate(&dev, screen);
	vd_device_layout(&dev);
}

static void test_press_navigates_and_back_returns(void **state)
{
	(void)state;
	press("go-form");
	assert_int_equal(dev.n_stack, 2);
	assert_non_null(vd_device_by_id(&dev, "email"));
	press("back");
	assert_int_equal(dev.n_stack, 1);
	assert_null(vd_device_by_id(&dev, "email"));
}

static void test_form_validates(void **state)
{
	(void)state;
	go("form");
	press("submit");
	assert_true(by_id("form-error")->shown);
	assert_string_equal(by_id("email")->error, "E-mail is not valid");
	vd_enter_text(&dev, by_id("name"), "Ada", true);
	vd_enter_text(&dev, by_id("email"), "ada@example.org", true);
	vd_enter_text(&dev, by_id("password"), "longenough", true);
	press("submit");
	assert_false(by_id("form-error")->shown);
	assert_string_equal(by_id("form-result")->text, "Thank you, Ada");
}

static void test_what_is_wrong_is_told(void **state)
{
	(void)state;
	go("form");
	press("submit");
	struct ui_tree tree;
	bool told = false;
	assert_int_equal(vd_tree_make(&dev, &tree, NULL), 0);
	for (uint32_t i = 0; i < tree.count; i++) {
		const struct ui_node *n = &tree.nodes[i];
		told |= n->identifier && strcmp(n->identifier, "email") == 0 && n->description &&
		        strcmp(n->description, "E-mail is not valid") == 0;
	}
	assert_true(told);
	ui_tree_done(&tree);
}

static void test_secret_stays_inside(void **state)
{
	(void)state;
	go("form");
	vd_enter_text(&dev, by_id("password"), "hunter2-secret", true);
	struct ui_tree tree;
	assert_int_equal(vd_tree_make(&dev, &tree, NULL), 0);
	for (uint32_t i = 0; i < tree.count; i++) {
		const struct ui_node *n = &tree.nodes[i];
		if (n->identifier && strcmp(n->identifier, "password") == 0) {
			assert_int_equal(n->hidden_count, 14);
			assert_true(n->flags & UI_PASSWORD);
		}
		assert_false(n->value && strstr(n->value, "hunter2"));
		assert_false(n->label && strstr(n->label, "hunter2"));
	}
	ui_tree_done(&tree);
}

static void test_time_moves_by_commands(void **state)
{
	(void)state;
	go("list");
	assert_false(by_id("late")->shown);
	vd_device_advance(&dev, 1499);
	assert_false(by_id("late")->shown);
	vd_device_advance(&dev, 1);
	assert_true(by_id("late")->shown);
}

static void test_alert_takes_all_input(void **state)
{
	(void)state;
	go("dialogs");
	double x, y;
	ui_rect_center(by_id("share")->rect, &x, &y);
	press("ask");
	assert_int_equal(dev.n_overlays, 1);
	vd_press(&dev, x, y, 1, 0); /* where Share lies under the alert */
	assert_int_equal(dev.n_overlays, 1);
	assert_string_equal(by_id("answer")->text, "No answer yet");
	for (struct vd_widget *w = dev.overlays[0]->first; w; w = w->next)
		if (w->label && strcmp(w->label, "Delete") == 0)
			ui_rect_center(w->rect, &x, &y);
	vd_press(&dev, x, y, 1, 0);
	assert_int_equal(dev.n_overlays, 0);
	assert_string_equal(by_id("answer")->text, "Deleted");
}

static void test_keyboard_covers(void **state)
{
	(void)state;
	go("form");
	struct vd_view view;
	vd_view_of(&dev, by_id("submit"), &view);
	assert_false(view.covered);
	press("name");
	assert_non_null(dev.keyboard);
	dev.keyboard->rect.y = by_id("submit")->rect.y;
	vd_view_of(&dev, by_id("submit"), &view);
	assert_true(view.covered);
	vd_back(&dev);
	assert_null(dev.keyboard);
	assert_int_equal(dev.n_stack, 2);
	/* The button on the screen leaves at once, keyboard or not. */
	press("name");
	press("back");
	assert_int_equal(dev.n_stack, 1);
	assert_null(dev.keyboard);
}

static struct vd_scene *scene_of(const char *body)
{
	auto_error struct error e = ERROR_INIT;
	auto_buf struct buf text;
	struct vd_scene *s = NULL;
	buf_init(&text, 1 << 16);
	buf_addf(&text, "{\"scene\":1,\"screens\":[{\"id\":\"a\",\"body\":[%s]}]}", body);
	if (vd_scene_parse(text.data, text.len, "s.json", &s, &e) < 0)
		fail_msg("%s", e.message);
	return s;
}

static void test_a_field_is_never_under_the_keyboard(void **state)
{
	(void)state;
	vd_device_open(
	    &dev, scene_of("{\"type\":\"space\",\"height\":660},{\"type\":\"field\",\"id\":\"low\"}"),
	    NULL);
	struct vd_widget *low = by_id("low");
	assert_true(low->rect.y + low->rect.height > dev.height - dev.flavour->keyboard);
	press("low");
	assert_non_null(dev.keyboard);
	assert_true(low->rect.y + low->rect.height <= dev.keyboard->rect.y);
	/* What was scrolled for the keyboard comes back with its end. */
	vd_back(&dev);
	assert_true(low->rect.y + low->rect.height > dev.height - dev.flavour->keyboard);
}

static void test_activation_goes_past_what_is_scrolled_away(void **state)
{
	(void)state;
	go("list");
	struct vd_widget *row = by_id("row-300");
	assert_true(row->rect.y > dev.height);
	assert_true(vd_activate_widget(&dev, row));
	assert_string_equal(by_id("picked")->text, "A row was picked");
	/* But not past a dialog. */
	go("dialogs");
	struct vd_widget *share = by_id("share");
	press("ask");
	assert_false(vd_activate_widget(&dev, share));
	assert_int_equal(dev.n_overlays, 1);
}

static void test_repetitions_everywhere(void **state)
{
	(void)state;
	vd_device_open(&dev,
	               scene_of("{\"type\":\"button\",\"id\":\"more\",\"on\":{\"press\":[{\"do\":"
	                        "\"append\",\"id\":\"box\","
	                        "\"item\":{\"type\":\"text\",\"id\":\"t-#\",\"repeat\":3}},{\"do\":"
	                        "\"sheet\",\"title\":\"T\","
	                        "\"body\":[{\"type\":\"button\",\"id\":\"b-#\",\"repeat\":2}]}]}},"
	                        "{\"type\":\"column\",\"id\":\"box\"}"),
	               NULL);
	press("more");
	assert_non_null(vd_device_by_id(&dev, "t-2"));
	assert_null(vd_device_by_id(&dev, "t-3"));
	assert_non_null(vd_device_by_id(&dev, "b-1"));
}

static void test_appending_has_an_end(void **state)
{
	(void)state;
	vd_device_open(
	    &dev,
	    scene_of("{\"type\":\"button\",\"id\":\"more\",\"on\":{\"press\":[{\"do\":\"append\","
	             "\"id\":\"box\",\"item\":{\"type\":\"text\",\"repeat\":20000}}]}},"
	             "{\"type\":\"column\",\"id\":\"box\"}"),
	    NULL);
	for (int i = 0; i < 6; i++)
		press("more");
	unsigned n = 0;
	for (struct vd_widget *w = by_id("box")->first; w; w = w->next)
		n++;
	assert_int_equal(n, 60000); /* the third time it was below the limit for the last time */
}

static void test_dialogs_speak_of_fields(void **state)
{
	(void)state;
	vd_device_open(
	    &dev,
	    scene_of("{\"type\":\"field\",\"id\":\"n\",\"text\":\"Ada\"},{\"type\":\"button\",\"id\":"
	             "\"b\",\"on\":{\"press\":[{\"do\":\"alert\",\"title\":\"Hello {n}\",\"text\":"
	             "\"{nobody}\"}]}}"),
	    NULL);
	press("b");
	assert_string_equal(dev.overlays[0]->label, "Hello Ada");
	assert_string_equal(dev.overlays[0]->first->label, "Hello Ada");
	assert_string_equal(dev.overlays[0]->first->next->label, "{nobody}");
}

static void test_a_control_offers_what_it_has(void **state)
{
	(void)state;
	go("controls");
	const struct vd_widget *volume = by_id("volume"), *seek = by_id("seek");
	assert_true(vd_control_offers(volume, VD_BY_VALUE));
	assert_false(vd_control_offers(volume, VD_BY_STEP));
	/* What had only coordinates has no more than them. */
	assert_false(vd_control_offers(seek, VD_BY_VALUE));
	assert_false(vd_control_offers(seek, VD_BY_STEP));
	assert_true(vd_control_offers(seek, VD_BY_POINT));
}

static void test_scroll_stops_at_the_ends(void **state)
{
	(void)state;
	go("list");
	struct vd_widget *rows = by_id("rows");
	assert_false(vd_scroll(&dev, rows, -50));
	assert_true(vd_scroll(&dev, rows, 1e9));
	assert_true(fabs(rows->offset - (rows->content - rows->rect.height)) < 1e-9);
	assert_false(vd_scroll(&dev, rows, 1));
	/* The sticky header lies on top of the row that has scrolled under it. */
	struct vd_widget *hit = vd_hit(&dev, rows->rect.x + 20, rows->rect.y + 5);
	assert_int_equal(hit->kind, VD_HEADER);
}

static void test_choices(void **state)
{
	(void)state;
	go("controls");
	vd_choose(&dev, by_id("size"), 2);
	assert_int_equal(by_id("size")->chosen, 2);
	vd_open_popup(&dev, by_id("colour"));
	vd_device_layout(&dev);
	double x, y;
	ui_rect_center(dev.overlays[0]->first->next->rect, &x, &y);
	vd_press(&dev, x, y, 1, 0);
	assert_int_equal(dev.n_overlays, 0);
	assert_int_equal(by_id("colour")->chosen, 1);
}

struct habit {
	const char *id;
	enum vd_by by;
	double ask, becomes;
	bool offered;
};

static const struct habit habits[] = {
	{ "volume", VD_BY_VALUE, 0.65, 0.65, true },
	{ "volume", VD_BY_STEP, 0.3, 0.2, false },
	{ "brightness", VD_BY_VALUE, 63, 65, true },
	{ "brightness", VD_BY_VALUE, 500, 100, true },
	{ "quantity", VD_BY_VALUE, 3, 0, false },
	{ "quantity", VD_BY_STEP, 1, 1, true },
	{ "rating", VD_BY_VALUE, 3.3, 3.5, true },
	{ "seek", VD_BY_VALUE, 150, 30, false },
	{ "seek", VD_BY_POINT, 150, 150, true },
	{ "temperature", VD_BY_VALUE, -18.7, -18.5, true },
	{ "locked", VD_BY_VALUE, 70, 50, false },
	{ "looks-adjustable", VD_BY_VALUE, 5, 3, false },
	{ "looks-adjustable", VD_BY_POINT, 5, 3, false },
	{ "stuck", VD_BY_VALUE, 60, 10, true },
	{ "sluggish", VD_BY_VALUE, 60, 10, true },
	{ "slips", VD_BY_VALUE, 50, 60, true },
	{ "percent", VD_BY_VALUE, 80, 80, true },
};

static void test_habits_of_the_controls(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(habits); i++) {
		const struct habit *h = &habits[i];
		vd_device_open(&dev, NULL, NULL);
		go("controls");
		struct vd_widget *w = by_id(h->id);
		bool offered = vd_control_ask(&dev, w, h->ask, h->by);
		if (offered != h->offered || fabs(w->control->value - h->becomes) > 1e-12)
			fail_msg("%s: offered %d, value %g, expected %d, %g", h->id, offered, w->control->value,
			         h->offered, h->becomes);
	}
}

static void test_sluggish_arrives_later(void **state)
{
	(void)state;
	go("controls");
	vd_control_ask(&dev, by_id("sluggish"), 60, VD_BY_VALUE);
	vd_device_advance(&dev, 600);
	assert_true(by_id("sluggish")->control->value == 10);
	vd_device_advance(&dev, 100);
	assert_true(by_id("sluggish")->control->value == 60);
}

static void test_vanishing_and_losing(void **state)
{
	(void)state;
	go("controls");
	vd_control_ask(&dev, by_id("vanishing"), 60, VD_BY_VALUE);
	assert_false(by_id("vanishing")->shown);
	struct vd_widget *w = by_id("loses-direct");
	assert_true(vd_control_offers(w, VD_BY_VALUE));
	vd_control_ask(&dev, w, 6, VD_BY_VALUE);
	assert_true(w->control->value == 4);
	assert_false(vd_control_offers(w, VD_BY_VALUE));
	assert_true(vd_control_offers(w, VD_BY_STEP));
}

static void value_text(const char *id, char out[64])
{
	auto_buf struct buf b;
	buf_init(&b, 63);
	vd_control_text(by_id(id), &b);
	memcpy(out, b.data, b.len + 1);
}

static void test_value_texts(void **state)
{
	(void)state;
	go("controls");
	char text[64];
	value_text("localized", text);
	assert_string_equal(text, "halb voll");
	value_text("comma", text);
	assert_string_equal(text, "0,65");
	value_text("percent", text);
	assert_string_equal(text, "50 %");
	value_text("of-five", text);
	assert_string_equal(text, "3 of 5");
}

static void test_points_on_the_track(void **state)
{
	(void)state;
	go("controls");
	struct vd_widget *seek = by_id("seek"), *rtl = by_id("seek-rtl"), *up = by_id("vertical");
	double x = seek->rect.x + seek->rect.width * 0.25;
	assert_true(fabs(vd_control_at(seek, x, 0) - 75) < 1e-9);
	assert_true(fabs(vd_control_at(rtl, x, 0) - 225) < 1e-9);
	assert_true(fabs(vd_control_at(up, 0, up->rect.y + up->rect.height * 0.25) - 7.5) < 1e-9);
}

/* --- properties ------------------------------------------------------------------------------------ */

static uint64_t random_state;

static uint32_t rnd(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state % below);
}

static const char *const screens[] = {
	"home", "controls", "form", "list", "dialogs", "slow", "web"
};

static void random_step(void)
{
	struct vd_widget *screen = vd_device_screen(&dev);
	double x = rnd((uint32_t)dev.width), y = rnd((uint32_t)dev.height);
	switch (rnd(8)) {
	case 0: vd_device_advance(&dev, rnd(2000)); break;
	case 1: vd_drag(&dev, x, y, x, rnd((uint32_t)dev.height), 200); break;
	case 2: vd_rotate(&dev, rnd(2)); break;
	case 3: vd_key(&dev, "tab"); break;
	case 4:
		if (rnd(4) == 0 && screen)
			vd_navigate(&dev, screens[rnd(ARRAY_SIZE(screens))]);
		break;
	default: vd_press(&dev, x, y, 1 + (int)rnd(2), rnd(2) ? 600 : 0);
	}
	if (!vd_device_screen(&dev))
		dev.in_front = true;
	vd_device_layout(&dev);
	vd_device_sweep(&dev);
}

/* What the tree calls hittable is what a press at its middle reaches: the widget itself or a part of
 * it, and never something else. */
static void check_tree_and_hit_test(uint64_t seed, int step)
{
	struct ui_tree tree;
	assert_int_equal(vd_tree_make(&dev, &tree, NULL), 0);
	for (uint32_t i = 0; i < tree.count; i++) {
		const struct ui_node *n = &tree.nodes[i];
		if (!ui_has(n, UI_HITTABLE))
			continue;
		struct vd_widget *w = vd_device_find(&dev, (uint32_t)strtoul(n->handle + 1, NULL, 10));
		struct vd_view view;
		vd_view_of(&dev, w, &view);
		assert_false(view.clipped_away || view.covered);
		double x, y;
		ui_rect_center(view.clip, &x, &y);
		const struct vd_widget *hit = vd_hit(&dev, x, y), *p = hit;
		while (p && p != w)
			p = p->parent;
		if (!p)
			fail_msg("seed %llu step %d: %s (%s) is said to be hittable at %g,%g, %s is hit",
			         (unsigned long long)seed, step, n->handle, n->label ? n->label : "", x, y,
			         hit && hit->label ? hit->label : "nothing");
	}
	ui_tree_done(&tree);
}

static uint64_t random_run(uint64_t seed, int steps, bool check)
{
	random_state = seed * 0x9E3779B97F4A7C15u + 1;
	vd_device_open(&dev, NULL, NULL);
	uint64_t all = 0;
	for (int i = 0; i < steps; i++) {
		random_step();
		if (check)
			check_tree_and_hit_test(seed, i);
		struct ui_tree tree;
		if (vd_tree_make(&dev, &tree, NULL) == 0) {
			all = all * 31 + ui_fingerprint(&tree, true);
			ui_tree_done(&tree);
		}
	}
	return all;
}

static void test_random_runs_hold_the_invariants(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++)
		random_run(seed, 60, true);
}

static void test_same_seed_same_run(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		uint64_t runs[2];
		for (int i = 0; i < 2; i++) {
			vd_device_done(&dev);
			assert_int_equal(open_demo(NULL), 0);
			runs[i] = random_run(seed, 80, false);
		}
		assert_true(runs[0] == runs[1]);
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, open_demo, close_demo)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_press_navigates_and_back_returns),
		CASE(test_form_validates),
		CASE(test_what_is_wrong_is_told),
		CASE(test_secret_stays_inside),
		CASE(test_time_moves_by_commands),
		CASE(test_alert_takes_all_input),
		CASE(test_keyboard_covers),
		CASE(test_a_field_is_never_under_the_keyboard),
		CASE(test_activation_goes_past_what_is_scrolled_away),
		CASE(test_repetitions_everywhere),
		CASE(test_appending_has_an_end),
		CASE(test_dialogs_speak_of_fields),
		CASE(test_a_control_offers_what_it_has),
		CASE(test_scroll_stops_at_the_ends),
		CASE(test_choices),
		CASE(test_habits_of_the_controls),
		CASE(test_sluggish_arrives_later),
		CASE(test_vanishing_and_losing),
		CASE(test_value_texts),
		CASE(test_points_on_the_track),
		CASE(test_random_runs_hold_the_invariants),
		CASE(test_same_seed_same_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
