// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory hot-add: how long the kernel takes to add N LMBs (blocks of 256 MiB) that the host plugs
 * into node 1 as one DIMM, by its own messages, and whether they end up where they were plugged.
 *
 * One CPU: with more, a change that does nothing moves the time by a whole timer tick. The guest
 * stops itself before (guest/pause), so that the host plugs at the same instruction in every boot.
 */
#include "testbeds/bench/bench.h"

#include "base/str.h"
#include "testbeds/bench/hot_add_log.h"
#include "testbeds/bench/pair.h"
#include "testbeds/bench/stats.h"

#define NODE	   1
#define LMB_MIB	   256
#define MEMORY_MIB 1024
/* The same for all common sizes, so that the device tree is too. Much more costs start-up. */
#define MAX_MEMORY_MIB (64 * 1024)
#define LMBS_MAX       4096 /* one DIMM of 1 TiB */

#define GUEST_SEED 1 /* of the machine, not of the order: the same in every boot */

#define RESOLUTION_US 2.0
#define FLOOR	      0.0005

#define EVIDENCE_MAX 20

static const unsigned lmbs_default[] = {16, 64, 0};

static const char caveat[] =
	"Emulated time counts instructions, it is not time on POWER: it shows the length of the "
	"path "
	"through the kernel, not cache misses, contention or the interrupt controller.";

static int plug(void *ctx, struct machine *m, struct err *err)
{
	return m->ops->add_memory(m, *(const unsigned *)ctx, NODE, err);
}

static bool measure(const struct boot_result *boot, double *ret)
{
	struct hot_add_log log;

	hot_add_log_read(boot->console.buf, boot->console.len, &log);
	if (log.timed)
		*ret = (double)log.us;
	return log.timed;
}

static void evidence_add(struct bench_result *r, const char *line, size_t n)
{
	if (r->n_evidence == EVIDENCE_MAX)
		return;
	r->evidence = xreallocarray(r->evidence, r->n_evidence + 1, sizeof(*r->evidence));
	r->evidence[r->n_evidence++] = xmemdup(line, n);
}

static void evidence_add_tail(struct bench_result *r, const struct str *text)
{
	const char *p = text->buf + text->len;
	unsigned lines = 0;

	while (p > text->buf && lines <= EVIDENCE_MAX)
		lines += *--p == '\n';
	for (size_t n; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		if (n)
			evidence_add(r, p, n);
	}
}

/* What the kernel complained of, else where its console ended. */
static void evidence_add_boot(struct bench_result *r, const struct boot_result *boot)
{
	const struct complaint *c = boot->n_complaints ? &boot->complaint[0] : NULL;

	for (size_t i = 0; i < boot->n_complaints; i++)
		if (boot->complaint[i].kind == COMPLAINT_PANIC)
			c = &boot->complaint[i];
	if (!c) {
		evidence_add_tail(r, &boot->console);
		return;
	}
	for (size_t i = 0; i < c->n_lines; i++)
		evidence_add(r, c->line[i], strlen(c->line[i]));
}

/* Keeps the worst outcome with its reason; the first of equals. The reason is taken over. */
static void result_say(struct bench_result *r, enum outcome o, char *reason)
{
	if (r->reason && outcome_worse(o, r->outcome) == r->outcome) {
		free(reason);
		return;
	}
	free(r->reason);
	r->outcome = o;
	r->reason = reason;
}

static void judge_bad_boot(struct bench_result *r, const struct pair *p)
{
	const struct pair_side *base = &p->side[PAIR_BASE], *patched = &p->side[PAIR_PATCHED];

	r->base_bad |= base->bad;
	r->patched_bad |= patched->bad;
	if (base->bad) {
		result_say(r, OUTCOME_ERROR,
			   xasprintf("%s: the base kernel ends badly too: %s", p->title,
				     base->shown.reason));
		evidence_add_boot(r, &base->shown);
	} else {
		result_say(
			r, OUTCOME_FAIL,
			xasprintf("%s: the base kernel gets through, the patched one does not: %s",
				  p->title, patched->shown.reason));
		evidence_add_boot(r, &patched->shown);
	}
}

/* "landed on node 0 (16 of 16)": the first wrong node. NULL when all are right. The caller frees.
 */
static char *misplaced(const struct boot_result *boot)
{
	struct hot_add_log log;

	hot_add_log_read(boot->console.buf, boot->console.len, &log);
	for (unsigned i = 0; i < HOT_ADD_NODES_MAX; i++)
		if (i != NODE && log.on_node[i])
			return xasprintf(
				"memory plugged into node %d landed on node %u (%u blocks)", NODE,
				i, log.on_node[i]);
	return NULL;
}

static void judge_failure(struct bench_result *r, const struct pair *p, const struct ktap_test *t)
{
	const struct boot_result *patched = &p->side[PAIR_PATCHED].shown;
	auto_free char *where = misplaced(patched),
		       *line = xasprintf("patched: not ok %s # %s", t->name, t->note);

	result_say(r, OUTCOME_FAIL,
		   where ? xasprintf("%s: %s; on the base kernel it lands right", p->title, where)
			 : xasprintf("%s: %s: %s; passes on the base kernel", p->title, t->name,
				     t->note));
	evidence_add(r, line, strlen(line));
	if (patched->n_complaints)
		evidence_add_boot(r, patched);
}

/* False when a check failed: then the time is of something else than was asked for. */
static bool judge_checks(struct bench_result *r, const struct pair *p)
{
	const struct ktap_test *new = pair_new_failure(p), *old = pair_base_failure(p);

	if (new)
		judge_failure(r, p, new);
	else if (old)
		result_say(r, OUTCOME_ERROR,
			   xasprintf("%s: %s fails on the base kernel already (%s), so this series "
				     "cannot be judged",
				     p->title, old->name, old->note));
	return !new && !old;
}

static struct bench_metric *metric_add(struct bench_result *r, struct pair *p, unsigned lmbs)
{
	struct bench_metric *m;

	r->metric = xreallocarray(r->metric, r->n_metrics + 1, sizeof(*r->metric));
	m = &r->metric[r->n_metrics++];
	*m = (struct bench_metric){.name = xasprintf("hot-add/%u", lmbs),
				   .title = xstrdup(p->title),
				   .unit = xstrdup("us"),
				   .lower_is_better = true};
	pair_take_samples(p, m);
	stats_judge(m, RESOLUTION_US, FLOOR);
	return m;
}

static void judge_number(struct bench_result *r, const struct bench_metric *m)
{
	switch (m->word) {
	case BENCH_SLOWER:
		result_say(r, OUTCOME_WARN,
			   xasprintf("%s: slower, %+.2f %%", m->title, m->change * 100));
		break;
	case BENCH_UNDECIDED:
		result_say(r, OUTCOME_WARN, xasprintf("%s: undecided: %s", m->title, m->why));
		break;
	case BENCH_FASTER:
		result_say(r, OUTCOME_PASS,
			   xasprintf("%s: faster, %+.2f %%", m->title, m->change * 100));
		break;
	case BENCH_UNCHANGED: break;
	}
}

static void judge(struct bench_result *r, struct pair *p, unsigned lmbs)
{
	const struct bench_metric *m;

	if (p->side[PAIR_BASE].bad || p->side[PAIR_PATCHED].bad) {
		judge_bad_boot(r, p);
		return;
	}
	m = metric_add(r, p, lmbs);
	if (judge_checks(r, p))
		judge_number(r, m);
}

/* One size: boots, numbers, judgement. */
static int size_run(const struct bench_request *req, struct pair *p, unsigned lmbs,
		    struct bench_result *r, struct err *err)
{
	auto_free char *title = xasprintf("hot-add of %u LMBs", lmbs),
		       *slug = xasprintf("%u", lmbs),
		       *append =
			       xasprintf("firn.mode=hot-add firn.lmbs=%u firn.node=%d", lmbs, NODE);
	unsigned need = MEMORY_MIB + lmbs * LMB_MIB;
	int rc;

	*p = (struct pair){.req = req,
			   .title = title,
			   .slug = slug,
			   .measure = measure,
			   .done = p->done,
			   .total = p->total};
	p->boot = (struct boot_spec){
		.append = append,
		.cpus = 1,
		.nodes = 2,
		.memory_mib = MEMORY_MIB,
		.max_memory_mib = need > MAX_MEMORY_MIB ? need : MAX_MEMORY_MIB,
		.count = true,
		.seed = GUEST_SEED,
		.silence_s = 60 + lmbs / 4.0, /* the guest says nothing while it adds */
		.on_stop = plug,
		.ctx = &lmbs,
	};
	rc = pair_run(p, err);
	if (rc == 0)
		judge(r, p, lmbs);
	pair_done(p);
	return rc;
}

/* Several sizes slower: the reason names them all. */
static void result_list_slower(struct bench_result *r)
{
	auto_str struct str list;
	unsigned n = 0;

	str_init(&list, 0);
	for (size_t i = 0; i < r->n_metrics; i++)
		if (r->metric[i].word == BENCH_SLOWER)
			str_addf(&list, "%s%s: slower, %+.2f %%", n++ ? "; " : "",
				 r->metric[i].title, r->metric[i].change * 100);
	if (n < 2 || r->outcome != OUTCOME_WARN)
		return;
	free(r->reason);
	r->reason = str_take(&list);
}

static void result_add_order(struct bench_result *r, const struct bench_request *req)
{
	auto_free char *reason = r->reason;

	r->reason = xasprintf("%s (%u boots of each kernel and size, in random order by seed %u)",
			      reason, pair_samples(req), req->seed);
}

static int hot_add_run(const struct bench_request *req, struct bench_result *ret, struct err *err)
{
	const unsigned *lmbs = req->sizes ? req->sizes : lmbs_default;
	struct bench_result r = {.caveat = xstrdup(caveat)};
	struct pair p = {0};
	int rc = 0;

	for (const unsigned *n = lmbs; *n; n++)
		p.total += 2 * pair_samples(req);
	for (; *lmbs && rc == 0; lmbs++) {
		if (*lmbs > LMBS_MAX)
			rc = err_set(err, ERR_CONFIG, "hot-add of %u LMBs: at most %u", *lmbs,
				     LMBS_MAX);
		else
			rc = size_run(req, &p, *lmbs, &r, err);
	}
	if (rc < 0) {
		bench_result_done(&r);
		return rc;
	}
	result_say(&r, OUTCOME_PASS, xstrdup("hot-add: unchanged"));
	result_list_slower(&r);
	result_add_order(&r, req);
	*ret = r;
	return 0;
}

const struct bench bench_hot_add = {
	.name = "hot-add",
	.summary = "time and placement of memory that is hot-added",
	.needs = TESTBED_BOOT | TESTBED_COUNT | TESTBED_MEMORY_HOTPLUG | TESTBED_NUMA,
	.run = hot_add_run,
};
