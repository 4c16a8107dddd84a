/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpatch's rules in C. A rule is a row of a table; a family is a file with such a table, and
 * has a row in rule_families[] (rule.c). TYPEs and levels are those of scripts/checkpatch.pl, and
 * so are the lines that they fire on; the texts are ours. CHECKPATCH.md tells how to add one. Each
 * has a case that fails it and one that passes it in tests/fixtures/checkers/checkpatch/.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_RULE_H
#define FIRN_CHECKERS_CHECKPATCH_RULE_H

#include "checkers/checker.h"
#include "checkers/checkpatch/checkpatch.h"
#include "checkers/checkpatch/tree.h"
#include "checkers/checkpatch/view.h"

/* What a rule looks at, one at a time. Bits: a rule may look at several kinds of lines. */
enum rule_scope {
	RULE_HEADER = LINE_HEADER, /* a line of the mail's header */
	RULE_MESSAGE =
		LINE_LOG, /* a line of the commit message (s->line->in_log: before sign-offs) */
	RULE_BELOW = LINE_BELOW,
	RULE_DIFF = LINE_DIFF,
	RULE_HUNK = LINE_HUNK,
	RULE_CONTEXT = LINE_CONTEXT, /* these as they are: text == plain */
	RULE_ADDED = LINE_ADDED,
	RULE_REMOVED = LINE_REMOVED,
	RULE_OTHER = LINE_OTHER,
	RULE_LOG = 1 << 9,   /* RULE_MESSAGE before the first sign-off, without the subject */
	RULE_CODE = 1 << 10, /* an added line, sanitised; any file kind that the row names */
	RULE_STATEMENT =
		1 << 11,      /* a C statement that begins on an added line (view_statement()) */
	RULE_FILE = 1 << 12,  /* each file once: s->file; s->line is its first */
	RULE_PATCH = 1 << 13, /* the whole once, after all others: s->line is NULL */
};
#define RULE_SCOPES 14

struct rule_subject {
	struct view *view;
	const struct view_line *line; /* NULL in RULE_PATCH */
	uint32_t at;		      /* its index; VIEW_NONE in RULE_PATCH */
	const struct view_file *file; /* NULL outside of the diff */
	const char *text;	      /* what the pattern is matched with; not NUL-terminated */
	const char *plain;	      /* the same stretch as it was written; equally long */
	size_t len;
	struct statement statement; /* RULE_STATEMENT */
};

struct rule;
struct rule_run;

struct rule {
	const char *type;
	enum finding_level
		level;	/* FINDING_CHECK is only told with strict, or in net and staging */
	unsigned scope; /* bits of enum rule_scope; 0: another row's `find` tells it */
	unsigned files; /* bits of enum file_kind; 0: any */
	/* PCRE2. Fires where it matches the text; NULL: always. */
	const char *pattern;
	/* A word that is in every text that fires, or several joined by '|': looked for before the
	 * pattern and `test`, at next to no cost. Case counts. NULL: all texts are looked at. */
	const char *need;
	/* Then this has to agree; NULL: the pattern is all. */
	bool (*test)(const struct rule_subject *s);
	/* In place of `test`, for a rule that may fire several times on one subject, on another
	 * line, or that has a detail to add to the message: calls rule_report...(). */
	void (*find)(struct rule_run *run, const struct rule *rule, const struct rule_subject *s);
	bool once; /* one finding a patch is enough */
	bool once_a_file;
	bool not_in_source; /* not with -f */
	bool strict_only;   /* not told in net and staging without strict either */
	bool not_quoted;    /* not on tables and quoted logs of a message, when options->new_only */
	const char *message; /* one line: what is wrong */
	const char *help;    /* why it is, and what to do */
};

struct rule_family {
	const char *name;
	const struct rule *rule;
	size_t n;
};

extern const struct rule_family family_text, family_declaration, family_spacing, family_bracket,
	family_pointer, family_word_space, family_storage, family_call, family_delay, family_lock,
	family_statement, family_return, family_block, family_macro, family_macro_argument,
	family_lines, family_expression, family_name, family_align;
extern const struct rule_family family_commit, family_log, family_trailer, family_words,
	family_comment, family_file, family_license, family_kconfig, family_include, family_string,
	family_maintainers, family_dt, family_format;
extern const struct rule_family family_attribute, family_permission, family_memory, family_logging,
	family_kernel_api, family_test, family_misc, family_message;
/* All families, NULL at the end. */
extern const struct rule_family *const rule_families[];

/* The rule (any row) of a TYPE after `after`, NULL: the first. NULL at the end. */
const struct rule *rule_find(const char *type, const struct rule *after);

/* One walk over one view. */
struct rule_run *rule_run_new(const struct check_env *env, const struct checkpatch_options *o,
			      struct view *v, struct check_result *result);
void rule_run_free(struct rule_run *run);
/* Shows everything to every rule. */
void rule_run_all(struct rule_run *run);

/* What a rule may ask. */
const struct check_env *rule_env(const struct rule_run *run);
const struct checkpatch_options *rule_options(const struct rule_run *run);
struct tree *rule_tree(const struct rule_run *run);

/* Adds a finding at the subject's line; ": DETAIL" goes after the rule's message unless NULL. */
void rule_report(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		 const char *detail);
/* At another line; VIEW_NONE: at none (about the patch as a whole). */
void rule_report_at(struct rule_run *run, const struct rule *rule, uint32_t line,
		    const char *detail);
/* With another level than the row's. */
void rule_report_as(struct rule_run *run, const struct rule *rule, enum finding_level level,
		    uint32_t line, const char *detail);

#endif
