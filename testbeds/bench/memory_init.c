// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long the kernel takes at boot to set up its memory blocks (one for each LMB): the devices in
 * /sys/devices/system/memory, and their links to nodes.
 */
#include "testbeds/bench/hot_add.h"

#include "base/str.h"
#include "testbeds/bench/hot_add_log.h"

static void number_take(struct sample *s, const char *name, const char *title, unsigned blocks,
			double us)
{
	auto_free char *full = xasprintf("%s/%u", name, blocks),
		       *words = xasprintf("%s, %u blocks", title, blocks);
	const struct sample_row row = {
		.name = full,
		.title = words,
		.unit = "us",
		.resolution = HOT_ADD_RESOLUTION,
		.floor = HOT_ADD_FLOOR,
		.shown_only = strcmp(name, "memory-init") != 0,
		.group = name,
		.x = blocks,
		.x_title = "blocks",
	};

	sample_number(s, &row, us);
}

/* How many blocks the guest has found; 0: it does not say. */
static unsigned long blocks_said(const struct boot_result *boot)
{
	const char *pos = boot->console.buf, *line;
	size_t n;

	if (!sample_line(boot, &pos, "firn: memory-init blocks ", &line, &n))
		return 0;
	auto_free char *text = xmemdup(line, n);
	return strtoul(text, NULL, 10);
}

/* What keeps the time from being one of so many blocks; NULL: nothing. The caller frees. */
static char *why_not(const struct memory_init_log *log, unsigned long said, unsigned blocks)
{
	if (said != blocks)
		return xasprintf("the kernel has %lu blocks where %u are meant, so nothing is "
				 "timed",
				 said, blocks);
	return log->timed ? NULL : xstrdup("the kernel's log lacks them, so nothing is timed");
}

static void memory_init_read(const struct boot_result *boot, struct sample *ret, const void *ctx)
{
	const unsigned *blocks = ctx;
	struct memory_init_log log;

	memory_init_log_read(boot->console.buf, boot->console.len, &log);
	auto_free char *name = xasprintf("memory-init/%u/marks", *blocks),
		       *group = xasprintf("boot with %u memory blocks", *blocks),
		       *why = why_not(&log, blocks_said(boot), *blocks);
	const struct sample_fact marks = {
		.name = name, .title = "what the setup is timed by", .group = group};

	sample_text(ret, &marks, why ? why : "devtmpfs to the first initcall");
	if (why)
		return;
	number_take(ret, "memory-init", "setup of memory at boot", *blocks, (double)log.us);
	if (log.own_timed)
		number_take(ret, "memory-dev-init", "memory_dev_init() by its own lines", *blocks,
			    (double)log.own_us);
}

int memory_init_run(struct sampler *s, unsigned blocks, struct err *err)
{
	auto_free char *title = xasprintf("boot with %u memory blocks", blocks),
		       *slug = xasprintf("memory-init-%u", blocks),
		       *only = xasprintf("memory-init/%u", blocks);
	const struct sampler_cell cell = {
		.slug = slug,
		.title = title,
		.boot = {.append = "firn.mode=memory-init initcall_debug",
			 .cpus = 1,
			 .memory_mib = blocks * HOT_ADD_LMB_MIB,
			 /* without room for more, blocks are of 16 MiB */
			 .max_memory_mib = (blocks + 4) * HOT_ADD_LMB_MIB,
			 .seed = HOT_ADD_SEED,
			 .silence_s = 60 + blocks / 8.0},
		.read = memory_init_read,
		.ctx = &blocks,
		.only = only,
		.samples = MEMORY_INIT_SAMPLES,
	};

	return sampler_run(s, &cell, err);
}
