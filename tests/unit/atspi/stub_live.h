/* Inside the stub: a program's objects as they are now, and the answers to calls on them. */
#ifndef DEFT_TEST_ATSPI_STUB_LIVE_H
#define DEFT_TEST_ATSPI_STUB_LIVE_H

#include "stub.h"

#include <pthread.h>
#include <stdatomic.h>
#include <systemd/sd-bus.h>

#define STUB_TEXT 4096

struct stub_live {
	struct stub_node node;
	char name[128];
	char text[STUB_TEXT];
	double value, late_value;
	unsigned late;
	int caret;
	bool removed;
};

/* A connection with a thread that serves it. */
struct stub_line {
	sd_bus *bus;
	pthread_t thread;
	int wake[2];
	atomic_bool stop, frozen;
	bool running;
};
/* handler: as for sd_bus_add_filter(); 1 answered (or swallowed), 0 not mine. */
bool stub_line_start(struct stub_line *l, const char *address, const char *own_name,
                     sd_bus_message_handler_t handler, void *ctx);
/* Starts the thread. */
void stub_line_run(struct stub_line *l);
void stub_line_stop(struct stub_line *l);

struct stub_app {
	struct stub_bus *on;
	struct stub_line line;
	struct stub_program program;
	struct stub_live *live;
	pthread_mutex_t lock;
	struct stub_seen seen;
	char bus_name[64];
};

/* All under the app's lock. */
struct stub_live *stub_find(struct stub_app *a, const char *id);
int stub_answer_accessible(struct stub_app *a, struct stub_live *o, sd_bus_message *m);
int stub_answer_other(struct stub_app *a, struct stub_live *o, sd_bus_message *m);
int stub_answer_cache(struct stub_app *a, sd_bus_message *m);
int stub_refuse(sd_bus_message *m, const char *name, const char *text);
bool stub_has(const char *list, const char *word);

#endif
