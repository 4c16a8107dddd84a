// SPDX-License-Identifier: GPL-2.0-or-later
/* Trials as processes: `firn trial ID`. */
#include "serve/engine.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/str.h"
#include "serve/trial_child.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

/* How long trials may take to end when the service does. */
#define STOP_S 10.0

static struct engine_child *child_find(const struct engine *e, int64_t trial)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->child[i].trial == trial)
			return &e->child[i];
	return NULL;
}

void engine_signal(struct engine *e, int64_t trial)
{
	struct engine_child *c = child_find(e, trial);

	if (!c)
		return;
	c->unwanted = true;
	kill(-c->proc.pid, SIGTERM);
}

/* What it waits for is logged once, not at each of a hundred trials and tries. */
static void log_waiting(struct engine *e, const struct store_trial *t)
{
	const char *words = t->words ? t->words : "";

	if (e->last_wait && strcmp(e->last_wait, words) == 0)
		return;
	log_warn("trial %lld waits: %s", (long long)t->id, words);
	free(e->last_wait);
	e->last_wait = xstrdup(words);
}

static int put_orphan_back(struct engine *e, int64_t id, const char *how, struct err *err)
{
	struct store_queued q = {0};
	auto_free char *words = NULL;
	unsigned tries = (unsigned)conf_int(e->env->conf, CONF_SERVE_TRIES);
	int rc = store_queue_get(e->env->store, id, &q, err);

	if (rc == 0 && q.attempts >= tries) {
		words = xasprintf("begun %u times, and never came to its end (%s)", q.attempts,
				  how);
		log_error("trial %lld: %s", (long long)id, words);
		rc = trial_child_give_up(&(struct trial_child_lost){.conf = e->env->conf,
								    .store = e->env->store,
								    .id = id},
					 words, err);
	} else if (rc == 0) {
		log_warn("trial %lld: %s; it will be begun again", (long long)id, how);
		rc = store_queue_put_back(e->env->store, id,
					  clock_wall() + engine_backoff(q.attempts), how, err);
	}
	store_queued_done(&q);
	return rc;
}

/* Its process is gone: the store says how far it came. */
static int ended(struct engine *e, const struct engine_child *c, const char *how, struct err *err)
{
	auto_store_trial struct store_trial t = {0};
	int rc = store_trial_get(e->env->store, c->trial, &t, err);

	if (rc < 0)
		return rc;
	switch (t.state) {
	case STORE_TRIAL_FINISHED:
		log_info("trial %lld: %s: %s", (long long)t.id, outcome_name(t.outcome), t.words);
		return 0;
	case STORE_TRIAL_WAITING: log_waiting(e, &t); return 0;
	case STORE_TRIAL_CANCELLED: return 0;
	case STORE_TRIAL_RUNNING:
	case STORE_TRIAL_INTERRUPTED: break;
	}
	return put_orphan_back(e, c->trial, how, err);
}

static bool has_ended(const struct engine_child *c)
{
	struct pollfd pfd = {.fd = c->proc.pidfd, .events = POLLIN};

	return poll(&pfd, 1, 0) > 0;
}

int engine_reap(struct engine *e, struct err *err)
{
	for (size_t i = 0; i < e->n;) {
		struct engine_child c = e->child[i];
		struct proc_result r = {0};
		int rc;

		if (!has_ended(&c)) {
			i++;
			continue;
		}
		proc_reap(&c.proc, &r);
		e->child[i] = e->child[--e->n];
		auto_free char *end = proc_end_text(&r);
		auto_free char *how = xasprintf("its process ended with %s", end);
		rc = ended(e, &c, how, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Of an engine before this one; a child of ours is not among them before it has been reaped. */
int engine_orphans(struct engine *e, struct err *err)
{
	int64_t ids[ENGINE_BATCH];
	size_t n = 0;
	int rc = store_queue_orphans(e->env->store, ENGINE_BATCH, ids, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (!child_find(e, ids[i]))
			rc = put_orphan_back(e, ids[i], "the service was interrupted", err);
	return rc;
}

/* Its standard input is a pipe: it begins when it reads a byte, which is when the store says that
 * it is the one. */
static int child_start(const struct engine *e, int64_t trial, int input, struct proc *ret,
		       struct err *err)
{
	auto_free char *id = xasprintf("%lld", (long long)trial);
	const char *argv[] = {"/proc/self/exe",
			      "trial",
			      id,
			      "--data",
			      e->env->data_dir,
			      "--cache",
			      e->env->cache_dir,
			      e->env->config ? "--config" : NULL,
			      e->env->config,
			      NULL};
	const struct proc_spec spec = {.argv = argv, .stdin_fd = input, .output_fd = STDERR_FILENO};

	return proc_start(&spec, ret, err);
}

static int child_begin(struct engine *e, int64_t trial, struct err *err)
{
	int pipes[2];
	struct engine_child c = {.trial = trial};
	int rc;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return err_sys(err, ERR_INFRA, "cannot start a trial");
	rc = child_start(e, trial, pipes[0], &c.proc, err);
	close(pipes[0]);
	if (rc == 0) {
		arr_grow(e->child, e->n, e->cap);
		e->child[e->n++] = c;
		fault_point("trial-forked");
		rc = store_queue_own(e->env->store, trial, c.proc.pid, err);
		fault_point("trial-owned");
	}
	if (rc == 0 && write(pipes[1], "x", 1) != 1)
		rc = err_sys(err, ERR_INFRA, "cannot start a trial");
	close(pipes[1]); /* without the byte it ends by itself */
	return rc;
}

int engine_start(struct engine *e, int64_t *ret_wait, struct err *err)
{
	size_t most = (size_t)conf_int(e->env->conf, CONF_SERVE_TRIALS);

	while (e->n < most) {
		struct err ignored = ERR_INIT;
		int64_t id = 0;
		int rc = store_queue_take(e->env->store, clock_wall(), &id, ret_wait, err);

		if (rc < 0 || !id)
			return rc;
		fault_point("trial-taken");
		rc = child_begin(e, id, err);
		if (rc < 0 && !child_find(e, id) &&
		    store_queue_put_off(e->env->store, id, clock_wall() + ENGINE_WAIT_MIN,
					"its process could not be started; the log has why",
					&ignored) < 0)
			log_warn("%s", ignored.msg);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void engine_stop(struct engine *e)
{
	for (size_t i = 0; i < e->n; i++)
		kill(-e->child[i].proc.pid, SIGTERM);
	for (size_t i = 0; i < e->n; i++) {
		struct engine_child *c = &e->child[i];
		struct err ignored = ERR_INIT;

		proc_stop(&c->proc, STOP_S);
		/* One that came to its end meanwhile is not running any more. */
		if (!c->unwanted &&
		    store_queue_put_off(e->env->store, c->trial, 0, "the service was stopped",
					&ignored) < 0 &&
		    ignored.kind != ERR_INPUT)
			log_warn("%s", ignored.msg);
	}
	e->n = 0;
}
