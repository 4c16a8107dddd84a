// SPDX-License-Identifier: GPL-2.0-or-later
/* The http bench on a machine that says what it is told to. */
#include "tests/unit/testbeds/consoles.h"
#include "tests/unit/testbeds/memory_dir.h"

#include "testbeds/bench/bench.h"
#include "testbeds/bench/http_log.h"
#include <math.h>
#include <stdlib.h>

#define LINE                                                                                       \
	"firn: http connections 16 requests 4000 failed 0 ns 200000000 bytes 45568000 "            \
	"interrupts 8000 switches 500 packets 12000\n"
#define LATENCY "firn: http latency p50 700000 p90 800000 p99 900000 max 1000000 ns\n"

static bool log_of(const char *text, struct http_log *ret)
{
	struct boot_result r;
	bool ok;

	console_says(text, &r);
	ok = http_log_read(&r, ret);
	boot_result_done(&r);
	return ok;
}

static void test_log(void **state)
{
	struct http_log l;

	(void)state;
	assert_true(log_of(LINE LATENCY, &l));
	assert_true(l.requests == 4000 && l.ns == 200e6 && l.bytes == 45568000);
	assert_true(l.interrupts == 8000 && l.switches == 500 && l.packets == 12000);
	assert_true(l.p50_ns == 700e3 && l.p90_ns == 800e3);
	assert_true(l.p99_ns == 900e3 && l.max_ns == 1e6);
	assert_true(log_of(LINE, &l));
	assert_true(l.max_ns == 0);
}

/* Guests are not believed. */
static void test_bad_logs(void **state)
{
	static const char *const bad[] = {
		"",
		LATENCY,
		"firn: http connections 16\n",
		"firn: http connections 16 requests 4000 failed 1 ns 2 bytes 3 interrupts 4 "
		"switches 5 packets 6\n",
		"firn: http connections 16 requests 0 failed 0 ns 2 bytes 3 interrupts 4 "
		"switches 5 packets 6\n",
		"firn: http connections 16 requests 7 failed 0 ns 0 bytes 3 interrupts 4 "
		"switches 5 packets 6\n",
		"firn: http connections 16 requests 7 failed 0 ns -2 bytes 3 interrupts 4 "
		"switches 5 packets 6\n",
		"firn: http connections 16 requests 7 failed 0 ns 2 bytes 3 interrupts 4 "
		"switches 5 packets\n",
		"firn: http connections 16 requests 7 failed 0 ns 99999999999999999999 bytes 3 "
		"interrupts 4 switches 5 packets 6\n",
		"firn: http connections 16 requests 7 failed 0 xns 2 bytes 3 interrupts 4 "
		"switches 5 packets 6\n",
		/* The last one counts. */
		LINE "firn: http connections 16 requests 4000 failed 4000 ns 1 bytes 1 "
		     "interrupts 1 switches 1 packets 1\n",
	};
	struct http_log l = {.requests = 42};

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		if (log_of(bad[i], &l))
			fail_msg("taken: %s", bad[i]);
		assert_true(l.requests == 42);
	}
	assert_true(log_of(LINE "firn: http latency p50 1 p90 2 p99 x max 4 ns\n", &l));
	assert_true(l.p50_ns == 0);
}

static struct boot_spec seen;
static unsigned boots;
static double patched_share; /* of the base's time */
static double spread;	     /* between boots, relative */
static bool fails;

static int fake_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		     struct err *err)
{
	bool patched = strcmp(spec->kernel, "patched") == 0;
	double ns = 200e6 * (1 + spread * ((int)(boots * 7 % 11) - 5));
	auto_free char *text = xasprintf(
		"[    1.000000] Linux\n%sfirn: http connections 16 requests 4000 failed %d ns %.0f "
		"bytes 45568000 interrupts 8000 switches 500 packets 12000\n" LATENCY
		"firn: done\n",
		fails && patched ? "KTAP version 1\n1..1\nnot ok 1 http-load # 12 failed\n"
				 : "KTAP version 1\n1..1\nok 1 http-load\n",
		fails && patched ? 12 : 0, patched ? ns * patched_share : ns);

	(void)arg;
	(void)err;
	seen = *spec;
	seen.append = NULL;
	assert_true(strstr(spec->append, "firn.mode=http firn.connections=16 "));
	boots++;
	console_says(text, ret);
	return 0;
}

static const struct testbed fake = {
	.name = "fake", .caps = TESTBED_BOOT | TESTBED_COUNT | TESTBED_NET, .boot = fake_boot};

static const unsigned connections[] = {16, 0};
static char dir[PATH_MAX];

static void bench(enum bench_mode mode, struct bench_result *ret)
{
	const struct bench_request req = {.testbed = &fake,
					  .testbed_arg = "",
					  .base.vmlinux = "base",
					  .patched.vmlinux = "patched",
					  .mode = mode,
					  .sizes = connections,
					  .seed = 1,
					  .work_dir = dir};
	struct err err = ERR_INIT;

	boots = 0;
	assert_ok(bench_run(&bench_http, &req, ret, &err), &err);
}

static void test_unchanged(void **state)
{
	struct bench_result r = {0};
	const struct bench_metric *m;

	(void)state;
	patched_share = 1;
	bench(BENCH_COUNT, &r);
	assert_int_equal(boots, 6);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	assert_true(seen.net && seen.count && seen.cpus == 1);
	m = bench_result_metric(&r, "http/16/time-per-request");
	assert_non_null(m);
	assert_true(m->judged);
	assert_int_equal(m->base.n, 3);
	assert_int_equal(m->word, BENCH_UNCHANGED);
	assert_true(m->exact && m->base.sample[0] == 50);
	m = bench_result_metric(&r, "http/16/interrupts-per-request");
	assert_true(m->judged && m->base.sample[0] == 2);
	assert_int_equal(m->word, BENCH_UNCHANGED);
	bench_result_done(&r);
	spread = 0.0005;
	bench(BENCH_CLOCK, &r);
	spread = 0;
	assert_int_equal(boots, 30);
	assert_true(!seen.count && seen.cpus == 2);
	m = bench_result_metric(&r, "http/16/time-per-request");
	assert_false(m->exact);
	assert_int_equal(m->word, BENCH_UNCHANGED);
	bench_result_done(&r);
}

static void test_slower(void **state)
{
	struct bench_result r = {0};
	const struct bench_metric *m;

	(void)state;
	patched_share = 1.05;
	bench(BENCH_COUNT, &r);
	assert_int_equal(r.outcome, OUTCOME_WARN);
	m = bench_result_metric(&r, "http/16/time-per-request");
	assert_int_equal(m->word, BENCH_SLOWER);
	assert_true(fabs(m->change - 0.05) < 0.002);
	/* The same number the other way round is shown and not judged twice. */
	m = bench_result_metric(&r, "http/16/requests");
	assert_false(m->judged);
	assert_true(fabs(m->change + 0.0476) < 0.002);
	bench_result_done(&r);
}

static void test_table(void **state)
{
	static const char *const want[] = {"16",	  "base",    "0.05000 ms",  "20000/s",
					   "222500 KB/s", "40000/s", "16",	    "patched",
					   "0.10000 ms",  "10000/s", "111250 KB/s", "20000/s"};
	struct bench_result r = {0};

	(void)state;
	patched_share = 2;
	bench(BENCH_COUNT, &r);
	assert_int_equal(r.n_tables, 1);
	assert_int_equal(r.table[0].columns, 6);
	assert_int_equal(r.table[0].rows, 2);
	for (size_t i = 0; i < array_size(want); i++)
		assert_string_equal(r.table[0].cell[i], want[i]);
	bench_result_done(&r);
}

/* Requests that fail on the patched kernel alone. */
static void test_failure(void **state)
{
	struct bench_result r = {0};

	(void)state;
	fails = true;
	bench(BENCH_COUNT, &r);
	fails = false;
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_non_null(strstr(r.reason, "http-load"));
	bench_result_done(&r);
}

static void test_limits(void **state)
{
	static const unsigned many[] = {901, 0};
	struct bench_request req = {.testbed = &fake, .sizes = many, .work_dir = dir};
	struct testbed no_net = fake;
	struct bench_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(bench_run(&bench_http, &req, &r, &err), &err, ERR_CONFIG, "at most 900");
	no_net.caps = TESTBED_BOOT | TESTBED_COUNT;
	req.testbed = &no_net;
	assert_ok(bench_run(&bench_http, &req, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_SKIP);
	assert_non_null(strstr(r.reason, "network cards"));
	bench_result_done(&r);
}

static int setup(void **state)
{
	(void)state;
	return memory_dir_make(dir, sizeof(dir)) ? 0 : -1;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return fs_rmtree(dir, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log),	  cmocka_unit_test(test_bad_logs),
		cmocka_unit_test(test_unchanged), cmocka_unit_test(test_slower),
		cmocka_unit_test(test_table),	  cmocka_unit_test(test_failure),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
