// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench-checkpatch [--tree=DIR] [--plain] FILE...: the native rules over patches, in one process.
 * Each patch three times, the fastest counts; but the first patch of all is once more, first, so
 * that what a process does once is not its. Prints:
 *
 *	N patches, N lines: CPU ms in all; median, 95th percentile and slowest in ms; us a line
 */
#include "base/fs.h"
#include "checkers/checkpatch/checkpatch.h"
#include "checkers/checkpatch/tree.h"

#include <stdio.h>
#include <time.h>

#define PATCH_MAX ((size_t)256 << 20)
#define TIMES	  3

struct sum {
	double *ms;
	size_t n, cap;
	double first; /* with what is done once */
	double all;
	unsigned long lines, findings;
};

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int check_once(const struct check_env *env, const struct checkpatch_options *o,
		      const struct str *text, struct sum *sum, double *ret_ms, struct err *err)
{
	double began = cpu_ms();
	struct check_result r = {0};
	int rc = checkpatch_text(env, o, text->buf, text->len, &r, err);

	*ret_ms = cpu_ms() - began;
	sum->lines += r.lines_checked;
	sum->findings += r.n;
	check_result_done(&r);
	return rc;
}

static int check_file(const struct check_env *env, const struct checkpatch_options *o,
		      const char *path, struct sum *sum, struct err *err)
{
	struct sum ignored = {0};
	double best = 0, ms;
	auto_str struct str text;
	int rc;

	str_init(&text, PATCH_MAX);
	rc = fs_read(path, PATCH_MAX, ERR_INPUT, &text, err);
	if (rc == 0 && sum->n == 0)
		rc = check_once(env, o, &text, &ignored, &sum->first, err);
	for (int i = 0; i < TIMES && rc == 0; i++) {
		rc = check_once(env, o, &text, i ? &ignored : sum, &ms, err);
		best = i == 0 || ms < best ? ms : best;
	}
	arr_grow(sum->ms, sum->n, sum->cap);
	sum->ms[sum->n++] = best;
	sum->all += best;
	return rc;
}

static int double_cmp(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static void sum_print(struct sum *s)
{
	qsort(s->ms, s->n, sizeof(*s->ms), double_cmp);
	printf("%zu patches, %lu lines, %lu findings: %.1f ms CPU and %.1f once; median %.3f ms, "
	       "95%% %.2f, "
	       "slowest %.1f; %.2f us a line\n",
	       s->n, s->lines, s->findings, s->all, s->first, s->ms[s->n / 2],
	       s->ms[s->n * 95 / 100], s->ms[s->n - 1],
	       s->lines ? s->all * 1e3 / (double)s->lines : 0);
}

int main(int argc, char **argv)
{
	struct checkpatch_options o = {.strict = true};
	struct check_env env = {0};
	struct err err = ERR_INIT;
	struct sum sum = {0};
	int i = 1, rc = 0;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (str_starts(argv[i], "--tree="))
			env.source_dir = env.repo_path = argv[i] + 7;
		else if (strcmp(argv[i], "--plain") == 0)
			o.strict = false;
		else
			return 64;
	}
	for (; i < argc && rc == 0; i++)
		rc = check_file(&env, &o, argv[i], &sum, &err);
	if (rc < 0)
		fprintf(stderr, "%s\n", err.msg);
	else if (sum.n)
		sum_print(&sum);
	free(sum.ms);
	tree_forget();
	return rc < 0 ? 2 : 0;
}
