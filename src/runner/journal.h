/* The lifecycle journal: what became of each command id (runner protocol 3).
 *
 * accepted → started → completed | failed; an unknown id is answered as notAccepted. At most
 * LIM_JOURNAL_ENTRIES ids, least recently updated evicted first; a reply is retained when its
 * command's traits say so and its encoding is at most LIM_JOURNAL_REPLY bytes; error fields survive
 * when the reply does not. A NULL id makes every operation a no-op.
 *
 * THREADS: every function may be called from any thread; the lock is inside. */
#ifndef DEFT_RUNNER_JOURNAL_H
#define DEFT_RUNNER_JOURNAL_H

#include "base/error.h"
#include "wire/runner_commands.h"

#include <jansson.h>

struct rc_journal;

struct rc_journal *rc_journal_new(void);
void rc_journal_free(struct rc_journal *j);

/* A fresh `accepted` entry, also when the id was known. */
void rc_journal_accept(struct rc_journal *j, const char *id, enum wire_command command);
void rc_journal_start(struct rc_journal *j, const char *id, enum wire_command command);
/* Takes note of a whole reply object {"ok",…} before it is stamped. */
void rc_journal_finish(struct rc_journal *j, const char *id, enum wire_command command,
                       const json_t *reply);
/* The command ended without a reply of its own (watchdog, refused in the queue): `failed` without
 * lifecycleResponseOk and lifecycleResponseJson. */
void rc_journal_fail(struct rc_journal *j, const char *id, enum wire_command command,
                     const struct error *e);

/* The data of a `status` reply. */
json_t *rc_journal_status(struct rc_journal *j, const char *id);

/* For a mutation that arrives again after it ended: the retained reply, or an error reply that says
 * it was carried out; NULL when this id did not end as this command, or was refused before it began
 * (then it may run). */
json_t *rc_journal_replay(struct rc_journal *j, const char *id, enum wire_command command);

#endif
