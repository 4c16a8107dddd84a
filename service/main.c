// SPDX-License-Identifier: GPL-2.0-or-later
/* The command table and nothing else. */
#include "base/log.h"
#include "base/proc.h"
#include "commands/command.h"
#include <git2.h>
#include <locale.h>
#include <string.h>

static const struct command *const commands[] = {
	&command_run,
	&command_check,
	&command_bench,
	&command_calibrate,
	&command_job,
	&command_trial,
	&command_web,
	&command_check_config,
	&command_serve,
	&command_status,
	&command_queue,
	&command_log,
	&command_ledger,
	&command_outbox,
	&command_rerun,
	&command_cancel,
	&command_approve,
	&command_drop,
	&command_suppress,
	&command_allow,
	&command_backup,
	&command_intake,
	&command_engine,
	&command_post,
	NULL,
};

static void usage(FILE *out)
{
	fputs("Usage: firn COMMAND [ARGUMENT...]\n\nfirn tests kernel patch series: applies them, "
	      "checks them, builds and boots "
	      "the kernel,\nand measures base against patched.\n\nCommands:\n",
	      out);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary) /* else it is not for people */
			fprintf(out, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n`firn COMMAND --help` says more; `firn --version` tells the version.\n", out);
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *cmd = find(name);
	struct err err = ERR_INIT;
	int rc;

	setlocale(LC_CTYPE, "C.UTF-8");
	if (strcmp(name, "--version") == 0)
		return puts("firn " FIRN_VERSION) < 0;
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		usage(stdout);
		return 0;
	}
	if (!cmd) {
		if (*name)
			log_error("no command \"%s\"", name);
		usage(stderr);
		return err_exit_code(ERR_USAGE);
	}
	cancel_init();
	git_libgit2_init();
	rc = cmd->run(cmd, argc - 1, argv + 1, &err);
	git_libgit2_shutdown();
	if (rc < 0)
		log_error("%s", err.msg);
	return rc < 0 ? err_exit_code((enum err_kind)rc) : rc;
}
