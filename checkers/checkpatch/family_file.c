// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about the files of a patch: which come and go, their modes and names, the form of the
 * patch. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#include <sys/stat.h>

/* The diffstat tells that MAINTAINERS changes too. */
static bool stat_has_maintainers(const struct view *v)
{
	static struct pattern *stat;

	stat = stat ? stat : pattern_new("^\\s*MAINTAINERS\\s*\\|");
	for (uint32_t i = 0; i < v->first_diff; i++)
		if (pattern_matches(stat, v->line[i].raw, v->line[i].raw_len))
			return true;
	return false;
}

static bool moves_files(const struct rule_subject *s)
{
	return !stat_has_maintainers(s->view);
}

static bool is_source(const struct rule_subject *s)
{
	return s->file && !str_starts(s->file->path, "scripts/") &&
	       s->file->kind & (FILE_CODE | FILE_ASM | FILE_DTS | FILE_KCONFIG | FILE_MAKE);
}

/* "+++ lib/x.c" where the tree has a lib/: what patch -p1 would take for x.c. */
static bool is_unprefixed(struct rule_run *run, const struct rule_subject *s)
{
	const char *name = s->text + 4, *slash = memchr(name, '/', s->len - 4);
	auto_free char *folder = NULL;
	struct stat st;

	if (!slash || slash == name || !tree_dir(rule_tree(run)))
		return false;
	folder = xasprintf("%s/%.*s", tree_dir(rule_tree(run)), (int)(slash - name), name);
	return lstat(folder, &st) == 0;
}

static void find_unprefixed(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	if (s->len > 5 && is_unprefixed(run, s))
		rule_report_at(run, rule, VIEW_NONE, NULL);
}

/* A hunk's line that has none of the marks which a line of one begins with. */
static bool is_cut(const struct rule_subject *s)
{
	return s->line->is_counted && s->line->raw_len && !strchr(" +-\\@", *s->line->raw);
}

static bool is_added_above(const struct rule_subject *s)
{
	return s->at && s->line[-1].kind == LINE_ADDED;
}

static void find_no_newline(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	if (is_added_above(s))
		rule_report_at(run, rule, s->at - 1, NULL);
}

static bool is_binding(const char *path)
{
	return str_starts(path, "Documentation/devicetree/bindings/") ||
	       str_starts(path, "include/dt-bindings/");
}

static void find_mixed_binding(struct rule_run *run, const struct rule *rule,
			       const struct rule_subject *s)
{
	bool binding = false, other = false;

	for (uint32_t i = 0; i < s->view->n_files; i++) {
		const char *path = s->view->file[i].path;

		if (path && is_binding(path))
			binding = true;
		else
			other = true;
	}
	if (binding && other)
		rule_report(run, rule, s, NULL);
}

static void find_binding_text(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	const struct view_file *f = s->file;

	if (f->is_new && f->kind == FILE_TXT &&
	    str_starts(f->path, "Documentation/devicetree/bindings/"))
		rule_report_at(run, rule, VIEW_NONE, NULL);
}

/* What is neither text in UTF-8 nor white space. */
static bool is_no_text(const struct rule_subject *s)
{
	for (size_t i = 0; i < s->len; i++)
		if ((unsigned char)s->plain[i] < 0x20
			    ? !strchr("\t\r\f", s->plain[i]) || !s->plain[i]
			    : s->plain[i] == 0x7f)
			return true;
	return !utf8_valid(s->plain, s->len);
}

static const struct rule rules[] = {
	{
		.type = "INVALID_UTF8",
		.level = FINDING_CHECK,
		.scope = RULE_LOG | RULE_ADDED,
		.test = is_no_text,
		.message = "this is no text in UTF-8",
		.help = "Sources and messages are UTF-8, without control characters.",
	},
	{
		.type = "FILE_PATH_CHANGES",
		.level = FINDING_WARNING,
		.scope = RULE_DIFF,
		.need = "file mode|rename",
		.pattern = "^(?:new|deleted) file mode\\s*\\d+\\s*$|^rename (?:from|to) \\S",
		.test = moves_files,
		.once = true,
		.message = "a file is new, gone or moved: does MAINTAINERS know?",
		.help = "Its F: lines say who is asked about which files.",
	},
	{
		.type = "EXECUTE_PERMISSIONS",
		.level = FINDING_ERROR,
		.scope = RULE_DIFF,
		.need = "mode",
		.pattern = "^new (?:file )?mode.*[7531]\\d{0,2}\\s*$",
		.test = is_source,
		.message = "a source file is made executable",
		.help = "chmod -x FILE; an editor or another system's file share did it.",
	},
	{
		.type = "MODIFIED_INCLUDE_ASM",
		.level = FINDING_ERROR,
		.scope = RULE_DIFF,
		.need = "/include/asm/",
		.pattern = "^\\+\\+\\+ [^/]+/include/asm/",
		.message = "include/asm/ is no folder of the tree",
		.help = "Headers of an architecture are in arch/NAME/include/asm/.",
	},
	{
		.type = "PATCH_PREFIX",
		.level = FINDING_WARNING,
		.scope = RULE_DIFF,
		.pattern = "^\\+\\+\\+ ",
		.find = find_unprefixed,
		.once = true,
		.message = "this is a patch for -p0",
		.help = "Make it one folder above the tree, or with git: names begin with a/ and "
			"b/.",
	},
	{
		.type = "CORRUPTED_PATCH",
		.level = FINDING_ERROR,
		.scope = RULE_OTHER,
		.test = is_cut,
		.once = true,
		.message = "a line of the diff is broken in two",
		.help = "Mail programs wrap long lines: "
			"Documentation/process/email-clients.rst tells how to stop that.",
	},
	{
		.type = "MISSING_EOF_NEWLINE",
		.level = FINDING_WARNING,
		.scope = RULE_OTHER,
		.pattern = "^\\\\ No newline at end of file",
		.find = find_no_newline,
		.message = "the last line of the file has no newline",
		.help = "Tools that append to files or join them rely on it.",
	},
	{
		.type = "DT_SPLIT_BINDING_PATCH",
		.level = FINDING_WARNING,
		.scope = RULE_PATCH,
		.find = find_mixed_binding,
		.message = "a devicetree binding and something else in one patch",
		.help = "Bindings are used outside of Linux, too, and other people take them: "
			"Documentation/devicetree/bindings/submitting-patches.rst.",
	},
	{
		.type = "DT_SCHEMA_BINDING_PATCH",
		.level = FINDING_WARNING,
		.scope = RULE_FILE,
		.find = find_binding_text,
		.message = "a devicetree binding as text",
		.help = "New ones are schemas: "
			"Documentation/devicetree/bindings/writing-schema.rst.",
	},
};

const struct rule_family family_file = {"file", rules, array_size(rules)};
