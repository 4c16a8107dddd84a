// SPDX-License-Identifier: GPL-2.0-or-later
/* Not for people: what the engine starts for each trial. */
#include "serve/trial_child.h"

#include "base/str.h"
#include "commands/command.h"
#include "commands/output.h"

struct trial_args {
	const char *config, *data, *cache;
};

static const struct option_row options[] = {
	{"config", 0, .arg = "FILE", .help = "configuration",
	 .offset = offsetof(struct trial_args, config)},
	{"data", 0, .arg = "DIR", .help = "the service's data",
	 .offset = offsetof(struct trial_args, data)},
	{"cache", 0, .arg = "DIR", .help = "trees and kernels",
	 .offset = offsetof(struct trial_args, cache)},
	{0},
};

static int run_trial(const struct trial_args *args, int64_t id, struct conf *conf, struct err *err)
{
	auto_free char *path = xasprintf("%s/firn.db", args->data);
	auto_store struct store *store = NULL;
	struct trial_child child = {
		.conf = conf, .data_dir = args->data, .cache_dir = args->cache, .id = id};
	int rc;

	if (!trial_child_wait(STDIN_FILENO))
		return 0; /* the engine is gone, or will not have it */
	rc = store_open(path, STORE_WRITE, &store, err);
	child.store = store;
	return rc < 0 ? rc : trial_child_run(&child, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	struct trial_args args = {0};
	struct conf conf = {0};
	bool helped = false;
	int first, rc = command_read_conf(argc, argv, &conf, err);

	if (rc == 0)
		rc = options_parse(cmd, argc, argv, &args, &conf, &first, &helped, err);
	if (rc == 0 && !helped && (argc - first != 1 || !args.data || !args.cache))
		rc = err_set(err, ERR_USAGE, "firn trial ID --data DIR --cache DIR");
	if (rc == 0 && !helped)
		rc = run_trial(&args, strtoll(argv[first], NULL, 10), &conf, err);
	conf_done(&conf);
	return rc;
}

const struct command command_trial = {
	.name = "trial", .args = "ID", .summary = NULL, .run = run, .options = options};
