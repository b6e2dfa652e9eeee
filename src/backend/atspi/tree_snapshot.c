#include "backend/atspi/tree.h"

static int add_apps(struct tree_reader *r, const struct atspi_apps *apps,
                    const struct rb_snapshot_opts *o, struct error *e)
{
	const struct atspi_app *app = NULL;
	bool frontmost = o->surface && strcmp(o->surface, "frontmost-app") == 0;
	int result;

	if (o->surface && strcmp(o->surface, "desktop") == 0) {
		for (uint32_t i = 0; i < apps->n; i++)
			reader_add_app(r, &apps->apps[i]);
		return 0;
	}
	if (o->surface && !frontmost && strcmp(o->surface, "app") != 0) {
		error_set(e, ERR_INVALID_ARGS, "unknown surface %s", o->surface);
		return error_hint(e, "a desktop has the surfaces app, frontmost-app and desktop");
	}
	result = atspi_app_find(apps, frontmost ? NULL : o->app, &app, e);
	if (result == 0)
		reader_add_app(r, app);
	return result;
}

static int read_tree(struct tree_reader *r, struct error *e)
{
	int result = reader_walk(r, e);

	if (result == 0 && !r->out_of_time)
		result = reader_details(r, e);
	return result;
}

int atspi_snapshot(struct atspi *a, struct call c, const struct rb_snapshot_opts *o,
                   struct ui_tree *ret, struct error *e)
{
	const struct atspi_apps *apps;
	auto_reader struct tree_reader r = { NULL };
	struct ui_tree tree;
	int result = atspi_apps_refresh(a, c, o->app && *o->app ? 0 : -1, &apps, e);

	if (result < 0)
		return result;
	reader_init(&r, a, c, o);
	result = add_apps(&r, apps, o, e);
	if (result == 0)
		result = read_tree(&r, e);
	if (result == 0)
		result = ui_tree_init(&tree, e);
	if (result < 0)
		return result;
	result = reader_emit(&r, apps, &tree, e);
	if (result < 0) {
		ui_tree_done(&tree);
		return result;
	}
	tree.surface = ui_tree_text(&tree, o->surface ? o->surface : "app", NULL);
	*ret = tree;
	return 0;
}
