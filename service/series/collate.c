// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/collate.h"

#include "base/proc.h"
#include <ctype.h>
#include <stdarg.h>

#define BASE_COMMIT_HEX 40

static bool has_prefix(const struct subject *s, const char *word)
{
	return strcasestr(s->prefixes, word) != NULL;
}

static enum role role_find(struct item *it)
{
	const struct subject *s = &it->patch.subject;
	bool tagged = s->is_patch || s->numbered;

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
		subject_parse(it->mail->subject, &it->patch.subject);
		it->resend = has_prefix(&it->patch.subject, "RESEND") ||
			     has_prefix(&it->patch.subject, "REPOST");
		it->role = role_find(it);
	}
	return 0;
}

static void items_free(struct item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		patch_done(&items[i].patch);
	free(items);
}

static void fate_set(struct series_set *set, const struct item *it, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fate_set(struct series_set *set, const struct item *it, const char *fmt, ...)
{
	struct str why;
	va_list ap;

	str_init(&why, 4096);
	va_start(ap, fmt);
	str_vaddf(&why, fmt, ap);
	va_end(ap);
	free(set->fate[it->index].why);
	set->fate[it->index].why = str_take(&why);
}

/* What is no part of a series. */
static void fate_other(struct series_set *set, const struct item *it)
{
	const struct subject *s = &it->patch.subject;

	switch (it->role) {
	case ROLE_REPLY: fate_set(set, it, "a reply"); break;
	case ROLE_PULL: fate_set(set, it, "a pull request"); break;
	case ROLE_NO_DIFF:
		if (s->numbered)
			fate_set(set, it, "calls itself patch %u/%u, but holds no diff", s->number,
				 s->total);
		else
			fate_set(set, it, "calls itself a patch, but holds no diff");
		break;
	case ROLE_DUPLICATE:
		fate_set(set, it,
			 "a second mail with the Message-ID <%s>; %s is the one that counts",
			 it->mail->message_id, it->other->mail->origin);
		break;
	default: fate_set(set, it, "not a patch: holds no diff"); break;
	}
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

/* "base-commit: " and 40 digits, at the beginning of a line, wherever git-format-patch(1) put it.
 */
static char *base_commit_find(const struct mail *m)
{
	static const char name[] = "base-commit: ";
	const char *p = m->text;

	while ((p = strstr(p, name))) {
		const char *hex = p + sizeof(name) - 1;
		size_t n = strspn(hex, "0123456789abcdef");

		if (n == BASE_COMMIT_HEX && (p == m->text || p[-1] == '\n') &&
		    (!hex[n] || isspace((unsigned char)hex[n])))
			return xmemdup(hex, n);
		p = hex;
	}
	return NULL;
}

static void missing_find(struct series *s)
{
	size_t p = 0;

	s->missing = xcalloc(s->total < SERIES_MISSING_MAX ? s->total : SERIES_MISSING_MAX,
			     sizeof(*s->missing));
	for (unsigned number = 1; number <= s->total && s->n_missing < SERIES_MISSING_MAX;
	     number++) {
		while (p < s->n_patches && s->patch[p].subject.number < number)
			p++;
		if (p == s->n_patches || s->patch[p].subject.number != number)
			s->missing[s->n_missing++] = number;
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
	s->total = subject->total;
	ident_from_mail(first, &s->author);
	s->patch = xcalloc(n, sizeof(*s->patch));
	for (size_t i = 0; i < n; i++) {
		if (!s->base_commit)
			s->base_commit = base_commit_find(part[i]->mail);
		if (part[i]->role == ROLE_COVER) {
			s->cover = part[i]->mail;
		} else {
			s->patch[s->n_patches++] = part[i]->patch;
			part[i]->patch = (struct patch){};
		}
	}
	missing_find(s);
}

/* Leaves one mail of each number, the earliest; the fates of the others say so. */
static size_t numbers_unique(struct series_set *set, struct item **part, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct subject *s = &part[i]->patch.subject;
		const struct item *last = kept ? part[kept - 1] : NULL;

		if (last && last->patch.subject.number == s->number)
			fate_set(set, part[i],
				 "a second %u/%u of series %zu; %s is the one that counts",
				 s->number, s->total, set->n_series + 1, last->mail->origin);
		else
			part[kept++] = part[i];
	}
	return kept;
}

static void group_take(struct series_set *set, struct item **part, size_t n)
{
	n = numbers_unique(set, part, n);
	if (n == 1 && part[0]->role == ROLE_COVER) {
		fate_set(set, part[0], "cover letter 0/%u without any of its patches",
			 part[0]->patch.subject.total);
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
		*ret_set = set;
	}
	items_free(items, mails->n);
	return rc;
}
