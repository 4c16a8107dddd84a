// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules: see stats.h. */
#include "testbeds/bench/stats.h"

#include "base/str.h"
#include <math.h>

/* A metric on its way to its word. */
struct judgement {
	struct bench_metric *m;
	struct stats old, new;
	double resolution, floor;
	bool no_interval;
	bool ranked; /* the rank test is to decide */
	double u, p, adjusted;
	size_t family; /* judged metrics that the rank test decides, at least 1 */
};

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
	m->why = why;
}

/* What the samples must be to be looked at; else judges and returns false. */
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
	return true;
}

static enum bench_word word_of(const struct judgement *j)
{
	return (j->new.median > j->old.median) == j->m->lower_is_better ? BENCH_SLOWER
									: BENCH_FASTER;
}

static int decimals_of(double v)
{
	return v == rint(v) && fabs(v) < 1e15 ? 0 : 3;
}

/* "36412", "102.500", "0.000123" */
static char *value_words(double v)
{
	return v != 0 && fabs(v) < 1 ? xasprintf("%.4g", v) : xasprintf("%.*f", decimals_of(v), v);
}

static const char *unit_of(const struct bench_metric *m)
{
	return m->unit ? m->unit : "";
}

/* "36412 → 36525 us" */
static char *pair_words(const struct judgement *j)
{
	auto_free char *old = value_words(j->old.median), *new = value_words(j->new.median);

	return xasprintf("%s → %s %s", old, new, unit_of(j->m));
}

static bool has_size(const struct judgement *j)
{
	return isfinite(j->m->change);
}

static bool over_floor(const struct judgement *j)
{
	if (!has_size(j)) /* from 0, and no floor is a share of that */
		return j->new.median != j->old.median;
	return fabs(j->m->change) > j->floor;
}

/* Behind the pair: why a difference that is there does not count. */
static char *floor_words(const struct judgement *j)
{
	if (!has_size(j) && j->new.median != j->old.median)
		return xstrdup(", and a change from 0 has no size");
	if (j->new.median == j->old.median || over_floor(j))
		return xstrdup("");
	return xasprintf(", which is not over the limit of %g %%", j->floor * 100);
}

static bool repeats(const struct stats *s, double resolution)
{
	return s->n > 1 && s->max - s->min <= resolution; /* one sample repeats nothing */
}

bool stats_is_exact(const struct bench_side *base, const struct bench_side *patched,
		    double resolution)
{
	struct stats old = stats_of(base->sample, base->n),
		     new = stats_of(patched->sample, patched->n);

	return repeats(&old, resolution) && repeats(&new, resolution);
}

static void judge_exact(struct judgement *j)
{
	struct bench_metric *m = j->m;
	bool real = fabs(j->new.median - j->old.median) > j->resolution;
	auto_free char *within = repeats(&j->old, 0) && repeats(&j->new, 0)
					 ? xstrdup("exactly")
					 : xasprintf("within %g %s", j->resolution, unit_of(m));
	auto_free char *pair = pair_words(j), *small = real ? floor_words(j) : xstrdup("");

	m->exact = true;
	m->low = m->high = m->change;
	m->smallest =
		j->old.median == 0 ? NAN : fmax(j->resolution / fabs(j->old.median), j->floor);
	m->word = real && over_floor(j) ? word_of(j) : BENCH_UNCHANGED;
	m->why = xasprintf("both kernels repeat %s: %s%s", within, pair, small);
}

static bool is_too_few(const struct judgement *j)
{
	return stats_smallest_p(j->old.n, j->new.n) * (double)j->family > STATS_LEVEL;
}

static void judge_too_few(struct judgement *j)
{
	size_t need = 1;

	while (stats_smallest_p(need, need) * (double)j->family > STATS_LEVEL)
		need++;
	if (j->old.n == 1 && j->new.n == 1)
		undecided(j->m, xasprintf("one sample of each kernel: whether they repeat is not "
					  "known, and the rank test takes %zu of each to reach %g "
					  "%%",
					  need, STATS_LEVEL * 100));
	else
		undecided(j->m,
			  xasprintf("%zu and %zu samples that do not repeat cannot tell: the rank "
				    "test takes %zu of each to reach %g %%%s",
				    j->old.n, j->new.n, need, STATS_LEVEL * 100,
				    j->family > 1 ? " for each of several numbers" : ""));
}

/* The smallest change seen with this spread: see stats.h. */
static double smallest_of(const struct judgement *j)
{
	struct stats_shift s;

	if (j->old.median == 0 ||
	    !stats_shift(&j->m->base, &j->m->patched, STATS_LEVEL / (double)j->family, &s))
		return NAN;
	return fmax(fmax(s.high - s.shift, s.shift - s.low) / fabs(j->old.median), j->floor);
}

/* The gap between two groups of all samples, two at least in each, when it is more than half of
 * what they span; else 0. Of both sides together: five samples of one side alone have such a gap by
 * chance every seventh time. */
static double gap_of(const struct judgement *j)
{
	size_t n = j->old.n + j->new.n;
	auto_free double *s = xcalloc(n, sizeof(*s));
	double span;

	memcpy(s, j->m->base.sample, j->old.n * sizeof(*s));
	memcpy(s + j->old.n, j->m->patched.sample, j->new.n * sizeof(*s));
	qsort(s, n, sizeof(*s), stats_by_value);
	span = s[n - 1] - s[0];
	for (size_t i = 2; i + 2 <= n; i++)
		if (s[i] - s[i - 1] > span / 2)
			return s[i] - s[i - 1];
	return 0;
}

/* Whether the samples fall into two groups and the medians lie in different ones: that says how
 * often each group was hit, not that anything changed. */
static bool humps_apart(const struct judgement *j)
{
	double gap = gap_of(j);

	/* Groups no further apart than what does not matter are one. */
	return gap > j->floor * fabs(j->old.median) &&
	       fabs(j->new.median - j->old.median) > gap / 2;
}

/* ", p = 0.0079, after correction for 4 numbers 0.032" */
static char *p_words(const struct judgement *j)
{
	if (j->family == 1)
		return xasprintf("p = %.2g", j->p);
	return xasprintf("p = %.2g, corrected for %zu numbers %.2g", j->p, j->family, j->adjusted);
}

static void side_unusual(const struct judgement *j, bool base, struct str *out)
{
	const struct bench_side *side = base ? &j->m->base : &j->m->patched;
	const char *name = base ? "the base" : "the patched kernel";
	double furthest = 0;
	size_t n = stats_far_off(side->sample, side->n, j->resolution, &furthest);
	auto_free char *value = value_words(furthest);

	if (n)
		str_addf(out, "; %zu sample%s of %s %s far off, at %s%s %s", n, n == 1 ? "" : "s",
			 name, n == 1 ? "is" : "are", n == 1 ? "" : "most ", value, unit_of(j->m));
	if (repeats(base ? &j->old : &j->new, 0) && !repeats(base ? &j->new : &j->old, 0))
		str_addf(out, "; only %s repeats exactly", name);
}

/* What a reader should know of the samples, whatever the word. */
static char *unusual_words(const struct judgement *j)
{
	auto_str struct str out;

	str_init(&out, 0);
	side_unusual(j, true, &out);
	side_unusual(j, false, &out);
	return str_take(&out);
}

/* What came of the test, behind the pair. */
static char *judge_p(struct judgement *j)
{
	struct bench_metric *m = j->m;

	if (j->adjusted <= STATS_LEVEL) {
		m->word = over_floor(j) ? word_of(j) : BENCH_UNCHANGED;
		return floor_words(j);
	}
	if (humps_apart(j)) {
		m->word = BENCH_UNDECIDED;
		return xstrdup(", but the samples fall into two groups: more are needed");
	}
	m->word = BENCH_UNCHANGED;
	if (isnan(m->smallest))
		return xstrdup(", which chance explains");
	return xasprintf(", which chance explains; under %.2g %% nothing would be seen",
			 m->smallest * 100);
}

static void judge_ranks(struct judgement *j)
{
	struct bench_metric *m = j->m;
	struct stats_interval interval;
	auto_free char *pair = pair_words(j), *p = p_words(j), *unusual = unusual_words(j);

	m->smallest = smallest_of(j);
	if (!j->no_interval && has_size(j) &&
	    stats_bootstrap(m->base.sample, m->base.n, m->patched.sample, m->patched.n,
			    &interval)) {
		m->low = interval.low;
		m->high = interval.high;
	}
	if (is_too_few(j) && j->adjusted > STATS_LEVEL) {
		judge_too_few(j);
		return;
	}
	auto_free char *more = judge_p(j);

	m->why = xasprintf("rank test: U = %g of %zu, %s: %s%s%s", j->u, j->old.n * j->new.n, p,
			   pair, more, unusual);
}

/* The change of the medians, and the word where no test is needed. */
static void judge_begin(struct judgement *j)
{
	struct bench_metric *m = j->m;

	m->exact = false;
	m->change = m->low = m->high = m->smallest = NAN;
	if (!can_judge(m))
		return;
	j->old = stats_of(m->base.sample, m->base.n);
	j->new = stats_of(m->patched.sample, m->patched.n);
	if (j->old.median == j->new.median)
		m->change = 0;
	else if (j->old.median != 0)
		m->change = (j->new.median - j->old.median) / fabs(j->old.median);
	if (!isfinite(m->change))
		m->change = NAN;
	j->ranked = !repeats(&j->old, j->resolution) || !repeats(&j->new, j->resolution);
	if (!j->ranked)
		judge_exact(j);
	else
		j->u = stats_mann_whitney(m->base.sample, m->base.n, m->patched.sample,
					  m->patched.n, &j->p);
	j->adjusted = j->p;
	j->family = 1;
}

/* Samples that could not tell anything even alone are not tested, and cost the others nothing. */
static bool in_family(const struct judgement *j)
{
	return j->ranked && j->m->judged && stats_smallest_p(j->old.n, j->new.n) <= STATS_LEVEL;
}

static void correct(struct judgement *j, size_t n)
{
	auto_free double *p = xcalloc(n, sizeof(*p)), *adjusted = xcalloc(n, sizeof(*adjusted));
	size_t family = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		if (in_family(&j[i]))
			p[family++] = j[i].p;
	stats_holm(p, family, adjusted);
	for (size_t i = 0; i < n; i++) {
		if (!in_family(&j[i]))
			continue;
		j[i].family = family;
		j[i].adjusted = adjusted[at++];
	}
}

void stats_judge_all(struct bench_metric *m, const struct stats_rule *rule, size_t n)
{
	auto_free struct judgement *j = xcalloc(n, sizeof(*j));

	for (size_t i = 0; i < n; i++) {
		j[i] = (struct judgement){.m = &m[i],
					  .resolution = rule[i].resolution,
					  .floor = rule[i].floor,
					  .no_interval = rule[i].no_interval};
		judge_begin(&j[i]);
	}
	correct(j, n);
	for (size_t i = 0; i < n; i++)
		if (j[i].ranked)
			judge_ranks(&j[i]);
}

void stats_judge(struct bench_metric *m, double resolution, double floor)
{
	const struct stats_rule rule = {.resolution = resolution, .floor = floor};

	stats_judge_all(m, &rule, 1);
}
