// SPDX-License-Identifier: GPL-2.0-or-later
/* What shows that a mail is right: about 30 lines, the worst first. */
#include "report/mail_view.h"

#include "base/json.h"
#include "base/outcome.h"
#include "report/findings.h"

static bool is_bad(const json_t *step)
{
	enum outcome o = outcome_parse(json_get_str(step, "outcome", "error"));

	return o == OUTCOME_FAIL || o == OUTCOME_ERROR || o == OUTCOME_WARN;
}

static void step_heading(struct mail_view *v, const json_t *step)
{
	const json_t *patch = json_object_get(step, "patch");
	auto_free char *name = text_member(step, "name"), *where = NULL;
	auto_free char *what = NULL;

	if (json_is_integer(patch))
		where = mail_patch(v, json_integer_value(patch));
	what = xasprintf("%s%s%s:", name, where ? ", " : "", where ?: "");
	mail_wrap(v, what, 0, 2);
}

static void step_evidence(struct mail_view *v, const json_t *step)
{
	const json_t *evidence = json_object_get(step, "evidence"), *line;
	size_t n = json_array_size(evidence), shown = n < v->left ? n : v->left, i;

	if (!shown)
		return;
	step_heading(v, step);
	json_array_foreach (evidence, i, line)
		mail_quote(v, line);
	mail_more(v, n - shown, "line");
	str_addc(&v->out, '\n');
}

void mail_steps_evidence(struct mail_view *v)
{
	const json_t *steps = json_object_get(v->report, "steps"), *step;
	size_t i;

	json_array_foreach (steps, i, step)
		if (is_bad(step))
			step_evidence(v, step);
}

/* "path:line", or "patch 2/3" for the commit message. */
static char *finding_place(const struct mail_view *v, const json_t *finding)
{
	const json_t *line = json_object_get(finding, "line");
	auto_free char *path = text_member(finding, "path");

	if (!*path)
		return xasprintf("patch %lld/%d",
				 (long long)json_integer_value(json_object_get(finding, "patch")),
				 v->total);
	if (!json_is_integer(line))
		return take(path);
	return xasprintf("%s:%lld", path, (long long)json_integer_value(line));
}

static void finding_row(struct mail_view *v, const json_t *finding)
{
	auto_free char *level = text_member(finding, "level"), *place = finding_place(v, finding);
	auto_free char *message = text_member(finding, "message"),
		       *type = text_member(finding, "type");
	auto_free char *text = xasprintf("%s: %s:%s: %s", place, level, type, message);
	const json_t *excerpt = json_object_get(finding, "excerpt");
	size_t before = v->out.len;

	mail_wrap(v, text, 0, 4);
	for (; before < v->out.len && v->left; before++)
		v->left -= v->out.buf[before] == '\n';
	if (json_is_string(excerpt) && json_string_length(excerpt))
		mail_quote(v, excerpt);
}

/* Of the same place and rule the first is enough, and a note asks for nothing. */
static bool is_worth_it(const json_t *finding)
{
	return strcmp(json_get_str(finding, "level", "NOTE"), "NOTE") != 0;
}

static size_t worth_it(const json_t **finding, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += is_worth_it(finding[i]);
	return count;
}

void mail_findings(struct mail_view *v)
{
	const json_t *findings = json_object_get(v->report, "findings");
	auto_free const json_t **finding = findings_sorted(findings);
	size_t n = json_array_size(findings), left = worth_it(finding, n);
	const json_t *patch = NULL;

	if (!left)
		return;
	for (size_t i = 0; i < n && v->left; i++) {
		const json_t *number = json_object_get(finding[i], "patch");

		if (!is_worth_it(finding[i]))
			continue;
		if (!json_equal(number, patch)) {
			auto_free char *name = mail_patch(v, json_integer_value(number));
			auto_free char *heading = xasprintf("check, %s:", name);

			mail_wrap(v, heading, 0, 2);
		}
		patch = number;
		finding_row(v, finding[i]);
		left--;
	}
	mail_more(v, left, "finding");
	str_addc(&v->out, '\n');
}
