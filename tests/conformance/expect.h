/* What a case expects of an answer:
 *
 *   status        HTTP status, or a list of them
 *   ok            true or false
 *   code          error.code, or a list
 *   message       data.message or error.message, exactly
 *   messageStarts, messageHas   its beginning, a part of it
 *   data          every key given must be there with this value; "@number", "@string", "@bool",
 *                 "@array", "@object" ask for a type only
 *   lacks         list of keys of data that must not be there
 *   noData        true: the reply has no data at all
 *   hint          true: error.hint is there
 *   retained      the same expectations for data.lifecycleResponseJson, parsed
 *   close         true: the answer says Connection: close
 *   sealed        the request's seal: X-Deft-Reply answers it and fits the body; "": there is none
 *   tree          true: data.nodes is a well-formed tree */
#ifndef TESTS_CONFORMANCE_EXPECT_H
#define TESTS_CONFORMANCE_EXPECT_H

#include "base/buf.h"
#include "raw_http.h"

/* True when all is met; else `why` says what is not. */
bool expect_met(const json_t *expect, const struct http_answer *a, struct buf *why);

#endif
