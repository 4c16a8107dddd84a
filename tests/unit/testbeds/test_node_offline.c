// SPDX-License-Identifier: GPL-2.0-or-later
/* node-offline on recorded consoles: a kernel that leaves node 0 online against one that does not,
 * both ways round; and on consoles that nobody recorded. */
#include "tests/unit/testbeds/sampler_play.h"

#include "testbeds/bench/node_offline.h"

#define RECORDING FIXTURES "/testbeds/node-offline"

static void run_recorded(const char *base, const char *patched)
{
	struct err err = ERR_INIT;

	request.testbed = &testbed_replay;
	request.testbed_arg = RECORDING;
	request.samples = 2;
	request.base.vmlinux = base;
	request.patched.vmlinux = patched;
	assert_ok(bench_run(&bench_node_offline, &request, &result, &err), &err);
}

static const struct bench_fact *fact(const char *name)
{
	for (size_t i = 0; i < result.n_facts; i++)
		if (strcmp(result.fact[i].name, name) == 0)
			return &result.fact[i];
	fail_msg("no fact %s", name);
	return NULL;
}

static bool says(const char *text, const char *expected)
{
	return text && strcmp(text, expected) == 0;
}

/* Whether one side has an expected fact right and the other has it wrong. */
static bool is_wrong(const struct bench_fact *f, bool on_patched)
{
	return f->expected && says(on_patched ? f->base : f->patched, f->expected) &&
	       !says(on_patched ? f->patched : f->base, f->expected);
}

static size_t facts_wrong(bool on_patched)
{
	size_t n = 0;

	for (size_t i = 0; i < result.n_facts; i++)
		n += is_wrong(&result.fact[i], on_patched);
	return n;
}

static const char *const node0_online[] = {
	"node-offline/empty-node0/available",	   "node-offline/empty-node0/online",
	"node-offline/empty-node0/agrees",	   "node-offline/all-in-node1/available",
	"node-offline/all-in-node1/online",	   "node-offline/all-in-node1/numa_balancing",
	"node-offline/all-in-node1/agrees",	   "node-offline/all-in-node1/numa01/faults",
	"node-offline/all-in-node1/numa02/faults",
};

/* These facts, and no other. */
static void assert_node0_online(bool on_patched)
{
	assert_int_equal(facts_wrong(on_patched), array_size(node0_online));
	assert_int_equal(facts_wrong(!on_patched), 0);
	for (size_t i = 0; i < array_size(node0_online); i++)
		if (!is_wrong(fact(node0_online[i]), on_patched))
			fail_msg("%s is not wrong", node0_online[i]);
}

static void node0_left_online(void **state)
{
	(void)state;
	run_recorded("/k/base/vmlinux", "/k/patched/vmlinux");
	assert_result(OUTCOME_FAIL, "must be \"");
	assert_node0_online(true);
	assert_string_equal(fact("node-offline/empty-node0/online")->patched, "0-2");
	assert_string_equal(fact("node-offline/empty-node0/online")->group,
			    "empty node 0, nodes 1 and 2");
	assert_string_equal(fact("node-offline/all-in-node1/agrees")->patched,
			    "no: online 0-1, device tree 1");
}

static void node0_mended(void **state)
{
	(void)state;
	run_recorded("/k/patched/vmlinux", "/k/base/vmlinux");
	assert_int_equal(result.outcome, OUTCOME_PASS);
	assert_node0_online(false);
	assert_int_equal(
		bench_result_metric(&result, "node-offline/all-in-node1/numa01/numa_hint_faults")
			->word,
		BENCH_FASTER);
}

static void the_same_kernel(void **state)
{
	(void)state;
	run_recorded("/k/base/vmlinux", "/k/base/vmlinux");
	assert_result(OUTCOME_PASS, "unchanged: ");
	assert_int_equal(facts_wrong(false) + facts_wrong(true), 0);
	for (size_t i = 0; i < result.n_facts; i++)
		if (result.fact[i].expected && !says(result.fact[i].base, result.fact[i].expected))
			fail_msg("%s: \"%s\" is not \"%s\"", result.fact[i].name,
				 result.fact[i].base ? result.fact[i].base : "",
				 result.fact[i].expected);
}

/* What must hold follows from the machine alone. */
static void what_must_hold(void **state)
{
	static const struct {
		const char *name, *expected;
	} row[] = {
		{"empty-node0/online", "1-2"},	      {"empty-node0/available", "2 nodes (1-2)"},
		{"empty-node0/numa_balancing", "1"},  {"empty-node0/1/cpus", "0 1"},
		{"empty-node0/2/cpus", "2 3"},	      {"empty-node0/2/memory", "512 MB"},
		{"all-in-node1/online", "1"},	      {"all-in-node1/has_memory", "1"},
		{"all-in-node1/numa_balancing", "0"}, {"all-in-node1/1/cpus", "0 1 2 3"},
		{"all-in-node1/1/memory", "1024 MB"}, {"all-in-node1/numa02/faults", "none"},
		{"memory-only/online", "0-1"},	      {"memory-only/has_cpu", "0"},
		{"memory-only/has_memory", "0-1"},    {"memory-only/1/cpus", ""},
		{"cpu-only/has_cpu", "0-1"},	      {"cpu-only/has_normal_memory", "0"},
		{"cpu-only/1/memory", "0 MB"},	      {"cpu-only-node0/has_memory", "1"},
		{"cpu-only-node0/tree_memory", "1"},  {"two-nodes/tree_cpus", "0-1"},
		{"two-nodes/agrees", "yes"},
	};

	(void)state;
	run_recorded("/k/base/vmlinux", "/k/base/vmlinux");
	for (size_t i = 0; i < array_size(row); i++) {
		auto_free char *name = xasprintf("node-offline/%s", row[i].name);

		assert_string_equal(fact(name)->expected, row[i].expected);
	}
	assert_null(fact("node-offline/empty-node0/possible")->expected);
	assert_null(fact("node-offline/empty-node0/1/distances")->expected);
	assert_string_equal(fact("node-offline/empty-node0/1/distances")->base, "10 20");
}

static const struct bench_table *table(const char *title)
{
	for (size_t i = 0; i < result.n_tables; i++)
		if (strcmp(result.table[i].title, title) == 0)
			return &result.table[i];
	fail_msg("no table %s", title);
	return NULL;
}

static void assert_row(const struct bench_table *t, size_t row, const char *expected)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (size_t i = 0; i < t->columns; i++)
		str_addf(&s, "%s%s", i ? "|" : "", t->cell[row * t->columns + i]);
	assert_string_equal(s.buf, expected);
}

static void tables(void **state)
{
	const struct bench_table *t;

	(void)state;
	run_recorded("/k/base/vmlinux", "/k/patched/vmlinux");
	assert_int_equal(result.n_tables, 8);
	t = table("empty node 0, all in node 1: times without the series, seconds");
	assert_int_equal(t->columns, 6);
	assert_int_equal(t->rows, 6);
	assert_row(t, 0, "numa01|Real:|2.5330|2.5330|2.5330|0.0000");
	t = table("empty node 0, all in node 1: times with the series, seconds");
	assert_int_equal(t->columns, 7);
	assert_row(t, 0, "numa01|Real:|2.5407|2.5407|2.5407|0.0000|+0.306%");
	t = table("empty node 0, all in node 1: numa01");
	assert_int_equal(t->rows, 9);
	assert_row(t, 0, "numa_hint_faults|0|715|-");
	assert_row(t, 7, "pgfault|1040|2138|+105.6%");
}

/* Only what was asked for is booted. */
static void only_one_machine(void **state)
{
	(void)state;
	request.only = "node-offline/all-in-node1/numa01/real";
	run_recorded("/k/base/vmlinux", "/k/base/vmlinux");
	assert_int_equal(result.boots, 4);
	assert_int_equal(result.n_tables, 4);
}

static void a_kernel_without_numa(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	request.samples = 2;
	play.base.says[0] = play.patched.says[0] =
		KERNEL "KTAP version 1\n1..1\nok 1 node-sysfs # SKIP the kernel has no NUMA\n" DONE;
	assert_ok(bench_node_offline.run(&request, &result, &err), &err);
	assert_int_equal(result.outcome, OUTCOME_PASS);
	assert_int_equal(result.n_facts, 0);
	assert_int_equal(result.n_tables, 0);
}

/* Numbers that are none, keys that nobody knows, a line without an end. */
static void hostile(void **state)
{
	auto_str struct str s;
	struct err err = ERR_INIT;
	const struct bench_metric *real;

	(void)state;
	str_init(&s, 0);
	str_adds(&s, KERNEL);
	for (int i = 0; i < 20000; i++)
		str_addf(&s, "firn: node x%d 1\nfirn: node\nfirn: node \n", i);
	str_adds(&s, "firn: node numa01/real 1e999\nfirn: node numa01/user nan\n"
		     "firn: node numa01/sys 12x\nfirn: node numa02/real 250 \r\n"
		     "firn: node numa01/pgfault \nfirn: node online    1-2  \n"
		     "firn: node possible ");
	for (int i = 0; i < 100000; i++)
		str_addc(&s, '9');
	str_adds(&s, "\n" DONE);
	request.samples = 2;
	request.only = "node-offline/empty-node0";
	play.base.says[0] = play.patched.says[0] = s.buf;
	assert_ok(bench_node_offline.run(&request, &result, &err), &err);
	assert_int_equal(result.n_metrics, 1);
	real = bench_result_metric(&result, "node-offline/empty-node0/numa02/real");
	assert_true(real && real->base.n == 2 && real->base.sample[0] == 250);
	assert_int_equal(result.n_facts, 2);
	assert_string_equal(fact("node-offline/empty-node0/online")->base, "1-2");
	assert_true(strlen(fact("node-offline/empty-node0/possible")->base) < 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAY(node0_left_online),     PLAY(node0_mended), PLAY(the_same_kernel),
		PLAY(what_must_hold),	     PLAY(tables),	 PLAY(only_one_machine),
		PLAY(a_kernel_without_numa), PLAY(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
