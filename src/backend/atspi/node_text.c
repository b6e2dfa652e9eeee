/* Text of elements, read and written through Text and EditableText. Positions count characters,
 * InsertText's length counts bytes. What a password field holds is never asked for: its number of
 * characters is all that is read. */
#include "backend/atspi/node.h"

#include "base/number.h"
#include "base/utf8.h"

static bool secret(const struct atspi_node *n)
{
	return (n->flags & UI_PASSWORD) != 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

static int count_chars(struct atspi *a, struct call c, const struct atspi_node *n, uint32_t *ret,
                       struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int64_t count = 0;
	int r = node_property(a, c, n, ATSPI_I_TEXT, "CharacterCount", &m, e);

	if (r < 0)
		return r;
	if (!bus_read_variant_int(m, &count) || count < 0)
		count = 0;
	*ret = count < INT32_MAX ? (uint32_t)count : INT32_MAX;
	return 0;
}

int atspi_node_text(struct atspi *a, struct call c, const struct atspi_node *n, struct buf *out,
                    uint32_t *ret_chars, struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	const char *text;
	uint32_t chars;
	int r;

	if (!(n->ifaces & ATSPI_IF_TEXT))
		return error_set(e, ERR_INVALID_TARGET, "%s has no text of its own", node_words(n));
	r = count_chars(a, c, n, &chars, e);
	if (r < 0)
		return r;
	if (ret_chars)
		*ret_chars = chars;
	if (secret(n) || chars == 0)
		return 0;
	/* The count, not -1: GTK 4.8 answers "" to that. */
	r = bus_call(a->bus, c, node_target(n, ATSPI_I_TEXT, "GetText"), &m, e, "ii", 0,
	             (int32_t)(chars < LIM_TEXT ? chars : LIM_TEXT));
	if (r == 0 && sd_bus_message_read(m, "s", &text) > 0)
		buf_adds(out, text);
	return r;
}

int atspi_read_text(struct atspi *a, struct call c, const char *handle, struct buf *out,
                    struct error *e)
{
	struct atspi_node n;
	int r = atspi_node_find(a, c, handle, &n, e);

	if (r < 0)
		return r;
	if (secret(&n)) {
		error_set(e, ERR_UNSUPPORTED_OPERATION, "the text of a password field is not read");
		error_reason(e, "secret");
		return -ERR_UNSUPPORTED_OPERATION;
	}
	if (n.ifaces & ATSPI_IF_TEXT)
		r = atspi_node_text(a, c, &n, out, NULL, e);
	if (r == 0 && out->len == 0)
		buf_adds(out, n.label);
	return r;
}

/* --- checking --------------------------------------------------------------------------------- */

static int writable(const struct atspi_node *n, struct error *e)
{
	int r = atspi_node_enabled(n, e);

	if (r < 0)
		return r;
	if (!(n->ifaces & ATSPI_IF_EDITABLE_TEXT)) {
		error_set(e, ERR_UNSUPPORTED_OPERATION, "%s has no editable text", node_words(n));
		error_hint(e, "focus it and type keys instead");
		error_reason(e, "no_editable_text");
		return -ERR_UNSUPPORTED_OPERATION;
	}
	if (!(n->flags & UI_EDITABLE) || (n->flags & UI_READ_ONLY)) {
		error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s is read-only", node_words(n));
		error_reason(e, "read_only");
		return -ERR_ELEMENT_NOT_INTERACTABLE;
	}
	return 0;
}

/* Whether the element holds now what it should; actual gets what it holds. */
static int compare(struct atspi *a, struct call c, const struct atspi_node *n, const char *wanted,
                   struct buf *actual, bool *ret_equal, struct error *e)
{
	uint32_t chars = 0;
	int r;

	buf_reset(actual);
	r = atspi_node_text(a, c, n, actual, &chars, e);
	if (r == 0)
		*ret_equal = secret(n) ? chars == utf8_count(wanted) : strcmp(actual->data, wanted) == 0;
	return r;
}

static int read_back(struct atspi *a, struct call c, const struct atspi_node *n, const char *wanted,
                     bool *ret_verified, struct buf *out, struct error *e)
{
	struct deadline end = deadline_in(LIM_ATSPI_READ_BACK_MS);
	auto_buf struct buf actual;
	bool equal = false;
	int r;

	buf_init(&actual, LIM_TEXT * 4u + 1);
	for (;;) {
		r = compare(a, c, n, wanted, &actual, &equal, e);
		if (r < 0 || equal || deadline_over(end))
			break;
		r = clock_wait(NODE_POLL_MS, c.cancel, e);
		if (r == 0)
			r = call_check(c, "reading the text back", e);
		if (r < 0)
			break;
	}
	if (r < 0)
		return r;
	*ret_verified = equal;
	if (out && !secret(n))
		buf_add(out, actual.data, actual.len);
	return 0;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A call of EditableText that answers whether it was done. */
static int edit(struct atspi *a, struct call c, const struct atspi_node *n, sd_bus_message *m,
                struct error *e)
{
	auto_message sd_bus_message *reply = NULL;
	int done = 0, r;

	if (!m)
		return error_set(e, ERR_COMMAND_FAILED, "the text can't be sent");
	/* A long text takes a program a while. */
	r = bus_call_message(a->bus, c, n->peer, m, LIM_ATSPI_BULK_MS, &reply, e);
	if (r == 0 && (sd_bus_message_read(reply, "b", &done) <= 0 || !done)) {
		error_set(e, ERR_UNSUPPORTED_OPERATION, "%s refused the text", node_words(n));
		error_reason(e, "no_editable_text");
		return -ERR_UNSUPPORTED_OPERATION;
	}
	return r;
}

/* A spin button takes text and keeps its number until somebody presses Enter: set the number. */
static int set_number(struct atspi *a, struct call c, const struct atspi_node *n, const char *text,
                      bool *ret_verified, struct buf *out, struct error *e)
{
	double value;
	int r;

	if (!number_parse(text, &value)) {
		error_set(e, ERR_INVALID_ARGS, "%s takes a number", node_words(n));
		error_reason(e, "not_a_number");
		return -ERR_INVALID_ARGS;
	}
	r = node_value_set(a, c, n, value, e);
	if (r < 0)
		return r;
	*ret_verified = true;
	return out && (n->ifaces & ATSPI_IF_TEXT) ? atspi_node_text(a, c, n, out, NULL, e) : 0;
}

/* Behind what was written, so that the next piece follows it. Not every program does it by
 * itself. */
static int move_caret(struct atspi *a, struct call c, const struct atspi_node *n, uint32_t to,
                      struct error *e)
{
	int r = bus_call(a->bus, c, node_target(n, ATSPI_I_TEXT, "SetCaretOffset"), NULL, e, "i",
	                 (int32_t)to);

	if (r == -ERR_UNSUPPORTED_OPERATION) {
		error_clear(e);
		return 0;
	}
	return r;
}

int atspi_set_text(struct atspi *a, struct call c, const struct atspi_node *n, const char *text,
                   bool *ret_verified, struct buf *out, struct error *e)
{
	sd_bus_message *m;
	int r;

	if (n->role == ATSPI_ROLE_SPIN_BUTTON && (n->ifaces & ATSPI_IF_VALUE))
		return set_number(a, c, n, text, ret_verified, out, e);
	r = writable(n, e);
	if (r < 0)
		return r;
	m = bus_message(a->bus, node_target(n, ATSPI_I_EDITABLE, "SetTextContents"));
	if (m && sd_bus_message_append(m, "s", text) < 0)
		m = sd_bus_message_unref(m);
	r = edit(a, c, n, m, e);
	if (r == 0)
		r = read_back(a, c, n, text, ret_verified, out, e);
	if (r == 0 && *ret_verified)
		r = move_caret(a, c, n, (uint32_t)utf8_count(text), e);
	return r;
}

/* Where text typed now would go: at the caret of the focused element; at the end of another one,
 * whose caret nobody has placed. */
static int caret(struct atspi *a, struct call c, const struct atspi_node *n, uint32_t chars,
                 uint32_t *ret, struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int64_t at = -1;
	int r;

	*ret = chars;
	if (!(n->flags & UI_FOCUSED))
		return 0;
	r = node_property(a, c, n, ATSPI_I_TEXT, "CaretOffset", &m, e);

	if (r < 0 && r != -ERR_UNSUPPORTED_OPERATION)
		return r;
	error_clear(e);
	if (r == 0 && bus_read_variant_int(m, &at) && at >= 0 && at <= (int64_t)chars)
		*ret = (uint32_t)at;
	return 0;
}

/* What the element should hold afterwards; of a secret only the length is right. */
static void expect(struct buf *wanted, const struct atspi_node *n, const struct buf *before,
                   uint32_t chars, uint32_t at, const char *text)
{
	size_t split;

	if (secret(n)) {
		buf_fill(wanted, '*', chars);
		buf_adds(wanted, text);
		return;
	}
	split = utf8_offset(before->data, at);
	buf_add(wanted, before->data, split);
	buf_adds(wanted, text);
	buf_adds(wanted, before->data + split);
}

int atspi_insert_text(struct atspi *a, struct call c, const struct atspi_node *n, const char *text,
                      bool *ret_verified, struct buf *out, struct error *e)
{
	auto_buf struct buf before, wanted;
	uint32_t chars = 0, at = 0;
	sd_bus_message *m;
	int r = writable(n, e);

	buf_init(&before, LIM_TEXT * 4u + 1);
	buf_init(&wanted, LIM_TEXT * 8u + 1);
	if (r == 0)
		r = atspi_node_text(a, c, n, &before, &chars, e);
	if (r == 0)
		r = caret(a, c, n, chars, &at, e);
	if (r < 0)
		return r;
	expect(&wanted, n, &before, chars, at, text);
	m = bus_message(a->bus, node_target(n, ATSPI_I_EDITABLE, "InsertText"));
	if (m && sd_bus_message_append(m, "isi", (int32_t)at, text, (int32_t)strlen(text)) < 0)
		m = sd_bus_message_unref(m);
	r = edit(a, c, n, m, e);
	if (r == 0)
		r = read_back(a, c, n, wanted.data, ret_verified, out, e);
	if (r == 0 && *ret_verified)
		r = move_caret(a, c, n, at + (uint32_t)utf8_count(text), e);
	return r;
}
