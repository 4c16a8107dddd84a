// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/json.h"
#include "base/str.h"
#include "unit/report/views.h"

json_t *fixture(const char *name)
{
	auto_free char *path = xasprintf(FIXTURES "/report/%s.json", name);
	struct err err = ERR_INIT;
	json_t *report = NULL;

	assert_ok(json_read(path, ERR_INPUT, &report, &err), &err);
	return report;
}

char *text_of(const json_t *report, const struct report_text_options *opt)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	struct err err = ERR_INIT;

	assert_ok(report_text(report, opt, out, &err), &err);
	fclose(out);
	assert_int_equal(strlen(text), n);
	return text;
}

char *html_of(const json_t *report)
{
	char *page = NULL;
	size_t n;
	FILE *out = open_memstream(&page, &n);
	struct err err = ERR_INIT;

	assert_ok(report_html(report, out, &err), &err);
	fclose(out);
	assert_int_equal(strlen(page), n);
	return page;
}

void assert_holds(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("lacks \"%s\":\n%s", what, text);
}

void replace(json_t *report, const char *path, json_t *value)
{
	auto_free char *copy = xstrdup(path);
	char *at = copy, *dot;

	for (; (dot = strchr(at, '.')); at = dot + 1) {
		*dot = '\0';
		report = json_is_array(report) ? json_array_get(report, (size_t)(*at - '0'))
					       : json_object_get(report, at);
	}
	if (json_is_array(report))
		json_array_set_new(report, (size_t)(*at - '0'), value);
	else if (value)
		json_object_set_new(report, at, value);
	else
		json_object_del(report, at);
}
