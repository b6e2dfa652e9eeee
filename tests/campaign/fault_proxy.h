/* A loopback line that fails on purpose: between a client and a runner, one HTTP exchange after the
 * other, each message read whole and then passed on as a fault says.
 *
 * Faults are planned before a command is sent and wait for their exchange: `skip` exchanges pass
 * unharmed first. What is planned and not met is forgotten with the next plan.
 *
 * THREADS: the proxy has threads of its own; its functions belong to one thread, but for the notice. */
#ifndef DEFT_TESTS_CAMPAIGN_FAULT_PROXY_H
#define DEFT_TESTS_CAMPAIGN_FAULT_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(NAME, text). "at" is a byte position of the request or of the reply. */
#define FAULT_KINDS(X)                                                                         \
	X(NONE, "none")                                                                            \
	X(REFUSE, "refuse")       /* nobody listens for ms; kept connections are closed */         \
	X(SLAM, "slam")           /* reset before a byte was read */                               \
	X(CUT, "cut")             /* both connections closed at a byte */                          \
	X(RESET, "reset")         /* both reset at a byte */                                       \
	X(TRUNCATE, "truncate")   /* the receiver sees an orderly end at a byte */                 \
	X(DELAY, "delay")         /* the rest comes ms later */                                    \
	X(STALL, "stall")         /* the rest never comes; ends when the client gives up */        \
	X(LATE, "late")           /* the rest comes once the client has given up */                \
	X(REORDER, "reorder")     /* request: after the next exchange of another connection;     \
	                             reply: with the next reply of the connection, swapped */ \
	X(DUPLICATE, "duplicate") /* the message comes twice */                                    \
	X(CORRUPT, "corrupt")     /* one byte is another one */                                    \
	X(KILL, "kill")           /* the runner is killed at a byte */                             \
	X(CANCEL, "cancel")       /* the caller gives up at a byte */

enum fault_kind {
#define FAULT_ENUM(name, text) FAULT_##name,
	FAULT_KINDS(FAULT_ENUM)
#undef FAULT_ENUM
	    FAULT_COUNT
};

const char *fault_name(enum fault_kind kind);

enum fault_side { ON_REQUEST, ON_REPLY };

struct fault {
	enum fault_kind kind;
	enum fault_side side;
	unsigned skip; /* exchanges before it */
	uint32_t at;   /* modulo the message's length (+ 1 where all of it may pass) */
	uint8_t mask;  /* CORRUPT: what is flipped, not 0 */
	int ms;        /* DELAY, REFUSE */
};

enum { FAULTS_PLANNED = 2 };

struct fault_proxy;

/* Called from a thread of the proxy at the moment of a KILL or CANCEL. */
typedef void fault_notice(void *ctx, enum fault_kind kind);

/* Listens on a port of its own and passes on to 127.0.0.1:to_port. NULL: no sockets or threads. */
struct fault_proxy *fault_proxy_new(uint16_t to_port, fault_notice *notice, void *ctx);
uint16_t fault_proxy_port(const struct fault_proxy *p);
/* Ends every connection and thread. */
void fault_proxy_free(struct fault_proxy *p);

/* From now on; a fault of kind FAULT_NONE is no fault. */
void fault_proxy_plan(struct fault_proxy *p, const struct fault faults[FAULTS_PLANNED]);
/* Which of the planned faults have struck: bit i for faults[i]. */
unsigned fault_proxy_struck(struct fault_proxy *p);
/* Nothing is held back any more; returns when every exchange has come to its end: answered, or left by
 * its client. */
void fault_proxy_flush(struct fault_proxy *p);

struct fault_figures {
	uint64_t connections, exchanges, struck[FAULT_COUNT];
};
struct fault_figures fault_proxy_figures(struct fault_proxy *p);

#endif
