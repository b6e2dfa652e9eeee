/* Whatever a request holds, masking it for the trace neither crashes nor grows without bound, and
 * a secret that follows its key is gone. */
#include "base/buf.h"
#include "daemon/redact.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char tail[] = " token=fuzzed-secret", secret[] = "fuzzed-secret";
	auto_buf struct buf in, out;
	buf_init(&in, 1 << 20);
	buf_init(&out, 16 << 20);
	for (size_t i = 0; i < size && i < 65536; i++)
		buf_addc(&in, data[i] ? (char)data[i] : '0');
	/* a quote that is open swallows what follows: then it is masked or text, not a key */
	bool quoted = memchr(data, '"', size) || memchr(data, '\'', size);
	buf_adds(&in, tail);
	dm_redact_text(in.data, &out);
	size_t n = strlen(secret);
	bool shown = out.len >= n && strcmp(out.data + out.len - n, secret) == 0;
	if (out.over || (shown && !quoted))
		abort();
	return 0;
}
