// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checker.h"

#include "base/proc.h"

const struct checker *const checkers[] = {
	&checker_signoff, &checker_needs_stable, &checker_checkpatch_pl, &checker_checkpatch, NULL,
};

size_t checkers_count(void)
{
	return array_size(checkers) - 1;
}

static size_t index_of(const struct checker *c)
{
	size_t i = 0;

	while (checkers[i] != c)
		i++;
	return i;
}

static bool ran(const struct check_result *r)
{
	return r->outcome == OUTCOME_PASS || r->outcome == OUTCOME_WARN;
}

/* An error of one checker is a row of the report. */
static void result_error(struct check_result *r, const struct err *err)
{
	check_result_done(r);
	check_result_reason(r, OUTCOME_ERROR, "%s", err->msg);
}

int check_patch_all(const struct check_env *env, const struct patch *patch,
		    struct check_result results[], struct err *err)
{
	memset(results, 0, checkers_count() * sizeof(*results));
	for (size_t i = 0; checkers[i]; i++) {
		int rc = cancel_requested() ? err_cancelled(err)
					    : checkers[i]->run(env, patch, &results[i], err);

		if (rc == ERR_CANCELLED)
			return rc;
		if (rc)
			result_error(&results[i], err);
	}
	check_dedupe(&results[index_of(&checker_checkpatch)],
		     &results[index_of(&checker_checkpatch_pl)]);
	return 0;
}

void check_counts_patch(struct check_counts *c, const struct check_result results[])
{
	const struct check_result *script = &results[index_of(&checker_checkpatch_pl)];
	const struct check_result *native = &results[index_of(&checker_checkpatch)];

	if (ran(script))
		check_counts_add(c, script);
	else if (ran(native))
		check_counts_add(c, native);
}
