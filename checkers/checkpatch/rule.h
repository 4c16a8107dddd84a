/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpatch's rules in C. A rule is a row of a table; a family is a file with such a table, and
 * has a row in rule_families[]. TYPEs and levels are those of scripts/checkpatch.pl, and so are the
 * lines that they fire on; the texts are ours. Each rule has a mail that fails it and one that
 * passes it in tests/fixtures/checkers/checkpatch/.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_RULE_H
#define FIRN_CHECKERS_CHECKPATCH_RULE_H

#include "checkers/checker.h"

/* What a rule looks at, one at a time. */
enum rule_scope {
	RULE_LOG, /* a line of the commit message, after the subject and up to the first sign-off */
	RULE_ADDED,	/* an added line, as it is */
	RULE_CODE,	/* an added line of C, with comments and strings blanked (code.h) */
	RULE_STATEMENT, /* a C statement that begins on an added line; may go on over later ones */
};

struct rule_subject {
	const char *text; /* not NUL-terminated */
	size_t len;
	const char *path;	   /* NULL in RULE_LOG */
	unsigned line, patch_line; /* as in struct finding */
	const char *raw;	   /* the line as it is in the patch, for the report */
	size_t raw_len;
	bool in_dump;	/* RULE_LOG: in what looks like an oops or a register dump */
	bool is_closed; /* RULE_STATEMENT: ends in ';', with no '{' before it */
};

struct rule;
struct rule_run;

struct rule {
	const char *type;
	enum finding_level level;
	enum rule_scope scope;
	const char *suffix;  /* of the files that it is for: ".h"; NULL: any */
	const char *pattern; /* PCRE2. Fires where it matches the text; NULL: always */
	bool (*test)(const struct rule_subject
			     *s); /* then this has to agree; NULL: the pattern is all */
	/* In place of `test`, for a rule that may fire several times on one subject, or that has a
	 * detail to add to the message: calls rule_report(). */
	void (*find)(struct rule_run *run, const struct rule *rule, const struct rule_subject *s);
	bool once;	     /* one finding a patch is enough */
	const char *message; /* one line: what is wrong */
	const char *help;    /* why it is, and what to do */
};

struct rule_family {
	const char *name;
	const struct rule *rule;
	size_t n;
};

extern const struct rule_family family_text, family_declaration;
/* All families, NULL at the end. */
extern const struct rule_family *const rule_families[];

/* One walk over one patch. */
struct rule_run *rule_run_new(struct check_result *result);
void rule_run_free(struct rule_run *run);
/* Shows one subject to every rule of its scope. */
void rule_run_apply(struct rule_run *run, enum rule_scope scope, const struct rule_subject *s);
/* Adds a finding; ": DETAIL" goes after the rule's message unless it is NULL. */
void rule_report(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		 const char *detail);

#endif
