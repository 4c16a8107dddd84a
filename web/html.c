// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/html.h"

#include "base/clock.h"
#include "report/escape.h"
#include <math.h>

#define BDI_MAX	 1024
#define WORD_MAX 24 /* bytes; text browsers make a column as wide as its longest word */

void html_open(struct str *out, const char *open, const char *text)
{
	str_addf(out, "<%s>", open);
	html_str(out, text);
	str_addf(out, "</%.*s>\n", (int)strcspn(open, " "), open);
}

void html_str(struct str *out, const char *text)
{
	if (text)
		html_text(out, text, strlen(text));
}

static bool inside_char(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* How much of the text is shown: whole characters, at most `max` bytes. */
static size_t cut(const char *text, size_t max)
{
	size_t n = strnlen(text, max + 1);

	if (n <= max)
		return n;
	for (n = max; n && inside_char(text[n]);)
		n--;
	return n;
}

void html_cut(struct str *out, const char *text, size_t max)
{
	size_t shown = cut(text ? text : "", max);

	if (shown)
		html_text(out, text, shown);
	str_adds(out, text && text[shown] ? " &#8230;" : "");
}

/* Where a word of `n` bytes, longer than WORD_MAX, may be broken first: behind the last of the
 * signs that names and paths are put together with, else where it is long enough. */
static size_t break_at(const char *word, size_t n)
{
	size_t at = WORD_MAX;

	for (size_t i = WORD_MAX; i > WORD_MAX / 4; i--)
		if (strchr("/_.-:+=,@", word[i - 1]))
			return i;
	while (at < n && inside_char(word[at]))
		at++;
	return at;
}

void html_words(struct str *out, const char *text, size_t max)
{
	size_t shown = cut(text ? text : "", max);

	for (size_t at = 0; at < shown;) {
		size_t n = strcspn(text + at, " \t\n"), part;

		n = n < shown - at ? n : shown - at;
		part = n > WORD_MAX ? break_at(text + at, n) : n;
		/* With the blank behind it. */
		if (part == n && at + part < shown)
			part++;
		html_text(out, text + at, part);
		str_adds(out, part < n ? "<wbr/>" : "");
		at += part;
	}
	str_adds(out, text && text[shown] ? " &#8230;" : "");
}

void html_bdi(struct str *out, const char *text)
{
	str_adds(out, "<bdi>");
	html_words(out, text, BDI_MAX);
	str_adds(out, "</bdi>");
}

void html_when(struct str *out, int64_t t)
{
	char iso[CLOCK_ISO_MAX];

	if (!t) {
		str_adds(out, "never");
		return;
	}
	clock_iso(t, iso);
	str_addf(out, "<time datetime=\"%s\">%.10s %.5s UTC</time>", iso, iso,
		 strlen(iso) > 16 ? iso + 11 : "");
}

void html_span(struct str *out, double seconds)
{
	char span[CLOCK_SPAN_MAX];

	str_addf(out, "<time datetime=\"PT%.0fS\">%s</time>", round(fmax(seconds, 0)),
		 clock_span(fmax(seconds, 0), span));
}

/* States of two words ("left alone") are one class. */
void html_word(struct str *out, const char *word)
{
	str_adds(out, "<span class=\"badge ");
	for (const char *p = word; *p; p++)
		str_addc(out, *p == ' ' ? '-' : *p);
	str_addf(out, "\">%s</span>", word);
}

void html_link(struct str *out, const char *path, const char *text)
{
	str_addf(out, "<a href=\"%s\">", path);
	html_bdi(out, text);
	str_adds(out, "</a>");
}

void html_path(struct str *out, const char *before, const char *word)
{
	str_adds(out, before);
	percent_encode(out, word, false);
}

void html_message_id(struct str *out, const char *message_id)
{
	str_adds(out, "<a class=\"id\" href=\"");
	html_path(out, "/m/", message_id);
	str_adds(out, "\">&lt;");
	html_words(out, message_id, BDI_MAX);
	str_adds(out, "&gt;</a>");
}

void html_dt(struct str *out, const char *name)
{
	str_addf(out, "<dt>%s</dt>", name);
}

/* What the filters of all pages are called: a link of a pager keeps them. */
static const char *const filter_keys[] = {"list", "author", "file", "state", "q", "show", NULL};

void html_query(struct str *out, const struct request *q, const char *const *keys, const char *but)
{
	for (; *keys; keys++) {
		const char *value = query(q, *keys);

		if (!*value || (but && strcmp(but, *keys) == 0))
			continue;
		str_addf(out, "%s=", *keys);
		percent_encode(out, value, false);
		str_adds(out, "&amp;");
	}
}

void html_pager(struct str *out, const struct request *q, const char *path, int64_t key)
{
	bool newest = !*query(q, "before");

	if (newest && !key)
		return;
	str_adds(out, "<nav class=\"pager\" aria-label=\"Pages\">");
	if (!newest) {
		str_addf(out, "<a rel=\"first\" href=\"%s?", path);
		html_query(out, q, filter_keys, NULL);
		str_addf(out, "limit=%u\">newest</a> ", q->limit);
	}
	if (key) {
		str_addf(out, "<a rel=\"next\" href=\"%s?", path);
		html_query(out, q, filter_keys, NULL);
		str_addf(out, "limit=%u&amp;before=%lld\">older</a>", q->limit, (long long)key);
	}
	str_adds(out, "</nav>\n");
}

const char *trial_word(const struct store_trial *t)
{
	return t->state == STORE_TRIAL_FINISHED ? outcome_name(t->outcome)
						: store_trial_state_name(t->state);
}

const char *trial_title(const struct store_trial *t)
{
	return *t->title ? t->title : "(series not known yet)";
}
