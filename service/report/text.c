// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report.h"

#include "base/clock.h"
#include "base/json.h"
#include "report/text_view.h"

/* Where the values of the head begin. */
#define HEAD_INDENT 11

char *text_patch(const struct text_view *v, long long number)
{
	const json_t *patches = json_object_get(json_object_get(v->report, "series"), "patches");
	const json_t *patch;
	size_t i;

	json_array_foreach (patches, i, patch) {
		auto_free char *subject = text_member(patch, "subject");

		if (json_integer_value(json_object_get(patch, "number")) == number)
			return xasprintf("patch %lld/%d \"%s\"", number, v->total, subject);
	}
	return xasprintf("patch %lld/%d", number, v->total);
}

static void head_row(struct text_view *v, const char *label, const char *value)
{
	str_addf(&v->out, "%-*s", HEAD_INDENT, label);
	text_wrap(v, value, HEAD_INDENT, HEAD_INDENT);
}

static void head_missing(struct text_view *v, const json_t *missing)
{
	auto_str struct str list;
	const json_t *number;
	size_t i;

	str_init(&list, 1024);
	if (!json_array_size(missing))
		return;
	json_array_foreach (missing, i, number)
		str_addf(&list, "%s%lld/%d", i ? ", " : "", (long long)json_integer_value(number),
			 v->total);
	head_row(v, "Missing:", list.buf);
}

static void head_series(struct text_view *v)
{
	const json_t *series = json_object_get(v->report, "series");
	const json_t *author = json_object_get(series, "author");
	auto_free char *title = text_member(series, "title"), *name = text_member(author, "name");
	auto_free char *email = text_member(author, "email"), *date = text_member(series, "date");
	auto_free char *id = text_member(series, "message_id");
	auto_free char *from = xasprintf("%s <%s>, %.10s", name, email, date);
	auto_free char *size =
		xasprintf("version %d, %zu of %d patch%s", (int)json_get_num(series, "version", 1),
			  json_array_size(json_object_get(series, "patches")), v->total,
			  v->total == 1 ? "" : "es");
	auto_free char *mail = xasprintf("<%s>", id);

	str_addf(&v->out, "%-*s", HEAD_INDENT, v->series ? "Series:" : "Bench:");
	text_heading(v, title);
	str_addc(&v->out, '\n');
	if (!v->series)
		return;
	head_row(v, "", size);
	head_row(v, "From:", from);
	head_row(v, "Mail:", *id ? mail : "without a message id");
	head_missing(v, json_object_get(series, "missing"));
}

static void head_base(struct text_view *v)
{
	const json_t *base = json_object_get(v->report, "base");
	auto_free char *commit = text_member(base, "commit"),
		       *subject = text_member(base, "subject");
	auto_free char *why = text_member(base, "why"), *tree = text_member(base, "tree");
	auto_free char *warning = text_member(base, "warning");
	auto_free char *what = xasprintf("%.12s (\"%s\") in %s", commit, subject, tree);

	if (!json_is_object(base)) {
		if (v->series)
			head_row(v, "Base:", "none");
		return;
	}
	head_row(v, "Base:", what);
	head_row(v, "", why);
	if (*warning)
		head_row(v, "Warning:", warning);
}

static void head_run(struct text_view *v)
{
	auto_free char *firn = text_member(v->report, "firn"),
		       *at = text_member(v->report, "started");
	char span[CLOCK_SPAN_MAX];
	auto_free char *run = xasprintf("firn %s, %s, %s", firn, at,
					clock_span(json_get_num(v->report, "seconds", 0), span));

	head_row(v, "Run:", run);
	str_addc(&v->out, '\n');
}

static void tail_not_tested(struct text_view *v)
{
	const json_t *list = json_object_get(v->report, "not_tested"), *item;
	size_t i;

	if (!json_array_size(list))
		return;
	text_heading(v, "Not tested:");
	str_addc(&v->out, '\n');
	json_array_foreach (list, i, item) {
		auto_free char *text = text_value(item);

		str_adds(&v->out, "  - ");
		text_wrap(v, text, 4, 4);
	}
	str_addc(&v->out, '\n');
}

static void tail_verdict(struct text_view *v)
{
	const json_t *verdict = json_object_get(v->report, "verdict");
	const char *outcome = json_get_str(verdict, "outcome", "error");
	auto_free char *words = text_member(verdict, "words"),
		       *repeat = text_member(v->report, "repeat");

	text_heading(v, "Verdict: ");
	text_paint(v, outcome, outcome);
	str_adds(&v->out, ": ");
	text_wrap(v, words, strlen("Verdict: : ") + strlen(outcome), strlen("Verdict: "));
	/* Not wrapped: it is there to be copied. */
	str_addf(&v->out, "Repeat:  %s\n", repeat);
}

int report_text(const json_t *report, const struct report_text_options *opt, FILE *out,
		struct err *err)
{
	struct text_view v = {.report = report, .opt = *opt};
	int rc = report_check(report, err);

	if (rc < 0)
		return rc;
	v.total = (int)json_get_num(json_object_get(report, "series"), "total", 0);
	v.series = report_has_series(report);
	str_init(&v.out, 0);
	head_series(&v);
	head_base(&v);
	head_run(&v);
	text_steps(&v);
	text_builds(&v);
	text_findings(&v);
	text_benches(&v);
	tail_not_tested(&v);
	tail_verdict(&v);
	if (fwrite(v.out.buf, 1, v.out.len, out) != v.out.len || fflush(out))
		rc = err_sys(err, ERR_INFRA, "cannot write the report");
	str_done(&v.out);
	return rc;
}
