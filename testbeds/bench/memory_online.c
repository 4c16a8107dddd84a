// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory blocks go offline and come back through sysfs: those of the boot as far as they can, and
 * those of a DIMM that is plugged while the kernel runs.
 *
 * One CPU: with more, a change that does nothing moves a time by a whole timer tick.
 */
#include "testbeds/bench/said.h"

#include "base/str.h"

#define ROUNDS	       2
#define SAMPLES	       3
#define GUEST_SEED     1
#define LMBS	       4
#define NODE	       1
#define MAX_MEMORY_MIB (64 * 1024)

/* What a change that does nothing moves these times by, and more: see NODE_OFFLINE.md. */
#define FLOOR 0.005

static const struct boot_node nodes[] = {{1, 1024}, {0, 1024}};

static const char caveat[] = "A functional test with times. How many blocks of the boot can go "
			     "depends on what the kernel "
			     "happened to put there, and is no fault. Emulated time counts "
			     "instructions, it is not time on "
			     "POWER.";

static int plug(void *ctx, struct machine *m, struct err *err)
{
	(void)ctx;
	return m->ops->add_memory(m, LMBS, NODE, err);
}

static void describe_blocks(struct said *said, const char *what, const char *words, bool judged)
{
	const struct sample_row time = {
		.unit = "us", .resolution = 1, .floor = FLOOR, .shown_only = !judged};
	auto_free char *off = xasprintf("%s/offline_us", what),
		       *on = xasprintf("%s/online_us", what),
		       *off_title = xasprintf("time to take a %s offline", words),
		       *on_title = xasprintf("time to bring a %s back", words);

	said_add_number(said, off, off_title, &time);
	said_add_number(said, on, on_title, &time);
}

static void describe_plug(struct said *said)
{
	auto_free char *came = xasprintf("%u of %u", LMBS, LMBS),
		       *all = xasprintf("%u of %u", LMBS * ROUNDS, LMBS * ROUNDS);

	said_add_fact(said, "plug/came", "plugged blocks that came", came);
	said_add_fact(said, "plug/offline", "plugged blocks taken offline", NULL);
	said_add_fact(said, "plug/online", "plugged blocks brought back", NULL);
	said_add_fact(said, "movable/offline", "blocks of movable memory taken offline", all);
	said_add_fact(said, "movable/online", "blocks of movable memory brought back", all);
	describe_blocks(said, "plug", "plugged block", false);
	describe_blocks(said, "movable", "block of movable memory", true);
}

static void describe(struct said *said, bool plugs)
{
	said_add_fact(said, "boot/offline", "blocks of the boot taken offline", NULL);
	said_add_fact(said, "boot/online", "blocks of the boot brought back", NULL);
	said_add_fact(said, "total", "MemTotal was right", NULL);
	describe_blocks(said, "boot", "block of the boot", false);
	if (plugs)
		describe_plug(said);
}

static int memory_online_run(const struct bench_request *req, struct bench_result *ret,
			     struct err *err)
{
	bool plugs = req->testbed->caps & TESTBED_MEMORY_HOTPLUG;
	auto_free char *append = xasprintf("firn.mode=memory-online firn.rounds=%d firn.lmbs=%d",
					   ROUNDS, plugs ? LMBS : 0);
	struct said said = {
		.prefix = "firn: memory ", .name = "memory-online", .title = "memory blocks"};
	const struct sampler_cell cell = {
		.slug = "memory-online",
		.title = "memory online and offline",
		.boot = {.append = append,
			 .nodes = array_size(nodes),
			 .node = nodes,
			 .max_memory_mib = plugs ? MAX_MEMORY_MIB : 0,
			 .seed = GUEST_SEED,
			 .on_stop = plugs ? plug : NULL},
		.read = said_read,
		.ctx = &said,
		.samples = SAMPLES,
	};
	int rc;

	describe(&said, plugs);
	rc = said_bench_run(req, &cell, caveat, ret, err);
	said_done(&said);
	return rc;
}

const struct bench bench_memory_online = {
	.name = "memory-online",
	.summary = "memory blocks that go offline and come back, of the boot and plugged",
	.needs = TESTBED_BOOT | TESTBED_NUMA,
	.module = "pause",
	.run = memory_online_run,
};
