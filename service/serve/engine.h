/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the engine role: plans trials, runs each as a process of its own, says what came of
 * them. ENGINE.md has the long form. */
#ifndef FIRN_SERVE_ENGINE_H
#define FIRN_SERVE_ENGINE_H

#include "base/conf_section.h"
#include "base/proc.h"
#include "serve/fill.h"
#include "serve/role.h"
#include "store/mails.h"
#include "store/queue.h"
#include "store/requests.h"

/* Rows that are looked at in one turn; the next turn takes the rest. */
#define ENGINE_BATCH 64

/* Longest and shortest wait before something is tried again, in seconds. */
#define ENGINE_WAIT_MIN 60
#define ENGINE_WAIT_MAX 3600

/* A trial that runs. */
struct engine_child {
	int64_t trial;
	struct proc proc;
	bool unwanted; /* cancelled: how it ends does not matter */
};

struct engine {
	const struct role_env *env;
	struct engine_child *child;
	size_t n, cap;
	char *last_wait;	     /* why the last trial was put off, as logged; NULL */
	double next_late, next_tidy; /* clock_mono() */
	bool full_told;		     /* that the disk budget cannot be kept */
	struct fill fill;
};

/* engine_plan.c: trials for postings that have none. */
must_check int engine_plan_new(struct engine *e, struct err *err);
struct engine_plan {
	const struct store_posting *posting;
	enum store_priority priority;
	int64_t request, replaces; /* 0: none */
	json_t *plan; /* store/queue.h; "steps" (names of those that will run) is added */
};
/* Queues one, and says on Patchwork that it is pending. Takes `plan->plan`. */
must_check int engine_plan_add(struct engine *e, const struct engine_plan *plan, int64_t *ret_id,
			       struct err *err);
/* What a list's trials are like now: "only", "conf". */
json_t *engine_plan_make(const struct conf *conf, const char *list);

/* engine_request.c: answers what people ask for. */
must_check int engine_answer(struct engine *e, struct err *err);

/* engine_refusal.c: tells who gave a command by mail that it is not obeyed: him alone. `*ret_why`
 * (a constant) says why no mail goes out; NULL: one does. */
must_check int engine_refuse(struct engine *e, const struct store_request *r, const char *words,
			     const char **ret_why, struct err *err);

/* engine_cancel.c: trials of postings that have been replaced. */
must_check int engine_cancel_outdated(struct engine *e, struct err *err);
/* Ends one, whether it waits or runs; nothing more is said about it. */
must_check int engine_cancel(struct engine *e, int64_t trial, const char *why, struct err *err);

/* engine_child.c: processes. */
must_check int engine_reap(struct engine *e, struct err *err);
must_check int engine_orphans(struct engine *e, struct err *err);
/* Starts what may run now. `*ret_wait` is when the next may (seconds since 1970), 0: none waits. */
must_check int engine_start(struct engine *e, int64_t *ret_wait, struct err *err);
/* Ends all of them, and puts their trials back. */
void engine_stop(struct engine *e);
void engine_signal(struct engine *e, int64_t trial);

/* engine_wait.c: how long to wait after so many tries; and when something has been waiting since
 * then: it doubles either way. */
int64_t engine_backoff(unsigned tries);
int64_t engine_backoff_since(int64_t since, int64_t now);

/* engine_late.c: checks for patches that Patchwork came to know after their trial. */
must_check int engine_late(struct engine *e, struct err *err);

/* engine_fill.c: what a store of an older firn lacks of its trials, for a second. */
must_check int engine_fill(struct engine *e, struct err *err);

#endif
