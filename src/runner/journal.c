#include "runner/journal.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/runner_msg.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum state { ACCEPTED, STARTED, COMPLETED, FAILED };

static const char *const state_names[] = { "accepted", "started", "completed", "failed" };

struct entry {
	char *id;
	enum wire_command command;
	enum state state;
	int response_ok; /* -1: absent */
	char *response;  /* retained reply JSON or NULL */
	char *error_code, *error_message, *error_hint;
};

struct rc_journal {
	pthread_mutex_t lock;
	struct entry entries[LIM_JOURNAL_ENTRIES]; /* least recently updated first */
	unsigned count;
};

static void entry_reset(struct entry *e, enum state state)
{
	free(e->response);
	free(e->error_code);
	free(e->error_message);
	free(e->error_hint);
	e->response = e->error_code = e->error_message = e->error_hint = NULL;
	e->response_ok = -1;
	e->state = state;
}

static void entry_done(struct entry *e)
{
	entry_reset(e, ACCEPTED);
	free(e->id);
}

struct rc_journal *rc_journal_new(void)
{
	struct rc_journal *j = calloc(1, sizeof(*j));

	if (j)
		pthread_mutex_init(&j->lock, NULL);
	return j;
}

void rc_journal_free(struct rc_journal *j)
{
	if (!j)
		return;
	for (unsigned i = 0; i < j->count; i++)
		entry_done(&j->entries[i]);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

static int find(const struct rc_journal *j, const char *id)
{
	for (unsigned i = j->count; i-- > 0;)
		if (strcmp(j->entries[i].id, id) == 0)
			return (int)i;
	return -1;
}

static void remove_at(struct rc_journal *j, unsigned i)
{
	memmove(&j->entries[i], &j->entries[i + 1], (j->count - i - 1) * sizeof(j->entries[0]));
	j->count--;
}

/* The entry of this id at the newest end, made when it is not there; NULL when memory ran out. */
static struct entry *touch(struct rc_journal *j, const char *id, enum wire_command command)
{
	int i = find(j, id);
	struct entry e = { .command = command, .response_ok = -1 };

	if (i >= 0) {
		e = j->entries[i];
		e.command = command;
		remove_at(j, (unsigned)i);
	} else {
		e.id = strdup(id);
		if (!e.id)
			return NULL;
		if (j->count == LIM_JOURNAL_ENTRIES) {
			entry_done(&j->entries[0]);
			remove_at(j, 0);
		}
	}
	j->entries[j->count] = e;
	return &j->entries[j->count++];
}

static void begin(struct rc_journal *j, const char *id, enum wire_command command, enum state state)
{
	if (!id)
		return;
	pthread_mutex_lock(&j->lock);
	struct entry *e = touch(j, id, command);
	if (e)
		entry_reset(e, state);
	pthread_mutex_unlock(&j->lock);
}

void rc_journal_accept(struct rc_journal *j, const char *id, enum wire_command command)
{
	begin(j, id, command, ACCEPTED);
}

void rc_journal_start(struct rc_journal *j, const char *id, enum wire_command command)
{
	begin(j, id, command, STARTED);
}

static char *copy(const char *s)
{
	return s ? strdup(s) : NULL;
}

/* The encoding to keep, or NULL when it is not to be kept. */
static char *retained(enum wire_command command, const json_t *reply)
{
	struct buf auto_buf text;

	buf_init(&text, LIM_JOURNAL_REPLY);
	if (!wire_command_traits(command)->retain_reply)
		return NULL;
	return jx_dump(reply, false, &text) ? buf_detach(&text) : NULL;
}

void rc_journal_finish(struct rc_journal *j, const char *id, enum wire_command command,
                       const json_t *reply)
{
	bool ok = json_is_true(json_object_get(reply, "ok"));
	const json_t *error = json_object_get(reply, "error");

	if (!id)
		return;
	char *response = retained(command, reply);
	pthread_mutex_lock(&j->lock);
	struct entry *e = touch(j, id, command);
	if (e) {
		entry_reset(e, ok ? COMPLETED : FAILED);
		e->response_ok = ok;
		e->response = TAKE(response);
		e->error_code = copy(jx_get_str(error, "code", NULL));
		e->error_message = copy(jx_get_str(error, "message", NULL));
		e->error_hint = copy(jx_get_str(error, "hint", NULL));
	}
	pthread_mutex_unlock(&j->lock);
	free(response);
}

void rc_journal_fail(struct rc_journal *j, const char *id, enum wire_command command,
                     const struct error *error)
{
	if (!id)
		return;
	pthread_mutex_lock(&j->lock);
	struct entry *e = touch(j, id, command);
	if (e) {
		entry_reset(e, FAILED);
		e->error_code = copy(error_code_name(error->code));
		e->error_message = copy(error->message);
		e->error_hint = copy(error_hint_text(error));
	}
	pthread_mutex_unlock(&j->lock);
}

json_t *rc_journal_status(struct rc_journal *j, const char *id)
{
	json_t *data = json_object();

	jx_set_str(data, "commandId", id);
	pthread_mutex_lock(&j->lock);
	int i = find(j, id);
	if (i < 0) {
		jx_set_str(data, "lifecycleState", "notAccepted");
	} else {
		const struct entry *e = &j->entries[i];

		jx_set_str(data, "lifecycleState", state_names[e->state]);
		jx_set_str(data, "lifecycleCommand", wire_command_traits(e->command)->name);
		if (e->response_ok >= 0)
			jx_set_bool(data, "lifecycleResponseOk", e->response_ok);
		jx_set_str(data, "lifecycleResponseJson", e->response);
		jx_set_str(data, "lifecycleErrorCode", e->error_code);
		jx_set_str(data, "lifecycleErrorMessage", e->error_message);
		jx_set_str(data, "lifecycleErrorHint", e->error_hint);
	}
	pthread_mutex_unlock(&j->lock);
	return data;
}

/* --- a mutation that arrives again ----------------------------------------------------------- */

static bool refused_unstarted(const struct entry *e)
{
	return e->error_code && (strcmp(e->error_code, "RUNNER_BUSY") == 0 ||
	                         strcmp(e->error_code, "RUNNER_WEDGED") == 0);
}

static json_t *ended_reply(const struct entry *e)
{
	struct error auto_error error = ERROR_INIT;

	if (e->response)
		return jx_parse(e->response, strlen(e->response), NULL);
	if (e->error_message) {
		error_set(&error, e->error_code ? error_code_from_name(e->error_code) : ERR_COMMAND_FAILED,
		          "%s", e->error_message);
		if (e->error_hint)
			error_hint(&error, "%s", e->error_hint);
	} else {
		error_set(&error, ERR_RUNNER_LOST_REPLY,
		          "this command id was carried out before and its reply was not kept");
	}
	error_reason(&error, "duplicate_command_id");
	return wire_reply_error(&error);
}

json_t *rc_journal_replay(struct rc_journal *j, const char *id, enum wire_command command)
{
	json_t *reply = NULL;

	if (!id)
		return NULL;
	pthread_mutex_lock(&j->lock);
	int i = find(j, id);
	if (i >= 0) {
		const struct entry *e = &j->entries[i];

		if (e->command == command && e->state >= COMPLETED && !refused_unstarted(e))
			reply = ended_reply(e);
	}
	pthread_mutex_unlock(&j->lock);
	return reply;
}
