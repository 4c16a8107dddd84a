// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about commits that a message names. */
#include "checkers/checkpatch/rule.h"
#include "checkers/history.h"

#include <ctype.h>
#include <strings.h>

/* The least digits that are taken for an id, with the word commit before them and without. */
#define ID_MIN	    5
#define ID_MIN_BARE 12
/* git's own abbreviation of an id in Linux. */
#define ID_GOOD 12

struct span {
	const char *s, *end;
};

static struct span span_of(const char *s, size_t n)
{
	return (struct span){s, s + n};
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_space(struct span t)
{
	while (t.s < t.end && isspace((unsigned char)*t.s))
		t.s++;
	return t.s;
}

/* Length of the hex digits at the front, 0 when a word goes on behind them. */
static size_t id_length(struct span t)
{
	const char *s = t.s;

	while (s < t.end && isxdigit((unsigned char)*s))
		s++;
	return s < t.end && is_word(*s) ? 0 : (size_t)(s - t.s);
}

/* The text after the next word "commit", or NULL. */
static const char *after_commit(struct span t, const char *begin)
{
	for (const char *s = t.s; t.end - s >= 6; s++)
		if (strncasecmp(s, "commit", 6) == 0 && (s == begin || !is_word(s[-1])) &&
		    (s + 6 == t.end || !is_word(s[6])))
			return s + 6;
	return NULL;
}

/* How a commit is named on a line. */
struct reference {
	struct span id;
	struct span rest;    /* what follows the id on its line */
	struct span below;   /* the line after that; s NULL: none */
	bool has_commit;     /* the word is in front */
	bool is_good_so_far; /* "commit" or "Commit", and one space or the end of a line */
};

static bool reads_commit(const char *after)
{
	return memcmp(after - 5, "ommit", 5) == 0 && (after[-6] == 'c' || after[-6] == 'C');
}

/* "commit ID" on this line. */
static bool find_after_word(struct span line, struct reference *ret)
{
	const char *after = line.s;

	while ((after = after_commit((struct span){after, line.end}, line.s))) {
		struct span id = {skip_space((struct span){after, line.end}), line.end};
		size_t n = id.s > after ? id_length(id) : 0;

		if (n < ID_MIN)
			continue;
		ret->id = span_of(id.s, n);
		ret->rest = (struct span){id.s + n, line.end};
		ret->has_commit = true;
		ret->is_good_so_far = reads_commit(after) && id.s == after + 1;
		return true;
	}
	return false;
}

/* "commit" at the end of this line, ID at the start of the next. */
static bool find_over_lines(struct span line, struct span next, struct reference *ret)
{
	struct span text = line, id = {skip_space(next), next.end};
	const char *after;
	size_t n = next.s ? id_length(id) : 0;

	while (text.end > text.s && isspace((unsigned char)text.end[-1]))
		text.end--;
	if (n < ID_MIN || text.end - text.s < 6)
		return false;
	after = after_commit((struct span){text.end - 6, text.end}, line.s);
	if (!after)
		return false;
	ret->id = span_of(id.s, n);
	ret->rest = (struct span){id.s + n, next.end};
	ret->below = (struct span){0};
	ret->has_commit = true;
	ret->is_good_so_far = reads_commit(after);
	return true;
}

/* An id by itself, with a space or a line's end around it. */
static bool find_bare(struct span line, struct reference *ret)
{
	for (const char *s = line.s; s < line.end; s++) {
		size_t n = 0;

		if (s == line.s || isspace((unsigned char)s[-1]))
			n = id_length((struct span){s, line.end});
		if (n < ID_MIN_BARE || n > GIT_OID_HEXSZ)
			continue;
		if (s + n < line.end && !isspace((unsigned char)s[n]) && !strchr("\"'([", s[n]))
			continue;
		ret->id = span_of(s, n);
		ret->rest = (struct span){s + n, line.end};
		ret->has_commit = ret->is_good_so_far = false;
		return true;
	}
	return false;
}

/* The next line, when it is in the message too. */
static struct span line_below(const struct rule_subject *s)
{
	const struct view *v = s->view;
	const struct view_line *l = s->at + 1 < v->n ? &v->line[s->at + 1] : NULL;

	return l && l->kind == LINE_LOG ? span_of(l->raw, l->raw_len) : (struct span){0};
}

/* The line above ends in "commit": the id that this one begins with is its. */
static bool is_continued(const struct rule_subject *s)
{
	const struct view_line *l = s->at ? s->line - 1 : NULL;
	const char *end = l ? l->raw + l->raw_len : NULL;

	if (!l || l->kind != LINE_LOG)
		return false;
	while (end > l->raw && isspace((unsigned char)end[-1]))
		end--;
	return end - l->raw >= 6 && after_commit((struct span){end - 6, end}, l->raw);
}

/* The title between (" and "): on the line of the id, or over its end, or on the next line. The
 * caller frees; NULL when there is none. */
static char *reference_title(const struct reference *r)
{
	struct span open = {skip_space(r->rest), r->rest.end}, below = r->below;
	const char *close;

	if (open.s == open.end && below.s) {
		open = (struct span){skip_space(below), below.end};
		below = (struct span){0};
	}
	if (open.end - open.s < 2 || memcmp(open.s, "(\"", 2) != 0)
		return NULL;
	open.s += 2;
	/* The last one: titles have quotes in them. */
	for (close = open.end - 2; close >= open.s; close--)
		if (memcmp(close, "\")", 2) == 0)
			return xmemdup(open.s, (size_t)(close - open.s));
	if (!below.s)
		return NULL;
	close = memmem(below.s, (size_t)(below.end - below.s), "\")", 2);
	below.s = skip_space(below);
	if (!close || close < below.s)
		return NULL;
	return xasprintf("%.*s %.*s", (int)(open.end - open.s), open.s, (int)(close - below.s),
			 below.s);
}

static bool id_is_plain(struct span id, size_t min, size_t max)
{
	size_t n = (size_t)(id.end - id.s);

	for (const char *s = id.s; s < id.end; s++)
		if (isupper((unsigned char)*s))
			return false;
	return n >= min && n <= max;
}

/* What the repository says of an id. `*ret_title` is the commit's, on FOUND: free(). */
static enum found id_find(const struct rule_run *run, struct span id, char **ret_title)
{
	char text[GIT_OID_HEXSZ + 1] = "";
	const char *title;

	if ((size_t)(id.end - id.s) > GIT_OID_HEXSZ)
		return FOUND_NONE;
	memcpy(text, id.s, (size_t)(id.end - id.s));
	if (!tree_commit_title(rule_tree(run), text, &title))
		return FOUND_NONE;
	*ret_title = xstrdup(title);
	return FOUND;
}

static bool starts_with(struct span t, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(t.end - t.s) >= n && strncasecmp(t.s, word, n) == 0;
}

/* Lines with an id that is named by the rules of something else. */
static bool is_exempt(struct span line)
{
	struct span t = {skip_space(line), line.end};
	static const char reverts[] = "This reverts commit ";

	if (starts_with(t, "Link:") || starts_with(line, "fixes:"))
		return true;
	return (size_t)(line.end - line.s) >= sizeof(reverts) - 1 &&
	       memcmp(line.s, reverts, sizeof(reverts) - 1) == 0;
}

/* Where there is a repository, what it does not know may be no commit at all. */
static void find_bad_id(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct span line = span_of(s->text, s->len);
	struct reference r = {.below = line_below(s)};
	auto_free char *title = NULL, *real = NULL;

	if (s->line->in_dump || is_exempt(line))
		return;
	if (!find_after_word(line, &r) && !find_over_lines(line, r.below, &r) &&
	    (is_continued(s) || !find_bare(line, &r)))
		return;
	if (tree_repo(rule_tree(run)) && id_find(run, r.id, &real) != FOUND)
		return;
	title = reference_title(&r);
	if (!r.has_commit || !r.is_good_so_far || !title ||
	    !id_is_plain(r.id, ID_GOOD, GIT_OID_HEXSZ))
		rule_report(run, rule, s, NULL);
	else if (real && strcmp(real, title) != 0)
		rule_report(run, rule, s, real);
}

static void find_unknown_id(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct span line = span_of(s->text, s->len);
	auto_free char *title = NULL, *id = NULL;
	struct reference r = {0};
	size_t n = 0;

	if (starts_with(line, "fixes:") && s->len > 6 && isspace((unsigned char)s->text[6])) {
		line.s = skip_space((struct span){line.s + 6, line.end});
		n = id_length(line);
		r.id = span_of(line.s, n);
	}
	if (n <= ID_MIN && !find_after_word(line, &r))
		return;
	n = (size_t)(r.id.end - r.id.s);
	if (n <= ID_MIN || n > GIT_OID_HEXSZ || id_find(run, r.id, &title) == FOUND)
		return;
	id = xmemdup(r.id.s, n);
	rule_report(run, rule, s, id);
}

/* "Fixes: ID", "fixes commit ID" and the like. False for a line that says something else. */
static bool fixes_parse(struct span line, struct span *ret_id)
{
	struct span t = {skip_space(line), line.end};
	size_t n;

	if (!starts_with(t, "fixes"))
		return false;
	t.s += 5;
	if (t.s < t.end && *t.s == ':')
		t.s++;
	t.s = skip_space(t);
	if (starts_with(t, "commit")) {
		t.s += 6;
		if (t.s == t.end || !isspace((unsigned char)*t.s))
			return false;
		t.s = skip_space(t);
	}
	n = id_length(t);
	*ret_id = span_of(t.s, n);
	return n >= ID_MIN && n <= GIT_OID_HEXSZ;
}

static bool fixes_is_good(struct span line, struct span id, char **ret_title)
{
	struct reference r = {.id = id, .rest = {id.end, line.end}};

	*ret_title = reference_title(&r);
	return *ret_title && id.s - line.s == 7 && memcmp(line.s, "Fixes: ", 7) == 0 &&
	       line.end - id.end > 1 && memcmp(id.end, " (", 2) == 0 &&
	       id_is_plain(id, ID_GOOD, ID_GOOD);
}

static void find_bad_fixes(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	struct span line = span_of(s->text, s->len), id;
	auto_free char *title = NULL, *real = NULL;

	if (!fixes_parse(line, &id))
		return;
	if (!fixes_is_good(line, id, &title))
		rule_report(run, rule, s, NULL);
	else if (id_find(run, id, &real) == FOUND && strcmp(real, title) != 0)
		rule_report(run, rule, s, real);
}

static const struct rule rules[] = {
	{
		.type = "GIT_COMMIT_ID",
		.level = FINDING_ERROR,
		.scope = RULE_LOG,
		.find = find_bad_id,
		.message = "a commit is named as: commit 0123456789ab (\"its title\")",
		.help = "12 or more digits of its id stay unique, and the title helps those who "
			"have it under another id. The title may go on over one line's end.",
	},
	{
		.type = "UNKNOWN_COMMIT_ID",
		.level = FINDING_WARNING,
		.scope = RULE_LOG,
		.find = find_unknown_id,
		.message = "this commit is not in the tree",
		.help = "It may have been rebased, or not fetched. Name commits that are in a "
			"public "
			"tree.",
	},
	{
		.type = "BAD_FIXES_TAG",
		.level = FINDING_WARNING,
		.scope = RULE_MESSAGE | RULE_BELOW,
		.find = find_bad_fixes,
		.message = "the tag is: Fixes: 0123456789ab (\"the commit's title\")",
		.help = "12 digits of the id, the whole title in (\"\"), all on one line however "
			"long: "
			"the stable trees find what to take by it.",
	},
};

const struct rule_family family_commit = {"commit", rules, array_size(rules)};
