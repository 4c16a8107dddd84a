// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walking over a project's events.
 *
 * Events are asked for by category, since most of all events are of checks; a category= that is
 * repeated is not a list, the last one counts. Filters of patches and series by date are no
 * substitute: they use the date that the author's computer wrote into the mail.
 */
#include "intake/patchwork_walk.h"

/* Of a category in one call; 250 is the most that a page may have. What comes after is for the next
 * call. */
#define PAGES_MAX 40
#define PER_PAGE  "250"

static const char *const categories[] = {"cover-created", "patch-created", "patch-completed",
					 "series-completed", NULL};

/* Complete up to the earliest date of the last page that was read. */
static void horizon_set(struct patchwork_walk *w, size_t page_begin)
{
	const char *least = w->horizon;

	for (size_t i = page_begin; i < w->n; i++)
		if (!least || strcmp(w->item[i].date, least) < 0)
			least = w->item[i].date;
	if (least && least != w->horizon) {
		free(w->horizon);
		w->horizon = xstrdup(least);
	}
}

static int page_read(struct patchwork_walk *w, const struct patchwork_server *s,
		     const char *category, const json_t *page, struct err *err)
{
	const json_t *event;
	size_t i;

	if (!json_is_array(page))
		return err_set(err, ERR_INFRA, "%s: the answer is not a list of events", s->url);
	json_array_foreach (page, i, event)
		walk_add(w, s, category, event);
	return 0;
}

/* The page after `r`; `*ret_json` stays NULL when there is none. */
static int page_next(const struct patchwork_server *s, struct http_response *r, json_t **ret_json,
		     struct err *err)
{
	auto_free char *url = r->next ? patchwork_own_url(s, r->next) : NULL;
	int rc;

	if (r->next && !url)
		return err_set(err, ERR_INFRA,
			       "%s: the next page of events leads to another server", s->url);
	http_response_done(r);
	if (!url)
		return 0;
	rc = patchwork_get_url(s, url, r, ret_json, err);
	/* Events were deleted meanwhile: the page is past the end. */
	return rc == ERR_INPUT ? 0 : rc;
}

static int category_read(struct patchwork_walk *w, const struct patchwork_server *s,
			 const char *path, const char *category, struct err *err)
{
	struct http_response r = {0};
	json_t *page = NULL;
	size_t begin = 0;
	int rc = patchwork_get(s, path, &r, &page, NULL, err);

	for (unsigned n = 1; rc == 0 && page; n++) {
		begin = w->n;
		rc = page_read(w, s, category, page, err);
		json_decref(page);
		page = NULL;
		if (rc == 0 && n == PAGES_MAX && r.next) {
			horizon_set(w, begin);
			break;
		}
		if (rc == 0)
			rc = page_next(s, &r, &page, err);
	}
	json_decref(page);
	http_response_done(&r);
	return rc;
}

static int categories_read(struct patchwork_walk *w, const struct patchwork_server *s,
			   const char *project, struct err *err)
{
	auto_free char *since = walk_since(w->date), *date = http_escape(since),
		       *name = http_escape(project);
	int rc = 0;

	for (const char *const *c = categories; *c && rc == 0; c++) {
		auto_free char *path = xasprintf(
			"events/?project=%s&category=%s&order=date&per_page=" PER_PAGE "&since=%s",
			name, *c, date);

		rc = category_read(w, s, path, *c, err);
	}
	return rc;
}

/* A filter by a project that is not there gives no error, but an empty list. */
static int project_check(const struct patchwork_server *s, const char *project, struct err *err)
{
	auto_free char *name = http_escape(project), *path = xasprintf("projects/%s/", name);
	auto_json json_t *json = NULL;
	struct http_response r = {0};
	int rc = patchwork_get(s, path, &r, &json, NULL, err);

	http_response_done(&r);
	if (rc == ERR_INPUT)
		return err_set(err, ERR_CONFIG, "%s has no project %s", s->url, project);
	return rc;
}

static int tell(struct patchwork_walk *w, const struct walk_item *i, patchwork_event_fn *on_event,
		void *ctx, struct err *err)
{
	const struct patchwork_event event = {
		.id = i->id,
		.category = i->category,
		.date = i->date,
		.is_cover = i->is_cover,
		.number = i->number,
		.series = i->series,
		.message_id = i->message_id,
		.web_url = i->web_url,
		.mbox = i->mbox,
		.words = i->words,
		.walk = w,
	};

	return on_event(ctx, &event, err);
}

static int tell_all(struct patchwork_walk *w, patchwork_event_fn *on_event, void *ctx,
		    struct err *err)
{
	int rc = 0;

	if (w->without_date) {
		const struct walk_item i = {
			.category = "unreadable",
			.date = w->date,
			.words = (char[64]){0},
		};

		snprintf(i.words, 64, "%u events have no number or date", w->without_date);
		rc = tell(w, &i, on_event, ctx, err);
	}
	while (w->told < w->n && rc == 0) {
		const struct walk_item *i = &w->item[w->told++];

		if (!walk_has_seen(w, i->id))
			rc = tell(w, i, on_event, ctx, err);
	}
	return rc;
}

char *patchwork_event_cursor(const struct patchwork_event *event)
{
	return walk_cursor(event->walk, walk_newest(event->walk));
}

static int walk_run(struct patchwork_walk *w, const struct patchwork_server *s, const char *project,
		    struct err *err)
{
	int rc = categories_read(w, s, project, err);

	if (rc == 0 && w->n == 0)
		rc = project_check(s, project, err);
	walk_sort(w);
	return rc;
}

int patchwork_events(const struct patchwork_server *s, const char *project, const char *cursor,
		     int64_t since, patchwork_event_fn *on_event, void *ctx, char **ret_cursor,
		     struct err *err)
{
	struct patchwork_walk w = {0};
	int rc = walk_begin(&w, cursor, since, err);

	if (rc == 0)
		rc = walk_run(&w, s, project, err);
	if (rc == 0)
		rc = tell_all(&w, on_event, ctx, err);
	if (rc == 0)
		*ret_cursor = walk_cursor(&w, walk_newest(&w));
	walk_done(&w);
	return rc;
}
