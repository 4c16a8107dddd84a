/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row of the builder table over a series: the base, then every patch in order or the last
 * alone, and what is to be said of each. Only service/trial/ includes this.
 */
#ifndef FIRN_TRIAL_BUILD_ROW_H
#define FIRN_TRIAL_BUILD_ROW_H

#include "kernel-builders/new_warnings.h"
#include "trial/run.h"

/* The kernel after so many patches. */
struct row_at {
	json_t *data;  /* of the job; NULL: it was not built */
	char *log;     /* relative to the work folder; NULL */
	json_t *news;  /* array of warnings that this patch brings, with "mended"; NULL: none */
	size_t n_news; /* of it, those that no later patch mends */
	size_t since; /* after how many patches the kernel was that its options are compared with */
};

struct row_run {
	struct builder row;
	bool main;		    /* what boots */
	bool each;		    /* every patch is built */
	const char *const *touched; /* where the row makes touched objects alone; else NULL */
	const char **own_touched;   /* the same, to be freed; into the files and `users` */
	json_t *users;		    /* header_users_find(); NULL: not asked */
	size_t n;		    /* patches */
	struct row_at *at;	    /* 0: the base; 1 to n */
	/* SKIP (with the reason) before anything was built. ERROR: the base does not build, or we
	 * could not find out. */
	enum outcome outcome;
	char *reason;
	bool base_bad;
	size_t bad;    /* the first patch that breaks it; 0: none */
	size_t mended; /* a later one that mends it; 0: none */
	char *bad_why; /* one line */
	/* A kernel had more warnings than are kept, so that not all that are new are known. */
	bool uncompared;
};

/* All rows of a step. */
struct row_list {
	struct trial *t;
	const char **files; /* that the series touches */
	struct row_run *run;
	size_t n;
};

void row_run_init(struct row_run *run, const struct trial *t);
void row_run_done(struct row_run *run);

/* row_touched.c: */

/* Fills `touched` of a row of touched objects. */
must_check int row_run_touch(const struct row_list *r, struct row_run *run, struct err *err);
/* `files` and the sources of header_users_find(), each once; NULL-terminated. The caller frees the
 * list. */
const char **row_touched_files(const char *const *files, const json_t *users);
/* headers[] of the report. */
json_t *row_touched_report(const json_t *users);
/* Why there is nothing to make. The caller frees. */
char *row_touched_none(const json_t *users);

/* Builds and compares. An error ends the step: ERR_CANCELLED, and for the main row every error. */
must_check int row_run_go(struct trial *t, struct row_run *run, struct err *err);

/* The tree after `k` patches. */
must_check int row_run_tree(const struct trial *t, size_t k, git_oid *ret, struct err *err);
/* build_compare.c: finds out which warnings each patch brings, given what was built. */
must_check int row_run_compare(struct trial *t, struct row_run *run, struct err *err);
/* Has the kernel after `k` patches warnings that neither the base has nor the one after `good`, and
 * that the last one still has? 1, 0 or an error. */
must_check int row_run_is_noisy(struct trial *t, struct row_run *run, size_t good, size_t k,
				struct err *err);

/* Does the kernel after `k` patches not build, though the base does? It was built. `*ret_why` (may
 * be NULL) is one line; the caller frees. */
bool row_run_is_bad(const struct row_run *run, size_t k, char **ret_why);
/* Its artefact; NULL: none. */
const char *row_run_artifact(const struct row_run *run, size_t k);

/* build_json.c: the rows of the report's builds[], appended. */
void row_run_report(const struct trial *t, const struct row_run *run, json_t *list);
/* How much larger the last kernel is than the base, in words, where that is over the threshold;
 * else NULL. The caller frees. */
char *row_run_growth(const struct trial *t, const struct row_run *run);
char *row_run_module_growth(const struct trial *t, const struct row_run *run); /* its modules */

/* build_words.c: what the step says. */

/* Errors first, as the compiler wrote them. */
void build_add_errors(struct step_result *ret, const json_t *data);
void build_take_log(struct step_result *ret, const struct row_run *run, size_t k);
/* Outcome, reason, patch and evidence of all rows. */
void build_set_result(const struct row_list *r, struct step_result *ret);

#endif
