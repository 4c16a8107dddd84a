// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/bench.h"

#include "base/str.h"

const struct bench *const benches[] = {
	&bench_hot_add,
	NULL,
};

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

static void metric_done(struct bench_metric *m)
{
	free(m->name);
	free(m->title);
	free(m->base.sample);
	free(m->patched.sample);
	free(m->why);
}

void bench_result_done(struct bench_result *r)
{
	for (size_t i = 0; i < r->n_metrics; i++)
		metric_done(&r->metric[i]);
	for (size_t i = 0; i < r->n_evidence; i++)
		free(r->evidence[i]);
	free(r->metric);
	free(r->evidence);
	free(r->reason);
	free(r->caveat);
	*r = (struct bench_result){0};
}
