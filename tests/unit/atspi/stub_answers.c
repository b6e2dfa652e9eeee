/* What the stub's objects answer. */
#include "stub_live.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int stub_refuse(sd_bus_message *m, const char *name, const char *text)
{
	return sd_bus_reply_method_errorf(m, name, "%s", text);
}

bool stub_has(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p && *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strncmp(p, word, n) == 0 && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

static int send(sd_bus_message *reply)
{
	int r = sd_bus_send(NULL, reply, NULL);

	sd_bus_message_unref(reply);
	return r;
}

static void append_object(sd_bus_message *to, const struct stub_app *a, const char *id)
{
	char path[256];

	if (id)
		snprintf(path, sizeof(path), STUB_PATH "%s", id);
	else
		snprintf(path, sizeof(path), "/org/a11y/atspi/null");
	sd_bus_message_append(to, "(so)", a->bus_name, path);
}

static bool child_of(const struct stub_live *o, const char *parent)
{
	if (o->removed || strcmp(o->node.id, "extra") == 0)
		return false;
	return o->node.parent ? parent && strcmp(o->node.parent, parent) == 0 : !parent;
}

static uint32_t count_children(const struct stub_app *a, const struct stub_live *of)
{
	const char *parent = of ? of->node.id : NULL;
	uint32_t n = of ? of->node.extra_children : 0;

	for (size_t i = 0; i < a->program.n; i++)
		n += child_of(&a->live[i], parent);
	return n + (of && (of->node.quirks & STUB_LOOP) ? 1 : 0);
}

/* The id of child k of an object; NULL: none. scratch holds made-up ids. */
static const char *child_id(const struct stub_app *a, const struct stub_live *of, uint32_t k,
                            char scratch[32])
{
	const char *parent = of ? of->node.id : NULL;

	for (size_t i = 0; i < a->program.n; i++)
		if (child_of(&a->live[i], parent) && k-- == 0)
			return a->live[i].node.id;
	if (of && k < of->node.extra_children) {
		snprintf(scratch, 32, "x%u", k);
		return scratch;
	}
	return of && (of->node.quirks & STUB_LOOP) ? of->node.parent : NULL;
}

/* --- Accessible ------------------------------------------------------------------------------- */

static int reply_children(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	sd_bus_message *reply = NULL;
	uint32_t n = count_children(a, o);
	char scratch[32];

	sd_bus_message_new_method_return(m, &reply);
	sd_bus_message_open_container(reply, 'a', "(so)");
	for (uint32_t k = 0; k < n; k++)
		append_object(reply, a, child_id(a, o, k, scratch));
	sd_bus_message_close_container(reply);
	return send(reply);
}

static int reply_states(struct stub_live *o, sd_bus_message *m)
{
	uint64_t states = o ? o->node.states : 0;

	return sd_bus_reply_method_return(m, "au", 2, (uint32_t)states, (uint32_t)(states >> 32));
}

static void append_ifaces(sd_bus_message *to, const struct stub_live *o)
{
	const char *p = o && o->node.ifaces ? o->node.ifaces : "";

	sd_bus_message_open_container(to, 'a', "s");
	sd_bus_message_append(to, "s", "org.a11y.atspi.Accessible");
	for (; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		char name[96];

		snprintf(name, sizeof(name), "org.a11y.atspi.%.*s", (int)strcspn(p, " "), p);
		sd_bus_message_append(to, "s", name);
	}
	sd_bus_message_close_container(to);
}

static int reply_ifaces(struct stub_live *o, sd_bus_message *m)
{
	sd_bus_message *reply = NULL;

	sd_bus_message_new_method_return(m, &reply);
	append_ifaces(reply, o);
	return send(reply);
}

static int reply_relations(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	sd_bus_message *reply = NULL;

	sd_bus_message_new_method_return(m, &reply);
	sd_bus_message_open_container(reply, 'a', "(ua(so))");
	if (o && o->node.labelled_by) {
		sd_bus_message_open_container(reply, 'r', "ua(so)");
		sd_bus_message_append(reply, "u", 2u);
		sd_bus_message_open_container(reply, 'a', "(so)");
		append_object(reply, a, o->node.labelled_by);
		sd_bus_message_close_container(reply);
		sd_bus_message_close_container(reply);
	}
	sd_bus_message_close_container(reply);
	return send(reply);
}

static int reply_object(struct stub_app *a, sd_bus_message *m, const char *id)
{
	sd_bus_message *reply = NULL;

	sd_bus_message_new_method_return(m, &reply);
	append_object(reply, a, id);
	return send(reply);
}

static int index_of(struct stub_app *a, struct stub_live *o)
{
	struct stub_live *up = o->node.parent ? stub_find(a, o->node.parent) : NULL;
	uint32_t n = count_children(a, up);
	char scratch[32];

	for (uint32_t k = 0; k < n; k++) {
		const char *id = child_id(a, up, k, scratch);

		if (id && strcmp(id, o->node.id) == 0)
			return (int)k;
	}
	return -1;
}

static bool is(sd_bus_message *m, const char *member)
{
	return strcmp(sd_bus_message_get_member(m), member) == 0;
}

int stub_answer_accessible(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	char scratch[32];
	int32_t k = 0;

	if (o && (o->node.quirks & STUB_NO_ROLE))
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_INTERFACE, "not accessible");
	if (is(m, "GetChildren"))
		return o && (o->node.quirks & STUB_MUTE_CHILDREN) ? 1 : reply_children(a, o, m);
	if (is(m, "GetRole"))
		return sd_bus_reply_method_return(m, "u", o ? o->node.role : 75u);
	if (is(m, "GetState"))
		return reply_states(o, m);
	if (o && (o->node.quirks & STUB_SHY))
		return stub_refuse(m, SD_BUS_ERROR_FAILED, "not today");
	if (is(m, "GetInterfaces"))
		return reply_ifaces(o, m);
	if (is(m, "GetRoleName"))
		return sd_bus_reply_method_return(m, "s", o ? o->name : "");
	if (is(m, "GetRelationSet"))
		return reply_relations(a, o, m);
	if (is(m, "GetIndexInParent"))
		return sd_bus_reply_method_return(m, "i", o ? index_of(a, o) : -1);
	if (is(m, "GetChildAtIndex") && sd_bus_message_read(m, "i", &k) > 0)
		return reply_object(a, m, child_id(a, o, (uint32_t)k, scratch));
	return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "unknown method");
}

/* --- properties ------------------------------------------------------------------------------- */

static double current_value(struct stub_live *o)
{
	if (o->late > 0 && --o->late == 0)
		o->value = o->late_value;
	return o->value;
}

static int get_value(struct stub_live *o, sd_bus_message *m, const char *name)
{
	if (strcmp(name, "CurrentValue") == 0)
		return sd_bus_reply_method_return(m, "v", "d", current_value(o));
	if (strcmp(name, "MinimumValue") == 0)
		return sd_bus_reply_method_return(m, "v", "d", o->node.min);
	if (strcmp(name, "MaximumValue") == 0)
		return sd_bus_reply_method_return(m, "v", "d", o->node.max);
	if (strcmp(name, "MinimumIncrement") == 0)
		return sd_bus_reply_method_return(m, "v", "d", o->node.step);
	return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_PROPERTY, "unknown property");
}

static int get_accessible(struct stub_app *a, struct stub_live *o, sd_bus_message *m,
                          const char *name)
{
	if (strcmp(name, "Name") == 0)
		return sd_bus_reply_method_return(m, "v", "s", o ? o->name : a->program.name);
	if (strcmp(name, "Description") == 0)
		return sd_bus_reply_method_return(m, "v", "s",
		                                  o && o->node.description ? o->node.description : "");
	if (strcmp(name, "AccessibleId") == 0 && a->program.nodes[0].accessible_id)
		return sd_bus_reply_method_return(m, "v", "s",
		                                  o && o->node.accessible_id ? o->node.accessible_id : "");
	if (strcmp(name, "ChildCount") == 0)
		return sd_bus_reply_method_return(m, "v", "i", (int32_t)count_children(a, o));
	if (strcmp(name, "Parent") == 0 && o && !(o->node.quirks & STUB_NO_PARENT)) {
		char path[256];

		snprintf(path, sizeof(path), STUB_PATH "%s", o->node.parent ? o->node.parent : "root");
		return sd_bus_reply_method_return(m, "v", "(so)", a->bus_name, path);
	}
	if (strcmp(name, "Parent") == 0)
		return sd_bus_reply_method_return(m, "v", "(so)", "", "/org/a11y/atspi/null");
	return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_PROPERTY, "unknown property");
}

static unsigned count_words(const char *list)
{
	unsigned n = 0;

	for (const char *p = list; p && *p; p += strcspn(p, " "), p += strspn(p, " "))
		n++;
	return n;
}

static int get_property(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	const char *iface, *name;

	if (sd_bus_message_read(m, "ss", &iface, &name) <= 0)
		return stub_refuse(m, SD_BUS_ERROR_INVALID_ARGS, "arguments");
	if (o && (o->node.quirks & STUB_SHY))
		return stub_refuse(m, SD_BUS_ERROR_FAILED, "not today");
	if (strcmp(iface, "org.a11y.atspi.Accessible") == 0)
		return get_accessible(a, o, m, name);
	if (!o && strcmp(name, "ToolkitName") == 0)
		return sd_bus_reply_method_return(m, "v", "s", a->program.toolkit);
	if (!o)
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_PROPERTY, "unknown property");
	if (!stub_has(o->node.ifaces, strrchr(iface, '.') + 1))
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_INTERFACE, "unknown interface");
	if (strcmp(iface, "org.a11y.atspi.Value") == 0)
		return get_value(o, m, name);
	if (strcmp(name, "CharacterCount") == 0)
		return sd_bus_reply_method_return(m, "v", "i", (int32_t)utf8_count(o->text));
	if (strcmp(name, "CaretOffset") == 0)
		return sd_bus_reply_method_return(m, "v", "i", o->caret);
	if (strcmp(name, "NActions") == 0)
		return sd_bus_reply_method_return(m, "v", "i", (int32_t)count_words(o->node.actions));
	return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_PROPERTY, "unknown property");
}

static int set_property(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	const char *contents = "";
	double v = 0;

	a->seen.sets++;
	snprintf(a->seen.set_signature, sizeof(a->seen.set_signature), "%s",
	         sd_bus_message_get_signature(m, true));
	if (sd_bus_message_skip(m, "ss") < 0 || sd_bus_message_peek_type(m, NULL, &contents) <= 0 ||
	    sd_bus_message_read(m, "v", "d", &v) <= 0)
		return stub_refuse(m, SD_BUS_ERROR_INVALID_ARGS, "arguments");
	snprintf(a->seen.set_type, sizeof(a->seen.set_type), "%s", contents ? contents : "");
	v = fmin(fmax(v, o->node.min), o->node.max);
	if (o->node.quirks & STUB_WHOLE)
		v = round(v);
	if (o->node.quirks & STUB_LATE) {
		o->late = 3;
		o->late_value = v;
	} else if (!(o->node.quirks & STUB_STUCK)) {
		o->value = v;
	}
	return sd_bus_reply_method_return(m, NULL);
}

/* --- actions, text, selection ----------------------------------------------------------------- */

static const char *nth_word(const char *list, int k, char *out, size_t size)
{
	const char *p = list ? list : "";

	while (k-- > 0) {
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
	snprintf(out, size, "%.*s", (int)strcspn(p, " "), p);
	return out;
}

static void act(struct stub_app *a, struct stub_live *o, const char *name)
{
	double step = o->node.step > 0 ? o->node.step : 1;

	a->seen.actions++;
	snprintf(a->seen.action, sizeof(a->seen.action), "%.20s/%.40s", o->node.id, name);
	if (strcmp(name, "Increase") == 0)
		o->value = fmin(o->value + step, o->node.max);
	if (strcmp(name, "Decrease") == 0)
		o->value = fmax(o->value - step, o->node.min);
	if (strcmp(name, "SetFocus") == 0)
		o->node.states |= S(FOCUSED);
}

/* Actions as GetActions tells them: in the user's language. */
static int reply_actions(struct stub_live *o, sd_bus_message *m)
{
	sd_bus_message *reply = NULL;
	char word[64], shown[80];

	sd_bus_message_new_method_return(m, &reply);
	sd_bus_message_open_container(reply, 'a', "(sss)");
	for (unsigned k = 0; k < count_words(o->node.actions); k++) {
		snprintf(shown, sizeof(shown), "%s (übersetzt)",
		         nth_word(o->node.actions, (int)k, word, sizeof(word)));
		sd_bus_message_append(reply, "(sss)", shown, "", "");
	}
	sd_bus_message_close_container(reply);
	return send(reply);
}

static int answer_action(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	char word[64];
	int k = 0;

	if (is(m, "GetActions"))
		return reply_actions(o, m);
	if (sd_bus_message_read(m, "i", &k) <= 0)
		return stub_refuse(m, SD_BUS_ERROR_INVALID_ARGS, "arguments");
	nth_word(o->node.actions, k, word, sizeof(word));
	if (is(m, "GetName"))
		return sd_bus_reply_method_return(m, "s", word);
	act(a, o, word);
	return sd_bus_reply_method_return(m, "b", 1);
}

static int get_text(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	int from = 0, to = 0, count = (int)utf8_count(o->text);
	char part[STUB_TEXT];

	sd_bus_message_read(m, "ii", &from, &to);
	if (o->node.role == ATSPI_ROLE_PASSWORD)
		a->seen.password_reads++;
	if (to < 0) /* as GTK 4.8 does */
		return sd_bus_reply_method_return(m, "s", "");
	if (to > count)
		to = count;
	snprintf(part, sizeof(part), "%.*s",
	         (int)(utf8_offset(o->text, (size_t)to) - utf8_offset(o->text, (size_t)from)),
	         o->text + utf8_offset(o->text, (size_t)from));
	return sd_bus_reply_method_return(m, "s", part);
}

static int insert_text(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	char joined[2 * STUB_TEXT];
	const char *text;
	int at, bytes;
	size_t split;

	if (sd_bus_message_read(m, "isi", &at, &text, &bytes) <= 0)
		return stub_refuse(m, SD_BUS_ERROR_INVALID_ARGS, "arguments");
	a->seen.insert_at = at;
	a->seen.insert_bytes = bytes;
	split = utf8_offset(o->text, (size_t)at);
	snprintf(joined, sizeof(joined), "%.*s%.*s%s", (int)split, o->text, bytes, text,
	         o->text + split);
	snprintf(o->text, sizeof(o->text), "%.*s", STUB_TEXT - 1, joined);
	return sd_bus_reply_method_return(m, "b", 1);
}

static int answer_text(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	const char *text;

	if (is(m, "GetText"))
		return get_text(a, o, m);
	if (is(m, "SetCaretOffset")) {
		sd_bus_message_read(m, "i", &o->caret);
		return sd_bus_reply_method_return(m, "b", 1);
	}
	if (is(m, "InsertText"))
		return insert_text(a, o, m);
	if (is(m, "SetTextContents") && sd_bus_message_read(m, "s", &text) > 0) {
		if (!(o->node.quirks & STUB_STUCK))
			snprintf(o->text, sizeof(o->text), "%s", text);
		return sd_bus_reply_method_return(m, "b", 1);
	}
	return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "unknown method");
}

static int answer_component(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	const int32_t *r = o->node.rect;
	char middle[32];

	snprintf(middle, sizeof(middle), "x%u", o->node.extra_children / 2);
	if (is(m, "GetAccessibleAtPoint"))
		return reply_object(a, m, o->node.extra_children > 0 ? middle : o->node.at_point);
	if (is(m, "GetExtents") && !(o->node.quirks & STUB_NO_EXTENTS))
		return sd_bus_reply_method_return(m, "(iiii)", r[0], r[1], r[2], r[3]);
	if (is(m, "GrabFocus") && (o->node.states & S(FOCUSABLE))) {
		o->node.states |= S(FOCUSED);
		return sd_bus_reply_method_return(m, "b", 1);
	}
	return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "unknown method");
}

static int answer_selection(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	int k = 0;

	if (!is(m, "SelectChild") || sd_bus_message_read(m, "i", &k) <= 0)
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "unknown method");
	snprintf(a->seen.selected, sizeof(a->seen.selected), "%.20s/%d", o->node.id, k);
	return sd_bus_reply_method_return(m, "b", 1);
}

int stub_answer_other(struct stub_app *a, struct stub_live *o, sd_bus_message *m)
{
	const char *iface = sd_bus_message_get_interface(m);
	const char *last = strrchr(iface, '.') ? strrchr(iface, '.') + 1 : iface;

	if (strcmp(iface, "org.freedesktop.DBus.Properties") == 0 && is(m, "Get"))
		return get_property(a, o, m);
	if (strcmp(iface, "org.freedesktop.DBus.Properties") == 0 && is(m, "Set") && o)
		return set_property(a, o, m);
	if (!o || !stub_has(o->node.ifaces, last))
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "unknown interface");
	if (strcmp(last, "Component") == 0)
		return answer_component(a, o, m);
	if (strcmp(last, "Action") == 0)
		return answer_action(a, o, m);
	if (strcmp(last, "Selection") == 0)
		return answer_selection(a, o, m);
	return answer_text(a, o, m);
}

/* --- cache ------------------------------------------------------------------------------------ */

static void append_item(sd_bus_message *to, struct stub_app *a, struct stub_live *o, bool old)
{
	uint64_t states = o->node.states;
	char scratch[32];

	bool stale = a->program.cache == STUB_CACHE_STALE && o == &a->live[2];

	sd_bus_message_open_container(to, 'r',
	                              old ? "(so)(so)(so)a(so)assusau" : "(so)(so)(so)iiassusau");
	append_object(to, a, stale ? "ghost" : o->node.id);
	append_object(to, a, "root");
	append_object(to, a, o->node.parent ? o->node.parent : "root");
	if (old) {
		sd_bus_message_open_container(to, 'a', "(so)");
		for (uint32_t k = 0; k < count_children(a, o); k++)
			append_object(to, a, child_id(a, o, k, scratch));
		sd_bus_message_close_container(to);
	} else {
		sd_bus_message_append(to, "ii", stale ? -1 : index_of(a, o), (int32_t)count_children(a, o));
	}
	append_ifaces(to, o);
	sd_bus_message_append(to, "sus", o->name, o->node.role,
	                      o->node.description ? o->node.description : "");
	sd_bus_message_append(to, "au", 2, (uint32_t)states, (uint32_t)(states >> 32));
	sd_bus_message_close_container(to);
}

int stub_answer_cache(struct stub_app *a, sd_bus_message *m)
{
	enum stub_cache kind = a->program.cache;
	bool old = kind == STUB_CACHE_OLD || kind == STUB_CACHE_EMPTY_OLD;
	sd_bus_message *reply = NULL;

	if (kind == STUB_CACHE_REFUSED)
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "Method \"GetItems\" doesn't exist");
	sd_bus_message_new_method_return(m, &reply);
	sd_bus_message_open_container(reply, 'a',
	                              old ? "((so)(so)(so)a(so)assusau)" : "((so)(so)(so)iiassusau)");
	/* From the end, so that nobody relies on the order. */
	for (size_t i = a->program.n; i-- > 0 && kind != STUB_CACHE_EMPTY_OLD;)
		if (!a->live[i].removed && strcmp(a->live[i].node.id, "extra") != 0 &&
		    !(kind == STUB_CACHE_HOLES && i % 3 == 0))
			append_item(reply, a, &a->live[i], old);
	sd_bus_message_close_container(reply);
	return send(reply);
}
