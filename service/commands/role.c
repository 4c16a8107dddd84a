// SPDX-License-Identifier: GPL-2.0-or-later
/* `firn intake`, `firn engine`, `firn post`: one role, by hand or under `firn serve`. */
#include "serve/role.h"

#include "base/fs.h"
#include "base/log.h"
#include "commands/output.h"
#include "commands/service.h"
#include "serve/serve.h"
#include <sys/prctl.h>

struct role_options {
	struct service_options service;
	const char *cache;
	bool once;
};

static const struct option_row options[] = {
	SERVICE_OPTIONS(struct role_options),
	{"cache", 0, .arg = "DIR", .help = "where trees and kernels are kept [cache.dir]",
	 .type = OPTION_STRING, .offset = offsetof(struct role_options, cache)},
	{"once", 0, .type = OPTION_FLAG, .help = "do what there is to do, then end",
	 .offset = offsetof(struct role_options, once)},
	{0},
};

static const struct role *role_find(const char *name)
{
	for (size_t i = 0; roles[i]; i++)
		if (strcmp(roles[i]->name, name) == 0)
			return roles[i];
	return NULL;
}

/* Secrets that the post role has read are not to be read out of its memory by what else runs as
 * the same user; and none but the engine, whose builds change user, starts anything with more
 * rights. */
static void confine(const struct role *role)
{
	if (strcmp(role->name, "engine") != 0)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (strcmp(role->name, "post") == 0)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static int role_run(const struct role *role, const struct role_options *o, int *alive_fd,
		    struct err *err)
{
	auto_service struct service s = {0};
	auto_free char *cache = NULL;
	auto_fd int lock = -1;
	int rc = service_read(&s, &o->service, err);

	if (rc == 0)
		rc = fs_mkdirs(s.data_dir, err);
	/* Each table has one writer. */
	if (rc == 0)
		rc = serve_lock(s.data_dir, role->name, &lock, err);
	if (rc == 0)
		rc = command_cache(o->cache, &s.conf, &cache, err);
	if (rc == 0) {
		auto_free char *path = xasprintf("%s/firn.db", s.data_dir);

		rc = store_open(path, STORE_WRITE, &s.store, err);
	}
	if (rc < 0)
		return rc;
	const struct role_env env = {.conf = &s.conf,
				     .data_dir = s.data_dir,
				     .cache_dir = cache,
				     .config = s.config,
				     .store = s.store,
				     .once = o->once,
				     .alive = serve_alive,
				     .ctx = alive_fd};
	serve_alive(alive_fd);
	return role->run(&env, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	const struct role *role = role_find(cmd->name);
	struct role_options o = {0};
	bool helped = false;
	int alive_fd = serve_alive_open(), first;
	int rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (first < argc)
		return err_set(err, ERR_USAGE, "firn %s takes no argument \"%s\"", cmd->name,
			       argv[first]);
	if (!role)
		return err_set(err, ERR_CONFIG, "this firn was built without the role %s",
			       cmd->name);
	log_role(alive_fd >= 0 ? role->name : NULL);
	confine(role);
	rc = role_run(role, &o, &alive_fd, err);
	if (rc != ERR_CONFIG || alive_fd < 0)
		return rc;
	log_error("%s", err->msg);
	return SERVE_EXIT_CONFIG;
}

static void help(FILE *out)
{
	fputs("\nRuns until it is ended (SIGTERM). `firn serve` runs all of them; with --once one "
	      "can be tried by hand.\n",
	      out);
}

const struct command command_intake = {.name = "intake",
				       .args = "[--once] [OPTION...]",
				       .summary = "one role: read sources, make postings of mails",
				       .run = run,
				       .help = help,
				       .options = options};
const struct command command_engine = {.name = "engine",
				       .args = "[--once] [OPTION...]",
				       .summary = "one role: plan trials and run them",
				       .run = run,
				       .help = help,
				       .options = options};
const struct command command_post = {.name = "post",
				     .args = "[--once] [OPTION...]",
				     .summary = "one role: post results",
				     .run = run,
				     .help = help,
				     .options = options};
