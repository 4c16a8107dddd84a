// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interprocessor interrupts: how many the kernel can send in a second among more and more CPUs of
 * two nodes, under XIVE and XICS, with and without the detector of unhandled interrupts; and which
 * interrupt line serves which CPUs, since what sharing one costs is nothing that an emulator could
 * measure. IPI.md has what was measured.
 */
#include "testbeds/bench/ipi.h"

#include "base/str.h"

#define SIZE_LEAST 2
#define SIZES_MAX  (IPI_RUNS_MAX / IPI_KINDS)

/* Each boot has a guest seed of its own. With 48 numbers that are judged together a rank test
 * needs eight samples of each side to be able to say anything. */
#define SAMPLES 10
#define MOST	20

#define GUEST_SEED 1

/* For numbers of a thousand calls that take 5 ms: shorter than a timer tick. */
#define COUNT_IPIS    1000
#define COUNT_REPEATS 7
#define COUNT_MS      5000

/* More than can be sent, so that the time ends it. */
#define CLOCK_IPIS    3000000
#define CLOCK_REPEATS 3
#define CLOCK_MS      100

static const unsigned sizes_default[] = {2, 4, 8, 0};

const struct ipi_setup ipi_setups[IPI_SETUPS] = {
	[IPI_XIVE] = {"xive", "XIVE", "", false},
	[IPI_XIVE_NOIRQDEBUG] = {"xive-noirqdebug", "XIVE, noirqdebug", " noirqdebug", false},
	[IPI_XICS] = {"xics", "XICS", "", true},
	[IPI_XICS_NOIRQDEBUG] = {"xics-noirqdebug", "XICS, noirqdebug", " noirqdebug", true},
};

static const char caveat_count[] =
	"Emulated time counts the instructions of all CPUs together: it shows the length of the "
	"path from sender to handler and not what cache lines cost that CPUs of several nodes "
	"share, nor the interrupt controller. Which line serves which CPUs is judged by "
	"/proc/interrupts.";
static const char caveat_clock[] =
	"Wall time: on an emulated machine it shows how busy the host was more than how good the "
	"kernel is. Which line serves which CPUs is judged by /proc/interrupts.";

static const char note_count[] =
	"All emulated CPUs share one clock: rates do not grow with CPUs as on a real machine.";

char *ipi_metric_name(const struct ipi_setup *setup, enum ipi_kind kind, unsigned cpus)
{
	return xasprintf("ipi/%s/%s/%u", setup->name, ipi_kind_name[kind], cpus);
}

static int sizes_check(const unsigned *sizes, unsigned *ret_largest, struct err *err)
{
	unsigned largest = 0;
	size_t n = 0;

	for (; sizes[n]; n++) {
		if (n == SIZES_MAX)
			return err_set(err, ERR_CONFIG, "ipi: at most %d sizes", SIZES_MAX);
		if (sizes[n] < SIZE_LEAST || sizes[n] > IPI_CPUS_MAX)
			return err_set(err, ERR_CONFIG, "ipi among %u CPUs: from %d to %d",
				       sizes[n], SIZE_LEAST, IPI_CPUS_MAX);
		largest = sizes[n] > largest ? sizes[n] : largest;
	}
	*ret_largest = largest + largest % IPI_NODES;
	return 0;
}

/* The guest's part of the kernel command line. The caller frees. */
static char *append_make(const struct ipi_setup *setup, const struct bench_request *req,
			 const unsigned *sizes)
{
	bool count = req->mode == BENCH_COUNT;
	auto_str struct str s;

	str_init(&s, 0);
	str_addf(&s, "firn.mode=ipi firn.count=%d firn.repeats=%d firn.ms=%d firn.ipi=",
		 count ? COUNT_IPIS : CLOCK_IPIS, count ? COUNT_REPEATS : CLOCK_REPEATS,
		 count ? COUNT_MS : CLOCK_MS);
	for (const unsigned *n = sizes; *n; n++)
		str_addf(&s, "%s%u", n > sizes ? "," : "", *n);
	/* A CPU whose tick is stopped takes a tenth longer to wake up. Whether it is depends on
	 * what else goes on. */
	str_addf(&s, "%s%s", count ? " nohz=off" : "", setup->append);
	return str_take(&s);
}

static int setup_run(struct sampler *s, const struct ipi_setup *setup, const unsigned *sizes,
		     unsigned cpus, struct err *err)
{
	auto_free char *append = append_make(setup, s->req, sizes),
		       *title = xasprintf("IPIs, %s", setup->title),
		       *only = xasprintf("ipi/%s/", setup->name);
	const struct ipi_cell ctx = {.setup = setup, .cpus = cpus};
	const struct sampler_cell cell = {
		.slug = setup->name,
		.title = title,
		.boot = {.append = append,
			 .cpus = cpus,
			 .nodes = IPI_NODES,
			 .xics = setup->xics,
			 .seed = GUEST_SEED},
		.read = ipi_read,
		.ctx = &ctx,
		.only = only,
		.samples = SAMPLES,
		.most = MOST,
		.vary_seed = true,
	};

	return sampler_run(s, &cell, err);
}

static bool setup_possible(const struct ipi_setup *setup, const struct testbed *t)
{
	return !setup->xics || t->caps & TESTBED_XICS;
}

static int setups_run(struct sampler *s, const unsigned *sizes, unsigned cpus, struct err *err)
{
	const struct bench_request *req = s->req;
	int rc = 0;

	for (size_t i = 0; i < IPI_SETUPS; i++)
		if (setup_possible(&ipi_setups[i], req->testbed))
			sampler_expect(s, 2 * (req->samples ? req->samples : SAMPLES));
	for (size_t i = 0; i < IPI_SETUPS && rc == 0; i++)
		if (setup_possible(&ipi_setups[i], req->testbed))
			rc = setup_run(s, &ipi_setups[i], sizes, cpus, err);
	return rc;
}

/* Cells that this testbed has no machine for. */
static void result_add_left_out(struct bench_result *r, const struct testbed *t)
{
	struct bench_fact *f;

	if (t->caps & TESTBED_XICS)
		return;
	r->fact = xreallocarray(r->fact, r->n_facts + 1, sizeof(*r->fact));
	f = &r->fact[r->n_facts++];
	*f = (struct bench_fact){
		.name = xstrdup("ipi/xics/left-out"),
		.title = xstrdup("measured"),
		.group = xstrdup("XICS"),
		.base = xasprintf("no: the testbed %s cannot have an XICS interrupt controller",
				  t->name),
		.steady = true,
	};
	f->patched = xstrdup(f->base);
}

static unsigned lines_of(const char *served)
{
	unsigned n = *served != '\0';

	for (; *served; served++)
		n += *served == ';';
	return n;
}

static bool lines_differ(const struct bench_fact *f)
{
	return str_ends(f->name, "/lines") && f->base && f->patched && f->steady &&
	       strcmp(f->base, f->patched) != 0;
}

/* Lines that serve other CPUs than before: no number shows it here, and on real machines it is what
 * matters most. */
static void result_judge_lines(struct bench_result *r)
{
	const struct bench_fact *f = r->fact;
	char *numbers = r->reason;

	while (f < r->fact + r->n_facts && !lines_differ(f))
		f++;
	if (f == r->fact + r->n_facts || r->outcome == OUTCOME_FAIL || r->outcome == OUTCOME_ERROR)
		return;
	r->reason =
		xasprintf("%s: %s: %s, on the base %s; rates: %s", f->group,
			  lines_of(f->patched) < lines_of(f->base) ? "more CPUs share an IPI line"
								   : "IPI lines serve other CPUs",
			  f->patched, f->base, numbers);
	r->outcome = outcome_worse(r->outcome, OUTCOME_WARN);
	free(numbers);
}

static int ipi_run(const struct bench_request *req, struct bench_result *ret, struct err *err)
{
	const unsigned *sizes = req->sizes ? req->sizes : sizes_default;
	struct sampler s;
	bool count = req->mode == BENCH_COUNT;
	unsigned cpus;
	int rc = sizes_check(sizes, &cpus, err);

	if (rc < 0)
		return rc;
	sampler_init(&s, req);
	rc = setups_run(&s, sizes, cpus, err);
	if (rc == 0) {
		sampler_judge(&s, ret);
		ret->caveat = xstrdup(count ? caveat_count : caveat_clock);
		result_judge_lines(ret);
		result_add_left_out(ret, req->testbed);
		ipi_tables_add(ret, sizes, cpus, count ? note_count : NULL);
	}
	sampler_done(&s);
	return rc;
}

const struct bench bench_ipi = {
	.name = "ipi",
	.summary = "interprocessor interrupts: rate by CPUs and nodes, and the lines they come by",
	.needs = TESTBED_BOOT | TESTBED_NUMA,
	.module = "ipi",
	.sizes = "CPUs",
	.run = ipi_run,
};
