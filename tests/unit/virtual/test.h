/* What the tests of the virtual device share. */
#ifndef DEFT_TESTS_UNIT_VIRTUAL_TEST_H
#define DEFT_TESTS_UNIT_VIRTUAL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/virtual/import.h"

#ifndef DEFT_SCENES_DIR
#error "meson passes the folder of the bundled scenes"
#endif

#endif
