// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory hot-add: how long the kernel takes to add N LMBs (blocks of 256 MiB) that the host plugs
 * into node 1 as one DIMM, by its own messages, and whether they end up where they were plugged;
 * then as many again, and those back. And how long it takes at boot to set up N blocks that are
 * there already. HOT_ADD.md says how it is measured and what was found.
 *
 * One CPU: with more, a change that does nothing moves the time by a whole timer tick. The guest
 * stops itself before each step (guest/pause), so that the host acts at the same instruction in
 * every boot.
 */
#include "testbeds/bench/hot_add.h"

#include "base/str.h"
#include "testbeds/bench/hot_add_log.h"

#define NODE	   1
#define MEMORY_MIB 1024
/* The same for all common sizes, so that the device tree is too. */
#define MAX_MEMORY_MIB (68 * 1024)
#define LMBS_MAX       2048 /* one DIMM of 512 GiB */
#define AGAIN_MAX      128  /* removing 256 LMBs takes the host as long as all that is smaller */
#define LARGE	       512  /* fewer boots from here on */

static const unsigned lmbs_default[] = {16, 32, 64, 128, 256, 0};
static const unsigned blocks_default[] = {16, 64, 256, 512, 0};

static const char caveat_count[] =
	"Emulated time counts instructions, it is not time on POWER: it shows the length of the "
	"path through the kernel, not cache misses, contention or the interrupt controller.";
static const char caveat_clock[] =
	"On an emulated machine these times are the emulator's on a busy host as much as the "
	"kernel's: a small change cannot be seen in them.";

/* What a boot does with so many LMBs. */
struct plan {
	unsigned lmbs;
	bool again, remove; /* or the first add is all */
};

static struct plan plan_of(const struct bench_request *req, unsigned lmbs)
{
	bool again = lmbs <= AGAIN_MAX;

	return (struct plan){lmbs, again, again && req->testbed->caps & TESTBED_MEMORY_UNPLUG};
}

/* Adds, adds once more, takes away; and nothing when a guest stops more often than it was asked to.
 */
static int step(void *ctx, struct machine *m, struct err *err)
{
	const struct plan *p = ctx;

	if (m->stops == 0 || (m->stops == 1 && p->again))
		return m->ops->add_memory(m, p->lmbs, NODE, err);
	if (m->stops == 2 && p->remove)
		return m->ops->remove_memory(m, err);
	return 0;
}

/* The three things that are timed in one boot. */
static const struct act {
	const char *name, *what, *of;
	bool remove;
	unsigned nth;
} acts[] = {
	{"hot-add", "hot-add of", "LMBs", false, 0},
	{"hot-add-again", "hot-add of", "more LMBs", false, 1},
	{"hot-remove", "hot-remove of", "LMBs", true, 0},
};

static char *act_title(const struct act *a, unsigned lmbs)
{
	return xasprintf("%s %u %s", a->what, lmbs, a->of);
}

static void read_time(const struct act *a, const struct hot_add_op *op, unsigned lmbs,
		      struct sample *ret)
{
	auto_free char *name = xasprintf("%s/%u", a->name, lmbs), *title = act_title(a, lmbs);
	const struct sample_row row = {
		.name = name,
		.title = title,
		.unit = "us",
		.resolution = HOT_ADD_RESOLUTION,
		.floor = a->remove ? HOT_REMOVE_FLOOR : HOT_ADD_FLOOR,
		.group = a->name,
		.x = lmbs,
		.x_title = "LMBs",
	};

	if (hot_add_op_whole(op) && op->asked == lmbs)
		sample_number(ret, &row, (double)op->us);
}

/* "16 in node 1", "12 in node 0, 4 in node 1". */
static char *placed_words(const struct hot_add_placed *p)
{
	auto_str struct str words;

	str_init(&words, 0);
	for (unsigned i = 0; i < HOT_ADD_NODES_MAX; i++)
		if (p->on_node[i])
			str_addf(&words, "%s%u in node %u", words.len ? ", " : "", p->on_node[i],
				 i);
	return str_take(&words);
}

static void read_placed(const struct boot_result *boot, const struct act *a, unsigned lmbs,
			struct sample *ret)
{
	auto_free char *name = xasprintf("%s/%u/placed", a->name, lmbs),
		       *group = act_title(a, lmbs), *right = xasprintf("%u in node %d", lmbs, NODE);
	const struct sample_fact fact = {
		.name = name, .title = "LMBs by node", .group = group, .expected = right};
	struct hot_add_placed placed;

	hot_add_placed_read(boot->console.buf, boot->console.len, a->name, &placed);
	if (!placed.said)
		return;
	auto_free char *words = placed_words(&placed);
	sample_text(ret, &fact, words);
}

/* A kernel may refuse to give memory back: that is no failure, and no time. */
static void read_given_back(const struct act *a, const struct hot_add_op *op, unsigned lmbs,
			    struct sample *ret)
{
	auto_free char *name = xasprintf("%s/%u/result", a->name, lmbs),
		       *group = act_title(a, lmbs),
		       *words = hot_add_op_whole(op)
					? xstrdup("given back")
					: xasprintf("%u of %u given back%s%s", op->done, op->asked,
						    *op->refusal ? ": " : "", op->refusal);
	const struct sample_fact fact = {
		.name = name, .title = "what the kernel did", .group = group};

	sample_text(ret, &fact, words);
}

static void hot_add_read(const struct boot_result *boot, struct sample *ret, const void *ctx)
{
	const struct plan *p = ctx;
	struct hot_add_log log;

	hot_add_log_read(boot->console.buf, boot->console.len, &log);
	for (size_t i = 0; i < array_size(acts); i++) {
		const struct act *a = &acts[i];
		const struct hot_add_op *op = hot_add_log_op(&log, a->remove, a->nth);

		if (op)
			read_time(a, op, p->lmbs, ret);
		if (op && a->remove)
			read_given_back(a, op, p->lmbs, ret);
		if (!a->remove)
			read_placed(boot, a, p->lmbs, ret);
	}
}

/* The one of the cell's names that is asked for, since it has several. */
static char *cell_only(const struct bench_request *req, unsigned lmbs)
{
	for (size_t i = 1; req->only && i < array_size(acts); i++)
		if (str_starts(req->only, acts[i].name))
			return xasprintf("%s/%u", acts[i].name, lmbs);
	return xasprintf("%s/%u", acts[0].name, lmbs);
}

static unsigned least_samples(unsigned lmbs)
{
	return lmbs >= LARGE ? 2 : 3;
}

static int lmbs_run(struct sampler *s, unsigned lmbs, struct err *err)
{
	struct plan plan = plan_of(s->req, lmbs);
	auto_free char *title = xasprintf("hot-add of %u LMBs", lmbs),
		       *slug = xasprintf("%u", lmbs), *only = cell_only(s->req, lmbs),
		       *append = xasprintf("firn.mode=hot-add firn.lmbs=%u firn.node=%d "
					   "firn.again=%d firn.remove=%d",
					   lmbs, NODE, plan.again, plan.remove);
	unsigned need = MEMORY_MIB + lmbs * (plan.again ? 2 : 1) * HOT_ADD_LMB_MIB;
	const struct sampler_cell cell = {
		.slug = slug,
		.title = title,
		.boot = {.append = append,
			 .cpus = 1,
			 .nodes = 2,
			 .memory_mib = MEMORY_MIB,
			 .max_memory_mib = need > MAX_MEMORY_MIB ? need : MAX_MEMORY_MIB,
			 .seed = HOT_ADD_SEED,
			 /* the guest says nothing while it adds */
			 .silence_s = 60 + lmbs / 4.0,
			 .on_stop = step,
			 .ctx = &plan},
		.read = hot_add_read,
		.ctx = &plan,
		.only = only,
		.samples = least_samples(lmbs),
	};

	return sampler_run(s, &cell, err);
}

static bool has_blocks(unsigned blocks)
{
	return blocks >= MEMORY_INIT_LEAST && blocks <= MEMORY_INIT_MOST;
}

static int sizes_check(const struct bench_request *req, struct err *err)
{
	for (const unsigned *n = req->sizes; n && *n; n++)
		if (*n > LMBS_MAX)
			return err_set(err, ERR_CONFIG, "hot-add of %u LMBs: at most %u", *n,
				       LMBS_MAX);
	return 0;
}

static void expect(struct sampler *s, const unsigned *lmbs, const unsigned *blocks)
{
	unsigned asked = s->req->samples;

	for (; *lmbs; lmbs++)
		sampler_expect(s, 2 * (asked ? asked : least_samples(*lmbs)));
	for (; *blocks; blocks++)
		if (has_blocks(*blocks))
			sampler_expect(s, 2 * (asked ? asked : MEMORY_INIT_SAMPLES));
}

static int cells_run(struct sampler *s, struct err *err)
{
	const unsigned *sizes = s->req->sizes, *lmbs = sizes ? sizes : lmbs_default,
		       *blocks = sizes ? sizes : blocks_default;
	int rc = 0;

	expect(s, lmbs, blocks);
	for (; *lmbs && rc == 0; lmbs++)
		rc = lmbs_run(s, *lmbs, err);
	for (; *blocks && rc == 0; blocks++)
		if (has_blocks(*blocks))
			rc = memory_init_run(s, *blocks, err);
	return rc;
}

static int hot_add_run(const struct bench_request *req, struct bench_result *ret, struct err *err)
{
	struct sampler s;
	int rc = sizes_check(req, err);

	if (rc < 0)
		return rc;
	sampler_init(&s, req);
	rc = cells_run(&s, err);
	if (rc == 0) {
		sampler_judge(&s, ret);
		hot_add_tables(ret, req->work_dir, req->sizes ? *req->sizes : *lmbs_default);
		ret->caveat = xstrdup(req->mode == BENCH_COUNT ? caveat_count : caveat_clock);
	}
	sampler_done(&s);
	return rc;
}

const struct bench bench_hot_add = {
	.name = "hot-add",
	.summary = "time and placement of memory that is hot-added, hot-removed, or there at boot",
	.needs = TESTBED_BOOT | TESTBED_MEMORY_HOTPLUG | TESTBED_NUMA,
	.sizes = "LMBs",
	.run = hot_add_run,
};
