#include "ui_fixture.h"

#include "base/fs.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FIXTURE_MAX ((size_t)1 << 20)

char *fixture_path(const char *name)
{
	const char *data = getenv("DEFT_TEST_DATA");
	struct buf b;
	buf_init(&b, 4096);
	buf_addf(&b, "%s/ui/%s", data ? data : "tests/data", name);
	return buf_detach(&b);
}

static void from_text(const char *text, size_t len, struct ui_tree *ret)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *j = jx_parse(text, len, &e);
	if (!j || ui_tree_from_json(j, ret, &e) < 0)
		fail_msg("%s", e.message);
}

void fixture_scene(const char *name, struct ui_tree *ret)
{
	auto_error struct error e = ERROR_INIT;
	auto_buf struct buf text, file;
	buf_init(&text, FIXTURE_MAX);
	buf_init(&file, 256);
	buf_addf(&file, "%s.json", name);
	auto_free char *path = fixture_path(file.data);
	if (fs_read(path, FIXTURE_MAX, &text, &e) < 0)
		fail_msg("%s", e.message);
	from_text(text.data, text.len, ret);
}

void fixture_tree(const char *text, struct ui_tree *ret)
{
	auto_free char *copy = strdup(text);
	for (char *p = copy; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	from_text(copy, strlen(copy), ret);
}

void fixture_golden(const char *name, const char *text)
{
	auto_error struct error e = ERROR_INIT;
	auto_buf struct buf want;
	auto_free char *path = fixture_path(name);
	const char *update = getenv("DEFT_UPDATE_GOLDEN");
	buf_init(&want, FIXTURE_MAX);
	if (update && *update == '1' && fs_write(path, text, strlen(text), 0644, &e) < 0)
		fail_msg("%s", e.message);
	if (fs_read(path, FIXTURE_MAX, &want, &e) < 0)
		fail_msg("%s", e.message);
	if (strcmp(text, want.data) != 0)
		fail_msg("%s differs\n--- wanted\n%s--- got\n%s", name, want.data, text);
}

uint32_t fixture_node(const struct ui_tree *t, const char *label)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		const char *text = n->label ? n->label : n->caption;
		if (text && strcmp(text, label) == 0)
			return i;
	}
	return UI_NONE;
}
