/* Time on the device. */
#include "platform/platform.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"

static int wait_for_real(struct call c, int64_t ms, struct error *e)
{
	int64_t left = deadline_left(c.deadline);
	int r = ms > 0 ? clock_wait(ms < left ? ms : left, c.cancel, e) : 0;

	return r < 0 || ms <= left ? r : call_check(c, "waiting", e);
}

static int wait_there(struct pf_device *d, struct call c, int64_t ms, struct error *e)
{
	json_t auto_json *request = json_object();
	json_t auto_json *data = NULL;

	jx_set_str(request, "command", "idle");
	jx_set_int(request, "durationMs", ms);
	int r = d->ops->run(d, c, request, &data, e);
	if (r == 0)
		d->time_ms = jx_get_int(data, "deviceTimeMs", d->time_ms + ms);
	return r;
}

int pf_idle(struct pf_device *d, struct call c, int64_t ms, struct error *e)
{
	return d->own_time ? wait_there(d, c, ms, e) : wait_for_real(c, ms, e);
}

int64_t pf_time_ms(const struct pf_device *d)
{
	return d->own_time ? d->time_ms : clock_now_ms();
}
