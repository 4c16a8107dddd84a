/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trials that wait, and who runs them. Written by the engine role alone (and by `firn run` through
 * store_trial_begin(), for trials that nobody queued).
 *
 * A trial is waiting, running, finished or cancelled. One whose process is gone goes back to
 * waiting with its work folder kept, so that what it had done is found again; after `attempts`
 * tries it ends as an error.
 */
#ifndef FIRN_STORE_QUEUE_H
#define FIRN_STORE_QUEUE_H

#include "store/store.h"

enum store_priority { STORE_RERUN, STORE_NEW, STORE_BACKLOG };

struct store_plan {
	int64_t posting, request, replaces; /* 0: none */
	const char *list, *digest;
	enum store_priority priority;
	/* JSON object: "base" (revision), "only" (steps), "bench", "conf" (object: keys that are
	 * pinned), each may be missing. */
	const char *plan;
	struct store_series series;
};
/* Queues a trial with its steps (NULL at the end) waiting. */
must_check int store_queue_add(struct store *s, const struct store_plan *plan,
			       const char *const *steps, int64_t *ret_id, struct err *err);

/* Postings that are complete, have no newer version, and no trial (of this digest) yet: oldest
 * first, at most `limit` ids. */
must_check int store_queue_unplanned(struct store *s, unsigned limit, int64_t *ret_ids,
				     size_t *ret_n, struct err *err);
/* Waiting trials of postings that have been replaced by a newer version; and running ones. */
must_check int store_queue_outdated(struct store *s, unsigned limit, int64_t *ret_ids,
				    size_t *ret_n, struct err *err);

/*
 * Takes the next one for the process `pid` (of this boot): by priority; within it the list that has
 * been served least lately goes first; within a list the oldest. `*ret_id` 0 when none may run now
 * (at `now`); then `*ret_wait` is when the next one may (0: none waits).
 */
must_check int store_queue_take(struct store *s, int64_t now, int64_t *ret_id, int64_t *ret_wait,
				struct err *err);
/* Who runs it: from its fork on. The steps that were running are waiting again. */
must_check int store_queue_own(struct store *s, int64_t id, int64_t pid, struct err *err);
/* Back to waiting, not before then; so are the steps that were running. */
must_check int store_queue_put_back(struct store *s, int64_t id, int64_t not_before,
				    const char *why, struct err *err);
/* The same for a reason outside of the trial (a testbed that is out, the service ends): this try
 * does not count. */
must_check int store_queue_put_off(struct store *s, int64_t id, int64_t not_before, const char *why,
				   struct err *err);
/* Its steps that have not ended are skipped. */
must_check int store_queue_cancel(struct store *s, int64_t id, const char *why, struct err *err);
/* Running trials whose process is gone. */
must_check int store_queue_orphans(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
				   struct err *err);

struct store_queued {
	int64_t id, posting, request, replaces, queued, not_before, started;
	char *list, *digest, *plan, *title, *message_id, *work_dir; /* work_dir NULL: none yet */
	enum store_priority priority;
	unsigned attempts, version;
	enum store_trial_state state;
};
void store_queued_done(struct store_queued *q);
must_check int store_queue_get(struct store *s, int64_t id, struct store_queued *ret,
			       struct err *err);
/* The newest trial of a posting; `*ret_id` 0: none. */
must_check int store_queue_newest(struct store *s, int64_t posting, int64_t *ret_id,
				  struct err *err);
struct store_queue_list {
	struct store_queued *trial;
	size_t n, cap;
};
/* Running first, then waiting in the order in which they would be taken. */
must_check int store_queue_list(struct store *s, unsigned limit, struct store_queue_list *ret,
				struct err *err);
void store_queue_list_done(struct store_queue_list *l);

/* Testbeds. */
struct store_testbed {
	char *name, *words;
	bool good;
	int64_t since, checked, boots, failed;
};
must_check int store_testbed_tell(struct store *s, const char *name, bool good, const char *words,
				  struct err *err);
must_check int store_testbed_count(struct store *s, const char *name, unsigned boots,
				   unsigned failed, struct err *err);
struct store_testbed_list {
	struct store_testbed *testbed;
	size_t n, cap;
};
must_check int store_testbed_list(struct store *s, struct store_testbed_list *ret, struct err *err);
void store_testbed_list_done(struct store_testbed_list *l);

/* Trials whose folders may go: finished or cancelled before `before`, oldest first, and no open
 * finding (fail or warn of a posting without a newer version) is shown by them. */
must_check int store_queue_expired(struct store *s, int64_t before, unsigned limit,
				   int64_t *ret_ids, size_t *ret_n, struct err *err);
/* Its folder is gone: work_dir and report become null. */
must_check int store_queue_forget(struct store *s, int64_t id, struct err *err);

#endif
