// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/service.h"

struct backup_options {
	struct service_options service;
};
static const struct option_row options[] = {SERVICE_OPTIONS(struct backup_options), {0}};

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct backup_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first != 1)
		return err_set(err, ERR_USAGE, "firn backup takes one FILE (firn backup --help)");
	rc = service_open(&s, &o.service, STORE_READ, err);
	if (rc == 0)
		rc = store_backup(s.store, argv[first], err);
	if (rc == 0)
		printf("%s\n", argv[first]);
	return rc;
}

static void help(FILE *out)
{
	fputs("\nFILE must not be there, and is a whole store then, with all mails, results and "
	      "what "
	      "was sent. To take it back: end\nfirn serve, put it at DATA/firn.db, remove "
	      "DATA/firn.db-wal and DATA/firn.db-shm, start firn serve.\n",
	      out);
}

const struct command command_backup = {.name = "backup",
				       .args = "FILE [OPTION...]",
				       .summary = "copy the store while the service runs",
				       .run = run,
				       .help = help,
				       .options = options};
