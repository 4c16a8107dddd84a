// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUs go offline and come back through sysfs, round after round, and one more is plugged and taken
 * away while the kernel runs.
 *
 * Always on the host's clock: a functional test, and QEMU 7.2 aborts when a CPU is taken away while
 * it counts instructions ("qemu_thread_join: Resource deadlock avoided": there all CPUs are one
 * thread). The times are shown and not judged.
 */
#include "testbeds/bench/said.h"

#include "base/str.h"

#define ROUNDS	   2
#define SAMPLES	   2
#define GUEST_SEED 1
#define NODE	   1 /* where the plugged CPU comes: the last one that has some */

static const struct boot_node nodes[] = {{2, 512}, {2, 512}};
#define CPUS 4

static const char caveat[] =
	"A functional test: what was tried and what worked. Times are those of an emulator on the "
	"host's clock, and are shown only.";

/* The guest stops twice: for a CPU to come, and to go. */
static int on_stop(void *ctx, struct machine *m, struct err *err)
{
	(void)ctx;
	return m->stops == 0 ? m->ops->add_cpu(m, err) : m->ops->remove_cpu(m, err);
}

static void describe(struct said *said, bool plug)
{
	const struct sample_row time = {.unit = "us", .shown_only = true, .resolution = -1};
	auto_free char *all = xasprintf("%u of %u", ROUNDS * CPUS, ROUNDS * CPUS),
		       *node = xasprintf("%d", NODE);

	said_add_fact(said, "offline", "CPUs taken offline", all);
	said_add_fact(said, "online", "CPUs brought back", all);
	if (plug) {
		said_add_fact(said, "plugged", "a plugged CPU comes", "online");
		said_add_fact(said, "plugged_node", "the plugged CPU's node", node);
		said_add_fact(said, "unplugged", "the plugged CPU goes", "gone");
	}
	said_add_number(said, "offline_us", "time to take one offline", &time);
	said_add_number(said, "online_us", "time to bring one back", &time);
}

static int cpu_hotplug_run(const struct bench_request *req, struct bench_result *ret,
			   struct err *err)
{
	struct bench_request clock = *req;
	bool plug = req->testbed->caps & TESTBED_CPU_HOTPLUG;
	auto_free char *append = xasprintf("firn.mode=cpu-hotplug firn.rounds=%d firn.plug=%d "
					   "firn.node=%d",
					   ROUNDS, plug, NODE);
	struct said said = {
		.prefix = "firn: cpu ", .name = "cpu-hotplug", .title = "two nodes, four CPUs"};
	const struct sampler_cell cell = {
		.slug = "cpu-hotplug",
		.title = "CPU hotplug",
		.boot = {.append = append,
			 .nodes = array_size(nodes),
			 .node = nodes,
			 .max_cpus = plug ? CPUS + 1 : 0,
			 .seed = GUEST_SEED,
			 .on_stop = plug ? on_stop : NULL},
		.read = said_read,
		.ctx = &said,
		.samples = SAMPLES,
	};
	int rc;

	describe(&said, plug);
	clock.mode = BENCH_CLOCK;
	rc = said_bench_run(&clock, &cell, caveat, ret, err);
	said_done(&said);
	return rc;
}

const struct bench bench_cpu_hotplug = {
	.name = "cpu-hotplug",
	.summary = "CPUs that go offline and come back, and one that is plugged",
	.needs = TESTBED_BOOT | TESTBED_NUMA,
	.module = "pause",
	.run = cpu_hotplug_run,
};
