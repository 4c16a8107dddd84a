/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that end in a report have in common: where they read from and write to. */
#ifndef FIRN_COMMANDS_OUTPUT_H
#define FIRN_COMMANDS_OUTPUT_H

#include "base/conf.h"
#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>

/* Reads the file that --config names, else the default one; before the options, so that the command
 * line wins. */
must_check int command_read_conf(int argc, char **argv, struct conf *conf, struct err *err);
/* Runs a command with the configuration read, and freed afterwards. */
struct command;
typedef int command_with_conf_fn(const struct command *cmd, int argc, char **argv,
				 struct conf *conf, struct err *err);
int command_with_conf(command_with_conf_fn *run, const struct command *cmd, int argc, char **argv,
		      struct err *err);

/* The cache folder: `given` (--cache; made, may be NULL), else the configured, else the default.
 * The caller frees. */
must_check int command_cache(const char *given, const struct conf *conf, char **ret_dir,
			     struct err *err);

/* Throws away what killed runs left in the cache. To fail is no reason not to go on: it is logged.
 */
void command_sweep(const char *cache_dir);

struct output {
	const char *html, *json; /* files; NULL */
	bool brief;		 /* leave out what passed */
	const char *work_dir;	 /* report.html and report.json go there too; NULL */
};

/* Writes the files and prints the report. A file that cannot be written does not keep the report
 * from the reader. */
must_check int output_report(const struct output *o, const json_t *report, struct err *err);

/* Of a command whose report this is: 0 pass, warn or skip, 1 fail, 2 error. */
int output_exit_code(const json_t *report);

#endif
