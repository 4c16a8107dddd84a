// SPDX-License-Identifier: GPL-2.0-or-later
/* Boots that ended badly, tests, facts and complaints: what two boots of each kernel agree on. */
#include "testbeds/bench/sampler_state.h"

#define CERTAIN 2

/* Reasons of the same outcome that are shown. */
#define REASONS_MAX 3

static void verdict_join(struct verdict *v, char *reason)
{
	auto_free char *old = v->reason, *new = reason;

	v->reason = xasprintf("%s; %s", old, new);
	v->shown++;
}

void verdict_say(struct verdict *v, enum outcome o, char *reason)
{
	if (v->reason && o == v->outcome && v->shown < REASONS_MAX) {
		verdict_join(v, reason);
		return;
	}
	if (v->reason && outcome_worse(o, v->outcome) == v->outcome) {
		v->more += o == v->outcome;
		free(reason);
		return;
	}
	free(v->reason);
	*v = (struct verdict){.outcome = o, .reason = reason, .shown = 1};
}

void result_add_evidence(struct bench_result *r, const char *fmt, ...)
{
	auto_str struct str line;
	va_list ap;

	str_init(&line, 4096);
	if (r->n_evidence >= EVIDENCE_MAX)
		return;
	va_start(ap, fmt);
	str_vaddf(&line, fmt, ap);
	va_end(ap);
	r->evidence = xreallocarray(r->evidence, r->n_evidence + 1, sizeof(*r->evidence));
	r->evidence[r->n_evidence++] = str_take(&line);
}

static void evidence_add_lines(struct bench_result *r, const struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		result_add_evidence(r, "%s", l->line[i]);
}

/* How often a side went wrong, out of how many boots that could tell. */
struct count {
	unsigned wrong, of;
};

static bool never(struct count c)
{
	return c.wrong == 0 && c.of >= CERTAIN;
}

/* Twice, and no rarity: one boot in ten may go wrong on the base as well, unseen. */
static bool mostly(struct count c)
{
	return c.wrong >= CERTAIN && 2 * c.wrong >= c.of;
}

static enum outcome bad_outcome(const struct cell *c)
{
	const struct cell_side *base = &c->side[SIDE_BASE], *patched = &c->side[SIDE_PATCHED];

	/* A machine that says nothing at all may not have started the kernel. */
	return base->failed == 0 && base->good >= CERTAIN && !patched->silent ? OUTCOME_FAIL
									      : OUTCOME_ERROR;
}

static void judge_bad(const struct cell *c, struct bench_result *ret, struct verdict *v)
{
	const struct cell_side *base = &c->side[SIDE_BASE], *patched = &c->side[SIDE_PATCHED];

	ret->base_bad |= base->bad;
	ret->patched_bad |= patched->bad;
	if (base->bad) {
		verdict_say(v, OUTCOME_ERROR,
			    xasprintf("%s: the base kernel ends badly%s: %s", c->title,
				      patched->bad    ? " too"
				      : patched->good ? ", and the patched one does not"
						      : "",
				      base->reason));
		evidence_add_lines(ret, &base->lines);
		return;
	}
	if (patched->silent)
		verdict_say(v, OUTCOME_ERROR,
			    xasprintf("%s: not one line from the patched kernel in %u boots, so it "
				      "cannot be told whether it started: %s",
				      c->title, patched->failed, patched->reason));
	else
		verdict_say(v, bad_outcome(c),
			    xasprintf("%s: the base kernel gets through%s, the patched one does "
				      "not: %s",
				      c->title, base->failed ? " at the second try" : "",
				      patched->reason));
	evidence_add_lines(ret, &patched->lines);
}

/* One bad boot that was made good by the next. */
static void judge_unsteady(const struct cell *c, struct bench_result *ret, struct verdict *v)
{
	const struct cell_side *base = &c->side[SIDE_BASE], *patched = &c->side[SIDE_PATCHED];

	for (enum side i = 0; i < SIDES; i++) {
		if (!c->side[i].failed)
			continue;
		result_add_evidence(ret, "%s, %s: one boot ended badly and was tried again: %s",
				    c->title, side_name(i), c->side[i].reason);
		evidence_add_lines(ret, &c->side[i].lines);
	}
	if (patched->failed && !base->failed)
		verdict_say(v, OUTCOME_WARN,
			    xasprintf("%s: 1 of %u boots of the patched kernel ended badly: %s",
				      c->title, patched->failed + patched->good, patched->reason));
}

static void judge_ends(const struct cell *c, struct bench_result *ret, struct verdict *v)
{
	if (c->side[SIDE_BASE].bad || c->side[SIDE_PATCHED].bad)
		judge_bad(c, ret, v);
	else
		judge_unsteady(c, ret, v);
}

/* ": why", or nothing. */
static char *note_words(const struct test_row *t)
{
	return t->note && *t->note ? xasprintf(": %s", t->note) : xstrdup("");
}

static void judge_test_failed(const struct cell *c, const struct test_row *t, struct verdict *v)
{
	struct count base = {t->failed[SIDE_BASE], t->failed[SIDE_BASE] + t->passed[SIDE_BASE]};
	struct count patched = {t->failed[SIDE_PATCHED],
				t->failed[SIDE_PATCHED] + t->passed[SIDE_PATCHED]};
	auto_free char *note = note_words(t);

	if (mostly(patched) && never(base))
		verdict_say(
			v, OUTCOME_FAIL,
			xasprintf("%s: %s%s; passes on the base kernel", c->title, t->name, note));
	else if (base.wrong && base.wrong == base.of)
		verdict_say(v, OUTCOME_ERROR,
			    xasprintf("%s: %s fails on the base kernel already%s, so this series "
				      "cannot be judged",
				      c->title, t->name, note));
	else
		verdict_say(v, OUTCOME_WARN,
			    xasprintf("%s: %s fails in %u of %u boots of the patched kernel and in "
				      "%u of %u of the base%s",
				      c->title, t->name, patched.wrong, patched.of, base.wrong,
				      base.of, note));
}

static void judge_test(const struct cell *c, const struct test_row *t, struct bench_result *ret,
		       struct verdict *v)
{
	bool patched = t->failed[SIDE_PATCHED] > 0;

	if (!patched && !t->failed[SIDE_BASE])
		return;
	result_add_evidence(ret, "%s: %s: not ok %s # %s", c->title,
			    side_name(patched ? SIDE_PATCHED : SIDE_BASE), t->name,
			    t->note ? t->note : "");
	if (patched)
		judge_test_failed(c, t, v);
	else if (t->passed[SIDE_PATCHED])
		verdict_say(v, OUTCOME_PASS,
			    xasprintf("%s: %s fails in %u of %u boots of the base kernel and "
				      "passes on the patched one",
				      c->title, t->name, t->failed[SIDE_BASE],
				      t->failed[SIDE_BASE] + t->passed[SIDE_BASE]));
}

static bool complaint_is_new(const struct cell *c, const struct complaint_row *row)
{
	return row->boots[SIDE_PATCHED] && !row->boots[SIDE_BASE] && c->side[SIDE_BASE].good >= 1;
}

static void judge_complaint(const struct cell *c, const struct complaint_row *row,
			    struct bench_result *ret, struct verdict *v)
{
	const struct cell_side *base = &c->side[SIDE_BASE], *patched = &c->side[SIDE_PATCHED];
	struct count times = {row->boots[SIDE_PATCHED], patched->good + patched->failed};

	if (!complaint_is_new(c, row))
		return;
	verdict_say(v, mostly(times) && base->good >= CERTAIN ? OUTCOME_FAIL : OUTCOME_WARN,
		    xasprintf("%s: new complaint of the patched kernel in %u of %u boots: %s",
			      c->title, times.wrong, times.of, row->title));
	result_add_evidence(ret, "%s, patched:", c->title);
	evidence_add_lines(ret, &row->lines);
}

static struct count fact_count(const struct fact_row *f, enum side side)
{
	return (struct count){f->side[side].boots - f->side[side].right, f->side[side].boots};
}

static const char *fact_text(const struct fact_row *f, enum side side)
{
	const struct fact_side *s = &f->side[side];
	size_t best = 0;

	for (size_t i = 1; i < s->n; i++)
		if (s->variant[i].boots > s->variant[best].boots)
			best = i;
	return s->n ? s->variant[best].text : NULL;
}

/* A text that fits on a line of words. */
static char *fact_words(const char *text)
{
	size_t n = strcspn(text, "\n");

	return n > 80 || text[n] ? xasprintf("\"%.*s...\"", (int)(n > 80 ? 80 : n), text)
				 : xasprintf("\"%s\"", text);
}

/* The base says what it must. */
static void judge_fact_wrong(const struct fact_row *f, struct verdict *v)
{
	struct count base = fact_count(f, SIDE_BASE), patched = fact_count(f, SIDE_PATCHED);
	auto_free char *must = fact_words(f->expected),
		       *is = fact_words(patched.of ? fact_text(f, SIDE_PATCHED) : "");

	if (mostly(patched) && never(base))
		verdict_say(v, OUTCOME_FAIL,
			    xasprintf("%s%s%s is %s and must be %s, as on the base kernel",
				      f->group, *f->group ? ": " : "", f->title, is, must));
	else
		verdict_say(v, OUTCOME_WARN,
			    xasprintf("%s%s%s must be %s and is not in %u of %u boots of the "
				      "patched kernel, %u of %u of the base",
				      f->group, *f->group ? ": " : "", f->title, must,
				      patched.wrong, patched.of, base.wrong, base.of));
}

static void fact_add_evidence(const struct fact_row *f, struct bench_result *ret)
{
	const struct fact_side *patched = &f->side[SIDE_PATCHED];

	for (size_t i = 0; i < patched->n; i++)
		if (strcmp(patched->variant[i].text, f->expected) != 0)
			result_add_evidence(ret, "%s: %s: patched: %s", f->cell->title, f->title,
					    patched->variant[i].text);
	result_add_evidence(ret, "%s: %s: must be: %s", f->cell->title, f->title, f->expected);
}

static void judge_fact(const struct fact_row *f, struct bench_result *ret, struct verdict *v)
{
	const struct cell *c = f->cell;
	struct count base = fact_count(f, SIDE_BASE), patched = fact_count(f, SIDE_PATCHED);

	if (!f->expected || (base.of && base.wrong == base.of))
		return; /* nothing is known, or it is wrong on the base already: shown only */
	if (base.of && !patched.of && c->side[SIDE_PATCHED].good)
		verdict_say(v, OUTCOME_WARN,
			    xasprintf("%s%s%s: the patched kernel does not say", f->group,
				      *f->group ? ": " : "", f->title));
	if (!patched.wrong)
		return;
	judge_fact_wrong(f, v);
	fact_add_evidence(f, ret);
}

static void fact_add(const struct fact_row *f, struct bench_result *ret)
{
	const char *base = fact_text(f, SIDE_BASE), *patched = fact_text(f, SIDE_PATCHED);

	ret->fact = xreallocarray(ret->fact, ret->n_facts + 1, sizeof(*ret->fact));
	ret->fact[ret->n_facts++] = (struct bench_fact){
		.name = xstrdup(f->name),
		.title = xstrdup(f->title),
		.group = xstrdup(f->group),
		.base = base ? xstrdup(base) : NULL,
		.patched = patched ? xstrdup(patched) : NULL,
		.expected = f->expected ? xstrdup(f->expected) : NULL,
		.steady = f->side[SIDE_BASE].n <= 1 && f->side[SIDE_PATCHED].n <= 1,
	};
}

static void evidence_add_lost(const struct cell *c, struct bench_result *ret)
{
	for (enum side i = 0; i < SIDES; i++)
		if (c->side[i].numbers_lost)
			result_add_evidence(ret,
					    "%s, %s: %u numbers were not finite or absurdly large "
					    "and are left out",
					    c->title, side_name(i), c->side[i].numbers_lost);
	if (c->tests.dropped || c->complaints.dropped)
		result_add_evidence(ret, "%s: more tests or complaints than are kept (%lu, %lu)",
				    c->title, c->tests.dropped, c->complaints.dropped);
}

void cells_judge(const struct sampler_state *state, struct bench_result *ret, struct verdict *v)
{
	for (size_t i = 0; i < state->n_cells; i++) {
		const struct cell *c = state->cell[i];

		judge_ends(c, ret, v);
		for (size_t k = 0; k < c->tests.n; k++)
			judge_test(c, c->tests.row[k], ret, v);
		for (size_t k = 0; k < c->complaints.n; k++)
			judge_complaint(c, c->complaints.row[k], ret, v);
		evidence_add_lost(c, ret);
	}
	for (size_t i = 0; i < state->facts.n; i++) {
		judge_fact(state->facts.row[i], ret, v);
		fact_add(state->facts.row[i], ret);
	}
	if (state->numbers.dropped || state->facts.dropped)
		result_add_evidence(ret,
				    "more numbers or facts than are kept: %lu samples over %d "
				    "numbers, %lu texts over %d facts were left out",
				    state->numbers.dropped, METRICS_MAX, state->facts.dropped,
				    FACTS_MAX);
}

bool cell_needs_boots(const struct sampler_state *state, const struct cell *c)
{
	for (size_t i = 0; i < c->tests.n; i++) {
		const struct test_row *t = c->tests.row[i];

		if (t->failed[SIDE_PATCHED] && !t->failed[SIDE_BASE])
			return true;
	}
	for (size_t i = 0; i < c->complaints.n; i++)
		if (complaint_is_new(c, c->complaints.row[i]))
			return true;
	for (size_t i = 0; i < state->facts.n; i++) {
		const struct fact_row *f = state->facts.row[i];

		if (f->cell == c && f->expected && fact_count(f, SIDE_PATCHED).wrong &&
		    !fact_count(f, SIDE_BASE).wrong)
			return true;
	}
	return false;
}
