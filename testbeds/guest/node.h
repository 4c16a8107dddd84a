/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about NUMA nodes share. Lines for the host: "firn: node NAME TEXT". */
#ifndef FIRN_GUEST_NODE_H
#define FIRN_GUEST_NODE_H

#include "guest.h"

#define NODES_MAX 256 /* the kernel's own limit on powerpc */
#define SYS_NODE  "/sys/devices/system/node"

struct node_set {
	bool has[NODES_MAX];
};

/* "0,2-3", as the kernel writes it; "" for the empty set. */
void node_set_text(const struct node_set *set, char *buf, size_t size);

/* The file's first line. False when it cannot be read. */
bool read_line(const char *path, char *buf, size_t size);

/* Which nodes have CPUs and memory by the device tree (PAPR: ibm,associativity). False with the
 * reason in ret_why when it does not say. */
bool node_tree_read(struct node_set *cpus, struct node_set *memory, const char **ret_why);

enum result test_node_tree(void), test_node_numa01(void), test_node_numa02(void);

#endif
