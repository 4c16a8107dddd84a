// SPDX-License-Identifier: GPL-2.0-or-later
/* What mail programs do to a diff. Nothing is repaired: the author has to send it again. */
#include "series/message.h"
#include "series/message_body.h"

struct hunk_lines {
	unsigned old, new;	  /* lines that are still to come */
	size_t line, wrapped;	  /* number of a line that cannot be one of a hunk; 0: none */
	size_t context, two, tab; /* context lines; that begin with two spaces; and then a tab */
};

/* "@@ -1,7 +1,8 @@". */
static bool hunk_begins(struct hunk_lines *h, const char *line)
{
	unsigned old = 1, new = 1;
	const char *p = line + 4;

	if (!str_starts(line, "@@ -"))
		return false;
	p += strspn(p, "0123456789");
	if (*p == ',')
		old = (unsigned)strtoul(p + 1, NULL, 10);
	p += strcspn(p, "+\n");
	if (*p != '+')
		return false;
	p += 1 + strspn(p + 1, "0123456789");
	if (*p == ',')
		new = (unsigned)strtoul(p + 1, NULL, 10);
	h->old = old;
	h->new = new;
	return true;
}

static void context_count(struct hunk_lines *h, const char *line, size_t n)
{
	if (n < 3)
		return;
	h->context++;
	h->two += line[1] == ' ';
	h->tab += line[1] == ' ' && line[2] == '\t';
}

static bool is_other_part(const char *line)
{
	return str_starts(line, "diff ") || str_starts(line, "Index: ") || str_starts(line, "@@ ");
}

static void hunk_line(struct hunk_lines *h, const char *line, size_t n)
{
	bool both = *line == ' ' || *line == '\n' || *line == '\r';

	if (*line == ' ')
		context_count(h, line, n);
	if (both || *line == '-')
		h->old -= h->old > 0;
	if (both || *line == '+')
		h->new -= h->new > 0;
	if (both || strchr("-+\\", *line))
		return;
	if (!is_other_part(line))
		h->wrapped = h->line;
	h->old = h->new = 0;
}

static void hunks_look(struct hunk_lines *h, const char *text, size_t n)
{
	size_t len;

	for (size_t at = 0; at < n && !h->wrapped; at += len) {
		len = text_line_len(text + at, n - at);
		h->line++;
		if (h->old || h->new)
			hunk_line(h, text + at, len);
		if (!h->old && !h->new)
			hunk_begins(h, text + at);
	}
}

char *patch_damage(const struct mail *mail, const char *text, size_t n)
{
	struct hunk_lines h = {};

	hunks_look(&h, text, n);
	if (mail->flowed_diff)
		return xstrdup("the mail was sent as format=flowed: lines of the patch are wrapped "
			       "or joined");
	if (h.wrapped)
		return xasprintf(
			"line %zu of the diff does not begin with a space, + or -: the mail "
			"program wrapped the lines of the patch",
			h.wrapped);
	if (h.tab && h.two == h.context)
		return xstrdup("every line of context begins with one space too many: the mail was "
			       "sent as format=flowed and is not marked so");
	if (mail->crlf_diff)
		return xstrdup(
			"the encoded text has CRLF line ends: git am takes them off only with "
			"--quoted-cr=strip");
	return NULL;
}
