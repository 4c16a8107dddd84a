// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/stats.h"
#include <math.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sorted_copy(const double *x, size_t n)
{
	double *sorted = xcalloc(n, sizeof(*sorted));

	memcpy(sorted, x, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_value);
	return sorted;
}

static double median_of(const double *x, size_t n)
{
	auto_free double *sorted = sorted_copy(x, n);

	return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

struct stats stats_of(const double *x, size_t n)
{
	struct stats s = {.n = n};
	double squares = 0;

	if (!n)
		return s;
	s.min = s.max = x[0];
	for (size_t i = 0; i < n; i++) {
		s.min = fmin(s.min, x[i]);
		s.max = fmax(s.max, x[i]);
		s.mean += (x[i] - s.mean) / (double)(i + 1);
	}
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - s.mean) * (x[i] - s.mean);
	s.stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	s.median = median_of(x, n);
	return s;
}

static bool all_finite(const struct bench_side *side)
{
	for (size_t i = 0; i < side->n; i++)
		if (!isfinite(side->sample[i]))
			return false;
	return true;
}

static void undecided(struct bench_metric *m, char *why)
{
	m->word = BENCH_UNDECIDED;
	m->exact = false;
	m->change = m->smallest = NAN;
	m->why = why;
}

/* What the samples must be for a change to have a meaning; else judges and returns false. */
static bool can_judge(struct bench_metric *m)
{
	if (!m->base.n || !m->patched.n) {
		const char *side = m->base.n	  ? "the patched kernel"
				   : m->patched.n ? "the base"
						  : "either kernel";

		undecided(m, xasprintf("no sample of %s", side));
		return false;
	}
	if (!all_finite(&m->base) || !all_finite(&m->patched)) {
		undecided(m, xstrdup("a sample is not a number"));
		return false;
	}
	if (stats_of(m->base.sample, m->base.n).median == 0) {
		undecided(m, xstrdup("the base is 0: a change has no size"));
		return false;
	}
	return true;
}

static enum bench_word word_of(const struct bench_metric *m)
{
	return (m->change > 0) == m->lower_is_better ? BENCH_SLOWER : BENCH_FASTER;
}

/* The two sides, and what a change must exceed. */
struct judgement {
	struct stats old, new;
	double resolution, floor;
};

static int decimals_of(double v)
{
	return v == rint(v) && fabs(v) < 1e15 ? 0 : 3;
}

/* "36412 → 36525 us" */
static char *pair_words(const struct bench_metric *m, const struct judgement *j)
{
	return xasprintf("%.*f → %.*f %s", decimals_of(j->old.median), j->old.median,
			 decimals_of(j->new.median), j->new.median, m->unit ? m->unit : "");
}

static bool over_floor(const struct bench_metric *m, const struct judgement *j)
{
	return fabs(m->change) > j->floor;
}

/* Behind the pair: why a difference that is there does not count. */
static char *floor_words(const struct bench_metric *m, const struct judgement *j)
{
	if (m->change == 0 || over_floor(m, j))
		return xstrdup("");
	return xasprintf(", which is not over the limit of %g %%", j->floor * 100);
}

static bool is_exact(const struct bench_metric *m, const struct judgement *j)
{
	/* One sample repeats nothing. */
	return m->base.n > 1 && m->patched.n > 1 && j->old.max - j->old.min <= j->resolution &&
	       j->new.max - j->new.min <= j->resolution;
}

static void judge_exact(struct bench_metric *m, const struct judgement *j)
{
	bool repeats = j->old.max == j->old.min && j->new.max == j->new.min;
	bool real = fabs(j->new.median - j->old.median) > j->resolution;
	auto_free char *within =
		repeats ? xstrdup("exactly")
			: xasprintf("within %g %s", j->resolution, m->unit ? m->unit : "");
	auto_free char *pair = pair_words(m, j), *small = real ? floor_words(m, j) : xstrdup("");

	m->exact = true;
	m->smallest = fmax(j->resolution / fabs(j->old.median), j->floor);
	m->word = real && over_floor(m, j) ? word_of(m) : BENCH_UNCHANGED;
	m->why = xasprintf("both kernels repeat %s: %s%s", within, pair, small);
}

static void judge_too_few(struct bench_metric *m)
{
	size_t need = 1;

	while (stats_smallest_p(need, need) > STATS_LEVEL)
		need++;
	m->word = BENCH_UNDECIDED;
	m->smallest = NAN;
	m->why =
		xasprintf("%zu and %zu samples that do not repeat cannot tell: the rank test takes "
			  "%zu of each to reach %g %%",
			  m->base.n, m->patched.n, need, STATS_LEVEL * 100);
}

/* The smallest change seen with this spread: see stats.h. */
static double smallest_of(const struct bench_metric *m, const struct judgement *j)
{
	struct stats_shift s;

	if (!stats_shift(m->base.sample, m->base.n, m->patched.sample, m->patched.n, &s))
		return NAN;
	return fmax(fmax(s.high - s.shift, s.shift - s.low) / fabs(j->old.median), j->floor);
}

/* The gap between two groups of samples, two at least in each, when it is more than half of what
 * they span; else 0. */
static double gap_of(const struct bench_side *side)
{
	auto_free double *s = sorted_copy(side->sample, side->n);
	double span = s[side->n - 1] - s[0];

	for (size_t i = 2; i + 2 <= side->n; i++)
		if (s[i] - s[i - 1] > span / 2)
			return s[i] - s[i - 1];
	return 0;
}

/* Whether the samples fall into two groups and the medians lie in different ones: that says how
 * often each group was hit, not that anything changed. */
static bool humps_apart(const struct bench_metric *m, const struct judgement *j)
{
	double gap = fmax(gap_of(&m->base), gap_of(&m->patched));

	return gap > 0 && fabs(j->new.median - j->old.median) > gap / 2;
}

static void judge_ranks(struct bench_metric *m, const struct judgement *j)
{
	auto_free char *pair = pair_words(m, j), *more = NULL;
	double p, u = stats_mann_whitney(m->base.sample, m->base.n, m->patched.sample, m->patched.n,
					 &p);

	m->smallest = smallest_of(m, j);
	if (p <= STATS_LEVEL) {
		m->word = over_floor(m, j) ? word_of(m) : BENCH_UNCHANGED;
		more = floor_words(m, j);
	} else if (humps_apart(m, j)) {
		m->word = BENCH_UNDECIDED;
		more = xstrdup(", but the samples fall into two groups: more are needed");
	} else {
		m->word = BENCH_UNCHANGED;
		more = xasprintf(", which chance explains; under %.2g %% nothing would be seen",
				 m->smallest * 100);
	}
	m->why = xasprintf("rank test: U = %g of %zu, p = %.2g: %s%s", u, m->base.n * m->patched.n,
			   p, pair, more);
}

void stats_judge(struct bench_metric *m, double resolution, double floor)
{
	struct judgement j = {.resolution = resolution, .floor = floor};

	m->exact = false;
	if (!can_judge(m))
		return;
	j.old = stats_of(m->base.sample, m->base.n);
	j.new = stats_of(m->patched.sample, m->patched.n);
	m->change = (j.new.median - j.old.median) / fabs(j.old.median);
	if (is_exact(m, &j))
		judge_exact(m, &j);
	else if (stats_smallest_p(m->base.n, m->patched.n) > STATS_LEVEL)
		judge_too_few(m);
	else
		judge_ranks(m, &j);
}
