/* The identity of a former build, for the program deftd-fake-old. */
#include "base/build.h"

const char *build_version(void)
{
	return "0.0.9";
}

const char *build_id(void)
{
	return "0123456789ab";
}
