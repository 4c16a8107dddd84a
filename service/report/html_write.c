// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html_view.h"

#include "report/escape.h"
#include <glib.h>

#define MEMBER_MAX 8192

void html_value(struct html_view *v, const json_t *string)
{
	size_t n = json_string_length(string), shown = n < MEMBER_MAX ? n : MEMBER_MAX;
	const char *s = json_string_value(string);

	if (!s)
		return;
	while (shown < n && shown && (s[shown] & 0xc0) == 0x80) /* not inside a character */
		shown--;
	html_text(&v->out, s, shown);
	if (shown < n)
		str_addf(&v->out, "... (%zu more bytes)", n - shown);
}

void html_member(struct html_view *v, const json_t *obj, const char *key)
{
	html_value(v, json_object_get(obj, key));
}

void html_element(struct html_view *v, const char *open, const json_t *string)
{
	str_addf(&v->out, "<%s>", open);
	html_value(v, string);
	str_addf(&v->out, "</%.*s>", (int)strcspn(open, " "), open);
}

const char *html_trial(const struct html_view *v)
{
	return v->links ? v->links->trial : NULL;
}

const char *html_series_path(const struct html_view *v)
{
	return v->links ? v->links->series : NULL;
}

/* No word that a browser would resolve: "a/../b". */
static bool is_plain_path(const char *s)
{
	return *s != '.' && *s != '/' && !strstr(s, "/.") && !strstr(s, "//");
}

bool html_sub_path(struct html_view *v, const char *before, const char *middle, const json_t *word)
{
	const char *s = json_string_value(word);
	const char *plain = s && is_plain_path(s) ? "/-._~" : "-_~";
	size_t n = json_string_length(word);

	if (!before || !n)
		return false;
	str_adds(&v->out, before);
	str_adds(&v->out, middle);
	for (size_t i = 0; i < n; i++) {
		if (g_ascii_isalnum(s[i]) || (s[i] && strchr(plain, s[i])))
			str_addc(&v->out, s[i]);
		else
			str_addf(&v->out, "%%%02X", (unsigned char)s[i]);
	}
	return true;
}

void html_linked(struct html_view *v, const struct html_target *to, const char *open,
		 const json_t *text)
{
	bool link = to->before && json_string_length(to->word);

	str_adds(&v->out, link ? "<a href=\"" : "");
	link = html_sub_path(v, to->before, to->middle, to->word);
	str_adds(&v->out, link ? "\">" : "");
	if (open)
		html_element(v, open, text);
	else
		html_value(v, text);
	str_adds(&v->out, link ? "</a>" : "");
}

/* "2026-11-30T14:02:11Z" */
static bool is_utc(const char *s)
{
	static const char shape[] = "0000-00-00T00:00:00Z";

	if (!s || strlen(s) != strlen(shape))
		return false;
	for (size_t i = 0; shape[i]; i++)
		if (shape[i] == '0' ? !g_ascii_isdigit(s[i]) : s[i] != shape[i])
			return false;
	return true;
}

void html_time(struct html_view *v, const json_t *string)
{
	const char *s = json_string_value(string);

	if (is_utc(s))
		str_addf(&v->out, "<time datetime=\"%s\">%.10s %.5s UTC</time>", s, s, s + 11);
	else
		html_value(v, string);
}

void html_badge(struct html_view *v, const char *meaning, const char *text)
{
	str_addf(&v->out, "<span class=\"badge %s\">%s</span>", meaning, text);
}

const json_t *html_patch_find(const struct html_view *v, long long number)
{
	const json_t *patches = json_object_get(json_object_get(v->report, "series"), "patches");
	const json_t *patch;
	size_t i;

	json_array_foreach (patches, i, patch)
		if (json_integer_value(json_object_get(patch, "number")) == number)
			return patch;
	return NULL;
}

void html_patch(struct html_view *v, long long number)
{
	const json_t *patch = html_patch_find(v, number);

	if (!patch) {
		str_addf(&v->out, "patch %lld/%d", number, v->total);
		return;
	}
	str_addf(&v->out, "<a href=\"#patch-%lld\">patch %lld/%d</a> ", number, number, v->total);
	html_element(v, "bdi", json_object_get(patch, "subject"));
}
