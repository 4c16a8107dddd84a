/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store: one SQLite file (WAL) that keeps which trials ran, what came of them, and how long
 * each step took; for the service also mails and postings (mails.h), what waits (queue.h), what is
 * to be said (outbox.h) and what people ask for (requests.h). schema.sql says who writes which
 * table. Several processes may have it open; a writer waits up to STORE_BUSY_MS for another one.
 *
 * Errors: ERR_CONFIG for a path that cannot be used, a file that is no store of firn's and a schema
 * that is newer than this firn; ERR_INPUT for an id that is not there; ERR_INFRA for the rest (disk
 * full, busy, damaged).
 *
 * Strings that go in may hold any bytes; what comes out may therefore not be UTF-8.
 */
#ifndef FIRN_STORE_STORE_H
#define FIRN_STORE_STORE_H

#include "base/cleanup.h"
#include "base/err.h"
#include "base/outcome.h"
#include <stdbool.h>
#include <stdint.h>

#define STORE_BUSY_MS 5000

struct store;

enum store_mode {
	STORE_READ,  /* the file must be there */
	STORE_WRITE, /* makes the file and its schema when they are not there; the folder must be */
};

must_check int store_open(const char *path, enum store_mode mode, struct store **ret_store,
			  struct err *err);
void store_close(struct store *s);
DEFINE_CLEANUP(struct store *, store, store_close)
#define auto_store auto_cleanup(store)

/* A copy, while others go on writing: `path` must not be there, and then is a store of its own.
 * ERR_CONFIG, ERR_INFRA, ERR_CANCELLED. */
must_check int store_backup(struct store *s, const char *path, struct err *err);

/* A number that changes when another process has written. */
must_check int store_data_version(struct store *s, int64_t *ret_version, struct err *err);

/* What is tried. None is NULL; all may be "" (and version 0) while it is not known yet. */
struct store_series {
	const char *title, *message_id, *author;
	unsigned version;
};

/* A new trial, run by this process, with its steps (NULL at the end) waiting. */
must_check int store_trial_begin(struct store *s, const struct store_series *series,
				 const char *const *steps, int64_t *ret_id, struct err *err);
/* Once the series is known. */
must_check int store_trial_describe(struct store *s, int64_t id, const struct store_series *series,
				    struct err *err);

/* Where its mails, jobs and logs are, as soon as there is such a place. */
must_check int store_trial_work_dir(struct store *s, int64_t id, const char *dir, struct err *err);

struct store_trial_end {
	enum outcome outcome;
	const char *words; /* the verdict in one line */
	/* Each may be NULL. The work folder then stays as it was told before. */
	const char *base, *work_dir, *report;
};
/* Steps that have not ended become skipped: a trial that is over has none waiting. */
must_check int store_trial_finish(struct store *s, int64_t id, const struct store_trial_end *end,
				  struct err *err);

must_check int store_step_begin(struct store *s, int64_t trial, const char *name, struct err *err);

/* What it is doing, and `done` of `total` (0 of 0: not known). Writes each time: the caller keeps
 * to STORE_TELL_S seconds. Nothing happens when the step does not run. */
#define STORE_TELL_S 1.0
must_check int store_step_tell(struct store *s, int64_t trial, const char *name, const char *note,
			       unsigned done, unsigned total, struct err *err);

struct store_step_end {
	enum outcome outcome;
	const char *reason;
	double seconds;
	bool cached;	 /* the result was there already */
	const char *log; /* relative to the work folder; NULL: none */
};
/* Also for a step that never began. */
must_check int store_step_finish(struct store *s, int64_t trial, const char *name,
				 const struct store_step_end *end, struct err *err);

/* How long a step usually takes: the median of its last five runs that passed (or passed with
 * warnings) and were, or were not, cached. *ret_seconds is 0 when it never ran. */
must_check int store_step_expected(struct store *s, const char *name, bool cached,
				   double *ret_seconds, struct err *err);

enum store_trial_state {
	STORE_TRIAL_WAITING,
	STORE_TRIAL_RUNNING,
	STORE_TRIAL_INTERRUPTED, /* not finished, and the process that ran it is gone */
	STORE_TRIAL_FINISHED,
	STORE_TRIAL_CANCELLED,
};
/* "waiting", "running", "interrupted", "finished", "cancelled". */
const char *store_trial_state_name(enum store_trial_state state);

struct store_trial {
	int64_t id, posting;	   /* posting 0: run by hand */
	int64_t started, finished; /* seconds since 1970 UTC; finished 0: it is not; started of a
				      waiting one: when it was queued */
	enum store_trial_state state;
	enum outcome outcome; /* OUTCOME_ERROR unless finished: we don't know */
	char *title, *message_id, *author;
	char *base, *words, *work_dir, *report; /* NULL when there is none */
	unsigned version;
};
void store_trial_done(struct store_trial *t);
#define auto_store_trial __attribute__((cleanup(store_trial_done)))

/* `ret` is zeroed by the caller. */
must_check int store_trial_get(struct store *s, int64_t id, struct store_trial *ret,
			       struct err *err);

struct store_trial_list {
	struct store_trial *trial; /* newest first */
	size_t n, cap;
	bool more; /* there are older ones */
};
/* Those before this id; 0: from the newest on. */
must_check int store_trial_list(struct store *s, unsigned limit, int64_t before,
				struct store_trial_list *ret, struct err *err);
void store_trial_list_done(struct store_trial_list *list);
#define auto_store_trial_list __attribute__((cleanup(store_trial_list_done)))

enum store_step_state { STORE_STEP_WAITING, STORE_STEP_RUNNING, STORE_STEP_DONE };
/* "waiting", "running", "done". */
const char *store_step_state_name(enum store_step_state state);

struct store_step {
	char *name, *reason; /* reason NULL unless done */
	enum store_step_state state;
	enum outcome outcome; /* OUTCOME_SKIP unless done */
	int64_t started;      /* 0: it did not begin */
	double seconds;
	bool cached;
	char *note; /* what it is doing; "": not known */
	unsigned done, total;
	char *log; /* relative to the work folder; NULL: none, or it runs */
};

struct store_step_list {
	struct store_step *step; /* in the order of the plan */
	size_t n, cap;
};
/* Empty for a trial that is not there. */
must_check int store_step_list(struct store *s, int64_t trial, struct store_step_list *ret,
			       struct err *err);
void store_step_list_done(struct store_step_list *list);
#define auto_store_step_list __attribute__((cleanup(store_step_list_done)))

#endif
