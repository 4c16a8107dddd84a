// SPDX-License-Identifier: GPL-2.0-or-later
/* The ipi bench: what it takes from consoles, honest, cut and absurd, and what it makes of it. */
#include "tests/unit/testbeds/consoles.h"
#include "tests/unit/testbeds/sampler_play.h"

#include "testbeds/bench/ipi.h"
#include <math.h>

static struct ipi_log ipi_log; /* large */

static void log_of(const char *text)
{
	struct boot_result r;

	console_says(text, &r);
	ipi_log_read(&r, &ipi_log);
	boot_result_done(&r);
}

static const struct ipi_run *run_of(enum ipi_kind kind, unsigned cpus)
{
	for (size_t i = 0; i < ipi_log.n_runs; i++)
		if (ipi_log.run[i].kind == kind && ipi_log.run[i].cpus == cpus)
			return &ipi_log.run[i];
	fail_msg("no %s among %u CPUs", ipi_kind_name[kind], cpus);
	return NULL;
}

static void assert_served(const char *want)
{
	auto_free char *served = ipi_log_served(&ipi_log);

	assert_string_equal(served, want);
}

static void a_real_console(void **state)
{
	auto_str struct str text;
	const struct ipi_run *r;

	(void)state;
	console_fixture("ipi", &text);
	log_of(text.buf);
	assert_int_equal(ipi_log.n_runs, 12);
	r = run_of(IPI_ONE_TO_MANY, 8);
	assert_int_equal(r->repeats, 7);
	assert_true(r->rate == 994e9 / 4654234);
	assert_true(r->cpu_rate[0] > 0 && r->cpu_rate[1] == 0);
	r = run_of(IPI_ONE_TO_MANY, 2);
	assert_true(r->rate == 1000e9 / 5348215); /* the fastest, not the last or the first */
	r = run_of(IPI_ALL_TO_ALL, 8);
	assert_int_equal(r->repeats, 1);
	assert_true(r->cpu_rate[0] == 875e9 / 19534014);
	assert_true(r->cpu_rate[7] == 875e9 / 19503373);
	assert_served("IPI-0: CPUs 0-3; IPI-1: CPUs 4-7");
	assert_int_equal(ipi_line_total(&ipi_log.line[1]), 4675 + 4645 + 4580 + 4554 - 7 - 3 * 4);
}

#define TWO "firn: ipi line before    CPU0 CPU1\n"

static void interrupt_lines(void **state)
{
	(void)state;
	log_of(TWO "firn: ipi line before  16: 5 7 XICS 2 Edge IPI\n"
		   "firn: ipi line before DBL: 0 0 Doorbell interrupts\n"
		   "firn: ipi line after  16: 6 7 XICS 2 Edge IPI\n"
		   "firn: ipi line after DBL: 0 3 Doorbell interrupts\n");
	assert_served("IPI: CPUs 0; DBL: CPUs 1");
	/* Never seen before: from 0. */
	log_of(TWO "firn: ipi line after  18: 1 2 XIVE-IPI 1 Edge IPI-1\n");
	assert_served("IPI-1: CPUs 0-1");
	/* Nothing came, or the second half was lost. */
	log_of(TWO "firn: ipi line before 16: 5 7 XICS 2 Edge IPI\n");
	assert_served("");
	log_of("");
	assert_served("");
}

static void bad_interrupt_lines(void **state)
{
	static const char *const bad[] = {
		"firn: ipi line after 16: 5 XICS 2 Edge IPI\n", /* a column is missing */
		"firn: ipi line after 16: 5 7\n",		/* it has no name */
		"firn: ipi line after 16: 5 7 XICS 2 Edge IPI;rm\n",
		"firn: ipi line after 16: 5 7 XICS 2 Edge IPI-012345678901234567890\n",
		"firn: ipi line after 16: 5 -7 XICS 2 Edge IPI\n",
		"firn: ipi line after 16: 5 99999999999999999999999 XICS 2 Edge IPI\n",
		"firn: ipi line after 16 5 7 XICS 2 Edge IPI\n",
		"firn: ipi line later 16: 5 7 XICS 2 Edge IPI\n",
		"firn: ipi line after\n",
		"firn: ipi line after \n",
		"firn: ipi line \n",
		/* It goes down. */
		("firn: ipi line before 16: 5 7 XICS 2 Edge IPI\n"
		 "firn: ipi line after 16: 4 7 XICS 2 Edge IPI\n"),
		"firn: ipi line before CPU0 CPU2\nfirn: ipi line after 16: 0 0 XICS 2 Edge IPI\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		auto_free char *text = xasprintf(TWO "%s", bad[i]);

		log_of(text);
		assert_served("");
	}
}

static void bad_runs(void **state)
{
	static const char *const bad[] = {
		"firn: ipi run one-to-many 8 sent 994 ns\n",
		"firn: ipi run one-to-many 8 sent 994 ns 0\n",
		"firn: ipi run one-to-many 8 sent 0 ns 7\n",
		"firn: ipi run one-to-many 8 sent nan ns 7\n",
		"firn: ipi run one-to-many 8 sent -1 ns 7\n",
		"firn: ipi run one-to-many 8 sent 1e3 ns 7\n",
		"firn: ipi run one-to-many 8 sent 140737488355328 ns 7\n",
		"firn: ipi run one-to-many 8 ns 7 sent 7\n",
		"firn: ipi run one-to-many 8 sent 7 ns 7 and more\n",
		"firn: ipi run one-to-many 1 sent 7 ns 7\n",
		"firn: ipi run one-to-many 65 sent 7 ns 7\n",
		"firn: ipi run one-to-none 8 sent 7 ns 7\n",
		"firn: ipi run\n",
		"firn: ipi cpu one-to-many 8 64 node 0 calls 1 sent 1 received 0 ns 1\n",
		"firn: ipi cpu one-to-many 8 0 node 0 calls 1 sent 1 received 0 ns\n",
		"ok firn: ipi run one-to-many 8 sent 7 ns 7\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		log_of(bad[i]);
		for (size_t k = 0; k < ipi_log.n_runs; k++)
			if (ipi_log.run[k].repeats || ipi_log.run[k].cpu_rate[0] != 0)
				fail_msg("taken: %s", bad[i]);
	}
}

/* As many as a guest likes to print. */
static void endless_logs(void **state)
{
	auto_str struct str s;

	(void)state;
	str_init(&s, (size_t)8 << 20);
	str_addf(&s, TWO);
	for (unsigned i = 0; i < 5000; i++)
		str_addf(&s,
			 "firn: ipi run one-to-many %u sent 7 ns 7\n"
			 "firn: ipi line after %u: 1 1 X IPI-%u\n",
			 2 + i % 90, i, i);
	for (unsigned i = 0; i < 100000; i++)
		str_addf(&s, "firn: ipi line before CPU0");
	log_of(s.buf);
	assert_int_equal(ipi_log.n_runs, 63); /* 2 to 64 CPUs */
	assert_int_equal(ipi_log.n_lines, IPI_LINES_MAX);
}

/* A guest with two CPUs, each IPI of which takes so many nanoseconds. */
static char *guest_says(unsigned ns, const char *after)
{
	auto_str struct str s;

	str_init(&s, 0);
	str_addf(&s, KERNEL TWO "%s", after);
	for (enum ipi_kind kind = 0; kind < IPI_KINDS; kind++)
		str_addf(&s, "firn: ipi run %s 2 sent 1000 ns %u\n", ipi_kind_name[kind],
			 (ns + kind) * 1000);
	str_addf(&s, DONE);
	return str_take(&s);
}

#define APART                                                                                      \
	"firn: ipi line after 16: 9 0 XIVE-IPI 0 Edge IPI-0\n"                                     \
	"firn: ipi line after 17: 0 9 XIVE-IPI 1 Edge IPI-1\n"
#define SHARED "firn: ipi line after 16: 9 9 XIVE-IPI 0 Edge IPI-0\n"

static void bench_play(const char *base, const char *patched, unsigned caps)
{
	static const unsigned sizes[] = {2, 3, 0};
	struct testbed testbed = play_testbed;
	struct err err = ERR_INIT;

	testbed.caps = caps;
	play.base = (struct play_side){.says = {base}};
	play.patched = (struct play_side){.says = {patched}};
	request.testbed = &testbed;
	request.sizes = sizes;
	assert_ok(bench_run(&bench_ipi, &request, &result, &err), &err);
	request.testbed = &play_testbed;
}

#define XIVE_ONLY (TESTBED_BOOT | TESTBED_COUNT | TESTBED_NUMA)

static void test_unchanged(void **state)
{
	auto_free char *says = guest_says(5000, APART);
	const struct bench_metric *m;

	(void)state;
	bench_play(says, says, XIVE_ONLY | TESTBED_XICS);
	assert_result(OUTCOME_PASS, "");
	assert_int_equal(result.boots, 2 * 10 * IPI_SETUPS);
	m = bench_result_metric(&result, "ipi/xics-noirqdebug/all-to-all/2");
	assert_non_null(m);
	assert_true(m->judged && !m->lower_is_better && m->x == 2);
	assert_true(m->base.sample[0] == 1e9 / (5000 + IPI_ALL_TO_ALL));
	assert_string_equal(m->group, "ipi/xics-noirqdebug/all-to-all");
	assert_int_equal(result.n_facts, IPI_SETUPS);
	assert_string_equal(result.fact[0].base, "IPI-0: CPUs 0; IPI-1: CPUs 1");
}

static void test_slower(void **state)
{
	auto_free char *base = guest_says(5000, APART), *patched = guest_says(5100, APART);

	(void)state;
	bench_play(base, patched, XIVE_ONLY | TESTBED_XICS);
	assert_result(OUTCOME_WARN, "slower");
	assert_int_equal(bench_result_metric(&result, "ipi/xive/one-to-many/2")->word,
			 BENCH_SLOWER);
}

/* No number shows it: the line does. */
static void test_shared_line(void **state)
{
	auto_free char *base = guest_says(5000, APART), *patched = guest_says(5000, SHARED);

	(void)state;
	bench_play(base, patched, XIVE_ONLY);
	assert_result(OUTCOME_WARN, "XIVE: more CPUs share an IPI line: IPI-0: CPUs 0-1, on the "
				    "base IPI-0: CPUs 0; IPI-1: CPUs 1");
	for (size_t i = 0; i < result.n_metrics; i++)
		if (result.metric[i].judged)
			assert_int_equal(result.metric[i].word, BENCH_UNCHANGED);
	play_reset();
	bench_play(patched, base, XIVE_ONLY);
	assert_result(OUTCOME_WARN, "XIVE: IPI lines serve other CPUs: IPI-0: CPUs 0; IPI-1");
}

static void test_without_xics(void **state)
{
	auto_free char *says = guest_says(5000, APART);
	const struct bench_fact *f;

	(void)state;
	bench_play(says, says, XIVE_ONLY);
	assert_int_equal(result.boots, 2 * 10 * 2);
	assert_null(bench_result_metric(&result, "ipi/xics/one-to-many/2"));
	f = &result.fact[result.n_facts - 1];
	assert_string_equal(f->name, "ipi/xics/left-out");
	assert_string_equal(f->base,
			    "no: the testbed played cannot have an XICS interrupt controller");
	assert_int_equal(result.n_tables, 2);
}

static void test_tables(void **state)
{
	static const char *const row[] = {"1", "0-1", "base", "0.199920", "0.199880"};
	auto_free char *base = guest_says(5000, APART), *patched = guest_says(10000, APART);
	const struct bench_table *t;

	(void)state;
	bench_play(base, patched, XIVE_ONLY | TESTBED_XICS);
	assert_int_equal(result.n_tables, 4);
	t = &result.table[0];
	assert_string_equal(t->title, "XIVE, all to all, Mint/s");
	assert_int_equal(t->columns, 7);
	assert_int_equal(t->rows, 4);
	assert_string_equal(t->head[3], "IPI/sys");
	assert_string_equal(t->head[5], "IPI/chip noirqdebug");
	for (size_t i = 0; i < array_size(row); i++)
		assert_string_equal(t->cell[i], row[i]);
	assert_string_equal(t->cell[7 + 2], "patched");
	assert_string_equal(t->cell[7 + 3], "0.099980");
	/* Three of four CPUs are in two nodes; the guest did not say what they can do. */
	assert_string_equal(t->cell[3 * 7], "2");
	assert_string_equal(t->cell[3 * 7 + 1], "0-2");
	assert_string_equal(t->cell[3 * 7 + 3], "-");
	assert_string_equal(result.table[3].title, "XICS, one sender, Mint/s");
	assert_string_equal(result.table[3].cell[3], "0.200000");
}

static void test_bad_sizes(void **state)
{
	static const unsigned sizes[][3] = {{1, 0}, {65, 0}, {4, 1, 0}};
	struct testbed testbed = play_testbed;
	struct err err = ERR_INIT;

	(void)state;
	testbed.caps = XIVE_ONLY;
	request.testbed = &testbed;
	for (size_t i = 0; i < array_size(sizes); i++) {
		request.sizes = sizes[i];
		assert_err(bench_run(&bench_ipi, &request, &result, &err), &err, ERR_CONFIG,
			   "from 2 to 64");
	}
	request.testbed = &play_testbed;
	assert_string_equal(play.order, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_console),
		cmocka_unit_test(interrupt_lines),
		cmocka_unit_test(bad_interrupt_lines),
		cmocka_unit_test(bad_runs),
		cmocka_unit_test(endless_logs),
		PLAY(test_unchanged),
		PLAY(test_slower),
		PLAY(test_shared_line),
		PLAY(test_without_xics),
		PLAY(test_tables),
		PLAY(test_bad_sizes),
	};

	return cmocka_run_group_tests_name("ipi", tests, NULL, NULL);
}
