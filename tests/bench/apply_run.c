// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apply-run REPO BASE REF FILE...: applies mails, in the order given, and prints one line with
 *tabs: applied TREE PATCHES MERGED SKIPPED MILLISECONDS PEAK-KIB refused PATCH MILLISECONDS
 *PEAK-KIB MESSAGE A REF of "-" writes nothing. The time is that of apply_series() alone; peak
 *memory is the whole process's, reading the mails too. After a refusal the evidence follows,
 *indented.
 */
#include "intake/source.h"
#include "series/apply.h"
#include "series/message.h"
#include "series/repo.h"
#include <sys/resource.h>
#include <time.h>

struct input {
	struct mail_list *lists; /* one a file: patches point into them */
	size_t n_lists;
	struct series series;
};

static void patch_add(struct input *in, const struct mail *mail)
{
	struct series *s = &in->series;
	struct patch p = {0};

	subject_parse(mail->subject, &p.subject);
	patch_read(mail, &p);
	if (!patch_has_diff(&p) && p.subject.numbered && !p.subject.number) {
		patch_done(&p); /* a cover letter */
		return;
	}
	s->patch = xreallocarray(s->patch, s->n_patches + 1, sizeof(p));
	p.subject.number = (unsigned)s->n_patches + 1;
	s->patch[s->n_patches++] = p;
	s->total = (unsigned)s->n_patches;
}

static int input_read(struct input *in, char **file, size_t n, struct err *err)
{
	int rc = 0;

	in->lists = xcalloc(n + 1, sizeof(*in->lists));
	for (size_t i = 0; !rc && i < n; i++) {
		struct mail_list *list = &in->lists[in->n_lists++];

		rc = source_read(file[i], list, err);
		for (size_t k = 0; !rc && k < list->n; k++)
			patch_add(in, list->item[k]);
	}
	return rc;
}

static void input_done(struct input *in)
{
	for (size_t i = 0; i < in->series.n_patches; i++)
		patch_done(&in->series.patch[i]);
	free(in->series.patch);
	for (size_t i = 0; i < in->n_lists; i++)
		mail_list_done(&in->lists[i]);
	free(in->lists);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static long peak_kib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static void applied_print(const struct apply_result *r, double ms)
{
	const struct apply_commit *last = &r->commit[r->n_commits - 1];
	char tree[GIT_OID_HEXSZ + 1];
	size_t merged = 0, skipped = 0;

	for (size_t i = 0; i < r->n_commits; i++) {
		skipped += r->commit[i].already_in;
		merged += r->commit[i].merged_files && !r->commit[i].already_in;
	}
	printf("applied\t%s\t%zu\t%zu\t%zu\t%.1f\t%ld\n",
	       git_oid_tostr(tree, sizeof(tree), &last->tree), r->n_commits, merged, skipped, ms,
	       peak_kib());
}

static void refused_print(const struct apply_result *r, const struct err *err, double ms)
{
	printf("refused\t%zu\t%.1f\t%ld\t%s\n", r->failed_patch + 1, ms, peak_kib(), err->msg);
	for (size_t i = 0; i < r->n_evidence; i++)
		printf("  %s\n", r->evidence[i]);
}

static int base_find(git_repository *repo, const char *name, git_oid *ret_id, struct err *err)
{
	auto_git(object) git_object *obj = NULL;

	if (git_revparse_single(&obj, repo, name) < 0)
		return err_git(err, ERR_USAGE, "cannot find %s", name);
	*ret_id = *git_object_id(obj);
	return 0;
}

static int run(const char *dir, const char *base, const char *ref, struct input *in,
	       struct err *err)
{
	auto_git(repository) git_repository *repo = NULL;
	struct apply_result result = {0};
	double began;
	git_oid id;
	int rc;

	if (git_repository_open(&repo, dir) < 0)
		return err_git(err, ERR_USAGE, "cannot open %s", dir);
	rc = base_find(repo, base, &id, err);
	if (rc)
		return rc;
	began = now_ms();
	rc = apply_series(repo, &id, &in->series, strcmp(ref, "-") ? ref : NULL, &result, err);
	if (rc == ERR_PATCH)
		refused_print(&result, err, now_ms() - began);
	else if (!rc)
		applied_print(&result, now_ms() - began);
	apply_result_done(&result);
	return rc == ERR_PATCH ? 0 : rc;
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct input in = {0};
	int rc;

	if (argc < 5) {
		fprintf(stderr, "usage: apply-run REPO BASE REF|- FILE...\n");
		return 64;
	}
	repo_setup();
	rc = input_read(&in, argv + 4, (size_t)(argc - 4), &err);
	if (!rc)
		rc = run(argv[1], argv[2], argv[3], &in, &err);
	if (rc)
		fprintf(stderr, "apply-run: %s\n", err.msg);
	input_done(&in);
	return rc ? err_exit_code(err.kind) : 0;
}
