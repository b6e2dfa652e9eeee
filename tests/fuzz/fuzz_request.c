/* Any line at all, on the daemon's request path with the command table of the daemon's own tests:
 * every request is answered exactly once, every event is JSON, nothing leaks. */
#include "../scenario/harness.h"
#include "../unit/daemon/fake.h"
#include "base/log.h"
#include "daemon/job.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned answers;

static void receive(void *ctx, json_t *line_stolen)
{
	answers += !strcmp(json_string_value(json_object_get(line_stolen, "type")), "response");
	json_decref(line_stolen);
}

static void run(struct dm_daemon *d, struct wire_call *call)
{
	static const struct dm_sink sink = { receive, NULL };
	struct dm_job *job;
	answers = 0;
	if (dm_job_new(d, call, &sink, &job, NULL) < 0)
		return;
	if (strcmp(job->rq.command, "hold") == 0 || strcmp(job->rq.command, "flood") == 0)
		cancel_fire(&job->cancel); /* would take its time on purpose */
	dm_job_run(job);
	dm_job_free(job);
	if (answers != 1)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness *h;
	struct wire_call call;
	if (!h) {
		log_set_level(LOG_ERROR);
		fake_show_devices("12x");
		h = harness_new(NULL);
	}
	if (wire_call_parse((const char *)data, size, &call, NULL) < 0)
		return 0;
	if (call.is_cancel) {
		dm_cancel(harness_daemon(h), NULL, call.id);
		wire_call_done(&call);
		return 0;
	}
	run(harness_daemon(h), &call);
	if (cancel_fired(&harness_daemon(h)->stop)) {
		harness_free(h);
		h = NULL;
	}
	return 0;
}
