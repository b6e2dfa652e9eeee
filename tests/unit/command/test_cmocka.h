/* cmocka with what it needs before it. */
#ifndef DEFT_TESTS_COMMAND_CMOCKA_H
#define DEFT_TESTS_COMMAND_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
