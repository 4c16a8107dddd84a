// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/bench.h"

#include "base/str.h"

const struct bench *const benches[] = {
	&bench_hot_add,
	NULL,
};

const struct bench *bench_find(const char *name)
{
	for (size_t i = 0; benches[i]; i++)
		if (strcmp(benches[i]->name, name) == 0)
			return benches[i];
	return NULL;
}

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

static const struct {
	enum testbed_cap cap;
	const char *words;
} cap_words[] = {
	{TESTBED_BOOT, "boot a kernel"},
	{TESTBED_COUNT, "count instructions"},
	{TESTBED_MEMORY_HOTPLUG, "add memory"},
	{TESTBED_NUMA, "make NUMA nodes"},
	{TESTBED_MEMORY_UNPLUG, "take memory away"},
	{TESTBED_CPU_HOTPLUG, "add CPUs"},
	{TESTBED_XICS, "have an XICS interrupt controller"},
	{TESTBED_NET, "have network cards"},
	{TESTBED_PROFILE, "count instructions by function"},
};

int bench_run(const struct bench *b, const struct bench_request *req, struct bench_result *ret,
	      struct err *err)
{
	unsigned lacks = b->needs & ~req->testbed->caps;

	for (size_t i = 0; i < array_size(cap_words); i++) {
		if (!(lacks & cap_words[i].cap))
			continue;
		ret->outcome = OUTCOME_SKIP;
		ret->reason = xasprintf("the testbed %s cannot %s", req->testbed->name,
					cap_words[i].words);
		ret->caveat = xstrdup("");
		return 0;
	}
	return b->run(req, ret, err);
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
	*r = (struct bench_result){0};
}
