// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checker.h"
#include "commands/check_input.h"
#include "series/collate.h"

int check_piece_decode(const struct check_input *in, struct check_piece *p, struct err *err)
{
	auto_free char *origin = xasprintf("%s:%u", in->name, p->first_line);
	struct mail_list mails = {0};
	struct series_set set = {0};
	struct mail *mail = NULL;
	int rc = mail_parse(p->text, p->n, origin, &mail, err);

	if (rc < 0)
		return rc;
	mail_list_add(&mails, mail);
	rc = collate(&mails, &set, err);
	if (rc == 0 && (set.n_series != 1 || set.series[0].n_patches != 1))
		rc = err_set(err, ERR_INPUT, "%s: not a patch", origin);
	if (rc == 0) {
		p->text = p->decoded = check_patch_text(&set.series[0].patch[0], &p->n);
		p->first_line = 1;
	}
	series_set_done(&set);
	mail_list_done(&mails);
	return rc;
}
