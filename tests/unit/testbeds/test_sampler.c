// SPDX-License-Identifier: GPL-2.0-or-later
/* Order, number and end of the boots that a sampler makes. */
#include "tests/unit/testbeds/sampler_play.h"

#include <math.h>
#include <signal.h>

static void order_is_the_seeds(void **state)
{
	char first[256];
	unsigned differ = 0;

	(void)state;
	request.samples = 8;
	play_default();
	snprintf(first, sizeof(first), "%s", play.order);
	assert_int_equal(strlen(first), 16);
	assert_int_equal(play.base.boots, 8);
	play_reset();
	play_default();
	assert_string_equal(play.order, first);
	for (request.seed = 2; request.seed < 12; request.seed++) {
		play_reset();
		play_default();
		assert_int_equal(play.base.boots, 8);
		assert_int_equal(play.patched.boots, 8);
		differ += strcmp(play.order, first) != 0;
	}
	assert_int_equal(differ, 10);
	assert_non_null(strstr(result.reason, "(8 boots of each kernel, in random order by seed"));
}

/* Which side comes first is a matter of chance: neither is favoured. */
static void no_side_is_favoured(void **state)
{
	unsigned base_first = 0;

	(void)state;
	for (request.seed = 0; request.seed < 64; request.seed++) {
		play_reset();
		play_default();
		base_first += play.order[0] == 'b';
	}
	assert_in_range(base_first, 16, 48); /* four standard deviations */
}

static void exact_stops_at_once(void **state)
{
	(void)state;
	play.patched.says[0] = X(1100);
	request.budget_s = 1000;
	play_default();
	assert_int_equal(play.base.boots, 3);
	assert_int_equal(play.patched.boots, 3);
	assert_result(OUTCOME_WARN, "x: slower, +10.00 % (3 boots of each kernel, in random order "
				    "by seed 1)");
	assert_string_equal(result.stopped, "every interval is narrow enough");
	assert_int_equal(result.boots, 6);
	assert_true(result.n_metrics == 1 && result.metric[0].exact && result.metric[0].judged);
	assert_true(result.metric[0].low == result.metric[0].change);
}

/* Says 1000 to 1009 and again. */
static void noisy(struct play_side *side, unsigned offset)
{
	static char text[2][SAYS_MAX][64];

	for (unsigned i = 0; i < SAYS_MAX; i++) {
		char *t = text[side == &play.patched][i];

		snprintf(t, 64, "firn: number x %u\n" DONE, 1000 + offset + i * 7 % 10);
		side->says[i] = t;
	}
}

/* Blocks of four: each balanced, and not all in the same order. */
static void assert_blocks(const char *order)
{
	bool differ = false;

	for (const char *block = order; *block; block += 4) {
		unsigned base = 0;

		for (size_t i = 0; i < 4; i++)
			base += block[i] == 'b';
		assert_int_equal(base, 2);
		differ |= strncmp(block, order, 4) != 0;
	}
	assert_true(differ);
}

static void most_ends_it(void **state)
{
	struct sampler_cell cell = play_cell();

	(void)state;
	noisy(&play.base, 0);
	noisy(&play.patched, 0);
	request.budget_s = 1000;
	cell.most = 9;
	play_run(&cell);
	assert_int_equal(play.base.boots, 9);
	assert_int_equal(play.patched.boots, 9);
	assert_blocks(play.order + 6);
	assert_string_equal(result.stopped, "as many samples as are allowed");
	assert_result(OUTCOME_PASS, "unchanged: 1 number (9 boots");
	assert_false(result.metric[0].exact);
}

static void narrow_ends_it(void **state)
{
	struct sampler_cell cell = play_cell();

	(void)state;
	noisy(&play.base, 0);
	noisy(&play.patched, 0);
	request.budget_s = 1000;
	cell.target = 0.02;
	play_run(&cell);
	/* Three of each cannot tell; five can, and lie within 1 %. */
	assert_int_equal(play.base.boots, 5);
	assert_string_equal(result.stopped, "every interval is narrow enough");
	assert_true(result.metric[0].high - result.metric[0].change <= 0.02);
}

static void slow_boot(void)
{
	const struct timespec wait = {.tv_nsec = 10000000};

	nanosleep(&wait, NULL);
}

static void budget_ends_it(void **state)
{
	(void)state;
	noisy(&play.base, 0);
	noisy(&play.patched, 0);
	play.on_boot = slow_boot;
	request.budget_s = 0.2;
	play_default();
	assert_in_range(play.base.boots, 3, 9);
	assert_int_equal(play.base.boots, play.patched.boots);
	assert_string_equal(result.stopped, "the time budget is used up");
	assert_true(result.seconds < 1);
}

static void no_budget_adds_nothing(void **state)
{
	(void)state;
	noisy(&play.base, 0);
	noisy(&play.patched, 0);
	play_default();
	assert_int_equal(play.base.boots, 3);
	assert_null(result.stopped);
	assert_result(OUTCOME_WARN, "x: undecided: 3 and 3 samples");
}

static void request_before_cell_before_default(void **state)
{
	struct sampler_cell cell = play_cell();

	(void)state;
	cell.samples = 5;
	play_run(&cell);
	assert_int_equal(play.base.boots, 5);
	play_reset();
	request.samples = 2;
	play_run(&cell);
	assert_int_equal(play.base.boots, 2);
}

static void seeds_vary_alike_on_both_sides(void **state)
{
	struct sampler_cell cell = play_cell();
	unsigned next[2] = {100, 100};

	(void)state;
	request.samples = 4;
	play_run(&cell);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(play.seed[i], 100);
	play_reset();
	cell.vary_seed = true;
	play_run(&cell);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(play.seed[i], next[play.order[i] == 'p']++);
}

static void clock_mode_is_not_exact(void **state)
{
	(void)state;
	request.mode = BENCH_CLOCK;
	request.samples = 5;
	play.patched.says[0] = X(1100);
	play_default();
	assert_false(play.count[0]);
	assert_false(result.metric[0].exact);
	assert_int_equal(result.metric[0].word, BENCH_SLOWER);
	assert_non_null(strstr(result.metric[0].why, "rank test"));
	play_reset();
	request.mode = BENCH_COUNT;
	play_default();
	assert_true(play.count[0]);
}

static unsigned cells_run(const char *wanted, const char *cell_only)
{
	struct sampler_cell cell = play_cell();
	unsigned boots;

	request.only = wanted;
	cell.only = cell_only;
	play_run(&cell);
	boots = play.base.boots;
	play_reset();
	return boots;
}

static void only_what_is_wanted(void **state)
{
	(void)state;
	assert_int_equal(cells_run("hot-add/16", "hot-add/16"), 3);
	assert_int_equal(cells_run("hot-add/16/first", "hot-add/16"), 3);
	assert_int_equal(cells_run("hot-add", "hot-add/16"), 3);
	assert_int_equal(cells_run("hot-add/16", NULL), 3);
	assert_int_equal(cells_run("hot-add/16", "hot-add/"), 3);
	assert_int_equal(cells_run("hot-add/16", "hot-add/1"), 0);
	assert_int_equal(cells_run("hot-add/16", "hot-add/64"), 0);
	request.only = "hot-add/16";
	struct sampler_cell cell = play_cell();

	cell.only = "hot-add/64";
	play_run(&cell);
	assert_result(OUTCOME_SKIP, "nothing was to be measured");
}

static void consoles_are_kept(void **state)
{
	auto_free char *last = xasprintf("%s/cell-patched-3.console", work);
	auto_str struct str text;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&text, 0);
	play_default();
	assert_ok(fs_read(last, 1000, ERR_INFRA, &text, &err), &err);
	assert_string_equal(text.buf, X(1000));
}

static int run_to_error(struct err *err)
{
	struct sampler_cell cell = play_cell();
	struct sampler s;
	int rc;

	sampler_init(&s, &request);
	rc = sampler_run(&s, &cell, err);
	sampler_done(&s);
	return rc;
}

static void the_testbeds_errors_pass(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	play.fails_at = 3;
	play.fails = ERR_INFRA;
	assert_err(run_to_error(&err), &err, ERR_INFRA, "a cell, ");
	assert_non_null(strstr(err.msg, ": the machine is gone"));
	play_reset();
	play.fails_at = 1;
	play.fails = ERR_CONFIG;
	assert_err(run_to_error(&err), &err, ERR_CONFIG, "the machine is gone");
	play_reset();
	play.fails_at = 2;
	play.fails = ERR_CANCELLED;
	assert_err(run_to_error(&err), &err, ERR_CANCELLED, "");
}

/* Pressed while a boot runs that the testbed nevertheless ends well: the next one is not made. */
static void press(void)
{
	if (strlen(play.order) == 1)
		raise(SIGTERM);
}

static void cancel_between_boots(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	cancel_init();
	play.on_boot = press;
	assert_int_equal(run_to_error(&err), ERR_CANCELLED);
	assert_int_equal(strlen(play.order), 2);
}

struct seen {
	unsigned calls, done, total;
	char first[64];
};

static void on_progress(void *ctx, const char *what, unsigned done, unsigned total)
{
	struct seen *seen = ctx;

	if (!seen->calls++)
		snprintf(seen->first, sizeof(seen->first), "%s", what);
	assert_true(done < total && done >= seen->done);
	seen->done = done;
	seen->total = total;
}

static void progress_is_told(void **state)
{
	struct sampler_cell cell = play_cell();
	struct seen seen = {0};
	struct err err = ERR_INIT;
	struct sampler s;

	(void)state;
	request.on_progress = on_progress;
	request.ctx = &seen;
	play.base.says[0] = PANICS;
	play.base.says[1] = X(1000);
	sampler_init(&s, &request);
	sampler_expect(&s, 6);
	assert_ok(sampler_run(&s, &cell, &err), &err);
	assert_int_equal(seen.calls, 6);
	assert_int_equal(seen.total, 6);
	assert_true(str_starts(seen.first, "a cell, "));
	assert_true(str_ends(seen.first, ", boot 1 of 3"));
	sampler_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAY(order_is_the_seeds),
		PLAY(no_side_is_favoured),
		PLAY(exact_stops_at_once),
		PLAY(most_ends_it),
		PLAY(narrow_ends_it),
		PLAY(budget_ends_it),
		PLAY(no_budget_adds_nothing),
		PLAY(request_before_cell_before_default),
		PLAY(seeds_vary_alike_on_both_sides),
		PLAY(clock_mode_is_not_exact),
		PLAY(only_what_is_wanted),
		PLAY(consoles_are_kept),
		PLAY(the_testbeds_errors_pass),
		PLAY(progress_is_told),
		PLAY(cancel_between_boots), /* last: a cancel stays */
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
