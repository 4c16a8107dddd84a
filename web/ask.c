// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/ask.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/json.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/requests.h"
#include "web/routes.h"
#include <microhttpd.h>

#define HOUR_S	   3600
#define RETRY_STEP 60

static bool refuse(const struct request *q, struct response *r, unsigned status, const char *words)
{
	respond_error(q, r, status, words);
	return false;
}

bool ask_type_is(const struct request *q, const char *type)
{
	const char *have = q->content_type;
	size_t n = strlen(type);

	return have && strncasecmp(have, type, n) == 0 &&
	       (!have[n] || have[n] == ';' || have[n] == ' ');
}

bool ask_length_admits(const struct request *q, struct response *r)
{
	const char *s = q->content_length;

	if (q->transfer_encoding || !s)
		return refuse(q, r, MHD_HTTP_LENGTH_REQUIRED,
			      "The body's Content-Length is needed.");
	if (strlen(s) > 9 || strtoul(s, NULL, 10) > ROUTE_BODY_MAX)
		return refuse(q, r, MHD_HTTP_CONTENT_TOO_LARGE, "The body is larger than 8 KiB.");
	return true;
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

char *ask_mistake(const json_t *body)
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

/* How often one name may ask for each kind within an hour. */
static const struct limit {
	const char *kind;
	unsigned most;
	const char *words;
} limits[] = {
	{"rerun", 10, "10 reruns were asked for within an hour: no more for now."},
	{"approve", 300, "300 posts were approved within an hour: no more for now."},
	{"drop", 300, "300 posts were dropped within an hour: no more for now."},
};

static const struct limit *limit_of(const char *kind)
{
	size_t i = 0;

	while (strcmp(limits[i].kind, kind) != 0)
		i++;
	return &limits[i];
}

/* Seconds until one more may be asked for; 0: now. */
static int hour_wait(struct store *store, const char *who, const struct limit *limit,
		     unsigned *ret_wait, struct err *err)
{
	int64_t since = clock_wall() - HOUR_S;
	unsigned n = 0, wait = 0;
	int rc = store_request_count(store, who, limit->kind, since, &n, err);

	while (rc == 0 && n >= limit->most && wait < HOUR_S) {
		wait += RETRY_STEP;
		rc = store_request_count(store, who, limit->kind, since + wait, &n, err);
	}
	if (rc == 0)
		*ret_wait = wait;
	return rc;
}

static bool hour_admits(const struct request *q, struct response *r, struct store *store,
			const struct store_request *what)
{
	const struct limit *limit = limit_of(what->kind);
	struct err err = ERR_INIT;
	unsigned wait = 0;
	int rc = hour_wait(store, what->who, limit, &wait, &err);

	if (rc < 0) {
		respond_failure(q, r, &err, "The requests cannot be read.");
		return false;
	}
	if (!wait)
		return true;
	r->retry_after = wait;
	return refuse(q, r, MHD_HTTP_TOO_MANY_REQUESTS, limit->words);
}

/* Somebody else may be writing for STORE_BUSY_MS. */
static int append(const struct request *q, const struct store_request *what, int64_t *ret_request,
		  struct err *err)
{
	auto_store struct store *store = NULL;
	int rc = store_open(q->opt->store_path, STORE_WRITE, &store, err);

	fault_point("web-before-request");
	if (rc == 0)
		rc = store_request_add(store, what, ret_request, err);
	fault_point("web-request");
	return rc;
}

static bool note(const struct request *q, struct response *r, struct store *store,
		 const struct store_request *what, int64_t *ret_request)
{
	struct err err = ERR_INIT;

	if (!hour_admits(q, r, store, what))
		return false;
	if (append(q, what, ret_request, &err) == 0)
		return true;
	if (q->opt->on_error)
		q->opt->on_error(q->opt->ctx, &err);
	r->retry_after = RETRY_STEP;
	return refuse(q, r, MHD_HTTP_SERVICE_UNAVAILABLE,
		      "The request cannot be noted now: try again later.");
}

bool ask_rerun(const struct request *q, struct response *r, const char *who, const json_t *rerun,
	       int64_t *ret_request)
{
	auto_free char *id = message_id(rerun);
	auto_json json_t *arguments = json_copy((json_t *)(uintptr_t)rerun);
	const struct store_request what = {.kind = (char *)"rerun",
					   .message_id = id,
					   .arguments = arguments,
					   .who = (char *)(uintptr_t)who,
					   .via = (char *)"web"};
	struct store *store = NULL;

	json_object_del(arguments, "message_id");
	if (!json_get_bool(arguments, "unpin", false))
		json_object_del(arguments, "unpin"); /* as if it were not there */
	return respond_store(q, r, &store) == 0 && posting_is_known(q, r, store, id) &&
	       note(q, r, store, &what, ret_request);
}

static bool outbox_is_known(const struct request *q, struct response *r, struct store *store,
			    int64_t id)
{
	struct store_post post = {0};
	struct err err = ERR_INIT;
	int rc = store_outbox_get(store, id, &post, &err);

	store_post_done(&post);
	if (rc == ERR_INPUT)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no post of that number.");
	else if (rc < 0)
		respond_failure(q, r, &err, "The outbox cannot be read.");
	return rc == 0;
}

bool ask_outbox(const struct request *q, struct response *r, const char *who,
		const struct ask_outbox *what, int64_t *ret_request)
{
	auto_json json_t *arguments = json_pack("{s:I,s:I}", "outbox", (json_int_t)what->outbox,
						"revision", (json_int_t)what->revision);
	const struct store_request request = {.kind = (char *)(uintptr_t)what->kind,
					      .message_id = (char *)"",
					      .arguments = arguments,
					      .who = (char *)(uintptr_t)who,
					      .via = (char *)"web"};
	struct store *store = NULL;

	return respond_store(q, r, &store) == 0 && outbox_is_known(q, r, store, what->outbox) &&
	       note(q, r, store, &request, ret_request);
}
