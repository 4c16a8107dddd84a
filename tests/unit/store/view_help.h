/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Postings that were tried, for the tests of what pages read. */
#ifndef FIRN_TESTS_VIEW_HELP_H
#define FIRN_TESTS_VIEW_HELP_H

#include "store_help.h"

#include "base/clock.h"
#include "store/views.h"

/* A posting, with another title and author than posting_put() gives. */
static inline int64_t series_put(struct store_fixture *f, const char *id, const char *title,
				 const char *author, unsigned version)
{
	auto_free char *email = xasprintf("%s@example.org", author);
	int64_t mail = mail_put(f, id, NULL, email, 100), posting = 0;
	struct store_posting_patch patch = {
		.number = 1, .message_id = (char *)id, .subject = (char *)title, .mail = mail};
	const struct store_posting p = {.list = "demo",
					.message_id = (char *)id,
					.title = (char *)title,
					.author_name = (char *)author,
					.author_email = email,
					.digest = "d1",
					.version = version,
					.total = 1,
					.have = 1,
					.date = 100,
					.state = STORE_POSTING_COMPLETE,
					.patch = &patch,
					.n_patches = 1};

	assert_ok(store_posting_put(f->store, &p, &posting, &f->err), &f->err);
	assert_ok(store_mail_settle(f->store, mail, "patch", "", posting, 1, &f->err), &f->err);
	return posting;
}

static inline int64_t taken(struct store_fixture *f)
{
	int64_t id = 0, wait = 0;

	assert_ok(store_queue_take(f->store, clock_wall(), &id, &wait, &f->err), &f->err);
	assert_true(id);
	return id;
}

static inline void finish_at(struct store_fixture *f, int64_t trial, enum outcome o, int64_t at)
{
	const struct store_trial_end end = {.outcome = o, .words = "so it is"};
	auto_free char *sql = xasprintf("UPDATE trial SET finished = %lld WHERE id = %lld",
					(long long)at, (long long)trial);

	assert_ok(store_trial_finish(f->store, trial, &end, &f->err), &f->err);
	assert_ok(sql_exec(f->store, sql, "test", &f->err), &f->err);
}

/* A posting that was tried, with this outcome. */
static inline int64_t tried(struct store_fixture *f, const char *id, const char *title,
			    const char *author, enum outcome o)
{
	int64_t posting = series_put(f, id, title, author, 1), trial = 0;
	const struct store_plan plan = {
		.posting = posting,
		.list = "demo",
		.digest = "d1",
		.series = {.title = title, .message_id = id, .author = author, .version = 1}};

	assert_ok(store_queue_add(f->store, &plan, trial_steps, &trial, &f->err), &f->err);
	finish_at(f, taken(f), o, 1000 + posting);
	return posting;
}

static inline struct view_series_list verdicts(struct store_fixture *f,
					       const struct view_filter *filter)
{
	struct view_series_list l = {0};

	assert_ok(view_verdicts(f->store, filter, &l, &f->err), &f->err);
	return l;
}

static inline size_t count(struct store_fixture *f, const struct view_filter *filter)
{
	auto_view_series_list struct view_series_list l = verdicts(f, filter);

	return l.n;
}

static inline size_t outbox_count(struct store_fixture *f, enum view_outbox_which which)
{
	struct store_post_list l = {0};
	size_t n;

	assert_ok(view_outbox(f->store, which, 0, 10, &l, &f->err), &f->err);
	n = l.n;
	store_post_list_done(&l);
	return n;
}

#endif
