// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about words, in messages and in what is added. */
#include "checkers/checkpatch/rule.h"

#include <ctype.h>
#include <strings.h>

/* Of spelling.txt; the longest has 30. */
#define PHRASE_MAX 64

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* What may not touch a misspelt word: then it is a name or a part of one. */
static bool joins_words(char c)
{
	return is_word(c) || c == '-' || c == '\'' || c == '`';
}

static const char *token_end(const char *s, const char *end)
{
	while (s < end && joins_words(*s))
		s++;
	return s;
}

/* The right spelling of s[0..n), or NULL. Most words have a letter that no misspelling begins
 * with, or are too short: those cost no look-up. */
static const char *correction(const struct word_set *spelling, const char *s, size_t n)
{
	char lower[PHRASE_MAX];

	if (n < 3 || n > sizeof(lower))
		return NULL;
	for (size_t i = 0; i < n; i++)
		lower[i] = (char)tolower((unsigned char)s[i]);
	return word_set_find(spelling, lower, n);
}

/* A token, or two with a space between ("an user"). `*ret_end` is after what was found. */
static const char *correction_at(const struct word_set *spelling, const char *s, const char *end,
				 const char **ret_end)
{
	const char *word_end = token_end(s, end), *second;
	const char *right = correction(spelling, s, (size_t)(word_end - s));

	*ret_end = word_end;
	if (right || end - word_end < 2 || *word_end != ' ' || word_end - s > 2)
		return right;
	second = token_end(word_end + 1, end);
	right = correction(spelling, s, (size_t)(second - s));
	if (right)
		*ret_end = second;
	return right;
}

/* The character after a misspelling is used up: the next word is not looked at when it follows at
 * once, as in the script. */
static void find_misspelt(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	const struct word_set *spelling = tree_spelling(rule_tree(run));
	const char *end = s->plain + s->len, *next;

	for (const char *at = s->plain; at < end; at = next) {
		const char *right =
			joins_words(*at) ? correction_at(spelling, at, end, &next) : NULL;

		if (!joins_words(*at)) {
			next = at + 1;
		} else if (right) {
			auto_free char *detail =
				xasprintf("%.*s, which may be %s", (int)(next - at), at, right);

			rule_report(run, rule, s, detail);
			next = next < end ? token_end(next + 1, end) : end;
		}
	}
}

static void find_misspelt_subject(struct rule_run *run, const struct rule *rule,
				  const struct rule_subject *s)
{
	if (s->len > 8 && strncasecmp(s->text, "Subject:", 8) == 0)
		find_misspelt(run, rule, s);
}

/* An optional capital and two small letters or more. */
static size_t plain_word(const char *s, const char *end)
{
	const char *at = s;

	if (at < end && isupper((unsigned char)*at))
		at++;
	for (s = at; at < end && islower((unsigned char)*at); at++)
		;
	return at - s < 2 ? 0 : (size_t)(at - s);
}

static bool word_in(const char *s, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == n && strncasecmp(*words, s, n) == 0)
			return true;
	return false;
}

static bool is_hex(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)s[i]))
			return false;
	return true;
}

/* Types, and numbers in hex that are no words of English. */
static bool may_repeat(const char *s, size_t n)
{
	static const char *const types[] = {"long", "struct", NULL};
	static const char *const english[] = {"add", "be", NULL};

	return word_in(s, n, types) || (is_hex(s, n) && !word_in(s, n, english));
}

/* Whether the word of n characters at s ends there. */
static bool ends_word(const char *s, const char *end)
{
	return s == end || isspace((unsigned char)*s) || memchr(".,;?!", *s, 5);
}

/* The word at s, when it stands alone; else 0. */
static size_t lone_word(const char *begin, const char *s, const char *end)
{
	size_t n;

	if (s > begin && !isspace((unsigned char)s[-1]))
		return 0;
	n = plain_word(s, end);
	n += n && isupper((unsigned char)*s);
	return n;
}

/* "struct path path": a type and its variable. */
static bool is_tagged(const char *begin, const char *s)
{
	static const char *const tags[] = {"struct ", "union ", "enum "};

	for (size_t i = 0; i < array_size(tags); i++) {
		size_t n = strlen(tags[i]);

		if ((size_t)(s - begin) >= n && memcmp(s - n, tags[i], n) == 0)
			return true;
	}
	return false;
}

static void find_repeated(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	const char *end = s->plain + s->len;

	for (const char *at = s->plain, *next; at < end; at = next) {
		size_t n = lone_word(s->plain, at, end);

		for (next = at; next < end && !isspace((unsigned char)*next); next++)
			;
		next += next < end;
		if (!n || at + n + 1 != next || next[-1] != ' ' || (size_t)(end - next) < n ||
		    strncasecmp(at, next, n) != 0 || !ends_word(next + n, end) ||
		    lone_word(s->plain, next, end) != n || may_repeat(at, n))
			continue;
		if (is_tagged(s->plain, at)) {
			next += n;
			continue;
		}
		auto_free char *word = xmemdup(at, n);

		rule_report(run, rule, s, word);
	}
}

static const struct rule rules[] = {
	{
		.type = "TYPO_SPELLING",
		.level = FINDING_WARNING,
		.scope = RULE_LOG | RULE_ADDED,
		.find = find_misspelt,
		.message = "this may be misspelt",
		.help = "The list is scripts/spelling.txt of the tree. A name that is meant so may "
			"stay.",
	},
	{
		.type = "TYPO_SPELLING",
		.level = FINDING_WARNING,
		.scope = RULE_HEADER,
		.find = find_misspelt_subject,
		.message = "this may be misspelt",
		.help = "The list is scripts/spelling.txt of the tree. A name that is meant so may "
			"stay.",
	},
	{
		.type = "REPEATED_WORD",
		.level = FINDING_WARNING,
		.scope = RULE_LOG | RULE_ADDED,
		.find = find_repeated,
		.message = "a word stands there twice",
		.help = "Often one is left over from an earlier wording.",
	},
};

const struct rule_family family_words = {"words", rules, array_size(rules)};
