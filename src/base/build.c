#include "base/build.h"

#include "build_id.h"

const char *build_version(void)
{
	return DEFT_VERSION;
}

const char *build_id(void)
{
	return DEFT_BUILD_ID;
}
