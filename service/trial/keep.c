// SPDX-License-Identifier: GPL-2.0-or-later
/* What a trial was given, in its work folder: for `firn run` again, and for who reads the report.
 */
#include "base/fs.h"
#include "checkers/checker.h"
#include "trial/run.h"

static int keep_mails(const struct trial *t, struct err *err)
{
	auto_free char *dir = xasprintf("%s/mails", t->work_dir);
	int rc = fs_mkdirs(dir, err);

	for (size_t i = 0; i < t->mails.n && rc == 0; i++) {
		auto_free char *path = xasprintf("%s/%04zu.eml", dir, i + 1);

		rc = fs_write_atomic(path, t->mails.item[i]->raw, t->mails.item[i]->raw_len, err);
	}
	return rc;
}

char *trial_patch_name(const struct patch *p)
{
	return xasprintf("patches/%04u.patch", p->subject.number);
}

/* The text whose lines findings count in. */
static int keep_patch(const struct trial *t, const struct patch *p, struct err *err)
{
	auto_free char *name = trial_patch_name(p);
	auto_free char *path = xasprintf("%s/%s", t->work_dir, name);
	size_t n;
	auto_free char *text = check_patch_text(p, &n);

	return fs_write_atomic(path, text, n, err);
}

int trial_keep_input(const struct trial *t, struct err *err)
{
	auto_free char *dir = xasprintf("%s/patches", t->work_dir);
	int rc = keep_mails(t, err);

	if (rc == 0)
		rc = fs_mkdirs(dir, err);
	for (size_t i = 0; i < t->series->n_patches && rc == 0; i++)
		rc = keep_patch(t, &t->series->patch[i], err);
	return rc;
}
