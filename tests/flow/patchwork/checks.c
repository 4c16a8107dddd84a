// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks: who may post them, and what they may hold. */
#include "stand_in.h"

#include "base/json.h"
#include <ctype.h>
#include <regex.h>

const struct user users[] = {
	{"mona", "Mona", "Maintainer", "mona@example.org", "token0mona", true},
	{"ci", "Test", "Robot", "ci@example.org", "token0ci", true},
	{"otto", "Otto", "Other", "otto@example.org", "token0otto", false},
	{"ada", "Ada", "Example", "ada@example.org", "token0ada", false},
	{NULL, NULL, NULL, NULL, NULL, false},
};

static const char *const states[] = {"pending", "success", "warning", "fail", NULL};

static const char no_right[] = "You do not have permission to perform this action.";

/* The user's id; 0: nobody. False when the request is refused right away. */
static bool authenticate(const struct request *q, struct reply *r, unsigned *ret_user)
{
	const char *token = q->authorization;

	if (!token || strncasecmp(token, "Token ", 6) != 0)
		return true;
	token += 6;
	if (strchr(token, ' ')) {
		reply_detail(r, 403,
			     "Invalid token header. Token string should not contain spaces.");
		return false;
	}
	for (unsigned i = 0; users[i].name; i++)
		if (strcmp(users[i].token, token) == 0)
			*ret_user = i + 1;
	if (!*ret_user)
		reply_detail(r, 403, "Invalid token.");
	return *ret_user != 0;
}

/* A maintainer, and who sent the patch. */
static bool may_post(const struct server *s, const struct part *p, unsigned user)
{
	const struct person *who = list_get(&s->people, p->submitter);

	return user &&
	       (users[user - 1].maintainer || strcmp(users[user - 1].email, who->email) == 0);
}

static json_t *form_of(const char *body)
{
	struct request form = {.uri = xasprintf("?%s", body)};
	json_t *o = json_object();

	request_parse(&form);
	for (size_t i = 0; i < form.n_params; i++)
		json_object_set_new(o, form.param[i].name, json_text(form.param[i].value));
	request_done(&form);
	return o;
}

static json_t *body_of(const struct request *q, struct reply *r)
{
	const char *type = q->content_type ?: "text/plain";
	json_error_t why;
	json_t *json;

	if (strncmp(type, "application/x-www-form-urlencoded", 33) == 0)
		return form_of(q->body.buf);
	if (strncmp(type, "application/json", 16) != 0) {
		reply_detail(r, 415, "Unsupported media type \"%s\" in request.", type);
		return NULL;
	}
	json = json_loadb(q->body.buf, q->body.len, JSON_DECODE_ANY, &why);
	if (!json)
		reply_detail(r, 400, "JSON parse error - %s: line %d column %d", why.text, why.line,
			     why.column);
	return json;
}

static const char *state_of(const json_t *body, json_t *errors)
{
	const json_t *state = json_object_get(body, "state");
	const char *word = json_string_value(state);

	if (!state || (word && !*word)) {
		json_object_set_new(errors, "state",
				    json_pack("[s]", "A check must have a state."));
		return NULL;
	}
	for (unsigned i = 0; states[i]; i++)
		if (word ? strcmp(word, states[i]) == 0
			 : json_is_integer(state) && json_integer_value(state) == i)
			return states[i];
	json_object_set_new(errors, "state",
			    json_pack("[s++]", "\"", word ?: "?", "\" is not a valid choice."));
	return NULL;
}

static void wrong(json_t *errors, const char *key, const char *words)
{
	json_object_set_new(errors, key, json_pack("[s]", words));
}

static const char *context_of(const json_t *body, json_t *errors)
{
	const char *c = json_string_value(json_object_get(body, "context"));

	if (!c)
		return "default";
	if (!*c)
		wrong(errors, "context", "This field may not be blank.");
	else if (strlen(c) > 255)
		wrong(errors, "context", "Ensure this field has no more than 255 characters.");
	for (const char *p = c; *p; p++)
		if (!isascii((unsigned char)*p) ||
		    (!isalnum((unsigned char)*p) && !strchr("-_", *p)))
			wrong(errors, "context",
			      "Enter a valid \"slug\" consisting of letters, numbers, underscores "
			      "or hyphens.");
	return c;
}

/* Host names have a dot, but for localhost. */
static bool is_url(const char *text)
{
	static const char form[] = "^https?://(localhost|([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+"
				   "[a-z][a-z0-9-]*[a-z0-9]|[0-9]{1,3}(\\.[0-9]{1,3}){3})"
				   "(:[0-9]{1,5})?([/?#][^[:space:]]*)?$";
	regex_t re;
	bool is;

	if (regcomp(&re, form, REG_EXTENDED | REG_ICASE | REG_NOSUB))
		abort();
	is = regexec(&re, text, 0, NULL, 0) == 0;
	regfree(&re);
	return is;
}

static json_t *url_of(const json_t *body, json_t *errors)
{
	json_t *url = json_object_get(body, "target_url");
	const char *text = json_string_value(url);

	if (text && strlen(text) > 200)
		wrong(errors, "target_url", "Ensure this field has no more than 200 characters.");
	else if (text && !is_url(text))
		wrong(errors, "target_url", "Enter a valid URL.");
	return text ? json_incref(url) : json_null();
}

static struct check *check_new(struct server *s, const struct part *p, unsigned user,
			       const json_t *body, json_t *errors)
{
	const char *state = state_of(body, errors), *context = context_of(body, errors);
	json_t *url = url_of(body, errors), *description = json_object_get(body, "description");
	json_int_t other = json_integer_value(json_object_get(body, "user"));
	struct check *c;

	if (json_object_size(errors)) {
		json_decref(url);
		return NULL;
	}
	c = xcalloc(1, sizeof(*c));
	c->id = (unsigned)s->checks.n + 1;
	c->patch = p->id;
	c->user = other > 0 && other < (json_int_t)array_size(users) ? (unsigned)other : user;
	c->date = server_now(s);
	c->state = xstrdup(state);
	c->context = xstrdup(context);
	c->target_url = url;
	c->description = json_is_string(description) ? json_incref(description) : json_null();
	list_add(&s->checks, c);
	event_add(s, "check-created",
		  &(struct event){.project = p->project, .patch = p->id, .check = c->id});
	return c;
}

static void check_post(struct server *s, struct reply *r, const struct view *v,
		       const struct request *q, const struct part *p)
{
	json_t *body, *errors;
	struct check *c;
	unsigned user = 0;

	if (!authenticate(q, r, &user))
		return;
	if (!may_post(s, p, user)) {
		reply_detail(r, 403, "%s", no_right);
		return;
	}
	if (fault_take(FAULT_CHECK_500_BEFORE)) {
		reply_page(r, 500, "Server Error (500)");
		return;
	}
	body = body_of(q, r);
	if (!body)
		return;
	errors = json_object();
	c = check_new(s, p, user, body, errors);
	json_decref(body);
	if (!c) {
		reply_json(r, 400, errors);
		return;
	}
	json_decref(errors);
	if (fault_take(FAULT_CHECK_500)) {
		reply_page(r, 500, "Server Error (500)");
		return;
	}
	r->location = view_api(v, "patches/%u/checks/%u/", p->id, c->id);
	reply_json(r, 201, view_check(v, c));
}

/* A state is asked for by its number. */
static bool fits(const struct request *q, const struct check *c)
{
	const char *context = request_param(q, "context"), *state = request_param(q, "state"),
		   *user = request_param(q, "user");
	char *end;
	unsigned long n;

	if (context && strcmp(context, c->context) != 0)
		return false;
	if (user && strcmp(user, users[c->user - 1].name) != 0 &&
	    strtoul(user, NULL, 10) != c->user)
		return false;
	if (!state)
		return true;
	n = strtoul(state, &end, 10);
	return *state && !*end && n < 4 && strcmp(states[n], c->state) == 0;
}

void checks_answer(struct server *s, struct reply *r, const struct view *v, const struct request *q,
		   unsigned patch)
{
	const struct part *p = list_get(&s->patches, patch);
	json_t *all;

	r->allow = "GET, POST, HEAD, OPTIONS";
	if (!p) {
		reply_detail(r, 404, "Not found.");
		return;
	}
	if (strcmp(q->method, "POST") == 0) {
		check_post(s, r, v, q, p);
		return;
	}
	all = json_array();
	for (size_t i = 0; i < s->checks.n; i++) {
		const struct check *c = s->checks.item[i];

		if (c->patch == patch && fits(q, c))
			json_array_append_new(all, view_check(v, c));
	}
	list_answer(r, v, q, all);
}

void check_answer(struct reply *r, const struct view *v, const struct request *q, unsigned patch,
		  unsigned check)
{
	const struct check *c = list_get(&v->server->checks, check);

	r->allow = "GET, HEAD, OPTIONS";
	if (strcmp(q->method, "GET") != 0 && strcmp(q->method, "HEAD") != 0)
		reply_detail(r, 405, "Method \"%s\" not allowed.", q->method);
	else if (!c || c->patch != patch)
		reply_detail(r, 404, "Not found.");
	else
		reply_json(r, 200, view_check(v, c));
}
