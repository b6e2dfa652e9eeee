/* A private D-Bus daemon with a stub accessibility registry and stub programs on it, each on a
 * thread of its own: the odd things that programs do, on demand. Programs are described by
 * tables. */
#ifndef DEFT_TEST_ATSPI_STUB_H
#define DEFT_TEST_ATSPI_STUB_H

#include "backend/atspi/app.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STUB_PATH "/org/a11y/atspi/accessible/"
#define S(name) (1ull << ATSPI_STATE_##name)
#define STUB_SHOWN (S(ENABLED) | S(SENSITIVE) | S(VISIBLE) | S(SHOWING))

enum stub_quirk {
	STUB_MUTE_CHILDREN = 1u << 0, /* never answers GetChildren */
	STUB_GONE = 1u << 1,          /* is listed as a child and does not exist */
	STUB_NO_PARENT = 1u << 2,     /* says that it has none */
	STUB_WHOLE = 1u << 3,         /* takes whole numbers only, rounded (a Qt int slider) */
	STUB_STUCK = 1u << 4,         /* takes a value and keeps its own */
	STUB_NO_EXTENTS = 1u << 5,    /* lists Component and refuses GetExtents */
	STUB_LOOP = 1u << 6,          /* has its own parent among its children */
	STUB_LATE = 1u << 7,          /* a set value shows at the third look */
	STUB_SHY = 1u << 8,           /* refuses everything but GetRole, GetState and GetChildren */
	STUB_NO_ROLE = 1u << 9,       /* refuses everything: no accessible object at all */
	STUB_GTK4_GONE = 1u << 10,    /* does not exist, as GTK 4 says it */
};

struct stub_node {
	const char *id;     /* path is STUB_PATH id; the first node of a table is a window */
	const char *parent; /* id; NULL: a top level */
	uint32_t role;
	const char *name;
	uint64_t states;
	const char *ifaces; /* "Component Value"; NULL: none */
	uint32_t quirks;    /* enum stub_quirk */
	int32_t rect[4];
	double min, max, step, value;
	const char *text;    /* content of Text */
	const char *actions; /* "click toggle": machine names */
	const char *description;
	const char *accessible_id; /* the property is refused unless the first node has one */
	const char *labelled_by;   /* id */
	const char *at_point;      /* id of what GetAccessibleAtPoint answers */
	/* So many more, made up ("x0", "x1", …), which look like the node "extra"; the one in the
	 * middle is the one at every point. */
	uint32_t extra_children;
};

enum stub_cache {
	STUB_CACHE_REFUSED,   /* no Cache interface (GTK 3 before anybody has asked for events) */
	STUB_CACHE_EMPTY_OLD, /* an empty list of the old form (Qt 5) */
	STUB_CACHE_NEW,
	STUB_CACHE_OLD,   /* the old form, filled */
	STUB_CACHE_HOLES, /* every third object is missing */
	STUB_CACHE_STALE, /* the third object's place is taken by one that is gone */
};

struct stub_program {
	const char *name, *toolkit;
	const struct stub_node *nodes;
	size_t n;
	enum stub_cache cache;
};

/* What was seen of a program's traffic. */
struct stub_seen {
	unsigned get_all;        /* Properties.GetAll: must stay 0 */
	unsigned password_reads; /* GetText of a role 40 object: must stay 0 */
	unsigned actions;        /* DoAction */
	char action[64];         /* its last one: "id/name" */
	char set_signature[16];  /* of the last Properties.Set */
	char set_type[16];       /* what was in its variant */
	unsigned sets;
	int insert_at, insert_bytes; /* of the last InsertText */
	char selected[64];           /* "id/index" of the last SelectChild */
	unsigned calls;
};

struct stub_bus;
struct stub_app;

/* Starts the daemon and the registry and points AT_SPI_BUS_ADDRESS to it. NULL: no dbus-daemon. */
struct stub_bus *stub_bus_start(void);
void stub_bus_stop(struct stub_bus *b);
const char *stub_bus_address(const struct stub_bus *b);
/* The registry answers an empty list this many times first. */
void stub_bus_empty_first(struct stub_bus *b, unsigned times);
/* The registry swallows calls from now on. */
void stub_bus_mute(struct stub_bus *b);

struct stub_app *stub_app_start(struct stub_bus *b, const struct stub_program *p);
void stub_app_stop(struct stub_app *a); /* leaves the bus, as a program that has ended */
/* The thread stops looking at its connection, as a program under SIGSTOP. */
void stub_app_freeze(struct stub_app *a, bool frozen);
const char *stub_app_bus(const struct stub_app *a);
struct stub_seen stub_app_seen(struct stub_app *a);
/* Changes of a living program; id as in the table. */
void stub_app_set_role(struct stub_app *a, const char *id, uint32_t role);
void stub_app_set_name(struct stub_app *a, const char *id, const char *name);
void stub_app_set_states(struct stub_app *a, const char *id, uint64_t states);
void stub_app_set_caret(struct stub_app *a, const char *id, int caret);
void stub_app_remove(struct stub_app *a, const char *id);
/* Copies what a node holds now; size bytes. */
void stub_app_text(struct stub_app *a, const char *id, char *out, size_t size);
double stub_app_value(struct stub_app *a, const char *id);

#endif
