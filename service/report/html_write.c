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
