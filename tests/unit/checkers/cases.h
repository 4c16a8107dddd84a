/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cases for the rules of checkers/checkpatch: little patches that say themselves what is found in
 * them. tests/fixtures/checkers/checkpatch-cases/README.md tells how they are written.
 */
#ifndef FIRN_TESTS_CHECKERS_CASES_H
#define FIRN_TESTS_CHECKERS_CASES_H

#include "unit/unit.h"

#include "base/fs.h"
#include "checkers/checkpatch/checkpatch.h"

struct expected {
	char *what;    /* "WARNING SPACING" */
	unsigned line; /* of the patch; 0: none */
};

struct test_case {
	char *name; /* "spacing.case:12" */
	char *path; /* of the file, or NULL */
	bool is_new, lax, is_source;
	struct str message, hunk, raw; /* hunk: the lines of it; raw: the whole patch */
	/* Lines of the part that the last line went to, and which part: 'm', 'h' or 'r'. */
	unsigned n_message, n_hunk, n_raw, n_old, n_new;
	char part;
	struct {
		struct expected e;
		char part;
	} expect[64];
	size_t n_expect;
	char *passes; /* " TYPE TYPE " */
};

static inline void case_done(struct test_case *c)
{
	for (size_t i = 0; i < c->n_expect; i++)
		free(c->expect[i].e.what);
	free(c->name);
	free(c->path);
	free(c->passes);
	str_done(&c->message);
	str_done(&c->hunk);
	str_done(&c->raw);
}

static inline void case_expect(struct test_case *c, const char *what)
{
	bool no_place = *what == '!';
	unsigned line = c->part == 'm' ? c->n_message : c->part == 'h' ? c->n_hunk : c->n_raw;

	if (c->n_expect == array_size(c->expect))
		fail_msg("%s expects too much", c->name);
	c->expect[c->n_expect].part = no_place ? '\0' : c->part;
	c->expect[c->n_expect++].e =
		(struct expected){xstrdup(what + no_place), no_place ? 0 : line};
}

static inline void case_passes(struct test_case *c, const char *types)
{
	char *all = xasprintf("%s%s ", c->passes ? c->passes : " ", types);

	free(c->passes);
	c->passes = all;
}

/* One line within a case. */
static inline void case_line(struct test_case *c, const char *line)
{
	switch (*line) {
	case '\0':
	case '#': break;
	case '!': case_expect(c, line + 1); break;
	case '=': case_passes(c, line + 1 + strspn(line + 1, " ")); break;
	case '>':
		c->part = 'm';
		c->n_message++;
		str_addf(&c->message, "%s\n", line + 1);
		break;
	case '|':
		c->part = 'r';
		c->n_raw++;
		str_addf(&c->raw, "%s\n", line + 1);
		break;
	case '+':
	case '-':
	case ' ':
		c->part = 'h';
		c->n_hunk++;
		c->n_old += *line != '+';
		c->n_new += *line != '-';
		str_addf(&c->hunk, "%s\n", line);
		break;
	default:
		fail_msg("%s: a line that begins with none of # ! = > | + - space: %s", c->name,
			 line);
	}
}

/* Where the first line of the message and of the hunk are. */
struct case_places {
	unsigned message, hunk;
};

static inline unsigned lines_in(const struct str *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->len; i++)
		n += s->buf[i] == '\n';
	return n;
}

/* The patch that a case stands for. */
static inline void case_patch(const struct test_case *c, struct str *out, struct case_places *ret)
{
	const char *path = c->path ? c->path : "lib/firn.c";

	str_init(out, 0);
	*ret = (struct case_places){0};
	if (c->raw.len || c->is_source) {
		str_adds(out, c->raw.buf);
		return;
	}
	str_adds(out, "From: Ada Firn <ada@example.org>\n"
		      "Date: Mon, 30 Nov 2026 10:00:00 +0000\n"
		      "Subject: [PATCH] firn: make it better\n\n");
	ret->message = lines_in(out);
	str_adds(out, c->message.len ? c->message.buf
				     : "It was not good.\n\n"
				       "Signed-off-by: Ada Firn <ada@example.org>\n");
	str_addf(out, "---\ndiff --git a/%s b/%s\n", path, path);
	if (c->is_new)
		str_addf(out,
			 "new file mode 100644\nindex 0000000000..2222222222\n"
			 "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%u @@\n",
			 path, c->n_new);
	else
		str_addf(out,
			 "index 1111111111..2222222222 100644\n--- a/%s\n+++ b/%s\n"
			 "@@ -10,%u +10,%u @@\n",
			 path, path, c->hunk.len ? c->n_old : 1, c->hunk.len ? c->n_new : 2);
	ret->hunk = lines_in(out);
	str_adds(out, c->hunk.len ? c->hunk.buf : " int snow;\n+int ice;\n");
}

static inline bool case_names(const struct test_case *c, const char *type)
{
	auto_free char *word = xasprintf(" %s ", type);

	if (c->passes && strstr(c->passes, word))
		return true;
	for (size_t i = 0; i < c->n_expect; i++) {
		const char *space = strchr(c->expect[i].e.what, ' ');

		if (space && strcmp(space + 1, type) == 0)
			return true;
	}
	return false;
}

static inline void case_run(const struct test_case *c, const struct str *patch,
			    struct check_result *ret)
{
	const struct checkpatch_options o = {
		.strict = !c->lax, .is_source = c->is_source, .path = c->path};
	const struct check_env env = {.source_dir = FIXTURES "/checkers/checkpatch-tree"};
	struct err err = ERR_INIT;

	assert_ok(checkpatch_text(&env, &o, patch->buf, patch->len, ret, &err), &err);
}

static inline int line_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted lines, joined. */
static inline char *lines_join(char **line, size_t n)
{
	struct str s;

	str_init(&s, 0);
	qsort(line, n, sizeof(*line), line_cmp);
	for (size_t i = 0; i < n; i++) {
		str_addf(&s, "%s\n", line[i]);
		free(line[i]);
	}
	free(line);
	return str_take(&s);
}

static inline char *case_want(const struct test_case *c, const struct case_places *at)
{
	char **line = xcalloc(c->n_expect + 1, sizeof(*line));

	for (size_t i = 0; i < c->n_expect; i++) {
		unsigned n = c->expect[i].e.line;

		n += c->expect[i].part == 'm'	? at->message
		     : c->expect[i].part == 'h' ? at->hunk
						: 0;
		line[i] = xasprintf("%5u %s", n, c->expect[i].e.what);
	}
	return lines_join(line, c->n_expect);
}

static inline char *case_have(const struct test_case *c, const struct check_result *r)
{
	char **line = xcalloc(r->n + 1, sizeof(*line));
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (case_names(c, r->finding[i].type))
			line[n++] = xasprintf("%5u %s %s", r->finding[i].patch_line,
					      finding_level_name(r->finding[i].level),
					      r->finding[i].type);
	return lines_join(line, n);
}

/* Runs a case, and looks at the TYPEs that it names. Says what is wrong; NULL: nothing. */
static inline char *case_check(const struct test_case *c)
{
	struct check_result r = {0};
	auto_str struct str patch;
	struct case_places at;
	char *wrong = NULL;

	case_patch(c, &patch, &at);
	case_run(c, &patch, &r);
	auto_free char *want = case_want(c, &at), *have = case_have(c, &r);
	if (strcmp(want, have) != 0)
		wrong = xasprintf("%s:\n%s--- expected\n%s--- found\n%s", c->name, patch.buf, want,
				  have);
	check_result_done(&r);
	return wrong;
}

/* "case PATH", "new PATH", "source PATH", "patch"; then perhaps "lax". */
static inline bool case_begin(struct test_case *c, char *line, const char *file, unsigned number)
{
	char *save = NULL, *word = strtok_r(line, " ", &save), *path = strtok_r(NULL, " ", &save);
	bool is_patch = word && strcmp(word, "patch") == 0;
	const char *more = is_patch ? path : strtok_r(NULL, " ", &save);

	if (!word || !(is_patch || strcmp(word, "case") == 0 || strcmp(word, "new") == 0 ||
		       strcmp(word, "source") == 0))
		return false;
	*c = (struct test_case){.is_new = strcmp(word, "new") == 0,
				.is_source = strcmp(word, "source") == 0,
				.lax = more && strcmp(more, "lax") == 0};
	c->name = xasprintf("%s:%u", file, number);
	c->path = !is_patch && path ? xstrdup(path) : NULL;
	str_init(&c->message, 0);
	str_init(&c->hunk, 0);
	str_init(&c->raw, 0);
	return true;
}

/* Calls fn for each case of a file's text, which is taken apart. */
static inline void cases_of_text(const char *file, char *text, void (*fn)(struct test_case *c))
{
	struct test_case c = {0};
	bool open = false;
	unsigned number = 0;

	for (char *line; (line = strsep(&text, "\n"));) {
		number++;
		if (*line >= 'a' && *line <= 'z') {
			if (open) {
				fn(&c);
				case_done(&c);
			}
			open = case_begin(&c, line, file, number);
			if (!open)
				fail_msg("%s:%u: no case begins like this: %s", file, number, line);
		} else if (open) {
			case_line(&c, line);
		}
	}
	if (open) {
		fn(&c);
		case_done(&c);
	}
}

/* Calls fn for each case of every file of the folder. */
static inline void cases_each(const char *dir, void (*fn)(struct test_case *c))
{
	auto_dir DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		auto_free char *path = xasprintf("%s/%s", dir, e->d_name);
		struct err err = ERR_INIT;
		auto_str struct str text;

		str_init(&text, 0);
		if (!str_ends(e->d_name, ".case"))
			continue;
		assert_ok(fs_read(path, 0, ERR_INFRA, &text, &err), &err);
		cases_of_text(e->d_name, text.buf, fn);
		n++;
	}
	assert_true(n > 0);
}

#endif
