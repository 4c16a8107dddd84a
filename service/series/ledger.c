// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/ledger.h"

#include "series/mail_kind.h"
#include "series/tag.h"

/* Tags that are named in a reason; of more only the number. */
#define TAGS_NAMED 4

struct maker {
	const struct series_set *set;
	const struct threads *threads;
	const struct offers *offers;
	const struct offer **by_mail; /* sorted by mail */
};

const char *mail_state_name(enum mail_state state)
{
	static const char *const names[] = {
#define X(constant, word) [constant] = word,
		MAIL_STATES(X)
#undef X
	};

	return names[state];
}

static int offer_cmp(const void *pa, const void *pb)
{
	uintptr_t a = (uintptr_t)(*(const struct offer *const *)pa)->mail,
		  b = (uintptr_t)(*(const struct offer *const *)pb)->mail;

	return (a > b) - (a < b);
}

static int offer_find(const void *key, const void *offer)
{
	uintptr_t a = (uintptr_t)key, b = (uintptr_t)(*(const struct offer *const *)offer)->mail;

	return (a > b) - (a < b);
}

static const struct offer *offer_of(const struct maker *mk, const struct mail *m)
{
	const struct offer **hit =
		bsearch(m, mk->by_mail, mk->offers->n, sizeof(*mk->by_mail), offer_find);

	return hit ? *hit : NULL;
}

/* "answers patch 2/3 of series 1" */
static void answers_say(const struct maker *mk, struct ledger_row *row, struct str *why)
{
	const struct mail *to = threads_answered(mk->threads, row->mail);
	const struct thread_part *part = to ? threads_part(mk->threads, to) : NULL;

	if (!part) {
		if (threads_is_reply(mk->threads, row->mail))
			str_adds(why, threads_parent(mk->threads, row->mail)
					      ? "answers a mail that is no patch"
					      : "answers a mail that is not here");
		return;
	}
	row->series = part->series + 1;
	row->patch = part->number;
	if (part->number)
		str_addf(why, "answers patch %u/%u of series %zu", part->number,
			 mk->set->series[part->series].total, row->series);
	else
		str_addf(why, "answers the cover letter of series %zu", row->series);
}

/* ": Reviewed-by, Tested-by". False when the mail gives no tags. */
static bool tags_say(const struct mail *m, struct str *why)
{
	struct tag_lines lines;
	size_t n = 0;

	tags_read(m->text, m->text_len, &lines);
	for (size_t i = 0; i < lines.n; i++) {
		if (lines.item[i].place != LINE_PLAIN)
			continue;
		if (n < TAGS_NAMED)
			str_addf(why, "%s%s",
				 n	    ? ", "
				 : why->len ? ": "
					    : "",
				 lines.item[i].tag.name);
		n++;
	}
	if (n > TAGS_NAMED)
		str_addf(why, " and %zu more", n - TAGS_NAMED);
	tag_lines_done(&lines);
	return n > 0;
}

static void offer_say(const struct offer *o, struct str *why)
{
	str_adds(why, why->len ? ", with a diff" : "a diff");
	if (o->n_files)
		str_addf(why, " to %s", o->file[0]);
	if (o->n_files > 1)
		str_addf(why, " and %zu more", o->n_files - 1);
	if (o->wrong)
		str_addf(why, " that cannot be tried: %s", o->wrong);
}

/* A mail that is no part of a series, and that nothing was wrong with. */
static void other_say(const struct maker *mk, struct ledger_row *row, const char *fate,
		      struct str *why)
{
	const struct mail *m = row->mail;
	const struct offer *o = offer_of(mk, m);
	bool reply = threads_is_reply(mk->threads, m);
	auto_free char *command = mail_command(m);

	answers_say(mk, row, why);
	if (o)
		offer_say(o, why);
	if (command) {
		row->state = MAIL_COMMAND;
		str_addf(why, "%s\"%s\"", why->len ? ": " : "", command);
	} else if (mail_is_pull(m)) {
		row->state = MAIL_PULL;
		str_reset(why);
		str_adds(why, "asks to pull; firn tries mailed patches");
	} else if (o) {
		row->state = MAIL_OFFER;
	} else if (mail_is_robot(m)) {
		row->state = MAIL_BOT;
		tags_say(m, why);
	} else if (reply) {
		row->state = tags_say(m, why) ? MAIL_TAGS : MAIL_REPLY;
	} else {
		row->state = MAIL_OTHER;
	}
	if (!why->len)
		str_adds(why, fate);
}

static void part_say(struct ledger_row *row, const struct thread_part *part, struct str *why)
{
	row->state = part->patch ? MAIL_PATCH : MAIL_COVER;
	row->series = part->series + 1;
	row->patch = part->number;
	if (part->patch && part->patch->diff_error)
		str_addf(why, "; its diff is broken: %s", part->patch->diff_error);
}

/* Of a mail that calls itself a patch or a cover letter, and is in no series. */
static enum mail_state tagged_state(const struct mail *m)
{
	struct reply_lines r;
	struct subject s;
	bool cover;

	subject_parse(m->subject, &s);
	cover = s.numbered && s.number == 0;
	subject_done(&s);
	reply_lines_begin(&r, m->text, m->text_len);
	if (cover && !r.diff)
		return MAIL_COVER;
	return r.diff ? MAIL_DUPLICATE : MAIL_NOT_A_PATCH;
}

static void row_fill(const struct maker *mk, struct ledger_row *row, const char *fate)
{
	const struct thread_part *part = threads_part(mk->threads, row->mail);
	struct str why;

	str_init(&why, 4096);
	if (part) {
		str_adds(&why, fate);
		part_say(row, part, &why);
	} else if (threads_kept(mk->threads, row->mail) != row->mail) {
		row->state = MAIL_DUPLICATE;
		str_adds(&why, fate);
	} else if (mail_is_tagged(row->mail)) {
		row->state = tagged_state(row->mail);
		str_adds(&why, fate);
	} else {
		other_say(mk, row, fate, &why);
	}
	row->reason = str_take(&why);
}

static void offers_sort(struct maker *mk)
{
	mk->by_mail = xcalloc(mk->offers->n, sizeof(*mk->by_mail));
	for (size_t i = 0; i < mk->offers->n; i++)
		mk->by_mail[i] = &mk->offers->item[i];
	qsort(mk->by_mail, mk->offers->n, sizeof(*mk->by_mail), offer_cmp);
}

void ledger_make(const struct mail_list *mails, const struct series_set *set,
		 const struct threads *t, const struct offers *offers, struct ledger *ret_ledger)
{
	struct maker mk = {.set = set, .threads = t, .offers = offers};
	struct ledger ledger = {};

	offers_sort(&mk);
	ledger.row = xcalloc(mails->n + mails->n_notes, sizeof(*ledger.row));
	for (size_t i = 0; i < mails->n; i++) {
		struct ledger_row *row = &ledger.row[ledger.n++];

		*row = (struct ledger_row){.number = i + 1, .mail = mails->item[i]};
		row_fill(&mk, row, set->fate[i].why);
	}
	for (size_t i = 0; i < mails->n_notes; i++)
		ledger.row[ledger.n++] = (struct ledger_row){.state = MAIL_UNREADABLE,
							     .reason = xstrdup(mails->note[i])};
	free(mk.by_mail);
	*ret_ledger = ledger;
}

void ledger_done(struct ledger *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->row[i].reason);
	free(l->row);
	*l = (struct ledger){};
}
