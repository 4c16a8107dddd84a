// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers of a run, and the one line that says what changed. */
#include "testbeds/bench/sampler_state.h"

#include "base/clock.h"
#include "testbeds/bench/stats.h"
#include <math.h>

/* More changes than these are counted, not named. */
#define NAMED_MAX 4

/* Moves the rows' metrics into the result, and judges them together. */
static void metrics_judge(struct sampler *s, struct bench_result *ret)
{
	struct rows *rows = &s->state->numbers;
	auto_free struct stats_rule *rule = xcalloc(rows->n, sizeof(*rule));
	struct bench_metric *m;

	ret->metric = xreallocarray(ret->metric, ret->n_metrics + rows->n, sizeof(*ret->metric));
	m = ret->metric + ret->n_metrics;
	for (size_t i = 0; i < rows->n; i++) {
		struct number_row *n = rows->row[i];

		m[i] = n->metric;
		n->metric = (struct bench_metric){0};
		rule[i] = (struct stats_rule){
			.resolution = s->req->mode == BENCH_COUNT ? n->resolution : -1,
			.floor = n->floor,
		};
	}
	stats_judge_all(m, rule, rows->n);
	ret->n_metrics += rows->n;
}

struct tally {
	size_t judged, slower, faster, undecided;
	const struct bench_metric *most; /* slower of all; else faster */
};

static size_t tally_changed(const struct tally *t)
{
	return t->slower + t->faster + t->undecided;
}

static bool is_more(const struct bench_metric *a, const struct bench_metric *b)
{
	if (!b || (a->word == BENCH_SLOWER) != (b->word == BENCH_SLOWER))
		return !b || a->word == BENCH_SLOWER;
	return fabs(a->change) > fabs(b->change);
}

static struct tally tally_of(const struct bench_metric *m, size_t n)
{
	struct tally t = {0};

	for (size_t i = 0; i < n; i++) {
		if (!m[i].judged)
			continue;
		t.judged++;
		t.slower += m[i].word == BENCH_SLOWER;
		t.faster += m[i].word == BENCH_FASTER;
		t.undecided += m[i].word == BENCH_UNDECIDED;
		if ((m[i].word == BENCH_SLOWER || m[i].word == BENCH_FASTER) &&
		    is_more(&m[i], t.most))
			t.most = &m[i];
	}
	return t;
}

/* "hot-add of 16 LMBs: slower, +0.29 %" */
static void add_metric_words(struct str *out, const struct bench_metric *m)
{
	if (m->word == BENCH_UNDECIDED)
		str_addf(out, "%s: undecided: %s", m->title, m->why);
	else if (isfinite(m->change))
		str_addf(out, "%s: %s, %+.2f %%", m->title, bench_word_name(m->word),
			 m->change * 100);
	else
		str_addf(out, "%s: %s: %s", m->title, bench_word_name(m->word), m->why);
}

static void add_each(struct str *out, const struct bench_metric *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!m[i].judged || m[i].word == BENCH_UNCHANGED)
			continue;
		if (out->len)
			str_adds(out, "; ");
		add_metric_words(out, &m[i]);
	}
}

static void add_counts(struct str *out, const struct tally *t)
{
	const struct {
		size_t n;
		const char *word;
	} part[] = {{t->slower, "slower"}, {t->faster, "faster"}, {t->undecided, "undecided"}};
	const char *sep = ": ";

	str_addf(out, "%zu of %zu numbers %s", tally_changed(t), t->judged,
		 t->undecided == tally_changed(t) ? "cannot be told" : "changed");
	for (size_t i = 0; i < array_size(part); i++) {
		if (!part[i].n)
			continue;
		str_addf(out, "%s%zu %s", sep, part[i].n, part[i].word);
		sep = ", ";
	}
	if (t->most) {
		str_adds(out, "; most: ");
		add_metric_words(out, t->most);
	}
}

static void numbers_judge(const struct bench_metric *m, size_t n, struct verdict *v)
{
	struct tally t = tally_of(m, n);
	auto_str struct str words;

	str_init(&words, 4096);
	if (!tally_changed(&t))
		return;
	if (tally_changed(&t) <= NAMED_MAX)
		add_each(&words, m, n);
	else
		add_counts(&words, &t);
	verdict_say(v, t.slower || t.undecided ? OUTCOME_WARN : OUTCOME_PASS, str_take(&words));
}

/* Facts of which nothing is known but that they differ. */
static void facts_tell(const struct bench_fact *f, size_t n, struct verdict *v)
{
	size_t changed = 0;
	const struct bench_fact *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (f[i].expected || !f[i].steady || !f[i].base || !f[i].patched ||
		    strcmp(f[i].base, f[i].patched) == 0)
			continue;
		changed++;
		if (!first)
			first = &f[i];
	}
	if (changed == 1)
		verdict_say(v, OUTCOME_PASS,
			    xasprintf("%s changed from \"%.80s\" to \"%.80s\"", first->title,
				      first->base, first->patched));
	else if (changed)
		verdict_say(v, OUTCOME_PASS,
			    xasprintf("%zu facts changed: %s from \"%.80s\" to \"%.80s\", ...",
				      changed, first->title, first->base, first->patched));
}

static char *unchanged_words(size_t numbers, size_t facts)
{
	auto_str struct str s;

	str_init(&s, 0);
	str_adds(&s, "unchanged");
	if (numbers)
		str_addf(&s, ": %zu number%s", numbers, numbers == 1 ? "" : "s");
	if (facts)
		str_addf(&s, "%s %zu fact%s", numbers ? "," : ":", facts, facts == 1 ? "" : "s");
	return str_take(&s);
}

/* "3 boots of each kernel", "3 to 20 boots of each kernel" */
static char *boots_words(const struct sampler_state *state)
{
	unsigned least = UINT32_MAX, most = 0;

	for (size_t i = 0; i < state->n_cells; i++)
		for (enum side k = 0; k < SIDES; k++) {
			const struct cell_side *side = &state->cell[i]->side[k];
			unsigned n = side->good + side->failed;

			least = n < least ? n : least;
			most = n > most ? n : most;
		}
	if (least >= most)
		return xasprintf("%u boot%s of each kernel", most, most == 1 ? "" : "s");
	return xasprintf("%u to %u boots of each kernel", least, most);
}

static char *reason_make(const struct sampler *s, const struct verdict *v)
{
	auto_free char *boots = boots_words(s->state), *more = xstrdup("");

	if (v->more) {
		free(more);
		more = xasprintf("; and %u more", v->more);
	}
	return xasprintf("%s%s (%s%s, in random order by seed %u)", v->reason, more, boots,
			 s->state->n_cells > 1 ? " and machine" : "", s->req->seed);
}

/* Why no more samples were taken; NULL: as many as were asked for. */
static char *stopped_words(const struct sampler *s)
{
	size_t cells[STOPS] = {0};
	auto_str struct str words;
	const struct {
		enum stop stop;
		const char *why;
	} row[] = {
		{STOP_BUDGET, "the time budget is used up"},
		{STOP_MOST, "as many samples as are allowed"},
		{STOP_BAD, "a kernel does not get through"},
		{STOP_NARROW, "every interval is narrow enough"},
	};

	for (size_t i = 0; i < s->state->n_cells; i++)
		cells[s->state->cell[i]->stop]++;
	str_init(&words, 0);
	for (size_t i = 0; i < array_size(row); i++) {
		if (!cells[row[i].stop])
			continue;
		str_addf(&words, "%s%s", words.len ? "; " : "", row[i].why);
		if (cells[row[i].stop] < s->state->n_cells)
			str_addf(&words, " (%zu of %zu machines)", cells[row[i].stop],
				 s->state->n_cells);
	}
	return words.len ? str_take(&words) : NULL;
}

void sampler_judge(struct sampler *s, struct bench_result *ret)
{
	struct sampler_state *state = s->state;
	struct verdict v = {0};
	size_t first = ret->n_metrics;

	cells_judge(state, ret, &v);
	profile_take(state, ret);
	metrics_judge(s, ret);
	numbers_judge(ret->metric + first, ret->n_metrics - first, &v);
	facts_tell(ret->fact, ret->n_facts, &v);
	if (!state->n_cells)
		verdict_say(&v, OUTCOME_SKIP, xstrdup("nothing was to be measured"));
	else if (!v.reason)
		verdict_say(&v, OUTCOME_PASS,
			    unchanged_words(ret->n_metrics - first, ret->n_facts));
	ret->outcome = v.outcome;
	ret->mode = s->req->mode;
	ret->reason = reason_make(s, &v);
	free(v.reason);
	ret->stopped = stopped_words(s);
	ret->boots = state->boots;
	ret->seconds = clock_mono() - state->started;
}
