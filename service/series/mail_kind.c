// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/mail_kind.h"

#include "series/reply_lines.h"
#include "series/series.h"
#include <ctype.h>

#define COMMAND_MAX 200

bool mail_is_tagged(const struct mail *m)
{
	struct subject s;
	bool tagged;

	subject_parse(m->subject, &s);
	tagged = s.is_patch || s.numbered || s.version > 1 || strcasestr(s.prefixes, "RFC");
	tagged = tagged && !s.is_reply;
	subject_done(&s);
	return tagged;
}

static bool line_begins(const struct reply_line *l, const char *prefix)
{
	size_t n = strlen(prefix);

	return l->place == LINE_PLAIN && l->len >= n && strncasecmp(l->text, prefix, n) == 0;
}

char *mail_command(const struct mail *m)
{
	struct reply_lines r;
	struct reply_line l;

	reply_lines_begin(&r, m->text, m->text_len);
	while (reply_lines_next(&r, &l))
		if (line_begins(&l, "firn:"))
			return xmemdup(l.text, l.len < COMMAND_MAX ? l.len : COMMAND_MAX);
	return NULL;
}

static bool subject_pulls(const struct mail *m)
{
	struct subject s;
	bool pulls;

	subject_parse(m->subject, &s);
	pulls = !s.is_reply && strcasestr(s.prefixes, "PULL");
	subject_done(&s);
	return pulls;
}

bool mail_is_pull(const struct mail *m)
{
	bool since = false, upto = false;
	struct reply_lines r;
	struct reply_line l;

	if (subject_pulls(m))
		return true;
	reply_lines_begin(&r, m->text, m->text_len);
	while (reply_lines_next(&r, &l) && !(since && upto)) {
		since |= line_begins(&l, "The following changes since commit ");
		upto |= line_begins(&l, "for you to fetch changes up to ");
	}
	return since && upto;
}

/* In the headers of the raw mail, where no line is folded before its value. */
static bool is_auto_submitted(const struct mail *m)
{
	static const char name[] = "auto-submitted:";
	const char *p = m->raw, *end = p + m->raw_len;

	while (p < end && *p != '\n' && *p != '\r') {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if ((size_t)(end - p) > sizeof(name) &&
		    strncasecmp(p, name, sizeof(name) - 1) == 0) {
			p += sizeof(name) - 1;
			p += strspn(p, " \t");
			return strncasecmp(p, "no", 2) != 0;
		}
		p = nl ? nl + 1 : end;
	}
	return false;
}

static bool word_is_robot(const char *w, size_t n)
{
	static const char *const words[] = {"bot",	 "robot",   "ci",	"buildbot",
					    "autobuild", "noreply", "patchbot", "patchwork",
					    "syzbot",	 "lkp"};

	for (size_t i = 0; i < array_size(words); i++)
		if (strlen(words[i]) == n && strncasecmp(w, words[i], n) == 0)
			return true;
	return false;
}

/* One of the words of `s`, which ends at `end`. */
static bool has_robot_word(const char *s, const char *end)
{
	while (s < end) {
		const char *w = s;

		while (s < end && isalnum((unsigned char)*s))
			s++;
		if (word_is_robot(w, (size_t)(s - w)))
			return true;
		s += s < end;
	}
	return false;
}

bool mail_is_robot(const struct mail *m)
{
	const char *name = m->from.name, *email = m->from.email;

	return is_auto_submitted(m) || has_robot_word(name, name + strlen(name)) ||
	       has_robot_word(email, email + strcspn(email, "@"));
}
