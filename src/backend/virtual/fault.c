#include "backend/virtual/fault.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"
#include "wire/runner_commands.h"

#include <string.h>

static const struct vd_fault_info infos[VD_FAULT_COUNT] = {
#define VD_FAULT_ROW(name, word, stage, ms, count, what) \
	[VF_##name] = { word, stage, ms, count, what },
	VD_FAULTS(VD_FAULT_ROW)
#undef VD_FAULT_ROW
};

const char *const vd_fault_keys[] = { "fault", "command", "nth", "times", "ms", "count", NULL };

const struct vd_fault_info *vd_fault_info(enum vd_fault_kind kind)
{
	return &infos[kind];
}

__attribute__((format(printf, 3, 4))) static int wrong(struct error *e, const char *key,
                                                       const char *fmt, ...)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_ERROR_TEXT);
	va_list ap;
	va_start(ap, fmt);
	buf_addv(&text, fmt, ap);
	va_end(ap);
	error_set(e, ERR_INVALID_ARGS, "%s %s", key, text.data);
	error_hint(e, "`deft virtual faults` lists the faults and what they take");
	return error_detail_str(e, "key", key);
}

static int find_kind(const char *word)
{
	for (int i = 0; i < VD_FAULT_COUNT; i++)
		if (strcmp(infos[i].word, word) == 0)
			return i;
	return -1;
}

static int whole(const json_t *o, const char *key, int64_t low, int64_t high, int64_t *io,
                 struct error *e)
{
	const json_t *v = json_object_get(o, key);
	if (!v)
		return 0;
	if (!json_is_integer(v) || json_integer_value(v) < low || json_integer_value(v) > high)
		return wrong(e, key, "must be a whole number between %lld and %lld", (long long)low,
		             (long long)high);
	*io = json_integer_value(v);
	return 0;
}

static int set_command(const json_t *o, struct vd_fault *f, struct error *e)
{
	const char *word = jx_get_str(o, "command", NULL);
	f->command = infos[f->kind].stage == VF_LOOK ? WIRE_CMD_SNAPSHOT : -1;
	if (!json_object_get(o, "command"))
		return 0;
	f->command = wire_command_from_name(word);
	if (f->command < 0)
		return wrong(e, "command", "\"%s\" is no command of the runner", word ? word : "");
	bool answered_by_transport = f->command == WIRE_CMD_STATUS || f->command == WIRE_CMD_UPTIME;
	if (answered_by_transport &&
	    (infos[f->kind].stage == VF_BEFORE || infos[f->kind].stage == VF_LOOK))
		return wrong(e, "command", "\"%s\" is answered by the transport and can't meet this fault",
		             word);
	return 0;
}

static int check_keys(const json_t *o, struct error *e)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)o, key, value)
	{
		const char *const *known = vd_fault_keys;
		while (*known && strcmp(*known, key) != 0)
			known++;
		if (!*known)
			return wrong(e, key, "is nothing a fault takes");
	}
	return 0;
}

int vd_fault_from_json(const json_t *o, struct vd_fault *ret, struct error *e)
{
	const char *word = jx_get_str(o, "fault", "");
	int kind = find_kind(word), r = check_keys(o, e);
	if (r < 0)
		return r;
	if (kind < 0)
		return wrong(e, "fault", "must name a fault, \"%s\" is none", word);
	const struct vd_fault_info *info = &infos[kind];
	struct vd_fault f = {
		.kind = (enum vd_fault_kind)kind, .nth = 1, .times = 1, .ms = info->ms, .count = info->count
	};
	if (!info->ms && json_object_get(o, "ms"))
		return wrong(e, "ms", "is nothing \"%s\" takes", word);
	if (!info->count && json_object_get(o, "count"))
		return wrong(e, "count", "is nothing \"%s\" takes", word);
	if ((r = set_command(o, &f, e)) < 0 || (r = whole(o, "nth", 1, INT32_MAX, &f.nth, e)) < 0 ||
	    (r = whole(o, "times", 0, INT32_MAX, &f.times, e)) < 0 ||
	    (r = whole(o, "ms", 0, LIM_REQUEST_MAX_MS, &f.ms, e)) < 0 ||
	    (r = whole(o, "count", 1, LIM_TREE_NODES, &f.count, e)) < 0)
		return r;
	*ret = f;
	return 0;
}

/* One "key=value" of a spec into the object a scene would hold. */
static int add_word(json_t *o, const char *word, size_t len, struct error *e)
{
	auto_free char *key = strndup(word, len);
	char *equals = key ? strchr(key, '=') : NULL;
	int64_t n;
	if (!key)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	if (!equals)
		return wrong(e, key, "needs a value: %s=…", key);
	*equals = '\0';
	if (json_object_get(o, key))
		return wrong(e, key, "is given twice");
	if (number_parse_int(equals + 1, &n))
		jx_set_int(o, key, n);
	else
		jx_set_str(o, key, equals + 1);
	return 0;
}

int vd_fault_from_spec(const char *spec, struct vd_fault *ret, struct error *e)
{
	auto_json json_t *o = json_object();
	const char *word = spec;
	for (bool first = true;; first = false) {
		size_t len = strcspn(word, ",");
		int r = 0;
		if (first)
			json_object_set_new(o, "fault", json_stringn(word, len));
		else
			r = add_word(o, word, len, e);
		if (r < 0)
			return error_prefix(e, "fault \"%.200s\"", spec);
		if (!word[len])
			break;
		word += len + 1;
	}
	int r = vd_fault_from_json(o, ret, e);
	return r < 0 ? error_prefix(e, "fault \"%.200s\"", spec) : 0;
}

json_t *vd_fault_to_json(const struct vd_fault *f)
{
	const struct vd_fault_info *info = &infos[f->kind];
	json_t *o = json_object();
	jx_set_str(o, "fault", info->word);
	if (f->command >= 0)
		jx_set_str(o, "command", wire_command_traits((enum wire_command)f->command)->name);
	jx_set_int(o, "nth", f->nth);
	jx_set_int(o, "times", f->times);
	if (info->ms)
		jx_set_int(o, "ms", f->ms);
	if (info->count)
		jx_set_int(o, "count", f->count);
	jx_set_int(o, "matched", (int64_t)f->matched);
	jx_set_int(o, "fired", (int64_t)f->fired);
	return o;
}

static bool is_about(const struct vd_fault *f, int command)
{
	if (f->command >= 0)
		return f->command == command;
	return command != WIRE_CMD_STATUS && command != WIRE_CMD_UPTIME;
}

bool vd_fault_meets(struct vd_fault *f, int command)
{
	if (!is_about(f, command))
		return false;
	int64_t n = (int64_t)++f->matched;
	bool meets = n >= f->nth && (f->times == 0 || n < f->nth + f->times);
	f->fired += meets;
	return meets;
}
