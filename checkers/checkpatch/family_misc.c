// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about directives, continued lines and assembler labels. */
#include "checkers/checkpatch/stretch.h"

/* --- continued lines --- */

static bool ends_in_backslash(const struct view *v, uint32_t i)
{
	return i != VIEW_NONE && v->line[i].len && view_plain(v, i)[v->line[i].len - 1] == '\\' &&
	       view_text(v, i)[v->line[i].len - 1] != VIEW_COMMENT;
}

/* Not in a directive, in assembler, or below a line that is continued, too. */
static bool is_needless_continuation(const struct rule_subject *s)
{
	static struct pattern *directive;

	if (!ends_in_backslash(s->view, s->at) ||
	    ends_in_backslash(s->view, view_prev(s->view, s->at)))
		return false;
	directive = directive ? directive : pattern_new("^\\s*#|\\b(?:asm|__asm__|__asm)\\b");
	return !pattern_matches(directive, s->text, s->len);
}

/* --- configuration --- */

static bool is_no_asm_header(const struct rule_subject *s)
{
	return !strstr(s->file->path, "include/asm");
}

static bool tests_both(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	return subject_find(
		&p,
		"^\\s*#\\s*if\\s+defined(?:\\s+|\\s*\\(\\s*)(CONFIG_[A-Z_]+)\\s*\\)?\\s*"
		"\\|\\|\\s*defined(?:\\s+|\\s*\\(\\s*)\\1_MODULE\\s*\\)?\\s*$",
		s, &m);
}

static const struct rule rules[] = {
	{
		.type = "LINE_CONTINUATIONS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.test = is_needless_continuation,
		.message = "a backslash that nothing needs",
		.help = "Only macros go on like that.",
	},
	{
		.type = "WHITESPACE_AFTER_LINE_CONTINUATION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\\ |\\\t",
		.pattern = "^\\s*#\\s*define.*\\\\\\s+$",
		.message = "spaces after the backslash",
		.help = "The line does not go on then.",
	},
	{
		.type = "ARCH_DEFINES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__i386__|__powerpc64__|__sun__|__s390x__",
		.pattern = "^\\s*#\\s*if.*\\b__(?:i386|powerpc64|sun|s390x)__\\b",
		.test = is_no_asm_header,
		.message = "what depends on the architecture belongs there",
		.help = "Into a header below arch/, or into Kconfig.",
	},
	{
		.type = "DEFINE_ARCH_HAS",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "ARCH_HA",
		.pattern = "^\\s*#\\s*define\\s+(?:__)?ARCH_HA(?:S|VE)\\w*\\b",
		.message = "what an architecture has is said by Kconfig",
		.help = "Or by a macro that has the name of the function itself.",
	},
	{
		.type = "PREFER_IS_ENABLED",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "_MODULE",
		.test = tests_both,
		.message = "IS_ENABLED() asks for both",
		.help = "#if IS_ENABLED(CONFIG_X).",
	},
	{
		.type = "AVOID_L_PREFIX",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_ASM,
		.need = "SYM_",
		.pattern = "^\\s*SYM_[A-Z]+_(?:START|END)(?:_[A-Z_]+)?\\s*\\(\\s*\\.L",
		.message = "a .L label gets no symbol",
		.help = "Nothing can be said then about the code's stack frames: see "
			"Documentation/core-api/asm-annotations.rst.",
	},
};

const struct rule_family family_misc = {"misc", rules, array_size(rules)};
