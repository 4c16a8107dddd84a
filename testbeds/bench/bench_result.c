// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/bench.h"

#include "base/str.h"

const char *bench_word_name(enum bench_word w)
{
	switch (w) {
	case BENCH_UNCHANGED: return "unchanged";
	case BENCH_FASTER: return "faster";
	case BENCH_SLOWER: return "slower";
	case BENCH_UNDECIDED: break;
	}
	return "undecided";
}

static void strings_free(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

static void metric_done(struct bench_metric *m)
{
	free(m->name);
	free(m->title);
	free(m->unit);
	free(m->group);
	free(m->x_title);
	free(m->base.sample);
	free(m->patched.sample);
	free(m->why);
}

static void fact_done(struct bench_fact *f)
{
	free(f->name);
	free(f->title);
	free(f->group);
	free(f->base);
	free(f->patched);
	free(f->expected);
}

static void fit_done(struct bench_fit *f)
{
	free(f->group);
	free(f->title);
	free(f->base.words);
	free(f->patched.words);
}

static void table_done(struct bench_table *t)
{
	free(t->title);
	free(t->note);
	strings_free(t->head, t->columns);
	strings_free(t->cell, t->rows * t->columns);
}

/* Frees a list and what each of its items has. */
#define LIST_DONE(list, n, done)                                                                   \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < (n); i_++)                                                \
			done(&(list)[i_]);                                                         \
		free(list);                                                                        \
	} while (0)

static void function_done(struct bench_function *f)
{
	free(f->name);
}

void bench_result_done(struct bench_result *r)
{
	LIST_DONE(r->metric, r->n_metrics, metric_done);
	LIST_DONE(r->fact, r->n_facts, fact_done);
	LIST_DONE(r->fit, r->n_fits, fit_done);
	LIST_DONE(r->table, r->n_tables, table_done);
	LIST_DONE(r->function, r->n_functions, function_done);
	strings_free(r->evidence, r->n_evidence);
	free(r->reason);
	free(r->caveat);
	free(r->stopped);
	free(r->profiled);
	*r = (struct bench_result){0};
}

struct bench_table *bench_result_add_table(struct bench_result *r, const char *title,
					   const char *const *heads, size_t columns)
{
	struct bench_table *t;

	r->table = xreallocarray(r->table, r->n_tables + 1, sizeof(*r->table));
	t = &r->table[r->n_tables++];
	*t = (struct bench_table){.title = xstrdup(title),
				  .columns = columns,
				  .head = xcalloc(columns, sizeof(*t->head))};
	for (size_t i = 0; i < columns; i++)
		t->head[i] = xstrdup(heads[i]);
	return t;
}

void bench_table_add(struct bench_table *t, const char *fmt, ...)
{
	auto_str struct str text;
	va_list ap;

	str_init(&text, 0);
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	if (t->filled == t->rows * t->columns) {
		t->rows++;
		t->cell = xreallocarray(t->cell, t->rows * t->columns, sizeof(*t->cell));
		for (size_t i = t->filled; i < t->rows * t->columns; i++)
			t->cell[i] = xstrdup("");
	}
	free(t->cell[t->filled]);
	t->cell[t->filled++] = str_take(&text);
}

const struct bench_metric *bench_result_metric(const struct bench_result *r, const char *name)
{
	for (size_t i = 0; i < r->n_metrics; i++)
		if (strcmp(r->metric[i].name, name) == 0)
			return &r->metric[i];
	return NULL;
}
