#include "command/text_entry.h"

#include "base/jx.h"
#include "base/utf8.h"
#include "command/shared.h"

int text_entry_check(const char *text, struct error *e)
{
	size_t n = utf8_count(text);

	if (n <= LIM_TEXT)
		return 0;
	error_set(e, ERR_LIMIT_EXCEEDED, "the text has %zu characters, more than %d", n, LIM_TEXT);
	return error_hint(e,
	                  "enter it in parts: the first with `deft fill`, the others with `deft type`");
}

void text_entry_request(json_t *request, const struct dm_request *rq, const char *mode)
{
	jx_set_str(request, "text", jx_get_str(rq->args, "text", ""));
	jx_set_str(request, "textEntryMode", mode);
	if (json_object_get(rq->args, "delayMs"))
		jx_set_int(request, "delayMs", jx_get_int(rq->args, "delayMs", 0));
}

void text_entry_result(json_t *data, const char *lead, const char *text, const json_t *reply)
{
	size_t n = utf8_count(text);
	bool secret = jx_get_bool(reply, "secret", false);
	bool verified = jx_get_bool(reply, "verified", false);
	const char *proof = verified ? ", read back" : "; unverified: the field can't be read back";

	if (secret)
		proof = verified ? "; a secret: only its length was compared"
		                 : "; unverified: a secret can't be read back";
	jx_set_int(data, "chars", (json_int_t)n);
	jx_set_bool(data, "verified", verified);
	if (secret)
		jx_set_bool(data, "secret", true);
	jx_set_str(data, "route",
	           jx_get_str(reply, "route", jx_get_str(reply, "textEntryRoute", NULL)));
	cmd_message(data, "%s %zu char%s%s", lead, n, n == 1 ? "" : "s", proof);
}
