// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about the names of types. */
#include "checkers/checkpatch/camelcase.h"
#include "checkers/checkpatch/cline.h"

static const char *const fixed_width[][2] = {
	{"uint8_t", "u8"},  {"uint16_t", "u16"},  {"uint32_t", "u32"},	{"uint64_t", "u64"},
	{"int8_t", "s8"},   {"int16_t", "s16"},	  {"int32_t", "s32"},	{"int64_t", "s64"},
	{"u_int8_t", "u8"}, {"u_int16_t", "u16"}, {"u_int32_t", "u32"}, {"u_int64_t", "u64"},
};

static bool is_uapi(const struct rule_subject *s)
{
	return s->file &&
	       (strstr(s->file->path, "include/uapi/") || str_starts(s->file->path, "tools/"));
}

static const char *kernel_name(const struct cline *l, uint32_t i)
{
	for (size_t k = 0; k < array_size(fixed_width); k++)
		if (cline_is(l, i, fixed_width[k][0]))
			return fixed_width[k][1];
	return NULL;
}

/* Whether it declares something: a name after the type, and what follows that. */
static bool declares(const struct cline *l, uint32_t i)
{
	uint32_t end = ctype_end(&l->types, i);
	const struct ctoken *t = &l->token[end];

	if (end == i || end + 1 >= l->end || t->kind != CT_WORD)
		return false;
	return ctoken_is(&t[1], ';') || ctoken_is(&t[1], ',') || ctoken_is(&t[1], '=') ||
	       ctoken_is(&t[1], '[');
}

static void find_fixed_width(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (is_uapi(s))
		return;
	for (uint32_t i = l.first; i < l.end; i++) {
		const char *name = l.token[i].kind == CT_WORD ? kernel_name(&l, i) : NULL;

		if (!name || !declares(&l, i))
			continue;
		cline_report_text(&l, rule->level, l.token[i].at, ctoken_end(&l.token[i]), name);
		return;
	}
}

static bool is_base_word(const struct ctoken *t)
{
	return t->word >= CW_VOID && t->word <= CW_BOOL;
}

static void find_bare_signed(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++) {
		uint32_t k = i + 1;

		if (l.token[i].word != CW_UNSIGNED && l.token[i].word != CW_SIGNED)
			continue;
		if (i > l.first && is_base_word(&l.token[i - 1]))
			continue;
		while (k < l.end && l.token[k].op == COP_MUL)
			k++;
		if (k + 1 < l.end && l.token[k + 1].op == COP_COLON)
			continue;
		if (k < l.end && !is_base_word(&l.token[k]) &&
		    (l.token[k].kind == CT_WORD ? !cword_is_modifier((enum cword)l.token[k].word)
						: l.token[k].op != COP_COLON))
			cline_report_token(&l, rule->level, i, "write int after");
	}
}

/* The words of one type: "long unsigned int". */
static uint32_t base_words_end(const struct cline *l, uint32_t i)
{
	while (i < l->end && is_base_word(&l->token[i]))
		i++;
	return i;
}

static void find_misordered(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first, end; i < l.end; i = end) {
		end = base_words_end(&l, i);
		for (uint32_t k = i + 1; k < end; k++)
			if (l.token[k].word == CW_UNSIGNED || l.token[k].word == CW_SIGNED) {
				cline_report_text(&l, rule->level, l.token[i].at,
						  ctoken_end(&l.token[end - 1]),
						  "unsigned or signed comes first in");
				break;
			}
		end = end == i ? i + 1 : end;
	}
}

static void find_unnecessary_int(struct rule_run *run, const struct rule *rule,
				 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first, end; i < l.end; i = end) {
		bool has_int = false, has_long = false;

		end = base_words_end(&l, i);
		for (uint32_t k = i; k < end; k++) {
			has_int |= l.token[k].word == CW_INT;
			has_long |= l.token[k].word == CW_LONG;
		}
		if (has_int && has_long)
			cline_report_text(&l, rule->level, l.token[i].at,
					  ctoken_end(&l.token[end - 1]), "no int in");
		end = end == i ? i + 1 : end;
	}
}

/* Names that the kernel itself has for types of a size. */
static bool is_kernel_typedef(const struct cline *l, uint32_t i)
{
	return l->token[i].word == CW_ALIAS && !cline_is(l, i, "FILE") && !cline_is(l, i, "uint") &&
	       !cline_is(l, i, "ulong");
}

static bool typedef_is_fine(const struct cline *l, uint32_t i)
{
	uint32_t end = ctype_end(&l->types, i + 1);
	const struct ctoken *t = &l->token[end];

	for (uint32_t k = i + 1; k < l->end; k++)
		if (is_kernel_typedef(l, k) || cline_is(l, k, "__bitwise"))
			return true;
	if (end == i + 1 || end + 1 >= l->end)
		return false;
	return ctoken_is(t, '(') || (t->kind == CT_WORD && ctoken_is(&t[1], '('));
}

static void find_typedef(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++) {
		if (l.token[i].word != CW_TYPEDEF)
			continue;
		if (cline_space_after(&l, i) && !typedef_is_fine(&l, i))
			cline_report(&l, rule->level, NULL);
		return;
	}
}

/* --- CamelCase --- */

/* Words that are not told (again), of one view. */
struct camelcase {
	const struct word_set *tree;
	struct word_set *told;
};

/* A patch's first file with such a name may use the names that it has already. */
static struct camelcase *camelcase_new(struct rule_run *run, const struct rule_subject *s)
{
	struct camelcase *c = xcalloc(1, sizeof(*c));
	const struct str *old;

	c->tree = camelcase_of_tree(rule_env(run), rule_tree(run));
	c->told = word_set_new();
	old = s->view->is_source ? NULL : tree_file(rule_tree(run), s->file->path);
	if (old)
		camelcase_add(c->told, old->buf, old->len);
	return c;
}

void camelcase_free(struct camelcase *c)
{
	if (c)
		word_set_free(c->told);
	free(c);
}

/* "a##Bc" is one name. */
static uint32_t pasted_end(const struct cline *l, uint32_t i)
{
	while (i + 2 < l->end && l->token[i + 1].kind == CT_HASH && l->token[i + 1].len == 2 &&
	       l->token[i + 2].kind == CT_WORD)
		i += 2;
	return i;
}

static size_t digits(const char *s, size_t n, const char *which)
{
	size_t i = 0;

	while (i < n && strchr(which, s[i]))
		i++;
	return i;
}

/* How much of "1000baseKX" is a number: what follows it is a name. */
static size_t number_len(const char *s, size_t n)
{
	size_t i, exponent;

	if (n > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		i = 2 + digits(s + 2, n - 2, "0123456789abcdefABCDEF");
	else if (n > 1 && s[0] == '0' && (s[1] == 'b' || s[1] == 'B'))
		i = 2 + digits(s + 2, n - 2, "01");
	else
		i = digits(s, n, "0123456789.");
	if (i + 1 < n && (s[i] == 'e' || s[i] == 'E')) {
		exponent = digits(s + i + 1, n - i - 1, "0123456789");
		i += exponent ? 1 + exponent : 0;
	}
	return i + digits(s + i, n - i, "uUlL");
}

/* "case FooBar:" alone on a line is somebody else's name. */
static bool is_case_line(const struct cline *l)
{
	return l->end - l->first > 2 && l->token[l->first].word == CW_CASE &&
	       cline_begins(l, l->first) && l->token[l->end - 1].op == COP_COLON;
}

static void find_camelcase(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end && !is_case_line(&l); i++) {
		const char *word = l.text + l.token[i].at;
		size_t n;

		if (l.token[i].kind == CT_NUMBER)
			word += number_len(word, l.token[i].len);
		else if (l.token[i].kind != CT_WORD)
			continue;
		i = pasted_end(&l, i);
		n = (size_t)(l.text + ctoken_end(&l.token[i]) - word);
		if (!is_camelcase(word, n))
			continue;
		if (!s->view->camelcase)
			s->view->camelcase = camelcase_new(run, s);
		if (word_set_has(s->view->camelcase->tree, word, n) ||
		    word_set_has(s->view->camelcase->told, word, n))
			continue;
		word_set_add(s->view->camelcase->told, word, n, NULL);
		cline_report_text(&l, rule->level, (uint32_t)(word - l.text),
				  ctoken_end(&l.token[i]), "not");
	}
}

static const struct rule rules[] = {
	{
		.type = "CAMELCASE",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_camelcase,
		.message = "names are in lower case with underscores",
		.help = "See Documentation/process/coding-style.rst, section 4. Names that the "
			"tree's "
			"headers already have are fine.",
	},
	{
		.type = "PREFER_KERNEL_TYPES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "int8_t|int16_t|int32_t|int64_t",
		.find = find_fixed_width,
		.message = "the kernel's own type",
		.help = "u8, s16 and the like say the same as uint8_t and int16_t.",
	},
	{
		.type = "UNSPECIFIED_INT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "signed",
		.find = find_bare_signed,
		.message = "a type in full",
		.help = "unsigned int instead of unsigned.",
	},
	{
		.type = "MISORDERED_TYPE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "signed",
		.find = find_misordered,
		.message = "the order of a type's words",
		.help = "[un]signed, then short, int, long or long long.",
	},
	{
		.type = "UNNECESSARY_INT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "long",
		.find = find_unnecessary_int,
		.message = "the int is not needed",
		.help = "long and long long are integers.",
	},
	{
		.type = "NEW_TYPEDEFS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "typedef",
		.find = find_typedef,
		.message = "a new typedef hides what a thing is",
		.help = "See Documentation/process/coding-style.rst, section 5: struct and enum "
			"stay in sight.",
	},
};

const struct rule_family family_name = {"name", rules, array_size(rules)};
