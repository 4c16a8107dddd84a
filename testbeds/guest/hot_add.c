// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory hot-add: stops the machine, so that the host can plug memory, and looks at what became of
 * it; once more with as much again; and a third time, when the host asks for the last of it back.
 */
#define _GNU_SOURCE
#include "guest.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#define LMB_MIB 256
#define MEMORY	"/sys/devices/system/memory"

#define BLOCKS_MAX 65536
#define NODES_MAX  64

static struct {
	bool before[BLOCKS_MAX];
	unsigned long total_kb; /* MemTotal before */
	unsigned long block_mib;
	unsigned came, online, left;
	unsigned on_node[NODES_MAX];
	bool stopped;
	unsigned added, removed; /* LMBs, by the kernel's log */
	char refusal[160];	 /* what the kernel says otherwise about it */
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

	if (hot.before[block]) {
		hot.left++;
		return;
	}
	hot.came++;
	snprintf(path, sizeof(path), MEMORY "/memory%lu/online", block);
	hot.online += read_number(path, 10, &online) && online == 1;
	node = block_node(block);
	if (node >= 0 && node < NODES_MAX)
		hot.on_node[node]++;
}

static unsigned blocks_walk(void (*see)(unsigned long block))
{
	DIR *d = opendir(MEMORY);
	struct dirent *e;
	unsigned long n;
	unsigned blocks = 0;

	while (d && (e = readdir(d)) != NULL)
		if (sscanf(e->d_name, "memory%lu", &n) == 1 && n < BLOCKS_MAX) {
			blocks++;
			see(n);
		}
	if (d)
		closedir(d);
	return blocks;
}

static unsigned blocks_before; /* the last stop */

static bool is_about_hotplug(const char *line)
{
	return strstr(line, "hotplug-mem") || strstr(line, "hot-add") || strstr(line, "hot-remove");
}

static void line_count(char *line)
{
	const char *text = strstr(line, "] ");

	if (!is_about_hotplug(line))
		return;
	if (strstr(line, "was hot-added"))
		hot.added++;
	else if (strstr(line, "was hot-removed"))
		hot.removed++;
	else if (!strstr(line, "Attempting to"))
		snprintf(hot.refusal, sizeof(hot.refusal), "%s", text ? text + 2 : line);
}

/* A warning; what is worse was on the console at once. */
static bool is_warning(const char *line)
{
	return strncmp(line, "<4>", 3) == 0;
}

static void line_print(char *line)
{
	if (is_about_hotplug(line) || is_warning(line))
		printf("%s\n", line);
}

static void log_count(void)
{
	hot.added = hot.removed = 0;
	kernel_log_walk(line_count);
}

static unsigned log_added(void)
{
	log_count();
	return hot.added;
}

static unsigned log_removed(void)
{
	log_count();
	return hot.removed;
}

/* Whole seconds of sleep: what is measured takes less, and idle guest time costs the host nothing.
 * A kernel that can't isn't waited for much longer than one that can takes. */
static unsigned wait_for(unsigned (*count)(void))
{
	unsigned want = option_number("firn.lmbs"), limit = 20 + want / 32, n = 0;

	for (unsigned s = 0; s < limit && n < want; s++) {
		sleep(1);
		n = count();
	}
	kernel_log_walk(line_print);
	return n;
}

static enum result stop(void)
{
	unsigned long bytes;

	memset(&hot, 0, sizeof(hot));
	if (!read_number(MEMORY "/block_size_bytes", 16, &bytes))
		return say_errno(MEMORY "/block_size_bytes");
	hot.block_mib = bytes / MIB;
	hot.total_kb = meminfo("MemTotal:");
	blocks_before = blocks_walk(block_seen_before);
	/* Only errors reach the console from here on, the rest is printed afterwards: printing
	 * would be part of what is measured. */
	klogctl(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, 4);
	kernel_log_clear();
	hot.stopped = machine_stop() == PASS;
	return hot.stopped ? PASS : FAIL;
}

/* `slug`: which of the adds. In LMBs, whatever the size of a block is. */
static void placement_print(const char *slug)
{
	for (unsigned i = 0; i < NODES_MAX; i++)
		if (hot.on_node[i])
			printf("firn: %s placed node%u %lu\n", slug, i,
			       hot.on_node[i] * hot.block_mib / LMB_MIB);
}

static enum result came(const char *slug)
{
	unsigned lmbs = option_number("firn.lmbs");

	if (!hot.stopped)
		return say(SKIP, "the machine did not stop");
	wait_for(log_added);
	blocks_walk(block_seen_after);
	placement_print(slug);
	return say(hot.added == lmbs && hot.came * hot.block_mib == (unsigned long)lmbs * LMB_MIB
			   ? PASS
			   : FAIL,
		   "%u of %u LMBs, %u blocks of %lu MiB%s%s", hot.added, lmbs, hot.came,
		   hot.block_mib, hot.refusal[0] ? ": " : "", hot.refusal);
}

static enum result test_online(void)
{
	if (!hot.came)
		return say(SKIP, "no memory came");
	return say(hot.online == hot.came ? PASS : FAIL, "%u of %u blocks", hot.online, hot.came);
}

static enum result test_node(void)
{
	unsigned want = option_number("firn.node"), right, other = 0;

	if (!hot.came)
		return say(SKIP, "no memory came");
	right = want < NODES_MAX ? hot.on_node[want] : 0;
	while (other < NODES_MAX && (other == want || !hot.on_node[other]))
		other++;
	if (other < NODES_MAX)
		return say(FAIL, "memory plugged into node %u landed in node %u (%u of %u blocks)",
			   want, other, hot.on_node[other], hot.came);
	return say(right == hot.came ? PASS : FAIL, "%u of %u blocks in node %u", right, hot.came,
		   want);
}

static enum result test_total(void)
{
	unsigned long grown = (meminfo("MemTotal:") - hot.total_kb) / 1024,
		      given = (unsigned long)option_number("firn.lmbs") * LMB_MIB;

	if (!hot.came)
		return say(SKIP, "no memory came");
	return say(grown <= given && grown >= given / 10 * 9 ? PASS : FAIL,
		   "MemTotal has grown by %lu MiB of %lu", grown, given);
}

static enum result test_hot_add_came(void)
{
	return came("hot-add");
}

static enum result test_again_stop(void)
{
	if (!option_number("firn.again")) {
		memset(&hot, 0, sizeof(hot));
		return say(SKIP, "not asked for");
	}
	return stop();
}

static enum result test_again_came(void)
{
	return came("hot-add-again");
}

static enum result test_remove_stop(void)
{
	if (!option_number("firn.remove")) {
		memset(&hot, 0, sizeof(hot));
		return say(SKIP, "not asked for");
	}
	return stop();
}

/* A kernel may refuse: what lies in that memory cannot always be moved. */
static enum result test_remove_gone(void)
{
	unsigned lmbs = option_number("firn.lmbs"), n, gone;

	if (!hot.stopped)
		return say(SKIP, "the machine did not stop");
	n = wait_for(log_removed);
	blocks_walk(block_seen_after);
	gone = blocks_before - hot.left;
	if (n < lmbs)
		return say(SKIP, "the kernel gave back %u of %u LMBs: %s", n, lmbs,
			   hot.refusal[0] ? hot.refusal : "it does not say why");
	return say(gone * hot.block_mib == (unsigned long)lmbs * LMB_MIB ? PASS : FAIL,
		   "%u LMBs given back, %u blocks of %lu MiB gone", n, gone, hot.block_mib);
}

const struct test hot_add_tests[] = {
	{"hot-add-stop", stop},
	{"hot-add-came", test_hot_add_came},
	{"hot-add-online", test_online},
	{"hot-add-node", test_node},
	{"hot-add-total", test_total},
	{"hot-add-again-stop", test_again_stop},
	{"hot-add-again-came", test_again_came},
	{"hot-add-again-online", test_online},
	{"hot-add-again-node", test_node},
	{"hot-add-again-total", test_total},
	/* Taking memory away warns on some kernels; a new warning is seen as a complaint. */
	{"untainted", test_untainted},
	{"hot-remove-stop", test_remove_stop},
	{"hot-remove-gone", test_remove_gone},
	{NULL, NULL},
};
