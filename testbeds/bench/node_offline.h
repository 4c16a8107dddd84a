/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines whose NUMA nodes are uneven, and what a kernel must say about them. (Offline memoryless
 * cpuless node 0: linuxppc-dev, June 2020.)
 */
#ifndef FIRN_TESTBEDS_NODE_OFFLINE_H
#define FIRN_TESTBEDS_NODE_OFFLINE_H

#include "testbeds/bench/said.h"

#define NODE_TOPOLOGY_MAX 4

struct node_topology {
	const char *name, *title; /* "all-in-node1"; "empty node 0, all in node 1" */
	unsigned nodes;
	struct boot_node node[NODE_TOPOLOGY_MAX];
	bool work; /* the workloads are run here too */
};
extern const struct node_topology node_topologies[]; /* a NULL name at the end */

/* The workloads, as the guest names them, and the counters of /proc/vmstat that are shown; NULL at
 * the end. */
extern const char *const node_works[], *const node_counters[];

/* The facts of that machine with what must hold, and its numbers. */
void node_topology_describe(const struct node_topology *t, struct said *said);

/* The tables of times and counters; none where nothing was measured. */
void node_tables_add(const struct node_topology *t, struct bench_result *r);

#endif
