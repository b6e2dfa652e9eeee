/* gen table | commands | man | errors | mcp-tools        prints one document
 * gen limits HEADER                                      the same, from the header's text
 * gen update ROOT                                        writes the documents of ROOT/docs
 * gen check ROOT                                         TAP: each of them is what it should be */
#include "gen.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <stdio.h>
#include <string.h>

#define MAX_DOCUMENT (4u * 1024 * 1024)

static const struct {
	const char *name, *file; /* file NULL: made by the build, not kept */
	void (*write)(struct buf *out);
} documents[] = {
	{ "table", NULL, gen_table },
	{ "man", NULL, gen_man },
	{ "commands", "docs/commands.md", gen_commands },
	{ "errors", "docs/errors.md", gen_errors },
	{ "mcp-tools", "docs/mcp-tools.json", gen_mcp_tools },
	{ "limits", "docs/limits.md", NULL },
};

static int limits_from(const char *path, struct buf *out, struct error *e)
{
	auto_buf struct buf header;
	int r;

	buf_init(&header, MAX_DOCUMENT);
	r = fs_read(path, MAX_DOCUMENT, &header, e);
	return r < 0 ? r : gen_limits(header.data, out, e);
}

static int make(size_t i, const char *root, struct buf *out, struct error *e)
{
	auto_free char *header = NULL;

	if (documents[i].write) {
		documents[i].write(out);
		return 0;
	}
	header = fs_join(root, "src/base/limits.h");
	return limits_from(header, out, e);
}

static int update(const char *root, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		auto_buf struct buf out;
		auto_free char *path = NULL;
		int r;

		if (!documents[i].file)
			continue;
		buf_init(&out, MAX_DOCUMENT);
		path = fs_join(root, documents[i].file);
		r = make(i, root, &out, e);
		if (r == 0)
			r = fs_write(path, out.data, out.len, 0644, e);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool is_current(size_t i, const char *root, struct error *e)
{
	auto_buf struct buf want, have;
	auto_free char *path = fs_join(root, documents[i].file);

	buf_init(&want, MAX_DOCUMENT);
	buf_init(&have, MAX_DOCUMENT);
	if (make(i, root, &want, e) < 0 || fs_read(path, MAX_DOCUMENT, &have, e) < 0)
		return false;
	return !strcmp(want.data, have.data);
}

static int check(const char *root)
{
	unsigned n = 0;
	bool stale = false;

	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		auto_error struct error e = ERROR_INIT;
		bool ok;

		if (!documents[i].file)
			continue;
		ok = is_current(i, root, &e);
		stale |= !ok;
		printf("%s %u - %s is up to date\n", ok ? "ok" : "not ok", ++n, documents[i].file);
		if (!ok)
			printf("# %s; run `ninja update-docs`\n", e.message ? e.message : "it is stale");
	}
	printf("1..%u\n", n);
	return stale;
}

static int print(const char *name, const char *argument, struct error *e)
{
	auto_buf struct buf out;
	size_t i = 0;
	int r = 0;

	while (i < ARRAY_SIZE(documents) && strcmp(documents[i].name, name))
		i++;
	if (i == ARRAY_SIZE(documents))
		return error_set(e, ERR_INVALID_ARGS, "no document is called %s", name);
	buf_init(&out, MAX_DOCUMENT);
	if (documents[i].write)
		documents[i].write(&out);
	else if (argument)
		r = limits_from(argument, &out, e);
	else
		r = error_set(e, ERR_INVALID_ARGS, "%s needs the path of the header", name);
	if (r == 0 && (out.over || fwrite(out.data, 1, out.len, stdout) != out.len || fflush(stdout)))
		r = error_set(e, ERR_IO_ERROR, "the document could not be written");
	return r;
}

int main(int argc, char **argv)
{
	auto_error struct error e = ERROR_INIT;
	int r;

	if (argc < 2)
		r = error_set(&e, ERR_INVALID_ARGS, "gen DOCUMENT | update ROOT | check ROOT");
	else if (argc == 3 && !strcmp(argv[1], "check"))
		return check(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "update"))
		r = update(argv[2], &e);
	else
		r = print(argv[1], argv[2], &e);
	if (r < 0)
		fprintf(stderr, "gen: %s\n", e.message);
	return r < 0;
}
