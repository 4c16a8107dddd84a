// SPDX-License-Identifier: GPL-2.0-or-later
/* A mail and what must be looked at together with it. */
#include "serve/intake.h"

/* Who writes "Re:" answers: the thread alone tells what that is. A maintainer answers in hundreds
 * of threads, which would all be read. */
static bool is_wide(const struct store_mail *m)
{
	struct subject s;
	bool wide;

	subject_parse(m->subject, &s);
	wide = !s.is_reply;
	subject_done(&s);
	return wide;
}

/* Of mails with one Message-ID the one that came first counts, whatever comes later: a posting
 * keeps its patches. */
struct id_place {
	const char *id;
	int64_t mail;
	size_t at;
};

static int id_cmp(const void *pa, const void *pb)
{
	const struct id_place *a = pa, *b = pb;
	int c = strcmp(a->id, b->id);

	return c ? c : (a->mail > b->mail) - (a->mail < b->mail);
}

static void twins_mark(struct around *a)
{
	auto_free struct id_place *by_id = xcalloc(a->stored.n + 1, sizeof(*by_id));

	for (size_t i = 0; i < a->stored.n; i++)
		by_id[i] = (struct id_place){
			.id = a->stored.mail[i].message_id, .mail = a->stored.mail[i].id, .at = i};
	qsort(by_id, a->stored.n, sizeof(*by_id), id_cmp);
	for (size_t i = 1; i < a->stored.n; i++)
		if (*by_id[i].id && strcmp(by_id[i].id, by_id[i - 1].id) == 0)
			a->wrong[by_id[i].at] = xasprintf("a second mail with the Message-ID <%s>; "
							  "the first that came counts",
							  by_id[i].id);
}

static int mail_read_one(struct around *a, size_t i, struct err *err)
{
	const struct store_mail *row = &a->stored.mail[i];
	auto_free char *origin = xasprintf("mail %lld", (long long)row->id);
	struct err why = ERR_INIT;
	struct mail *m = NULL;
	int rc;

	if (a->wrong[i])
		return 0;
	rc = row->raw ? mail_parse(row->raw, row->raw_len, origin, &m, &why)
		      : err_set(&why, ERR_INPUT, "its bytes are not kept");
	if (rc < 0 && rc != ERR_INPUT) {
		*err = why;
		return rc;
	}
	if (rc < 0) {
		a->wrong[i] = xstrdup(why.msg);
		return 0;
	}
	a->place[a->mails.n] = (struct around_place){.mail = m, .at = i};
	mail_list_add(&a->mails, m);
	return 0;
}

static int64_t distance(const struct around *a, const struct store_mail *m)
{
	return m->date < a->centre->date ? a->centre->date - m->date : m->date - a->centre->date;
}

/* When there is more than was read, the farthest that was read is the border. */
static void radius_find(struct around *a)
{
	int64_t farthest = 0;

	a->radius = INT64_MAX;
	for (size_t i = 0; a->stored.more && i < a->stored.n; i++)
		if (distance(a, &a->stored.mail[i]) > farthest)
			farthest = distance(a, &a->stored.mail[i]);
	if (a->stored.more)
		a->radius = farthest / 2;
}

static int mail_cmp(const void *key, const void *place)
{
	uintptr_t a = (uintptr_t)key, b = (uintptr_t)((const struct around_place *)place)->mail;

	return (a > b) - (a < b);
}

static int place_cmp(const void *a, const void *b)
{
	return mail_cmp(((const struct around_place *)a)->mail, b);
}

static void places_sort(struct around *a)
{
	if (a->mails.n)
		qsort(a->place, a->mails.n, sizeof(*a->place), place_cmp);
}

int around_read(struct around *a, struct settle *st, const struct store_mail *centre,
		struct err *err)
{
	int rc;

	*a = (struct around){.st = st, .centre = centre, .wide = is_wide(centre)};
	rc = store_mail_list_around(st->store, centre->id, a->wide ? AROUND_S : 0, AROUND_MAX,
				    &a->stored, err);
	a->place = xcalloc(a->stored.n + 1, sizeof(*a->place));
	a->wrong = xcalloc(a->stored.n + 1, sizeof(*a->wrong));
	if (rc < 0)
		return rc;
	st->looked += a->stored.n;
	radius_find(a);
	twins_mark(a);
	for (size_t i = 0; i < a->stored.n && rc == 0; i++) {
		rc = mail_read_one(a, i, err);
		free(take(a->stored.mail[i].raw));
	}
	places_sort(a);
	return rc < 0 ? rc : collate(&a->mails, &a->set, err);
}

void around_done(struct around *a)
{
	series_set_done(&a->set);
	mail_list_done(&a->mails);
	for (size_t i = 0; i < a->stored.n; i++)
		free(a->wrong[i]);
	store_mail_list_done(&a->stored);
	free(a->wrong);
	free(a->place);
	free(a->posting);
}

const struct store_mail *around_stored(const struct around *a, const struct mail *m)
{
	const struct around_place *p =
		bsearch(m, a->place, a->mails.n, sizeof(*a->place), mail_cmp);

	return &a->stored.mail[p->at];
}

bool around_sees(const struct around *a, const struct store_mail *m)
{
	return distance(a, m) <= a->radius;
}

bool around_owns(const struct around *a, const struct store_mail *m)
{
	if (m->id == a->centre->id)
		return true;
	return a->wide && strcmp(m->from_email, a->centre->from_email) == 0 &&
	       distance(a, m) <= (a->radius < AROUND_S / 2 ? a->radius : AROUND_S / 2);
}
