// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about comments, as lines of text: what is in them is of no interest here. */
#include "checkers/checkpatch/rule.h"

#include <ctype.h>

struct text {
	const char *s, *end;
};

static struct text text_of(const struct view *v, uint32_t i)
{
	const char *s = view_plain(v, i);

	return (struct text){s, s + v->line[i].len};
}

static const char *skip_space(struct text t)
{
	while (t.s < t.end && (*t.s == ' ' || *t.s == '\t'))
		t.s++;
	return t.s;
}

static bool has(struct text t, const char *what)
{
	return memmem(t.s, (size_t)(t.end - t.s), what, strlen(what));
}

/* The line above in the patch, removed ones too, when it is an added one; else VIEW_NONE. */
static uint32_t added_above(const struct rule_subject *s)
{
	const struct view *v = s->view;

	return s->at && v->line[s->at - 1].kind == LINE_ADDED ? s->at - 1 : VIEW_NONE;
}

/* A comment that begins on the line above and goes on here without a star. */
static bool lacks_star(const struct rule_subject *s)
{
	uint32_t i = added_above(s);
	struct text above, t = text_of(s->view, s->at);
	const char *star;

	if (i == VIEW_NONE || !s->line->in_comment || s->view->line[i].in_comment)
		return false;
	above = text_of(s->view, i);
	star = skip_space(t);
	return has(above, "/*") && (star == t.end || *star != '*');
}

/* The end of a block comment behind its last words. */
static bool ends_behind_text(const struct rule_subject *s)
{
	struct text t = text_of(s->view, s->at);
	const char *first;

	while (t.end > t.s && isspace((unsigned char)t.end[-1]))
		t.end--;
	if (t.end - t.s < 3 || memcmp(t.end - 2, "*/", 2) != 0 || has(t, "/*"))
		return false;
	first = skip_space(t);
	/* A row of stars may end it, too. */
	return first != t.end - 2 && t.end[-3] != '*';
}

/* The column of the star that the line begins with, one less for a comment's start; 0: no star. */
static unsigned star_column(struct text t)
{
	const char *star = skip_space(t);
	bool opens = star < t.end && *star == '/';

	star += opens;
	if (star >= t.end || *star != '*')
		return 0;
	if (opens && has((struct text){star + 1, t.end}, "*/"))
		return 0;
	return 1 + text_columns(t.s, (size_t)(star - t.s));
}

static bool is_misaligned(const struct rule_subject *s)
{
	struct text t = text_of(s->view, s->at);
	const char *first = skip_space(t);
	uint32_t i = added_above(s);
	unsigned above;

	if (i == VIEW_NONE || !s->line->in_comment || first == t.end || *first != '*')
		return false;
	above = star_column(text_of(s->view, i));
	return above && above != star_column(t);
}

/* An empty line at the start of a comment, which only the networking code does without. */
static bool starts_empty(const struct rule_subject *s)
{
	struct text t = text_of(s->view, s->at), above;
	const char *star = skip_space(t);
	uint32_t i = added_above(s);

	if (i == VIEW_NONE || s->line->number <= 3 || star == t.end || *star != '*' ||
	    (!str_starts(s->file->path, "net/") && !str_starts(s->file->path, "drivers/net/")))
		return false;
	above = text_of(s->view, i);
	star = skip_space(above);
	while (above.end > star && isspace((unsigned char)above.end[-1]))
		above.end--;
	return above.end - star == 2 && memcmp(star, "/*", 2) == 0;
}

static bool names_its_file(const struct rule_subject *s)
{
	return memmem(s->plain, s->len, s->file->path, strlen(s->file->path));
}

#define FILE_COMMENTED (FILE_C | FILE_H | FILE_DTS)

static const char help_block[] =
	"The comment's first and last line hold nothing but its marks; each line between begins "
	"with a star, and the stars stand below one another.";

static const struct rule rules[] = {
	{
		.type = "BLOCK_COMMENT_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_COMMENTED,
		.test = lacks_star,
		.message = "the second line of a block comment begins with a star",
		.help = help_block,
	},
	{
		.type = "BLOCK_COMMENT_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_COMMENTED,
		.need = "*/",
		.test = ends_behind_text,
		.message = "a block comment ends on a line of its own",
		.help = help_block,
	},
	{
		.type = "BLOCK_COMMENT_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_COMMENTED,
		.need = "*",
		.test = is_misaligned,
		.message = "the stars of a block comment stand below one another",
		.help = help_block,
	},
	{
		.type = "NETWORKING_BLOCK_COMMENT_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_COMMENTED,
		.need = "*",
		.test = starts_empty,
		.message = "comments of the networking code begin on the line of their /*",
		.help = "Of \"/* text\" and lines that begin with a star; elsewhere in the kernel "
			"the first line "
			"is empty.",
	},
	{
		.type = "EMBEDDED_FILENAME",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.test = names_its_file,
		.message = "the file's own name in the file",
		.help = "It is wrong as soon as the file moves.",
	},
};

const struct rule_family family_comment = {"comment", rules, array_size(rules)};
