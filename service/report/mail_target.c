// SPDX-License-Identifier: GPL-2.0-or-later
/* Which mail is answered, and under which subject. */
#include "report/mail.h"

#include "base/json.h"
#include "base/outcome.h"
#include "report/text_view.h"

/* The rest of the thread has it in full. */
#define SUBJECT_MAX 240

static const json_t *series_of(const json_t *report)
{
	return json_object_get(report, "series");
}

static const json_t *patch_find(const json_t *report, unsigned number)
{
	const json_t *patches = json_object_get(series_of(report), "patches"), *patch;
	size_t i;

	json_array_foreach (patches, i, patch)
		if (json_integer_value(json_object_get(patch, "number")) == number)
			return patch;
	return NULL;
}

/* The worst step's patch; of equals the first. 0: none is named. */
static unsigned step_patch(const json_t *report)
{
	const json_t *steps = json_object_get(report, "steps"), *step;
	enum outcome worst = OUTCOME_PASS;
	unsigned number = 0;
	size_t i;

	json_array_foreach (steps, i, step) {
		enum outcome o = outcome_parse(json_get_str(step, "outcome", "error"));

		if (o <= worst)
			continue;
		worst = o;
		number = (unsigned)json_integer_value(json_object_get(step, "patch"));
	}
	return number;
}

/* The patch that all findings are about; 0: several, or none. */
static unsigned finding_patch(const json_t *report)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	unsigned number = 0;
	size_t i;

	json_array_foreach (findings, i, finding) {
		unsigned it = (unsigned)json_integer_value(json_object_get(finding, "patch"));

		if (strcmp(json_get_str(finding, "level", "NOTE"), "NOTE") == 0)
			continue;
		if (number && it != number)
			return 0;
		number = it;
	}
	return number;
}

/* Findings decide only where nothing worse has happened than that there are some. */
static bool only_checked(const json_t *report)
{
	const json_t *steps = json_object_get(report, "steps"), *step;
	size_t i;

	json_array_foreach (steps, i, step) {
		enum outcome o = outcome_parse(json_get_str(step, "outcome", "error"));

		if (o > OUTCOME_PASS && strcmp(json_get_str(step, "name", ""), "check") != 0)
			return false;
	}
	return true;
}

static const char *id_of(const json_t *patch)
{
	const char *id = json_get_str(patch, "message_id", "");

	return *id ? id : NULL;
}

const char *report_mail_target(const json_t *report, unsigned *ret_number)
{
	const json_t *series = series_of(report);
	const char *cover = json_get_str(series, "cover", NULL), *id;
	unsigned number = step_patch(report), ignored;

	if (!ret_number)
		ret_number = &ignored;
	if (!number && only_checked(report))
		number = finding_patch(report);
	id = number ? id_of(patch_find(report, number)) : NULL;
	*ret_number = id ? number : 0;
	if (id)
		return id;
	if (cover && *cover)
		return cover;
	return id_of(json_array_get(json_object_get(series, "patches"), 0));
}

/* "[PATCH v2 2/3] subject", as git format-patch(1) makes it. */
static char *subject_make(const json_t *report)
{
	const json_t *series = series_of(report);
	int total = (int)json_get_num(series, "total", 0),
	    version = (int)json_get_num(series, "version", 1);
	auto_str struct str s;
	unsigned number = 0;

	str_init(&s, 8192);
	(void)report_mail_target(report, &number);
	str_adds(&s, "[PATCH");
	if (version > 1)
		str_addf(&s, " v%d", version);
	if (total > 1)
		str_addf(&s, " %u/%d", number, total);
	str_addf(&s, "] %s",
		 number ? json_get_str(patch_find(report, number), "subject", "")
			: json_get_str(series, "title", ""));
	return str_take(&s);
}

char *report_mail_subject(const json_t *report, const char *original)
{
	auto_free char *made = original ? NULL : subject_make(report);
	const char *s = original ?: made;
	auto_free char *text = NULL;

	while (strncasecmp(s, "re:", 3) == 0)
		s += 3 + strspn(s + 3, " \t");
	text = text_escaped(s, strlen(s));
	text[term_fit(text, strlen(text), SUBJECT_MAX)] = '\0';
	return xasprintf("Re: %s", text);
}
