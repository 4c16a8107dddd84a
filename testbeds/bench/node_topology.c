// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/node_offline.h"

#include "base/str.h"

/* Measured on kernels that differ in nothing but where their code is: see NODE_OFFLINE.md. */
#define FLOOR_TIME   0.0005
#define FLOOR_FAULTS 0.25

const struct node_topology node_topologies[] = {
	{"empty-node0", "empty node 0, nodes 1 and 2", 3, {{0, 0}, {2, 512}, {2, 512}}, true},
	{"all-in-node1", "empty node 0, all in node 1", 2, {{0, 0}, {4, 1024}}, true},
	{"memory-only", "node 1 has memory only", 2, {{4, 512}, {0, 512}}, false},
	{"cpu-only", "node 1 has CPUs only", 2, {{2, 512}, {2, 0}}, false},
	{"cpu-only-node0", "node 0 has CPUs only", 2, {{2, 0}, {2, 512}}, false},
	{"two-nodes", "two ordinary nodes", 2, {{2, 512}, {2, 512}}, false},
	{0},
};

const char *const node_works[] = {"numa01", "numa02", NULL};

const char *const node_counters[] = {
	"numa_hint_faults",
	"numa_hint_faults_local",
	"numa_hit",
	"numa_local",
	"numa_pte_updates",
	"numa_huge_pte_updates",
	"numa_pages_migrated",
	"pgfault",
	"pgmajfault",
	NULL,
};

enum { HAS_CPU = 1, HAS_MEMORY = 2 };

static bool node_has(const struct boot_node *n, int what)
{
	return (what & HAS_CPU && n->cpus) || (what & HAS_MEMORY && n->memory_mib);
}

/* The nodes that have one of these, as the kernel lists them: "0,2-3". */
static char *nodes_text(const struct node_topology *t, int what)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (unsigned i = 0, last; i < t->nodes; i = last + 1) {
		last = i;
		if (!node_has(&t->node[i], what))
			continue;
		while (last + 1 < t->nodes && node_has(&t->node[last + 1], what))
			last++;
		str_addf(&s, last > i ? "%s%u-%u" : "%s%u", s.len ? "," : "", i, last);
	}
	return str_take(&s);
}

static unsigned nodes_count(const struct node_topology *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->nodes; i++)
		n += node_has(&t->node[i], HAS_CPU | HAS_MEMORY);
	return n;
}

/* "0 1 2 3": as numactl lists them. */
static char *cpus_text(unsigned first, unsigned n)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (unsigned i = 0; i < n; i++)
		str_addf(&s, "%s%u", i ? " " : "", first + i);
	return str_take(&s);
}

static void describe_node(const struct node_topology *t, unsigned node, unsigned first,
			  struct said *said)
{
	const struct boot_node *n = &t->node[node];
	auto_free char *cpus = cpus_text(first, n->cpus),
		       *memory = xasprintf("%u MB", n->memory_mib),
		       *cpus_key = xasprintf("%u/cpus", node),
		       *memory_key = xasprintf("%u/memory", node),
		       *distances_key = xasprintf("%u/distances", node),
		       *size_key = xasprintf("%u/size", node),
		       *cpus_title = xasprintf("numactl: node %u cpus", node),
		       *memory_title = xasprintf("memory of node %u, all its blocks", node),
		       *distances_title = xasprintf("numactl: node %u distances", node),
		       *size_title = xasprintf("numactl: node %u size", node);
	const struct sample_row size = {
		.unit = "MiB", .higher_is_better = true, .shown_only = true};

	said_add_fact(said, cpus_key, cpus_title, cpus);
	said_add_fact(said, memory_key, memory_title, memory);
	said_add_fact(said, distances_key, distances_title, NULL); /* the firmware's */
	said_add_number(said, size_key, size_title, &size);
}

static void describe_nodes(const struct node_topology *t, struct said *said)
{
	auto_free char *all = nodes_text(t, HAS_CPU | HAS_MEMORY), *cpu = nodes_text(t, HAS_CPU),
		       *memory = nodes_text(t, HAS_MEMORY),
		       *available = xasprintf("%u nodes (%s)", nodes_count(t), all);

	said_add_fact(said, "available", "numactl: available", available);
	said_add_fact(said, "online", "/sys/devices/system/node/online", all);
	said_add_fact(said, "possible", "/sys/devices/system/node/possible", NULL);
	said_add_fact(said, "has_cpu", "/sys/devices/system/node/has_cpu", cpu);
	said_add_fact(said, "has_memory", "/sys/devices/system/node/has_memory", memory);
	said_add_fact(said, "has_normal_memory", "/sys/devices/system/node/has_normal_memory",
		      memory);
	said_add_fact(said, "numa_balancing", "/proc/sys/kernel/numa_balancing",
		      nodes_count(t) > 1 ? "1" : "0");
	said_add_fact(said, "tree_cpus", "nodes with CPUs by the device tree", cpu);
	said_add_fact(said, "tree_memory", "nodes with memory by the device tree", memory);
	said_add_fact(said, "agrees", "online nodes are those of the device tree", "yes");
}

static void describe_work(const struct node_topology *t, const char *work, struct said *said)
{
	static const struct {
		const char *key, *title;
		bool judged;
	} time[] = {{"real", "real time", true},
		    {"user", "user time", false},
		    {"sys", "system time", false}};
	auto_free char *faults = xasprintf("%s/faults", work),
		       *faults_title = xasprintf("%s: NUMA hint faults", work);

	for (size_t i = 0; i < array_size(time); i++) {
		auto_free char *key = xasprintf("%s/%s", work, time[i].key),
			       *title = xasprintf("%s, %s", work, time[i].title);

		said_add_number(said, key, title,
				&(struct sample_row){.unit = "us",
						     .shown_only = !time[i].judged,
						     .resolution = 1,
						     .floor = FLOOR_TIME});
	}
	for (const char *const *c = node_counters; *c; c++) {
		auto_free char *key = xasprintf("%s/%s", work, *c),
			       *title = xasprintf("%s, %s", work, *c);
		/* With several nodes their number is chance: it differs by half from seed to seed.
		 */
		bool judged = nodes_count(t) == 1 && strcmp(*c, "numa_hint_faults") == 0;

		said_add_number(said, key, title,
				&(struct sample_row){.unit = "count",
						     .shown_only = !judged,
						     .resolution = 0.5,
						     .floor = FLOOR_FAULTS});
	}
	if (nodes_count(t) == 1)
		said_add_fact(said, faults, faults_title, "none");
}

void node_topology_describe(const struct node_topology *t, struct said *said)
{
	unsigned first = 0;

	describe_nodes(t, said);
	for (unsigned i = 0; i < t->nodes; first += t->node[i++].cpus)
		if (node_has(&t->node[i], HAS_CPU | HAS_MEMORY))
			describe_node(t, i, first, said);
	for (const char *const *w = node_works; t->work && *w; w++)
		describe_work(t, *w, said);
}
