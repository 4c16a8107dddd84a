// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of steps, and the ones that run in this process: from mails to commits. */
#include "trial/run.h"

#include "intake/source.h"

const struct step steps[] = {
	{"intake", "read the mails", "", true, step_intake},
	{"series", "order the patches, see whether all are there", "intake", true, step_series},
	{"base", "find the commit to try the series on", "series", true, step_base},
	{"apply", "apply every patch, one commit each", "base", false, step_apply},
	{"check", "run the checkers over every patch", "base", false, step_check},
	{"build", "build the base, and the kernel after each patch", "apply", false, step_build},
	{"boot", "boot them, the last on several machines", "build", false, step_boot},
	{"bench-hot-add", "time memory hot-add", "boot", false, step_bench},
	{"bench-ipi", "count inter-processor interrupts", "boot", false, step_bench},
	{"bench-node-offline", "NUMA nodes without CPUs or memory", "boot", false, step_bench},
	{"bench-cpu-hotplug", "take CPUs off and bring them back", "boot", false, step_bench},
	{"bench-memory-online", "take memory off and bring it back", "boot", false, step_bench},
	{"bench-http", "requests a second to a server in the guest", "boot", false, step_bench},
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

/* Applies what the series says that it needs; `t->start` moves on top of that. */
static int apply_needed(struct trial *t, struct err *err)
{
	for (size_t i = 0; i + 1 < t->plan.n_steps; i++) {
		const struct depends_step *step = &t->plan.step[i];
		auto_free char *ref = xasprintf("refs/firn/%s-needs-%zu", t->id, i + 1);
		struct series part = t->set.series[step->series];
		struct apply_result r = {0};
		int rc;

		if (part.n_patches > step->n_patches)
			part.n_patches = step->n_patches;
		rc = apply_series(t->repo, &t->start, &part, ref, &r, err);
		if (rc == 0 && r.n_commits)
			t->start = r.commit[r.n_commits - 1].commit;
		apply_result_done(&r);
		if (rc == ERR_PATCH)
			err->kind = ERR_INPUT; /* not the fault of the series on trial */
		if (rc < 0)
			return err_wrap(err, "<%s>, which this series needs", part.message_id);
	}
	return 0;
}

struct apply_tally {
	unsigned hunks, offset, merged, already_in;
};

static struct apply_tally apply_count(const struct apply_result *r)
{
	struct apply_tally n = {0};

	for (size_t i = 0; i < r->n_commits; i++) {
		n.hunks += r->commit[i].hunks;
		n.offset += r->commit[i].offset_hunks;
		n.merged += r->commit[i].merged_files;
		n.already_in += r->commit[i].already_in;
	}
	return n;
}

/* What is worth a line of each patch. */
static void apply_lines(const struct trial *t, struct step_result *ret)
{
	for (size_t i = 0; i < t->applied.n_commits; i++) {
		const struct apply_commit *c = &t->applied.commit[i];
		auto_free char *line = NULL;
		char hex[13];

		if (c->already_in && git_oid_is_zero(&c->in_as))
			line = xasprintf("patch %zu of %zu is already in", i + 1,
					 t->series->n_patches);
		else if (c->already_in)
			line = xasprintf("patch %zu of %zu is already in, as %s", i + 1,
					 t->series->n_patches,
					 git_oid_tostr(hex, sizeof(hex), &c->in_as));
		else if (c->merged_files)
			line = xasprintf("patch %zu of %zu: %u file%s by 3-way merge", i + 1,
					 t->series->n_patches, c->merged_files,
					 c->merged_files == 1 ? "" : "s");
		if (line)
			step_result_line(ret, line);
	}
}

static void apply_good(const struct trial *t, struct step_result *ret)
{
	struct apply_tally n = apply_count(&t->applied);
	size_t commits = t->applied.n_commits - n.already_in;
	auto_str struct str s;
	char hex[13];

	str_init(&s, 0);
	git_oid_tostr(hex, sizeof(hex), &t->applied.commit[t->applied.n_commits - 1].commit);
	str_addf(&s, "%zu commit%s, head %s, %u hunk%s", commits, commits == 1 ? "" : "s", hex,
		 n.hunks, n.hunks == 1 ? "" : "s");
	if (n.offset)
		str_addf(&s, ", %u of them moved to another line", n.offset);
	if (n.merged)
		str_addf(&s, ", %u file%s by 3-way merge", n.merged, n.merged == 1 ? "" : "s");
	if (n.already_in)
		str_addf(&s, ", %u patch%s already in", n.already_in,
			 n.already_in == 1 ? "" : "es");
	if (t->plan.n_steps > 1)
		str_addf(&s, ", on top of %zu series that it needs", t->plan.n_steps - 1);
	step_result_set(ret, n.already_in ? OUTCOME_WARN : OUTCOME_PASS, "%s", s.buf);
	apply_lines(t, ret);
}

int step_apply(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_free char *ref = xasprintf("refs/firn/%s", t->id);
	int rc = apply_needed(t, err);

	if (rc == 0)
		rc = apply_series(t->repo, &t->start, t->series, ref, &t->applied, err);
	if (rc == ERR_PATCH) {
		ret->patch = t->series->patch[t->applied.failed_patch].subject.number;
		for (size_t i = 0; i < t->applied.n_evidence; i++)
			step_result_line(ret, t->applied.evidence[i]);
	}
	if (rc == 0)
		apply_good(t, ret);
	return rc;
}
