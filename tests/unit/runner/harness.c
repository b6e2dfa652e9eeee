#include "harness.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void harness_start(struct harness *h, const struct rc_config *cfg)
{
	struct error auto_error e = ERROR_INIT;
	const struct rc_config plain = { 0 };

	fake_init(&h->fake);
	if (rc_start(&h->runner, cfg ? cfg : &plain, &h->fake.head, &e) < 0)
		fail_msg("%s", e.message);
}

void harness_stop(struct harness *h)
{
	rc_free(h->runner);
	h->runner = NULL;
	assert_false(h->fake.overlapped);
}

int http_connect(const struct harness *h)
{
	int fd = http_open(rc_port(h->runner));

	assert_true(fd >= 0);
	return fd;
}

void http_send_command(int fd, const char *body)
{
	http_post(fd, NULL, NULL, body, strlen(body));
}

struct http_answer http_command(const struct harness *h, const char *body)
{
	auto_close int fd = http_connect(h);

	http_send_command(fd, body);
	return http_receive(fd);
}

const json_t *answer_data(const struct http_answer *a)
{
	return json_object_get(a->json, "data");
}

const char *answer_code(const struct http_answer *a)
{
	return jx_get_str(json_object_get(a->json, "error"), "code", "");
}
