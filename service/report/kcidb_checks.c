// SPDX-License-Identifier: GPL-2.0-or-later
/* What checkers say, as tests of a KCIDB document. The schema knows tests of builds only, so what
 * is said of a patch hangs on a build that has it. */
#include "report/kcidb_make.h"

#include "base/json.h"
#include "report/findings.h"

#define LINES_MAX 200 /* of findings in an excerpt */

struct checks {
	struct kcidb *k;
	const json_t **finding; /* by patch */
	size_t n;
	/* The build that was found for the last patch that was asked for. */
	json_int_t patch;
	const char *build;
};

static unsigned build_patches(const json_t *build)
{
	const char *slash = strrchr(json_get_str(build, "checkout_id", ""), '/');

	return slash ? (unsigned)strtoul(slash + 1, NULL, 10) : 0;
}

/* 0: has the patch, and came to a kernel; 1: has it; 2: has not, since an earlier one breaks. */
static int build_rank(const json_t *build, unsigned number)
{
	if (build_patches(build) < number)
		return 2;
	return strcmp(json_get_str(build, "status", ""), "PASS") == 0 ? 0 : 1;
}

/* The nearest to the patch, of the first row. */
static bool is_better(const json_t *a, const json_t *b, unsigned number)
{
	int rank_a = build_rank(a, number), rank_b = build_rank(b, number);

	if (rank_a != rank_b)
		return rank_a < rank_b;
	return rank_a == 2 ? build_patches(a) > build_patches(b)
			   : build_patches(a) < build_patches(b);
}

static const char *build_find(struct checks *c, json_int_t patch)
{
	const json_t *best = NULL, *build;
	size_t i;

	if (c->patch == patch)
		return c->build;
	json_array_foreach (c->k->builds, i, build)
		if (!best || is_better(build, best, (unsigned)patch))
			best = build;
	c->patch = patch;
	c->build = json_get_str(best, "id", NULL);
	return c->build;
}

static json_int_t patch_of(const json_t *row)
{
	return json_integer_value(json_object_get(row, "patch"));
}

/* The first finding of the patch. */
static size_t finding_find(const struct checks *c, json_int_t patch)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (patch_of(c->finding[middle]) < patch)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* "WARNING:LONG_LINE: mm/slab.c:12: line is too long" */
static json_t *finding_line(const json_t *f)
{
	const char *path = json_get_str(f, "path", NULL);
	const json_t *line = json_object_get(f, "line");
	struct str text;

	str_init(&text, 4096);
	str_addf(&text, "%s:%s: ", json_get_str(f, "level", ""), json_get_str(f, "type", ""));
	if (path && json_is_integer(line))
		str_addf(&text, "%s:%lld: ", path, (long long)json_integer_value(line));
	else if (path)
		str_addf(&text, "%s: ", path);
	str_adds(&text, json_get_str(f, "message", ""));
	auto_free char *s = str_take(&text);
	return json_text(s);
}

/* How many there are; the first of them as lines. */
static json_int_t findings_add(const struct checks *c, const json_t *check, json_t *lines)
{
	const char *checker = json_get_str(check, "checker", "");
	json_int_t patch = patch_of(check), n = 0;

	for (size_t i = finding_find(c, patch); i < c->n && patch_of(c->finding[i]) == patch; i++) {
		if (strcmp(json_get_str(c->finding[i], "checker", ""), checker) != 0)
			continue;
		if (n++ < LINES_MAX)
			json_array_append_new(lines, finding_line(c->finding[i]));
	}
	return n;
}

static void check_add(struct checks *c, const json_t *check)
{
	const char *checker = json_get_str(check, "checker", ""),
		   *outcome = json_get_str(check, "outcome", "error"),
		   *build = build_find(c, patch_of(check));
	auto_free char *name = xasprintf("check/%s", checker);
	auto_free char *path = kcidb_path(name);
	auto_free char *rest = xasprintf("/%s/%lld", name, (long long)patch_of(check));
	auto_json json_t *lines = json_array();
	json_int_t n = findings_add(c, check, lines);
	json_t *obj = kcidb_object(c->k, rest);

	kcidb_text(obj, "build_id", build);
	kcidb_text(obj, "path", path);
	kcidb_text(obj, "status", kcidb_test_status(outcome));
	kcidb_text(obj, "comment", json_get_str(check, "reason", ""));
	kcidb_excerpt(obj, lines);
	kcidb_log(c->k, obj, json_get_str(kcidb_step(c->k->report, "check"), "log", NULL));
	json_object_set_new(obj, "misc",
			    json_pack("{s:s, s:I, s:I}", "outcome", outcome, "patch",
				      patch_of(check), "findings", n));
	json_array_append_new(c->k->tests, obj);
}

void kcidb_checks(struct kcidb *k)
{
	const json_t *findings = json_object_get(k->report, "findings"), *check;
	const json_t *series = json_object_get(k->report, "series");
	json_int_t patches = (json_int_t)json_array_size(json_object_get(series, "patches"));
	struct checks c = {.k = k, .n = json_array_size(findings)};
	size_t i;

	if (json_array_size(k->builds) == 0)
		return;
	c.finding = findings_sorted(findings);
	json_array_foreach (json_object_get(k->report, "checks"), i, check)
		if (patch_of(check) >= 1 && patch_of(check) <= patches)
			check_add(&c, check);
	free(c.finding);
}
