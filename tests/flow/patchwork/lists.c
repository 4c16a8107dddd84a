// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists: filters, order and pages. */
#include "stand_in.h"

#include <ctype.h>

#define PER_PAGE     30
#define PER_PAGE_MAX 250

static void link_add(struct str *out, const struct request *q, const char *rel, unsigned page)
{
	bool foreign = strcmp(rel, "next") == 0 && fault_take(FAULT_FOREIGN_NEXT);

	str_addf(out, "%s<%s%s?", out->len ? ", " : "",
		 foreign ? "http://elsewhere.example.org" : q->base, q->path);
	request_query(q, page, out);
	if (out->buf[out->len - 1] == '?')
		out->buf[--out->len] = '\0';
	str_addf(out, ">; rel=\"%s\"", rel);
}

static unsigned number_of(const char *text, unsigned dflt)
{
	char *end;
	unsigned long n = text ? strtoul(text, &end, 10) : 0;

	if (!text || !*text)
		return dflt;
	return *end || !isdigit((unsigned char)*text) || n > 1000000 ? 0 : (unsigned)n;
}

static unsigned per_page(const struct request *q)
{
	unsigned n = number_of(request_param(q, "per_page"), PER_PAGE);

	if (n == 0)
		return PER_PAGE;
	return n > PER_PAGE_MAX ? PER_PAGE_MAX : n;
}

/* Takes `all` over. */
void list_answer(struct reply *r, const struct view *v, const struct request *q, json_t *all)
{
	unsigned size = per_page(q), page = number_of(request_param(q, "page"), 1);
	unsigned n = (unsigned)json_array_size(all), pages = n ? (n + size - 1) / size : 1;
	struct str links;
	json_t *some;

	(void)v;
	if (page < 1 || page > pages) {
		json_decref(all);
		reply_detail(r, 404, "Invalid page.");
		return;
	}
	some = json_array();
	for (unsigned i = (page - 1) * size; i < n && i < page * size; i++)
		json_array_append(some, json_array_get(all, i));
	json_decref(all);
	str_init(&links, 0);
	if (page < pages)
		link_add(&links, q, "next", page + 1);
	if (page > 1)
		link_add(&links, q, "prev", page > 2 ? page - 1 : 0);
	link_add(&links, q, "first", 1);
	link_add(&links, q, "last", pages);
	r->link = str_take(&links);
	reply_json(r, 200, some);
}

static bool fits_project(const struct view *v, const struct request *q, unsigned project)
{
	const char *want = request_param(q, "project");
	const struct project *p = list_get(&v->server->projects, project);

	return !want || !*want || strcmp(want, p->name) == 0 || number_of(want, 0) == project;
}

static bool fits_id(const struct request *q, const char *name, unsigned id)
{
	const char *want = request_param(q, name);

	return !want || number_of(want, 0) == id;
}

/* As Django reads a date and time: a date alone is none. */
static bool is_date(const char *text, bool *ret_zone)
{
	struct tm tm = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!end)
		return false;
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	*ret_zone = *end != '\0';
	return !*end || *end == 'Z' || *end == '+' || *end == '-';
}

enum dates { DATES_GOOD, DATES_NONE, DATES_ZONE };

static enum dates dates_of(const struct request *q)
{
	static const char *const names[] = {"since", "before", NULL};

	for (const char *const *n = names; *n; n++) {
		const char *date = request_param(q, *n);
		bool zone = false;

		if (date && !is_date(date, &zone))
			return DATES_NONE;
		if (zone)
			return DATES_ZONE;
	}
	return DATES_GOOD;
}

static bool fits_date(const struct request *q, const char *date)
{
	const char *since = request_param(q, "since"), *before = request_param(q, "before");

	return (!since || strcmp(date, since) >= 0) && (!before || strcmp(date, before) < 0);
}

static bool fits_event(const struct view *v, const struct request *q, const struct event *e)
{
	const char *category = request_param(q, "category");

	if (strstr(e->category, "comment") && v->minor < 3)
		return false;
	return (!category || strcmp(category, e->category) == 0) &&
	       fits_project(v, q, e->project) && fits_id(q, "patch", e->patch) &&
	       fits_id(q, "cover", e->cover) && fits_id(q, "series", e->series) &&
	       fits_date(q, e->date);
}

static json_t *events_of(const struct view *v, const struct request *q)
{
	const struct list *l = &v->server->events;
	const char *order = request_param(q, "order");
	bool forward = order && strcmp(order, "date") == 0;
	json_t *all = json_array();

	if (faults[FAULT_SHUFFLE] && fault_take(FAULT_SHUFFLE))
		forward = !forward;
	for (size_t i = 0; i < l->n; i++) {
		const struct event *e = l->item[forward ? i : l->n - 1 - i];

		if (fits_event(v, q, e))
			json_array_append_new(all, view_event(v, e));
	}
	return all;
}

static json_t *doubled(json_t *all)
{
	json_t *twice = json_array(), *event;
	size_t i;

	json_array_foreach (all, i, event) {
		json_array_append(twice, event);
		json_array_append(twice, event);
	}
	json_decref(all);
	return twice;
}

void events_answer(struct reply *r, const struct view *v, const struct request *q)
{
	enum dates dates = dates_of(q);
	json_t *all;

	if (dates == DATES_ZONE) {
		reply_page(r, 500, "Server Error (500)");
		r->type = "text/html";
		return;
	}
	all = dates == DATES_GOOD ? events_of(v, q) : json_array();
	if (faults[FAULT_DUPLICATE] && fault_take(FAULT_DUPLICATE))
		all = doubled(all);
	list_answer(r, v, q, all);
}

static bool fits_state(const struct request *q)
{
	for (size_t i = 0; i < q->n_params; i++)
		if (strcmp(q->param[i].name, "state") == 0 && strcmp(q->param[i].value, "new") == 0)
			return true;
	return !request_param(q, "state");
}

static bool fits_part(const struct view *v, const struct request *q, const struct part *p)
{
	const char *id = request_param(q, "msgid"), *who = request_param(q, "submitter");
	const struct person *person = list_get(&v->server->people, p->submitter);

	if (v->minor >= 2 && id && strcmp(id, p->message_id) != 0)
		return false;
	if (who && number_of(who, 0) != person->id && !strcasestr(person->email, who))
		return false;
	return fits_project(v, q, p->project) && fits_id(q, "series", p->series);
}

/* "date" and "-date"; by id else. What came later mostly has the later date. */
static bool is_backward(const struct request *q)
{
	const char *order = request_param(q, "order");

	return order && (strcmp(order, "-date") == 0 || strcmp(order, "-id") == 0);
}

static void parts_answer(struct reply *r, const struct view *v, const struct request *q,
			 const struct list *l, bool cover)
{
	json_t *all = json_array();

	for (size_t i = 0; i < l->n && (cover || fits_state(q)); i++) {
		const struct part *p = l->item[is_backward(q) ? l->n - 1 - i : i];

		if (fits_part(v, q, p))
			json_array_append_new(all, cover ? view_cover(v, p, false)
							 : view_patch(v, p, false));
	}
	list_answer(r, v, q, all);
}

void patches_answer(struct reply *r, const struct view *v, const struct request *q)
{
	parts_answer(r, v, q, &v->server->patches, false);
}

void covers_answer(struct reply *r, const struct view *v, const struct request *q)
{
	parts_answer(r, v, q, &v->server->covers, true);
}

void series_answer(struct reply *r, const struct view *v, const struct request *q)
{
	const struct list *l = &v->server->series;
	const char *words = request_param(q, "q");
	json_t *all = json_array();

	for (size_t i = 0; i < l->n; i++) {
		const struct series *s = l->item[is_backward(q) ? l->n - 1 - i : i];

		if (fits_project(v, q, s->project) && fits_date(q, s->date) &&
		    (!words || strcasestr(s->name ?: "", words)))
			json_array_append_new(all, view_series(v, s));
	}
	list_answer(r, v, q, all);
}

void comments_answer(struct reply *r, const struct view *v, const struct request *q, bool cover,
		     unsigned about)
{
	const struct list *l = &v->server->comments;
	json_t *all = json_array();

	for (size_t i = 0; i < l->n; i++) {
		const struct part *c = l->item[i];

		if (c->on_cover == cover && c->about == about)
			json_array_append_new(all, view_comment(v, c));
	}
	list_answer(r, v, q, all);
}
