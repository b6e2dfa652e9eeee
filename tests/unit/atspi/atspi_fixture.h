/* What the tests on stub programs share. */
#ifndef DEFT_TEST_ATSPI_FIXTURE_H
#define DEFT_TEST_ATSPI_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/atspi/atspi.h"
#include "stub.h"

struct fx {
	struct stub_bus *bus;
	struct stub_app *app;
	struct atspi atspi;
	struct error e;
};

/* A bus for every test; a test starts its programs by itself. */
int fx_setup(void **state);
int fx_teardown(void **state);
struct call fx_call(void);
struct stub_app *fx_start(struct fx *f, const struct stub_program *p);
#define fx_program(f, table, toolkit_name, cache_kind)               \
	fx_start(f, &(struct stub_program){ "stub", toolkit_name, table, \
	                                    sizeof(table) / sizeof(*(table)), cache_kind })
/* The whole tree of the program under test (interactive_only false); fails the test on an error. */
void fx_snapshot(struct fx *f, struct ui_tree *ret);
/* The only node of this label; fails the test when there is none. */
const struct ui_node *fx_node(const struct ui_tree *t, const char *label);
bool fx_has(const struct ui_tree *t, const char *label);
/* The handle of the node of this label, read from a fresh snapshot; caller frees. */
char *fx_handle(struct fx *f, const char *label);
/* details.reason of the fixture's error. */
const char *fx_reason(const struct fx *f);

#endif
