/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A testbed that is played: what each boot of each kernel says is written down before. */
#ifndef FIRN_TESTS_SAMPLER_PLAY_H
#define FIRN_TESTS_SAMPLER_PLAY_H

#include "tests/unit/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "testbeds/bench/sampler.h"
#include "testbeds/console.h"

#define DONE	 "firn: done\n"
#define KERNEL	 "[    0.100000] Linux version 6.1\n"
#define PANICS	 KERNEL "[    0.160000] Kernel panic - not syncing: Fatal exception\n"
#define X(v)	 "firn: number x " #v "\n" DONE
#define KTAP_OK	 "KTAP version 1\n1..1\nok 1 lands\n"
#define KTAP_BAD "KTAP version 1\n1..1\nnot ok 1 lands # on node 0\n"

#define SAYS_MAX 48

/* What the boots of one kernel say, the last again and again. */
struct play_side {
	const char *says[SAYS_MAX];
	unsigned boots;
};

static struct play {
	struct play_side base, patched;
	char order[256];    /* "bpbp..." */
	unsigned seed[256]; /* of the guest */
	bool count[256];
	int fails_at; /* the boot of this number is an error of the testbed; 0: none */
	enum err_kind fails;
	void (*on_boot)(void);
} play;

static struct bench_request request;
static struct bench_result result;
static char work[64];

static int play_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		     struct err *err)
{
	bool is_base = strcmp(spec->kernel, "base") == 0;
	struct play_side *side = is_base ? &play.base : &play.patched;
	size_t n = strlen(play.order);
	unsigned at = side->boots;
	struct console c;

	(void)arg;
	if (play.fails_at && n + 1 == (size_t)play.fails_at)
		return err_set(err, play.fails, "the machine is gone");
	if (play.on_boot)
		play.on_boot();
	while (at && (at >= SAYS_MAX || !side->says[at]))
		at--;
	if (n < sizeof(play.order) - 1) {
		play.order[n] = is_base ? 'b' : 'p';
		play.seed[n] = spec->seed;
		play.count[n] = spec->count;
	}
	side->boots++;
	console_init(&c, 0);
	console_feed(&c, side->says[at], strlen(side->says[at]));
	console_finish(&c, CONSOLE_EXITED, 0, ret);
	console_done(&c);
	return 0;
}

static const struct testbed play_testbed = {
	.name = "played", .caps = TESTBED_BOOT | TESTBED_COUNT, .boot = play_boot};

/* "firn: number NAME VALUE", "firn: text NAME TEXT"; a name that begins with "must" is expected to
 * say "right". */
static void play_read(const struct boot_result *boot, struct sample *ret, const void *ctx)
{
	const struct sample_row *row = ctx;
	const char *pos = boot->console.buf, *line;
	size_t n;

	while (sample_line(boot, &pos, "firn: number ", &line, &n)) {
		auto_free char *text = xmemdup(line, n);
		char *value = strchr(text, ' ');
		struct sample_row r = *row;

		*value++ = '\0';
		r.name = r.title = text;
		sample_number(ret, &r, strtod(value, NULL));
	}
	pos = boot->console.buf;
	while (sample_line(boot, &pos, "firn: text ", &line, &n)) {
		auto_free char *text = xmemdup(line, n);
		char *value = strchr(text, ' ');

		*value++ = '\0';
		const struct sample_fact fact = {.name = text,
						 .title = text,
						 .expected =
							 str_starts(text, "must") ? "right" : NULL};

		sample_text(ret, &fact, value);
	}
}

static const struct sample_row play_row = {.unit = "us", .resolution = 2, .floor = 0.0005};

static struct sampler_cell play_cell(void)
{
	return (struct sampler_cell){.slug = "cell",
				     .title = "a cell",
				     .boot = {.seed = 100},
				     .read = play_read,
				     .ctx = &play_row};
}

/* One cell, to the end. */
static void play_run(const struct sampler_cell *cell)
{
	struct err err = ERR_INIT;
	struct sampler s;

	sampler_init(&s, &request);
	assert_ok(sampler_run(&s, cell, &err), &err);
	sampler_judge(&s, &result);
	sampler_done(&s);
}

static inline void play_default(void)
{
	struct sampler_cell cell = play_cell();

	play_run(&cell);
}

static inline void assert_result(enum outcome outcome, const char *reason)
{
	if (result.outcome != outcome || !strstr(result.reason, reason))
		fail_msg("%s: %s", outcome_name(result.outcome), result.reason);
}

static inline bool has_evidence(const char *text)
{
	for (size_t i = 0; i < result.n_evidence; i++)
		if (strstr(result.evidence[i], text))
			return true;
	return false;
}

/* A new run of the same test. */
static void play_reset(void)
{
	bench_result_done(&result);
	play = (struct play){.base.says = {X(1000)}, .patched.says = {X(1000)}};
}

static int play_setup(void **state)
{
	(void)state;
	play_reset();
	snprintf(work, sizeof(work), "/tmp/firn-sampler-XXXXXX");
	request = (struct bench_request){.testbed = &play_testbed,
					 .base.vmlinux = "base",
					 .patched.vmlinux = "patched",
					 .seed = 1,
					 .work_dir = work};
	return mkdtemp(work) ? 0 : -1;
}

static int play_teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	bench_result_done(&result);
	return fs_rmtree(work, &err);
}

#define PLAY(fn) cmocka_unit_test_setup_teardown(fn, play_setup, play_teardown)

#endif
