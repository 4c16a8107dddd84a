// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds: one line a configuration, and how to repeat the first that fails. What they found stands
 * under the step. */
#include "base/clock.h"
#include "base/json.h"
#include "report/builds.h"
#include "report/text_view.h"

static size_t names_width(const struct build_group *g, size_t n)
{
	size_t widest = 0;

	for (size_t i = 0; i < n; i++) {
		auto_free char *name = text_member(g[i].first, "row");
		size_t width = term_width(name, strlen(name));

		widest = width > widest ? width : widest;
	}
	return widest < 30 ? widest : 30;
}

static void group_row(struct text_view *v, const struct build_group *g, size_t width)
{
	const char *outcome = outcome_name(g->outcome);
	auto_free char *name = text_member(g->first, "row"), *plain = build_group_words(g);
	auto_json json_t *words = json_text(plain);
	auto_free char *text = text_value(words);
	size_t wide = term_width(name, strlen(name)), pad = wide < width ? width - wide : 0;
	char span[CLOCK_SPAN_MAX];

	str_adds(&v->out, "  ");
	text_paint(v, outcome, outcome);
	str_addf(&v->out, "%*s  %s%*s  %10s  ", (int)(5 - strlen(outcome)), "", name, (int)pad, "",
		 g->outcome == OUTCOME_SKIP ? ""
		 : g->all_cached	    ? "cached"
					    : clock_span(g->seconds, span));
	text_wrap(v, text, 23 + width, 23 + width);
}

/* What stands for headers among the objects. */
static void group_headers(struct text_view *v, const struct build_group *g, size_t i, size_t width)
{
	const json_t *header;
	size_t k;

	json_array_foreach (build_group_headers(g, i), k, header) {
		auto_free char *plain = build_header_words(header);
		auto_json json_t *words = json_text(plain);
		auto_free char *text = text_value(words);

		str_addf(&v->out, "%*s", (int)(23 + width), "");
		text_wrap(v, text, 23 + width, 25 + width);
	}
}

/* Not wrapped: they are there to be copied. */
static void commands(struct text_view *v)
{
	const json_t *row = build_to_repeat(v->report), *list, *command;
	size_t i;

	if (!row || strcmp(json_get_str(row, "outcome", ""), "fail") != 0)
		return;
	list = json_object_get(row, "commands");
	str_adds(&v->out, "  The build that fails, without firn:\n");
	json_array_foreach (list, i, command) {
		auto_free char *text = text_value(command);

		str_addf(&v->out, "    %s\n", text);
	}
}

void text_builds(struct text_view *v)
{
	size_t n = 0, width, before = v->out.len;
	auto_free struct build_group *g = build_groups(v->report, &n);

	width = names_width(g, n);
	/* Of one configuration the step says it all. */
	if (n > 1) {
		text_heading(v, "Builds:");
		str_addc(&v->out, '\n');
		for (size_t i = 0; i < n; i++) {
			group_row(v, &g[i], width);
			group_headers(v, g, i, width);
		}
	}
	if (build_limits_notice(v->report)) {
		str_adds(&v->out, "  ");
		text_wrap(v, build_limits_notice(v->report), 2, 2);
	}
	commands(v);
	if (v->out.len > before)
		str_addc(&v->out, '\n');
}
