// SPDX-License-Identifier: GPL-2.0-or-later
/* The hot-add benchmark on a testbed that is played here. */
#include "tests/unit/qemu/hot_add_console.h"
#include "tests/unit/unit.h"

#include "base/fs.h"
#include "testbeds/bench/bench.h"
#include "testbeds/console.h"
#include <math.h>

/* What the consoles of both kernels say: `first` at a kernel's first boot, `rest` from then on. */
struct played {
	const char *first, *rest;
	const char *init; /* what it says in the boots for memory-init */
	unsigned boots;
};
static struct played base, patched;
static char order[64];
static unsigned added, removed;

static int played_add(struct machine *m, unsigned lmbs, unsigned node, struct err *err)
{
	(void)m;
	(void)err;
	assert_int_equal(node, 1);
	added += lmbs;
	return 0;
}

static int played_remove(struct machine *m, struct err *err)
{
	(void)m;
	(void)err;
	removed++;
	return 0;
}

static const struct machine_ops played_ops = {.add_memory = played_add,
					      .remove_memory = played_remove};

/* A guest that stops five times. */
static void played_stops(const struct boot_spec *spec)
{
	struct machine m = {.ops = &played_ops};
	struct err err = ERR_INIT;

	for (; m.stops < 5; m.stops++)
		assert_ok(spec->on_stop(spec->ctx, &m, &err), &err);
}

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
	if (spec->on_stop)
		played_stops(spec);
	else
		text = p->init ? p->init : DONE;
	console_init(&c, 0);
	console_feed(&c, text, strlen(text));
	console_finish(&c, CONSOLE_EXITED, 0, ret);
	console_done(&c);
	return 0;
}

static struct testbed played_testbed = {
	.name = "played",
	.boot = played_boot,
};

#define CAPS (TESTBED_BOOT | TESTBED_COUNT | TESTBED_MEMORY_HOTPLUG | TESTBED_NUMA)

static char work[64];
static struct bench_result result;

/* Two LMBs are too few for a boot with no more blocks than that. */
static const unsigned two[] = {2, 0};

static struct bench_request request_make(unsigned seed)
{
	return (struct bench_request){
		.testbed = &played_testbed,
		.base.vmlinux = "base",
		.patched.vmlinux = "patched",
		.sizes = two,
		.seed = seed,
		.work_dir = work,
	};
}

static void bench(const char *base_says, const char *patched_says, unsigned seed)
{
	const struct bench_request req = request_make(seed);
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
	added = removed = 0;
	played_testbed.caps = CAPS | TESTBED_MEMORY_UNPLUG;
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

static void assert_metric(const char *name, double us, enum bench_word word)
{
	const struct bench_metric *m = bench_result_metric(&result, name);

	assert_non_null(m);
	assert_true(m->base.sample[0] == us);
	assert_int_equal(m->word, word);
	assert_true(m->judged);
	assert_string_equal(m->unit, "us");
}

static void test_unchanged(void **state)
{
	auto_free char *kept = xasprintf("%s/2-patched-3.console", work);

	(void)state;
	bench(WHOLE("187798"), WHOLE("187799"), 1);
	assert_int_equal(result.outcome, OUTCOME_PASS);
	assert_int_equal(result.n_metrics, 3);
	assert_metric("hot-add/2", 37798, BENCH_UNCHANGED);
	assert_metric("hot-add-again/2", 40000, BENCH_UNCHANGED);
	assert_metric("hot-remove/2", 60000, BENCH_UNCHANGED);
	assert_int_equal(result.metric[0].base.n, 3);
	assert_int_equal(result.metric[0].patched.n, 3);
	assert_int_equal(base.boots + patched.boots, 6);
	assert_true(fs_exists(kept));
	/* In each boot twice two are added, and the last taken away once. */
	assert_int_equal(added, 6 * 4);
	assert_int_equal(removed, 6);
}

static void test_testbed_that_takes_nothing_away(void **state)
{
	(void)state;
	played_testbed.caps = CAPS;
	bench(WHOLE("187798"), WHOLE("187798"), 1);
	assert_int_equal(added, 6 * 4);
	assert_int_equal(removed, 0);
}

static void test_slower(void **state)
{
	(void)state;
	bench(WHOLE("187798"), WHOLE("187930"), 1);
	assert_int_equal(result.outcome, OUTCOME_WARN);
	assert_metric("hot-add/2", 37798, BENCH_SLOWER);
	assert_non_null(strstr(result.reason, "hot-add of 2 LMBs: slower, +0.35 %"));
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

#define ON_NODE_0 ATTEMPT ADDED_1 ADDED("187000") "firn: hot-add placed node0 2\n" OK DONE

static const struct bench_fact *fact(const char *name)
{
	for (size_t i = 0; i < result.n_facts; i++)
		if (strcmp(result.fact[i].name, name) == 0)
			return &result.fact[i];
	fail_msg("no fact %s", name);
	return NULL;
}

/* It looks faster: that is not what is said. */
static void test_misplaced_on_patched(void **state)
{
	(void)state;
	bench(WHOLE("187798"), ON_NODE_0, 1);
	assert_int_equal(result.outcome, OUTCOME_FAIL);
	assert_non_null(strstr(result.reason, "LMBs by node is \"2 in node 0\" and must be \"2 in "
					      "node 1\""));
	assert_string_equal(fact("hot-add/2/placed")->patched, "2 in node 0");
	assert_string_equal(fact("hot-add/2/placed")->base, "2 in node 1");
	assert_true(result.n_evidence > 0);
	assert_false(result.patched_bad);
}

#define NOT_OK                                                                                     \
	ATTEMPT ADDED_1 ADDED("187000") KTAP "ok 1 hot-add-came\nnot ok 2 hot-add-node # memory "  \
					     "plugged into node 1 landed in node 0\n" DONE

static void test_failed_check(void **state)
{
	(void)state;
	bench(WHOLE("187798"), NOT_OK, 1);
	assert_int_equal(result.outcome, OUTCOME_FAIL);
	assert_non_null(strstr(result.reason, "landed in node 0"));
	bench_result_done(&result);
	bench(NOT_OK, NOT_OK, 1);
	assert_int_equal(result.outcome, OUTCOME_ERROR);
	assert_non_null(strstr(result.reason, "cannot be judged"));
}

#define REFUSES ATTEMPT ADDED_1 ADDED("187798") PLACED AGAIN AGAIN_1 AGAIN_2 REMOVE REFUSED OK DONE

/* Both kernels refuse: no time, no failure, the kernel's words. */
static void test_refused(void **state)
{
	(void)state;
	bench(REFUSES, REFUSES, 1);
	assert_int_equal(result.outcome, OUTCOME_PASS);
	assert_null(bench_result_metric(&result, "hot-remove/2"));
	assert_non_null(strstr(fact("hot-remove/2/result")->base,
			       "0 of 2 given back: pseries-hotplug-mem: Memory "
			       "indexed-count-remove failed"));
}

static void test_refused_by_patched(void **state)
{
	(void)state;
	bench(WHOLE("187798"), REFUSES, 1);
	assert_int_equal(result.outcome, OUTCOME_WARN);
	assert_non_null(strstr(result.reason, "hot-remove of 2 LMBs: undecided"));
	assert_string_equal(fact("hot-remove/2/result")->base, "given back");
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
	assert_int_equal(patched.boots, 4);
	assert_false(result.patched_bad);
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
	bench(WHOLE("187798"), OK DONE, 1);
	assert_int_equal(result.outcome, OUTCOME_WARN);
	assert_metric("hot-add/2", 37798, BENCH_UNDECIDED);
}

static void bench_blocks(const unsigned *sizes, const char *only)
{
	struct bench_request req = request_make(1);
	struct err err = ERR_INIT;

	req.sizes = sizes;
	req.only = only;
	base.rest = patched.rest = WHOLE("187798");
	assert_ok(bench_run(&bench_hot_add, &req, &result, &err), &err);
}

#define BLOCKS "firn: memory-init blocks 8\n"

static void test_memory_init(void **state)
{
	static const unsigned sizes[] = {8, 0};

	(void)state;
	base.init = DEVTMPFS CALL BLOCKS DONE;
	patched.init =
		DEVTMPFS "<7>[    0.026743] calling  init_mmap_min_addr+0x0/0x20 @ 1\n" BLOCKS DONE;
	bench_blocks(sizes, "memory-init");
	assert_int_equal(result.n_metrics, 1);
	assert_metric("memory-init/8", 21531, BENCH_SLOWER);
	assert_true(fabs(result.metric[0].change - 1000.0 / 21531) < 1e-9);
	assert_string_equal(result.metric[0].group, "memory-init");
	assert_true(result.metric[0].x == 8);
	assert_int_equal(base.boots, 2);
	assert_int_equal(added, 0);
}

static void test_memory_init_without_marks(void **state)
{
	static const unsigned sizes[] = {8, 0};

	(void)state;
	base.init = BLOCKS DONE;
	patched.init = DEVTMPFS CALL "firn: memory-init blocks 128\n" DONE;
	bench_blocks(sizes, "memory-init/8");
	assert_int_equal(result.n_metrics, 0);
	assert_non_null(strstr(fact("memory-init/8/marks")->base, "lacks them"));
	assert_non_null(strstr(fact("memory-init/8/marks")->patched, "128 blocks where 8"));
}

/* One of the names that a cell has. */
static void test_only(void **state)
{
	static const unsigned sizes[] = {2, 3, 0};

	(void)state;
	bench_blocks(sizes, "hot-remove/2");
	assert_non_null(bench_result_metric(&result, "hot-remove/2"));
	assert_int_equal(base.boots, 3);
}

static void test_too_many(void **state)
{
	static const unsigned sizes[] = {16, 2049, 0};
	struct bench_request req = request_make(1);
	struct err err = ERR_INIT;

	(void)state;
	req.sizes = sizes;
	assert_err(bench_run(&bench_hot_add, &req, &result, &err), &err, ERR_CONFIG,
		   "hot-add of 2049 LMBs: at most 2048");
}

static const struct bench_table *table(const char *title)
{
	for (size_t i = 0; i < result.n_tables; i++)
		if (strcmp(result.table[i].title, title) == 0)
			return &result.table[i];
	fail_msg("no table %s", title);
	return NULL;
}

static void test_tables(void **state)
{
	static const char *const want[] = {"2",	     "37.798",	  "+- 0.00 %", "18899.0",
					   "37.930", "+- 0.00 %", "18965.0",   "+0.35 %"};
	const struct bench_table *t;

	(void)state;
	bench(WHOLE("187798"), WHOLE("187930"), 1);
	t = table("hot-add");
	assert_int_equal(t->rows, 1);
	assert_int_equal(t->columns, array_size(want));
	for (size_t i = 0; i < array_size(want); i++)
		assert_string_equal(t->cell[i], want[i]);
	assert_int_equal(table("hot-remove of that")->rows, 1);
	t = table("the kernel's log, one boot with 2 LMBs");
	assert_int_equal(t->rows, 12);
	assert_string_equal(t->cell[0], "base");
	assert_string_equal(t->cell[1] + strlen("[    0.150000] "),
			    "pseries-hotplug-mem: Attempting to hot-add 2 LMB(s) at index "
			    "80000004");
	assert_string_equal(t->cell[22], "patched");
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
		TEST(test_unchanged),
		TEST(test_testbed_that_takes_nothing_away),
		TEST(test_slower),
		TEST(test_order_is_the_seeds),
		TEST(test_misplaced_on_patched),
		TEST(test_failed_check),
		TEST(test_refused),
		TEST(test_refused_by_patched),
		TEST(test_panic_on_patched),
		TEST(test_panic_once_is_tried_again),
		TEST(test_panic_on_base),
		TEST(test_no_time_on_patched),
		TEST(test_memory_init),
		TEST(test_memory_init_without_marks),
		TEST(test_only),
		TEST(test_too_many),
		TEST(test_tables),
		TEST(test_skipped_where_it_cannot_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
