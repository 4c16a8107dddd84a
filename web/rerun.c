// SPDX-License-Identifier: GPL-2.0-or-later
/* Asking for a rerun, and what became of that: API.md. Needs a header that no form of another site
 * can send and no browser adds by itself, so there is nothing to forge (CSRF). */
#include "base/clock.h"
#include "base/fault.h"
#include "base/json.h"
#include "store/mails.h"
#include "store/requests.h"
#include "web/response.h"
#include "web/routes.h"
#include "web/token.h"
#include <microhttpd.h>

#define WHO	   "api" /* all who have the token */
#define HOUR_S	   3600
#define HOUR_MAX   10
#define RETRY_STEP 60

static bool is_json(const char *type)
{
	static const char want[] = "application/json";
	const size_t n = sizeof(want) - 1;

	return type && strncasecmp(type, want, n) == 0 &&
	       (!type[n] || type[n] == ';' || type[n] == ' ');
}

static bool refuse(const struct request *q, struct response *r, unsigned status, const char *words)
{
	respond_error(q, r, status, words);
	return false;
}

static bool token_admits(const struct request *q, struct response *r)
{
	unsigned wait = guess_wait(q->guesses, q->peer);

	if (!q->opt->token)
		return refuse(q, r, MHD_HTTP_FORBIDDEN,
			      "Nobody may ask for reruns here: the operator has set no token "
			      "(web.token-file).");
	if (wait) {
		r->retry_after = wait;
		return refuse(q, r, MHD_HTTP_TOO_MANY_REQUESTS,
			      "Too many wrong tokens came from your address.");
	}
	if (token_is_right(q->authorization, q->opt->token))
		return true;
	if (!token_given(q->authorization)) {
		r->authenticate = "Bearer realm=\"firn\"";
		return refuse(q, r, MHD_HTTP_UNAUTHORIZED,
			      "This needs a token: Authorization: Bearer TOKEN.");
	}
	guess_wrong(q->guesses, q->peer);
	r->authenticate = "Bearer realm=\"firn\", error=\"invalid_token\"";
	return refuse(q, r, MHD_HTTP_UNAUTHORIZED, "The token is wrong.");
}

static bool length_admits(const struct request *q, struct response *r)
{
	const char *s = q->content_length;

	if (q->transfer_encoding || !s)
		return refuse(q, r, MHD_HTTP_LENGTH_REQUIRED,
			      "The body's Content-Length is needed.");
	if (strlen(s) > 9 || strtoul(s, NULL, 10) > ROUTE_BODY_MAX)
		return refuse(q, r, MHD_HTTP_CONTENT_TOO_LARGE, "The body is larger than 8 KiB.");
	return true;
}

bool rerun_admit(const struct request *q, struct response *r)
{
	if (!token_admits(q, r))
		return false;
	if (!is_json(q->content_type))
		return refuse(q, r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
			      "The body has to be application/json.");
	return length_admits(q, r);
}

static const struct {
	const char *key;
	bool is_bool, needed;
} members[] = {
	{.key = "message_id", .needed = true}, {.key = "base"}, {.key = "only"}, {.key = "bench"},
	{.key = "unpin", .is_bool = true},
};

/* Text of one line that is not empty. */
static bool is_line(const json_t *value)
{
	const char *s = json_string_value(value);

	for (size_t i = 0; s && s[i]; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			return false;
	return s && *s;
}

static bool is_known(const char *key)
{
	for (size_t i = 0; i < array_size(members); i++)
		if (strcmp(key, members[i].key) == 0)
			return true;
	return false;
}

/* NULL, or what is wrong. The caller frees. */
static char *body_mistake(const json_t *body)
{
	const char *key;
	json_t *value;

	for (size_t i = 0; i < array_size(members); i++) {
		value = json_object_get(body, members[i].key);
		if (!value && members[i].needed)
			return xasprintf("\"%s\" is needed.", members[i].key);
		if (value && members[i].is_bool && !json_is_boolean(value))
			return xasprintf("\"%s\" has to be true or false.", members[i].key);
		if (value && !members[i].is_bool && !is_line(value))
			return xasprintf("\"%s\" has to be a string of one line, and not empty.",
					 members[i].key);
	}
	json_object_foreach ((json_t *)(uintptr_t)body, key, value)
		if (!is_known(key))
			return xstrdup("The body has a member other than message_id, base, only, "
				       "bench and unpin.");
	return NULL;
}

static json_t *body_read(const struct request *q, struct response *r)
{
	json_error_t jerr;
	auto_json json_t *body = json_loadb(q->body, q->n_body, JSON_REJECT_DUPLICATES, &jerr);
	auto_free char *mistake = json_is_object(body) ? body_mistake(body) : NULL;

	if (!json_is_object(body))
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "The body is no JSON object.");
	else if (mistake)
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, mistake);
	return json_is_object(body) && !mistake ? take(body) : NULL;
}

/* The same as a command's: without the brackets that mail has. The caller frees. */
static char *message_id(const json_t *body)
{
	const char *s = json_get_str(body, "message_id", "");
	size_t n = strlen(s);

	return n > 2 && s[0] == '<' && s[n - 1] == '>' ? xmemdup(s + 1, n - 2) : xstrdup(s);
}

static bool posting_is_known(const struct request *q, struct response *r, struct store *store,
			     const char *id)
{
	struct err err = ERR_INIT;
	int64_t posting;
	int rc = store_posting_find(store, id, &posting, &err);

	if (rc == ERR_INPUT)
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "No posting with this message ID is known here.");
	else if (rc < 0)
		respond_failure(q, r, &err, "The postings cannot be read.");
	return rc == 0;
}

/* Seconds until one more may be asked for; 0: now. */
static int hour_wait(struct store *store, unsigned *ret_wait, struct err *err)
{
	int64_t since = clock_wall() - HOUR_S;
	unsigned n = 0, wait = 0;
	int rc = store_request_count(store, WHO, since, &n, err);

	while (rc == 0 && n >= HOUR_MAX && wait < HOUR_S) {
		wait += RETRY_STEP;
		rc = store_request_count(store, WHO, since + wait, &n, err);
	}
	if (rc == 0)
		*ret_wait = wait;
	return rc;
}

static bool hour_admits(const struct request *q, struct response *r, struct store *store)
{
	struct err err = ERR_INIT;
	unsigned wait = 0;
	int rc = hour_wait(store, &wait, &err);

	if (rc < 0) {
		respond_failure(q, r, &err, "The requests cannot be read.");
		return false;
	}
	if (!wait)
		return true;
	r->retry_after = wait;
	return refuse(q, r, MHD_HTTP_TOO_MANY_REQUESTS,
		      "10 reruns were asked for within an hour: no more for now.");
}

/* The only thing that this role writes. Somebody else may be writing for STORE_BUSY_MS. */
static int request_append(const struct request *q, const char *id, const json_t *body,
			  int64_t *ret_request, struct err *err)
{
	auto_store struct store *store = NULL;
	auto_json json_t *arguments = json_copy((json_t *)(uintptr_t)body);
	const struct store_request request = {.kind = (char *)"rerun",
					      .message_id = (char *)(uintptr_t)id,
					      .arguments = arguments,
					      .who = (char *)WHO,
					      .via = (char *)"web"};
	int rc = store_open(q->opt->store_path, STORE_WRITE, &store, err);

	json_object_del(arguments, "message_id");
	if (!json_get_bool(arguments, "unpin", false))
		json_object_del(arguments, "unpin"); /* as if it were not there */
	fault_point("web-before-request");
	if (rc == 0)
		rc = store_request_add(store, &request, ret_request, err);
	fault_point("web-request");
	return rc;
}

static void respond_accepted(struct response *r, int64_t request)
{
	auto_free char *url = xasprintf("/api/v1/requests/%lld", (long long)request);
	auto_json json_t *obj = json_pack("{s:I,s:s}", "request", (json_int_t)request, "url", url);

	r->status = MHD_HTTP_ACCEPTED;
	respond_json(r, obj);
}

void api_rerun(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	auto_json json_t *body = body_read(q, r);
	struct err err = ERR_INIT;
	int64_t request = 0;

	if (!body)
		return;
	auto_free char *id = message_id(body);
	if (respond_store(q, r, &store) < 0 || !posting_is_known(q, r, store, id) ||
	    !hour_admits(q, r, store))
		return;
	if (request_append(q, id, body, &request, &err) == 0) {
		respond_accepted(r, request);
		return;
	}
	if (q->opt->on_error)
		q->opt->on_error(q->opt->ctx, &err);
	r->retry_after = RETRY_STEP;
	respond_error(q, r, MHD_HTTP_SERVICE_UNAVAILABLE,
		      "The request cannot be noted now: try again later.");
}

/* What came by mail or a command may name people and addresses: not shown. */
static bool request_read(const struct request *q, struct response *r, struct store *store,
			 struct store_request *ret)
{
	struct err err = ERR_INIT;
	int rc = store_request_get(store, q->id, ret, &err);

	if (rc == ERR_INPUT || (rc == 0 && strcmp(ret->via, "web") != 0))
		return refuse(q, r, MHD_HTTP_NOT_FOUND,
			      "There is no request of that number that was made here.");
	if (rc < 0)
		respond_failure(q, r, &err, "The request cannot be read.");
	return rc == 0;
}

static json_t *when(int64_t t)
{
	char iso[CLOCK_ISO_MAX];

	return t ? json_string(clock_iso(t, iso)) : json_null();
}

static json_t *request_json(const struct store_request *q, const struct store_answer *a)
{
	json_t *obj = json_object();
	const struct {
		const char *key;
		json_t *value;
	} rows[] = {
		{"request", json_integer(q->id)},
		{"kind", json_text(q->kind)},
		{"message_id", json_text(q->message_id)},
		{"arguments", json_incref(q->arguments)},
		{"asked", when(q->at)},
		{"state", json_string(a->given ? "answered" : "waiting")},
		{"good", a->given ? json_boolean(a->good) : json_null()},
		{"words", json_text(a->words)},
		{"trial", a->trial ? json_integer(a->trial) : json_null()},
		{"answered", when(a->at)},
	};

	for (size_t i = 0; i < array_size(rows); i++)
		json_object_set_new(obj, rows[i].key, rows[i].value);
	return obj;
}

void api_request(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	struct store_request request = {0};
	struct store_answer answer = {0};
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) == 0 && request_read(q, r, store, &request)) {
		if (store_request_look(store, q->id, &answer, &err) == 0) {
			auto_json json_t *obj = request_json(&request, &answer);

			respond_json(r, obj);
		} else {
			respond_failure(q, r, &err, "The answer cannot be read.");
		}
	}
	store_request_done(&request);
	store_answer_done(&answer);
}
