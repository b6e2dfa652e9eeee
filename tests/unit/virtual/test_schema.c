/* The published schema and the checker say the same: properties, kinds, actions, faults. */
#include "test.h"

#include "backend/virtual/fault.h"
#include "backend/virtual/kinds.h"
#include "backend/virtual/scene.h"
#include "backend/virtual/scene_check.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"

static json_t *schema;

static int load(void **state)
{
	(void)state;
	auto_buf struct buf text;
	buf_init(&text, 1 << 20);
	if (fs_read(DEFT_SCENES_DIR "/../scene.schema.json", 1 << 20, &text, NULL) < 0)
		return -1;
	schema = jx_parse(text.data, text.len, NULL);
	return schema ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	json_decref(schema);
	return 0;
}

static const json_t *definition(const char *name)
{
	const json_t *defs = json_object_get(schema, "$defs");
	const json_t *found = strcmp(name, "scene") == 0 ? schema
	                      : strcmp(name, "app") == 0
	                          ? json_object_get(json_object_get(schema, "properties"), "app")
	                          : json_object_get(defs, name);
	if (!found)
		fail_msg("the schema does not define %s", name);
	return found;
}

static void same_properties(const char *object, const char *(*key)(const char *, size_t))
{
	const json_t *d = definition(object), *properties = json_object_get(d, "properties");
	size_t n = 0;
	if (!json_is_false(json_object_get(d, "additionalProperties")))
		fail_msg("%s is not closed", object);
	for (const char *k; (k = key(object, n)); n++)
		if (!json_object_get(properties, k))
			fail_msg("%s: \"%s\" is accepted and not in the schema", object, k);
	if (json_object_size(properties) != n)
		fail_msg("%s: the schema has %zu properties, the checker %zu", object,
		         json_object_size(properties), n);
}

static void properties_are_the_same(void **state)
{
	(void)state;
	static const char *const objects[] = { "scene",   "app",    "screen", "widget",
		                                   "control", "action", "button", "rule" };
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		same_properties(objects[i], vd_scene_key);
}

static const char *fault_key(const char *object, size_t i)
{
	(void)object;
	return vd_fault_keys[i];
}

static bool lists(const json_t *words, const char *word)
{
	size_t i;
	json_t *w;
	json_array_foreach(words, i, w) if (strcmp(json_string_value(w), word) == 0) return true;
	return false;
}

static const json_t *words_of(const char *object, const char *key)
{
	const json_t *properties = json_object_get(definition(object), "properties");
	return json_object_get(json_object_get(properties, key), "enum");
}

static void faults_are_the_same(void **state)
{
	(void)state;
	same_properties("fault", fault_key);
	assert_int_equal(json_array_size(words_of("fault", "fault")), VD_FAULT_COUNT);
	for (int i = 0; i < VD_FAULT_COUNT; i++)
		assert_true(lists(words_of("fault", "fault"), vd_fault_info((enum vd_fault_kind)i)->word));
}

static void kinds_are_the_same(void **state)
{
	(void)state;
	size_t n = 0;
	for (int i = 0; i < VD_KIND_COUNT; i++) {
		const char *word = vd_kind_info((enum vd_kind)i)->word;
		bool public_one = vd_kind_is_public((enum vd_kind)i);
		n += public_one;
		if (lists(words_of("widget", "type"), word) != public_one)
			fail_msg("%s: schema and device disagree", word);
	}
	assert_int_equal(json_array_size(words_of("widget", "type")), n);
}

static void actions_are_the_same(void **state)
{
	(void)state;
	assert_int_equal(json_array_size(words_of("action", "do")), vd_n_actions);
	for (size_t i = 0; i < vd_n_actions; i++) {
		assert_true(lists(words_of("action", "do"), vd_actions[i].verb));
		for (size_t k = 0; k < ARRAY_SIZE(vd_actions[i].keys) && vd_actions[i].keys[k]; k++) {
			const char *key = vd_actions[i].keys[k] + (vd_actions[i].keys[k][0] == '!');
			size_t at = 0;
			while (vd_scene_key("action", at) && strcmp(vd_scene_key("action", at), key) != 0)
				at++;
			if (!vd_scene_key("action", at))
				fail_msg("%s takes %s, which no action may have", vd_actions[i].verb, key);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(properties_are_the_same),
		cmocka_unit_test(faults_are_the_same),
		cmocka_unit_test(kinds_are_the_same),
		cmocka_unit_test(actions_are_the_same),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
