// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/builds.h"

#include "base/json.h"
#include "base/str.h"

static bool is_option(const json_t *change)
{
	const char *word = json_get_str(change, "word", "");

	return strcmp(word, "new") != 0 && strcmp(word, "gone") != 0;
}

static void group_add(struct build_group *g, const json_t *row)
{
	enum outcome o = outcome_parse(json_get_str(row, "outcome", NULL));
	const json_t *changes = json_object_get(row, "config_changes"), *c;
	size_t i;

	if (!g->worst || outcome_worse(o, g->outcome) != g->outcome) {
		g->outcome = o;
		g->worst = row;
	}
	g->n++;
	g->patches += json_integer_value(json_object_get(row, "patch")) > 0;
	g->all_cached = g->all_cached && json_get_bool(row, "cached", false);
	g->seconds += json_get_num(row, "seconds", 0);
	g->new_warnings += json_array_size(json_object_get(row, "new_warnings"));
	json_array_foreach (changes, i, c)
		g->options += is_option(c);
}

struct build_group *build_groups(const json_t *report, size_t *ret_n)
{
	const json_t *builds = json_object_get(report, "builds"), *row;
	struct build_group *list = xcalloc(json_array_size(builds) + 1, sizeof(*list));
	size_t n = 0, i;

	json_array_foreach (builds, i, row) {
		const char *name = json_get_str(row, "row", "");

		if (!n || strcmp(list[n - 1].name, name) != 0)
			list[n++] = (struct build_group){
				.name = name, .first = row, .start = i, .all_cached = true};
		group_add(&list[n - 1], row);
	}
	*ret_n = n;
	return list;
}

static void count_add(struct str *s, size_t n, const char *what)
{
	if (n)
		str_addf(s, "%s%zu %s%s", s->len ? ", " : "", n, what,
			 n == 1		       ? ""
			 : str_ends(what, "h") ? "es"
					       : "s");
}

char *build_group_words(const struct build_group *g)
{
	long long patch = json_integer_value(json_object_get(g->worst, "patch"));
	const char *reason = json_get_str(g->worst, "reason", "");
	auto_str struct str s;

	str_init(&s, 0);
	if (g->outcome == OUTCOME_FAIL)
		return xasprintf("patch %lld: %s", patch, reason);
	if (g->outcome == OUTCOME_ERROR || g->outcome == OUTCOME_SKIP)
		return xstrdup(reason);
	count_add(&s, g->patches, "patch");
	count_add(&s, g->new_warnings, "new warning");
	if (g->options)
		str_addf(&s, ", %zu option%s changed", g->options, g->options == 1 ? "" : "s");
	return str_take(&s);
}

char *build_header_words(const json_t *header)
{
	const json_t *objects = json_object_get(header, "objects"), *o;
	auto_str struct str s;
	size_t i;

	str_init(&s, 0);
	str_addf(&s, "for %s:", json_get_str(header, "header", ""));
	json_array_foreach (objects, i, o)
		str_addf(&s, "%s %s", i ? "," : "", json_string_value(o) ?: "");
	if (!json_array_size(objects))
		str_adds(&s, " no source was found that includes it");
	return str_take(&s);
}

const json_t *build_group_headers(const struct build_group *g, size_t i)
{
	const json_t *headers = json_object_get(g[i].first, "headers");

	if (!json_array_size(headers) || g[i].outcome == OUTCOME_SKIP)
		return NULL;
	for (size_t k = 0; k < i; k++)
		if (g[k].outcome != OUTCOME_SKIP &&
		    json_equal(json_object_get(g[k].first, "headers"), headers))
			return NULL;
	return headers;
}

const json_t *build_to_repeat(const json_t *report)
{
	const json_t *builds = json_object_get(report, "builds"), *row, *last = NULL;
	size_t i;

	json_array_foreach (builds, i, row) {
		if (!json_array_size(json_object_get(row, "commands")))
			continue;
		if (outcome_parse(json_get_str(row, "outcome", NULL)) == OUTCOME_FAIL)
			return row;
		if (json_get_bool(row, "main", false))
			last = row;
	}
	return last;
}

const char *build_limits_notice(const json_t *report)
{
	const json_t *list = json_object_get(report, "builds"), *row;
	size_t i;

	json_array_foreach (list, i, row)
		if (strcmp(json_get_str(row, "limits", ""), "rlimits") == 0 &&
		    json_is_integer(json_object_get(row, "patch")) &&
		    !json_get_bool(row, "cached", false))
			return "Builds had rlimits only: firn may make no control groups here, so "
			       "memory was bounded for each process alone, not in sum "
			       "(firn check-config).";
	return NULL;
}
