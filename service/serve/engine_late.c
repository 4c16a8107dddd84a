// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/engine.h"

#include "base/clock.h"
#include "base/json.h"
#include "serve/engine_post.h"

/* Patchwork takes a patch minutes after the list, hours when its mail is slow. */
#define LATE_FOR_S  (6 * 3600)
#define LATE_TRIALS 100

static int late_one(const struct engine *e, const struct store_trial *t, struct err *err)
{
	auto_store_posting struct store_posting posting = {0};
	auto_json json_t *report = NULL;
	struct store_queued q = {0};
	const struct post_about about = {
		.conf = e->env->conf, .store = e->env->store, .trial = &q, .posting = &posting};
	auto_batch struct store_batch batch = {0};
	struct err unreadable = ERR_INIT;
	int rc;

	if (t->report && json_read(t->report, ERR_INPUT, &report, &unreadable) < 0)
		return 0; /* its folder is gone */
	rc = store_batch_begin(&batch, e->env->store, err);
	if (rc == 0)
		rc = store_posting_get(e->env->store, t->posting, &posting, err);
	if (rc == 0)
		rc = store_queue_get(e->env->store, t->id, &q, err);
	if (rc == 0)
		rc = post_checks(&about, report, report ? NULL : t->words, err);
	store_queued_done(&q);
	return rc < 0 ? rc : store_batch_commit(&batch, "adding late checks", err);
}

int engine_late(struct engine *e, struct err *err)
{
	auto_store_trial_list struct store_trial_list list = {0};
	int64_t since = clock_wall() - LATE_FOR_S;
	int rc = store_trial_list(e->env->store, LATE_TRIALS, 0, &list, err);

	for (size_t i = 0; rc == 0 && i < list.n; i++) {
		const struct store_trial *t = &list.trial[i];

		if (t->posting && t->state == STORE_TRIAL_FINISHED && t->finished >= since)
			rc = late_one(e, t, err);
	}
	return rc;
}
