// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/progress.h"

#include "base/clock.h"
#include "base/str.h"
#include <math.h>

static int step_count(struct store *s, const struct store_step *step, struct progress *p,
		      struct err *err)
{
	double usual = 0;
	int rc;

	p->total++;
	if (step->state == STORE_STEP_DONE) {
		p->done++;
		return 0;
	}
	rc = store_step_expected(s, step->name, false, &usual, err);
	if (rc == 0 && step->state == STORE_STEP_RUNNING) {
		free(p->step);
		p->step = xstrdup(step->name);
		usual -= (double)(clock_wall() - step->started);
	}
	p->left += fmax(usual, 0);
	return rc;
}

int progress_get(struct store *s, int64_t trial, struct progress *ret, struct err *err)
{
	auto_store_step_list struct store_step_list l = {0};
	int rc = store_step_list(s, trial, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		rc = step_count(s, &l.step[i], ret, err);
	return rc;
}

void progress_done(struct progress *p)
{
	free(p->step);
	*p = (struct progress){0};
}

char *progress_words(const struct progress *p)
{
	unsigned at = p->done + (p->done < p->total);
	char span[CLOCK_SPAN_MAX];

	if (p->left > 0)
		return xasprintf("%s, step %u of %u, about %s left", p->step ? p->step : "begins",
				 at, p->total, clock_span(p->left, span));
	return xasprintf("%s, step %u of %u", p->step ? p->step : "begins", at, p->total);
}
