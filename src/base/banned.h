/* Calls that do not compile in deft. Included by force (meson.build) into every source of src/ and
 * runners/. Strings are built in struct buf, processes are started by proc.h, waiting is done on
 * descriptors with a deadline. */
#ifndef DEFT_BASE_BANNED_H
#define DEFT_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strncat strtok
#pragma GCC poison system popen atof atoi atol gets sleep usleep

#endif
