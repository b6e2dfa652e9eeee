/* A scripted backend for tests of the runner core: one window of fixed elements, everything it was
 * asked to do counted and noted, and a gate that makes an operation hang until a test lets it go.
 *
 *   handle    role            place             says
 *   save      button          20,20 100x40      "Save"
 *   off       button          20,80 100x40      "Off", disabled
 *   below     button          20,900 100x40     "Below", outside of the window
 *   under     button          20,140 100x40     "Under", covered by "Cookie banner"
 *   nowhere   button          no place          "Nowhere", has a semantic action
 *   nothing   button          no place          "Nothing", no semantic action
 *   name      text-field      20,200 200x30     "Name", editable
 *   digits    text-field      20,240 200x30     "Digits", keeps digits only
 *   silent    text-field      20,280 200x30     "Silent", can't be read back
 *   secret    password-field  20,320 200x30     "Secret"
 *   fixed     text-field      20,360 200x30     "Fixed", read-only, holds "as it is"
 *   volume    slider          20,400 200x20     "Volume", 0..1 step 0.25 at 0.5
 *   list      scroll-area     20,440 300x200    "List", scrolls to 1000
 *   twin1/2   button          20,660 / 140,660  "Twin"
 *   gone      —               locate says ELEMENT_STALE
 */
#ifndef TESTS_FAKE_BACKEND_H
#define TESTS_FAKE_BACKEND_H

#include "runner/backend.h"

#include <pthread.h>
#include <stdatomic.h>

#define FAKE_WIDTH 400
#define FAKE_HEIGHT 800
#define FAKE_LOG 4096

struct fake_backend {
	struct rb_backend head;
	struct rb_ops ops; /* a copy: a test may take operations away */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool gate_closed; /* tap waits at the gate */
	bool deaf;        /* … and does not listen to its cancellation and deadline */
	int at_gate;      /* taps that wait */
	atomic_int taps, drags, closed, snapshots, prepared, describes;
	atomic_int fail_snapshots; /* so many next snapshots are -ERR_DEVICE_UNAVAILABLE */
	int fail_tap_number;       /* this tap (1…) is -ERR_UNSUPPORTED_OPERATION; 0: none */
	bool overlapped;           /* two operations ran at once: the contract was broken */
	atomic_int inside;
	char log[FAKE_LOG]; /* "tap 70,40 n=1 h=0 save;…"; read it while nothing runs */
	char name[256], digits[256], secret[256];
	double volume, offset;
	char focus[32];
	int64_t device_ms; /* of fake_idle() */
};

/* Ready to be given to rc_start(); close() frees what it holds, not the struct. */
void fake_init(struct fake_backend *f);
void fake_close_gate(struct fake_backend *f, bool deaf);
void fake_open_gate(struct fake_backend *f);
/* The idle operation; not there unless a test puts it into ops: then the fake has a clock of its own. */
int fake_idle(struct rb_backend *b, struct call c, int64_t ms, int64_t *ret_now_ms,
              struct error *e);
/* Waits until an operation is held at the gate. */
void fake_wait_at_gate(struct fake_backend *f);
void fake_clear_log(struct fake_backend *f);

#endif
