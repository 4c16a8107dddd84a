// SPDX-License-Identifier: GPL-2.0-or-later
/* One benchmark on two kernels, without a series. */
#include "base/clock.h"
#include "base/fs.h"
#include "base/hold.h"
#include "base/json.h"
#include "commands/bench_report.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/view.h"
#include "trial/bench_args.h"
#include "trial/job.h"
#include "trial/launcher.h"
#include "trial/shell.h"
#include "trial/trial.h"
#include <time.h>

struct bench_options {
	const char *base, *patched, *tree, *sizes, *only;
	const char *work, *cache, *config;
	struct output output;
};

#define STRING(member) .type = OPTION_STRING, .offset = offsetof(struct bench_options, member)
#define FLAG(member)   .type = OPTION_FLAG, .offset = offsetof(struct bench_options, member)
#define CONF(id)       .type = OPTION_CONF, .conf = CONF_##id

static const struct option_row options[] = {
	{"base", 'b', .arg = "REV|DIR", .help = "revision of TREE, or a folder with a built kernel",
	 STRING(base)},
	{"patched", 'p', .arg = "REV|DIR", .help = "the same, to be compared with it",
	 STRING(patched)},
	{"tree", 't', .arg = "TREE", .help = "kernel repository: bare or a work tree; only read",
	 STRING(tree)},
	{"testbed", 0, .arg = "NAME", .help = "where kernels boot", CONF(TESTBED_NAME)},
	{"mode", 0, .arg = "MODE", .help = "count (guest time counts instructions) or clock",
	 CONF(BENCH_MODE)},
	{"sizes", 0, .arg = "N,...", .help = "LMBs or CPUs [as configured]", STRING(sizes)},
	{"lmbs", 0, .arg = "N,...", .help = "blocks of 256 MiB to hot-add", CONF(BENCH_LMBS)},
	{"cpus", 0, .arg = "N,...", .help = "CPUs that send interrupts", CONF(BENCH_CPUS)},
	{"samples", 0, .arg = "N", .help = "least boots of each kernel; 0: as the benchmark needs",
	 CONF(BENCH_SAMPLES)},
	{"budget", 0, .arg = "SECONDS", .help = "in which samples are added", CONF(BENCH_BUDGET)},
	{"seed", 0, .arg = "N", .help = "order of base and patched", CONF(BENCH_SEED)},
	{"only", 'o', .arg = "METRIC", .help = "this metric alone", STRING(only)},
	{"profile", 0, .arg = "BOOL",
	 .help = "where a number changed: count instructions by function", CONF(BENCH_PROFILE)},
	{"jobs", 'j', .arg = "N", .help = "make -j; 0: number of CPUs", CONF(BUILD_JOBS)},
	{"html", 0, .arg = "FILE", .help = "write the report as a page", STRING(output.html)},
	{"json", 0, .arg = "FILE", .help = "write the report as JSON", STRING(output.json)},
	{"work", 'w', .arg = "DIR", .help = "jobs, consoles and report [CACHE/runs/...]",
	 STRING(work)},
	{"cache", 0, .arg = "DIR", .help = "trees and kernels [$XDG_CACHE_HOME/firn]",
	 STRING(cache)},
	{"config", 0, .arg = "FILE", .help = "configuration (firn check-config --help)",
	 STRING(config)},
	{"brief", 0, .arg = NULL, .help = "leave out what passed", FLAG(output.brief)},
	{0},
};

static void help_bench(FILE *out, const struct bench *b)
{
	enum conf_id key = bench_sizes_key(b);
	const char *sizes = key == CONF_N ? NULL : conf_keys[key].dflt;
	auto_free char *needs = bench_needs(b);

	fprintf(out, "  %-14s %s\n  %-14s needs a testbed that can %s%s%s\n", b->name, b->summary,
		"", needs, b->fragment ? ", and a kernel with " : "",
		b->fragment ? b->fragment : "");
	if (b->sizes)
		fprintf(out, "  %-14s sizes: %s [%s]\n", "", b->sizes, sizes ? sizes : "its own");
}

static void help(FILE *out)
{
	fputs("\nBENCH is one of:\n", out);
	for (size_t i = 0; benches[i]; i++)
		help_bench(out, benches[i]);
	fputs("\nTestbeds:\n", out);
	for (size_t i = 0; testbeds[i]; i++)
		fprintf(out, "  %-14s %s\n", testbeds[i]->name, testbeds[i]->summary);
	fputs("\nExit code: 0 unchanged, better or slower, 1 a check fails that passes on the "
	      "base, 2 could not find out,\n64 wrong usage, 130 interrupted.\n",
	      out);
}

/* What the command is at. */
struct bench_command {
	const struct bench_options *opt;
	struct conf *conf;
	const struct bench *bench;
	struct trial_observer observer;
	char *cache, *work;
	bool own_work;
	int held; /* see base/hold.h */
	struct kernel base, patched;
	json_t *data;
	double waited;
};

static void bench_command_done(struct bench_command *c)
{
	kernel_done(&c->base);
	kernel_done(&c->patched);
	json_decref(c->data);
	fd_cleanup(&c->held);
	free(c->cache);
	free(c->work);
}

static int check_conf(const struct conf *conf, struct err *err)
{
	for (size_t i = 0; i < CONF_N; i++) {
		auto_free char *mistake = trial_conf_mistake(conf, (enum conf_id)i);

		if (mistake)
			return err_set(err, ERR_CONFIG, "%s: %s", conf_keys[i].key, mistake);
	}
	return 0;
}

static int check_options(struct bench_command *c, const char *name, struct err *err)
{
	const struct bench_options *o = c->opt;
	enum conf_id key;

	c->bench = bench_find(name);
	if (!c->bench)
		return err_set(err, ERR_USAGE, "no benchmark \"%s\" (firn bench --help)", name);
	if (!o->base || !o->patched)
		return err_set(err, ERR_USAGE, "firn bench needs --%s REV or DIR",
			       o->base ? "patched" : "base");
	key = bench_sizes_key(c->bench);
	if (o->sizes && key == CONF_N)
		return err_set(err, ERR_USAGE, "--sizes: %s has none", name);
	if (o->sizes && conf_set(c->conf, key, o->sizes, err) < 0)
		return err_wrap(err, "--sizes");
	return check_conf(c->conf, err);
}

static int make_work_dir(struct bench_command *c, struct err *err)
{
	const char *given = c->opt->work;
	auto_free char *dir = NULL;
	char when[32];
	time_t now = (time_t)clock_wall();
	struct tm tm;
	int rc;

	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	dir = given ? xstrdup(given)
		    : xasprintf("%s/runs/%s-bench-%s-%ld", c->cache, when, c->bench->name,
				(long)getpid());
	c->own_work = !fs_exists(dir);
	rc = given ? fs_mkdirs(dir, err) : hold_dir(dir, &c->held, err);
	if (rc < 0)
		return rc;
	c->work = realpath(dir, NULL);
	return c->work ? 0 : err_sys(err, ERR_INFRA, "cannot open %s", dir);
}

static int find_kernels(struct bench_command *c, struct err *err)
{
	const char *builder = bench_builder(c->conf, c->bench);
	struct kernels with = {.tree = c->opt->tree,
			       .cache_dir = c->cache,
			       .work_dir = c->work,
			       .builder = builder ? builder_find(builder) : NULL,
			       .conf = c->conf,
			       .on_progress = c->observer.step_progress,
			       .ctx = c->observer.ctx};
	int rc;

	if (!with.builder)
		return err_set(err, ERR_CONFIG, "no builder has %s", c->bench->fragment);
	c->observer.step_begin(c->observer.ctx, "build");
	rc = kernel_prepare(&with, c->opt->base, "base", true, &c->base, err);
	if (rc == 0)
		rc = kernel_prepare(&with, c->opt->patched, "patched", false, &c->patched, err);
	return rc;
}

static json_t *job_args(const struct bench_command *c, bool same_image)
{
	json_t *args = bench_args_make(c->conf, c->bench);

	json_object_set_new(args, "base", json_text(c->base.artifact));
	json_object_set_new(args, "patched", json_text(c->patched.artifact));
	json_object_set_new(args, "cache", json_text(c->cache));
	json_object_set_new(args, "same_image", json_boolean(same_image));
	if (c->opt->only)
		json_object_set_new(args, "only", json_text(c->opt->only));
	return args;
}

static int measure(struct bench_command *c, struct err *err)
{
	auto_free char *dir = xasprintf("%s/bench", c->work);
	double began = clock_mono();
	struct launch launch = {.dir = dir,
				.on_progress = c->observer.step_progress,
				.on_tick = c->observer.tick,
				.ctx = c->observer.ctx};
	struct bench_request both = {0};
	json_t *args;
	int rc = kernels_for_bench(&c->base, &c->patched, &both, err);

	if (rc < 0)
		return rc;
	c->observer.step_begin(c->observer.ctx, c->bench->name);
	args = job_args(c, both.patched.same_as_base);
	launch.timeout_s = bench_args_timeout(args);
	rc = job_write(dir, "bench", args, err);
	if (rc == 0)
		rc = launcher_local.run(&launch, err);
	if (rc == 0)
		rc = job_result(dir, &c->data, err);
	c->waited = clock_mono() - began;
	return rc;
}

static char *repeat_command(const struct bench_command *c)
{
	struct str s;

	str_init(&s, 0);
	str_adds(&s, "firn bench");
	shell_add(&s, c->bench->name);
	shell_add_option(&s, "--base", c->base.commit ? c->base.commit : c->base.artifact);
	shell_add_option(&s, "--patched",
			 c->patched.commit ? c->patched.commit : c->patched.artifact);
	shell_add_option(&s, "--tree", c->opt->tree);
	shell_add_option(&s, "--config", c->conf->path);
	shell_add_option(&s, "--only", c->opt->only);
	bench_args_options(&s, c->conf, true);
	if (bench_sizes_key(c->bench) == CONF_BENCH_CONNECTIONS) /* has no option of its own */
		shell_add_option(&s, "--sizes", conf_str(c->conf, CONF_BENCH_CONNECTIONS));
	return str_take(&s);
}

static int report(const struct bench_command *c, int64_t began, double seconds, struct err *err)
{
	struct output output = c->opt->output;
	auto_free char *repeat = repeat_command(c);
	const struct bench_run run = {.bench = c->bench,
				      .base = &c->base,
				      .patched = &c->patched,
				      .tree = c->opt->tree,
				      .conf = c->conf,
				      .data = c->data,
				      .began = began,
				      .ended = clock_wall(),
				      .seconds = seconds,
				      .waited = c->waited,
				      .repeat = repeat};
	auto_json json_t *made = bench_report_make(&run);
	int rc;

	output.work_dir = c->work;
	rc = output_report(&output, made, err);
	return rc < 0 ? rc : output_exit_code(made);
}

static int bench_command(struct bench_command *c, struct err *err)
{
	int64_t began = clock_wall();
	double mono = clock_mono();
	struct err ignored = ERR_INIT;
	struct view view;
	int rc = command_cache(c->opt->cache, c->conf, &c->cache, err);

	if (rc == 0)
		rc = make_work_dir(c, err);
	if (rc == 0)
		command_sweep(c->cache);
	if (rc < 0)
		return rc;
	view_init(&view, stderr);
	c->observer = view_observer(&view);
	rc = find_kernels(c, err);
	if (rc == 0)
		rc = measure(c, err);
	view_clear(&view);
	/* No half-written result. */
	if (rc < 0 && c->own_work && fs_rmtree(c->work, &ignored) < 0)
		return rc;
	return rc < 0 ? rc : report(c, began, clock_mono() - mono, err);
}

static int run_with(const struct command *cmd, int argc, char **argv, struct conf *conf,
		    struct err *err)
{
	struct bench_options o = {0};
	struct bench_command c = {.opt = &o, .conf = conf, .held = -1};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, conf, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first != 1)
		return err_set(err, ERR_USAGE, "firn bench takes one BENCH (firn bench --help)");
	rc = check_options(&c, argv[first], err);
	if (rc == 0)
		rc = bench_command(&c, err);
	bench_command_done(&c);
	return rc;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	return command_with_conf(run_with, cmd, argc, argv, err);
}

const struct command command_bench = {
	.name = "bench",
	.args = "BENCH --base REV|DIR --patched REV|DIR [OPTION...]",
	.summary = "run one benchmark on two kernels",
	.run = run,
	.help = help,
	.options = options,
};
