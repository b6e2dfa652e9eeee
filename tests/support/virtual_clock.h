/* Time that only moves when it is told to, so that tests never wait. */
#ifndef DEFT_TESTS_VIRTUAL_CLOCK_H
#define DEFT_TESTS_VIRTUAL_CLOCK_H

#include <stdint.h>

void virtual_clock_use(int64_t now_ms); /* from now on, process-wide */
void virtual_clock_advance(int64_t ms);
int64_t virtual_clock_now(void);
void virtual_clock_leave(void); /* the real clock again */

#endif
