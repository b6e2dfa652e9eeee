#include "runner/job.h"

#include <stdlib.h>

struct rc_job *rc_job_new(struct wire_request *req, struct error *e)
{
	struct rc_job *j = calloc(1, sizeof(*j));

	if (!j) {
		error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
		return NULL;
	}
	if (cancel_init(&j->cancel, e) < 0) {
		free(j);
		return NULL;
	}
	j->req = *req;
	*req = (struct wire_request){ 0 };
	return j;
}

void rc_job_free(struct rc_job *j)
{
	wire_request_done(&j->req);
	cancel_done(&j->cancel);
	free(j);
}

const char *rc_job_name(const struct wire_request *req)
{
	return wire_command_traits(req->command)->name;
}

const char *rc_job_id(const struct wire_request *req)
{
	return req->command_id ? req->command_id : "-";
}

void rc_waiters_answer(struct rc_waiter *list, struct rc_reply *reply)
{
	while (list) {
		struct rc_waiter *next = list->next;

		list->done(list->ctx, rc_reply_ref(reply));
		free(list);
		list = next;
	}
	rc_reply_unref(reply);
}
