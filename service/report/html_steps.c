// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html_view.h"

#include "base/clock.h"
#include "base/json.h"

#define EVIDENCE_MAX 400

static bool has_evidence(const json_t *step)
{
	return json_array_size(json_object_get(step, "evidence")) > 0;
}

static void step_row(struct html_view *v, const json_t *step, size_t i)
{
	const char *outcome = json_get_str(step, "outcome", "error");
	const json_t *name = json_object_get(step, "name");
	const struct html_target page = {html_trial(v), "/step/", name};
	char span[CLOCK_SPAN_MAX];

	str_adds(&v->out, "<tr><td>");
	html_badge(v, outcome, outcome);
	str_adds(&v->out, "</td>");
	str_adds(&v->out, "<th scope=\"row\">");
	html_linked(v, &page, NULL, name);
	str_adds(&v->out, "</th>");
	html_element(v, "td", json_object_get(step, "reason"));
	str_addf(&v->out, "<td class=\"n\">%s%s</td><td>",
		 strcmp(outcome, "skip") == 0 ? ""
					      : clock_span(json_get_num(step, "seconds", 0), span),
		 json_get_bool(step, "cached", false) ? " <br/><span class=\"muted\">cached</span>"
						      : "");
	if (has_evidence(step))
		str_addf(&v->out, "<a href=\"#evidence-%zu\">evidence</a>", i);
	str_adds(&v->out, "</td></tr>\n");
}

static void evidence_lines(struct html_view *v, const json_t *evidence)
{
	size_t n = json_array_size(evidence), i;
	const json_t *line;

	str_adds(&v->out, "<pre>");
	json_array_foreach (evidence, i, line) {
		if (i == EVIDENCE_MAX)
			break;
		html_value(v, line);
		str_addc(&v->out, '\n');
	}
	if (n > EVIDENCE_MAX)
		str_addf(&v->out, "... %zu more lines\n", n - EVIDENCE_MAX);
	str_adds(&v->out, "</pre>\n");
}

static void step_evidence(struct html_view *v, const json_t *step, size_t i)
{
	const json_t *patch = json_object_get(step, "patch"), *log = json_object_get(step, "log");

	str_addf(&v->out, "<h3 id=\"evidence-%zu\">", i);
	html_member(v, step, "name");
	if (json_is_integer(patch)) {
		str_adds(&v->out, ": ");
		html_patch(v, json_integer_value(patch));
	}
	str_adds(&v->out, "</h3>\n<p>");
	html_member(v, step, "reason");
	str_adds(&v->out, "</p>\n");
	evidence_lines(v, json_object_get(step, "evidence"));
	if (json_is_string(log)) {
		const struct html_target page = {html_trial(v), "/log/", log};

		str_adds(&v->out, "<p class=\"note\">The whole log: ");
		html_linked(v, &page, "code", log);
		str_adds(&v->out, html_trial(v) ? ".</p>\n" : " in the work folder.</p>\n");
	}
}

void html_steps(struct html_view *v)
{
	const json_t *steps = json_object_get(v->report, "steps"), *step;
	bool head = false;
	size_t i;

	str_adds(&v->out,
		 "<section id=\"steps\">\n<h2>Steps</h2>\n<div class=\"wide\"><table "
		 "class=\"steps\">\n"
		 "<thead><tr><th scope=\"col\">Outcome</th><th scope=\"col\">Step</th>"
		 "<th scope=\"col\">What was found</th><th scope=\"col\" class=\"n\">Time</th>"
		 "<th scope=\"col\"><span "
		 "class=\"unseen\">Evidence</span></th></tr></thead>\n<tbody>\n");
	json_array_foreach (steps, i, step)
		step_row(v, step, i);
	str_adds(&v->out, "</tbody></table></div>\n</section>\n");
	json_array_foreach (steps, i, step) {
		if (!has_evidence(step))
			continue;
		str_adds(&v->out, head ? "" : "<section id=\"evidence\">\n<h2>Evidence</h2>\n");
		head = true;
		step_evidence(v, step, i);
	}
	str_adds(&v->out, head ? "</section>\n" : "");
}
