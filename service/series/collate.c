// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/collate.h"
#include "series/version.h"

#include "base/proc.h"
#include <stdarg.h>

static bool has_prefix(const struct subject *s, const char *word)
{
	return strcasestr(s->prefixes, word) != NULL;
}

static enum role role_find(struct item *it)
{
	const struct subject *s = &it->patch.subject;
	bool tagged = s->is_patch || s->numbered || s->version > 1 || has_prefix(s, "RFC");

	if (s->is_reply || (!tagged && it->mail->in_reply_to))
		return ROLE_REPLY;
	if (s->numbered && s->number == 0)
		return ROLE_COVER;
	if (!tagged && has_prefix(s, "PULL"))
		return ROLE_PULL;
	patch_read(it->mail, &it->patch);
	if (patch_has_diff(&it->patch))
		return ROLE_PATCH;
	return tagged ? ROLE_NO_DIFF : ROLE_OTHER;
}

static int items_read(const struct mail_list *mails, struct item *items, struct err *err)
{
	for (size_t i = 0; i < mails->n; i++) {
		struct item *it = &items[i];

		if (cancel_requested())
			return err_cancelled(err);
		it->mail = mails->item[i];
		it->index = i;
		it->poster = poster_find(it->mail);
		it->run = run_find(it->mail->message_id);
		subject_parse(it->mail->subject, &it->patch.subject);
		it->role = role_find(it);
	}
	return 0;
}

static void items_free(struct item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		patch_done(&items[i].patch);
		free(items[i].poster);
		free(items[i].run);
	}
	free(items);
}

/* The parts of one group, sorted: the cover letter first, then by number. */
static int part_order(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	unsigned x = a->patch.subject.number, y = b->patch.subject.number;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (x != y)
		return x < y ? -1 : 1;
	return item_order(a, b);
}

static void note_add(struct series *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Only the first: one that is odd in several ways needs no more to be looked at. */
static void note_add(struct series *s, const char *fmt, ...)
{
	struct str note;
	va_list ap;

	if (s->note)
		return;
	str_init(&note, 4096);
	va_start(ap, fmt);
	str_vaddf(&note, fmt, ap);
	va_end(ap);
	s->note = str_take(&note);
}

/* The largest that a patch promises; the cover letter's counts when there is no patch to ask. */
static unsigned total_find(struct item *const *part, size_t n)
{
	unsigned total = 0;

	for (size_t i = 0; i < n; i++) {
		const struct subject *s = &part[i]->patch.subject;
		unsigned least = s->total > s->number ? s->total : s->number;

		if (part[i]->role == ROLE_PATCH && least > total)
			total = least;
	}
	return total;
}

static void numbers_compare(struct series *s, struct item *const *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct subject *subject = &part[i]->patch.subject;

		if (subject->total != s->total)
			note_add(s, "the numbers disagree: %u/%u is in a series of %u",
				 subject->number, subject->total, s->total);
	}
}

/* Takes the patches out of their items. `part` are the members without those that came twice. */
static void series_fill(struct series *s, struct item **part, size_t n)
{
	const struct mail *first = part[0]->mail;
	const struct subject *subject = &part[0]->patch.subject;

	s->title = xstrdup(subject->text);
	s->message_id = xstrdup(first->message_id ? first->message_id : "");
	s->version = subject->version;
	s->minor = subject->minor;
	s->resend = subject->resend;
	s->total = total_find(part, n);
	numbers_compare(s, part, n);
	ident_from_mail(first, &s->author);
	s->patch = xcalloc(n, sizeof(*s->patch));
	for (size_t i = 0; i < n; i++) {
		series_trailers_read(s, part[i]->mail);
		if (part[i]->role == ROLE_COVER) {
			s->cover = part[i]->mail;
		} else {
			s->patch[s->n_patches++] = part[i]->patch;
			part[i]->patch = (struct patch){};
		}
	}
	series_missing_find(s);
}

/* Leaves one mail of each number, the earliest; the fates of the others say so. */
static size_t numbers_unique(struct series_set *set, struct item **part, size_t n)
{
	struct series *series = &set->series[set->n_series];
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct subject *s = &part[i]->patch.subject;
		const struct item *last = kept ? part[kept - 1] : NULL;

		if (last && last->patch.subject.number == s->number) {
			fate_set(set, part[i],
				 "a second %u/%u of series %zu; %s is the one that counts",
				 s->number, s->total, set->n_series + 1, last->mail->origin);
			note_add(series, "the numbers disagree: there are two %u/%u, %s and %s",
				 s->number, s->total, last->mail->origin, part[i]->mail->origin);
		} else {
			part[kept++] = part[i];
		}
	}
	return kept;
}

static void group_take(struct series_set *set, struct item **part, size_t n)
{
	n = numbers_unique(set, part, n);
	if (n == 1 && part[0]->role == ROLE_COVER) {
		fate_set(set, part[0], "cover letter 0/%u without any of its patches",
			 part[0]->patch.subject.total);
		free(take(set->series[set->n_series].note));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct subject *s = &part[i]->patch.subject;

		fate_set(set, part[i], "%s %u/%u of series %zu",
			 part[i]->role == ROLE_COVER ? "cover letter" : "patch", s->number,
			 s->total, set->n_series + 1);
	}
	series_fill(&set->series[set->n_series++], part, n);
}

static void set_fill(struct series_set *set, struct item *items, size_t n)
{
	auto_free struct item **part = xcalloc(n, sizeof(struct item *));
	size_t n_parts = 0;

	for (size_t i = 0; i < n; i++) {
		if (item_is_part(&items[i]))
			part[n_parts++] = &items[i];
		else
			fate_other(set, &items[i]);
	}
	qsort(part, n_parts, sizeof(*part), part_order);
	set->series = xcalloc(n_parts, sizeof(*set->series));
	for (size_t i = 0, end; i < n_parts; i = end) {
		for (end = i + 1; end < n_parts && part[end]->group == part[i]->group;)
			end++;
		group_take(set, part + i, end - i);
	}
}

int collate(const struct mail_list *mails, struct series_set *ret_set, struct err *err)
{
	struct item *items = xcalloc(mails->n, sizeof(*items));
	struct series_set set = {.n_fates = mails->n};
	int rc = items_read(mails, items, err);

	if (rc == 0) {
		set.fate = xcalloc(mails->n, sizeof(*set.fate));
		for (size_t i = 0; i < mails->n; i++)
			set.fate[i].mail = mails->item[i];
		qsort(items, mails->n, sizeof(*items), item_order);
		items_group(items, mails->n);
		set_fill(&set, items, mails->n);
		rerolls_compose(&set);
		versions_link(&set);
		*ret_set = set;
	}
	items_free(items, mails->n);
	return rc;
}
