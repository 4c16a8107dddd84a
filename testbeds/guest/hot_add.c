// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory hot-add: stops the machine, so that the host can plug memory, and looks at what became of
 * it. */
#define _GNU_SOURCE
#include "guest.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define LMB_MIB	 256
#define MEMORY	 "/sys/devices/system/memory"
#define LOG_MAX	 (4 * MIB)
#define WAIT_MAX 60 /* seconds of guest time for the memory to come */

#define BLOCKS_MAX 65536
#define NODES_MAX  64

static struct {
	bool before[BLOCKS_MAX];
	unsigned long total_kb; /* MemTotal before */
	unsigned long block_mib;
	unsigned came, online;
	unsigned on_node[NODES_MAX];
	bool stopped;
} hot;

static void block_seen_before(unsigned long block)
{
	hot.before[block] = true;
}

/* Which node a block is in: its folder has a link node<N>. */
static int block_node(unsigned long block)
{
	char dir[64];
	struct dirent *e;
	int node = -1;
	DIR *d;

	snprintf(dir, sizeof(dir), MEMORY "/memory%lu", block);
	d = opendir(dir);
	while (d && node < 0 && (e = readdir(d)) != NULL)
		if (sscanf(e->d_name, "node%d", &node) != 1)
			node = -1;
	if (d)
		closedir(d);
	return node;
}

static void block_seen_after(unsigned long block)
{
	char path[64];
	unsigned long online = 0;
	int node;

	if (hot.before[block])
		return;
	hot.came++;
	snprintf(path, sizeof(path), MEMORY "/memory%lu/online", block);
	hot.online += read_number(path, 10, &online) && online == 1;
	node = block_node(block);
	if (node >= 0 && node < NODES_MAX)
		hot.on_node[node]++;
}

static void blocks_walk(void (*see)(unsigned long block))
{
	DIR *d = opendir(MEMORY);
	struct dirent *e;
	unsigned long n;

	while (d && (e = readdir(d)) != NULL)
		if (sscanf(e->d_name, "memory%lu", &n) == 1 && n < BLOCKS_MAX)
			see(n);
	if (d)
		closedir(d);
}

/* Walks the lines of the kernel's log that are about the hot-add; prints them when asked to.
 * Returns how many LMBs were reported as added. */
static unsigned hot_add_log(bool print)
{
	static char log[LOG_MAX];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);
	unsigned added = 0;

	log[n > 0 ? n : 0] = '\0';
	for (char *line = log, *end; *line; line = end) {
		end = strchrnul(line, '\n');
		if (*end)
			*end++ = '\0';
		if (!strstr(line, "hot-add"))
			continue;
		added += strstr(line, "was hot-added") != NULL;
		if (print)
			printf("%s\n", line);
	}
	return added;
}

static enum result test_hot_add_stop(void)
{
	int fd = open("/lib/modules/pause.ko", O_RDONLY | O_CLOEXEC);
	unsigned long bytes;

	if (fd < 0)
		return say_errno("/lib/modules/pause.ko");
	if (!read_number(MEMORY "/block_size_bytes", 16, &bytes))
		return say_errno(MEMORY "/block_size_bytes");
	hot.block_mib = bytes / MIB;
	hot.total_kb = meminfo("MemTotal:");
	blocks_walk(block_seen_before);
	/* Only warnings reach the console from here on: printing would be part of what is measured.
	 */
	klogctl(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, 5);
	tcdrain(STDOUT_FILENO);
	if (syscall(SYS_finit_module, fd, "", 0) < 0)
		return say_errno("pause.ko");
	hot.stopped = true;
	close(fd);
	return PASS;
}

static enum result test_hot_add_came(void)
{
	unsigned added = 0;

	if (!hot.stopped)
		return say(SKIP, "the machine did not stop");
	/* Whole seconds of sleep: what is measured takes less, and idle guest time costs the host
	 * nothing. */
	for (int i = 0; i < WAIT_MAX && added < option_number("firn.lmbs"); i++) {
		sleep(1);
		added = hot_add_log(false);
	}
	hot_add_log(true);
	blocks_walk(block_seen_after);
	for (unsigned i = 0; i < NODES_MAX; i++)
		if (hot.on_node[i])
			printf("firn: hot-add placed node%u %u\n", i, hot.on_node[i]);
	printf("firn: hot-add online %u of %u\n", hot.online, hot.came);
	return say(added == option_number("firn.lmbs") &&
				   hot.came * hot.block_mib == option_number("firn.lmbs") * LMB_MIB
			   ? PASS
			   : FAIL,
		   "%u of %u LMBs, %u blocks of %lu MiB", added, option_number("firn.lmbs"),
		   hot.came, hot.block_mib);
}

static enum result test_hot_add_online(void)
{
	if (!hot.came)
		return say(SKIP, "no memory came");
	return say(hot.online == hot.came ? PASS : FAIL, "%u of %u blocks", hot.online, hot.came);
}

static enum result test_hot_add_node(void)
{
	unsigned right = option_number("firn.node") < NODES_MAX
				 ? hot.on_node[option_number("firn.node")]
				 : 0;

	if (!hot.came)
		return say(SKIP, "no memory came");
	return say(right == hot.came ? PASS : FAIL, "%u of %u blocks in node %u", right, hot.came,
		   option_number("firn.node"));
}

static enum result test_hot_add_total(void)
{
	unsigned long grown = (meminfo("MemTotal:") - hot.total_kb) / 1024,
		      given = option_number("firn.lmbs") * LMB_MIB;

	if (!hot.came)
		return say(SKIP, "no memory came");
	return say(grown <= given && grown >= given / 10 * 9 ? PASS : FAIL,
		   "MemTotal has grown by %lu MiB of %lu", grown, given);
}

const struct test hot_add_tests[] = {
	{"hot-add-stop", test_hot_add_stop},
	{"hot-add-came", test_hot_add_came},
	{"hot-add-online", test_hot_add_online},
	{"hot-add-node", test_hot_add_node},
	{"hot-add-total", test_hot_add_total},
	{"untainted", test_untainted},
	{NULL, NULL},
};
