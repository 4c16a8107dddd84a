// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/findings.h"

#include "base/json.h"
#include "base/str.h"

struct place {
	const json_t *finding;
	size_t index;
	long long patch, line;
	const char *path;
};

static long long integer(const json_t *obj, const char *key)
{
	return json_integer_value(json_object_get(obj, key));
}

static int order(long long a, long long b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int rc = order(x->patch, y->patch);

	if (!rc)
		rc = strcmp(x->path, y->path);
	if (!rc)
		rc = order(x->line, y->line);
	return rc ? rc : x->index < y->index ? -1 : 1;
}

const json_t **findings_sorted(const json_t *findings)
{
	size_t n = json_array_size(findings), i;
	auto_free struct place *place = xcalloc(n, sizeof(*place));
	const json_t **sorted = xcalloc(n, sizeof(*sorted)), *finding;

	json_array_foreach (findings, i, finding) {
		const char *path = json_get_str(finding, "path", "");

		place[i] = (struct place){.finding = finding,
					  .index = i,
					  .patch = integer(finding, "patch"),
					  .line = integer(finding, *path ? "line" : "patch_line"),
					  .path = path};
	}
	qsort(place, n, sizeof(*place), by_place);
	for (i = 0; i < n; i++)
		sorted[i] = place[i].finding;
	return sorted;
}
