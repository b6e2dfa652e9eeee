#include "cli/out.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define RED "\033[31m"
#define BOLD "\033[1m"
#define RESET "\033[0m"
#define CLEAR_LINE "\r\033[K"

void cli_reply_done(struct cli_reply *r)
{
	json_decref(r->data);
	free(r->text);
	*r = (struct cli_reply){ 0 };
}

int cli_write(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		} else if (n < 0 && errno != EINTR) {
			return errno;
		} else if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* Text that may come from a screen, without what would steer the terminal. */
static void add_plain(struct buf *b, const char *text)
{
	if (!text)
		return;
	auto_free char *plain = utf8_repair(text, strlen(text), LIM_CLI_OUTPUT, NULL);
	buf_adds(b, plain ? plain : "");
}

static void clear_progress(struct cli_out *o)
{
	if (o->line_open)
		cli_write(STDERR_FILENO, CLEAR_LINE, strlen(CLEAR_LINE));
	o->line_open = false;
}

static void to_stderr(struct cli_out *o, const struct buf *b)
{
	clear_progress(o);
	cli_write(STDERR_FILENO, b->data, b->len);
}

void cli_out_notice(struct cli_out *o, const char *line)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_CLI_OUTPUT);
	add_plain(&b, line);
	buf_addc(&b, '\n');
	to_stderr(o, &b);
}

void cli_out_progress(struct cli_out *o, const char *message, int64_t done, int64_t total)
{
	if (!o->term.progress)
		return;
	auto_buf struct buf b;
	buf_init(&b, LIM_ERROR_TEXT);
	add_plain(&b, message);
	if (done >= 0 && total > 0)
		buf_addf(&b, " (%lld/%lld)", (long long)done, (long long)total);
	to_stderr(o, &b);
	o->line_open = true;
}

/* The candidates of an ambiguous target; details.matches counts those not named, too. */
static void add_candidates(struct buf *b, const json_t *details)
{
	const json_t *lines = json_object_get(details, "candidates");
	size_t n = json_array_size(lines);
	size_t shown = n < CLI_MAX_CANDIDATES ? n : CLI_MAX_CANDIDATES;
	int64_t all = jx_get_int(details, "matches", (int64_t)n);
	if (n > 0)
		buf_adds(b, "Candidates:\n");
	for (size_t i = 0; i < shown; i++) {
		buf_adds(b, "  ");
		add_plain(b, json_string_value(json_array_get(lines, i)));
		buf_addc(b, '\n');
	}
	if (n > 0 && all > (int64_t)shown)
		buf_addf(b, "  +%lld more\n", (long long)all - (long long)shown);
}

static void add_error_text(struct buf *b, const struct cli_out *o, const struct error *e)
{
	bool color = o->term.err_color;
	buf_addf(b, "%sError (%s):%s %s\n", color ? RED BOLD : "", error_code_name(e->code),
	         color ? RESET : "", e->message);
	add_candidates(b, e->details);
	buf_addf(b, "%sHint:%s %s\n", color ? BOLD : "", color ? RESET : "", error_hint_text(e));
	if (o->debug && e->details) {
		buf_adds(b, "Details: ");
		jx_dump(e->details, true, b);
		buf_addc(b, '\n');
	}
}

/* Exit status after writing to stdout. */
static int written(struct cli_out *o, int failure, int status)
{
	auto_error struct error e = ERROR_INIT;
	if (failure == 0)
		return status;
	if (failure == EPIPE)
		return CLI_READER_GONE;
	error_set(&e, ERR_IO_ERROR, "the result could not be written to stdout: %s", strerror(failure));
	error_hint(&e, "free space or choose another file; the command itself was carried out");
	auto_buf struct buf b;
	buf_init(&b, LIM_CLI_OUTPUT);
	add_error_text(&b, o, &e);
	to_stderr(o, &b);
	return error_exit_status(e.code);
}

static int put_json(struct cli_out *o, json_t *envelope_stolen, int status)
{
	auto_json json_t *envelope = envelope_stolen;
	auto_buf struct buf b;
	buf_init(&b, LIM_CLI_OUTPUT);
	/* Indented for eyes; a program (or a model that pays by the token) gets the one line. */
	jx_dump(envelope, o->term.out_is, &b);
	buf_addc(&b, '\n');
	return written(o, b.over ? EFBIG : cli_write(STDOUT_FILENO, b.data, b.len), status);
}

int cli_out_error(struct cli_out *o, const struct error *e)
{
	int status = error_exit_status(e->code);
	clear_progress(o);
	if (!o->json) {
		auto_buf struct buf b;
		buf_init(&b, LIM_CLI_OUTPUT);
		add_error_text(&b, o, e);
		to_stderr(o, &b);
		return status;
	}
	json_t *envelope = json_object();
	jx_set_bool(envelope, "success", false);
	jx_set(envelope, "error", error_to_json(e));
	return put_json(o, envelope, status);
}

int cli_out_reply(struct cli_out *o, const struct cli_reply *r)
{
	clear_progress(o);
	if (o->json) {
		json_t *envelope = json_object();
		jx_set_bool(envelope, "success", true);
		json_object_set(envelope, "data", r->data ? r->data : json_null());
		return put_json(o, envelope, 0);
	}
	if (r->text)
		return written(o, cli_write(STDOUT_FILENO, r->text, strlen(r->text)), 0);
	return put_json(o, json_incref(r->data), 0);
}
