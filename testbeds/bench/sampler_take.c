// SPDX-License-Identifier: GPL-2.0-or-later
/* What one boot says. */
#include "testbeds/bench/sampler_state.h"

#include "testbeds/console.h"
#include <math.h>

/* A copy of at most `max` bytes; NULL stays NULL. */
static char *words_copy(const char *s, size_t max)
{
	return s ? xmemdup(s, strnlen(s, max)) : NULL;
}

static struct bench_side *metric_side(struct bench_metric *m, enum side side)
{
	return side == SIDE_BASE ? &m->base : &m->patched;
}

static void number_describe(struct number_row *n, const struct sample_row *row,
			    const struct cell *cell)
{
	n->cell = cell;
	n->resolution = row->resolution;
	n->floor = row->floor;
	n->metric = (struct bench_metric){
		.name = words_copy(n->name, WORDS_MAX),
		.title = words_copy(row->title ? row->title : n->name, WORDS_MAX),
		.unit = words_copy(row->unit ? row->unit : "", WORDS_MAX),
		.lower_is_better = !row->higher_is_better,
		.judged = !row->shown_only,
		.group = words_copy(row->group, WORDS_MAX),
		.x = row->x,
		.x_title = words_copy(row->group ? row->x_title : NULL, WORDS_MAX),
	};
}

void sample_number(struct sample *s, const struct sample_row *row, double value)
{
	auto_free char *name = words_copy(row->name, WORDS_MAX);
	struct bench_side *side;
	struct number_row *n;

	if (!isfinite(value) || fabs(value) > NUMBER_MAX) {
		s->cell->side[s->side].numbers_lost++;
		return;
	}
	n = rows_get(&s->state->numbers, name, sizeof(*n));
	if (!n || n->last_boot == s->boot)
		return;
	if (!n->cell)
		number_describe(n, row, s->cell);
	n->last_boot = s->boot;
	side = metric_side(&n->metric, s->side);
	arr_grow(side->sample, side->n, n->cap[s->side]);
	side->sample[side->n++] = value;
}

static void fact_side_say(struct fact_side *side, char *text)
{
	size_t i = 0;

	while (i < side->n && strcmp(side->variant[i].text, text) != 0)
		i++;
	if (i == VARIANTS_MAX) {
		free(text);
		return;
	}
	if (i < side->n) {
		free(text);
	} else {
		side->variant[i].text = text;
		side->n++;
	}
	side->variant[i].boots++;
}

void sample_text(struct sample *s, const struct sample_fact *fact, const char *text)
{
	auto_free char *name = words_copy(fact->name, WORDS_MAX),
		       *said = words_copy(text, TEXT_MAX);
	struct fact_row *f = rows_get(&s->state->facts, name, sizeof(*f));
	struct fact_side *side;

	if (!f || !said || f->side[s->side].last_boot == s->boot)
		return;
	if (!f->cell) {
		f->cell = s->cell;
		f->title = words_copy(fact->title ? fact->title : name, WORDS_MAX);
		f->group = words_copy(fact->group ? fact->group : "", WORDS_MAX);
		f->expected = words_copy(fact->expected, TEXT_MAX);
	}
	side = &f->side[s->side];
	side->last_boot = s->boot;
	side->boots++;
	side->right += f->expected && strcmp(said, f->expected) == 0;
	fact_side_say(side, take(said));
}

static void take_complaint(const struct sample *s, const struct complaint *c)
{
	struct complaint_row *row = rows_get(&s->cell->complaints, c->key, sizeof(*row));

	if (!row)
		return;
	if (!row->title) {
		row->title = xstrdup(c->title);
		for (size_t i = 0; i < c->n_lines; i++)
			lines_add(&row->lines, c->line[i], strlen(c->line[i]), SHOWN_LINES);
	}
	row->boots[s->side]++;
}

static void test_note(struct test_row *row, const char *note, enum side side)
{
	if (row->note && (side == SIDE_BASE || row->note_is_patched))
		return;
	free(row->note);
	row->note = xstrdup(note);
	row->note_is_patched = side == SIDE_PATCHED;
}

/* Counts boots: a name that comes again in the same boot can only make it a failure. */
static void take_test(const struct sample *s, const struct ktap_test *t)
{
	bool failed = t->outcome == OUTCOME_FAIL;
	struct test_row *row;

	if (!failed && t->outcome != OUTCOME_PASS)
		return;
	row = rows_get(&s->cell->tests, t->name, sizeof(*row));
	if (!row)
		return;
	if (row->last_boot == s->boot) {
		if (row->last_failed || !failed)
			return;
		row->passed[s->side]--;
	}
	row->last_boot = s->boot;
	row->last_failed = failed;
	if (failed) {
		row->failed[s->side]++;
		test_note(row, t->note, s->side);
	} else {
		row->passed[s->side]++;
	}
}

/* The last lines of a console. */
static void lines_add_tail(struct lines *l, const struct str *text)
{
	const char *p = text->buf + text->len;
	unsigned lines = 0;

	while (p > text->buf && lines <= SHOWN_LINES)
		lines += *--p == '\n';
	for (size_t n; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		if (n)
			lines_add(l, p, n, SHOWN_LINES);
	}
}

/* What the kernel complained of, a panic before all else; else where its console ended. */
static void lines_add_boot(struct lines *l, const struct boot_result *boot)
{
	const struct complaint *c = boot->n_complaints ? &boot->complaint[0] : NULL;

	for (size_t i = 0; i < boot->n_complaints; i++)
		if (boot->complaint[i].kind == COMPLAINT_PANIC)
			c = &boot->complaint[i];
	if (!c) {
		lines_add_tail(l, &boot->console);
		return;
	}
	for (size_t i = 0; i < c->n_lines; i++)
		lines_add(l, c->line[i], strlen(c->line[i]), SHOWN_LINES);
}

#define TRIES 2

static void take_bad_boot(struct cell_side *side, const struct boot_result *boot)
{
	side->bad = ++side->failed >= TRIES;
	side->silent = boot->end == BOOT_SILENT;
	free(side->reason);
	side->reason = xstrdup(boot->reason);
	lines_done(&side->lines);
	lines_add_boot(&side->lines, boot);
}

void sample_take(struct sample *s, const struct sampler_cell *cell, const struct boot_result *boot)
{
	struct cell_side *side = &s->cell->side[s->side];

	for (size_t i = 0; i < boot->n_complaints; i++)
		take_complaint(s, &boot->complaint[i]);
	if (boot->end != BOOT_DONE) {
		take_bad_boot(side, boot);
		return;
	}
	side->good++;
	for (size_t i = 0; i < boot->n_tests; i++)
		take_test(s, &boot->test[i]);
	if (cell->read)
		cell->read(boot, s, cell->ctx);
}

bool sample_line(const struct boot_result *boot, const char **pos, const char *prefix,
		 const char **ret, size_t *ret_n)
{
	const char *end = boot->console.buf + boot->console.len;
	size_t n_prefix = strlen(prefix);

	while (*pos && *pos < end) {
		const char *line = *pos, *stop = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((stop ? stop : end) - line);

		*pos = stop ? stop + 1 : end;
		if (n < n_prefix || memcmp(line, prefix, n_prefix) != 0)
			continue;
		if (line[n - 1] == '\r')
			n--;
		/* A kernel line came in the middle of it: what follows is not the guest's. */
		if (n < n_prefix || console_prefix_find(line, n) < n)
			continue;
		*ret = line + n_prefix;
		*ret_n = n - n_prefix;
		return true;
	}
	return false;
}
