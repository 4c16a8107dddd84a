// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and logs of trials that ended before the store had a place for them: their reports have
 * both. */
#include "serve/engine.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/json.h"
#include "report/report.h"
#include "store/fill.h"
#include "store/trial_metric.h"
#include <sys/stat.h>

#define REPORT_MAX (64 << 20)

/* False: it is gone, or this firn cannot read it. */
static bool report_find(const struct store_trial *t, json_t **ret)
{
	struct err ignored = ERR_INIT;
	auto_json json_t *report = NULL;
	struct stat st;

	if (!t->report || stat(t->report, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > REPORT_MAX || json_read(t->report, ERR_INPUT, &report, &ignored) < 0 ||
	    report_check(report, &ignored) < 0)
		return false;
	*ret = take(report);
	return true;
}

static int trial_fill(struct store *s, int64_t id, struct err *err)
{
	auto_store_trial struct store_trial t = {0};
	auto_batch struct store_batch batch = {0};
	auto_json json_t *report = NULL;
	int rc = store_batch_begin(&batch, s, err);

	if (rc == 0)
		rc = store_trial_get(s, id, &t, err);
	if (rc == 0 && report_find(&t, &report)) {
		rc = store_metrics_keep(s, id, report, err);
		if (rc == 0)
			rc = store_fill_logs(s, id, report, err);
	}
	if (rc == 0)
		rc = store_fill_trial_done(s, id, err);
	fault_point("fill");
	return rc < 0 ? rc : store_batch_commit(&batch, "filling in a trial", err);
}

static int batch_fill(struct engine *e, double until, struct err *err)
{
	int64_t ids[FILL_BATCH];
	size_t n = 0;
	int rc = store_fill_trials(e->env->store, FILL_BATCH, ids, &n, err);

	for (size_t i = 0; i < n && rc == 0 && clock_mono() < until; i++)
		rc = trial_fill(e->env->store, ids[i], err);
	return rc;
}

int engine_fill(struct engine *e, struct err *err)
{
	struct store *s = e->env->store;
	int64_t left = 0, postings = 0;
	int rc = e->fill.ended ? 0 : store_fill_left(s, &postings, &left, err);

	if (rc == 0 && left) {
		fill_tell(&e->fill, "numbers and logs of trials", left);
		rc = batch_fill(e, clock_mono() + (e->n ? FILL_BUSY_S : FILL_S), err);
		if (rc == 0)
			rc = store_fill_left(s, &postings, &left, err);
		if (rc == 0)
			fill_tell(&e->fill, "numbers and logs of trials", left);
	}
	if (rc == 0)
		e->fill.ended = left == 0;
	return rc;
}
