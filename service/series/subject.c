// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/message.h"

#include <ctype.h>

/* Nobody posts this many patches; a longer number is a word. */
#define DIGITS_MAX 4

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

/* Length of "Re:", "Fwd:", "Re[2]:" and what other languages' mailers write, at p; 0 when there is
 * none. */
static size_t reply_len(const char *p)
{
	static const char *const words[] = {"re", "fwd", "fw", "aw", "sv", "antw", "wg"};

	for (size_t i = 0; i < array_size(words); i++) {
		size_t n = strlen(words[i]);

		if (strncasecmp(p, words[i], n) != 0)
			continue;
		if (p[n] == '[')
			n += strspn(p + n, "[]0123456789");
		if (p[n] == ':')
			return n + 1;
	}
	return 0;
}

/* Digits only, and few enough. */
static bool number_parse(const char *p, size_t n, unsigned *ret)
{
	unsigned value = 0;

	if (n == 0 || n > DIGITS_MAX)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!isdigit((unsigned char)p[i]))
			return false;
		value = value * 10 + (unsigned)(p[i] - '0');
	}
	*ret = value;
	return true;
}

/* "02/10" */
static bool word_numbers(struct subject *s, const char *w, size_t n)
{
	const char *slash = memchr(w, '/', n);
	unsigned number, total;

	if (!slash || !number_parse(w, (size_t)(slash - w), &number) ||
	    !number_parse(slash + 1, n - (size_t)(slash - w) - 1, &total) || total == 0)
		return false;
	s->number = number;
	s->total = total;
	s->numbered = true;
	return true;
}

/* "v3", "V3", "-v3", and "v3.1", which is a v3 with some patches made anew */
static bool word_version(struct subject *s, const char *w, size_t n)
{
	const char *dot = memchr(w, '.', n);
	size_t major = dot ? (size_t)(dot - w) : n;
	unsigned version, minor = 0;

	if (n > 2 && w[0] == '-')
		return word_version(s, w + 1, n - 1);
	if (n < 2 || (w[0] != 'v' && w[0] != 'V') || !number_parse(w + 1, major - 1, &version))
		return false;
	if (dot && !number_parse(dot + 1, n - major - 1, &minor))
		return false;
	s->version = version ? version : 1;
	s->minor = minor;
	return true;
}

static void prefix_add(struct str *prefixes, const char *w, size_t n)
{
	if (prefixes->len)
		str_addc(prefixes, ' ');
	str_add(prefixes, w, n);
}

/* What git-format-patch(1)'s users put next to a version or number, as in PATCHv3; longest first.
 */
static const struct glue {
	const char *word;
	bool is_patch, resend, keep; /* keep: it stays among the prefixes */
} glues[] = {
	{"PATCHSET", true, false, false}, {"PATCHES", true, false, false},
	{"PATCH", true, false, false},	  {"RFC", false, false, true},
	{"RESEND", false, true, true},	  {"REPOST", false, true, true},
};

static const struct glue *glue_find(const char *w, size_t n)
{
	for (size_t i = 0; i < array_size(glues); i++) {
		size_t len = strlen(glues[i].word);

		if (n >= len && strncasecmp(w, glues[i].word, len) == 0)
			return &glues[i];
	}
	return NULL;
}

/* PATCH, PATCHv3, PATCH-v3, PATCH1/2, RFCv2, RESEND. */
static bool word_glued(struct subject *s, struct str *prefixes, const char *w, size_t n)
{
	const struct glue *g = glue_find(w, n);
	size_t len = g ? strlen(g->word) : 0, gap;

	if (!g)
		return false;
	gap = len + (n > len && (w[len] == '-' || w[len] == '_'));
	if (n != len && !word_version(s, w + gap, n - gap) && !word_numbers(s, w + gap, n - gap))
		return false;
	s->is_patch |= g->is_patch;
	s->resend |= g->resend;
	if (g->keep)
		prefix_add(prefixes, w, len);
	return true;
}

/* "PATCH/RFC", "RFC/PATCH-v2": the first word has `first` bytes of the n. */
static bool words_glued(struct subject *s, struct str *prefixes, const char *w, size_t first,
			size_t n)
{
	const struct glue *g = glue_find(w, first);

	return g && strlen(g->word) == first &&
	       word_glued(s, prefixes, w + first + 1, n - first - 1) &&
	       word_glued(s, prefixes, w, first);
}

/* One word between brackets. */
static void word_take(struct subject *s, struct str *prefixes, const char *w, size_t n)
{
	const char *slash;

	if (n && w[n - 1] == ':')
		n--;
	if (n == 0 || word_numbers(s, w, n) || word_version(s, w, n) ||
	    word_glued(s, prefixes, w, n))
		return;
	slash = memchr(w, '/', n);
	if (slash && words_glued(s, prefixes, w, (size_t)(slash - w), n))
		return;
	prefix_add(prefixes, w, n);
}

static size_t word_len(const char *w, size_t n)
{
	size_t len = 0;

	while (len < n && !is_space(w[len]) && w[len] != ',')
		len++;
	return len;
}

/* "1 of 2", as Mercurial writes it: length of the whole, 0 when it is something else. */
static size_t one_of_two(struct subject *s, const char *w, size_t n)
{
	size_t first = word_len(w, n), second;
	unsigned number, total;

	if (!number_parse(w, first, &number) || n < first + 5 ||
	    strncasecmp(w + first, " of ", 4) != 0)
		return 0;
	second = word_len(w + first + 4, n - first - 4);
	if (!number_parse(w + first + 4, second, &total) || total == 0)
		return 0;
	s->number = number;
	s->total = total;
	s->numbered = true;
	return first + 4 + second;
}

static void words_take(struct subject *s, struct str *prefixes, const char *p, size_t n)
{
	while (n) {
		size_t len = one_of_two(s, p, n);

		if (!len) {
			len = word_len(p, n);
			word_take(s, prefixes, p, len);
		}
		if (len < n)
			len++;
		p += len;
		n -= len;
	}
}

/* "PATCH 1/2: text", by hand and without brackets. */
static void bare_prefix(struct subject *s, struct str *prefixes, const char *p)
{
	const char *colon = strchr(p, ':');

	if (strncmp(p, "PATCH ", 6) == 0 && colon)
		words_take(s, prefixes, p, (size_t)(colon - p));
}

char *subject_clean(const char *line)
{
	char *out = xmalloc(strlen(line) + 1), *o = out;
	const char *close;

	for (;;) {
		if (is_space(*line) || *line == ':')
			line++;
		else if (strncasecmp(line, "re:", 3) == 0)
			line += 3;
		else if (*line == '[' && (close = strchr(line, ']')))
			line = close + 1;
		else
			break;
	}
	for (; *line; line++)
		if (!is_space(*line) || (o > out && o[-1] != ' '))
			*o++ = is_space(*line) ? ' ' : *line;
	while (o > out && o[-1] == ' ')
		o--;
	*o = '\0';
	return out;
}

void subject_parse(const char *line, struct subject *ret_subject)
{
	struct subject s = {.version = 1, .number = 1, .total = 1};
	struct str prefixes;
	bool brackets = false;
	size_t n;

	str_init(&prefixes, 1024);
	s.text = subject_clean(line);
	for (;;) {
		const char *close;

		line += strspn(line, " \t");
		/* "[PATCH] re: ..." is about something called re. */
		if (!s.is_patch && !s.numbered && (n = reply_len(line))) {
			s.is_reply = true;
			line += n;
		} else if (*line == '[' && (close = strchr(line, ']'))) {
			words_take(&s, &prefixes, line + 1, (size_t)(close - line) - 1);
			brackets = true;
			line = close + 1;
		} else {
			break;
		}
	}
	if (!brackets)
		bare_prefix(&s, &prefixes, line);
	s.prefixes = str_take(&prefixes);
	*ret_subject = s;
}

void subject_done(struct subject *s)
{
	free(s->prefixes);
	free(s->text);
	*s = (struct subject){};
}
