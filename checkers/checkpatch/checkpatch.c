// SPDX-License-Identifier: GPL-2.0-or-later
/* The native checker: walks a patch and shows each part of it to the rules. */
#include "checkers/checkpatch/code.h"
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#include <strings.h>

/* Bytes that may be read for statements in one patch. Code needs two or three times its size. */
#define FUEL ((size_t)64 << 20)

struct walk {
	struct rule_run *run;
	struct code code;
	size_t fuel;
	unsigned diff_line; /* of line 1 of the diff, in check_patch_text() */
	unsigned lines;
};

static bool is_c(const char *path)
{
	return str_ends(path, ".c") || str_ends(path, ".h");
}

/* An added line, or what begins on it. */
static struct rule_subject subject_of(const struct walk *w, const char *path,
				      const struct diff_line *l, unsigned number)
{
	return (struct rule_subject){
		.text = l->text,
		.len = l->len,
		.path = path,
		.line = number,
		.patch_line = w->diff_line + l->patch_line - 1,
		.raw = l->text - 1, /* with its '+' */
		.raw_len = l->len + 1,
	};
}

static void walk_added(struct walk *w, const char *path, const struct diff_hunk *h)
{
	unsigned number = h->new_start;

	for (size_t i = 0; i < h->n_lines; i++) {
		const struct diff_line *l = &h->line[i];

		if (l->kind == '+') {
			struct rule_subject s = subject_of(w, path, l, number);

			rule_run_apply(w->run, RULE_ADDED, &s);
		}
		number += l->kind != '-';
	}
}

static bool code_is_blank(const char *s, size_t n)
{
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == CODE_COMMENT))
		n--;
	return n == 0;
}

static void walk_code(struct walk *w, const char *path)
{
	const struct code *c = &w->code;

	for (size_t i = 0; i < c->n; i++) {
		const struct code_line *l = &c->line[i];
		struct rule_subject s = subject_of(w, path, l->src, l->number);

		s.text = c->text.buf + l->start;
		s.len = l->end - l->start;
		if (l->src->kind == '+')
			rule_run_apply(w->run, RULE_CODE, &s);
	}
}

static void walk_statements(struct walk *w, const char *path)
{
	const struct code *c = &w->code;

	for (size_t i = 0, next; i < c->n; i = next) {
		const struct code_line *l = &c->line[i];
		struct rule_subject s = subject_of(w, path, l->src, l->number);
		struct statement st;

		next = i + 1;
		if (code_is_blank(c->text.buf + l->start, l->end - l->start))
			continue;
		st = code_statement(c, i, &w->fuel);
		next = st.next_line;
		s.text = c->text.buf + st.start;
		s.len = st.end - st.start;
		s.is_closed = st.closed;
		if (l->src->kind == '+')
			rule_run_apply(w->run, RULE_STATEMENT, &s);
	}
}

/* Lines as checkpatch counts them: to the last that is in the new file. */
static unsigned hunk_lines(const struct diff_hunk *h)
{
	size_t n = h->n_lines;

	while (n && h->line[n - 1].kind == '-')
		n--;
	return (unsigned)n;
}

static void walk_file(struct walk *w, const struct diff_file *f)
{
	const char *path = diff_file_path(f);

	for (size_t i = 0; i < f->n_hunks; i++) {
		const struct diff_hunk *h = &f->hunk[i];

		w->lines += hunk_lines(h);
		walk_added(w, path, h);
		if (!is_c(path))
			continue;
		code_read(&w->code, h);
		walk_code(w, path);
		walk_statements(w, path);
	}
}

/* What the kernel prints when it stumbles, and tools about it: "[   12.345678]", "[<c0123456>]",
 * "WARNING: ", "r0: 1234 r1: 5678 r2: 9abc", "#3 [c000] schedule at c0123456". It goes on to the
 * next empty line. */
static const char dump_start[] =
	"^\\s*(?:WARNING:|BUG:|\\[\\s*\\d+\\.\\d{6}\\s*\\]|\\[<[[:xdigit:]]{8,}>\\])|"
	"^(?:\\s+\\w+:\\s+[[:xdigit:]]+){3}|"
	"^\\s*#\\d+\\s*\\[[[:xdigit:]]+\\]\\s*\\w+ at [[:xdigit:]]";

static bool line_is_blank(const char *s, size_t n)
{
	return strspn(s, " \t\r") >= n;
}

static bool line_is_signoff(const char *s)
{
	return strncasecmp(s + strspn(s, " \t"), "Signed-off-by:", 14) == 0;
}

static void walk_log(struct walk *w, const char *message)
{
	static struct pattern *dump;
	struct rule_subject s = {.patch_line = CHECK_MESSAGE_LINE};
	const char *at = message;

	dump = dump ? dump : pattern_new(dump_start);
	for (size_t n; *at && !line_is_signoff(at); at += n + (at[n] == '\n'), s.patch_line++) {
		n = strcspn(at, "\n");
		s.text = s.raw = at;
		s.len = s.raw_len = n;
		s.in_dump = !line_is_blank(at, n) && (s.in_dump || pattern_matches(dump, at, n));
		if (s.patch_line > CHECK_MESSAGE_LINE)
			rule_run_apply(w->run, RULE_LOG, &s);
	}
}

static void walk_patch(struct walk *w, const struct patch *patch)
{
	walk_log(w, patch->message);
	for (size_t i = 0; i < patch->diff->n_files; i++)
		walk_file(w, &patch->diff->file[i]);
}

static int finding_by_line(const void *pa, const void *pb)
{
	const struct finding *a = pa, *b = pb;
	int d = (a->patch_line > b->patch_line) - (a->patch_line < b->patch_line);

	return d ? d : (int)a->level - (int)b->level;
}

static void conclude(struct check_result *r, const struct walk *w)
{
	r->lines_checked = w->lines;
	if (r->n)
		qsort(r->finding, r->n, sizeof(*r->finding), finding_by_line);
	if (w->fuel == 0)
		check_result_add(r, FINDING_NOTE, "TOO_LONG", NULL, 0, 0,
				 "statements near the end of this patch were not looked at");
	check_result_totals(r);
}

static int checkpatch_run(const struct check_env *env, const struct patch *patch,
			  struct check_result *ret, struct err *err)
{
	struct walk w = {.fuel = FUEL, .diff_line = check_diff_line(patch)};

	(void)env;
	(void)err;
	if (!patch->diff) {
		check_result_reason(ret, OUTCOME_SKIP, "the diff cannot be read: %s",
				    patch->diff_error ? patch->diff_error : "there is none");
		return 0;
	}
	w.run = rule_run_new(ret);
	code_init(&w.code);
	walk_patch(&w, patch);
	code_done(&w.code);
	rule_run_free(w.run);
	conclude(ret, &w);
	return 0;
}

const struct checker checker_checkpatch = {
	.name = "checkpatch",
	.summary =
		"checkpatch's rules in C, for what the script did not see or where there is none",
	.run = checkpatch_run,
};
