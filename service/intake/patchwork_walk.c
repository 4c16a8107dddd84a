// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading one event, without trust. */
#include "intake/patchwork_walk.h"

static void item_done(struct walk_item *i)
{
	free(i->date);
	free(i->message_id);
	free(i->web_url);
	free(i->mbox);
	free(i->words);
}

void walk_done(struct patchwork_walk *w)
{
	for (size_t i = 0; i < w->n; i++)
		item_done(&w->item[i]);
	free(w->item);
	free(w->seen.id);
	free(w->date);
	free(w->horizon);
}

/* The page of a mail is where its mbox is; API 1.0 does not tell it. */
static char *web_url_of(const struct patchwork_server *s, const json_t *part, const char *mbox)
{
	char *url = patchwork_own_member(s, part, "web_url");

	if (!url && str_ends(mbox, "/mbox/"))
		url = xmemdup(mbox, strlen(mbox) - strlen("mbox/"));
	return url;
}

/* The patch or cover of the event. */
static const char *read_part(struct walk_item *i, const struct patchwork_server *s,
			     const json_t *part)
{
	i->number = patchwork_id(part, "id");
	i->message_id = patchwork_message_id(part);
	i->mbox = patchwork_own_member(s, part, "mbox");
	if (!i->number)
		return "the mail has no number";
	if (!i->message_id)
		return "the mail has no Message-ID that can be one";
	if (!i->mbox && !i->is_cover)
		return "the mail has no address on this server";
	if (!i->mbox && json_object_get(part, "mbox"))
		return "the cover letter's address leads to another server";
	i->web_url =
		i->mbox ? web_url_of(s, part, i->mbox) : patchwork_own_member(s, part, "web_url");
	return NULL;
}

static const char *read_payload(struct walk_item *i, const struct patchwork_server *s,
				const json_t *payload)
{
	const json_t *series = json_object_get(payload, "series");

	i->series = patchwork_id(series, "id");
	i->is_cover = str_starts(i->category, "cover-");
	if (str_starts(i->category, "series-"))
		return i->series ? NULL : "the series has no number";
	return read_part(i, s, json_object_get(payload, i->is_cover ? "cover" : "patch"));
}

void walk_add(struct patchwork_walk *w, const struct patchwork_server *s, const char *category,
	      const json_t *event)
{
	const char *date = json_string_value(json_object_get(event, "date")), *wrong;
	struct walk_item i = {.id = patchwork_id(event, "id"), .category = category};

	i.date = date ? walk_date(date) : NULL;
	if (!i.id || !i.date) {
		item_done(&i);
		w->without_date++;
		return;
	}
	wrong = read_payload(&i, s, json_object_get(event, "payload"));
	if (wrong) {
		i.words = xasprintf("event %lld (%s): %s", (long long)i.id, category, wrong);
		i.category = "unreadable";
	}
	arr_grow(w->item, w->n, w->cap);
	w->item[w->n++] = i;
}

static int by_id(const void *a, const void *b)
{
	const struct walk_item *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int by_date(const void *a, const void *b)
{
	const struct walk_item *x = a, *y = b;
	int order = strcmp(x->date, y->date);

	return order ? order : by_id(a, b);
}

static bool keeps(const struct patchwork_walk *w, size_t n, const struct walk_item *i)
{
	return (n == 0 || w->item[n - 1].id != i->id) &&
	       (!w->horizon || strcmp(i->date, w->horizon) <= 0);
}

void walk_sort(struct patchwork_walk *w)
{
	size_t n = 0;

	if (w->n == 0)
		return;
	qsort(w->item, w->n, sizeof(*w->item), by_id);
	for (size_t i = 0; i < w->n; i++) {
		if (keeps(w, n, &w->item[i]))
			w->item[n++] = w->item[i];
		else
			item_done(&w->item[i]);
	}
	w->n = n;
	if (n)
		qsort(w->item, n, sizeof(*w->item), by_date);
}
