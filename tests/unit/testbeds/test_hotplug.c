// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu-hotplug and memory-online on a machine that is made up: what is asked of it at each stop, and
 * what is made of what its guest says. */
#include "tests/unit/testbeds/sampler_play.h"

#define STOP "firn: planned stop\n"
#define CPU_GOOD                                                                                   \
	KERNEL "firn: cpu offline 8 of 8\nfirn: cpu online 8 of 8\nfirn: cpu offline_us "          \
	       "1.5\n" STOP "firn: cpu plugged online\nfirn: cpu plugged_node 1\n" STOP            \
	       "firn: cpu unplugged gone\n" DONE
#define CPU_STAYS                                                                                  \
	KERNEL "firn: cpu offline 7 of 8\nfirn: cpu online 7 of 7\n" STOP                          \
	       "firn: cpu plugged online\nfirn: cpu plugged_node 0\n" STOP                         \
	       "firn: cpu unplugged gone\n" DONE
#define CPU_HANGS_AFTER_PLUG KERNEL STOP "[    0.200000] Kernel panic - not syncing: no room\n"
#define MEMORY_GOOD                                                                                \
	KERNEL STOP "firn: memory plug/came 4 of 4\nfirn: memory movable/offline 8 of 8\n"         \
		    "firn: memory movable/online 8 of 8\nfirn: memory movable/offline_us 100.5\n"  \
		    "firn: memory boot/offline 2 of 8\n" DONE
#define MEMORY_STAYS                                                                               \
	KERNEL STOP "firn: memory plug/came 4 of 4\nfirn: memory movable/offline 7 of 8\n"         \
		    "firn: memory movable/online 7 of 7\nfirn: memory movable/offline_us 90\n"     \
		    "firn: memory boot/offline 3 of 8\n" DONE

static struct {
	char asked[256]; /* '+' and '-' for CPUs, 'm' for memory, ' ' a boot */
	unsigned lmbs, node;
	bool refuse, fail_remove;
	bool clock; /* a boot was on the host's clock */
} made_up;

static int ask(char what, struct err *err)
{
	size_t n = strlen(made_up.asked);

	if (n + 1 < sizeof(made_up.asked))
		made_up.asked[n] = what;
	return made_up.refuse ? err_set(err, ERR_INFRA, "the socket is closed") : 0;
}

static int add_memory(struct machine *m, unsigned lmbs, unsigned node, struct err *err)
{
	(void)m;
	made_up.lmbs = lmbs;
	made_up.node = node;
	return ask('m', err);
}

static int add_cpu(struct machine *m, struct err *err)
{
	(void)m;
	return ask('+', err);
}

static int remove_cpu(struct machine *m, struct err *err)
{
	(void)m;
	if (made_up.fail_remove)
		return err_set(err, ERR_INFRA, "the CPU cannot go");
	return ask('-', err);
}

static const struct machine_ops ops = {
	.add_memory = add_memory, .add_cpu = add_cpu, .remove_cpu = remove_cpu};

/* Plays what is written down, and stops where it says so. */
static int made_up_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
			struct err *err)
{
	struct machine machine = {.ops = &ops};
	int rc;

	made_up.clock |= !spec->count;
	rc = ask(' ', err);
	if (rc == 0)
		rc = play_boot(arg, spec, ret, err);
	for (const char *p = rc == 0 ? ret->console.buf : ""; (p = strstr(p, STOP)) != NULL; p++) {
		assert_non_null(spec->on_stop);
		rc = spec->on_stop(spec->ctx, &machine, err);
		if (rc < 0)
			break;
		machine.stops++;
	}
	if (rc < 0)
		boot_result_done(ret);
	return rc;
}

static const struct testbed made_up_testbed = {
	.name = "made-up",
	.caps = TESTBED_BOOT | TESTBED_COUNT | TESTBED_NUMA | TESTBED_MEMORY_HOTPLUG |
		TESTBED_CPU_HOTPLUG,
	.boot = made_up_boot,
};

static int run(const struct bench *bench, const char *base, const char *patched, struct err *err)
{
	memset(made_up.asked, 0, sizeof(made_up.asked));
	request.testbed = &made_up_testbed;
	request.mode = BENCH_COUNT;
	play.base.says[0] = base;
	play.patched.says[0] = patched;
	return bench_run(bench, &request, &result, err);
}

static void cpus_come_and_go(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(run(&bench_cpu_hotplug, CPU_GOOD, CPU_GOOD, &err), &err);
	assert_result(OUTCOME_PASS, "unchanged: ");
	assert_int_equal(result.n_facts, 5);
	assert_int_equal(result.n_metrics, 1);
	assert_false(result.metric[0].judged);
	assert_string_equal(made_up.asked, " +- +- +- +-");
	assert_true(made_up.clock);		    /* QEMU aborts otherwise */
	assert_int_equal(result.mode, BENCH_CLOCK); /* and the report says so */
}

static void a_cpu_that_stays(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(run(&bench_cpu_hotplug, CPU_GOOD, CPU_STAYS, &err), &err);
	assert_result(OUTCOME_FAIL, "CPUs taken offline is \"7 of 8\" and must be \"8 of 8\"");
	assert_true(has_evidence("the plugged CPU's node"));
}

/* A boot that ends between the two stops does not make the next one begin with the second. */
static void a_boot_that_ends_early(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(run(&bench_cpu_hotplug, CPU_GOOD, CPU_HANGS_AFTER_PLUG, &err), &err);
	assert_result(OUTCOME_FAIL, "the patched one does not");
	for (const char *p = made_up.asked; *p; p++)
		if (*p == ' ')
			assert_int_equal(p[1], '+');
}

static void a_testbed_without_hotplug(void **state)
{
	struct testbed none = made_up_testbed;
	struct err err = ERR_INIT;

	(void)state;
	none.caps = TESTBED_BOOT | TESTBED_NUMA;
	request.testbed = &none;
	play.base.says[0] = play.patched.says[0] =
		KERNEL "firn: cpu offline 8 of 8\nfirn: cpu online 8 of 8\n" DONE;
	memset(made_up.asked, 0, sizeof(made_up.asked));
	assert_ok(bench_run(&bench_cpu_hotplug, &request, &result, &err), &err);
	assert_result(OUTCOME_PASS, "unchanged: ");
	assert_int_equal(result.n_facts, 2);
	assert_string_equal(made_up.asked, "    ");
}

static void a_machine_that_fails(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	made_up.fail_remove = true;
	assert_err(run(&bench_cpu_hotplug, CPU_GOOD, CPU_GOOD, &err), &err, ERR_INFRA,
		   "the CPU cannot go");
	made_up.fail_remove = false;
	made_up.refuse = true;
	assert_err(run(&bench_memory_online, MEMORY_GOOD, MEMORY_GOOD, &err), &err, ERR_INFRA,
		   "the socket is closed");
	made_up.refuse = false;
}

static void memory_comes_and_goes(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(run(&bench_memory_online, MEMORY_GOOD, MEMORY_GOOD, &err), &err);
	assert_result(OUTCOME_PASS, "unchanged: ");
	assert_int_equal(made_up.lmbs, 4);
	assert_int_equal(made_up.node, 1);
	assert_string_equal(made_up.asked, " m m m m m m");
	assert_string_equal(result.metric[0].name, "memory-online/movable/offline_us");
	assert_true(result.metric[0].judged && result.metric[0].exact);
}

static void memory_that_stays(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(run(&bench_memory_online, MEMORY_GOOD, MEMORY_STAYS, &err), &err);
	assert_result(OUTCOME_FAIL, "blocks of movable memory taken offline is \"7 of 8\"");
	/* Which blocks of the boot can go is chance. */
	assert_false(has_evidence("blocks of the boot"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAY(cpus_come_and_go),	      PLAY(a_cpu_that_stays),
		PLAY(a_boot_that_ends_early), PLAY(a_testbed_without_hotplug),
		PLAY(a_machine_that_fails),   PLAY(memory_comes_and_goes),
		PLAY(memory_that_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
