// SPDX-License-Identifier: GPL-2.0-or-later
/* NUMA nodes as the kernel shows them: its own files, and what `numactl -H` makes of these. */
#define _GNU_SOURCE
#include "node.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void node_set_text(const struct node_set *set, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (unsigned i = 0, last; i < NODES_MAX; i = last + 1) {
		last = i;
		if (!set->has[i])
			continue;
		while (last + 1 < NODES_MAX && set->has[last + 1])
			last++;
		n += (size_t)snprintf(buf + n, size - n, last > i ? "%s%u-%u" : "%s%u",
				      n ? "," : "", i, last);
		if (n >= size)
			return;
	}
}

bool read_line(const char *path, char *buf, size_t size)
{
	bool ok = read_file(path, buf, size);

	buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

static enum result test_node_sysfs(void)
{
	static const char *const file[] = {"online", "possible", "has_cpu", "has_memory",
					   "has_normal_memory"};
	char path[96], text[256];
	unsigned shown = 0;

	if (list_count(SYS_NODE "/online") < 0)
		return say(SKIP, "the kernel has no NUMA");
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		snprintf(path, sizeof(path), SYS_NODE "/%s", file[i]);
		if (!read_line(path, text, sizeof(text)))
			continue;
		printf("firn: node %s %s\n", file[i], text);
		shown++;
	}
	return say(shown == sizeof(file) / sizeof(file[0]) ? PASS : FAIL, "%u files", shown);
}

static enum result test_node_balancing(void)
{
	unsigned long on;

	if (!read_number("/proc/sys/kernel/numa_balancing", 10, &on))
		return say(SKIP, "the kernel has no NUMA balancing");
	printf("firn: node numa_balancing %lu\n", on);
	return say(PASS, "%lu", on);
}

/* The nodes that have a folder: this is what libnuma goes by. */
static bool nodes_with_folder(struct node_set *ret)
{
	DIR *d = opendir(SYS_NODE);
	const struct dirent *e;
	unsigned node;

	while (d && (e = readdir(d)) != NULL)
		if (sscanf(e->d_name, "node%u", &node) == 1 && node < NODES_MAX)
			ret->has[node] = true;
	return d && closedir(d) == 0;
}

/* "0 1 2 3" of "0-3". */
static void list_spread(const char *list, char *buf, size_t size)
{
	size_t n = 0;
	char *p = (char *)list;

	buf[0] = '\0';
	while (*p >= '0' && *p <= '9') {
		unsigned long first = strtoul(p, &p, 10);
		unsigned long last = *p == '-' ? strtoul(p + 1, &p, 10) : first;

		for (; first <= last && n < size; first++)
			n += (size_t)snprintf(buf + n, size - n, "%s%lu", n ? " " : "", first);
		p += *p == ',';
	}
}

static unsigned long node_size_kb(unsigned node)
{
	static const char field[] = "MemTotal:";
	char path[96], text[4096], *p;

	snprintf(path, sizeof(path), SYS_NODE "/node%u/meminfo", node);
	if (!read_file(path, text, sizeof(text)))
		return 0;
	p = strstr(text, field);
	return p ? strtoul(p + strlen(field), NULL, 10) : 0;
}

/* Blocks of memory: each has a link in its node's folder. */
static unsigned node_blocks(unsigned node)
{
	const struct dirent *e;
	unsigned n = 0, block;
	char path[96];
	DIR *d;

	snprintf(path, sizeof(path), SYS_NODE "/node%u", node);
	d = opendir(path);
	while (d && (e = readdir(d)) != NULL)
		n += sscanf(e->d_name, "memory%u", &block) == 1;
	if (d)
		closedir(d);
	return n;
}

static void show_node(unsigned node)
{
	char path[96], list[256], cpus[1024], distance[1024];
	unsigned long block;

	snprintf(path, sizeof(path), SYS_NODE "/node%u/cpulist", node);
	read_line(path, list, sizeof(list));
	list_spread(list, cpus, sizeof(cpus));
	printf("firn: node %u/cpus %s\n", node, cpus);
	if (read_number("/sys/devices/system/memory/block_size_bytes", 16, &block))
		printf("firn: node %u/memory %lu MB\n", node, node_blocks(node) * block / MIB);
	printf("firn: node %u/size %lu\n", node, node_size_kb(node) / 1024);
	snprintf(path, sizeof(path), SYS_NODE "/node%u/distance", node);
	read_line(path, distance, sizeof(distance));
	printf("firn: node %u/distances %s\n", node, distance);
}

/* What `numactl -H` would print. */
static enum result test_node_numactl(void)
{
	struct node_set set = {.has = {false}};
	char text[256];
	unsigned n = 0;

	if (!nodes_with_folder(&set))
		return say(SKIP, "the kernel has no NUMA");
	for (unsigned i = 0; i < NODES_MAX; i++)
		n += set.has[i];
	node_set_text(&set, text, sizeof(text));
	printf("firn: node available %u nodes (%s)\n", n, text);
	for (unsigned i = 0; i < NODES_MAX; i++)
		if (set.has[i])
			show_node(i);
	return say(n ? PASS : FAIL, "%u nodes", n);
}

const struct test node_tests[] = {
	{"node-sysfs", test_node_sysfs},     {"node-balancing", test_node_balancing},
	{"node-numactl", test_node_numactl}, {"node-device-tree", test_node_tree},
	{"node-numa01", test_node_numa01},   {"node-numa02", test_node_numa02},
	{"untainted", test_untainted},	     {NULL, NULL},
};
