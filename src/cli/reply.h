/* What a command came back with, whoever answered it: the daemon or the front end itself. */
#ifndef DEFT_CLI_REPLY_H
#define DEFT_CLI_REPLY_H

#include <jansson.h>

struct cli_reply {
	json_t *data; /* object; what --json prints */
	char *text;   /* what else is printed; NULL: the data as JSON */
};

void cli_reply_done(struct cli_reply *r);
#define auto_reply __attribute__((cleanup(cli_reply_done)))

#endif
