// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/run.h"

/*
 * Bisects: 0 patches are good, all of them are bad, so somewhere between a good prefix is followed
 * by a bad one, and that patch is the answer whether or not others are bad too.
 */
int attribute_patch(struct trial *t, attribute_fn *is_bad, void *ctx, size_t *ret_n,
		    struct err *err)
{
	size_t good = 0, bad = t->applied.n_commits;

	while (bad - good > 1) {
		size_t mid = good + (bad - good) / 2;
		int rc;
		auto_free char *what = xasprintf("looking for the patch: trying %zu of %zu", mid,
						 t->applied.n_commits);

		trial_progress(t, what, 0, 0);
		rc = is_bad(t, mid, ctx, err);
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

int attribute_step(struct trial *t, attribute_fn *is_bad, void *ctx, struct step_result *ret,
		   struct err *err)
{
	struct err why = ERR_INIT;
	size_t n = t->applied.n_commits;
	int rc = attribute_patch(t, is_bad, ctx, &n, &why);
	auto_free char *old = ret->reason;

	if (rc == ERR_CANCELLED) {
		ret->reason = xstrdup(old);
		return err_set(err, why.kind, "%s", why.msg);
	}
	if (rc < 0) {
		ret->reason = xasprintf("%s (which patch: %s)", old, why.msg);
		return 0;
	}
	ret->patch = t->series->patch[n - 1].subject.number;
	ret->reason = xasprintf("patch %zu/%zu: %s", ret->patch, t->series->n_patches, old);
	return 0;
}
