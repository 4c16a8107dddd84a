// SPDX-License-Identifier: GPL-2.0-or-later
/* Findings as kernel people know them: "path:line: WARNING:TYPE: message", then the customary
 * total. */
#include "base/json.h"
#include "report/findings.h"
#include "report/text_view.h"

/* The JSON and HTML views have the rest. */
#define FINDINGS_MAX 100

/* "path:line", or "patch 2/3:14" for the commit message, counted in the mail. */
static void finding_place(struct text_view *v, const json_t *finding)
{
	auto_free char *path = text_member(finding, "path");
	long long patch = json_integer_value(json_object_get(finding, "patch"));
	const json_t *line = json_object_get(finding, *path ? "line" : "patch_line");

	if (*path)
		str_adds(&v->out, path);
	else
		str_addf(&v->out, "patch %lld/%d", patch, v->total);
	if (json_is_integer(line))
		str_addf(&v->out, ":%lld", (long long)json_integer_value(line));
}

static void finding_row(struct text_view *v, const json_t *finding)
{
	const char *level = json_get_str(finding, "level", "NOTE");
	auto_free char *type = text_member(finding, "type");
	auto_free char *message = text_member(finding, "message");
	auto_free char *excerpt = text_member(finding, "excerpt");

	finding_place(v, finding);
	str_adds(&v->out, ": ");
	text_paint(v, level, level);
	str_addf(&v->out, "%s%s: %s\n", *type ? ":" : "", type, message);
	if (*excerpt)
		str_addf(&v->out, "    %s\n", excerpt);
}

static void finding_rows(struct text_view *v, const json_t *findings)
{
	auto_free const json_t **finding = findings_sorted(findings);
	size_t n = json_array_size(findings);
	const json_t *patch = NULL;

	for (size_t i = 0; i < n && i < FINDINGS_MAX; i++) {
		const json_t *number = json_object_get(finding[i], "patch");

		if (!json_equal(number, patch)) {
			auto_free char *name = text_patch(v, json_integer_value(number));

			text_heading(v, name);
			str_addc(&v->out, '\n');
		}
		patch = number;
		finding_row(v, finding[i]);
	}
	if (n > FINDINGS_MAX)
		str_addf(&v->out, "... %zu more findings\n", n - FINDINGS_MAX);
}

static long long count(const json_t *counts, const char *key)
{
	return json_integer_value(json_object_get(counts, key));
}

/* What each checker said, for those that did not pass: their reasons are not in the findings. */
static void check_rows(struct text_view *v, const json_t *checks)
{
	const json_t *check;
	size_t i;

	json_array_foreach (checks, i, check) {
		const char *outcome = json_get_str(check, "outcome", "error");
		auto_free char *checker = text_member(check, "checker");
		auto_free char *reason = text_member(check, "reason");
		long long patch = json_integer_value(json_object_get(check, "patch"));

		if (strcmp(outcome, "pass") == 0)
			continue;
		str_adds(&v->out, "  ");
		text_paint(v, outcome, outcome);
		str_addf(&v->out, "%*s  patch %lld/%d  %s: %s\n", (int)(5 - strlen(outcome)), "",
			 patch, v->total, checker, reason);
	}
}

void text_findings(struct text_view *v)
{
	const json_t *findings = json_object_get(v->report, "findings");
	const json_t *counts = json_object_get(v->report, "counts");
	size_t before = v->out.len;

	check_rows(v, json_object_get(v->report, "checks"));
	if (v->out.len > before)
		str_addc(&v->out, '\n');
	finding_rows(v, findings);
	if (json_is_object(counts) && (json_array_size(findings) || !v->opt.brief))
		str_addf(&v->out,
			 "total: %lld errors, %lld warnings, %lld checks, %lld lines checked\n",
			 count(counts, "errors"), count(counts, "warnings"),
			 count(counts, "checks"), count(counts, "lines"));
	if (v->out.len > before)
		str_addc(&v->out, '\n');
}
