// SPDX-License-Identifier: GPL-2.0-or-later
/* What became of a mail, in words. */
#include "series/collate.h"

void fate_set(struct series_set *set, const struct item *it, const char *fmt, ...)
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

static bool same_bytes(const char *a, size_t n, const char *b, size_t m)
{
	return n == m && memcmp(a, b, n) == 0;
}

/* Without the signature, where git's version and a list's footer stand. */
static size_t signed_len(const char *text, size_t n)
{
	static const char mark[] = "\n-- \n";
	const char *at = memmem(text, n, mark, sizeof(mark) - 1);

	return at ? (size_t)(at - text) : n;
}

/* How a copy of a mail differs from the one that counts. Both have a diff or neither: a subject
 * that is no patch's was not read for one. */
static const char *copy_differs(const struct item *it)
{
	const struct mail *a = it->mail, *b = it->other->mail;

	if (same_bytes(a->text, a->text_len, b->text, b->text_len))
		return "";
	if (same_bytes(a->text, signed_len(a->text, a->text_len), b->text,
		       signed_len(b->text, b->text_len)))
		return ", and they differ below the signature only";
	return ", and their texts differ";
}

/* What is no part of a series. */
void fate_other(struct series_set *set, const struct item *it)
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
			 "a second mail with the Message-ID <%s>; %s is the one that counts%s",
			 it->mail->message_id, it->other->mail->origin, copy_differs(it));
		break;
	default: fate_set(set, it, "not a patch: holds no diff"); break;
	}
}
