// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about lines of text: spaces at their ends and starts, their length. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#include <ctype.h>

#define COLUMNS_MAX 100
#define FILE_STYLED (FILE_C | FILE_H | FILE_DTS)

/* Code that begins with a space. Labels and directives may; comments have their own style. */
static bool is_led_by_space(const struct rule_subject *s)
{
	const char *text = s->text, *end = text + s->len;

	if (s->line->in_comment)
		return false;
	while (text < end && *text == ' ')
		text++;
	if (text == end)
		return true;
	if (*text == VIEW_COMMENT || *text == '#')
		return false;
	while (text < end && (isalnum((unsigned char)*text) || *text == '_'))
		text++;
	return text == end || *text != ':' || text[-1] == ' ';
}

/* The length that a line may have counts in columns. */
static bool is_long(const struct rule_subject *s)
{
	return s->len > COLUMNS_MAX / 8 && text_columns(s->plain, s->len) > COLUMNS_MAX;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

/* "scheme://": an address can't be cut. */
static bool has_url(const struct rule_subject *s)
{
	const char *end = s->plain + s->len, *at = s->plain;

	while ((at = memmem(at, (size_t)(end - at), "://", 3))) {
		if (at > s->plain && islower((unsigned char)at[-1]) && at + 3 < end &&
		    !isspace((unsigned char)at[3]))
			return true;
		at += 3;
	}
	return false;
}

/* Where a comment begins that goes on to the end of the line; s->len when none does. */
static size_t comment_start(const struct rule_subject *s)
{
	size_t at = s->len;

	while (at && is_space(s->text[at - 1]))
		at--;
	if (at == 0 || s->text[at - 1] != VIEW_COMMENT)
		return s->len;
	while (at && (s->text[at - 1] == VIEW_COMMENT || is_space(s->text[at - 1])))
		at--;
	while (at < s->len && is_space(s->text[at]))
		at++;
	return at;
}

/* Where the string begins that the line ends in, but for a comma or ");". s->len: no such one. */
static size_t string_start(const struct rule_subject *s)
{
	const char *t = s->text;
	size_t at = s->len, open;

	while (at && is_space(t[at - 1]))
		at--;
	if (at && t[at - 1] == ',') {
		at--;
	} else if (at && t[at - 1] == ';') {
		for (at--; at && is_space(t[at - 1]); at--)
			;
		if (!at || t[at - 1] != ')')
			return s->len;
		at--;
	}
	while (at && is_space(t[at - 1]))
		at--;
	if (!at || t[at - 1] != '"')
		return s->len;
	for (open = at - 1; open && t[open - 1] == 'X'; open--)
		;
	return open && t[open - 1] == '"' ? open - 1 : s->len;
}

/* Messages are searched for, and so not cut: a string alone, one that a log function prints, one
 * that a macro is defined as. */
static bool is_message(const struct rule_subject *s, size_t string)
{
	static struct pattern *prints;
	const char *t = s->text, *end = t + string;

	prints = prints ? prints
			: pattern_new("^\\s*(?:(?:[a-z0-9]+_){1,2}(?:printk|emerg|alert|crit|err|"
				      "warning|warn|notice|info|debug|dbg|vdbg|devel|cont)"
				      "(?:_ratelimited|_once)?|(?:trace_)?printk|panic|WARN(?:_"
				      "RATELIMIT|"
				      "_ONCE)?|MODULE_[A-Z_]+|seq_vprintf|seq_printf|seq_puts)"
				      "\\s*\\([^\"]*$|^\\s*#\\s*define\\s+\\w+\\s+$|^\\s*L?$");
	return pattern_matches(prints, t, (size_t)(end - t));
}

enum length_kind { LENGTH_FINE, LENGTH_CODE, LENGTH_COMMENT, LENGTH_STRING };

static enum length_kind length_kind(const struct rule_subject *s)
{
	size_t comment, string;

	if (!is_long(s) || has_url(s))
		return LENGTH_FINE;
	string = string_start(s);
	if (string < s->len && is_message(s, string))
		return LENGTH_FINE;
	if (s->len > 9 && memmem(s->text, 20 < s->len ? 20 : s->len, "EFI_GUID(", 9))
		return LENGTH_FINE;
	comment = comment_start(s);
	if (comment < s->len && text_columns(s->plain, comment) <= COLUMNS_MAX)
		return LENGTH_COMMENT;
	if (string < s->len && text_columns(s->plain, string) <= COLUMNS_MAX)
		return LENGTH_STRING;
	return LENGTH_CODE;
}

static bool is_long_code(const struct rule_subject *s)
{
	return length_kind(s) == LENGTH_CODE;
}

static bool is_long_comment(const struct rule_subject *s)
{
	return length_kind(s) == LENGTH_COMMENT;
}

static bool is_long_string(const struct rule_subject *s)
{
	return length_kind(s) == LENGTH_STRING;
}

#define FILE_LONG (FILE_C | FILE_H | FILE_ASM | FILE_DTS | FILE_SHELL | FILE_RUST)

/* A carriage return is another rule's. */
static bool ends_in_space(const struct rule_subject *s)
{
	return s->len && s->text[s->len - 1] != '\r' && strchr(" \t\f\v", s->text[s->len - 1]) &&
	       s->text[s->len - 1];
}

static const char help_long[] =
	"100 columns are the limit, with tabs of 8, and 80 are better. Messages that somebody may "
	"search for stay on one line.";

static const struct rule rules[] = {
	{
		.type = "TRAILING_WHITESPACE",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		.test = ends_in_space,
		.message = "spaces or tabs at the end of the line",
		.help = "They show up in every later diff of the line. git diff --check finds them "
			"before a commit.",
	},
	{
		.type = "DOS_LINE_ENDINGS",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		.need = "\r",
		.pattern = "\\r$",
		.message = "the line ends in a carriage return",
		.help = "An editor or mail program made DOS lines of it; dos2unix takes them out.",
	},
	{
		.type = "CODE_INDENT",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		.files = FILE_STYLED,
		.need = " \t|        ",
		.pattern = "^\\s* \\t\\s*\\S|^\\s*        \\s*",
		.message = "a tab goes where eight spaces are",
		.help = "Code is indented with tabs of 8 columns.",
	},
	{
		.type = "SPACE_BEFORE_TAB",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_STYLED,
		.need = " \t",
		.pattern = " \t",
		.message = "a space in front of a tab",
		.help = "It does nothing but show up in diffs.",
	},
	{
		.type = "LEADING_SPACE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_STYLED,
		.pattern = "^ ",
		.test = is_led_by_space,
		.message = "the line begins with a space",
		.help = "Code is indented with tabs of 8 columns.",
	},
	{
		.type = "LONG_LINE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_LONG,
		.test = is_long_code,
		.message = "the line is longer than 100 columns",
		.help = help_long,
	},
	{
		.type = "LONG_LINE_COMMENT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_LONG,
		.test = is_long_comment,
		.message = "the comment goes over 100 columns",
		.help = help_long,
	},
	{
		.type = "LONG_LINE_STRING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_LONG,
		.test = is_long_string,
		.message = "the string goes over 100 columns",
		.help = help_long,
	},
	{
		.type = "QUOTED_WHITESPACE_BEFORE_NEWLINE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_CODE,
		.need = "\\n",
		.pattern = "^.*\".*\\s\\\\n",
		.message = "white space in front of \\n",
		.help = "It is printed and nobody sees it.",
	},
	{
		.type = "CVS_KEYWORD",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_CODE | FILE_DTS,
		.need = "$Id|$Log|$Revision",
		.pattern = "\\$(?:Revision|Log|Id)(?:\\$|\\b)",
		.message = "a keyword of CVS",
		.help = "Nothing fills it in any more.",
	},
	{
		.type = "FSF_MAILING_ADDRESS",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		.need = "ree|ass|emple|ranklin|REE|ASS|EMPLE|RANKLIN",
		.pattern = "(?i)\\bwrite to the Free|\\b675\\s+Mass\\s+Ave|\\b59\\s+Temple\\s+Pl|"
			   "\\b51\\s+Franklin\\s+St",
		.message = "the address of the Free Software Foundation",
		.help = "It has moved before. The SPDX line says all that is needed.",
	},
};

const struct rule_family family_text = {"text", rules, array_size(rules)};
