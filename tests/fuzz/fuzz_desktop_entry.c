/* Desktop entries come from any package: parsing and the command line must stand any bytes. */
#include "backend/atspi/desktop_entry.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const args[] = { "/a b", "http://x/?a=1&b=2", "" };
	struct desktop_entry d = { NULL };
	if (desktop_entry_parse((const char *)data, size, &d, NULL) < 0)
		return 0;
	for (size_t n = 0; n <= 3; n++) {
		char **argv = NULL;
		if (desktop_entry_argv(&d, n ? args : NULL, n, &argv, NULL) == 0) {
			assert(argv && argv[0]);
			desktop_argv_free(argv);
		} else {
			assert(!argv);
		}
	}
	desktop_entry_done(&d);
	return 0;
}
