// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/bench_args.h"

#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/builder.h"
#include "trial/shell.h"

/* Boots of each kernel where neither the user nor this file knows better, for the limit of the
 * whole job. */
#define BOOTS_GUESS 40

static const struct {
	const char *word;
	enum bench_mode mode;
} modes[] = {{"count", BENCH_COUNT}, {"clock", BENCH_CLOCK}};

enum conf_id bench_sizes_key(const struct bench *bench)
{
	static const struct {
		const char *sizes;
		enum conf_id key;
	} rows[] = {{"LMBs", CONF_BENCH_LMBS},
		    {"CPUs", CONF_BENCH_CPUS},
		    {"connections", CONF_BENCH_CONNECTIONS}};

	for (size_t i = 0; i < array_size(rows); i++)
		if (bench->sizes && strcmp(bench->sizes, rows[i].sizes) == 0)
			return rows[i].key;
	return CONF_N;
}

static bool text_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

const char *bench_builder(const struct conf *conf, const struct bench *bench)
{
	const struct builder *usual = builder_find(conf_str(conf, CONF_BUILD_BUILDER));

	if (!bench->fragment || !usual)
		return usual ? usual->name : NULL;
	for (size_t i = 0; builders[i]; i++)
		if (text_same(builders[i]->fragments, bench->fragment) &&
		    text_same(builders[i]->compiler, usual->compiler) &&
		    text_same(builders[i]->cross_compile, usual->cross_compile) &&
		    text_same(builders[i]->config, usual->config))
			return builders[i]->name;
	return NULL;
}

static json_t *size_list(const struct conf *conf, const struct bench *bench)
{
	enum conf_id key = bench_sizes_key(bench);
	auto_free unsigned *sizes = key == CONF_N ? NULL : conf_list(conf, key);
	json_t *list = json_array();

	for (size_t i = 0; sizes && sizes[i]; i++)
		json_array_append_new(list, json_integer(sizes[i]));
	return list;
}

json_t *bench_args_make(const struct conf *conf, const struct bench *bench)
{
	return json_pack("{s:s, s:s, s:o, s:s, s:I, s:I, s:I, s:b, s:I}", "bench", bench->name,
			 "testbed", conf_str(conf, CONF_TESTBED_NAME), "sizes",
			 size_list(conf, bench), "mode", conf_str(conf, CONF_BENCH_MODE), "samples",
			 (json_int_t)conf_int(conf, CONF_BENCH_SAMPLES), "budget",
			 (json_int_t)conf_int(conf, CONF_BENCH_BUDGET), "seed",
			 (json_int_t)conf_int(conf, CONF_BENCH_SEED), "profile",
			 conf_bool(conf, CONF_BENCH_PROFILE), "timeout",
			 (json_int_t)conf_int(conf, CONF_BOOT_TIMEOUT));
}

void bench_args_options(struct str *out, const struct conf *conf, bool here)
{
	static const struct {
		const char *option;
		enum conf_id key;
	} rows[] = {{"--testbed", CONF_TESTBED_NAME},  {"--mode", CONF_BENCH_MODE},
		    {"--lmbs", CONF_BENCH_LMBS},       {"--cpus", CONF_BENCH_CPUS},
		    {"--samples", CONF_BENCH_SAMPLES}, {"--budget", CONF_BENCH_BUDGET},
		    {"--seed", CONF_BENCH_SEED}};

	for (size_t i = 0; i < array_size(rows); i++)
		if (here || rows[i].key != CONF_TESTBED_NAME ||
		    !strchr(conf_str(conf, CONF_TESTBED_NAME), ':'))
			shell_add_option(out, rows[i].option, conf_str(conf, rows[i].key));
}

/* The numbers of an array, 0 at the end; NULL when there are none. */
static unsigned *sizes_read(const json_t *array)
{
	size_t n = json_array_size(array), i;
	unsigned *list;
	const json_t *item;

	if (!n)
		return NULL;
	list = xcalloc(n + 1, sizeof(*list));
	json_array_foreach (array, i, item)
		list[i] = (unsigned)json_integer_value(item);
	return list;
}

bool bench_mode_find(const char *word, enum bench_mode *ret)
{
	for (size_t i = 0; i < array_size(modes); i++) {
		if (strcmp(modes[i].word, word) == 0) {
			*ret = modes[i].mode;
			return true;
		}
	}
	return false;
}

const char *bench_mode_name(enum bench_mode mode)
{
	for (size_t i = 0; i < array_size(modes); i++)
		if (modes[i].mode == mode)
			return modes[i].word;
	return "";
}

int bench_args_read(const json_t *args, const struct bench **ret_bench, struct bench_request *ret,
		    unsigned **ret_sizes, struct err *err)
{
	const char *name = json_get_str(args, "bench", NULL),
		   *testbed = json_get_str(args, "testbed", NULL);
	const struct bench *bench = name ? bench_find(name) : NULL;
	const char *mode = json_get_str(args, "mode", "count");

	if (!name || !testbed)
		return err_set(err, ERR_INPUT, "args lack \"%s\"", name ? "testbed" : "bench");
	ret->testbed = testbed_find(testbed, &ret->testbed_arg);
	if (!bench || !ret->testbed)
		return err_set(err, ERR_CONFIG, "no %s \"%s\"", bench ? "testbed" : "benchmark",
			       bench ? testbed : name);
	if (!bench_mode_find(mode, &ret->mode))
		return err_set(err, ERR_CONFIG, "no mode \"%s\": there are count and clock", mode);
	ret->only = json_get_str(args, "only", NULL);
	ret->samples = (unsigned)json_get_num(args, "samples", 0);
	ret->budget_s = json_get_num(args, "budget", 0);
	ret->seed = (unsigned)json_get_num(args, "seed", 1);
	ret->profile = json_get_bool(args, "profile", false);
	ret->timeout_s = json_get_num(args, "timeout", 0);
	ret->sizes = *ret_sizes = sizes_read(json_object_get(args, "sizes"));
	*ret_bench = bench;
	return 0;
}

double bench_args_timeout(const json_t *args)
{
	double boots = json_get_num(args, "samples", 0),
	       sizes = (double)json_array_size(json_object_get(args, "sizes"));

	if (boots < BOOTS_GUESS)
		boots = BOOTS_GUESS;
	if (sizes < 4)
		sizes = 4;
	return json_get_num(args, "budget", 0) +
	       json_get_num(args, "timeout", 300) * boots * sizes + 60;
}
