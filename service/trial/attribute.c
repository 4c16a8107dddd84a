// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/run.h"

/*
 * Bisects: 0 patches are good, all of them are bad, so somewhere between a good prefix is followed
 * by a bad one, and that patch is the answer whether or not others are bad too.
 */
int attribute_patch(struct trial *t, int (*is_bad)(struct trial *t, size_t n, struct err *err),
		    size_t *ret_n, struct err *err)
{
	size_t good = 0, bad = t->applied.n_commits;

	while (bad - good > 1) {
		size_t mid = good + (bad - good) / 2;
		int rc;
		auto_free char *what = xasprintf("looking for the patch: trying %zu of %zu", mid,
						 t->applied.n_commits);

		trial_progress(t, what, 0, 0);
		rc = is_bad(t, mid, err);
		if (rc < 0)
			return rc;
		if (rc)
			bad = mid;
		else
			good = mid;
	}
	*ret_n = bad;
	return 0;
}
