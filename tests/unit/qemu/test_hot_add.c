// SPDX-License-Identifier: GPL-2.0-or-later
/* The hot-add benchmark on a testbed that is played here. */
#include "tests/unit/unit.h"

#include "base/fs.h"
#include "testbeds/bench/bench.h"
#include "testbeds/bench/hot_add_log.h"
#include "testbeds/console.h"

#define ATTEMPT                                                                                    \
	"[    0.150000] pseries-hotplug-mem: Attempting to hot-add 2 LMB(s) at index 80000004\n"
#define ADDED_1                                                                                    \
	"[    0.180000] pseries-hotplug-mem: Memory at 40000000 (drc index 80000004) was "         \
	"hot-added\n"
#define ADDED(us)                                                                                  \
	"[    0." us                                                                               \
	"] pseries-hotplug-mem: Memory at 50000000 (drc index 80000005) was hot-added\n"
#define KTAP	  "KTAP version 1\n1..2\n"
#define DONE	  "firn: done\n"
#define WHOLE(us) ATTEMPT ADDED_1 ADDED(us) KTAP "ok 1 hot-add-came\nok 2 hot-add-node\n" DONE

static void test_log(void **state)
{
	static const char text[] =
		"[    0.100000] was hot-added: a line from before\n" ATTEMPT ADDED_1 ADDED(
			"187798") "firn: hot-add placed node0 3\nfirn: hot-add placed node1 13\n";
	struct hot_add_log log;

	(void)state;
	hot_add_log_read(text, strlen(text), &log);
	assert_true(log.timed);
	assert_int_equal(log.us, 37798);
	assert_int_equal(log.added, 2);
	assert_int_equal(log.on_node[0], 3);
	assert_int_equal(log.on_node[1], 13);
	hot_add_log_read(ATTEMPT, strlen(ATTEMPT), &log);
	assert_false(log.timed);
	hot_add_log_read("firn: hot-add placed node99999999999 1", 38, &log);
	assert_int_equal(log.added, 0);
}

/* What the consoles of both kernels say: `first` at a kernel's first boot, `rest` from then on. */
struct played {
	const char *first, *rest;
	unsigned boots;
};
static struct played base, patched;
static char order[64];

static int played_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		       struct err *err)
{
	struct played *p = strcmp(spec->kernel, "base") == 0 ? &base : &patched;
	const char *text = p->boots == 0 && p->first ? p->first : p->rest;
	struct console c;

	(void)arg;
	(void)err;
	order[strlen(order)] = p == &base ? 'b' : 'p';
	p->boots++;
	console_init(&c, 0);
	console_feed(&c, text, strlen(text));
	console_finish(&c, CONSOLE_EXITED, 0, ret);
	console_done(&c);
	return 0;
}

static const struct testbed played_testbed = {
	.name = "played",
	.caps = TESTBED_BOOT | TESTBED_COUNT | TESTBED_MEMORY_HOTPLUG | TESTBED_NUMA,
	.boot = played_boot,
};

static char work[64];
static struct bench_result result;

static void bench(const char *base_says, const char *patched_says, unsigned seed)
{
	static const unsigned lmbs[] = {2, 0};
	const struct bench_request req = {
		.testbed = &played_testbed,
		.base.vmlinux = "base",
		.patched.vmlinux = "patched",
		.sizes = lmbs,
		.seed = seed,
		.work_dir = work,
	};
	struct err err = ERR_INIT;

	base.rest = base_says;
	patched.rest = patched_says;
	assert_ok(bench_run(&bench_hot_add, &req, &result, &err), &err);
}

static int setup(void **state)
{
	(void)state;
	base = patched = (struct played){0};
	memset(order, 0, sizeof(order));
	snprintf(work, sizeof(work), "/tmp/firn-hot-add-XXXXXX");
	return mkdtemp(work) ? 0 : -1;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	bench_result_done(&result);
	return fs_rmtree(work, &err);
}

static void test_unchanged(void **state)
{
	auto_free char *kept = xasprintf("%s/2-patched-3.console", work);

	(void)state;
	bench(WHOLE("187798"), WHOLE("187799"), 1);
	assert_int_equal(result.outcome, OUTCOME_PASS);
	assert_int_equal(result.n_metrics, 1);
	assert_string_equal(result.metric[0].name, "hot-add/2");
	assert_int_equal(result.metric[0].word, BENCH_UNCHANGED);
	assert_int_equal(result.metric[0].base.n, 3);
	assert_int_equal(result.metric[0].patched.n, 3);
	assert_true(result.metric[0].base.sample[0] == 37798);
	assert_int_equal(base.boots + patched.boots, 6);
	assert_true(fs_exists(kept));
}

static void test_slower(void **state)
{
	(void)state;
	bench(WHOLE("187798"), WHOLE("187930"), 1);
	assert_int_equal(result.outcome, OUTCOME_WARN);
	assert_int_equal(result.metric[0].word, BENCH_SLOWER);
	assert_non_null(strstr(result.reason, "slower, +0.35 %"));
}

static void test_order_is_the_seeds(void **state)
{
	char first[64];

	(void)state;
	bench(WHOLE("187798"), WHOLE("187798"), 5);
	snprintf(first, sizeof(first), "%s", order);
	bench_result_done(&result);
	memset(order, 0, sizeof(order));
	bench(WHOLE("187798"), WHOLE("187798"), 5);
	assert_string_equal(order, first);
	for (unsigned seed = 6; strcmp(order, first) == 0 && seed < 20; seed++) {
		bench_result_done(&result);
		memset(order, 0, sizeof(order));
		bench(WHOLE("187798"), WHOLE("187798"), seed);
	}
	assert_string_not_equal(order, first);
}

#define ON_NODE_0                                                                                  \
	ATTEMPT ADDED_1 ADDED("187000") "firn: hot-add placed node0 2\n" KTAP                      \
					"ok 1 hot-add-came\nnot ok 2 hot-add-node # 0 of 2\n" DONE

static void test_misplaced_on_patched(void **state)
{
	(void)state;
	bench(WHOLE("187798"), ON_NODE_0, 1);
	assert_int_equal(result.outcome, OUTCOME_FAIL);
	assert_non_null(strstr(result.reason, "landed on node 0"));
	assert_true(result.n_evidence > 0);
	assert_false(result.patched_bad);
}

static void test_misplaced_on_both(void **state)
{
	(void)state;
	bench(ON_NODE_0, ON_NODE_0, 1);
	assert_int_equal(result.outcome, OUTCOME_ERROR);
	assert_non_null(strstr(result.reason, "cannot be judged"));
}

#define PANICS ATTEMPT "[    0.160000] Kernel panic - not syncing: Fatal exception\n"

static void test_panic_on_patched(void **state)
{
	(void)state;
	bench(WHOLE("187798"), PANICS, 1);
	assert_int_equal(result.outcome, OUTCOME_FAIL);
	assert_true(result.patched_bad);
	assert_false(result.base_bad);
	assert_int_equal(patched.boots, 2);
	assert_non_null(strstr(result.reason, "Fatal exception"));
	assert_true(result.n_evidence > 0);
}

static void test_panic_once_is_tried_again(void **state)
{
	(void)state;
	patched.first = PANICS;
	bench(WHOLE("187798"), WHOLE("187798"), 1);
	assert_int_equal(result.outcome, OUTCOME_PASS);
	assert_int_equal(patched.boots, 4);
}

static void test_panic_on_base(void **state)
{
	(void)state;
	bench(PANICS, PANICS, 1);
	assert_int_equal(result.outcome, OUTCOME_ERROR);
	assert_true(result.base_bad);
}

/* The messages that the time is taken from may be what the series changes. */
static void test_no_time_on_patched(void **state)
{
	(void)state;
	bench(WHOLE("187798"), KTAP "ok 1 hot-add-came\nok 2 hot-add-node\n" DONE, 1);
	assert_int_equal(result.outcome, OUTCOME_WARN);
	assert_int_equal(result.metric[0].word, BENCH_UNDECIDED);
}

static void test_skipped_where_it_cannot_run(void **state)
{
	static const struct testbed poor = {.name = "poor", .caps = TESTBED_BOOT};
	const struct bench_request req = {.testbed = &poor};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(bench_run(&bench_hot_add, &req, &result, &err), &err);
	assert_int_equal(result.outcome, OUTCOME_SKIP);
	assert_non_null(strstr(result.reason, "poor cannot"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log),
		TEST(test_unchanged),
		TEST(test_slower),
		TEST(test_order_is_the_seeds),
		TEST(test_misplaced_on_patched),
		TEST(test_misplaced_on_both),
		TEST(test_panic_on_patched),
		TEST(test_panic_once_is_tried_again),
		TEST(test_panic_on_base),
		TEST(test_no_time_on_patched),
		TEST(test_skipped_where_it_cannot_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
