// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about string literals. */
#include "checkers/checkpatch/rule.h"

#include <ctype.h>

static const char *trim_end(const char *s, const char *end)
{
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	return end;
}

/* The line above in the patch, when it is in the new file and ends in a string: the end of what is
 * in the string. NULL when it is something else. */
static const char *string_above(const struct rule_subject *s, const char **ret_start)
{
	const struct view *v = s->view;
	uint32_t i = s->at - 1;
	const char *end, *text;

	if (!s->at || !(v->line[i].kind & LINE_NEW))
		return NULL;
	text = view_text(v, i);
	end = trim_end(text, text + v->line[i].len);
	if (end - text < 2 || end[-1] != '"')
		return NULL;
	*ret_start = view_plain(v, i);
	return *ret_start + (end - text) - 1;
}

/* A message in two halves. What ends in a newline or the like was to be cut there. */
static bool is_split(const struct rule_subject *s)
{
	const char *start, *end;

	if (s->text[strspn(s->text, " \t")] != '"')
		return false;
	end = string_above(s, &start);
	if (!end)
		return false;
	if (end - start > 1 && end[-2] == '\\' && strchr("ntr0", end[-1]))
		return false;
	end = trim_end(start, end);
	return end == start || !strchr(";{", end[-1]);
}

/* Two words become one. */
static bool lacks_space(const struct rule_subject *s)
{
	const char *quote = memchr(s->plain, '"', s->len), *start, *end;

	if (!is_split(s))
		return false;
	end = string_above(s, &start);
	return (isalnum((unsigned char)end[-1]) || end[-1] == '_') &&
	       (isalnum((unsigned char)quote[1]) || quote[1] == '_');
}

static const struct rule rules[] = {
	{
		.type = "SPLIT_STRING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		.pattern = "^\\s*\"",
		.test = is_split,
		.message = "a message goes on in a second string",
		.help = "Who sees it in a log searches the source for it. It may be longer than a "
			"line.",
	},
	{
		.type = "MISSING_SPACE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		.pattern = "^\\s*\"",
		.test = lacks_space,
		.message = "a word is cut in two strings, or a space is missing",
		.help = "If a message has to be cut, cut it at a space.",
	},
	{
		.type = "CONCATENATED_STRING",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		/* Tabs are left as they are within strings. */
		.pattern = "\"[X\\t]*\"(?:[A-Z_]|\"[X\\t]*\")|(?<!\\bL)(?<=\\w)\"[X\\t]*\"",
		.message = "a space goes between a string and its neighbour",
		.help = "printk(KERN_INFO \"text\"): they are two things.",
	},
	{
		.type = "STRING_FRAGMENTS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		.pattern = "\"[X\\t]*\"\\s*\"",
		.message = "two strings in a row are one",
		.help = "Who searches for the message finds neither half.",
	},
};

const struct rule_family family_string = {"string", rules, array_size(rules)};
