// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a bench where the answer is known, and says how often it was right. */
#include "base/clock.h"
#include "base/fs.h"
#include "base/hold.h"
#include "base/json.h"
#include "base/log.h"
#include "base/proc.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/planted.h"
#include "commands/view.h"
#include "trial/bench_args.h"
#include <ctype.h>
#include <sys/stat.h>

#define RUNS_DEFAULT 20
#define RUNS_MAX     100000

struct calibrate_options {
	const char *bench, *base, *tree, *sizes, *only, *runs, *planted;
	const char *json, *work, *cache, *config;
};

#define STRING(member) .type = OPTION_STRING, .offset = offsetof(struct calibrate_options, member)
#define CONF(id)       .type = OPTION_CONF, .conf = CONF_##id

static const struct option_row options[] = {
	{"bench", 0, .arg = "NAME", .help = "which benchmark", STRING(bench)},
	{"runs", 0, .arg = "N", .help = "of each comparison [20]", STRING(runs)},
	{"base", 'b', .arg = "REV|DIR",
	 .help = "revision of TREE, or a folder with a built kernel [HEAD]", STRING(base)},
	{"tree", 't', .arg = "TREE", .help = "kernel repository: bare or a work tree; only read",
	 STRING(tree)},
	{"planted", 0, .arg = "LIST", .help = "series of ours: none, all, or NAME,... [all]",
	 STRING(planted)},
	{"testbed", 0, .arg = "NAME", .help = "where kernels boot", CONF(TESTBED_NAME)},
	{"mode", 0, .arg = "MODE", .help = "count or clock", CONF(BENCH_MODE)},
	{"sizes", 0, .arg = "N,...", .help = "LMBs or CPUs [as configured]", STRING(sizes)},
	{"only", 'o', .arg = "METRIC", .help = "this metric alone", STRING(only)},
	{"samples", 0, .arg = "N", .help = "least boots of each kernel in a run",
	 CONF(BENCH_SAMPLES)},
	{"budget", 0, .arg = "SECONDS", .help = "of a run, in which boots are added",
	 CONF(BENCH_BUDGET)},
	{"seed", 0, .arg = "N", .help = "of the first run's order", CONF(BENCH_SEED)},
	{"jobs", 'j', .arg = "N", .help = "make -j; 0: number of CPUs", CONF(BUILD_JOBS)},
	{"json", 0, .arg = "FILE", .help = "write the result as JSON", STRING(json)},
	{"work", 'w', .arg = "DIR", .help = "keep consoles of what went wrong here [removed]",
	 STRING(work)},
	{"cache", 0, .arg = "DIR", .help = "trees and kernels [$XDG_CACHE_HOME/firn]",
	 STRING(cache)},
	{"config", 0, .arg = "FILE", .help = "configuration (firn check-config --help)",
	 STRING(config)},
	{0},
};

static void help(FILE *out)
{
	fputs("\nThe base is compared with itself and with kernels of which it is known what they "
	      "do: null series\n(null-string, null-function, null-align), which move code or data "
	      "and change nothing, and\nslower-PERCENT, which makes what the benchmark measures "
	      "slower by so much.\n\nBenchmarks:\n",
	      out);
	for (size_t i = 0; benches[i]; i++)
		fprintf(out, "  %-14s %s\n", benches[i]->name, benches[i]->summary);
	fputs("\nExit code: 0 no aim was missed, 1 one was, 2 could not find out, 64 wrong usage, "
	      "130 interrupted\n(what is known by then is printed). What a whole run found is kept "
	      "in "
	      "CACHE/calibration for the\npages.\n",
	      out);
}

/* What the command is at, from the options to the result. */
struct calibration {
	const struct calibrate_options *opt;
	struct conf *conf;
	const struct bench *bench;
	unsigned runs;
	char *cache, *work;
	int held; /* work: see base/hold.h */
	struct view view;
	struct trial_observer observer;
	struct calibrate_planted *planted;
	size_t n_planted;
	struct kernels with;
	struct bench_request one;
	unsigned *sizes;
	struct kernel base;
	struct kernel *kernel;	     /* of `planted` */
	struct calibrate_pair *pair; /* "same", then one for each planted */
};

static void calibration_done(struct calibration *c)
{
	fd_cleanup(&c->held);
	calibrate_planted_free(c->planted, c->n_planted);
	for (size_t i = 0; c->kernel && i < c->n_planted; i++)
		kernel_done(&c->kernel[i]);
	kernel_done(&c->base);
	free(c->kernel);
	free(c->pair);
	free(c->sizes);
	free(c->work);
	free(c->cache);
}

static int runs_read(const char *text, unsigned *ret, struct err *err)
{
	unsigned long n;
	char *end;

	if (!text) {
		*ret = RUNS_DEFAULT;
		return 0;
	}
	n = strtoul(text, &end, 10);
	if (*end || *text < '0' || *text > '9' || n < 1 || n > RUNS_MAX)
		return err_set(err, ERR_USAGE, "--runs %s: a number from 1 to %d", text, RUNS_MAX);
	*ret = (unsigned)n;
	return 0;
}

static int options_check(struct calibration *c, struct err *err)
{
	const struct calibrate_options *o = c->opt;
	enum conf_id key;

	if (!o->bench)
		return err_set(err, ERR_USAGE, "firn calibrate needs --bench NAME");
	c->bench = bench_find(o->bench);
	if (!c->bench)
		return err_set(err, ERR_USAGE, "no benchmark \"%s\" (firn calibrate --help)",
			       o->bench);
	if (!o->base && !o->tree)
		return err_set(err, ERR_USAGE, "firn calibrate needs --tree TREE or --base DIR");
	key = bench_sizes_key(c->bench);
	if (o->sizes && key == CONF_N)
		return err_set(err, ERR_USAGE, "--sizes: %s has none", o->bench);
	return o->sizes ? conf_set(c->conf, key, o->sizes, err) : 0;
}

static int options_take(struct calibration *c, struct err *err)
{
	const struct calibrate_options *o = c->opt;
	const char *planted = o->planted ? o->planted : o->tree ? "all" : "none";
	int rc = options_check(c, err);

	if (rc == 0)
		rc = runs_read(o->runs, &c->runs, err);
	if (rc == 0)
		rc = calibrate_planted_parse(planted, o->bench, &c->planted, &c->n_planted, err);
	if (rc == 0 && c->n_planted && !o->tree)
		rc = err_set(err, ERR_USAGE,
			     "--planted %s needs --tree TREE: the series are applied to a revision "
			     "and built",
			     planted);
	return rc;
}

/* The user's folder, or one of ours that is removed at the end. */
static int work_make(struct calibration *c, struct err *err)
{
	auto_free char *runs = xasprintf("%s/runs", c->cache);
	const char *named = c->opt->work;
	int rc = fs_mkdirs(named ? named : runs, err);

	if (rc < 0)
		return rc;
	c->work = named ? realpath(named, NULL) : xasprintf("%s/calibrate-XXXXXX", runs);
	if (!c->work)
		return err_sys(err, ERR_CONFIG, "--work %s", named);
	if (named)
		return 0;
	if (!mkdtemp(c->work))
		return err_sys(err, ERR_INFRA, "cannot make %s", c->work);
	rc = hold_dir(c->work, &c->held, err);
	/* The machine's user must be able to enter it. */
	if (rc == 0 && chmod(c->work, 0755) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot make %s", c->work);
	return rc;
}

static void on_build(void *ctx, const char *what, unsigned done, unsigned total)
{
	struct calibration *c = ctx;

	c->observer.step_progress(c->observer.ctx, what, done, total);
}

static void on_run(void *ctx, const struct calibrate_progress *p)
{
	struct calibration *c = ctx;
	char span[CLOCK_SPAN_MAX];
	auto_free char *what =
		p->left > 0 ? xasprintf("%s left; %s", clock_span(p->left, span), p->what)
			    : xstrdup(p->what);

	c->observer.step_progress(c->observer.ctx, what, p->run, p->runs);
}

static int base_prepare(struct calibration *c, struct err *err)
{
	const char *rev = c->opt->base ? c->opt->base : "HEAD";
	int rc;

	c->with = (struct kernels){.tree = c->opt->tree,
				   .cache_dir = c->cache,
				   .work_dir = c->work,
				   .builder = builder_find(conf_str(c->conf, CONF_BUILD_BUILDER)),
				   .conf = c->conf,
				   .on_progress = on_build,
				   .ctx = c};
	if (!c->with.builder)
		return err_set(err, ERR_CONFIG, "no builder \"%s\"",
			       conf_str(c->conf, CONF_BUILD_BUILDER));
	rc = kernels_request(c->conf, c->bench, &c->one, &c->sizes, err);
	if (rc == 0)
		rc = kernel_prepare(&c->with, rev, "base", true, &c->base, err);
	if (rc == 0 && c->n_planted && !c->base.commit)
		rc = err_set(err, ERR_USAGE,
			     "--base %s is a folder: planted series are applied to a revision of "
			     "TREE (or --planted none)",
			     rev);
	return rc;
}

static int pairs_make(struct calibration *c, struct err *err)
{
	int rc = 0;

	c->pair = xcalloc(c->n_planted + 1, sizeof(*c->pair));
	c->one.base = (struct bench_kernel){
		.vmlinux = c->base.vmlinux, .initramfs = c->base.initramfs, .same_as_base = true};
	c->pair[0] = (struct calibrate_pair){.name = "same", .metrics = "", .patched = c->one.base};
	for (size_t i = 0; i < c->n_planted && rc == 0; i++) {
		const struct calibrate_planted *p = &c->planted[i];
		struct bench_request both = {0};

		rc = kernels_for_bench(&c->base, &c->kernel[i], &both, err);
		if (rc == 0 && both.patched.same_as_base)
			rc = err_set(err, ERR_INFRA, "%s gives the same image as the base",
				     p->name);
		c->pair[i + 1] = (struct calibrate_pair){.name = p->name,
							 .share = p->share,
							 .metrics = p->metrics,
							 .patched = both.patched};
	}
	return rc;
}

static json_t *json_make(const struct calibration *c, const struct calibrate_result *r)
{
	json_t *o = calibrate_json(r, c->one.mode);
	char at[CLOCK_ISO_MAX];

	json_object_set_new(o, "bench", json_text(c->bench->name));
	json_object_set_new(o, "testbed", json_text(conf_str(c->conf, CONF_TESTBED_NAME)));
	json_object_set_new(o, "base", json_text(c->base.words));
	json_object_set_new(o, "samples", json_integer(c->one.samples));
	json_object_set_new(o, "seed", json_integer(c->one.seed));
	json_object_set_new(o, "finished", json_text(clock_iso(clock_wall(), at)));
	return o;
}

/* The newest whole one of each bench, testbed and mode is kept for the pages. */
static int json_keep(const struct calibration *c, const json_t *o, struct err *err)
{
	auto_free char *dir = xasprintf("%s/calibration", c->cache);
	auto_free char *name =
		xasprintf("%s-%s-%s", c->bench->name, conf_str(c->conf, CONF_TESTBED_NAME),
			  conf_str(c->conf, CONF_BENCH_MODE));
	auto_free char *path = NULL;
	int rc = fs_mkdirs(dir, err);

	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
			*p = '_';
	path = xasprintf("%s/%s.json", dir, name);
	return rc < 0 ? rc : json_write(path, o, err);
}

static int json_save(const struct calibration *c, const struct calibrate_result *r, struct err *err)
{
	auto_json json_t *o = json_make(c, r);
	int rc = r->runs == r->wanted ? json_keep(c, o, err) : 0;

	return rc < 0 || !c->opt->json ? rc : json_write(c->opt->json, o, err);
}

static int result_show(const struct calibration *c, const struct calibrate_result *r,
		       struct err *err)
{
	auto_str struct str text;

	str_init(&text, 0);
	calibrate_text(r, c->one.mode, &text);
	if (r->runs < r->wanted)
		printf("Interrupted after %u of %u runs.\n", r->runs, r->wanted);
	printf("Bench %s on %s, %s mode, base %s\n\n%s", c->bench->name,
	       conf_str(c->conf, CONF_TESTBED_NAME), conf_str(c->conf, CONF_BENCH_MODE),
	       c->base.words, text.buf);
	if (fflush(stdout) != 0)
		return err_sys(err, ERR_INFRA, "cannot write the result");
	return json_save(c, r, err);
}

static int exit_code(const struct calibration *c, const struct calibrate_result *r)
{
	struct calibrate_aims aims;
	int rc;

	calibrate_aims_make(r, c->one.mode, &aims);
	rc = !aims.n ? 2 : aims.missed;
	calibrate_aims_done(&aims);
	return rc;
}

static int measure(struct calibration *c, struct err *err)
{
	struct calibrate_result r = {0};
	struct err unshown = ERR_INIT;
	int rc, shown = 0;

	c->one.only = c->opt->only;
	c->one.profile = false; /* what functions grew is not what is asked */
	c->one.work_dir = c->work;
	struct calibrate_request req = {.bench = c->bench,
					.one = c->one,
					.pair = c->pair,
					.n_pairs = c->n_planted + 1,
					.runs = c->runs,
					.on_progress = on_run,
					.ctx = c};
	rc = calibrate_run(&req, &r, err);
	view_clear(&c->view);
	if (rc == 0 || (rc == ERR_CANCELLED && r.boots))
		shown = result_show(c, &r, rc < 0 ? &unshown : err);
	if (rc == 0)
		rc = shown < 0 ? shown : exit_code(c, &r);
	calibrate_result_done(&r);
	return rc;
}

static int calibrate(struct calibration *c, struct err *err)
{
	int rc = command_cache(c->opt->cache, c->conf, &c->cache, err);

	if (rc == 0)
		rc = work_make(c, err);
	if (rc == 0)
		command_sweep(c->cache);
	view_init(&c->view, stderr);
	c->observer = view_observer(&c->view);
	c->observer.step_begin(c->observer.ctx, "calibrate");
	if (rc == 0)
		rc = base_prepare(c, err);
	if (rc == 0)
		rc = planted_prepare(&c->with, c->base.commit, c->planted, c->n_planted, &c->kernel,
				     err);
	if (rc == 0)
		rc = pairs_make(c, err);
	if (rc == 0)
		rc = measure(c, err);
	view_clear(&c->view);
	return rc;
}

/* An error of its own: what is left behind must not hide what went wrong. */
static void work_drop(const struct calibration *c)
{
	struct err err = ERR_INIT;

	if (c->work && !c->opt->work && fs_rmtree(c->work, &err) < 0)
		log_warn("%s", err.msg);
}

static int run_with(const struct command *cmd, int argc, char **argv, struct conf *conf,
		    struct err *err)
{
	struct calibrate_options o = {0};
	struct calibration c = {.opt = &o, .conf = conf, .held = -1};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, conf, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (first < argc)
		return err_set(err, ERR_USAGE, "firn calibrate takes no \"%s\"", argv[first]);
	rc = options_take(&c, err);
	if (rc == 0)
		rc = calibrate(&c, err);
	work_drop(&c);
	calibration_done(&c);
	return rc;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	return command_with_conf(run_with, cmd, argc, argv, err);
}

const struct command command_calibrate = {
	.name = "calibrate",
	.args = "--bench NAME --tree TREE [OPTION...]",
	.summary = "run a benchmark where the answer is known, and count how often it is right",
	.run = run,
	.help = help,
	.options = options,
};
