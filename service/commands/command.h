/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands: one file and one row of the table in main.c each. */
#ifndef FIRN_COMMANDS_COMMAND_H
#define FIRN_COMMANDS_COMMAND_H

#include "base/conf.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct command {
	const char *name;
	const char *args; /* after the name in the usage line: "SERIES --tree TREE [OPTION...]" */
	const char *summary; /* one line; NULL: not for people, and not in the list */
	/* Returns the exit code, or a negative error kind with the error filled. */
	int (*run)(const struct command *cmd, int argc, char **argv, struct err *err);
	/* More help below the options; may be NULL. */
	void (*help)(FILE *out);
	const struct option_row *options; /* ends with a NULL name; may be NULL */
};
extern const struct command command_run, command_bench, command_calibrate, command_job,
	command_trial, command_web, command_check_config;

extern const struct command command_check;
extern const struct command command_serve, command_intake, command_engine, command_post;
extern const struct command command_rerun, command_cancel, command_approve, command_drop;
extern const struct command command_suppress, command_allow, command_status, command_queue;
extern const struct command command_log, command_outbox, command_ledger, command_backup;

/* What an option sets. The help text is made from these rows. */
enum option_type {
	OPTION_STRING, /* dest: const char ** */
	OPTION_FLAG,   /* dest: bool * */
	OPTION_CONF,   /* the configuration key `conf`; without `arg`: to true */
};
struct option_row {
	const char *name; /* without -- */
	char letter;	  /* 0: none */
	enum option_type type;
	const char *arg; /* "FILE"; NULL for a flag */
	const char *help;
	size_t offset; /* OPTION_STRING, OPTION_FLAG: of the member in the command's option struct
			*/
	enum conf_id conf;
};

/* Reads the options into `dest` (offsets of the rows) and `conf` (may be NULL when no row is
 * OPTION_CONF). What remains is argv[*ret_first...]. `--help` prints the command's help and sets
 * *ret_help. ERR_USAGE names the option. */
must_check int options_parse(const struct command *cmd, int argc, char **argv, void *dest,
			     struct conf *conf, int *ret_first, bool *ret_help, struct err *err);

void command_help(const struct command *cmd, FILE *out);

#endif
