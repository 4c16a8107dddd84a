// SPDX-License-Identifier: GPL-2.0-or-later
/* Trials that are not wanted any more. */
#include "serve/engine.h"

#include "base/log.h"
#include "store/outbox.h"

int engine_cancel(struct engine *e, int64_t trial, const char *why, struct err *err)
{
	auto_batch struct store_batch batch = {0};
	int rc = store_batch_begin(&batch, e->env->store, err);

	if (rc == 0)
		rc = store_queue_cancel(e->env->store, trial, why, err);
	if (rc == 0)
		rc = store_outbox_withdraw(e->env->store, trial, err);
	if (rc == 0)
		rc = store_batch_commit(&batch, "cancelling a trial", err);
	if (rc == 0)
		engine_signal(e, trial);
	return rc;
}

int engine_cancel_outdated(struct engine *e, struct err *err)
{
	static const char why[] = "a newer version has come";
	int64_t ids[ENGINE_BATCH];
	size_t n = 0;
	int rc = store_queue_outdated(e->env->store, ENGINE_BATCH, ids, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = engine_cancel(e, ids[i], why, err);
		if (rc == ERR_INPUT) /* its process was quicker */
			rc = 0;
		else if (rc == 0)
			log_info("trial %lld: cancelled: %s", (long long)ids[i], why);
	}
	return rc;
}
