/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that only read: a patch and the tree in, findings out.
 *
 * To add one: write a file that ends in one `const struct checker`, add a row to checkers[] in
 * run.c, and drop a fixture into tests/fixtures/checkers/NAME/.
 */
#ifndef FIRN_CHECKERS_CHECKER_H
#define FIRN_CHECKERS_CHECKER_H

#include "base/outcome.h"
#include "series/series.h"
#include <git2.h>

/* checkpatch's own three levels; FINDING_NOTE is what is worth saying and counts nowhere. */
enum finding_level { FINDING_NOTE, FINDING_CHECK, FINDING_WARNING, FINDING_ERROR };
/* "NOTE", "CHECK", "WARNING", "ERROR". */
const char *finding_level_name(enum finding_level l);

struct finding {
	enum finding_level level;
	char *type;	     /* "AVOID_EXTERNS": checkpatch's names where it has one */
	char *path;	     /* file in the tree; NULL when it is about the commit message */
	unsigned line;	     /* 1-based line of the new file; 0: none */
	unsigned patch_line; /* 1-based line of the text from check_patch_text(); 0: none */
	char *message;	     /* one line: what is wrong */
	char *excerpt;	     /* the line itself; NULL */
};

struct check_result {
	enum outcome outcome;
	char *reason; /* one line in words, always set */
	struct finding *finding;
	size_t n, cap;
	unsigned lines_checked; /* 0 when the checker counts none */
};

/* Findings over this number are not kept; a note at the end says so. */
#define CHECK_FINDINGS_MAX 2000

/* What a checker may look at. */
struct check_env {
	git_repository *repo; /* the tree's history; may be NULL (skip what needs it, and say so) */
	const char *repo_path; /* for checkpatch alone: a repository that tree_repo() opens when a
				  rule first asks, with `repo` NULL; NULL: none */
	git_oid base;	       /* commit the series is on; zero when unknown */
	const char *
		source_dir; /* the base checked out, absolute; NULL when there is none. Only read */
	const char *scratch_dir; /* a folder that the build user can reach (sandbox_own()); checkers
				    make their own below it */
	const char *cache_dir;	 /* kept between runs, ours alone; NULL: nothing is kept */
	const struct series *series;
	const char *const *style_ignore; /* checkpatch's TYPEs that this list or tree waives, NULL
					    at the end; NULL: none */
	bool last_is_offer; /* the last patch is a diff out of a reply: its author only suggests it
			     */
};

struct checker {
	const char *name;    /* permanent slug: [a-z0-9-] */
	const char *summary; /* one line for --help and the report */
	/* Looks at one patch. 0 and a filled result, or an error: ERR_INFRA, ERR_CONFIG,
	 * ERR_CANCELLED. `ret` is zeroed. */
	int (*run)(const struct check_env *env, const struct patch *patch, struct check_result *ret,
		   struct err *err);
};

extern const struct checker checker_signoff, checker_needs_stable, checker_checkpatch_pl,
	checker_checkpatch;
/* All checkers, in the order of the report, NULL at the end. */
extern const struct checker *const checkers[];
size_t checkers_count(void);

/* Runs every checker over one patch. `results` has room for checkers_count(), one for each row of
 * checkers[]; each goes to check_result_done(). A checker that fails gives OUTCOME_ERROR with the
 * reason and does not stop the others. What checkpatch-pl found is taken out of the native
 * checker's result. Returns 0 or ERR_CANCELLED. */
must_check int check_patch_all(const struct check_env *env, const struct patch *patch,
			       struct check_result results[], struct err *err);

/* Adds a finding. Text comes from strangers: control characters and what is not UTF-8 become '?',
 * long text is cut. */
void check_result_add(struct check_result *r, enum finding_level level, const char *type,
		      const char *path, unsigned line, unsigned patch_line, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
/* The line that the last finding is about. */
void check_result_excerpt(struct check_result *r, const char *line, size_t n);
/* Sets outcome and reason; the text is cleaned in the same way. */
void check_result_reason(struct check_result *r, enum outcome outcome, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Takes finding `i` out. */
void check_result_remove(struct check_result *r, size_t i);
void check_result_done(struct check_result *r);

/* The patch as a mail: From, Date and Subject, a line each; message, "---", what was below it,
 * diff. UTF-8, but for a diff in another charset. The text that checkers read and that `patch_line`
 * counts in. The caller frees. */
char *check_patch_text(const struct patch *patch, size_t *ret_len);
/* Where line 1 of patch->message (the subject) and of patch->diff_text are in that text. */
#define CHECK_MESSAGE_LINE 3
unsigned check_diff_line(const struct patch *patch);

struct check_counts {
	unsigned errors, warnings, checks, lines;
};
/* Adds one result to the totals of "total: E errors, W warnings, C checks, N lines checked". */
void check_counts_add(struct check_counts *c, const struct check_result *r);
/* Adds the results of one patch (as from check_patch_all()) to the totals, so that they are those
 * of one run of checkpatch: the script's when it ran, else the native checker's. The other checkers
 * count nowhere. */
void check_counts_patch(struct check_counts *c, const struct check_result results[]);
/* Sets outcome and reason of a style result from its findings: "total: ...". Style never fails a
 * patch. */
void check_result_totals(struct check_result *r);
/* Takes out of `native` what `script` has too (same level, type, path and line), and sets its
 * totals anew. */
void check_dedupe(struct check_result *native, const struct check_result *script);

#endif
