/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pages read: one query a table of a page, quick with 100,000 postings and 300,000 trials
 * in the store.
 *
 * Pages are turned by key: `before` is the id of the last row that was shown, 0 the newest; `more`
 * says that there are older ones. Lists are zeroed by the caller; each has its done().
 */
#ifndef FIRN_STORE_VIEWS_H
#define FIRN_STORE_VIEWS_H

#include "store/mails.h"
#include "store/outbox.h"
#include "store/queue.h"
#include "store/requests.h"

/* Rows that a query gives at most, whatever the page asks for. */
#define VIEW_LIMIT_MAX 500

/* A posting with its newest trial; a posting without a trial; or a run by hand without a posting.
 */
struct view_series {
	int64_t posting, trial; /* 0: none */
	char *list, *title, *author, *message_id;
	unsigned version;
	unsigned total, have; /* patches of the posting */
	int64_t date;	      /* of its first mail; of a run by hand: when it began */
	/* Of the posting: */
	enum store_posting_state posting_state;
	char *reason; /* why it is incomplete or left alone; "" */
	int64_t newer;
	/* Of the trial: */
	enum store_trial_state state;
	enum outcome outcome;	   /* OUTCOME_ERROR unless finished */
	int64_t started, finished; /* finished 0: it is not */
	char *words;		   /* the verdict in one line; NULL: none yet */
};
struct view_series_list {
	struct view_series *row;
	size_t n, cap;
	bool more;
};
void view_series_list_done(struct view_series_list *l);
#define auto_view_series_list __attribute__((cleanup(view_series_list_done)))
/* "pass", ...; "waiting", "running", "interrupted", "cancelled"; without a trial "planned",
 * "incomplete", "left alone": what a row is, in a word. */
const char *view_series_word(const struct view_series *v);

/* NULL or "" everywhere: does not matter. */
struct view_filter {
	const char *list;
	const char *author; /* a part of "Name <address>" */
	const char *file;   /* a path, or the beginning of one: "arch/powerpc/" */
	const char *state;  /* a word of view_series_word() */
	const char *text;   /* a part of the title or the author */
	int64_t before;
	unsigned limit;
};
/* Is it one of the words that `state` may be? */
bool view_state_known(const char *word);
extern const char *const view_states[]; /* NULL at the end */

/* Finished trials, the last one of each posting, newest verdict first; with a state that is no
 * outcome, what is in that state. Key: the trial's id; of the states of a posting ("incomplete",
 * "left alone", "planned") the posting's. */
must_check int view_verdicts(struct store *s, const struct view_filter *f,
			     struct view_series_list *ret, struct err *err);
/* What the next page's `before` is. */
int64_t view_key(const struct view_filter *f, const struct view_series *last);
/* All postings, newest first. Key: the posting's id. */
must_check int view_postings(struct store *s, const struct view_filter *f,
			     struct view_series_list *ret, struct err *err);

/* One posting with its newest trial; ERR_INPUT when there is none. `ret` zeroed. */
must_check int view_posting(struct store *s, int64_t posting, struct view_series *ret,
			    struct err *err);
void view_series_done(struct view_series *v);
/* The versions of one posting, oldest first, at most 100. `chain`: of struct store_posting. */
must_check int view_versions(struct store *s, int64_t chain, struct view_series_list *ret,
			     struct err *err);
/* All trials of a posting, newest first, at most 50. */
must_check int view_trials(struct store *s, int64_t posting, struct view_series_list *ret,
			   struct err *err);

/* The cover letter ("" when there is none, or the posting is older than this table), and what
 * changed since the version before as JSON (report/SCHEMA.md, "since"; NULL). The caller frees. */
must_check int view_posting_text(struct store *s, int64_t posting, char **ret_cover,
				 json_t **ret_since, struct err *err);
/* Paths, in their order, at most `limit`. */
struct view_paths {
	char **path;
	size_t n, cap;
	bool more;
};
void view_paths_done(struct view_paths *p);
must_check int view_posting_files(struct store *s, int64_t posting, unsigned limit,
				  struct view_paths *ret, struct err *err);

/* What runs and what waits. */
struct view_queued {
	int64_t trial, posting, request;
	char *list, *title, *author, *message_id;
	unsigned version, attempts;
	enum store_trial_state state;
	enum store_priority priority;
	int64_t queued, not_before, started;
	/* Of what runs: */
	char *step, *note; /* NULL: between two steps; "" */
	unsigned done, total;
	unsigned steps_done, steps;
	/* Seconds, as its steps usually take: what it still needs, and (of what waits) until it
	 * begins; negative: not known. */
	double left, wait;
};
struct view_queue {
	struct view_queued *trial;
	size_t n, cap;
	size_t running; /* the first so many */
	bool more;
};
void view_queue_done(struct view_queue *q);
#define auto_view_queue __attribute__((cleanup(view_queue_done)))
/* Running first, then waiting in the order in which they will be taken. `places`: how many can
 * truly work at a time. */
must_check int view_queue(struct store *s, unsigned limit, unsigned places, struct view_queue *ret,
			  struct err *err);

/* As the configuration has them: builds and boots at a time, and not more than trials. */
struct conf;
unsigned view_queue_places(const struct conf *conf);

/* Health. */
struct view_health {
	int64_t mails_new, incomplete, waiting, running, held, failed;
	int64_t sources, sources_bad, testbeds, testbeds_out;
	int64_t good;	/* when a source last answered well; 0: never, or there is none */
	int64_t last;	/* when the newest trial began or ended; 0: none */
	int64_t newest; /* id of the trial that came last; 0: none */
};
must_check int view_health(struct store *s, struct view_health *ret, struct err *err);

/* Names of lists that a posting has. */
must_check int view_lists(struct store *s, struct view_paths *ret, struct err *err);

/* The ledger. Key: the mail's id; NULL or "" does not matter. */
struct view_ledger_filter {
	const char *list, *state;
	int64_t before;
	unsigned limit;
};
must_check int view_ledger(struct store *s, const struct view_ledger_filter *f,
			   struct store_mail_list *ret, struct err *err);
/* Every mail with this id, without raw; at most 100. */
must_check int view_message(struct store *s, const char *message_id, struct store_mail_list *ret,
			    struct err *err);

/* The newest trial of the series with this id; `*ret_trial` 0: none. For runs by hand, whose mails
 * are not kept. */
must_check int view_trial_of_message(struct store *s, const char *message_id, int64_t *ret_trial,
				     struct err *err);
/* The trial that a mail of ours is about, or one that this mail answers; `*ret_trial` 0: none. */
must_check int view_trial_of_post(struct store *s, const char *message_id, int64_t *ret_trial,
				  struct err *err);
/* What answers a posting, by date, at most `limit`; without raw. */
must_check int view_replies(struct store *s, int64_t posting, unsigned limit,
			    struct store_mail_list *ret, struct err *err);

/* The outbox. Key: the row's id. */
enum view_outbox_which {
	VIEW_OUTBOX_ALL,
	VIEW_OUTBOX_HELD, /* waits for somebody's approval */
	VIEW_OUTBOX_OPEN, /* of the newest 200,000 */
	VIEW_OUTBOX_SENT,
	VIEW_OUTBOX_FAILED,
};
must_check int view_outbox(struct store *s, enum view_outbox_which which, int64_t before,
			   unsigned limit, struct store_post_list *ret, struct err *err);
/* What is to be said for a trial, newest first, at most `limit`. */
must_check int view_outbox_of(struct store *s, int64_t trial, unsigned limit,
			      struct store_post_list *ret, struct err *err);
/* "held", "open", "withdrawn", or the delivery's state: as the post role sees the row. */
const char *view_post_word(const struct store_post *p);

/* What was asked for by the web, newest first. Key: the request's id. */
struct view_request {
	struct store_request request;
	struct store_answer answer;
};
struct view_request_list {
	struct view_request *row;
	size_t n, cap;
	bool more;
};
void view_request_list_done(struct view_request_list *l);
#define auto_view_request_list __attribute__((cleanup(view_request_list_done)))
must_check int view_requests(struct store *s, int64_t before, unsigned limit,
			     struct view_request_list *ret, struct err *err);

/* Numbers of trials, for their history: view_metric.c. Rows come from store_metrics_keep(). */

/* A benchmark that has any, by name; at most VIEW_LIMIT_MAX. */
struct view_bench {
	char *name;
	int64_t trial; /* the newest that measured it */
	unsigned numbers;
};
struct view_bench_list {
	struct view_bench *bench;
	size_t n, cap;
};
void view_bench_list_done(struct view_bench_list *l);
#define auto_view_bench_list __attribute__((cleanup(view_bench_list_done)))
must_check int view_benches(struct store *s, struct view_bench_list *ret, struct err *err);

/* The base's median of one number in one trial. */
struct view_point {
	int64_t trial, when; /* when: of the base's commit; where that is not known, of the trial */
	char *commit;	     /* "": not known */
	double median;
};
/* One number on one testbed in one mode, in time's order. */
struct view_history {
	char *name, *title, *unit, *better, *testbed, *mode; /* title, unit, better: the newest */
	struct view_point *point;
	size_t n, cap;
	bool more; /* there are older ones */
};
struct view_history_list {
	struct view_history *history; /* by name, as people count: hot-add/16 before hot-add/128 */
	size_t n, cap;
	bool more; /* there are more numbers */
};
void view_history_list_done(struct view_history_list *l);
#define auto_view_history_list __attribute__((cleanup(view_history_list_done)))
/* The histories of a benchmark: of at most `limit` numbers, without the first `offset`, the newest
 * `points` trials each. Empty for a benchmark that has none. */
struct view_history_filter {
	const char *bench;
	unsigned offset, limit, points;
};
must_check int view_histories(struct store *s, const struct view_history_filter *f,
			      struct view_history_list *ret, struct err *err);

#endif
