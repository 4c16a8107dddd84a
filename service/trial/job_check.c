// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/json.h"
#include "checkers/checker.h"
#include "intake/source.h"
#include "kernel-builders/builder.h"
#include "sandbox/sandbox.h"
#include "series/offer.h"
#include "trial/job.h"

/* What the checkers found over the whole series. */
struct tally {
	json_t *checks, *findings;
	struct check_counts counts;
	enum outcome worst;
	unsigned by_outcome[OUTCOME_FAIL + 1]; /* checker runs */
	enum outcome worst_said;
	char *first_bad; /* reason of the worst that is more than a total */
};

static json_t *finding_row(const struct checker *c, const struct finding *f, unsigned number)
{
	json_t *row = json_object();

	json_object_set_new(row, "checker", json_text(c->name));
	json_object_set_new(row, "level", json_text(finding_level_name(f->level)));
	json_object_set_new(row, "type", json_text(f->type));
	json_object_set_new(row, "path", json_text(f->path));
	json_object_set_new(row, "line", f->line ? json_integer(f->line) : json_null());
	json_object_set_new(row, "patch_line",
			    f->patch_line ? json_integer(f->patch_line) : json_null());
	json_object_set_new(row, "patch", json_integer(number));
	json_object_set_new(row, "message", json_text(f->message));
	json_object_set_new(row, "excerpt", json_text(f->excerpt));
	return row;
}

static void tally_add(struct tally *t, const struct checker *c, const struct check_result *r,
		      unsigned number)
{
	json_t *row = json_object();

	json_object_set_new(row, "checker", json_text(c->name));
	json_object_set_new(row, "patch", json_integer(number));
	json_object_set_new(row, "outcome", json_text(outcome_name(r->outcome)));
	json_object_set_new(row, "reason", json_text(r->reason));
	json_array_append_new(t->checks, row);
	for (size_t i = 0; i < r->n; i++)
		json_array_append_new(t->findings, finding_row(c, &r->finding[i], number));
	t->by_outcome[r->outcome]++;
	/* A total says nothing that the total of all does not. */
	if (r->outcome >= OUTCOME_WARN && r->outcome > t->worst_said &&
	    !str_starts(r->reason, "total:")) {
		t->worst_said = r->outcome;
		free(t->first_bad);
		t->first_bad = xasprintf("patch %u, %s: %s", number, c->name, r->reason);
	}
	t->worst = outcome_worse(t->worst, r->outcome);
}

static int check_series(const struct check_env *env, struct tally *t, struct err *err)
{
	size_t n = checkers_count();
	int rc = 0;

	for (size_t i = 0; i < env->series->n_patches && rc == 0; i++) {
		const struct patch *p = &env->series->patch[i];
		struct check_result *results = xcalloc(n, sizeof(*results));

		job_progress(p->subject.text, (unsigned)i + 1, (unsigned)env->series->n_patches);
		rc = check_patch_all(env, p, results, err);
		if (rc == 0)
			check_counts_patch(&t->counts, results);
		for (size_t k = 0; k < n; k++) {
			if (rc == 0)
				tally_add(t, checkers[k], &results[k], p->subject.number);
			check_result_done(&results[k]);
		}
		free(results);
	}
	return rc;
}

/* Takes what the tally holds. */
static json_t *check_data(struct tally *t)
{
	json_t *data = json_object(), *counts = json_object();
	auto_str struct str reason;

	json_object_set_new(counts, "errors", json_integer(t->counts.errors));
	json_object_set_new(counts, "warnings", json_integer(t->counts.warnings));
	json_object_set_new(counts, "checks", json_integer(t->counts.checks));
	json_object_set_new(counts, "lines", json_integer(t->counts.lines));
	str_init(&reason, 0);
	str_addf(&reason, "total: %u errors, %u warnings, %u checks, %u lines checked",
		 t->counts.errors, t->counts.warnings, t->counts.checks, t->counts.lines);
	if (t->first_bad)
		str_addf(&reason, "; %s", t->first_bad);
	json_object_set_new(data, "outcome", json_text(outcome_name(t->worst)));
	json_object_set_new(data, "reason", json_text(reason.buf));
	json_object_set_new(data, "checks", json_incref(t->checks));
	json_object_set_new(data, "findings", json_incref(t->findings));
	json_object_set_new(data, "counts", counts);
	return data;
}

static int check_in(const struct job *job, struct check_env *env, json_t **ret_data,
		    struct err *err)
{
	auto_free char *source = NULL;
	auto_free char *scratch = xasprintf("%s/scratch", job->dir);
	struct tally t = {.checks = json_array(), .findings = json_array()};
	const char *cache;
	int rc = job_arg_str(job, "cache", &cache, err);

	if (rc == 0)
		rc = worktree_at(env->repo, &env->base, cache, &source, err);
	if (rc == 0)
		rc = sandbox_own(scratch, err);
	auto_free char *kept = xasprintf("%s/checkers", rc == 0 ? cache : "");
	env->source_dir = source;
	env->scratch_dir = scratch;
	env->cache_dir = kept;
	if (rc == 0)
		rc = check_series(env, &t, err);
	if (rc == 0)
		*ret_data = check_data(&t);
	json_decref(t.checks);
	json_decref(t.findings);
	free(t.first_bad);
	return rc;
}

/* The mails of the trial, and what they make. */
struct posting {
	struct mail_list mails;
	struct series_set set, offered;
	const struct series *series; /* the one to check */
};

static void posting_done(struct posting *p)
{
	series_set_done(&p->offered);
	series_set_done(&p->set);
	mail_list_done(&p->mails);
}

static int posting_take_offer(struct posting *p, const char *message_id, struct err *err)
{
	struct threads *threads = threads_new(&p->mails, &p->set);
	struct offers offers = {0};
	const struct offer *o;
	int rc;

	offers_find(threads, &p->mails, &p->set, &offers);
	o = offers_get(&offers, message_id);
	rc = o ? offer_series(o, &p->set, OFFER_ON_TOP, &p->offered, err)
	       : err_set(err, ERR_INPUT, "no offer with message ID %s", message_id);
	if (rc == 0)
		p->series = &p->offered.series[0];
	offers_done(&offers);
	threads_free(threads);
	return rc;
}

static int posting_read(const struct job *job, struct posting *p, struct err *err)
{
	size_t index = (size_t)json_get_num(job->args, "series", 0);
	const char *path, *offer = json_get_str(job->args, "offer", NULL);
	int rc = job_arg_str(job, "mails", &path, err);

	if (rc == 0)
		rc = source_read(path, &p->mails, err);
	if (rc == 0)
		rc = collate(&p->mails, &p->set, err);
	if (rc < 0)
		return rc;
	if (offer)
		return posting_take_offer(p, offer, err);
	if (index >= p->set.n_series)
		return err_set(err, ERR_INPUT, "%s holds no series %zu", path, index);
	p->series = &p->set.series[index];
	return 0;
}

/* A list of words, NULL at the end, in one block that the caller frees; NULL for NULL. */
static char **words_of(const char *text)
{
	size_t n = 0, len = text ? strlen(text) : 0;
	char **word, *copy, *save = NULL;

	if (!text)
		return NULL;
	word = xmalloc((len + 2) * sizeof(*word) + len + 1);
	copy = memcpy(word + len + 2, text, len + 1);
	for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save))
		word[n++] = w;
	word[n] = NULL;
	return word;
}

static int run(const struct job *job, json_t **ret_data, struct err *err)
{
	auto_git(repository) git_repository *repo = NULL;
	struct posting posting = {0};
	auto_free char **ignore = words_of(json_get_str(job->args, "ignore", NULL));
	struct check_env env = {.style_ignore = (const char *const *)ignore};
	const char *path, *hex;
	int rc = job_arg_str(job, "repo", &path, err);

	if (rc == 0)
		rc = job_arg_str(job, "base", &hex, err);
	if (rc == 0)
		rc = posting_read(job, &posting, err);
	if (rc == 0 && git_repository_open_bare(&repo, path) < 0)
		rc = err_git(err, ERR_INFRA, "cannot open repository %s", path);
	if (rc == 0 && git_oid_fromstr(&env.base, hex) < 0)
		rc = err_set(err, ERR_INPUT, "%s/job.json: \"%s\" is not a commit id", job->dir,
			     hex);
	env.repo = repo;
	env.series = posting.series;
	env.last_is_offer = posting.offered.n_series > 0;
	if (rc == 0)
		rc = check_in(job, &env, ret_data, err);
	posting_done(&posting);
	return rc;
}

const struct job_kind job_check = {
	.name = "check", .summary = "run the checkers over a series", .run = run};
