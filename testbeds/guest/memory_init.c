// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory blocks that are there at boot: prints the lines of the kernel's log that their setup lies
 * between. */
#include "guest.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define MEMORY "/sys/devices/system/memory"

static bool setup_begun, setup_ended;

static unsigned long blocks_count(void)
{
	DIR *d = opendir(MEMORY);
	struct dirent *e;
	unsigned long n, blocks = 0;

	while (d && (e = readdir(d)) != NULL)
		blocks += sscanf(e->d_name, "memory%lu", &n) == 1;
	if (d)
		closedir(d);
	return blocks;
}

/* The last line before the setup of memory blocks, the first one after it, and what a kernel says
 * in between. */
static void line_of_setup(char *line)
{
	bool call = strstr(line, "calling  ") != NULL;

	if (strstr(line, "devtmpfs: initialized"))
		setup_begun = true;
	else if (!strstr(line, "memory_dev_init: ") && (!call || !setup_begun || setup_ended))
		return;
	setup_ended |= setup_begun && call;
	printf("%s\n", line);
}

static enum result test_memory_init_marks(void)
{
	kernel_log_walk(line_of_setup);
	return say(setup_ended ? PASS : SKIP, "%s",
		   setup_ended	 ? ""
		   : setup_begun ? "no initcall in the kernel's log (initcall_debug)"
				 : "no \"devtmpfs: initialized\" in the kernel's log");
}

static enum result test_memory_init_blocks(void)
{
	unsigned long bytes, blocks;

	if (!read_number(MEMORY "/block_size_bytes", 16, &bytes))
		return say_errno(MEMORY "/block_size_bytes");
	blocks = blocks_count();
	printf("firn: memory-init blocks %lu\n", blocks);
	return say(blocks * (bytes / MIB) == option_number("firn.memory") ? PASS : FAIL,
		   "%lu blocks of %lu MiB", blocks, bytes / MIB);
}

const struct test memory_init_tests[] = {
	{"memory-init-marks", test_memory_init_marks},
	{"memory-init-blocks", test_memory_init_blocks},
	{"untainted", test_untainted},
	{NULL, NULL},
};
