// SPDX-License-Identifier: GPL-2.0-or-later
/* Which address is what. */
#include "stand_in.h"

#include <ctype.h>

#define WORDS_MAX 10

/* The path at its slashes. */
struct words {
	char *copy, *word[WORDS_MAX];
	size_t n;
};

static void words_split(struct words *w, const char *path)
{
	char *save = NULL;

	*w = (struct words){.copy = xstrdup(path)};
	for (char *p = w->copy; w->n < WORDS_MAX && (p = strtok_r(p, "/", &save)); p = NULL)
		w->word[w->n++] = p;
}

static bool is(const struct words *w, size_t i, const char *word)
{
	return i < w->n && strcmp(w->word[i], word) == 0;
}

static unsigned number(const struct words *w, size_t i)
{
	const char *p = i < w->n ? w->word[i] : "";

	for (const char *c = p; *c; c++)
		if (!isdigit((unsigned char)*c) || c - p > 8)
			return 0;
	return (unsigned)strtoul(p, NULL, 10);
}

static bool reads(const struct request *q, struct reply *r)
{
	if (strcmp(q->method, "GET") == 0 || strcmp(q->method, "HEAD") == 0)
		return true;
	reply_detail(r, 405, "Method \"%s\" not allowed.", q->method);
	return false;
}

static const struct project *project_find(const struct server *s, const char *word)
{
	for (size_t i = 0; i < s->projects.n; i++) {
		const struct project *p = s->projects.item[i];

		if (strcmp(p->name, word) == 0 || strtoul(word, NULL, 10) == p->id)
			return p;
	}
	return NULL;
}

static void projects(struct reply *r, const struct view *v, const struct request *q,
		     const struct words *w, size_t i)
{
	const struct list *l = &v->server->projects;
	const struct project *p;
	json_t *all;

	r->allow = i < w->n ? "GET, PUT, PATCH, HEAD, OPTIONS" : "GET, HEAD, OPTIONS";
	if (!reads(q, r))
		return;
	if (i < w->n) {
		p = project_find(v->server, w->word[i]);
		if (p)
			reply_json(r, 200, view_project(v, p));
		else
			reply_detail(r, 404, "Not found.");
		return;
	}
	all = json_array();
	for (size_t k = 0; k < l->n; k++)
		json_array_append_new(all, view_project(v, l->item[k]));
	list_answer(r, v, q, all);
}

/* /patches/N/, /covers/N/ and /series/N/. */
static void one(struct reply *r, const struct view *v, const struct words *w, size_t i)
{
	const struct server *s = v->server;
	unsigned id = number(w, i + 1);
	void *found;

	if (is(w, i, "patches")) {
		found = list_get(&s->patches, id);
		r->allow = "GET, PUT, PATCH, HEAD, OPTIONS";
		reply_json(r, found ? 200 : 404,
			   found ? view_patch(v, found, true)
				 : json_pack("{s:s}", "detail", "Not found."));
	} else if (is(w, i, "covers")) {
		found = list_get(&s->covers, id);
		reply_json(r, found ? 200 : 404,
			   found ? view_cover(v, found, true)
				 : json_pack("{s:s}", "detail", "Not found."));
	} else {
		found = list_get(&s->series, id);
		reply_json(r, found ? 200 : 404,
			   found ? view_series(v, found)
				 : json_pack("{s:s}", "detail", "Not found."));
	}
}

static bool lists(struct reply *r, const struct view *v, const struct request *q,
		  const struct words *w, size_t i)
{
	static const struct {
		const char *name;
		void (*answer)(struct reply *r, const struct view *v, const struct request *q);
	} table[] = {{"events", events_answer},
		     {"patches", patches_answer},
		     {"covers", covers_answer},
		     {"series", series_answer}};

	for (size_t k = 0; k < array_size(table); k++)
		if (is(w, i, table[k].name)) {
			if (reads(q, r))
				table[k].answer(r, v, q);
			return true;
		}
	return false;
}

/* Below a patch or cover. */
static bool inner(struct server *s, struct reply *r, const struct view *v, const struct request *q,
		  const struct words *w, size_t i)
{
	unsigned id = number(w, i + 1);
	bool cover = is(w, i, "covers");

	if (is(w, i, "patches") && is(w, i + 2, "checks") && w->n == i + 3)
		checks_answer(s, r, v, q, id);
	else if (is(w, i, "patches") && is(w, i + 2, "checks") && w->n == i + 4)
		check_answer(r, v, q, id, number(w, i + 3));
	else if (is(w, i + 2, "comments") && (cover || is(w, i, "patches")) && w->n == i + 3 &&
		 v->minor >= 1)
		comments_answer(r, v, q, cover, id);
	else
		return false;
	return true;
}

static bool api(struct server *s, const struct request *q, struct reply *r, const struct words *w)
{
	struct view v = {.server = s, .base = q->base, .minor = s->newest};
	size_t i = 1;

	if (i < w->n && isdigit((unsigned char)w->word[i][0])) {
		if (!str_starts(w->word[i], "1.") || !isdigit((unsigned char)w->word[i][2]) ||
		    w->word[i][3] || (unsigned)(w->word[i][2] - '0') > v.minor)
			return false;
		v.versioned = true;
		v.minor = (unsigned)(w->word[i++][2] - '0');
	}
	r->allow = "GET, HEAD, OPTIONS";
	if (w->n == i) {
		reply_json(r, 200, view_root(&v));
	} else if (is(w, i, "projects") && w->n <= i + 2) {
		projects(r, &v, q, w, i + 1);
	} else if (w->n == i + 1) {
		return lists(r, &v, q, w, i);
	} else if (w->n == i + 2 && number(w, i + 1) &&
		   (is(w, i, "patches") || is(w, i, "covers") || is(w, i, "series"))) {
		if (reads(q, r))
			one(r, &v, w, i);
	} else {
		return inner(s, r, &v, q, w, i);
	}
	return true;
}

static const struct part *by_web(const struct server *s, const struct words *w, bool cover)
{
	const struct list *l = cover ? &s->covers : &s->patches;
	const struct project *project = project_find(s, w->word[1]);

	for (size_t i = 0; i < l->n && project; i++) {
		const struct part *p = l->item[i];
		char *slash = strchr(p->message_id, '/');
		char *id = slash ? xasprintf("%.*s%%2F%s", (int)(slash - p->message_id),
					     p->message_id, slash + 1)
				 : xstrdup(p->message_id);
		bool same = p->project == project->id && strcmp(id, w->word[3]) == 0;

		free(id);
		if (same)
			return p;
	}
	return NULL;
}

static void mbox_of_series(const struct server *s, const struct series *l, struct reply *r)
{
	r->status = 200;
	r->type = "text/plain";
	for (unsigned i = 0; i < l->total; i++) {
		if (r->body.len)
			str_addc(&r->body, '\n');
		if (l->patch[i])
			mbox_write(s, list_get(&s->patches, l->patch[i]), false, &r->body);
	}
}

static bool legacy(const struct server *s, struct reply *r, const struct words *w)
{
	bool cover = is(w, 0, "cover");
	const struct part *p = list_get(cover ? &s->covers : &s->patches, number(w, 1));
	const struct project *project = p ? list_get(&s->projects, p->project) : NULL;

	if (!p || (!cover && !is(w, 0, "patch")))
		return false;
	r->status = 302;
	r->type = "text/html; charset=utf-8";
	r->location = xasprintf("/project/%s/%s/%s/%s", project->name, cover ? "cover" : "patch",
				p->message_id, is(w, 2, "mbox") ? "mbox/" : "");
	return true;
}

static bool pages(const struct server *s, const struct request *q, struct reply *r,
		  const struct words *w)
{
	bool cover = is(w, 2, "cover");
	const struct series *series =
		is(w, 0, "series") ? list_get(&s->series, number(w, 1)) : NULL;
	const struct part *p;

	if (series && is(w, 2, "mbox")) {
		mbox_of_series(s, series, r);
		return true;
	}
	if (!is(w, 0, "project") || w->n < 4 || (!cover && !is(w, 2, "patch")))
		return legacy(s, r, w);
	p = by_web(s, w, cover);
	if (!p)
		return false;
	if (is(w, 4, "mbox")) {
		r->status = 200;
		r->type = cover ? "text/plain" : "text/plain; charset=utf-8";
		mbox_write(s, p, cover, &r->body);
	} else {
		reply_page(r, 200, q->path);
	}
	return w->n <= 5;
}

static void route_path(struct server *s, const struct request *q, struct reply *r)
{
	struct words w;
	bool found;

	words_split(&w, q->path);
	found = is(&w, 0, "api") ? api(s, q, r, &w) : pages(s, q, r, &w);
	if (!found)
		reply_page(r, 404, q->path);
	free(w.copy);
}

/* As Django does: where the address with a slash would be one. */
static void route_slash(struct reply *r, const struct request *q)
{
	const char *query = strchr(q->uri, '?');

	str_reset(&r->body);
	free(r->location);
	free(r->link);
	r->link = NULL;
	r->allow = NULL;
	r->status = 301;
	r->type = "text/html; charset=utf-8";
	r->location = xasprintf("%s/%s", q->path, query ?: "");
}

void route(struct server *s, const struct request *q, struct reply *r)
{
	if (control(s, q, r))
		return;
	route_path(s, q, r);
	if (!str_ends(q->path, "/") && r->status != 404)
		route_slash(r, q);
}
