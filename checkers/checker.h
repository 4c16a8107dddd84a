/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that only read: a patch and the tree in, findings out.
 *
 * To add one: write a file that ends in one `const struct checker`, add a row to checkers[] in run.c, and drop a
 * fixture into tests/fixtures/checkers/NAME/.
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

/* What a checker may look at. */
struct check_env {
	git_repository *repo; /* the tree's history; may be NULL (skip what needs it, and say so) */
	git_oid base;	      /* commit the series is on; zero when unknown */
	const char *source_dir; /* the tree checked out (base or patched), absolute; NULL when there is none */
	const char *scratch_dir; /* an empty folder of the checker's own, writable in the sandbox (sandbox_own()) */
	const struct series *series;
};

struct checker {
	const char *name;    /* permanent slug: [a-z0-9-] */
	const char *summary; /* one line for --help and the report */
	/* Looks at one patch. 0 and a filled result, or an error: ERR_INFRA, ERR_CONFIG, ERR_CANCELLED. `ret` is zeroed. */
	int (*run)(const struct check_env *env, const struct patch *patch, struct check_result *ret,
		   struct err *err);
};

extern const struct checker checker_signoff, checker_needs_stable, checker_checkpatch_pl,
	checker_checkpatch;
/* All checkers, in the order of the report, NULL at the end. */
extern const struct checker *const checkers[];

void check_result_add(struct check_result *r, enum finding_level level, const char *type,
		      const char *path, unsigned line, unsigned patch_line, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
void check_result_reason(struct check_result *r, enum outcome outcome, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void check_result_done(struct check_result *r);

/* The patch as a mail in plain UTF-8: From, Date, Subject, message, "---", what was below it, diff. The text that
 * checkers read and that `patch_line` counts in. The caller frees. */
char *check_patch_text(const struct patch *patch, size_t *ret_len);

struct check_counts {
	unsigned errors, warnings, checks, lines;
};
/* Adds one result to the totals of "total: E errors, W warnings, C checks, N lines checked". */
void check_counts_add(struct check_counts *c, const struct check_result *r);

#endif
