/* The accessibility bus, as the reading half sees it: one connection to the bus, one direct
 * connection to each program that offers it, and pipelined calls over both.
 *
 * A peer is a program on the bus, known by its unique name; it outlives the command, so that what
 * never changes (pid, toolkit, direct address) is asked once. A peer that does not answer is
 * "silent": further calls to it fail at once until a probe has been answered.
 *
 * Executor thread only. */
#ifndef DEFT_BACKEND_ATSPI_BUS_H
#define DEFT_BACKEND_ATSPI_BUS_H

#include "backend/atspi/atspi.h"
#include "base/cleanup.h"
#include "base/limits.h"

#include <systemd/sd-bus.h>

#define ATSPI_REGISTRY "org.a11y.atspi.Registry"
#define ATSPI_ROOT "/org/a11y/atspi/accessible/root"
#define ATSPI_NULL "/org/a11y/atspi/null"
#define ATSPI_CACHE_PATH "/org/a11y/atspi/cache"
#define ATSPI_I_ACCESSIBLE "org.a11y.atspi.Accessible"
#define ATSPI_I_ACTION "org.a11y.atspi.Action"
#define ATSPI_I_APPLICATION "org.a11y.atspi.Application"
#define ATSPI_I_CACHE "org.a11y.atspi.Cache"
#define ATSPI_I_COMPONENT "org.a11y.atspi.Component"
#define ATSPI_I_EDITABLE "org.a11y.atspi.EditableText"
#define ATSPI_I_REGISTRY "org.a11y.atspi.Registry"
#define ATSPI_I_SELECTION "org.a11y.atspi.Selection"
#define ATSPI_I_TEXT "org.a11y.atspi.Text"
#define ATSPI_I_VALUE "org.a11y.atspi.Value"
#define DBUS_I_PROPERTIES "org.freedesktop.DBus.Properties"

/* One sd-bus connection. */
struct bus_conn {
	sd_bus *bus;
	unsigned in_flight;
	bool lost; /* the other side is gone; every call fails with BUS_GONE */
};

/* Whether a program's Cache.GetItems is of use. */
enum bus_cache { BUS_CACHE_UNTRIED, BUS_CACHE_GOOD, BUS_CACHE_NONE };

struct atspi_peer {
	struct atspi_peer *next;
	char bus[64];
	char root[256];          /* path of its root object, "" unknown */
	struct bus_conn *direct; /* NULL: calls go over the bus */
	enum bus_cache cache;
	unsigned cache_refusals;
	enum bus_ids { BUS_IDS_UNTRIED, BUS_IDS_YES, BUS_IDS_NO } ids; /* has Accessible.AccessibleId */
	bool silent, gone;
	int64_t heard_ms;      /* last answer of any kind */
	uint64_t heard_serial; /* the newest of the calls that were answered */
	bool listed;           /* seen in the registry's last list */
	unsigned unlisted;     /* in so many lists in a row it was not */
	/* Facts that do not change while the program lives. */
	bool facts;
	pid_t pid;
	char comm[32], name[64], toolkit_name[32], toolkit_version[32];
	enum atspi_toolkit toolkit;
	double scale;           /* pixels of the X server in one of the program's; 0: not known yet */
	struct bus_word *words; /* machine names of actions, by what GetActions shows */
};

struct bus_job;
/* Frees one job of the free list; returns the next. */
struct bus_job *bus_job_free(struct bus_job *j);
void bus_words_free(struct bus_word *w);
void atspi_apps_clear(struct atspi_apps *apps);

struct atspi_bus {
	struct bus_conn main;
	char id[17];                        /* of this bus's GUID */
	struct atspi_peer registry, daemon; /* org.a11y.atspi.Registry, org.freedesktop.DBus */
	struct atspi_peer *peers;
	unsigned n_peers;
	struct atspi_apps apps;
	struct bus_job *free_jobs;
	uint64_t serial;
};

/* --- address and connection ------------------------------------------------------------------ */

/* The address of the accessibility bus; typed errors as atspi_bus_connect(). */
int bus_address_find(struct x11 *x11, struct call c, struct buf *out, struct error *e);
/* Connects and shakes hands. bus_client: a message bus (Hello), else a direct connection.
 * -ERR_TIMEOUT, -ERR_CANCELED, or -ERR_IO_ERROR with the system's reason. */
int bus_conn_open(struct bus_conn *ret, const char *address, bool bus_client, struct call c,
                  struct error *e);
void bus_conn_close(struct bus_conn *conn);
/* The peer of a unique name, made when new. NULL: LIM_ATSPI_PEERS met, or memory ran out. */
struct atspi_peer *bus_peer(struct atspi_bus *b, const char *name);
void bus_peer_free(struct atspi_peer *p);
/* Opens the direct connection when the program offers one; tried once per peer. `address` is
 * what GetApplicationBusAddress said. Failure is not an error: the bus is used. */
void bus_peer_go_direct(struct atspi_bus *b, struct atspi_peer *p, const char *address,
                        struct call c);
/* The patience for the first call of a command to this peer: 0 (the usual). One that was silent
 * before gets another chance, but only LIM_ATSPI_PROBE_MS of it. */
int64_t bus_peer_patience(struct atspi_peer *p);
/* Copies text into a field, cut at a character boundary. NULL gives "". */
void bus_copy(char *to, size_t size, const char *from);

/* --- pipelined calls ------------------------------------------------------------------------- */

enum bus_outcome {
	BUS_OK,
	BUS_NO_ANSWER, /* the program, or this one object, does not answer */
	BUS_GONE,      /* no such object (any more), or the program is gone */
	BUS_REFUSED,   /* an error reply: interface, method or property missing, or failed */
};

/* An answer. m: the reply (BUS_OK), the error reply (BUS_REFUSED, BUS_GONE) or NULL; borrowed.
 * Called inside bus_pipe_call()/bus_pipe_wait(); must not make calls itself. */
typedef void bus_answer_fn(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m);

/* A run of calls, on the stack. Up to LIM_ATSPI_PIPELINE are in flight on a connection; the next
 * one waits for room. Answers come in any order. */
struct bus_pipe {
	struct atspi_bus *bus;
	struct call call;
	struct bus_job *first, *last; /* in flight, in the order they were sent */
};

struct bus_target {
	struct atspi_peer *peer;
	const char *path, *iface, *member; /* used during the call only */
};

void bus_pipe_init(struct bus_pipe *p, struct atspi_bus *b, struct call c);
/* Drops what is still in flight; answers that come later are ignored. */
void bus_pipe_done(struct bus_pipe *p);
#define auto_pipe __attribute__((cleanup(bus_pipe_done)))
/* Sends one call. Failures of the call itself go to fn; the return value is about the whole run:
 * 0, -ERR_TIMEOUT, -ERR_CANCELED, -ERR_DEVICE_UNAVAILABLE (the bus is gone). patience_ms: how long
 * the peer may take without answering anything. */
int bus_pipe_call(struct bus_pipe *p, struct bus_target t, int64_t patience_ms, bus_answer_fn *fn,
                  void *ctx, uint32_t tag, struct error *e, const char *types, ...);
/* The same with a finished message (taken over). */
int bus_pipe_send(struct bus_pipe *p, struct atspi_peer *peer, sd_bus_message *m,
                  int64_t patience_ms, bus_answer_fn *fn, void *ctx, uint32_t tag, struct error *e);
/* A method call message for a peer, to be filled; NULL: memory ran out. */
sd_bus_message *bus_message(struct atspi_bus *b, struct bus_target t);
/* Until everything is answered. */
int bus_pipe_wait(struct bus_pipe *p, struct error *e);

/* A failed call as a typed error; 0 for BUS_OK. */
int bus_outcome_error(enum bus_outcome outcome, const struct atspi_peer *peer, sd_bus_message *m,
                      struct error *e);
/* One call on its own. *ret_m (may be NULL) is the reply, to be unref'd. BUS_GONE is
 * -ERR_ELEMENT_STALE, BUS_NO_ANSWER -ERR_APP_NOT_RESPONDING, BUS_REFUSED
 * -ERR_UNSUPPORTED_OPERATION with the program's own words in details.dbus. */
int bus_call(struct atspi_bus *b, struct call c, struct bus_target t, sd_bus_message **ret_m,
             struct error *e, const char *types, ...);
/* The same with a finished message (taken over); patience_ms 0: the usual. */
int bus_call_message(struct atspi_bus *b, struct call c, struct atspi_peer *peer, sd_bus_message *m,
                     int64_t patience_ms, sd_bus_message **ret_m, struct error *e);

static inline void bus_message_cleanup(sd_bus_message **m)
{
	sd_bus_message_unref(*m);
}
#define auto_message __attribute__((cleanup(bus_message_cleanup)))

/* --- reading replies (all bounded, all safe on replies of a wrong type) ----------------------- */

bool bus_read_variant_double(sd_bus_message *m, double *ret); /* v of d (or an integer type) */
bool bus_read_variant_int(sd_bus_message *m, int64_t *ret);
bool bus_read_variant_string(sd_bus_message *m, const char **ret); /* borrowed from m */
bool bus_read_states(sd_bus_message *m, uint64_t *ret);            /* au */
bool bus_read_ifaces(sd_bus_message *m, uint32_t *ret);            /* as */
bool bus_read_object(sd_bus_message *m, const char **ret_bus, const char **ret_path); /* (so) */
/* The first LABELLED_BY target of a relation set, "" when there is none. */
void bus_read_labelled_by(sd_bus_message *m, char *ret_path, size_t size);
uint32_t bus_iface_bit(const char *name);

#endif
