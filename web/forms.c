// SPDX-License-Identifier: GPL-2.0-or-later
/* What forms of our pages send: reruns, moderation, signing in and out. Each is checked for coming
 * from one of our pages (CSRF): by what the browser says, and by a hidden field that only we can
 * make. */
#include "base/clock.h"
#include "web/ask.h"
#include "web/html.h"
#include "web/session.h"
#include "web/token.h"
#include <microhttpd.h>

static bool refuse(const struct request *q, struct response *r, unsigned status, const char *words)
{
	respond_error(q, r, status, words);
	return false;
}

/* What all forms need; who sends it is seen to later. */
bool form_admit(const struct request *q, struct response *r)
{
	if (!session_origin_is_ours(q))
		return refuse(q, r, MHD_HTTP_FORBIDDEN,
			      "The form comes from another site than this one.");
	if (!ask_type_is(q, "application/x-www-form-urlencoded"))
		return refuse(q, r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
			      "The body has to be application/x-www-form-urlencoded.");
	return ask_length_admits(q, r);
}

static bool is_signed_in(const struct request *q, struct response *r)
{
	if (q->who)
		return session_form_is_ours(q, r);
	r->authenticate = q->tokens ? "Bearer realm=\"firn\"" : NULL;
	return refuse(q, r, q->tokens ? MHD_HTTP_UNAUTHORIZED : MHD_HTTP_FORBIDDEN,
		      q->tokens ? "Only who is signed in may do this: /login takes the token "
				  "that the operator gave you."
		      : q->opt->auth_header
			      ? "Only who is signed in may do this: sign in at the proxy that "
				"stands before this server."
			      : "Nobody may do this here: the operator has set no tokens "
				"(web.token-file) and no proxy (web.auth-header).");
}

static void respond_request(struct response *r, int64_t request)
{
	auto_free char *path = xasprintf("/requests/%lld", (long long)request);

	respond_redirect(r, MHD_HTTP_SEE_OTHER, path);
}

/* What was left empty was not asked for. */
static json_t *rerun_read(const struct request *q)
{
	static const char *const keys[] = {"message_id", "base", "only", "bench"};
	json_t *obj = json_object();

	for (size_t i = 0; i < array_size(keys); i++)
		if (*form(q, keys[i]))
			json_object_set_new(obj, keys[i], json_string(form(q, keys[i])));
	if (*form(q, "unpin"))
		json_object_set_new(obj, "unpin", json_true());
	return obj;
}

void form_rerun(const struct request *q, struct response *r)
{
	auto_json json_t *rerun = rerun_read(q);
	auto_free char *mistake = ask_mistake(rerun);
	int64_t request = 0;

	if (!is_signed_in(q, r))
		return;
	if (mistake)
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, mistake);
	else if (ask_rerun(q, r, q->who, rerun, &request))
		respond_request(r, request);
}

void form_outbox(const struct request *q, struct response *r)
{
	const char *action = form(q, "action"), *revision = form(q, "revision");
	bool known = strcmp(action, "approve") == 0 || strcmp(action, "drop") == 0;
	const struct ask_outbox what = {
		.kind = action, .outbox = q->id, .revision = strtoll(revision, NULL, 10)};
	int64_t request = 0;

	if (!is_signed_in(q, r))
		return;
	if (!known || !*revision || revision[strspn(revision, "0123456789")] ||
	    strlen(revision) > 9)
		respond_error(q, r, MHD_HTTP_BAD_REQUEST,
			      "The form needs \"action\" (approve or drop) and \"revision\", a "
			      "number.");
	else if (ask_outbox(q, r, q->who, &what, &request))
		respond_request(r, request);
}
