// SPDX-License-Identifier: GPL-2.0-or-later
/* What a check says: a state, and one line. */
#include "serve/engine_post.h"

#include "base/json.h"
#include "base/outcome.h"
#include "base/str.h"

#define BENCH "bench-"

char *post_context(const char *step, const char *builder)
{
	if (strcmp(step, "apply") == 0 || strcmp(step, "boot") == 0)
		return xasprintf("firn-%s", step);
	if (strcmp(step, "build") == 0)
		return xasprintf("firn-build-%.*s", (int)strcspn(builder, "-"), builder);
	if (str_starts(step, BENCH))
		return xasprintf("firn-%s", step + strlen(BENCH));
	return NULL;
}

static const json_t *step_find(const json_t *report, const char *name)
{
	const json_t *list = json_object_get(report, "steps"), *step;
	size_t i;

	json_array_foreach (list, i, step)
		if (strcmp(json_get_str(step, "name", ""), name) == 0)
			return step;
	return NULL;
}

/* "powerpc/merge (87d76f542a24)" */
static char *base_words(const json_t *report)
{
	const json_t *base = json_object_get(report, "base");
	const char *name = json_get_str(base, "name", "");

	return xasprintf("%s (%.12s)", *name ? name : "the base",
			 json_get_str(base, "commit", "unknown"));
}

/* How good news read: without times, so that the same result makes the same words. */
static char *pass_words(const json_t *report, const json_t *step)
{
	const char *name = json_get_str(step, "name", "");
	auto_free char *base = base_words(report);

	if (strcmp(name, "apply") == 0)
		return xasprintf("Applied on %s", base);
	if (strcmp(name, "build") == 0)
		return xasprintf("Builds on %s", base);
	if (strcmp(name, "boot") == 0)
		return xasprintf("Boots on %s", base);
	return xasprintf("%s, on %s", json_get_str(step, "reason", ""), base);
}

static size_t patches(const json_t *report)
{
	return json_array_size(json_object_get(json_object_get(report, "series"), "patches"));
}

/* A step that is bad: the patch that it is attributed to gets the result, those before it are good
 * as far as they go, and those after it could not be tried. */
static void bad_said(const json_t *report, const json_t *step, unsigned number,
		     struct post_said *ret)
{
	unsigned at = (unsigned)json_get_num(step, "patch", 0);
	bool fail = outcome_parse(json_get_str(step, "outcome", "")) == OUTCOME_FAIL;

	if (!at || at == number) {
		ret->state = fail ? "fail" : "warning";
		ret->words = xstrdup(json_get_str(step, "reason", ""));
	} else if (number < at) {
		auto_free char *good = pass_words(report, step);

		ret->state = "success";
		ret->words = strcmp(json_get_str(step, "name", ""), "apply") == 0
				     ? take(good)
				     : xasprintf("Good up to here; patch %u/%zu is not", at,
						 patches(report));
	} else {
		ret->state = "warning";
		ret->words = xasprintf("Not known: patch %u/%zu of this series is bad", at,
				       patches(report));
	}
}

static void step_said(const json_t *report, const json_t *step, unsigned number,
		      struct post_said *ret)
{
	const char *reason = json_get_str(step, "reason", "");

	switch (outcome_parse(json_get_str(step, "outcome", NULL))) {
	case OUTCOME_PASS: *ret = (struct post_said){"success", pass_words(report, step)}; return;
	case OUTCOME_SKIP:
		*ret = str_starts(reason, "needs ")
			       ? (struct post_said){"warning", xasprintf("Not tried: %s", reason)}
			       : (struct post_said){"success", xstrdup(reason)};
		return;
	case OUTCOME_ERROR:
		*ret = (struct post_said){"warning", xasprintf("Could not find out: %s", reason)};
		return;
	case OUTCOME_WARN:
	case OUTCOME_FAIL: bad_said(report, step, number, ret); return;
	}
}

bool post_step_said(const json_t *report, const char *name, unsigned number, struct post_said *ret)
{
	const json_t *step = report ? step_find(report, name) : NULL;

	if (!step)
		return false;
	step_said(report, step, number, ret);
	return true;
}
