// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which nodes have CPUs and memory by the device tree, which the kernel reads too.
 *
 * Linux on Power Architecture Reference (PAPR), "NUMA Resource Associativity": a resource's
 * ibm,associativity is a count and so many domain numbers, from large to small; the first of
 * ibm,associativity-reference-points says which of them is the node. Memory that may come and go
 * is in ibm,dynamic-memory or, packed, in ibm,dynamic-memory-v2; each block has an index into
 * ibm,associativity-lookup-arrays.
 */
#define _GNU_SOURCE
#include "node.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#define TREE	   "/proc/device-tree"
#define DYNAMIC	   TREE "/ibm,dynamic-reconfiguration-memory"
#define CELLS_MAX  65536
#define ASSIGNED   0x8 /* the block is the guest's */
#define AI_INVALID 0x40

/* A property of 32-bit cells, the most significant byte first. */
struct cells {
	uint32_t v[CELLS_MAX];
	size_t n;
};

static bool cells_read(const char *path, struct cells *ret)
{
	static unsigned char raw[CELLS_MAX * 4];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t part;

	if (fd < 0)
		return false;
	while (n < sizeof(raw) && (part = read(fd, raw + n, sizeof(raw) - n)) > 0)
		n += (size_t)part;
	close(fd);
	ret->n = n / 4;
	for (size_t i = 0; i < ret->n; i++)
		ret->v[i] = (uint32_t)raw[4 * i] << 24 | (uint32_t)raw[4 * i + 1] << 16 |
			    (uint32_t)raw[4 * i + 2] << 8 | raw[4 * i + 3];
	return ret->n > 0;
}

/* Which of the domain numbers is the node. Counted from 1; 0: not said. */
static uint32_t node_index(void)
{
	static struct cells c;

	return cells_read(TREE "/rtas/ibm,associativity-reference-points", &c) ? c.v[0] : 0;
}

static void set_add(struct node_set *set, uint32_t node)
{
	if (node < NODES_MAX)
		set->has[node] = true;
}

/* Adds the node of each child of `dir` whose name begins with `prefix`. */
static void children_add(const char *dir, const char *prefix, uint32_t index, struct node_set *set)
{
	static struct cells c;
	DIR *d = opendir(dir);
	const struct dirent *e;

	while (d && (e = readdir(d)) != NULL) {
		char path[512];

		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s/ibm,associativity", dir, e->d_name);
		if (cells_read(path, &c) && index < c.n && index <= c.v[0])
			set_add(set, c.v[index]);
	}
	if (d)
		closedir(d);
}

/* Rows of ibm,associativity-lookup-arrays: how many, how long, then the numbers; no count before
 * each. */
static void block_add(const struct cells *arrays, uint32_t row, uint32_t flags, uint32_t index,
		      struct node_set *set)
{
	uint64_t at;

	if (!(flags & ASSIGNED) || flags & AI_INVALID || arrays->n < 2 || row >= arrays->v[0] ||
	    index > arrays->v[1])
		return;
	at = 2 + (uint64_t)row * arrays->v[1] + index - 1;
	if (at < arrays->n)
		set_add(set, arrays->v[at]);
}

/* Behind the count, rows of `width` cells that end in index and flags. */
static void blocks_add(const char *path, unsigned width, uint32_t index, struct node_set *set)
{
	static struct cells arrays, rows;

	if (!cells_read(DYNAMIC "/ibm,associativity-lookup-arrays", &arrays) ||
	    !cells_read(path, &rows))
		return;
	for (size_t at = 1; at + width <= rows.n; at += width)
		block_add(&arrays, rows.v[at + width - 2], rows.v[at + width - 1], index, set);
}

bool node_tree_read(struct node_set *cpus, struct node_set *memory, const char **ret_why)
{
	uint32_t index = node_index();

	if (!index) {
		*ret_why = "no ibm,associativity-reference-points";
		return false;
	}
	children_add(TREE "/cpus", "PowerPC,", index, cpus);
	children_add(TREE, "memory@", index, memory);
	/* Address (2 cells), DRC index, a reserved one, index, flags. */
	blocks_add(DYNAMIC "/ibm,dynamic-memory", 6, index, memory);
	/* How many blocks, address (2 cells), DRC index, index, flags. */
	blocks_add(DYNAMIC "/ibm,dynamic-memory-v2", 6, index, memory);
	return true;
}

enum result test_node_tree(void)
{
	struct node_set cpus = {.has = {false}}, memory = {.has = {false}};
	char text[256], online[256];
	const char *why;

	if (!node_tree_read(&cpus, &memory, &why))
		return say(SKIP, "%s", why);
	node_set_text(&cpus, text, sizeof(text));
	printf("firn: node tree_cpus %s\n", text);
	node_set_text(&memory, text, sizeof(text));
	printf("firn: node tree_memory %s\n", text);
	for (unsigned i = 0; i < NODES_MAX; i++)
		cpus.has[i] |= memory.has[i];
	node_set_text(&cpus, text, sizeof(text));
	read_line(SYS_NODE "/online", online, sizeof(online));
	if (strcmp(text, online) == 0)
		printf("firn: node agrees yes\n");
	else
		printf("firn: node agrees no: online %s, device tree %s\n", online, text);
	return say(PASS, "resources in nodes %s", text);
}
