#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "daemon/files.h"
#include "daemon/session_name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *temp_dir(void)
{
	char template[] = "/tmp/deft-names-XXXXXX";
	assert_non_null(mkdtemp(template));
	return fs_resolve(template);
}

static void make(const char *base, const char *path)
{
	auto_free char *full = fs_join(base, path);
	assert_int_equal(fs_mkdirs(full, 0700, NULL), 0);
}

static struct dm_name resolve(const char *name, const char *base, const char *path)
{
	struct dm_name n;
	auto_free char *cwd = base ? fs_join(base, path) : NULL;
	assert_int_equal(dm_name_resolve(&n, name, cwd, NULL), 0);
	return n;
}

static void unnamed_belongs_to_the_worktree(void **state)
{
	auto_free char *dir = temp_dir();
	make(dir, "repo/.git");
	make(dir, "repo/src/deep");
	make(dir, "repo/tree");
	make(dir, "plain/sub");
	auto_free char *dot_git = fs_join(dir, "repo/tree/.git");
	assert_int_equal(fs_write(dot_git, "gitdir: elsewhere\n", 18, 0600, NULL), 0);

	struct dm_name root = resolve(NULL, dir, "repo"), deep = resolve(NULL, dir, "repo/src/deep");
	assert_false(root.is_explicit);
	assert_string_equal(root.key, deep.key);
	assert_string_equal(root.key, root.scope);
	assert_true(dm_name_is_unnamed(root.key));
	/* a linked worktree has a .git file of its own */
	assert_string_not_equal(resolve(NULL, dir, "repo/tree").key, root.key);
	/* outside of any: the directory itself */
	assert_string_not_equal(resolve(NULL, dir, "plain").key, resolve(NULL, dir, "plain/sub").key);

	static const char *const made[] = { "repo/src", "repo", "plain", "." };
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		auto_free char *path = fs_join(dir, made[i]);
		dm_remove_dir(path);
	}
	rmdir(dir);
}

static void a_link_is_the_same_place(void **state)
{
	auto_free char *dir = temp_dir();
	make(dir, "real");
	auto_free char *real = fs_join(dir, "real"), *link = fs_join(dir, "link");
	assert_int_equal(symlink(real, link), 0);
	assert_string_equal(resolve(NULL, dir, "real").key, resolve(NULL, dir, "link").key);
	dm_remove_dir(dir);
}

static void keys_do_not_change_between_builds(void **state)
{
	struct dm_name n;
	/* a directory that is gone is taken as it is written */
	assert_int_equal(dm_name_resolve(&n, NULL, "/no/such/place", NULL), 0);
	assert_string_equal(n.key, "cwd:2495c1b263952ce9:default");
}

static void names(void **state)
{
	static const char *const bad[] = { "",
		                               ".",
		                               "..",
		                               "-x",
		                               "a b",
		                               "a/b",
		                               "../x",
		                               "$(touch x)",
		                               "a;b",
		                               "é",
		                               "a\nb",
		                               "a:b",
		                               "cwd:12:default",
		                               "cwd:0123456789ABCDEF:default" };
	struct dm_name n = { .key = "untouched" };
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		auto_error struct error e = ERROR_INIT;
		assert_int_equal(dm_name_resolve(&n, bad[i], NULL, &e), -ERR_INVALID_ARGS);
		assert_string_equal(n.key, "untouched");
	}
	char longest[LIM_SESSION_NAME + 2];
	memset(longest, 'x', sizeof(longest));
	longest[LIM_SESSION_NAME + 1] = '\0';
	assert_int_equal(dm_name_resolve(&n, longest, NULL, NULL), -ERR_INVALID_ARGS);
	longest[LIM_SESSION_NAME] = '\0';
	assert_int_equal(dm_name_resolve(&n, longest, NULL, NULL), 0);
	assert_string_equal(n.key, longest);

	struct dm_name named = resolve("agent-1.b_c", NULL, NULL);
	assert_true(named.is_explicit);
	assert_string_equal(dm_name_label(named.key), "agent-1.b_c");
	/* the full key of an unnamed session may be named from elsewhere */
	struct dm_name full = resolve("cwd:0123456789abcdef:default", NULL, NULL);
	assert_true(full.is_explicit);
	assert_string_equal(dm_name_label(full.key), "default");
}

static void directories(void **state)
{
	char out[DM_KEY];
	dm_name_dir("cwd:0123456789abcdef:default", out);
	assert_string_equal(out, "cwd_0123456789abcdef_default");
	dm_name_dir("a.b-c_d", out);
	assert_string_equal(out, "a.b-c_d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unnamed_belongs_to_the_worktree),
		cmocka_unit_test(a_link_is_the_same_place),
		cmocka_unit_test(keys_do_not_change_between_builds),
		cmocka_unit_test(names),
		cmocka_unit_test(directories),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
