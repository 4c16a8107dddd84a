// SPDX-License-Identifier: GPL-2.0-or-later
/* The body of an answer. */
#include "report/mail_view.h"

#include "base/json.h"
#include "base/outcome.h"

#define LABEL 9 /* where the values of the head begin */

void mail_wrap(struct mail_view *v, const char *escaped, size_t column, size_t indent)
{
	text_fill(&v->out, escaped, REPORT_MAIL_COLUMNS, column, indent);
}

void mail_quote(struct mail_view *v, const json_t *line)
{
	auto_free char *text = text_value(line);
	size_t n = strlen(text), fits = term_fit(text, n, MAIL_QUOTED_COLUMNS);

	if (!v->left)
		return;
	v->left--;
	str_addf(&v->out, "|%s%.*s%s\n", *text ? " " : "", (int)fits, text, fits < n ? "..." : "");
}

void mail_more(struct mail_view *v, size_t n, const char *what)
{
	if (n)
		str_addf(&v->out, "... %zu more %s%s\n", n, what, n == 1 ? "" : "s");
}

char *mail_patch(const struct mail_view *v, long long number)
{
	const struct text_view t = {.report = v->report, .total = v->total};

	return text_patch(&t, number);
}

static void row(struct mail_view *v, const char *label, const char *value)
{
	if (!*value)
		return;
	str_addf(&v->out, "%-*s", LABEL, label);
	mail_wrap(v, value, LABEL, LABEL);
}

static const char *const verdict_words[] = {
	[OUTCOME_SKIP] = "Not tested: ",  [OUTCOME_PASS] = "All good: ",
	[OUTCOME_WARN] = "Please look: ", [OUTCOME_ERROR] = "No result: ",
	[OUTCOME_FAIL] = "This fails: ",
};

static void verdict(struct mail_view *v)
{
	const json_t *verdict = json_object_get(v->report, "verdict");
	enum outcome o = outcome_parse(json_get_str(verdict, "outcome", "error"));
	auto_free char *words = text_member(verdict, "words");

	str_adds(&v->out, verdict_words[o]);
	mail_wrap(v, words, strlen(verdict_words[o]), 2);
	str_addc(&v->out, '\n');
}

static void head_base(struct mail_view *v)
{
	const json_t *base = json_object_get(v->report, "base");
	auto_free char *commit = text_member(base, "commit"), *why = text_member(base, "why");
	auto_free char *subject = text_member(base, "subject"), *tree = text_member(base, "tree");
	auto_free char *warning = text_member(base, "warning");
	auto_free char *what = xasprintf("%.12s (\"%s\") in %s", commit, subject, tree);

	if (!json_is_object(base))
		return;
	row(v, "Base:", what);
	row(v, "", why);
	row(v, "Warning:", warning);
}

static void head(struct mail_view *v)
{
	const json_t *series = json_object_get(v->report, "series");
	auto_free char *title = text_member(series, "title");
	int version = (int)json_get_num(series, "version", 1);
	auto_free char *what = xasprintf("%s (v%d, %d patch%s)", title, version, v->total,
					 v->total == 1 ? "" : "es");

	row(v, "Series:", what);
	head_base(v);
	str_addc(&v->out, '\n');
}

static bool is_quiet(const json_t *step)
{
	const char *name = json_get_str(step, "name", "");

	/* They passed if anything else did. */
	return strcmp(json_get_str(step, "outcome", ""), "pass") == 0 &&
	       (strcmp(name, "intake") == 0 || strcmp(name, "series") == 0 ||
		strcmp(name, "base") == 0);
}

static void steps(struct mail_view *v)
{
	const json_t *list = json_object_get(v->report, "steps"), *step;
	size_t i;

	json_array_foreach (list, i, step) {
		auto_free char *name = text_member(step, "name");
		auto_free char *reason = text_member(step, "reason");
		const char *outcome = json_get_str(step, "outcome", "error");
		size_t fits = term_fit(name, strlen(name), 20);

		if (is_quiet(step))
			continue;
		str_addf(&v->out, "  %-5s  %.*s: ", outcome, (int)fits, name);
		mail_wrap(v, reason, 11 + term_width(name, fits), 11);
	}
	str_addc(&v->out, '\n');
}

static void not_tested(struct mail_view *v)
{
	const json_t *list = json_object_get(v->report, "not_tested"), *item;
	size_t i;

	if (!json_array_size(list))
		return;
	str_adds(&v->out, "Not tested:\n");
	json_array_foreach (list, i, item) {
		auto_free char *text = text_value(item);

		if (i == 10)
			break;
		str_adds(&v->out, "  - ");
		mail_wrap(v, text, 4, 4);
	}
	if (json_array_size(list) > 10)
		str_adds(&v->out, "  - and more\n");
	str_addc(&v->out, '\n');
}

/* Neither is wrapped: they are there to be copied. */
static void tail(struct mail_view *v, const struct report_mail_options *opt)
{
	auto_free char *repeat = text_member(v->report, "repeat"),
		       *elsewhere = text_member(v->report, "repeat_elsewhere");

	if (*elsewhere)
		str_addf(&v->out, "To repeat it, in a clone of the kernel:\n  %s\n", elsewhere);
	else if (*repeat)
		str_addf(&v->out, "To repeat it:\n  %s\n", repeat);
	if (opt->url)
		str_addf(&v->out, "All of it, with logs:\n  %s\n", opt->url);
	str_addc(&v->out, '\n');
}

/* `commands`: what can be answered; NULL: nothing. */
static void footer(struct mail_view *v, const char *firn, const char *commands,
		   const struct report_mail_options *opt)
{
	auto_str struct str words;

	str_init(&words, 4096);
	str_addf(&words, "This is an automatic mail of firn %s, which tests patches on ppc64.",
		 firn);
	if (commands)
		str_adds(&words, commands);
	if (opt->contact)
		str_addf(&words, " Questions and complaints: %s", opt->contact);
	auto_free char *text = text_escaped(words.buf, words.len);

	str_adds(&v->out, "-- \n");
	mail_wrap(v, text, 0, 0);
}

/* A line that a reader of mail, or firn itself, would take for something else. */
static bool is_taken(const char *line)
{
	static const char *const starts[] = {"From ", ">From ", "firn:", "diff ",
					     "---",   "+++ ",	"@@ ",	 "Index: "};

	for (size_t i = 0; i < array_size(starts); i++)
		if (strncasecmp(line, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

/* The last word on what begins a line, wherever words were broken. */
static char *guarded(const char *body)
{
	auto_str struct str out;

	str_init(&out, 0);
	while (*body) {
		size_t n = strcspn(body, "\n");

		if (is_taken(body))
			str_addc(&out, ' ');
		str_add(&out, body, n);
		str_addc(&out, '\n');
		body += n + (body[n] == '\n');
	}
	return str_take(&out);
}

char *report_mail_body(const json_t *report, const struct report_mail_options *opt)
{
	static const char commands[] =
		" To test this series again, answer with a line \"firn: rerun\"; to"
		" get no more mails, with a line \"firn: stop\".";
	struct mail_view v = {.report = report, .left = REPORT_MAIL_EVIDENCE};
	auto_free char *firn = text_member(report, "firn");
	char *body;

	v.total = (int)json_get_num(json_object_get(report, "series"), "total", 0);
	str_init(&v.out, 256 << 10);
	verdict(&v);
	head(&v);
	steps(&v);
	mail_steps_evidence(&v);
	mail_numbers(&v);
	mail_findings(&v);
	not_tested(&v);
	tail(&v, opt);
	footer(&v, firn, opt->commands ? commands : NULL, opt);
	body = guarded(v.out.buf);
	str_done(&v.out);
	return body;
}

char *report_mail_refusal(const char *words, const struct report_mail_options *opt)
{
	static const char stop[] = " To get no more mails, answer with a line \"firn: stop\".";
	static const char head[] = "Not done: ";
	struct mail_view v = {0};
	auto_free char *text = text_escaped(words, strlen(words));
	char *body;

	str_init(&v.out, 64 << 10);
	str_adds(&v.out, head);
	mail_wrap(&v, text, strlen(head), 2);
	str_addc(&v.out, '\n');
	footer(&v, FIRN_VERSION, opt->commands ? stop : NULL, opt);
	body = guarded(v.out.buf);
	str_done(&v.out);
	return body;
}
