/* Trace events: one JSON object a line in <session>/events.ndjson, or in <state>/events.ndjson for
 * requests without an open session. docs/daemon.md lists the fields. */
#ifndef DEFT_DAEMON_TRACE_H
#define DEFT_DAEMON_TRACE_H

#include "daemon/job.h"

/* request.started: command, redacted arguments. */
void dm_trace_started(struct dm_job *j);
/* request.finished: outcome, duration, stages, runner trace; and one line in the log. */
void dm_trace_finished(struct dm_job *j, const struct error *e);
/* {"totalMs","stages":{…},"runner":{…}?}: what --debug shows; new reference. */
json_t *dm_timing_json(const struct dm_job *j);

#endif
