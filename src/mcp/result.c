#include "mcp/result.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "mcp/image.h"
#include "mcp/text.h"

#include <string.h>
#include <unistd.h>

/* Room in the text for what is said after a cut: notices, marks. */
enum { TAIL = 2048 };

static json_t *text_content(const char *text)
{
	json_t *c = json_object();
	jx_set_str(c, "type", "text");
	jx_set_str(c, "text", text);
	return c;
}

static void add_notices(struct buf *b, const json_t *notices)
{
	size_t i;
	json_t *line;
	json_array_foreach(notices, i, line) if (json_is_string(line))
	    buf_addf(b, "Note: %s\n", json_string_value(line));
}

/* The picture a result names, or its reduced copy (data.preview, ours to remove); one that can't be
 * sent leaves a line that says why. */
static json_t *image_of(const struct cmd_spec *spec, const json_t *data, struct buf *text)
{
	auto_error struct error e = ERROR_INIT;
	json_t *reduced = json_object_get(data, "preview");
	const char *preview = jx_get_str(reduced, "path", NULL);
	const char *path = preview ? preview : jx_get_str(data, "path", NULL);
	json_t *image = NULL;
	if (!(spec->traits & CMD_IMAGE) || !path)
		return NULL;
	if (mcp_image_content(path, &image, &e) < 0)
		buf_addf(text, "[picture not shown: %s]\n", e.message);
	if (preview)
		unlink(preview);
	json_object_del(reduced, "path");
	return image;
}

/* Structured data where it fits beside the text. */
static void set_structured(json_t *result, json_t *data, struct buf *text)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_MCP_TEXT);
	if (jx_dump(data, false, &b) && b.len + text->len <= LIM_MCP_TEXT)
		json_object_set(result, "structuredContent", data);
	else
		buf_addf(text, "[structured data left out: with the text it is over %u bytes]\n",
		         LIM_MCP_TEXT);
}

static json_t *make_result(json_t *content_stolen, bool is_error)
{
	json_t *r = json_object();
	jx_set(r, "content", content_stolen);
	jx_set_bool(r, "isError", is_error);
	return r;
}

json_t *mcp_result_ok(const struct cmd_spec *spec, const json_t *response, enum mcp_version v)
{
	json_t *data = json_object_get(response, "data");
	const char *shown = jx_get_str(response, "text", NULL);
	auto_buf struct buf text, json;
	buf_init(&text, LIM_MCP_TEXT + LIM_ERROR_TEXT);
	buf_init(&json, LIM_ENVELOPE_LINE);
	if (!shown)
		jx_dump(data, true, &json);
	mcp_add_cut_text(&text, shown ? shown : json.data, LIM_MCP_TEXT - TAIL, spec);
	add_notices(&text, json_object_get(response, "notices"));
	json_t *content = json_array();
	json_t *result = make_result(content, false);
	json_t *image = image_of(spec, data, &text);
	if (mcp_has_structured(v) && json_is_object(data))
		set_structured(result, data, &text);
	else if (json_object_get(data, "action_id")) /* an envelope is the answer itself */
		jx_dump(data, true, &text);
	json_array_append_new(content, text_content(text.data));
	if (image)
		json_array_append_new(content, image);
	return result;
}

/* --- errors ------------------------------------------------------------------------------------- */

/* The candidates of an ambiguous target; details.matches counts those not named, too. */
static void add_candidates(struct buf *b, const json_t *details)
{
	const json_t *lines = json_object_get(details, "candidates");
	int64_t n = (int64_t)json_array_size(lines), all = jx_get_int(details, "matches", n);
	size_t i;
	json_t *line;
	if (n > 0)
		buf_adds(b, "Candidates:\n");
	json_array_foreach(lines, i, line)
	    buf_addf(b, "  %s\n", json_is_string(line) ? json_string_value(line) : "?");
	if (n > 0 && all > n)
		buf_addf(b, "  +%lld more\n", (long long)(all - n));
}

json_t *mcp_result_error(const struct error *e, enum mcp_version v)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_MCP_TEXT);
	buf_addf(&text, "Error (%s): %s\n", error_code_name(e->code), e->message);
	add_candidates(&text, e->details);
	buf_addf(&text, "Hint: %s\n", error_hint_text(e));
	json_t *content = json_array();
	json_t *result = make_result(content, true);
	/* An action that answers in an envelope does so when it fails, too. */
	json_t *envelope = json_object_get(e->details, "envelope");
	if (mcp_has_structured(v)) {
		auto_json json_t *error = envelope ? json_incref(envelope) : error_to_json(e);
		set_structured(result, error, &text);
	} else if (envelope) {
		jx_dump(envelope, true, &text);
	}
	json_array_append_new(content, text_content(text.data));
	return result;
}
