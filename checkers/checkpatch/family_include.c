// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about #include. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

/* "<asm/NAME.h>" where linux/NAME.h includes that, and all who want it include linux/NAME.h. Those
 * of interrupts and time are used by themselves. */
static bool linux_includes(struct tree *t, const char *name, size_t n)
{
	static struct pattern *alone;
	auto_free char *path = xasprintf("include/linux/%.*s", (int)n, name);
	auto_free char *line = xasprintf("#include <asm/%.*s>", (int)n, name);
	const struct str *text;
	const char *at;

	alone = alone ? alone : pattern_new("irq|time|memory");
	if (pattern_matches(alone, name, n))
		return false;
	text = tree_file(t, path);
	at = text ? strstr(text->buf, line) : NULL;
	return at && (at == text->buf || at[-1] == '\n');
}

static void find_asm(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	static struct pattern *asm_header;
	struct pattern_match m;
	auto_free char *path = NULL, *detail = NULL;
	bool in_arch = str_starts(s->file->path, "arch/");

	asm_header =
		asm_header ? asm_header : pattern_new("^\\s*#\\s*include\\s*<asm/([\\w.-]+\\.h)>");
	if (in_arch != (rule->level == FINDING_CHECK) ||
	    !pattern_find(asm_header, s->plain, s->len, &m))
		return;
	path = xasprintf("include/linux/%.*s", (int)m.group[1].len, m.group[1].s);
	if (strcmp(path, s->file->path) == 0 ||
	    !linux_includes(rule_tree(run), m.group[1].s, m.group[1].len))
		return;
	detail = xasprintf("#include <linux/%.*s>", (int)m.group[1].len, m.group[1].s);
	rule_report(run, rule, s, detail);
}

static bool is_double_slash(const struct rule_subject *s)
{
	const char *open = memchr(s->plain, '<', s->len), *end = s->plain + s->len, *close;

	open = open ? open : memchr(s->plain, '"', s->len);
	if (!open)
		return false;
	close = memchr(open + 1, *open == '<' ? '>' : '"', (size_t)(end - open - 1));
	return close && memmem(open, (size_t)(close - open), "//", 2);
}

static bool is_in_uapi(const struct rule_subject *s)
{
	return strstr(s->file->path, "include/uapi/");
}

static const char help_asm[] =
	"The header in linux/ includes the one in asm/ and adds what all architectures share.";

static const struct rule rules[] = {
	{
		.type = "INCLUDE_LINUX",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_CODE,
		.need = "asm/",
		.find = find_asm,
		.message = "use the header in linux/",
		.help = help_asm,
	},
	{
		.type = "ARCH_INCLUDE_LINUX",
		.level = FINDING_CHECK,
		.scope = RULE_ADDED,
		.files = FILE_CODE,
		.need = "asm/",
		.find = find_asm,
		.message = "the header in linux/ may do",
		.help = help_asm,
	},
	{
		.type = "MALFORMED_INCLUDE",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		.files = FILE_CODE,
		.need = "include",
		.pattern = "^\\s*#\\s*include\\s*[<\"]",
		.test = is_double_slash,
		.message = "two slashes in the name of a header",
		.help = "It is found all the same, and not by those who search for it.",
	},
	{
		.type = "UAPI_INCLUDE",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		.files = FILE_H,
		.need = "uapi/",
		.pattern = "^\\s*#\\s*include\\s*[<\"]uapi/",
		.test = is_in_uapi,
		.message = "programs have no uapi/ folder",
		.help = "Headers below uapi/ are installed without that part of their name.",
	},
};

const struct rule_family family_include = {"include", rules, array_size(rules)};
