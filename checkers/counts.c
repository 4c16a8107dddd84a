// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checker.h"

void check_counts_add(struct check_counts *c, const struct check_result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		c->errors += r->finding[i].level == FINDING_ERROR;
		c->warnings += r->finding[i].level == FINDING_WARNING;
		c->checks += r->finding[i].level == FINDING_CHECK;
	}
	c->lines += r->lines_checked;
}

void check_result_totals(struct check_result *r)
{
	struct check_counts c = {0};

	check_counts_add(&c, r);
	check_result_reason(r, c.errors || c.warnings ? OUTCOME_WARN : OUTCOME_PASS,
			    "total: %u errors, %u warnings, %u checks, %u lines checked", c.errors,
			    c.warnings, c.checks, c.lines);
}
