// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/explain.h"

#include "intake/source.h"
#include "report/escape.h"
#include "series/ledger.h"
#include "series/version.h"
#include <stdio.h>

/* The words of strangers, made safe for a terminal. */
static void print_line(const char *line)
{
	auto_str struct str safe;

	str_init(&safe, 0);
	term_text(&safe, line, strlen(line));
	puts(safe.buf);
}

static void print_ledger(const struct mail_list *mails, const struct series_set *set)
{
	struct threads *threads = threads_new(mails, set);
	struct offers offers = {0};
	struct ledger ledger = {0};

	offers_find(threads, mails, set, &offers);
	ledger_make(mails, set, threads, &offers, &ledger);
	char **lines = ledger_lines(&ledger);
	for (size_t i = 0; i < ledger.n; i++) {
		print_line(lines[i]);
		free(lines[i]);
	}
	free(lines);
	ledger_done(&ledger);
	offers_done(&offers);
	threads_free(threads);
}

static void print_series(const struct series_set *set)
{
	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];
		auto_free char *version = version_name(s);
		auto_free char *line =
			xasprintf("series %zu: %s, %zu of %u patches, <%s>: %s%s%s%s%s", i + 1,
				  version, s->n_patches, s->total, s->message_id, s->title,
				  s->older ? "; a new version: " : "", s->older ? s->older_why : "",
				  s->composed ? "; " : "", s->composed ? s->composed : "");

		print_line(line);
	}
}

int explain(const char *const *inputs, struct err *err)
{
	struct mail_list mails = {0};
	struct series_set set = {0};
	int rc = 0;

	for (; *inputs && rc == 0; inputs++)
		rc = source_read(*inputs, &mails, err);
	if (rc == 0)
		rc = collate(&mails, &set, err);
	if (rc == 0) {
		print_ledger(&mails, &set);
		print_series(&set);
	}
	series_set_done(&set);
	mail_list_done(&mails);
	return rc;
}
