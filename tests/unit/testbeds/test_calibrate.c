// SPDX-License-Identifier: GPL-2.0-or-later
/* Calibrations of a bench on a testbed without a kernel, whose rates are known. */
#include "tests/unit/unit.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/proc.h"
#include "base/random.h"
#include "testbeds/bench/calibrate.h"
#include "testbeds/bench/stats.h"
#include <math.h>

static void assert_close(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.12g, not %.12g", got, want);
}

/*
 * A testbed without a kernel: the boot's number is in guest_seconds. The kernel's path says what it
 * does: "base", "null", "noise" (each boot differs), "slow" (+1 %), "rare" (+1 % in every tenth
 * run), "bad" (does not end). What the seed is says which run it is.
 */
static struct {
	unsigned boots, cancel_at, fail_at;
	unsigned seed[16];
	uint64_t random;
} fake;

static int fake_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		     struct err *err)
{
	const char *k = spec->kernel;

	assert_string_equal(arg, "arg");
	if (fake.boots < array_size(fake.seed))
		fake.seed[fake.boots] = spec->seed;
	if (++fake.boots == fake.cancel_at)
		return err_set(err, ERR_CANCELLED, "interrupted");
	if (fake.boots == fake.fail_at)
		return err_set(err, ERR_INFRA, "the emulator was killed");
	ret->reason = xstrdup("");
	ret->end = strcmp(k, "bad") == 0 ? BOOT_PANIC : BOOT_DONE;
	ret->guest_seconds = 100;
	if (strcmp(k, "slow") == 0 || (strcmp(k, "rare") == 0 && spec->seed / 10000 % 10 == 9))
		ret->guest_seconds = 101;
	if (strcmp(k, "noise") == 0)
		ret->guest_seconds += (double)splitmix64_below(&fake.random, 1 << 30) / (1 << 30);
	return 0;
}

static const struct testbed fake_testbed = {
	.name = "fake", .caps = TESTBED_BOOT, .boot = fake_boot};

/* Boots each kernel `samples` times, by turns. */
static int fake_run(const struct bench_request *req, struct bench_result *ret, struct err *err)
{
	struct bench_metric *m = xcalloc(1, sizeof(*m));
	auto_free char *console = xasprintf("%s/console", req->work_dir);
	struct bench_side *side[] = {&m->base, &m->patched};
	auto_file FILE *f = fopen(console, "w");
	int rc = f ? 0 : err_sys(err, ERR_INFRA, "%s", console);

	*m = (struct bench_metric){.name = xstrdup("time"),
				   .unit = xstrdup("s"),
				   .lower_is_better = true,
				   .judged = true};
	ret->metric = m;
	ret->n_metrics = 1;
	for (unsigned i = 0; i < 2 * req->samples && rc == 0; i++) {
		const struct bench_kernel *k = i % 2 ? &req->patched : &req->base;
		struct boot_spec spec = {.kernel = k->vmlinux, .seed = 7};
		struct boot_result boot = {0};
		struct bench_side *s = side[i % 2];

		if (req->on_progress)
			req->on_progress(req->ctx, "a boot", i, 2 * req->samples);
		rc = req->testbed->boot(req->testbed_arg, &spec, &boot, err);
		if (rc == 0 && boot.end != BOOT_DONE)
			*(i % 2 ? &ret->patched_bad : &ret->base_bad) = true;
		s->sample = xreallocarray(s->sample, s->n + 1, sizeof(*s->sample));
		s->sample[s->n++] = boot.guest_seconds;
		boot_result_done(&boot);
	}
	if (rc < 0) {
		bench_result_done(ret);
		return rc;
	}
	stats_judge(m, 0, 0);
	ret->outcome = ret->base_bad	  ? OUTCOME_ERROR
		       : ret->patched_bad ? OUTCOME_FAIL
					  : OUTCOME_PASS;
	ret->reason = xstrdup("the reason");
	return 0;
}

static const struct bench fake_bench = {.name = "fake", .needs = TESTBED_BOOT, .run = fake_run};

#define PAIR(n, kernel_, ...)                                                                      \
	{                                                                                          \
		.name = (n), .metrics = "*", .patched = {.vmlinux = (kernel_)}, __VA_ARGS__        \
	}

static char work[] = "/tmp/firn-calibrate-XXXXXX";

static int folder_make(void **state)
{
	(void)state;
	return mkdtemp(work) ? 0 : -1;
}

static int folder_drop(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return fs_rmtree(work, &err);
}

static int run(const char *base, const struct calibrate_pair *pair, size_t n, unsigned runs,
	       struct calibrate_result *ret, struct err *err)
{
	struct calibrate_request req = {
		.bench = &fake_bench,
		.one = {.testbed = &fake_testbed,
			.testbed_arg = "arg",
			.base = {.vmlinux = base},
			.samples = 2,
			.work_dir = work},
		.pair = pair,
		.n_pairs = n,
		.runs = runs,
	};

	if (strcmp(base, "noise") == 0)
		req.one.samples = 5;
	return calibrate_run(&req, ret, err);
}

static bool kept(const char *name)
{
	auto_free char *path = xasprintf("%s/%s/console", work, name);

	return fs_exists(path);
}

static void says(const struct calibrate_result *r, const char *words)
{
	auto_str struct str text;

	str_init(&text, 0);
	calibrate_text(r, BENCH_COUNT, &text);
	if (!strstr(text.buf, words))
		fail_msg("no \"%s\" in:\n%s", words, text.buf);
}

static void right_every_time(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("same", "base"), PAIR("null", "null"),
						     PAIR("slower-1", "slow", .share = 0.01)};
	static const unsigned seeds[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 10007, 10007};
	struct calibrate_result r = {0};
	struct calibrate_aims aims;
	struct err err = ERR_INIT;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_ok(run("base", pair, 3, 150, &r, &err), &err);
	assert_int_equal(r.runs, 150);
	assert_int_equal(r.boots, 150 * 3 * 4);
	assert_int_equal(r.good, r.boots);
	/* The same seed on both sides of a run, another in the next. */
	assert_memory_equal(fake.seed, seeds, sizeof(seeds));
	assert_int_equal(r.row[0].hits + r.row[1].hits, 0);
	assert_int_equal(r.row[2].hits, 150);
	assert_close(r.row[2].count[0].change[149], 0.01, 1e-12);
	assert_false(kept("same-1"));

	calibrate_aims_make(&r, BENCH_COUNT, &aims);
	assert_int_equal(aims.n, 2);
	assert_int_equal(aims.aim[0].n, 300);
	assert_int_equal(aims.aim[0].state, CALIBRATE_SHOWN);
	assert_int_equal(aims.aim[1].state, CALIBRATE_SHOWN);
	assert_false(aims.missed);
	calibrate_aims_done(&aims);
	/* +1 % is not what clock mode is asked for. */
	calibrate_aims_make(&r, BENCH_CLOCK, &aims);
	assert_int_equal(aims.n, 1);
	calibrate_aims_done(&aims);
	says(&r, "Boots:  1800 made, 1800 reached their end: 100.00 %, at least 99.83 %");
	says(&r, "  shown  at most 1 % false alarms: 0 of 300, at most 0.99 %");
	says(&r, "+1.000 %  +1.000 % (+1.000 to +1.000)");
	calibrate_result_done(&r);
}

static void false_alarms_show(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("same", "base"), PAIR("rare", "rare")};
	struct calibrate_result r = {0};
	struct calibrate_aims aims;
	struct err err = ERR_INIT;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_ok(run("base", pair, 2, 20, &r, &err), &err);
	assert_int_equal(r.row[0].hits, 0);
	assert_int_equal(r.row[1].hits, 2);
	assert_true(kept("rare-10") && kept("rare-20") && !kept("rare-11") && !kept("same-10"));
	calibrate_aims_make(&r, BENCH_COUNT, &aims);
	assert_int_equal(aims.aim[0].state, CALIBRATE_MISSED);
	assert_close(aims.aim[0].rate, 0.05, 1e-12);
	assert_true(aims.missed);
	calibrate_aims_done(&aims);
	says(&r, "  missed at most 1 % false alarms: 2 of 40");
	calibrate_result_done(&r);
}

/* Five samples of each that never repeat: at 1 % the rank test takes them for different when all of
 * one side are above the other: 2 of C(10, 5) = 252 orders. */
static void noise_has_the_rate_of_its_test(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("same", "noise")};
	struct calibrate_result r = {0};
	struct err err = ERR_INIT;
	double rate = 2.0 / 252;
	const unsigned *word;
	unsigned wrong;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_ok(run("noise", pair, 1, 500, &r, &err), &err);
	assert_int_equal(r.row[0].runs, 500);
	word = r.row[0].count[0].word;
	wrong = word[BENCH_SLOWER] + word[BENCH_FASTER];
	assert_true(calibrate_lower(wrong, 500, 0.025) < rate);
	assert_true(calibrate_upper(wrong, 500, 0.025) > rate);
	/* Five samples may also look as if they fell into two groups. */
	assert_int_equal(r.row[0].hits, wrong + word[BENCH_UNDECIDED]);
	calibrate_result_done(&r);
}

static void misses_show(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("slower-1", "rare", .share = 0.01)};
	struct calibrate_result r = {0};
	struct calibrate_aims aims;
	struct err err = ERR_INIT;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_ok(run("base", pair, 1, 10, &r, &err), &err);
	calibrate_aims_make(&r, BENCH_COUNT, &aims);
	assert_int_equal(aims.n, 1); /* nothing was tried that could be a false alarm */
	assert_int_equal(aims.aim[0].k, 1);
	assert_int_equal(aims.aim[0].state, CALIBRATE_MISSED);
	calibrate_aims_done(&aims);
	calibrate_result_done(&r);

	memset(&r, 0, sizeof(r));
	assert_ok(
		run("base", (const struct calibrate_pair[]){PAIR("same", "base")}, 1, 10, &r, &err),
		&err);
	calibrate_aims_make(&r, BENCH_COUNT, &aims);
	assert_int_equal(aims.aim[0].state, CALIBRATE_OPEN);
	assert_false(aims.missed);
	calibrate_aims_done(&aims);
	says(&r, "  open   at most 1 % false alarms: 0 of 10, at most 25.89 %; 299 runs without a "
		 "false alarm would show it");
	calibrate_result_done(&r);
}

static void boots_fail(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("same", "base"), PAIR("null", "bad")};
	struct calibrate_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.fail_at = 10; /* in the second run of "same" */
	assert_ok(run("base", pair, 2, 3, &r, &err), &err);
	assert_int_equal(r.boots, 8 + 2 + 4 + 8);
	assert_int_equal(r.good, r.boots - 3 * 2 - 1);
	assert_int_equal(r.row[0].spoilt, 1);
	assert_int_equal(r.row[0].runs, 2);
	assert_int_equal(r.row[1].hits, 3); /* the kernel is said to be bad, and is no null */
	assert_true(kept("same-2") && kept("null-1"));
	says(&r, "Spoilt: 1 of 6 runs came to no judgement; the last: the emulator was killed");
	calibrate_result_done(&r);
}

static void nothing_works(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("same", "base")};
	static const struct testbed lame = {.name = "lame", .boot = fake_boot};
	struct calibrate_request req = {.bench = &fake_bench,
					.one = {.testbed = &lame, .work_dir = work},
					.pair = pair,
					.n_pairs = 1,
					.runs = 3};
	struct calibrate_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.fail_at = 1;
	assert_err(run("base", pair, 1, 3, &r, &err), &err, ERR_INFRA, "killed");
	calibrate_result_done(&r);
	assert_err(calibrate_run(&req, &r, &err), &err, ERR_CONFIG, "lame cannot boot a kernel");
	calibrate_result_done(&r);
}

static void interrupted(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("same", "base"), PAIR("null", "null")};
	auto_free char *left = xasprintf("%s/run", work);
	struct calibrate_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.cancel_at = 15; /* run 2, "null", third boot */
	assert_err(run("base", pair, 2, 50, &r, &err), &err, ERR_CANCELLED, "interrupted");
	assert_int_equal(r.runs, 1);
	assert_int_equal(r.wanted, 50);
	assert_int_equal(r.boots, 14);
	assert_int_equal(r.row[0].runs, 2);
	assert_int_equal(r.row[1].runs, 1);
	assert_false(fs_exists(left));
	says(&r, "null           any                              1      0");
	calibrate_result_done(&r);
}

static void json(void **state)
{
	static const struct calibrate_pair pair[] = {PAIR("slower-1", "slow", .share = 0.01)};
	struct calibrate_result r = {0};
	struct err err = ERR_INIT;
	auto_json json_t *o = NULL;
	const json_t *row, *metric, *aim;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_ok(run("base", pair, 1, 2, &r, &err), &err);
	o = calibrate_json(&r, BENCH_COUNT);
	assert_non_null(o);
	row = json_array_get(json_object_get(o, "comparisons"), 0);
	metric = json_array_get(json_object_get(row, "metrics"), 0);
	aim = json_array_get(json_object_get(o, "aims"), 0);
	assert_string_equal(json_get_str(row, "name", ""), "slower-1");
	assert_int_equal((int)json_get_num(metric, "slower", -1), 2);
	assert_int_equal((int)json_get_num(metric, "unchanged", -1), 0);
	assert_close(json_get_num(metric, "expected", 0), 0.01, 1e-12);
	assert_close(json_get_num(json_object_get(metric, "change"), "most", 0), 0.01, 1e-12);
	assert_int_equal((int)json_get_num(json_object_get(o, "boots"), "made", 0), 8);
	assert_string_equal(json_get_str(aim, "state", ""), "open");
	calibrate_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_every_time),
		cmocka_unit_test(false_alarms_show),
		cmocka_unit_test(noise_has_the_rate_of_its_test),
		cmocka_unit_test(misses_show),
		cmocka_unit_test(boots_fail),
		cmocka_unit_test(nothing_works),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(json),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_drop);
}
