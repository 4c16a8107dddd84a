// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of each mail. */
#include "serve/intake.h"

#include "base/proc.h"
#include "series/ledger.h"
#include "serve/command_mail.h"

/* New mails that are listed at a time. */
#define FRESH_MAX 1000

/* What is to be noted about one mail. */
struct row {
	const char *state;
	char *reason;
	int64_t posting;
	unsigned number;
};

char *reason_rename(const char *reason, const int64_t *posting, size_t n)
{
	static const char word[] = "series ";
	const char *at;
	struct str out;

	str_init(&out, 8192);
	while ((at = strstr(reason, word))) {
		char *end;
		unsigned long number;

		str_add(&out, reason, (size_t)(at - reason));
		at += sizeof(word) - 1;
		number = strtoul(at, &end, 10);
		if (end == at || *at == '+' || *at == '-')
			str_adds(&out, word);
		else if (number >= 1 && number <= n && posting[number - 1])
			str_addf(&out, "posting %lld", (long long)posting[number - 1]);
		else
			str_adds(&out, "another series");
		reason = end > at && *at != '+' && *at != '-' ? end : at;
	}
	str_adds(&out, reason);
	return str_take(&out);
}

static int fresh_cmp(const void *key, const void *mail)
{
	int64_t a = *(const int64_t *)key, b = ((const struct store_mail *)mail)->id;

	return (a > b) - (a < b);
}

static void done_mark(struct settle *st, int64_t id)
{
	const struct store_mail *m =
		bsearch(&id, st->fresh.mail, st->fresh.n, sizeof(*st->fresh.mail), fresh_cmp);

	if (m)
		st->done[m - st->fresh.mail] = true;
}

static bool is_new(const struct store_mail *m)
{
	return strcmp(m->state, "new") == 0;
}

static int row_write(struct around *a, const struct store_mail *m, const struct row *row,
		     struct err *err)
{
	a->st->settled += is_new(m);
	done_mark(a->st, m->id);
	return store_mail_settle(a->st->store, m->id, row->state, row->reason, row->posting,
				 row->number, err);
}

/* The posting of what the mail answers, if it is not in a series of this neighbourhood. */
static int answered_find(const struct around *a, const struct threads *t, const struct mail *m,
			 int64_t *ret_posting, struct err *err)
{
	const struct mail *to = threads_answered(t, m);
	struct err none = ERR_INIT;
	int rc = 0;

	if (to && to->message_id)
		rc = store_posting_find(a->st->store, to->message_id, ret_posting, &none);
	for (size_t i = 0; !*ret_posting && i <= m->n_references && (rc == 0 || rc == ERR_INPUT);
	     i++) {
		const char *id = i == 0 ? m->in_reply_to : m->references[m->n_references - i];

		if (id)
			rc = store_posting_find(a->st->store, id, ret_posting, &none);
	}
	if (rc < 0 && rc != ERR_INPUT) {
		*err = none;
		return rc;
	}
	return 0;
}

static int command_run(const struct around *a, const struct mail *m, const struct store_mail *row,
		       struct row *ret, struct err *err)
{
	const struct command_mail c = {.conf = a->st->conf,
				       .store = a->st->store,
				       .mail = m,
				       .id = row->id,
				       .posting = ret->posting,
				       .who = row->from_email};
	auto_free char *words = NULL;
	char *both;
	int rc = command_mail_run(&c, &words, err);

	if (rc < 0)
		return rc;
	both = xasprintf("%s; %s", ret->reason, words);
	free(ret->reason);
	ret->reason = both;
	return 0;
}

static bool is_part(enum mail_state s)
{
	return s == MAIL_COVER || s == MAIL_PATCH || s == MAIL_DUPLICATE || s == MAIL_NOT_A_PATCH;
}

/* Old rows are written when something else has become of them: a patch that came late made them
 * part of a series. What a command did is done. */
static bool is_to_write(const struct store_mail *m, const struct row *row)
{
	if (is_new(m))
		return true;
	if (strcmp(m->state, "command") == 0 || strcmp(m->state, "unreadable") == 0)
		return false;
	return strcmp(m->state, row->state) != 0 ||
	       (row->posting && (m->posting != row->posting || m->number != row->number));
}

static int mail_settle(struct around *a, const struct threads *t, const struct ledger_row *l,
		       struct err *err)
{
	const struct store_mail *m = around_stored(a, l->mail);
	struct row row = {.state = mail_state_name(l->state), .number = l->patch};
	bool part = is_part(l->state);
	int rc = 0;

	if (part ? !around_owns(a, m) : !around_sees(a, m))
		return 0;
	if (l->series)
		row.posting = a->posting[l->series - 1];
	if (!part && !row.posting)
		rc = answered_find(a, t, l->mail, &row.posting, err);
	if (rc < 0 || !is_to_write(m, &row))
		return rc;
	row.reason = reason_rename(l->reason, a->posting, a->set.n_series);
	if (l->state == MAIL_COMMAND && is_new(m))
		rc = command_run(a, l->mail, m, &row, err);
	if (rc == 0)
		rc = row_write(a, m, &row, err);
	free(row.reason);
	return rc;
}

/* What was not collated: second mails with an id, and what cannot be read any more. */
static int wrong_settle(struct around *a, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < a->stored.n && rc == 0; i++) {
		const struct store_mail *m = &a->stored.mail[i];
		bool twin = a->wrong[i] && str_starts(a->wrong[i], "a second mail");
		const struct row row = {.state = twin ? "duplicate" : "unreadable",
					.reason = a->wrong[i]};

		if (a->wrong[i] && is_new(m) && around_sees(a, m))
			rc = row_write(a, m, &row, err);
	}
	return rc;
}

static int rows_settle(struct around *a, struct err *err)
{
	struct threads *t = threads_new(&a->mails, &a->set);
	struct ledger ledger = {};
	struct offers offers = {};
	int rc = 0;

	offers_find(t, &a->mails, &a->set, &offers);
	ledger_make(&a->mails, &a->set, t, &offers, &ledger);
	for (size_t i = 0; i < ledger.n && rc == 0; i++)
		if (ledger.row[i].mail)
			rc = mail_settle(a, t, &ledger.row[i], err);
	ledger_done(&ledger);
	offers_done(&offers);
	threads_free(t);
	return rc;
}

static int around_settle(struct settle *st, const struct store_mail *centre, struct err *err)
{
	auto_around struct around a = {0};
	auto_batch struct store_batch batch = {0};
	int rc = around_read(&a, st, centre, err);

	if (rc == 0)
		rc = store_batch_begin(&batch, st->store, err);
	if (rc == 0)
		rc = around_postings(&a, err);
	if (rc == 0)
		rc = rows_settle(&a, err);
	if (rc == 0)
		rc = wrong_settle(&a, err);
	return rc < 0 ? rc : store_batch_commit(&batch, "settling mails", err);
}

/* Series before what answers them. */
static int fresh_settle(struct settle *st, bool replies, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < st->fresh.n && rc == 0; i++) {
		struct subject s;

		if (st->done[i])
			continue;
		subject_parse(st->fresh.mail[i].subject, &s);
		if (s.is_reply == replies)
			rc = cancel_requested() ? err_cancelled(err)
						: around_settle(st, &st->fresh.mail[i], err);
		subject_done(&s);
		if (st->on_tick)
			st->on_tick(st->ctx);
	}
	return rc;
}

int intake_settle(struct settle *st, struct err *err)
{
	int rc;

	do {
		rc = store_mail_list_new(st->store, FRESH_MAX, &st->fresh, err);
		if (rc < 0)
			return rc;
		st->done = xcalloc(st->fresh.n + 1, sizeof(*st->done));
		rc = fresh_settle(st, false, err);
		if (rc == 0)
			rc = fresh_settle(st, true, err);
		if (!st->fresh.more && rc == 0)
			rc = 1;
		store_mail_list_done(&st->fresh);
		free(take(st->done));
	} while (rc == 0);
	return rc < 0 ? rc : 0;
}
