// SPDX-License-Identifier: GPL-2.0-or-later
/* What a check says of one more row of the builder table: "firn-build-ppc64e". */
#include "serve/engine_post.h"

#include "base/json.h"
#include "base/outcome.h"
#include "base/str.h"

/* Patchwork shows all contexts of a patch in one line. */
#define ROWS_MAX 16

size_t post_rows(const json_t *report, const char **ret_names, size_t most)
{
	const json_t *builds = json_object_get(report, "builds"), *b;
	size_t n = 0, i;

	most = most < ROWS_MAX ? most : ROWS_MAX;
	json_array_foreach (builds, i, b) {
		const char *name = json_get_str(b, "row", "");

		if (!*name || json_get_bool(b, "main", false) ||
		    outcome_parse(json_get_str(b, "outcome", NULL)) == OUTCOME_SKIP || n == most ||
		    (n && strcmp(ret_names[n - 1], name) == 0))
			continue;
		ret_names[n++] = name;
	}
	return n;
}

/* The kernel of a row that says most about a patch: its own, else the first after it; of a row for
 * which nothing could be built that. NULL: none. */
static const json_t *build_for(const json_t *report, const char *row, unsigned number,
			       const json_t **ret_bad)
{
	const json_t *builds = json_object_get(report, "builds"), *b, *found = NULL;
	size_t i;

	*ret_bad = NULL;
	json_array_foreach (builds, i, b) {
		const json_t *patch = json_object_get(b, "patch");
		enum outcome o = outcome_parse(json_get_str(b, "outcome", NULL));

		if (strcmp(json_get_str(b, "row", ""), row) != 0)
			continue;
		if (!*ret_bad && (o == OUTCOME_FAIL || o == OUTCOME_ERROR))
			*ret_bad = b;
		if (!found && (!json_is_integer(patch) || json_integer_value(patch) >= number))
			found = b;
	}
	return found;
}

static bool is_of(const json_t *build, unsigned number)
{
	return json_integer_value(json_object_get(build, "patch")) == number;
}

bool post_row_said(const json_t *report, const char *row, unsigned number, struct post_said *ret)
{
	const json_t *bad, *b = build_for(report, row, number, &bad);
	long long at = bad ? json_integer_value(json_object_get(bad, "patch")) : 0;
	enum outcome o = outcome_parse(json_get_str(b, "outcome", NULL));
	const char *reason = json_get_str(b, "reason", "");

	if (bad && !at)
		*ret = (struct post_said){"warning", xasprintf("Could not find out: %s",
							       json_get_str(bad, "reason", ""))};
	else if (b && is_of(b, number))
		*ret = (struct post_said){o == OUTCOME_FAIL   ? "fail"
					  : o == OUTCOME_PASS ? "success"
							      : "warning",
					  o == OUTCOME_PASS ? xstrdup("Builds") : xstrdup(reason)};
	else if (bad && number > at)
		*ret = (struct post_said){
			"warning", xasprintf("Not known: patch %lld of this series is bad", at)};
	else if (b)
		*ret = (struct post_said){"success",
					  bad ? xasprintf("Good up to here; patch %lld is not", at)
					      : xstrdup("The series as a whole builds")};
	else
		return false;
	return true;
}
