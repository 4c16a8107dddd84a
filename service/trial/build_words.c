// SPDX-License-Identifier: GPL-2.0-or-later
/* What the build step says of its rows. */
#include "base/clock.h"
#include "trial/build_row.h"

/* As many lines as a reader looks at. */
#define ERRORS_SHOWN   12
#define WARNINGS_SHOWN 12
#define OPTIONS_SHOWN  12

void build_add_errors(struct step_result *ret, const json_t *data)
{
	const json_t *list = json_object_get(data, "diagnostics"), *d;
	size_t i, shown = 0;

	json_array_foreach (list, i, d) {
		if (json_get_bool(d, "is_error", false) && shown++ < ERRORS_SHOWN)
			step_result_line(ret, json_get_str(d, "excerpt", ""));
	}
	if (!shown)
		step_result_line(ret, json_get_str(data, "reason", ""));
}

void build_take_log(struct step_result *ret, const struct row_run *run, size_t k)
{
	if (!run->at[k].log)
		return;
	free(ret->log);
	ret->log = xstrdup(run->at[k].log);
}

static char *how_built(const json_t *data)
{
	char span[CLOCK_SPAN_MAX];

	if (json_get_bool(data, "cached", false))
		return xstrdup("from the cache");
	return xasprintf("in %s", clock_span(json_get_num(data, "seconds", 0), span));
}

static char *built_words(const struct trial *t, const struct row_run *run)
{
	auto_free char *base = how_built(run->at[0].data), *head = how_built(run->at[run->n].data);
	auto_free char *between = NULL;

	if (run->each && run->n > 1)
		between = run->n > 2 ? xasprintf(", and after each of the %zu patches before the "
						 "last",
						 run->n - 1)
				     : xstrdup(", and after the patch before the last");
	return xasprintf("%s: base %s, patched %s%s%s", run->row.name, base, head, between ?: "",
			 t->same_image ? "; both images are the same, byte for byte" : "");
}

/* "patch 2/3 does not build, mended by patch 3/3: mm/x.c:1: error: ..." */
static void bad_result(const struct row_list *r, const struct row_run *run, struct step_result *ret)
{
	const struct trial *t = r->t;
	size_t total = t->series->n_patches;
	auto_free char *mended = NULL;

	ret->patch = t->series->patch[run->bad - 1].subject.number;
	if (run->mended)
		mended = xasprintf(", mended by patch %u/%zu",
				   t->series->patch[run->mended - 1].subject.number, total);
	build_add_errors(ret, run->at[run->bad].data);
	build_take_log(ret, run, run->bad);
	step_result_set(ret, OUTCOME_FAIL, "%s%spatch %zu/%zu does not build%s: %s",
			run->main ? "" : run->row.name, run->main ? "" : ": ", ret->patch, total,
			mended ?: "", run->bad_why);
}

struct tally {
	size_t warnings, mended, rows, skipped, errors;
	char *first; /* warning */
	size_t patch;
	json_t *seen; /* what another row said, too, is said once */
};

/* Did another row say the same? */
static bool is_said(struct tally *tally, const char *key)
{
	if (!utf8_valid(key, strlen(key)) || json_object_get(tally->seen, key))
		return true;
	json_object_set_new(tally->seen, key, json_true());
	return false;
}

static void tally_warning(const struct row_list *r, const struct row_run *run, size_t k,
			  const json_t *w, struct tally *tally, struct step_result *ret)
{
	const json_t *mended = json_object_get(w, "mended");
	size_t number = r->t->series->patch[k - 1].subject.number;
	struct diagnostic d;
	auto_free char *text = NULL, *key = NULL, *line = NULL, *after = NULL;

	diagnostic_from_json(w, &d);
	text = diagnostic_text(&d);
	diagnostic_done(&d);
	key = xasprintf("%zu %s", number, text);
	if (is_said(tally, key))
		return;
	if (mended)
		after = xasprintf(" (mended by patch %lld)", (long long)json_integer_value(mended));
	line = xasprintf("%s, patch %zu: %s%s", run->row.name, number, text, after ?: "");
	if (tally->warnings + tally->mended < WARNINGS_SHOWN)
		step_result_line(ret, line);
	if (!tally->first || (!mended && !tally->warnings)) {
		free(tally->first);
		tally->first = take(line);
		tally->patch = number;
	}
	tally->warnings += !mended;
	tally->mended += mended != NULL;
}

/* "patch 2", or "patches 1 to 3" where those between were not built. The caller frees. */
static char *whose(const struct row_list *r, const struct row_run *run, size_t k)
{
	const struct patch *patch = r->t->series->patch;
	size_t since = run->at[k].since;

	return since + 1 < k ? xasprintf("patches %u to %u", patch[since].subject.number,
					 patch[k - 1].subject.number)
			     : xasprintf("patch %u", patch[k - 1].subject.number);
}

static void tally_options(const struct row_list *r, const struct row_run *run, size_t k,
			  struct tally *tally, struct step_result *ret)
{
	auto_free char *by = whose(r, run, k);
	const json_t *list = json_object_get(run->at[k].data, "config_changes"), *c;
	size_t i, shown = 0;

	json_array_foreach (list, i, c) {
		const char *word = json_get_str(c, "word", "");
		auto_free char *what = NULL, *key = NULL, *line = NULL;

		if (strcmp(word, "new") == 0 || strcmp(word, "gone") == 0 || shown == OPTIONS_SHOWN)
			continue;
		what = xasprintf("%s: %s, was %s", json_get_str(c, "option", ""),
				 json_get_str(c, "patched", "not asked for"),
				 json_get_str(c, "base", "not asked for"));
		key = xasprintf("%s %s", by, what);
		if (is_said(tally, key))
			continue;
		line = xasprintf("%s, %s: %s", run->row.name, by, what);
		step_result_line(ret, line);
		shown++;
	}
}

static void tally_row(const struct row_list *r, const struct row_run *run, struct tally *tally,
		      struct step_result *ret)
{
	auto_free char *growth = NULL, *of_modules = NULL;
	const json_t *w;
	size_t i;

	/* What became of the main one is said in words. */
	if (!run->main) {
		tally->rows += run->outcome == OUTCOME_PASS || run->outcome == OUTCOME_FAIL;
		tally->skipped += run->outcome == OUTCOME_SKIP;
		tally->errors += run->outcome == OUTCOME_ERROR;
	}
	for (size_t k = 1; k <= run->n; k++) {
		json_array_foreach (run->at[k].news, i, w)
			tally_warning(r, run, k, w, tally, ret);
		tally_options(r, run, k, tally, ret);
	}
	growth = row_run_growth(r->t, run);
	of_modules = row_run_module_growth(r->t, run);
	if (growth)
		step_result_line(ret, growth);
	if (of_modules)
		step_result_line(ret, of_modules);
	if (run->uncompared) {
		auto_free char *line =
			xasprintf("%s: more than %d warnings: which of the others are new is not "
				  "known",
				  run->row.name, DIAGNOSTICS_MAX);

		step_result_line(ret, line);
	}
}

static void set_words(const struct tally *tally, const char *built, struct step_result *ret)
{
	auto_str struct str s;
	size_t news = tally->warnings + tally->mended, more = tally->rows;

	str_init(&s, ERR_MSG_MAX);
	if (news)
		str_addf(&s, "%zu new warning%s%s: %s; ", news, news == 1 ? "" : "s",
			 tally->warnings ? "" : ", mended by a later patch", tally->first);
	str_adds(&s, built);
	if (more)
		str_addf(&s, "; %zu more row%s", more, more == 1 ? "" : "s");
	if (tally->skipped)
		str_addf(&s, "; %zu row%s left out", tally->skipped,
			 tally->skipped == 1 ? "" : "s");
	if (tally->errors)
		str_addf(&s, "; %zu row%s of which nothing is known", tally->errors,
			 tally->errors == 1 ? "" : "s");
	if (news)
		ret->patch = tally->patch;
	step_result_set(ret, news || tally->errors ? OUTCOME_WARN : OUTCOME_PASS, "%s", s.buf);
}

/* The main row's fault first, then those of the others, then warnings. */
void build_set_result(const struct row_list *r, struct step_result *ret)
{
	const struct row_run *main = &r->run[0];
	auto_free char *built = main->outcome == OUTCOME_SKIP
					? xasprintf("%s: %s", main->row.name, main->reason)
					: built_words(r->t, main);
	auto_json json_t *seen = json_object();
	struct tally tally = {.seen = seen};
	const struct row_run *bad = NULL;

	for (size_t i = 0; i < r->n && !bad; i++)
		bad = r->run[i].bad ? &r->run[i] : NULL;
	if (bad)
		bad_result(r, bad, ret);
	for (size_t i = 0; i < r->n; i++)
		tally_row(r, &r->run[i], &tally, ret);
	if (!bad)
		set_words(&tally, built, ret);
	free(tally.first);
	if (main->outcome == OUTCOME_SKIP)
		ret->use = STEP_USE_NO;
	else if (!main->bad)
		ret->use = STEP_USE_YES;
}
