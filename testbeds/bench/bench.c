// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/bench.h"

#include "base/str.h"

const struct bench *const benches[] = {
	&bench_hot_add, &bench_ipi, &bench_node_offline, &bench_cpu_hotplug, &bench_memory_online,
	&bench_http,	NULL,
};

const struct bench *bench_find(const char *name)
{
	for (size_t i = 0; benches[i]; i++)
		if (strcmp(benches[i]->name, name) == 0)
			return benches[i];
	return NULL;
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

char *bench_needs(const struct bench *b)
{
	struct str s;

	str_init(&s, 0);
	for (size_t i = 0; i < array_size(cap_words); i++)
		if (b->needs & cap_words[i].cap)
			str_addf(&s, "%s%s", s.len ? ", " : "", cap_words[i].words);
	return str_take(&s);
}

const char *bench_lacks(const struct bench *b, const struct testbed *testbed)
{
	unsigned lacks = b->needs & ~testbed->caps;

	for (size_t i = 0; i < array_size(cap_words); i++)
		if (lacks & cap_words[i].cap)
			return cap_words[i].words;
	return NULL;
}

int bench_run(const struct bench *b, const struct bench_request *req, struct bench_result *ret,
	      struct err *err)
{
	const char *lacks = bench_lacks(b, req->testbed);

	if (!lacks)
		return b->run(req, ret, err);
	ret->outcome = OUTCOME_SKIP;
	ret->mode = req->mode;
	ret->reason = xasprintf("the testbed %s cannot %s", req->testbed->name, lacks);
	ret->caveat = xstrdup("");
	return 0;
}
