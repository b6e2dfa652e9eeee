#include "fake.h"

#include "base/cleanup.h"
#include "base/proc.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint open_devices, attached, inside, max_inside;
static const char *shown = "12x";
static bool no_virtual, with_children;

struct fake_device {
	struct pf_device head;
	struct proc child;
	bool has_child;
};

void fake_show_devices(const char *letters)
{
	shown = letters;
}

void fake_hide_virtual(bool hide)
{
	no_virtual = hide;
}

void fake_with_children(bool on)
{
	with_children = on;
}

unsigned fake_open_devices(void)
{
	return atomic_load(&open_devices);
}

unsigned fake_attached(void)
{
	return atomic_load(&attached);
}

int fake_child(const struct pf_device *d)
{
	const struct fake_device *f = (const struct fake_device *)d;
	return f->has_child ? f->child.id.pid : 0;
}

unsigned fake_max_inside(void)
{
	return atomic_load(&max_inside);
}

static struct pf_device_info info(const char *platform, const char *id, const char *reason)
{
	struct pf_device_info i = { .available = !*reason };
	snprintf(i.platform, sizeof(i.platform), "%s", platform);
	snprintf(i.id, sizeof(i.id), "%s", id);
	snprintf(i.name, sizeof(i.name), "Device %s", id);
	snprintf(i.kind, sizeof(i.kind), "desktop");
	snprintf(i.target, sizeof(i.target), "desktop");
	snprintf(i.reason, sizeof(i.reason), "%s", reason);
	return i;
}

static int linux_devices(const struct pf_caller *caller, struct call c, struct pf_device_info *list,
                         size_t max, size_t *ret_n, struct error *e)
{
	const char *own = json_string_value(json_object_get(caller->env, "DEVICES"));
	*ret_n = 0;
	for (const char *letter = own ? own : shown; *letter && *ret_n < max; letter++)
		list[(*ret_n)++] = *letter == '1'   ? info("linux", "one", "")
		                   : *letter == '2' ? info("linux", "two", "")
		                                    : info("linux", "off", "switched off");
	return 0;
}

static int virtual_devices(const struct pf_caller *caller, struct call c,
                           struct pf_device_info *list, size_t max, size_t *ret_n, struct error *e)
{
	*ret_n = 0;
	if (!no_virtual && max > 0)
		list[(*ret_n)++] = info("virtual", "virtual", "");
	return 0;
}

/* The one operation: notes how many are inside at once, and waits for the call's end on request. */
static int fake_run(struct pf_device *d, struct call c, json_t *request, json_t **ret,
                    struct error *e)
{
	unsigned now = atomic_fetch_add(&inside, 1) + 1, seen = atomic_load(&max_inside);
	while (now > seen && !atomic_compare_exchange_weak(&max_inside, &seen, now))
		;
	int64_t ms = (int64_t)json_integer_value(json_object_get(request, "ms"));
	int r = 0;
	if (ms > 0) {
		r = clock_wait(deadline_left(call_limit(c, ms).deadline), c.cancel, e);
		if (r == 0)
			r = call_check(c, "holding", e);
	}
	atomic_fetch_sub(&inside, 1);
	if (r == 0)
		*ret = json_pack("{s:s}", "device", d->info.id);
	return r;
}

static void fake_close(struct pf_device *d)
{
	struct fake_device *f = (struct fake_device *)d;
	if (f->has_child)
		proc_end(&f->child, 1000);
	free(f);
	atomic_fetch_sub(&open_devices, 1);
}

static const struct pf_ops ops = { .run = fake_run, .close = fake_close };

static int fake_attach(const struct pf_caller *caller, const struct pf_device_info *i,
                       struct pf_device **ret, struct error *e)
{
	const char *argv[] = { "sleep", "600", NULL };
	struct fake_device *f = calloc(1, sizeof(*f));
	f->head.ops = &ops;
	f->head.info = *i;
	if (with_children || getenv("FAKE_CHILDREN")) {
		struct proc_opts o = { .argv = argv, .die_with_parent = true };
		if (proc_start(&f->child, &o, e) < 0) {
			free(f);
			return -(int)e->code;
		}
		f->has_child = true;
	}
	atomic_fetch_add(&open_devices, 1);
	atomic_fetch_add(&attached, 1);
	*ret = &f->head;
	return 0;
}

static const struct pf_module linux_module = { "linux", linux_devices, fake_attach };
static const struct pf_module virtual_module = { "virtual", virtual_devices, fake_attach };
static const struct pf_module *const modules[] = { &linux_module, &virtual_module, NULL };

const struct pf_module *const *pf_modules(void)
{
	return modules;
}
