// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/boot_judge.h"

#include "base/json.h"
#include "base/outcome.h"
#include "base/str.h"

void boot_verdict_done(struct boot_verdict *v)
{
	free(v->words);
	json_decref(v->evidence);
	*v = (struct boot_verdict){0};
}

static void verdict_set(struct boot_verdict *v, enum boot_badness badness, char *words,
			const json_t *evidence)
{
	boot_verdict_done(v);
	*v = (struct boot_verdict){
		.badness = badness, .words = words, .evidence = json_deep_copy(evidence)};
}

static const json_t *find_by(const json_t *list, const char *key, const char *value)
{
	const json_t *item;
	size_t i;

	json_array_foreach (list, i, item)
		if (strcmp(json_get_str(item, key, ""), value) == 0)
			return item;
	return NULL;
}

/* A complaint of the kernel that the base does not make. The worst is kept. */
static void judge_complaints(const json_t *base, const json_t *patched, struct boot_verdict *v)
{
	const json_t *had = json_object_get(base, "complaints"), *c;
	size_t i;

	json_array_foreach (json_object_get(patched, "complaints"), i, c) {
		const char *kind = json_get_str(c, "kind", "");
		enum boot_badness b = strcmp(kind, "stall") == 0 ? BOOT_DOUBTFUL : BOOT_BAD;

		if (b > v->badness && !find_by(had, "key", json_get_str(c, "key", "")))
			verdict_set(v, b,
				    xasprintf("new %s: %s", kind, json_get_str(c, "title", "")),
				    json_object_get(c, "lines"));
	}
}

/* A test that the base passes and this kernel does not. */
static void judge_tests(const json_t *base, const json_t *patched, struct boot_verdict *v)
{
	const json_t *has = json_object_get(patched, "tests"), *test;
	size_t i;

	json_array_foreach (json_object_get(base, "tests"), i, test) {
		const char *name = json_get_str(test, "name", "");
		const json_t *now = find_by(has, "name", name);

		if (v->badness == BOOT_BAD ||
		    outcome_parse(json_get_str(test, "outcome", NULL)) != OUTCOME_PASS)
			continue;
		if (!now)
			verdict_set(
				v, BOOT_BAD,
				xasprintf("test \"%s\" passes on the base and does not end here",
					  name),
				NULL);
		else if (outcome_parse(json_get_str(now, "outcome", NULL)) == OUTCOME_FAIL)
			verdict_set(v, BOOT_BAD,
				    xasprintf("test \"%s\" passes on the base and fails here: %s",
					      name, json_get_str(now, "note", "")),
				    NULL);
	}
}

bool boot_done(const json_t *data)
{
	return strcmp(json_get_str(data, "end", ""), "done") == 0;
}

void boot_judge(const json_t *base, const json_t *patched, struct boot_verdict *ret)
{
	judge_complaints(base, patched, ret);
	judge_tests(base, patched, ret);
	if (boot_done(patched))
		return;
	/* The end says more than a complaint on the way; the complaint's lines show more than the
	 * console's last. */
	auto_json json_t *lines = json_array_size(ret->evidence)
					  ? json_incref(ret->evidence)
					  : json_incref(json_object_get(patched, "tail"));
	verdict_set(ret, BOOT_BAD, xstrdup(json_get_str(patched, "reason", "")), lines);
}
