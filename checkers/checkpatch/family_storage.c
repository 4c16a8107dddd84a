// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about static, const, inline, volatile, and what is initialised with zero. */
#include "checkers/checkpatch/cline.h"

static bool is_zero(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];

	if (t->word == CW_NULL || t->word == CW_FALSE)
		return true;
	if (t->kind != CT_NUMBER || t->c != '0')
		return false;
	for (uint32_t k = 1; k < t->len; k++)
		if (!strchr("0xXuUlL", l->text[t->at + k]))
			return false;
	return true;
}

/* "= 0;" at the end: the token of the '=', or CTOKEN_NONE. */
static uint32_t zero_initializer(const struct cline *l)
{
	uint32_t i = l->end;

	if (i - l->first < 4 || l->token[i - 1].op != COP_SEMICOLON || !is_zero(l, i - 2) ||
	    !ctoken_is(&l->token[i - 3], '='))
		return CTOKEN_NONE;
	return i - 3;
}

static void find_zero(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t set = zero_initializer(&l), end;
	bool is_static = strcmp(rule->type, "INITIALISED_STATIC") == 0;

	if (set == CTOKEN_NONE)
		return;
	for (uint32_t i = l.first; i < set; i++)
		if (l.token[i].word == CW_STATIC) {
			if (is_static)
				cline_report_token(&l, rule->level, set + 1, "not");
			return;
		}
	if (is_static || l.token[l.first].at != l.start)
		return;
	end = ctype_end(&l.types, l.first);
	if (end == l.first || end >= set || l.token[end].kind != CT_WORD)
		return;
	for (end++; end < set && ctype_is_modifier(&l.types, &l.token[end]);)
		end++;
	if (end == set)
		cline_report_token(&l, rule->level, set + 1, "not");
}

static void find_volatile(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++)
		if (l.token[i].word == CW_VOLATILE) {
			if (i == l.first || l.token[i - 1].word != CW_ASM)
				cline_report(&l, rule->level, NULL);
			return;
		}
}

/* static and the like come first, then inline, then the type. */
static void find_inline(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++) {
		uint32_t end = i;

		if (l.token[i].word == CW_INLINE && i + 1 < l.end &&
		    cword_is_storage((enum cword)l.token[i + 1].word)) {
			cline_report_token(&l, rule->level, i, "is");
			return;
		}
		if (l.token[i].kind == CT_WORD)
			end = ctype_base_end(&l.types, i);
		if (end != i && end < l.end && l.token[end].word == CW_INLINE) {
			cline_report_token(&l, rule->level, end, "is");
			return;
		}
	}
}

/* --- attributes --- */

/* Attributes that the kernel has a word for. */
static const char *const attributes[][2] = {
	{"alias", "__alias"},
	{"aligned", "__aligned"},
	{"always_inline", "__always_inline"},
	{"assume_aligned", "__assume_aligned"},
	{"cold", "__cold"},
	{"const", "__attribute_const__"},
	{"copy", "__copy"},
	{"designated_init", "__designated_init"},
	{"externally_visible", "__visible"},
	{"format", "__printf or __scanf"},
	{"gnu_inline", "__gnu_inline"},
	{"malloc", "__malloc"},
	{"mode", "__mode"},
	{"no_caller_saved_registers", "__no_caller_saved_registers"},
	{"noclone", "__noclone"},
	{"noinline", "noinline"},
	{"nonstring", "__nonstring"},
	{"noreturn", "__noreturn"},
	{"packed", "__packed"},
	{"pure", "__pure"},
	{"section", "__section"},
	{"unused", "__always_unused or __maybe_unused"},
	{"used", "__used"},
	{"weak", "__weak"},
};

/* "__packed__" is "packed". */
static const char *attribute_word(const struct cline *l, const struct ctoken *t)
{
	static struct word_set *set;
	const struct word_set *words = word_map_once(&set, attributes, array_size(attributes));
	const char *s = l->text + t->at;
	size_t n = t->len;

	if (n > 4 && memcmp(s, "__", 2) == 0 && memcmp(s + n - 2, "__", 2) == 0) {
		s += 2;
		n -= 4;
	}
	return word_set_find(words, s, n);
}

/* The first "__attribute__((...))" of a line. */
static void find_attributes(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first, close;

	if (strstr(s->file->path, "include/uapi/"))
		return;
	while (i < l.end && l.token[i].word != CW_ATTRIBUTE)
		i++;
	if (i + 3 >= l.end || !ctoken_is(&l.token[i + 1], '(') || !ctoken_is(&l.token[i + 2], '('))
		return;
	close = l.token[i + 2].match;
	for (i += 3; i < l.end && i < close; i++) {
		const char *word =
			l.token[i].kind == CT_WORD ? attribute_word(&l, &l.token[i]) : NULL;

		if (word)
			cline_report(&l, rule->level, word);
		if (i + 1 < l.end && ctoken_is(&l.token[i + 1], '(') &&
		    l.token[i + 1].match < l.end)
			i = l.token[i + 1].match;
	}
}

/* --- exports --- */

static void find_export(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t above = view_prev(s->view, s->at), i;

	if (l.first == l.end || !cline_starts(&l, l.first, "EXPORT_SYMBOL") || above == VIEW_NONE ||
	    s->view->line[above].kind != LINE_ADDED)
		return;
	i = l.code->tokens.first[above];
	if (i == l.code->tokens.first[above + 1] ? s->view->line[above].len == 0
						 : cline_starts(&l, i, "EXPORT_SYMBOL") ||
							   cline_starts(&l, i, "NOKPROBE_SYMBOL"))
		cline_report(&l, rule->level, NULL);
}

static const struct rule rules[] = {
	{
		.type = "PREFER_DEFINED_ATTRIBUTE_MACRO",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__attribute__",
		.find = find_attributes,
		.message = "the kernel has a word for this attribute",
		.help = "See include/linux/compiler_attributes.h.",
	},
	{
		.type = "EXPORT_SYMBOL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "EXPORT_SYMBOL",
		.find = find_export,
		.message = "EXPORT_SYMBOL() stands right below what it exports",
		.help = "Whoever changes the function sees then that others use it.",
	},
	{
		.type = "GLOBAL_INITIALISERS",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "=",
		.find = find_zero,
		.message = "a global is zero from the start",
		.help = "Without the initializer it takes no room in the image.",
	},
	{
		.type = "INITIALISED_STATIC",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "static",
		.find = find_zero,
		.message = "a static is zero from the start",
		.help = "Without the initializer it takes no room in the image.",
	},
	{
		.type = "VOLATILE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "volatile",
		.find = find_volatile,
		.message = "volatile is no synchronization",
		.help = "See Documentation/process/volatile-considered-harmful.rst.",
	},
	{
		.type = "INLINE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\b__inline(?:__)?\\b",
		.need = "__inline",
		.message = "write inline",
		.help = "The underscores are for compilers that had no inline.",
	},
	{
		.type = "INLINE_LOCATION",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "inline",
		.find = find_inline,
		.message = "inline stands between static and the type",
		.help = "static inline int f(void): the usual order is the one that is searched "
			"for.",
	},
	{
		.type = "STATIC_CONST_CHAR_ARRAY",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\bstatic\\s+const\\s+char\\s*\\*\\s*\\w+\\s*\\[\\s*\\]\\s*=\\s*\\{",
		.need = "char",
		.message = "an array of constant strings is constant itself",
		.help = "static const char * const names[]: else the pointers can be written.",
	},
	{
		.type = "STATIC_CONST_CHAR_ARRAY",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\bstatic\\s+char\\s+\\w+\\s*\\[\\s*\\]\\s*=\\s*\"|"
			   "^\\s+const\\s+char\\s+\\w+\\s*\\[\\s*\\]\\s*=\\s*\"|"
			   "^\\s+(?:const\\s+|static\\s+)?char\\s*\\*\\s*\\w+\\s*\\[\\s*\\]\\s*="
			   "\\s*\\{",
		.need = "char",
		.message = "a string that does not change is static const",
		.help = "Otherwise it is copied at each call, or can be written.",
	},
	{
		.type = "IF_0",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "^\\s*#\\s*if\\s+0\\b",
		.need = "if",
		.message = "code that is never compiled",
		.help = "git keeps what is removed.",
	},
	{
		.type = "IF_1",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "^\\s*#\\s*if\\s+1\\b",
		.need = "if",
		.message = "a condition that always holds",
		.help = "Leave out the #if and its #endif.",
	},
};

const struct rule_family family_storage = {"storage", rules, array_size(rules)};
