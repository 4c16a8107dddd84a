// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/json.h"
#include "report/text_view.h"

/* As many lines as a reader of mail looks at; the log has the rest. */
#define EVIDENCE_MAX 30

static size_t names_width(const json_t *steps)
{
	size_t widest = 0, i;
	const json_t *step;

	json_array_foreach (steps, i, step) {
		auto_free char *name = text_member(step, "name");
		size_t width = term_width(name, strlen(name));

		widest = width > widest ? width : widest;
	}
	return widest < 30 ? widest : 30;
}

static bool is_shown(const struct text_view *v, const json_t *step)
{
	return !v->opt.brief || strcmp(json_get_str(step, "outcome", ""), "pass") != 0;
}

static void evidence_more(struct text_view *v, const json_t *step, size_t left)
{
	auto_free char *log = text_member(step, "log");

	if (left)
		str_addf(&v->out, "        | ... %zu more line%s\n", left, left == 1 ? "" : "s");
	if (*log)
		str_addf(&v->out, "        log: %s\n", log);
}

static void step_evidence(struct text_view *v, const json_t *step)
{
	const json_t *evidence = json_object_get(step, "evidence"), *patch, *line;
	size_t n = json_array_size(evidence), shown = n > EVIDENCE_MAX ? EVIDENCE_MAX : n, i;

	patch = json_object_get(step, "patch");
	if (json_is_integer(patch)) {
		auto_free char *text = text_patch(v, json_integer_value(patch));

		str_addf(&v->out, "        %s\n", text);
	}
	json_array_foreach (evidence, i, line) {
		auto_free char *text = text_value(line);

		if (i == shown)
			break;
		str_addf(&v->out, "        |%s%s\n", *text ? " " : "", text);
	}
	if (n)
		evidence_more(v, step, n - shown);
}

/* A skipped step took no time, and that of a cached one says nothing. */
static const char *step_time(const json_t *step, char span[static CLOCK_SPAN_MAX])
{
	if (strcmp(json_get_str(step, "outcome", ""), "skip") == 0)
		return "";
	if (json_get_bool(step, "cached", false))
		return "cached";
	return clock_span(json_get_num(step, "seconds", 0), span);
}

static void step_row(struct text_view *v, const json_t *step, size_t width)
{
	const char *outcome = json_get_str(step, "outcome", "error");
	auto_free char *name = text_member(step, "name"), *reason = text_member(step, "reason");
	char span[CLOCK_SPAN_MAX];
	size_t pad = term_width(name, strlen(name));

	pad = pad < width ? width - pad : 0;
	str_adds(&v->out, "  ");
	text_paint(v, outcome, outcome);
	str_addf(&v->out, "%*s  %s%*s  %10s  ", (int)(5 - strlen(outcome)), "", name, (int)pad, "",
		 step_time(step, span));
	text_wrap(v, reason, 23 + width, 23 + width);
	step_evidence(v, step);
}

void text_steps(struct text_view *v)
{
	const json_t *steps = json_object_get(v->report, "steps"), *step;
	size_t width = names_width(steps), before = v->out.len, i;

	json_array_foreach (steps, i, step)
		if (is_shown(v, step))
			step_row(v, step, width);
	if (v->out.len > before)
		str_addc(&v->out, '\n');
}
