// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/engine.h"

#include "base/clock.h"
#include "base/log.h"
#include "sandbox/sandbox.h"
#include "serve/evict.h"
#include <math.h>

/* A store that is busy or a disk that is full for so many turns is the supervisor's affair. */
#define FAILURES_MAX 20
#define LATE_S	     60.0
#define TIDY_S	     1800.0
/* A turn is taken at least so often; sooner while there are trials, since one that died leaves no
 * mark in the store. */
#define TURN_S	    2.0
#define TURN_BUSY_S 0.2

static int turn_late(struct engine *e, struct err *err)
{
	if (clock_mono() < e->next_late)
		return 0;
	e->next_late = clock_mono() + LATE_S;
	return engine_late(e, err);
}

static int turn_tidy(struct engine *e, struct err *err)
{
	struct evict evict = {.conf = e->env->conf,
			      .data_dir = e->env->data_dir,
			      .cache_dir = e->env->cache_dir,
			      .store = e->env->store,
			      .alive = e->env->alive,
			      .ctx = e->env->ctx};
	int rc;

	if (clock_mono() < e->next_tidy)
		return 0;
	e->next_tidy = clock_mono() + TIDY_S;
	rc = evict_run(&evict, err);
	if (rc == 0 && evict.over && !e->full_told)
		log_warn("serve.disk: %ld GiB are not enough: %lld MiB are in use and cannot go",
			 conf_int(e->env->conf, CONF_SERVE_DISK), (long long)(evict.used >> 20));
	e->full_told = evict.over;
	return rc;
}

static int turn(struct engine *e, int64_t *ret_wait, struct err *err)
{
	int rc = engine_reap(e, err);

	if (rc == 0)
		rc = engine_orphans(e, err);
	if (rc == 0)
		rc = engine_answer(e, err);
	if (rc == 0)
		rc = engine_cancel_outdated(e, err);
	if (rc == 0)
		rc = engine_plan_new(e, err);
	if (rc == 0)
		rc = engine_start(e, ret_wait, err);
	if (rc == 0)
		rc = turn_late(e, err);
	if (rc == 0)
		rc = engine_fill(e, err);
	return rc < 0 ? rc : turn_tidy(e, err);
}

static bool idle(const struct engine *e, int64_t wait)
{
	return e->n == 0 && e->fill.ended && (wait == 0 || wait > clock_wall());
}

static double turn_length(const struct engine *e)
{
	return e->n ? TURN_BUSY_S : e->fill.ended ? TURN_S : FILL_PAUSE_S;
}

static int loop(struct engine *e, struct err *err)
{
	unsigned failures = 0;

	for (;;) {
		int64_t wait = 0;
		int rc = turn(e, &wait, err);

		if (rc < 0) {
			if (rc != ERR_INFRA || ++failures >= FAILURES_MAX || e->env->once)
				return rc;
			log_warn("%s; trying again", err->msg);
		} else {
			failures = 0;
		}
		if (rc == 0 && e->env->once && idle(e, wait))
			return 0;
		if (!role_wait(e->env, clock_mono() + turn_length(e)))
			return 0;
	}
}

/* Also moves the service's processes where groups can be made beside them: see sandbox/cgroup.h. */
static void tell_limits(void)
{
	const char *why, *limits = sandbox_limits(&why);

	if (why)
		log_warn("builds are limited by rlimits only, each process alone: %s", why);
	else
		log_info("builds are limited by %s", limits);
}

static int run(const struct role_env *env, struct err *err)
{
	struct engine e = {.env = env, .next_tidy = env->once ? INFINITY : 0};
	int rc;

	tell_limits();
	rc = loop(&e, err);

	engine_stop(&e);
	free(e.child);
	free(e.last_wait);
	return rc;
}

const struct role role_engine = {
	.name = "engine", .summary = "plan trials, run them, say what came of them", .run = run};
