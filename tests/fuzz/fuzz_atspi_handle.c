/* Element handles come back from the caller: what parses must print as the same text. */
#include "backend/atspi/atspi.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct atspi_handle h, again;
	struct buf out;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	buf_init(&out, 1024);
	if (atspi_handle_parse(text, &h, NULL) == 0) {
		if (atspi_handle_format(&h, &out) < 0 || atspi_handle_parse(out.data, &again, NULL) < 0)
			abort();
		if (again.role != h.role || again.parent_hash != h.parent_hash ||
		    strcmp(again.path, h.path) != 0 || strcmp(again.bus, h.bus) != 0 ||
		    strcmp(again.bus_id, h.bus_id) != 0)
			abort();
	}
	buf_done(&out);
	free(text);
	return 0;
}
