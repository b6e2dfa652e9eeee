/* Single elements: found again or stale, values, texts, actions, focus, place. */
#include "atspi_fixture.h"

#include "backend/atspi/bus.h"

#include <string.h>
#include <unistd.h>

#define SLIDER(i, title, more_states, quirk, lo, hi, by, now)                                     \
	{                                                                                             \
		.id = i, .parent = "1", .role = 51, .name = title, .states = (more_states),               \
		.quirks = (quirk), .ifaces = "Component Value", .rect = { 110, 110, 200, 20 }, .min = lo, \
		.max = hi, .step = by, .value = now                                                       \
	}
#define FIELD(i, number, title, more_states, quirk, content)                                       \
	{                                                                                              \
		.id = i, .parent = "1", .role = number, .name = title, .states = (more_states),            \
		.quirks = (quirk), .ifaces = "Component Text EditableText", .rect = { 110, 140, 200, 20 }, \
		.text = content                                                                            \
	}

static const struct stub_node table[] = {
	{ .id = "1",
	  .role = 23,
	  .name = "Main",
	  .states = STUB_SHOWN | S(ACTIVE),
	  .ifaces = "Component",
	  .rect = { 100, 100, 400, 300 } },
	{ .id = "2",
	  .parent = "1",
	  .role = 43,
	  .name = "Save",
	  .states = STUB_SHOWN | S(FOCUSABLE),
	  .ifaces = "Component Action",
	  .rect = { 110, 110, 80, 30 },
	  .actions = "clipboard.copy menu.popup toggle click" },
	SLIDER("3", "Volume", STUB_SHOWN, 0, 1, 100, 1, 40),
	SLIDER("4", "Whole", STUB_SHOWN, STUB_WHOLE, 0, 100, 1, 10),
	SLIDER("5", "Stuck", STUB_SHOWN, STUB_STUCK, 0, 100, 1, 10),
	SLIDER("6", "Late", STUB_SHOWN, STUB_LATE, 0, 100, 0, 10),
	SLIDER("7", "Disabled", S(VISIBLE) | S(SHOWING), 0, 0, 100, 1, 10),
	SLIDER("8", "Stepless", STUB_SHOWN, 0, 0, 1, 0, 0.5),
	{ .id = "9",
	  .parent = "1",
	  .role = 42,
	  .name = "Progress",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Value",
	  .rect = { 320, 250, 90, 20 },
	  .max = 1,
	  .value = 0.5 },
	{ .id = "10",
	  .parent = "1",
	  .role = 103,
	  .name = "Level",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Value",
	  .rect = { 320, 250, 90, 20 },
	  .max = 1,
	  .value = 0.5 },
	{ .id = "11",
	  .parent = "1",
	  .role = 51,
	  .name = "Dialled",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Value Action",
	  .rect = { 320, 270, 90, 20 },
	  .actions = "SetFocus Increase Decrease",
	  .max = 20,
	  .step = 1,
	  .value = 19 },
	FIELD("12", 61, "User", STUB_SHOWN | S(EDITABLE), 0, "Jörg"),
	FIELD("13", 40, "Secret", STUB_SHOWN | S(EDITABLE), 0, "alt"),
	FIELD("14", 61, "Fixed", STUB_SHOWN | S(FOCUSABLE), 0, "fest"),
	FIELD("15", 61, "Deaf", STUB_SHOWN | S(EDITABLE), STUB_STUCK, "alt"),
	{ .id = "16",
	  .parent = "1",
	  .role = 52,
	  .name = "Count",
	  .states = STUB_SHOWN | S(EDITABLE),
	  .ifaces = "Component Value Text EditableText",
	  .rect = { 320, 290, 90, 20 },
	  .min = 1,
	  .max = 9,
	  .step = 1,
	  .value = 3,
	  .text = "3" },
	{ .id = "17",
	  .parent = "1",
	  .role = 38,
	  .name = "Tabs",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Selection",
	  .rect = { 110, 170, 200, 20 } },
	{ .id = "18",
	  .parent = "17",
	  .role = 37,
	  .name = "Tab A",
	  .states = STUB_SHOWN | S(SELECTABLE),
	  .ifaces = "Component",
	  .rect = { 110, 170, 50, 20 } },
	{ .id = "19",
	  .parent = "17",
	  .role = 37,
	  .name = "Tab B",
	  .states = STUB_SHOWN | S(SELECTABLE),
	  .ifaces = "Component",
	  .rect = { 160, 170, 50, 20 } },
	{ .id = "20",
	  .parent = "1",
	  .role = 43,
	  .name = "Plain",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .rect = { 110, 200, 80, 30 } },
	{ .id = "21",
	  .parent = "1",
	  .role = 43,
	  .name = "Qt",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Action",
	  .actions = "SetFocus Press",
	  .rect = { 110, 230, 80, 30 } },
	{ .id = "22",
	  .parent = "1",
	  .role = 49,
	  .name = "Pane",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .rect = { 300, 100, 100, 100 } },
	{ .id = "23",
	  .parent = "22",
	  .role = 43,
	  .name = "Half",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Action",
	  .actions = "click",
	  .rect = { 310, 180, 40, 40 } },
	{ .id = "24",
	  .parent = "22",
	  .role = 43,
	  .name = "Below",
	  .states = S(VISIBLE) | S(SENSITIVE),
	  .ifaces = "Component Action",
	  .actions = "click",
	  .rect = { 310, 280, 40, 40 } },
};

static char *start(struct fx *f, const char *label)
{
	fx_program(f, table, "gtk", STUB_CACHE_NEW);
	return fx_handle(f, label);
}

/* --- found again ------------------------------------------------------------------------------ */

static void test_found_again(void **state)
{
	struct fx *f = *state;
	struct atspi_node n;
	auto_free char *handle = start(f, "Save");

	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), 0);
	assert_string_equal(n.label, "Save");
	assert_int_equal(n.ui_role, UI_BUTTON);
	assert_int_equal(n.index, 0);
	/* A new name is the same element. */
	stub_app_set_name(f->app, "2", "Saved");
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), 0);
	assert_string_equal(n.label, "Saved");
}

static void test_gone_is_stale(void **state)
{
	struct fx *f = *state;
	const char *name;
	auto_free char *handle = start(f, "Save");

	stub_app_remove(f->app, "2");
	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, NULL, &name, &f->e),
	                 -ERR_ELEMENT_STALE);
	assert_string_equal(fx_reason(f), "object_gone");
	assert_int_equal(stub_app_seen(f->app).actions, 0);
}

static void test_another_element_on_the_path_is_stale(void **state)
{
	struct fx *f = *state;
	const char *name;
	auto_free char *handle = start(f, "Save");

	stub_app_set_role(f->app, "2", 44);
	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, NULL, &name, &f->e),
	                 -ERR_ELEMENT_STALE);
	assert_string_equal(fx_reason(f), "another_element");
	assert_int_equal(stub_app_seen(f->app).actions, 0);
}

static void test_another_parent_is_stale(void **state)
{
	struct fx *f = *state;
	struct atspi_node n;
	struct atspi_handle h;
	auto_buf struct buf other;

	buf_init(&other, 512);
	fx_program(f, table, "Qt", STUB_CACHE_EMPTY_OLD);
	auto_free char *handle = fx_handle(f, "Save");
	assert_int_equal(atspi_handle_parse(handle, &h, NULL), 0);
	h.parent_hash++;
	atspi_handle_format(&h, &other);
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), other.data, &n, &f->e),
	                 -ERR_ELEMENT_STALE);
	assert_string_equal(fx_reason(f), "another_element");
}

static void test_another_bus_is_stale(void **state)
{
	struct fx *f = *state;
	struct atspi_node n;
	auto_free char *handle = start(f, "Save");

	handle[2] = handle[2] == '0' ? '1' : '0';
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), -ERR_ELEMENT_STALE);
	assert_string_equal(fx_reason(f), "another_bus");
}

static void test_ended_program_is_stale(void **state)
{
	struct fx *f = *state;
	struct atspi_node n;
	auto_free char *handle = start(f, "Save");

	stub_app_stop(f->app);
	f->app = NULL;
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), -ERR_ELEMENT_STALE);
	/* And stays so: nothing of the dead program is remembered. */
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), -ERR_ELEMENT_STALE);
	assert_string_equal(fx_reason(f), "program_gone");
}

static void test_frozen_program_is_named(void **state)
{
	struct fx *f = *state;
	struct atspi_node n;
	auto_free char *handle = start(f, "Save");

	stub_app_freeze(f->app, true);
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e),
	                 -ERR_APP_NOT_RESPONDING);
	stub_app_freeze(f->app, false);
}

/* --- values ----------------------------------------------------------------------------------- */

static void test_read_control(void **state)
{
	struct fx *f = *state;
	struct rb_control k;
	auto_free char *handle = start(f, "Volume");

	assert_int_equal(atspi_control_read(&f->atspi, fx_call(), handle, &k, &f->e), 0);
	assert_true(k.has_value && k.has_range && k.can_set && k.can_increment && k.can_decrement);
	assert_true(k.value == 40 && k.min == 1 && k.max == 100 && k.step == 1);
	assert_true(k.has_rect && k.rect.width == 200 && !k.vertical);
}

static void test_set_sends_a_variant(void **state)
{
	struct fx *f = *state;
	struct stub_seen seen;
	auto_free char *handle = start(f, "Volume");

	assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 65, &f->e), 0);
	assert_true(stub_app_value(f->app, "3") == 65);
	seen = stub_app_seen(f->app);
	assert_string_equal(seen.set_signature, "ssv");
	assert_string_equal(seen.set_type, "d");
	assert_int_equal(seen.sets, 1);
}

static void test_out_of_range_is_not_sent(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Volume");

	assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 150, &f->e),
	                 -ERR_INVALID_ARGS);
	assert_string_equal(fx_reason(f), "out_of_range");
	assert_true(json_number_value(json_object_get(f->e.details, "max")) == 100);
	assert_int_equal(stub_app_seen(f->app).sets, 0);
	assert_true(stub_app_value(f->app, "3") == 40);
}

static void test_whole_numbers_are_within_half_a_step(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Whole");

	assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 39.6, &f->e), 0);
	assert_true(stub_app_value(f->app, "4") == 40);
}

static void test_value_that_does_not_take(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Stuck");

	assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 50, &f->e),
	                 -ERR_CONTROL_CONVERGENCE_FAILED);
	assert_true(json_number_value(json_object_get(f->e.details, "requested")) == 50);
	assert_true(json_number_value(json_object_get(f->e.details, "actual")) == 10);
}

static void test_value_that_shows_later(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Late");

	assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 50, &f->e), 0);
	assert_int_equal(stub_app_seen(f->app).sets, 1);
}

static void test_disabled_control_is_left_alone(void **state)
{
	struct fx *f = *state;
	struct rb_control k;
	auto_free char *handle = start(f, "Disabled");

	assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 50, &f->e),
	                 -ERR_ELEMENT_DISABLED);
	assert_int_equal(stub_app_seen(f->app).sets, 0);
	assert_int_equal(atspi_control_read(&f->atspi, fx_call(), handle, &k, NULL), 0);
	assert_false(k.can_set);
}

static void test_indicators_take_no_value(void **state)
{
	static const char *const labels[] = { "Progress", "Level" };
	struct fx *f = *state;

	fx_program(f, table, "gtk", STUB_CACHE_NEW);
	for (size_t i = 0; i < 2; i++) {
		auto_free char *handle = fx_handle(f, labels[i]);

		assert_int_equal(atspi_control_set(&f->atspi, fx_call(), handle, 0.7, &f->e),
		                 -ERR_ELEMENT_NOT_INTERACTABLE);
		assert_string_equal(fx_reason(f), "read_only");
	}
	assert_int_equal(stub_app_seen(f->app).sets, 0);
}

static void test_step_by_increment(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Volume");

	assert_int_equal(atspi_control_step(&f->atspi, fx_call(), handle, 1, &f->e), 0);
	assert_int_equal(atspi_control_step(&f->atspi, fx_call(), handle, -1, &f->e), 0);
	assert_int_equal(atspi_control_step(&f->atspi, fx_call(), handle, -1, &f->e), 0);
	assert_true(stub_app_value(f->app, "3") == 39);
}

static void test_step_by_action_and_its_end(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Dialled");

	assert_int_equal(atspi_control_step(&f->atspi, fx_call(), handle, 1, &f->e), 0);
	assert_string_equal(stub_app_seen(f->app).action, "11/Increase");
	assert_int_equal(atspi_control_step(&f->atspi, fx_call(), handle, 1, &f->e),
	                 -ERR_ELEMENT_NOT_INTERACTABLE);
	assert_string_equal(fx_reason(f), "at_limit");
	assert_int_equal(stub_app_seen(f->app).actions, 1);
}

static void test_no_step_is_said(void **state)
{
	struct fx *f = *state;
	struct rb_control k;
	auto_free char *handle = start(f, "Stepless");

	assert_int_equal(atspi_control_read(&f->atspi, fx_call(), handle, &k, &f->e), 0);
	assert_true(k.step == 0 && k.can_set && !k.can_increment);
	assert_int_equal(atspi_control_step(&f->atspi, fx_call(), handle, 1, &f->e),
	                 -ERR_ELEMENT_NOT_INTERACTABLE);
	assert_string_equal(fx_reason(f), "no_step");
}

/* --- texts ------------------------------------------------------------------------------------ */

static int set_text(struct fx *f, const char *handle, const char *text, bool *verified,
                    struct buf *out)
{
	struct atspi_node n;
	int r = atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e);

	return r < 0 ? r : atspi_set_text(&f->atspi, fx_call(), &n, text, verified, out, &f->e);
}

static int insert_text(struct fx *f, const char *handle, const char *text, bool *verified)
{
	struct atspi_node n;
	int r = atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e);

	return r < 0 ? r : atspi_insert_text(&f->atspi, fx_call(), &n, text, verified, NULL, &f->e);
}

static void test_set_text_reads_back(void **state)
{
	struct fx *f = *state;
	bool verified = false;
	auto_buf struct buf out;
	auto_free char *handle = start(f, "User");

	buf_init(&out, 4096);
	assert_int_equal(set_text(f, handle, "Günther 你好", &verified, &out), 0);
	assert_true(verified);
	assert_string_equal(out.data, "Günther 你好");
	buf_reset(&out);
	assert_int_equal(atspi_read_text(&f->atspi, fx_call(), handle, &out, &f->e), 0);
	assert_string_equal(out.data, "Günther 你好");
	/* Empties too. */
	assert_int_equal(set_text(f, handle, "", &verified, NULL), 0);
	assert_true(verified);
}

static void test_insert_counts_bytes_and_characters(void **state)
{
	struct fx *f = *state;
	struct stub_seen seen;
	bool verified = false;
	char text[64];
	auto_free char *handle = start(f, "User");

	assert_int_equal(insert_text(f, handle, "ß你", &verified), 0);
	assert_true(verified);
	seen = stub_app_seen(f->app);
	assert_int_equal(seen.insert_at, 4);
	assert_int_equal(seen.insert_bytes, 5);
	/* A second piece follows the first one, at the caret when the field has the focus. */
	stub_app_set_states(f->app, "12", STUB_SHOWN | S(EDITABLE) | S(FOCUSED));
	assert_int_equal(insert_text(f, handle, "!", &verified), 0);
	assert_int_equal(stub_app_seen(f->app).insert_at, 6);
	stub_app_set_caret(f->app, "12", 2);
	assert_int_equal(insert_text(f, handle, "-", &verified), 0);
	stub_app_text(f->app, "12", text, sizeof(text));
	assert_string_equal(text, "Jö-rgß你!");
	/* Nobody has placed the caret of a field without the focus. */
	stub_app_set_states(f->app, "12", STUB_SHOWN | S(EDITABLE));
	stub_app_set_caret(f->app, "12", 2);
	assert_int_equal(insert_text(f, handle, "?", &verified), 0);
	stub_app_text(f->app, "12", text, sizeof(text));
	assert_string_equal(text, "Jö-rgß你!?");
}

static void test_text_that_does_not_take(void **state)
{
	struct fx *f = *state;
	bool verified = true;
	auto_buf struct buf out;
	auto_free char *handle = start(f, "Deaf");

	buf_init(&out, 4096);
	assert_int_equal(set_text(f, handle, "neu", &verified, &out), 0);
	assert_false(verified);
	assert_string_equal(out.data, "alt");
}

static void test_password_is_compared_by_length(void **state)
{
	struct fx *f = *state;
	bool verified = false;
	char text[64];
	auto_buf struct buf out;
	auto_free char *handle = start(f, "Secret");

	buf_init(&out, 4096);
	assert_int_equal(set_text(f, handle, "hunter2", &verified, &out), 0);
	assert_true(verified);
	assert_int_equal(out.len, 0);
	assert_int_equal(insert_text(f, handle, "ü", &verified), 0);
	assert_true(verified);
	stub_app_text(f->app, "13", text, sizeof(text));
	assert_string_equal(text, "hunter2ü");
	assert_int_equal(atspi_read_text(&f->atspi, fx_call(), handle, &out, &f->e),
	                 -ERR_UNSUPPORTED_OPERATION);
	assert_string_equal(fx_reason(f), "secret");
	assert_int_equal(out.len, 0);
}

static void test_read_only_field(void **state)
{
	struct fx *f = *state;
	bool verified = false;
	auto_free char *handle = start(f, "Fixed");

	assert_int_equal(set_text(f, handle, "neu", &verified, NULL), -ERR_ELEMENT_NOT_INTERACTABLE);
	assert_string_equal(fx_reason(f), "read_only");
}

static void test_no_editable_text(void **state)
{
	struct fx *f = *state;
	bool verified = false;
	auto_free char *handle = start(f, "Save");

	assert_int_equal(set_text(f, handle, "neu", &verified, NULL), -ERR_UNSUPPORTED_OPERATION);
	assert_string_equal(fx_reason(f), "no_editable_text");
}

static void test_spin_button_takes_numbers(void **state)
{
	struct fx *f = *state;
	bool verified = false;
	auto_free char *handle = start(f, "Count");

	assert_int_equal(set_text(f, handle, "4", &verified, NULL), 0);
	assert_true(verified);
	assert_true(stub_app_value(f->app, "16") == 4);
	assert_int_equal(set_text(f, handle, "four", &verified, NULL), -ERR_INVALID_ARGS);
	assert_string_equal(fx_reason(f), "not_a_number");
	assert_int_equal(stub_app_seen(f->app).sets, 1);
}

/* --- actions, selection, focus ---------------------------------------------------------------- */

static void test_press_takes_the_best_verb(void **state)
{
	struct fx *f = *state;
	const char *name = NULL;
	auto_free char *handle = start(f, "Save");

	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, NULL, &name, &f->e), 0);
	assert_string_equal(name, "click");
	assert_string_equal(stub_app_seen(f->app).action, "2/click");
	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, "menu.popup", &name, &f->e), 0);
	assert_string_equal(name, "menu.popup");
	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, "explode", &name, &f->e),
	                 -ERR_ELEMENT_NOT_INTERACTABLE);
	assert_int_equal(json_array_size(json_object_get(f->e.details, "actions")), 4);
	assert_int_equal(stub_app_seen(f->app).actions, 2);
}

static void test_items_are_selected(void **state)
{
	struct fx *f = *state;
	const char *name = NULL;
	auto_free char *handle = start(f, "Tab B");

	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, NULL, &name, &f->e), 0);
	assert_string_equal(name, "select");
	assert_string_equal(stub_app_seen(f->app).selected, "17/1");
}

static void test_nothing_to_press(void **state)
{
	struct fx *f = *state;
	const char *name = NULL;
	auto_free char *handle = start(f, "Plain");

	assert_int_equal(atspi_do_action(&f->atspi, fx_call(), handle, NULL, &name, &f->e),
	                 -ERR_ELEMENT_NOT_INTERACTABLE);
	assert_null(name);
}

static void test_focus(void **state)
{
	struct fx *f = *state;
	auto_free char *handle = start(f, "Save");
	auto_free char *qt = fx_handle(f, "Qt");
	auto_free char *none = fx_handle(f, "Plain");
	auto_buf struct buf focused;

	buf_init(&focused, 512);
	assert_int_equal(atspi_focused(&f->atspi, fx_call(), stub_app_bus(f->app), &focused, &f->e),
	                 -ERR_ELEMENT_NOT_FOUND);
	assert_int_equal(atspi_grab_focus(&f->atspi, fx_call(), handle, &f->e), 0);
	assert_int_equal(stub_app_seen(f->app).actions, 0);
	assert_int_equal(atspi_focused(&f->atspi, fx_call(), stub_app_bus(f->app), &focused, &f->e), 0);
	assert_string_equal(focused.data, handle);
	assert_int_equal(atspi_grab_focus(&f->atspi, fx_call(), qt, &f->e), 0);
	assert_string_equal(stub_app_seen(f->app).action, "21/SetFocus");
	assert_int_equal(atspi_grab_focus(&f->atspi, fx_call(), none, &f->e),
	                 -ERR_UNSUPPORTED_OPERATION);
}

/* --- place ------------------------------------------------------------------------------------ */

static void test_locate(void **state)
{
	struct fx *f = *state;
	struct rb_located at;
	auto_free char *handle = start(f, "Save");

	assert_int_equal(atspi_locate(&f->atspi, fx_call(), handle, &at, &f->e), 0);
	assert_true(at.has_point && at.x == 150 && at.y == 125);
	assert_true(at.semantic && !at.offscreen && !at.covered);
	assert_true(at.flags & UI_HITTABLE);
	assert_string_equal(at.label, "Save");
	assert_int_equal(at.role, UI_BUTTON);
}

static void test_locate_presses_what_is_to_be_seen(void **state)
{
	struct fx *f = *state;
	struct rb_located at;
	auto_free char *handle = start(f, "Half");

	/* 180…220 in a pane that ends at 200. */
	assert_int_equal(atspi_locate(&f->atspi, fx_call(), handle, &at, &f->e), 0);
	assert_true(at.has_point && at.x == 330 && at.y == 190);
}

static void test_locate_scrolled_out(void **state)
{
	struct fx *f = *state;
	struct rb_located at;
	auto_free char *handle = start(f, "Below");

	assert_int_equal(atspi_locate(&f->atspi, fx_call(), handle, &at, &f->e), 0);
	assert_true(at.offscreen && !at.has_point);
	assert_non_null(at.no_point_reason);
	assert_true(at.flags & UI_VISIBLE);
}

static void test_window_of_an_element(void **state)
{
	struct fx *f = *state;
	char title[64];
	pid_t pid;
	auto_free char *handle = start(f, "Tab A");

	assert_int_equal(
	    atspi_node_window(&f->atspi, fx_call(), handle, &pid, title, sizeof(title), &f->e), 0);
	assert_string_equal(title, "Main");
	assert_int_equal(pid, getpid());
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fx_setup, fx_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_found_again),
		CASE(test_gone_is_stale),
		CASE(test_another_element_on_the_path_is_stale),
		CASE(test_another_parent_is_stale),
		CASE(test_another_bus_is_stale),
		CASE(test_ended_program_is_stale),
		CASE(test_frozen_program_is_named),
		CASE(test_read_control),
		CASE(test_set_sends_a_variant),
		CASE(test_out_of_range_is_not_sent),
		CASE(test_whole_numbers_are_within_half_a_step),
		CASE(test_value_that_does_not_take),
		CASE(test_value_that_shows_later),
		CASE(test_disabled_control_is_left_alone),
		CASE(test_indicators_take_no_value),
		CASE(test_step_by_increment),
		CASE(test_step_by_action_and_its_end),
		CASE(test_no_step_is_said),
		CASE(test_set_text_reads_back),
		CASE(test_insert_counts_bytes_and_characters),
		CASE(test_text_that_does_not_take),
		CASE(test_password_is_compared_by_length),
		CASE(test_read_only_field),
		CASE(test_no_editable_text),
		CASE(test_spin_button_takes_numbers),
		CASE(test_press_takes_the_best_verb),
		CASE(test_items_are_selected),
		CASE(test_nothing_to_press),
		CASE(test_focus),
		CASE(test_locate),
		CASE(test_locate_presses_what_is_to_be_seen),
		CASE(test_locate_scrolled_out),
		CASE(test_window_of_an_element),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
