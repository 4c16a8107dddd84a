// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel's log says about memory that comes and goes, hostile logs too. */
#include "tests/unit/qemu/hot_add_console.h"
#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "testbeds/bench/hot_add_log.h"

static struct hot_add_log read_log(const char *text)
{
	struct hot_add_log log;

	hot_add_log_read(text, strlen(text), &log);
	return log;
}

static void test_log(void **state)
{
	struct hot_add_log log =
		read_log("[    0.100000] was hot-added: a line from before\n" WHOLE("187798"));
	const struct hot_add_op *first = hot_add_log_op(&log, false, 0),
				*again = hot_add_log_op(&log, false, 1),
				*removed = hot_add_log_op(&log, true, 0);

	(void)state;
	assert_int_equal(log.n, 3);
	assert_true(hot_add_op_whole(first));
	assert_int_equal(first->us, 37798);
	assert_int_equal(first->done, 2);
	assert_int_equal(again->us, 40000);
	assert_true(removed->remove);
	assert_int_equal(removed->us, 60000);
	assert_string_equal(removed->refusal, "");
	assert_null(hot_add_log_op(&log, false, 2));
	assert_null(hot_add_log_op(&log, true, 1));
	assert_int_equal(read_log("").n, 0);
}

/* drmgr on an LPAR: by count, and one LMB by index. */
static void test_log_of_drmgr(void **state)
{
	struct hot_add_log log = read_log(
		"[ 9500.000001" HP "Attempting to hot-add 2 LMB(s)\n"
		"[ 9500.500001" HP "Memory at 20000000 (drc index 80000002) was hot-added\n"
		"[ 9502.000003" HP "Memory at 30000000 (drc index 80000003) was hot-added\n"
		"[ 9600.000000" HP "Attempting to hot-remove LMB, drc index 80000003\n"
		"[ 9600.000125" HP "Memory at 30000000 was hot-removed\n");

	(void)state;
	assert_int_equal(log.n, 2);
	assert_true(hot_add_op_whole(&log.op[0]));
	assert_int_equal(log.op[0].us, 2000002);
	assert_true(hot_add_op_whole(&log.op[1]));
	assert_int_equal(log.op[1].us, 125);
}

static void test_log_of_a_refusal(void **state)
{
	struct hot_add_log log = read_log(REMOVE REFUSED REMOVED_1);

	(void)state;
	assert_int_equal(log.n, 1);
	assert_false(hot_add_op_whole(&log.op[0]));
	assert_non_null(strstr(log.op[0].refusal, "indexed-count-remove failed"));
}

/* Absurd numbers, missing lines, time that runs backwards, a text that is cut anywhere. */
static void test_log_of_hostile_text(void **state)
{
	static const char *const odd[] = {
		ADDED_1 ADDED("190000"),
		ATTEMPT,
		ATTEMPT "[    0.100000" HP "Memory at 0 (drc index 1) was hot-added\n",
		"[    0.150000" HP "Attempting to hot-add 0 LMB(s) at index 1\n" ADDED_1,
		"[    0.150000" HP "Attempting to hot-add 99999999999999999999 LMB(s)\n" ADDED_1,
		"[    0.150000" HP "Attempting to hot-add -1 LMB(s)\n" ADDED_1 "[    0.150000" HP
		"Attempting to hot-add ",
	};
	static const char whole[] = WHOLE("187798");

	(void)state;
	for (size_t i = 0; i < array_size(odd); i++) {
		struct hot_add_log log = read_log(odd[i]);

		for (size_t k = 0; k < log.n; k++)
			assert_false(hot_add_op_whole(&log.op[k]));
	}
	for (size_t cut = 0; cut < sizeof(whole); cut++) {
		auto_free char *text = xmemdup(whole, cut);
		struct hot_add_log log = read_log(text);

		assert_true(log.n <= 3);
	}
}

static void test_log_of_too_many(void **state)
{
	auto_str struct str text;

	(void)state;
	str_init(&text, 0);
	for (unsigned i = 0; i < 100; i++)
		str_adds(&text, ATTEMPT ADDED_1 ADDED("187798"));
	struct hot_add_log log = read_log(text.buf);

	assert_int_equal(log.n, HOT_ADD_OPS_MAX);
	assert_int_equal(log.op[HOT_ADD_OPS_MAX - 1].done, 2);
}

static void test_placed(void **state)
{
	static const char text[] = "firn: hot-add placed node0 3\nfirn: hot-add placed node1 13\n"
				   "firn: hot-add-again placed node2 16\n"
				   "firn: hot-add placed node99999999999 1\n"
				   "firn: hot-add placed node64 1\nfirn: hot-add placed node5";
	struct hot_add_placed placed;

	(void)state;
	hot_add_placed_read(text, strlen(text), "hot-add", &placed);
	assert_true(placed.said);
	assert_int_equal(placed.on_node[0], 3);
	assert_int_equal(placed.on_node[1], 13);
	assert_int_equal(placed.on_node[2], 0);
	assert_int_equal(placed.on_node[5], 0);
	hot_add_placed_read(text, strlen(text), "hot-add-again", &placed);
	assert_int_equal(placed.on_node[2], 16);
	hot_add_placed_read("", 0, "hot-add", &placed);
	assert_false(placed.said);
}

static struct memory_init_log read_init(const char *text)
{
	struct memory_init_log log;

	memory_init_log_read(text, strlen(text), &log);
	return log;
}

static void test_memory_init_log(void **state)
{
	struct memory_init_log log =
		read_init("[    0.003000] calling  early_one+0x0/0x20 @ 1\n" DEVTMPFS
			  "[    0.005042] memory_dev_init: adding memory blocks\n"
			  "[    0.021591] memory_dev_init: added memory blocks\n" CALL
			  "<7>[    0.030000] calling  another+0x0/0x20 @ 1\n");

	(void)state;
	assert_true(log.timed);
	assert_int_equal(log.us, 21531);
	assert_true(log.own_timed);
	assert_int_equal(log.own_us, 16549);
	log = read_init(DEVTMPFS CALL);
	assert_true(log.timed);
	assert_false(log.own_timed);
	assert_false(read_init(CALL).timed);
	assert_false(read_init(DEVTMPFS).timed);
	assert_false(read_init(CALL DEVTMPFS).timed);
	assert_false(read_init("").timed);
}

/* A real boot of 6.1 with 16 LMBs; the warning there is the kernel's own, at removal. */
static void test_recorded(void **state)
{
	auto_str struct str text;
	struct hot_add_placed placed;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&text, 0);
	assert_ok(fs_read(FIXTURES "/consoles/hot-add-remove.console", 1 << 20, ERR_INPUT, &text,
			  &err),
		  &err);
	struct hot_add_log log = read_log(text.buf);

	assert_int_equal(log.n, 3);
	for (size_t i = 0; i < log.n; i++)
		assert_true(hot_add_op_whole(&log.op[i]));
	assert_int_equal(log.op[0].us, 39596);
	assert_int_equal(log.op[1].us, 41127);
	assert_int_equal(log.op[2].us, 52639);
	hot_add_placed_read(text.buf, text.len, "hot-add-again", &placed);
	assert_int_equal(placed.on_node[1], 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_log_of_drmgr),
		cmocka_unit_test(test_log_of_a_refusal),
		cmocka_unit_test(test_log_of_hostile_text),
		cmocka_unit_test(test_log_of_too_many),
		cmocka_unit_test(test_placed),
		cmocka_unit_test(test_memory_init_log),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
