/* Lines of the daemon's protocol, from either side. What was read can be answered, and the answer is
 * one line. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/envelope.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool promise)
{
	if (!promise)
		abort();
}

static void must_be_one_line(json_t *stolen)
{
	struct buf auto_buf out;

	buf_init(&out, LIM_ENVELOPE_LINE);
	must(jx_dump(stolen, false, &out));
	must(!memchr(out.data, '\n', out.len));
	json_decref(stolen);
}

static void read_call(const char *line, size_t len)
{
	struct error auto_error e = ERROR_INIT;
	struct wire_call c;

	if (wire_call_parse(line, len, &c, &e) < 0) {
		must(e.code == ERR_INVALID_ARGS && e.message);
		must_be_one_line(wire_response_error("", &e));
		return;
	}
	must(c.id && json_is_object(c.args) && (c.is_cancel || c.command));
	must(c.deadline_ms >= 0 && c.deadline_ms <= LIM_REQUEST_MAX_MS && c.width >= 0);
	must_be_one_line(wire_response_ok(c.id, json_incref(c.args)));
	must_be_one_line(wire_progress(c.id, c.is_cancel ? "cancel" : c.command, c.width, -1));
	wire_call_done(&c);
}

static void read_hello(const char *line, size_t len)
{
	auto_json
	json_t *j = jx_parse(line, len, NULL);
	struct wire_hello h;

	if (wire_hello_parse(j, &h, NULL) == 0)
		must(h.protocol > 0 && h.version && h.build);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_call((const char *)data, size);
	read_hello((const char *)data, size);
	return 0;
}
