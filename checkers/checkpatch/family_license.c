// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about the licence of a file: Documentation/process/license-rules.rst. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#define SPDX "SPDX-License-Identifier:"

/* How a file's first comment begins. */
static const char *comment_of(const char *path)
{
	static const struct {
		const char *end, *comment;
	} kinds[] = {
		{".c", "//"},  {".rs", "//"}, {".dts", "//"}, {".dtsi", "//"}, {".h", "/*"},
		{".s", "/*"},  {".S", "/*"},  {".py", "#"},   {".pl", "#"},    {".sh", "#"},
		{".awk", "#"}, {".tc", "#"},  {".yaml", "#"}, {".rst", ".."},
	};

	for (size_t i = 0; i < array_size(kinds); i++)
		if (str_ends(path, kinds[i].end))
			return kinds[i].comment;
	return NULL;
}

static bool is_script(const struct view_line *l)
{
	return l->raw_len > 2 && memcmp(l->raw, "+#!", 3) == 0;
}

/* The line that the licence has to be on: the first, or the second of a script. */
static unsigned license_line(const struct rule_subject *s)
{
	const struct view *v = s->view;

	if (s->line->number == 1)
		return is_script(s->line) ? 2 : 1;
	for (uint32_t i = s->at; i-- > 0 && v->line[i].file == s->line->file;)
		if (v->line[i].kind == LINE_ADDED && v->line[i].number == 1)
			return is_script(&v->line[i]) ? 2 : 1;
	return 1;
}

static bool text_has(const struct rule_subject *s, const char *what)
{
	return memmem(s->plain, s->len, what, strlen(what));
}

/* The line that should have the licence. `*ret_comment` is what it should begin with. */
static bool is_license_line(const struct rule_subject *s, const char **ret_comment)
{
	if (s->line->number > 2 || license_line(s) != s->line->number)
		return false;
	*ret_comment = comment_of(s->file->path);
	if (!*ret_comment && s->line->number == 2)
		*ret_comment = "#";
	return *ret_comment;
}

static bool is_unlicensed(const struct rule_subject *s)
{
	const char *comment;
	auto_free char *start = NULL;

	if (!is_license_line(s, &comment))
		return false;
	start = xasprintf("%s " SPDX " ", comment);
	return s->len < strlen(start) || memcmp(s->plain, start, strlen(start)) != 0;
}

/* C sources have it behind //, headers and assembler between the marks that all tools know. */
static bool is_in_other_comment(const struct rule_subject *s)
{
	const char *comment;

	return s->file->kind & (FILE_CODE | FILE_ASM) && text_has(s, SPDX) &&
	       is_license_line(s, &comment) && (s->len < 2 || memcmp(s->plain, comment, 2) != 0);
}

static bool is_misplaced(const struct rule_subject *s)
{
	return text_has(s, SPDX) && license_line(s) != s->line->number;
}

static bool is_closed_binding(const struct rule_subject *s)
{
	static struct pattern *dual;
	const char *comment;

	if (!str_starts(s->file->path, "Documentation/devicetree/bindings/"))
		return false;
	dual = dual ? dual
		    : pattern_new("GPL-2\\.0(?:-only|-or-later|\\+)? (?:OR|or) BSD-2-Clause");
	return is_license_line(s, &comment) && !is_unlicensed(s) &&
	       !pattern_matches(dual, s->plain, s->len);
}

/* What the module loader knows, but for "GPL v2". */
static bool is_unknown_license(const struct rule_subject *s)
{
	static struct pattern *known;

	known = known ? known
		      : pattern_new(
				"MODULE_LICENSE\\s*\\(\\s*\"(?:GPL|GPL and additional rights|Dual "
				"BSD/GPL|Dual MIT/GPL|Dual MPL/GPL|Proprietary)\"");
	return !pattern_matches(known, s->plain, s->len);
}

static const char help_spdx[] =
	"Each file says its licence in its first line (a script in its second), so that programs "
	"can read it: Documentation/process/license-rules.rst.";

#define FILE_MARKED (FILE_CODE | FILE_ASM | FILE_DTS | FILE_SHELL | FILE_RUST)

static const struct rule rules[] = {
	{
		.type = "SPDX_LICENSE_TAG",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.test = is_unlicensed,
		.message = "the first comment is to be the " SPDX " line",
		.help = help_spdx,
	},
	{
		.type = "SPDX_LICENSE_TAG",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_CODE | FILE_ASM,
		.need = SPDX,
		.test = is_in_other_comment,
		.message =
			"the licence is in // in .c files, and in /* */ in headers and assembler",
		.help = help_spdx,
	},
	{
		.type = "SPDX_LICENSE_TAG",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_MARKED,
		.need = SPDX,
		.test = is_misplaced,
		.message = "the licence is on another line than the first",
		.help = help_spdx,
	},
	{
		.type = "SPDX_LICENSE_TAG",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.need = SPDX,
		.test = is_closed_binding,
		.message = "bindings are under (GPL-2.0-only OR BSD-2-Clause)",
		.help = "Systems other than Linux use them.",
	},
	{
		.type = "MODULE_LICENSE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "MODULE_LICENSE",
		.pattern = "^\\s*MODULE_LICENSE\\s*\\(\\s*\"",
		.test = is_unknown_license,
		.message = "the module's licence is none of those that the loader knows, or \"GPL "
			   "v2\"",
		.help = "\"GPL\" means the same as \"GPL v2\": what exactly applies is in the SPDX "
			"line.",
	},
};

const struct rule_family family_license = {"license", rules, array_size(rules)};
