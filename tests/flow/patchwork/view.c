// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects as the versions of the API show them. */
#include "stand_in.h"

#include "base/hash.h"
#include "base/json.h"

char *view_api(const struct view *v, const char *fmt, ...)
{
	char *path, *url;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&path, fmt, ap) < 0)
		abort();
	va_end(ap);
	url = v->versioned ? xasprintf("%s/api/1.%u/%s", v->base, v->minor, path)
			   : xasprintf("%s/api/%s", v->base, path);
	free(path);
	return url;
}

static void put_url(json_t *obj, const char *key, char *url)
{
	json_object_set_new(obj, key, json_string(url));
	free(url);
}

static void put_text(json_t *obj, const char *key, const char *text)
{
	json_object_set_new(obj, key, json_text(text));
}

static void put_id(json_t *obj, unsigned id)
{
	json_object_set_new(obj, "id", json_integer(id));
}

json_t *view_root(const struct view *v)
{
	static const char *const names[] = {"projects", "users",  "people",  "patches", "covers",
					    "series",	"events", "bundles", NULL};
	json_t *o = json_object();

	for (const char *const *n = names; *n; n++)
		put_url(o, *n, view_api(v, "%s/", *n));
	return o;
}

static json_t *user_of(const struct view *v, unsigned id)
{
	const struct user *u = &users[id - 1];
	json_t *o = json_object();

	put_id(o, id);
	put_url(o, "url", view_api(v, "users/%u/", id));
	put_text(o, "username", u->name);
	put_text(o, "first_name", u->first);
	put_text(o, "last_name", u->last);
	put_text(o, "email", u->email);
	return o;
}

static json_t *maintainers_of(const struct view *v)
{
	json_t *a = json_array();

	for (unsigned i = 0; users[i].name; i++)
		if (users[i].maintainer)
			json_array_append_new(a, user_of(v, i + 1));
	return a;
}

static json_t *project_of(const struct view *v, const struct project *p, bool detail)
{
	json_t *o = json_object();

	put_id(o, p->id);
	put_url(o, "url", view_api(v, "projects/%u/", p->id));
	put_text(o, "name", p->name);
	put_text(o, "link_name", p->name);
	put_url(o, "list_id", xasprintf("%s.lists.example.org", p->name));
	put_url(o, "list_email", xasprintf("%s@lists.example.org", p->name));
	put_text(o, "web_url", "");
	put_text(o, "scm_url", "");
	put_text(o, "webscm_url", "");
	if (detail) {
		json_object_set_new(o, "maintainers", maintainers_of(v));
		if (v->minor >= 1)
			put_text(o, "subject_match", "");
	}
	if (v->minor >= 2) {
		put_text(o, "list_archive_url", "");
		put_text(o, "list_archive_url_format", "");
		put_text(o, "commit_url_format", "");
	}
	if (detail && v->minor >= 4)
		json_object_set_new(o, "show_dependencies", json_false());
	return o;
}

json_t *view_project(const struct view *v, const struct project *p)
{
	return project_of(v, p, true);
}

static json_t *project_part(const struct view *v, unsigned id)
{
	return project_of(v, list_get(&v->server->projects, id), false);
}

static json_t *person_of(const struct view *v, unsigned id)
{
	const struct person *p = list_get(&v->server->people, id);
	json_t *o = json_object();

	put_id(o, id);
	put_url(o, "url", view_api(v, "people/%u/", id));
	put_text(o, "name", p->name);
	put_text(o, "email", p->email);
	return o;
}

/* Patchwork escapes a slash, and Django all that again. */
static char *web_of(const struct view *v, const struct part *p, bool cover, const char *tail)
{
	const struct project *project = list_get(&v->server->projects, p->project);
	bool foreign = *tail && faults[FAULT_FOREIGN] != 0;
	struct str url;

	str_init(&url, 0);
	str_addf(&url, "%s/project/%s/%s/", foreign ? "http://elsewhere.example.org" : v->base,
		 project->name, cover ? "cover" : "patch");
	for (const char *c = p->message_id; *c; c++) {
		if (*c == '/')
			str_adds(&url, "%252F");
		else if (*c == '%')
			str_adds(&url, "%25");
		else
			str_addc(&url, *c);
	}
	str_addf(&url, "/%s", tail);
	return str_take(&url);
}

static void put_msgid(const struct view *v, json_t *o, const struct part *p)
{
	put_url(o, "msgid", xasprintf("<%s>", p->message_id));
	if (v->minor >= 2)
		json_object_set_new(o, "list_archive_url", json_null());
}

/* A patch or cover as a part of something else. */
static json_t *part_short(const struct view *v, const struct part *p, bool cover)
{
	json_t *o = json_object();

	put_id(o, p->id);
	put_url(o, "url", view_api(v, "%s/%u/", cover ? "covers" : "patches", p->id));
	if (v->minor >= 1)
		put_url(o, "web_url", web_of(v, p, cover, ""));
	put_msgid(v, o, p);
	put_text(o, "date", p->date);
	put_text(o, "name", p->name);
	if (v->minor >= 1 || !cover)
		put_url(o, "mbox", web_of(v, p, cover, "mbox/"));
	return o;
}

static json_t *series_short(const struct view *v, const struct series *r)
{
	const struct project *project = list_get(&v->server->projects, r->project);
	json_t *o = json_object();

	put_id(o, r->id);
	put_url(o, "url", view_api(v, "series/%u/", r->id));
	if (v->minor >= 1)
		put_url(o, "web_url",
			xasprintf("%s/project/%s/list/?series=%u", v->base, project->name, r->id));
	put_text(o, "date", r->date);
	put_text(o, "name", r->name);
	json_object_set_new(o, "version", json_integer(r->version));
	put_url(o, "mbox", xasprintf("%s/series/%u/mbox/", v->base, r->id));
	return o;
}

static json_t *series_list(const struct view *v, const struct part *p)
{
	const struct series *r = list_get(&v->server->series, p->series);
	json_t *a = json_array();

	if (r)
		json_array_append_new(a, series_short(v, r));
	return a;
}

static void put_head(const struct view *v, json_t *o, const struct part *p, bool cover)
{
	put_id(o, p->id);
	put_url(o, "url", view_api(v, "%s/%u/", cover ? "covers" : "patches", p->id));
	if (v->minor >= 1)
		put_url(o, "web_url", web_of(v, p, cover, ""));
	json_object_set_new(o, "project", project_part(v, p->project));
	put_msgid(v, o, p);
	put_text(o, "date", p->date);
	put_text(o, "name", p->name);
}

static void put_comments(const struct view *v, json_t *o, const struct part *p, bool cover)
{
	if (v->minor >= 1)
		put_url(o, "comments",
			xasprintf("%s/api/%s/%u/comments/", v->base, cover ? "covers" : "patches",
				  p->id));
}

json_t *view_cover(const struct view *v, const struct part *c, bool detail)
{
	json_t *o = json_object();

	put_head(v, o, c, true);
	json_object_set_new(o, "submitter", person_of(v, c->submitter));
	if (v->minor >= 1)
		put_url(o, "mbox", web_of(v, c, true, "mbox/"));
	json_object_set_new(o, "series", series_list(v, c));
	put_comments(v, o, c, true);
	if (detail) {
		json_object_set(o, "headers", c->headers);
		put_text(o, "content", c->content);
	}
	return o;
}

/* The worst of the newest of each user and context. */
static const char *check_summary(const struct server *s, unsigned patch)
{
	static const char *const order[] = {"fail", "warning", "pending", "success"};
	size_t worst = array_size(order);

	for (size_t i = 0; i < s->checks.n; i++) {
		const struct check *c = s->checks.item[i], *d;
		bool newest = c->patch == patch;

		for (size_t j = i + 1; j < s->checks.n && newest; j++) {
			d = s->checks.item[j];
			newest = d->patch != patch || d->user != c->user ||
				 strcmp(d->context, c->context) != 0;
		}
		for (size_t k = 0; k < worst && newest; k++)
			if (strcmp(order[k], c->state) == 0)
				worst = k;
	}
	return worst < array_size(order) ? order[worst] : "pending";
}

static void put_state(const struct view *v, json_t *o, const struct part *p)
{
	char hash[HASH_HEX_MAX];

	json_object_set_new(o, "commit_ref", json_null());
	json_object_set_new(o, "pull_url", json_null());
	put_text(o, "state", "new");
	json_object_set_new(o, "archived", json_false());
	put_text(o, "hash", hash_hex(p->diff, strlen(p->diff), hash));
	json_object_set_new(o, "submitter", person_of(v, p->submitter));
	json_object_set_new(o, "delegate", json_null());
}

json_t *view_patch(const struct view *v, const struct part *p, bool detail)
{
	json_t *o = json_object();

	put_head(v, o, p, false);
	put_state(v, o, p);
	put_url(o, "mbox", web_of(v, p, false, "mbox/"));
	json_object_set_new(o, "series", series_list(v, p));
	put_comments(v, o, p, false);
	put_text(o, "check", check_summary(v->server, p->id));
	put_url(o, "checks", xasprintf("%s/api/patches/%u/checks/", v->base, p->id));
	json_object_set_new(o, "tags", json_object());
	if (v->minor >= 2)
		json_object_set_new(o, "related", json_array());
	if (detail) {
		json_object_set(o, "headers", p->headers);
		put_text(o, "content", p->content);
		put_text(o, "diff", p->diff);
		json_object_set(o, "prefixes", p->prefixes);
	}
	return o;
}

static json_t *patches_of(const struct view *v, const struct series *r)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < r->total; i++)
		if (r->patch[i])
			json_array_append_new(
				a,
				part_short(v, list_get(&v->server->patches, r->patch[i]), false));
	return a;
}

static void put_counts(json_t *o, const struct series *r)
{
	json_object_set_new(o, "version", json_integer(r->version));
	json_object_set_new(o, "total", json_integer(r->total));
	json_object_set_new(o, "received_total", json_integer(r->received));
	json_object_set_new(o, "received_all", json_boolean(r->received == r->total));
}

json_t *view_series(const struct view *v, const struct series *r)
{
	json_t *o = json_object(), *brief = series_short(v, r);
	const struct part *cover = list_get(&v->server->covers, r->cover);

	put_id(o, r->id);
	json_object_set(o, "url", json_object_get(brief, "url"));
	if (v->minor >= 1)
		json_object_set(o, "web_url", json_object_get(brief, "web_url"));
	json_object_set_new(o, "project", project_part(v, r->project));
	put_text(o, "name", r->name);
	put_text(o, "date", r->date);
	json_object_set_new(o, "submitter", person_of(v, r->submitter));
	put_counts(o, r);
	json_object_set(o, "mbox", json_object_get(brief, "mbox"));
	json_object_set_new(o, "cover_letter", cover ? part_short(v, cover, true) : json_null());
	json_object_set_new(o, "patches", patches_of(v, r));
	json_decref(brief);
	return o;
}

static char *comment_url(const struct view *v, const struct part *c)
{
	return view_api(v, "%s/%u/comments/%u/", c->on_cover ? "covers" : "patches", c->about,
			c->id);
}

json_t *view_comment(const struct view *v, const struct part *c)
{
	json_t *o = json_object();

	put_id(o, c->id);
	if (v->minor >= 3 && v->server->main)
		put_url(o, "url", comment_url(v, c));
	put_url(o, "web_url", xasprintf("%s/comment/%u/", v->base, c->id));
	put_msgid(v, o, c);
	put_text(o, "date", c->date);
	put_text(o, "subject", c->subject);
	json_object_set_new(o, "submitter", person_of(v, c->submitter));
	put_text(o, "content", c->content);
	json_object_set(o, "headers", c->headers);
	if (v->minor >= 3)
		json_object_set_new(o, "addressed", json_null());
	return o;
}

static void put_check(json_t *o, const struct check *c)
{
	put_text(o, "date", c->date);
	put_text(o, "state", c->state);
	json_object_set(o, "target_url", c->target_url);
	put_text(o, "context", c->context);
}

json_t *view_check(const struct view *v, const struct check *c)
{
	json_t *o = json_object();

	put_id(o, c->id);
	put_url(o, "url", view_api(v, "patches/%u/checks/%u/", c->patch, c->id));
	json_object_set_new(o, "user", user_of(v, c->user));
	put_check(o, c);
	json_object_set(o, "description", c->description);
	return o;
}

static json_t *comment_short(const struct view *v, const struct part *c)
{
	json_t *o = json_object();

	put_id(o, c->id);
	put_url(o, "url", comment_url(v, c));
	put_url(o, "web_url", xasprintf("%s/comment/%u/", v->base, c->id));
	put_msgid(v, o, c);
	put_text(o, "date", c->date);
	return o;
}

static json_t *check_short(const struct view *v, const struct check *c)
{
	json_t *o = json_object();

	put_id(o, c->id);
	put_url(o, "url", view_api(v, "patches/%u/checks/%u/", c->patch, c->id));
	put_check(o, c);
	return o;
}

static json_t *payload_of(const struct view *v, const struct event *e)
{
	const struct server *s = v->server;
	json_t *o = json_object();

	if (e->cover)
		json_object_set_new(o, "cover",
				    part_short(v, list_get(&s->covers, e->cover), true));
	if (e->patch)
		json_object_set_new(o, "patch",
				    part_short(v, list_get(&s->patches, e->patch), false));
	if (e->series)
		json_object_set_new(o, "series", series_short(v, list_get(&s->series, e->series)));
	if (e->comment)
		json_object_set_new(o, "comment",
				    comment_short(v, list_get(&s->comments, e->comment)));
	if (e->check)
		json_object_set_new(o, "check", check_short(v, list_get(&s->checks, e->check)));
	return o;
}

json_t *view_event(const struct view *v, const struct event *e)
{
	const struct check *c = list_get(&v->server->checks, e->check);
	json_t *o = json_object();

	put_id(o, e->id);
	put_text(o, "category", e->category);
	json_object_set_new(o, "project", project_part(v, e->project));
	put_text(o, "date", e->date);
	json_object_set_new(o, "actor", c ? user_of(v, c->user) : json_null());
	json_object_set_new(o, "payload", payload_of(v, e));
	return o;
}
