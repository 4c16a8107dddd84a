// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of steps, and the ones that run in this process: from mails to commits. */
#include "trial/run.h"

#include "intake/source.h"
#include "series/repo.h"

const struct step steps[] = {
	{"intake", "read the mails", "", true, step_intake},
	{"series", "order the patches, see whether all are there", "intake", true, step_series},
	{"base", "find the commit to try the series on", "series", true, step_base},
	{"apply", "apply every patch, one commit each", "base", false, step_apply},
	{"check", "run the checkers over every patch", "base", false, step_check},
	{"build", "build the base and the patched kernel", "apply", false, step_build},
	{"boot", "boot both", "build", false, step_boot},
	{"bench-hot-add", "time memory hot-add on both", "boot", false, step_bench},
	{0},
};

bool trial_step_info(unsigned i, const char **ret_name, const char **ret_summary)
{
	if (i >= array_size(steps) - 1)
		return false;
	*ret_name = steps[i].name;
	*ret_summary = steps[i].summary;
	return true;
}

/* What messages call the input. */
static char *input_name(const char *const *inputs)
{
	size_t n = 0;

	while (inputs[n])
		n++;
	if (n > 1)
		return xasprintf("%zu inputs", n);
	return xstrdup(n && strcmp(inputs[0], "-") == 0 ? "standard input"
		       : n				? inputs[0]
							: "no input");
}

int step_intake(struct trial *t, struct step_result *ret, struct err *err)
{
	int rc = 0;

	t->input = input_name(t->opt->inputs);
	for (size_t i = 0; t->opt->inputs[i] && rc == 0; i++)
		rc = source_read(t->opt->inputs[i], &t->mails, err);
	if (rc < 0)
		return rc;
	step_result_set(ret, OUTCOME_PASS, "%zu mail%s from %s", t->mails.n,
			t->mails.n == 1 ? "" : "s", t->input);
	/* What the source passed over, and why. */
	for (size_t i = 0; i < t->mails.n_notes; i++)
		step_result_line(ret, t->mails.note[i]);
	return 0;
}

/* Several series in one input: the user says which. */
static int too_many(const struct trial *t, struct err *err)
{
	auto_str struct str list;

	str_init(&list, ERR_MSG_MAX / 2);
	for (size_t i = 0; i < t->set.n_series; i++)
		str_addf(&list, "\n  <%s> v%u, %zu of %u patches: %s", t->set.series[i].message_id,
			 t->set.series[i].version, t->set.series[i].n_patches,
			 t->set.series[i].total, t->set.series[i].title);
	return err_set(err, ERR_INPUT, "%s holds %zu series; pick one with --series MESSAGE-ID:%s",
		       t->input, t->set.n_series, list.buf);
}

/* Does the message ID name this series, by its cover or by one of its patches? */
static bool series_has_id(const struct series *s, const char *id)
{
	size_t n = strlen(id);

	if (n > 2 && id[0] == '<' && id[n - 1] == '>') {
		id++;
		n -= 2;
	}
	if (strlen(s->message_id) == n && strncmp(s->message_id, id, n) == 0)
		return true;
	for (size_t i = 0; i < s->n_patches; i++) {
		const char *mid = s->patch[i].mail->message_id;

		if (mid && strlen(mid) == n && strncmp(mid, id, n) == 0)
			return true;
	}
	return false;
}

static int pick_series(struct trial *t, struct err *err)
{
	const char *pick = t->opt->pick;

	if (t->set.n_series == 0)
		return err_set(err, ERR_INPUT, "%s holds no patch: %s", t->input,
			       t->set.n_fates ? t->set.fate[0].why : "no mail");
	if (!pick) {
		if (t->set.n_series > 1)
			return too_many(t, err);
		t->series = &t->set.series[0];
		return 0;
	}
	for (size_t i = 0; i < t->set.n_series; i++) {
		if (series_has_id(&t->set.series[i], pick)) {
			t->series = &t->set.series[i];
			return 0;
		}
	}
	return err_set(err, ERR_INPUT, "%s holds no series with message ID %s", t->input, pick);
}

static void say_missing(const struct series *s, struct step_result *ret)
{
	auto_str struct str list;

	str_init(&list, 200);
	for (size_t i = 0; i < s->n_missing; i++)
		str_addf(&list, "%s%u/%u", i ? ", " : "", s->missing[i], s->total);
	step_result_set(ret, OUTCOME_ERROR, "incomplete: %zu of %u patches, waiting for %s",
			s->n_patches, s->total, list.buf);
}

int step_series(struct trial *t, struct step_result *ret, struct err *err)
{
	int rc = collate(&t->mails, &t->set, err);

	if (rc == 0)
		rc = pick_series(t, err);
	if (rc < 0)
		return rc;
	if (t->series->n_missing || t->series->n_patches == 0)
		say_missing(t->series, ret);
	else
		step_result_set(ret, OUTCOME_PASS, "v%u, %zu patch%s%s: %s", t->series->version,
				t->series->n_patches, t->series->n_patches == 1 ? "" : "es",
				t->series->cover ? " and a cover letter" : "", t->series->title);
	return 0;
}

int step_base(struct trial *t, struct step_result *ret, struct err *err)
{
	char hex[13];
	int rc = repo_open(t->opt->tree, t->opt->cache_dir, &t->repo, &t->user_repo, err);

	if (rc == 0)
		rc = base_pick(t->user_repo, t->series, t->opt->base, &t->base, err);
	if (rc < 0)
		return rc;
	t->has_base = true;
	git_oid_tostr(hex, sizeof(hex), &t->base.commit);
	step_result_set(ret, t->base.warning ? OUTCOME_WARN : OUTCOME_PASS, "%s (\"%s\"): %s%s%s",
			hex, t->base.subject, t->base.why, t->base.warning ? "; " : "",
			t->base.warning ? t->base.warning : "");
	return 0;
}

static void count_offsets(const struct apply_result *r, unsigned *ret_hunks, unsigned *ret_offset)
{
	for (size_t i = 0; i < r->n_commits; i++) {
		*ret_hunks += r->commit[i].hunks;
		*ret_offset += r->commit[i].offset_hunks;
	}
}

int step_apply(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_free char *ref = xasprintf("refs/firn/%s", t->id);
	unsigned hunks = 0, offset = 0;
	char hex[13];
	int rc = apply_series(t->repo, &t->base.commit, t->series, ref, &t->applied, err);

	if (rc == ERR_PATCH) {
		ret->patch = t->series->patch[t->applied.failed_patch].subject.number;
		for (size_t i = 0; i < t->applied.n_evidence; i++)
			step_result_line(ret, t->applied.evidence[i]);
	}
	if (rc < 0)
		return rc;
	count_offsets(&t->applied, &hunks, &offset);
	git_oid_tostr(hex, sizeof(hex), &t->applied.commit[t->applied.n_commits - 1].commit);
	step_result_set(ret, OUTCOME_PASS, "%zu commit%s, head %s, %u hunk%s", t->applied.n_commits,
			t->applied.n_commits == 1 ? "" : "s", hex, hunks, hunks == 1 ? "" : "s");
	if (offset) {
		auto_free char *old = ret->reason;

		ret->reason = xasprintf("%s, %u of them moved to another line", old, offset);
	}
	return 0;
}
