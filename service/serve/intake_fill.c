// SPDX-License-Identifier: GPL-2.0-or-later
/* Files and texts of postings that came before the store had a place for them. */
#include "serve/intake.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/proc.h"
#include "store/fill.h"

static int since_fill(const struct around *a, size_t i, struct err *err)
{
	const struct series *older = a->set.series[i].older;
	int64_t before = older ? a->posting[older - a->set.series] : 0;

	if (!before || before == a->posting[i])
		return 0;
	return posting_since(a, a->posting[i], older, &a->set.series[i], err);
}

/* All postings of the neighbourhood that lack something. */
static int series_fill(const struct around *a, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < a->set.n_series && rc == 0; i++) {
		bool lacks = false;

		if (!a->posting[i])
			continue;
		rc = store_fill_posting_done(a->st->store, a->posting[i], &lacks, err);
		if (rc == 0 && lacks)
			rc = posting_texts(a, a->posting[i], &a->set.series[i], err);
		if (rc == 0 && lacks)
			rc = since_fill(a, i, err);
	}
	return rc;
}

/* As when its first mail came: what is around it is looked at, and nothing but texts is written. */
static int around_fill(struct settle *st, const struct store_mail *centre, struct err *err)
{
	auto_around struct around a = {0};
	int rc = around_read(&a, st, centre, err);

	if (rc < 0)
		return rc;
	a.posting = xcalloc(a.set.n_series + 1, sizeof(*a.posting));
	for (size_t i = 0; i < a.set.n_series; i++)
		a.posting[i] = posting_of(&a, &a.set.series[i]);
	return series_fill(&a, err);
}

static int posting_try(struct settle *st, int64_t posting, struct err *err)
{
	auto_store_mail_list struct store_mail_list centre = {0};
	auto_batch struct store_batch batch = {0};
	bool ignored = false;
	int64_t mail = 0;
	int rc = store_batch_begin(&batch, st->store, err);

	if (rc == 0)
		rc = store_fill_mail(st->store, posting, &mail, err);
	if (rc == 0 && mail)
		rc = store_mail_get(st->store, mail, &centre, err);
	if (rc == 0 && centre.n)
		rc = around_fill(st, &centre.mail[0], err);
	if (rc == 0)
		rc = store_fill_posting_done(st->store, posting, &ignored, err);
	fault_point("fill");
	return rc < 0 ? rc : store_batch_commit(&batch, "filling in a series", err);
}

/* One whose mails are gone, or cannot be read any more, stays as it is. */
static int posting_fill(struct settle *st, int64_t posting, struct err *err)
{
	int rc = posting_try(st, posting, err);
	bool ignored = false;

	if (rc == ERR_INPUT || rc == ERR_PATCH)
		rc = store_fill_posting_done(st->store, posting, &ignored, err);
	return rc;
}

static int batch_fill(struct settle *st, double until, struct err *err)
{
	int64_t ids[FILL_BATCH];
	size_t n = 0;
	int rc = store_fill_postings(st->store, FILL_BATCH, ids, &n, err);

	for (size_t i = 0; i < n && rc == 0 && clock_mono() < until; i++) {
		rc = cancel_requested() ? err_cancelled(err) : posting_fill(st, ids[i], err);
		if (st->on_tick)
			st->on_tick(st->ctx);
	}
	return rc;
}

int intake_fill(struct settle *st, struct fill *f, bool *ret_more, struct err *err)
{
	int64_t left = 0, trials = 0;
	int rc = f->ended ? 0 : store_fill_left(st->store, &left, &trials, err);

	if (rc == 0 && left) {
		fill_tell(f, "files and texts of series", left);
		rc = batch_fill(st, clock_mono() + FILL_S, err);
		if (rc == 0)
			rc = store_fill_left(st->store, &left, &trials, err);
		if (rc == 0)
			fill_tell(f, "files and texts of series", left);
	}
	if (rc < 0)
		return rc;
	f->ended = left == 0;
	*ret_more = left > 0;
	return 0;
}
