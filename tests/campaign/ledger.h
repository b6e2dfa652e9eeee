/* What a runner itself told of each command id: its log, read from outside. The virtual runner's log
 * (DEFT_LOG=debug) has one line for each command accepted and one for each carried out, so that a
 * command carried out twice is seen twice, also when its runner is gone.
 *
 * Not thread-safe: one ledger per session. */
#ifndef DEFT_TESTS_CAMPAIGN_LEDGER_H
#define DEFT_TESTS_CAMPAIGN_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

struct ledger;

struct ledger_entry {
	char id[64];
	char command[24];
	int accepted, done, refused; /* done: carried out, ok; refused: answered with an error */
	unsigned runner;             /* the how manieth runner told of it last */
};

struct ledger *ledger_new(const char *log_path);
void ledger_free(struct ledger *l);
/* From here on it is another runner that tells. */
void ledger_next_runner(struct ledger *l);
/* Reads what was written since. */
void ledger_update(struct ledger *l);
/* NULL: this id was never heard of. */
const struct ledger_entry *ledger_find(const struct ledger *l, const char *id);
int ledger_done(const struct ledger *l, const char *id);
/* How often this command was carried out by the present runner; with `tried` also when it failed. */
int ledger_done_now(const struct ledger *l, const char *command, bool tried);
/* For each entry. */
const struct ledger_entry *ledger_at(const struct ledger *l, size_t i);

#endif
