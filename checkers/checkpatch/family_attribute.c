// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about what is said of a function or variable besides its type: section, weak, const. */
#include "checkers/checkpatch/cline.h"
#include "checkers/checkpatch/stretch.h"

#define INIT_PREFIX "__(?:mem|cpu|dev|net_)?init"

/* --- sections --- */

static const char *const init_sections[] = {
	"__initdata",	  "__initconst",   "__meminitdata",  "__meminitconst", "__cpuinitdata",
	"__cpuinitconst", "__devinitdata", "__devinitconst", "__net_initdata", "__net_initconst",
	"__init",	  "__meminit",	   "__cpuinit",	     "__devinit",      "__net_init",
};

static bool is_init(const struct cline *l, uint32_t i)
{
	static struct word_set *set;

	return i < l->end &&
	       word_set_has(word_set_once(&set, init_sections, array_size(init_sections)),
			    l->text + l->token[i].at, l->token[i].len);
}

/* "static int __initdata x;" and "static __initdata int x;" */
static void find_misplaced(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first, end;

	if (i == l.end || l.token[i].word != CW_STATIC)
		return;
	for (i++; i < l.end && !is_init(&l, i); i++)
		if (l.token[i].kind != CT_WORD)
			return;
	/* "struct __initdata foo" is another row's. */
	if (i >= l.end || cword_is_tag((enum cword)l.token[i - 1].word))
		return;
	end = i + 1;
	while (end + 1 < l.end && l.token[end].kind == CT_WORD && l.token[end + 1].kind == CT_WORD)
		end++;
	if (end + 1 >= l.end || l.token[end].kind != CT_WORD)
		return;
	end++;
	if (ctoken_is(&l.token[end], '[') && l.token[end].match + 1 < l.end)
		end = l.token[end].match + 1;
	if (ctoken_is(&l.token[end], '=') || l.token[end].op == COP_SEMICOLON)
		cline_report_token(&l, rule->level, i, "not before the name:");
}

static bool is_const(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	return subject_find(&p, "\\bconst\\b", s, &m);
}

static bool is_not_const(const struct rule_subject *s)
{
	return !is_const(s);
}

/* --- weak --- */

/* "int __weak f(void);": a declaration on one line, and its function is weak. */
static void find_weak(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++) {
		uint32_t end, close;

		if (l.token[i].kind != CT_WORD)
			continue;
		end = ctype_end(&l.types, i);
		if (end == i || end + 1 >= l.end || l.token[end].kind != CT_WORD ||
		    !ctoken_is(&l.token[end + 1], '('))
			continue;
		close = l.token[end + 1].match;
		if (close >= l.end || (end > i + 1 && l.token[end - 2].op == COP_MUL))
			return;
		if (cline_is(&l, close + 1, "__weak"))
			close++;
		if (close + 1 < l.end && l.token[close + 1].op == COP_SEMICOLON)
			cline_report_token(&l, rule->level, end, "of");
		return;
	}
}

/* --- const --- */

/* "const int const" */
static void find_const_const(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i + 2 < l.end; i++) {
		struct ctype_reader r = l.types;
		uint32_t last;

		if (l.token[i].word != CW_CONST)
			continue;
		for (last = i + 1; last < l.end && l.token[last].kind == CT_WORD &&
				   l.token[last].word != CW_CONST;)
			last++;
		if (last == i + 1 || last >= l.end || l.token[last].word != CW_CONST)
			continue;
		r.limit = last;
		if (ctype_base_end(&r, i + 1) == last) {
			cline_report(&l, rule->level, NULL);
			return;
		}
	}
}

/* "static int const x": static, a type of words, const. */
static void find_static_const(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first, last;
	struct ctype_reader r = l.types;

	if (i + 2 >= l.end)
		return;
	if (l.token[i].word == CW_CONST && l.token[i + 1].word == CW_STATIC) {
		cline_report(&l, rule->level, NULL);
		return;
	}
	if (l.token[i].word != CW_STATIC || l.token[i + 1].word == CW_CONST)
		return;
	for (last = i + 1;
	     last < l.end && l.token[last].kind == CT_WORD && l.token[last].word != CW_CONST;)
		last++;
	if (last >= l.end || l.token[last].word != CW_CONST)
		return;
	r.limit = last;
	if (ctype_base_end(&r, i + 1) == last)
		cline_report(&l, rule->level, NULL);
}

/* A word that ends a type, or may be one: an unknown one that begins the line. */
static bool is_type_end(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];

	if (t->kind != CT_WORD)
		return false;
	if (t->word == CW_CONST)
		return i > l->first && l->token[i - 1].role == CR_TYPE &&
		       l->token[i - 1].word != CW_STATIC;
	return t->role == CR_TYPE || (t->word == CW_NONE && i == l->first);
}

/* Storage after the type: "int static x". */
static void find_storage(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first + 1; i < l.end; i++) {
		if (!cword_is_storage((enum cword)l.token[i].word))
			continue;
		if (is_type_end(&l, i - 1))
			cline_report_token(&l, rule->level, i, "first:");
		return;
	}
}

/* --- makefiles --- */

/* Makefile.sub and Kbuild, but not every file of the kind. */
static bool is_makefile(const struct rule_subject *s)
{
	return strstr(s->file->path, "Makefile") || strstr(s->file->path, "Kbuild");
}

static const char help_section[] =
	"The place that all compilers understand is right before the '=' or the ';'.";

static const struct rule rules[] = {
	{
		.type = "MISPLACED_INIT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "init",
		.find = find_misplaced,
		.message = "a section is named after the variable",
		.help = help_section,
	},
	{
		.type = "MISPLACED_INIT",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "init",
		.pattern = "\\bstatic\\b.*\\b(?:struct|union)\\s+" INIT_PREFIX "(?:data|const)\\b",
		.message = "a section between struct and its name has no effect on the variable",
		.help = help_section,
	},
	{
		.type = "INIT_ATTRIBUTE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "initdata",
		.pattern = "\\b" INIT_PREFIX "data\\b",
		.test = is_const,
		.message = "constant data goes into __initconst",
		.help = "A section is either writable or not.",
	},
	{
		.type = "INIT_ATTRIBUTE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "initconst",
		.pattern = "\\b" INIT_PREFIX "const\\b",
		.test = is_not_const,
		.message = "what is in __initconst is const",
		.help = "A section is either writable or not.",
	},
	{
		.type = "CONST_READ_MOSTLY",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__read_mostly",
		.pattern = "\\bconst\\b[^*,;]*\\b__read_mostly\\b|"
			   "\\b__read_mostly\\b[^*,;]*\\bconst\\b",
		.message = "const data is never written",
		.help = "__read_mostly is for what is written now and then.",
	},
	{
		.type = "HOTPLUG_SECTION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__dev",
		.pattern = "\\b__dev(?:init|exit)(?:data|const)?\\b",
		.message = "the sections for device hotplug are gone",
		.help = "Code that devices need may be needed at any time: leave it out.",
	},
	{
		.type = "WEAK_DECLARATION",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__weak|weak__|((weak",
		.find = find_weak,
		.message = "a weak declaration makes every definition weak",
		.help = "Put __weak at the one definition that may be replaced.",
	},
	{
		.type = "CONST_CONST",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "const",
		.find = find_const_const,
		.message = "const on both sides of a type says it twice",
		.help = "const T * const p makes the pointer constant, too.",
	},
	{
		.type = "STATIC_CONST",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "static",
		.find = find_static_const,
		.message = "write static const in front of the type",
		.help = "static const T x is the usual order.",
	},
	{
		.type = "STORAGE_CLASS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "static|extern|asmlinkage",
		.find = find_storage,
		.message = "the storage class is first in a declaration",
		.help = "static int x, not int static x.",
	},
	{
		.type = "DEPRECATED_VARIABLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_MAKE | FILE_OTHER,
		.need = "EXTRA_",
		.pattern = "^EXTRA_(?:A|C|CPP|LD)FLAGS\\b",
		.test = is_makefile,
		.message = "EXTRA_xFLAGS is now xflags-y",
		.help = "ccflags-y, asflags-y, cppflags-y and ldflags-y.",
	},
};

const struct rule_family family_attribute = {"attribute", rules, array_size(rules)};
