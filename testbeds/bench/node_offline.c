// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NUMA nodes that are empty, or have CPUs or memory only: what the kernel shows of them must follow
 * from what they have. On two machines with an empty node 0 two workloads tell what it costs when
 * it does not.
 */
#include "testbeds/bench/node_offline.h"

#include "base/str.h"

/* Passes over the memory: about 2.5 s of guest time each with four CPUs. */
#define LOOPS_NUMA01 30
#define LOOPS_NUMA02 240

#define GUEST_SEED 1

/* For facts two boots are enough to be certain. With eight judged numbers a rank test needs six
 * samples of each side to be able to say anything. */
#define SAMPLES_FACTS 2
#define SAMPLES_WORK  6
#define SAMPLES_MOST  10
#define TARGET	      0.002 /* of real time: what six samples reach with two nodes */

static const char caveat[] =
	"Nodes are judged by what the kernel shows. Emulated time counts the instructions of all "
	"CPUs together: it shows the length of the path (hint faults, scans, migration), not what "
	"memory in another node costs; user and system time are split by timer ticks, which says "
	"little there.";

static unsigned topology_samples(const struct node_topology *t, const struct bench_request *req)
{
	return req->samples ? req->samples : t->work ? SAMPLES_WORK : SAMPLES_FACTS;
}

static int topology_run(struct sampler *s, const struct node_topology *t, struct err *err)
{
	auto_free char
		*name = xasprintf("node-offline/%s", t->name),
		*append = xasprintf(
			"firn.mode=node-offline firn.topology=%s firn.numa01=%d firn.numa02=%d",
			t->name, t->work ? LOOPS_NUMA01 : 0, t->work ? LOOPS_NUMA02 : 0);
	struct said said = {.prefix = "firn: node ", .name = name, .title = t->title};
	const struct sampler_cell cell = {
		.slug = t->name,
		.title = t->title,
		.boot = {.append = append, .nodes = t->nodes, .node = t->node, .seed = GUEST_SEED},
		.read = said_read,
		.ctx = &said,
		.only = name,
		.samples = topology_samples(t, s->req),
		.most = SAMPLES_MOST,
		.target = TARGET,
		.vary_seed = t->work,
	};
	int rc;

	node_topology_describe(t, &said);
	rc = sampler_run(s, &cell, err);
	said_done(&said);
	return rc;
}

static int node_offline_run(const struct bench_request *req, struct bench_result *ret,
			    struct err *err)
{
	struct sampler s;
	int rc = 0;

	sampler_init(&s, req);
	for (const struct node_topology *t = node_topologies; t->name; t++)
		sampler_expect(&s, 2 * topology_samples(t, req));
	for (const struct node_topology *t = node_topologies; t->name && rc == 0; t++)
		rc = topology_run(&s, t, err);
	if (rc == 0) {
		sampler_judge(&s, ret);
		ret->caveat = xstrdup(caveat);
		for (const struct node_topology *t = node_topologies; t->name; t++)
			node_tables_add(t, ret);
	}
	sampler_done(&s);
	return rc;
}

const struct bench bench_node_offline = {
	.name = "node-offline",
	.summary = "NUMA nodes without CPUs or memory, and what NUMA balancing costs",
	.needs = TESTBED_BOOT | TESTBED_NUMA,
	.run = node_offline_run,
};
