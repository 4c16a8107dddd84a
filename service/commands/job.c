// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/job.h"
#include "commands/command.h"

static void help(FILE *out)
{
	fputs("\nDIR holds job.json; log and result.json are written into it. Kinds of job:\n",
	      out);
	for (size_t i = 0; job_kinds[i]; i++)
		fprintf(out, "  %-10s %s\n", job_kinds[i]->name, job_kinds[i]->summary);
}

static const struct option_row none[] = {{0}};

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, NULL, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first != 1)
		return err_set(err, ERR_USAGE, "firn job takes one folder (firn job --help)");
	return job_run(argv[first], err);
}

const struct command command_job = {
	.name = "job",
	.args = "DIR",
	.summary = "run one job folder: what a launcher calls, or you, to repeat a step",
	.run = run,
	.help = help,
	.options = none,
};
