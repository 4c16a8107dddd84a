// SPDX-License-Identifier: GPL-2.0-or-later
/* POST /api/v1/rerun: API.md. Needs a header that no form of another site can send and no browser
 * adds by itself, so there is nothing to forge (CSRF). */
#include "web/ask.h"
#include "web/token.h"
#include <microhttpd.h>

bool rerun_admit(const struct request *q, struct response *r)
{
	if (!token_admits(q, r, token_bearer(q->authorization)))
		return false;
	if (ask_type_is(q, "application/json"))
		return ask_length_admits(q, r);
	respond_error(q, r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
		      "The body has to be application/json.");
	return false;
}

static json_t *body_read(const struct request *q, struct response *r)
{
	json_error_t jerr;
	auto_json json_t *body = json_loadb(q->body, q->n_body, JSON_REJECT_DUPLICATES, &jerr);
	auto_free char *mistake = json_is_object(body) ? ask_mistake(body) : NULL;

	if (!json_is_object(body))
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "The body is no JSON object.");
	else if (mistake)
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, mistake);
	return json_is_object(body) && !mistake ? take(body) : NULL;
}

void api_rerun(const struct request *q, struct response *r)
{
	/* rerun_admit() has let it in; while its body came the token may have been taken away. */
	const struct token *token = token_admits(q, r, token_bearer(q->authorization));
	auto_json json_t *body = token ? body_read(q, r) : NULL, *answer = NULL;
	auto_free char *url = NULL;
	int64_t request = 0;

	if (!body || !ask_rerun(q, r, token->name, body, &request))
		return;
	url = xasprintf("/api/v1/requests/%lld", (long long)request);
	answer = json_pack("{s:I,s:s}", "request", (json_int_t)request, "url", url);
	r->status = MHD_HTTP_ACCEPTED;
	respond_json(r, answer);
}
