// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about messages. */
#include "checkers/checkpatch/ctoken.h"
#include "checkers/checkpatch/stretch.h"

/* --- the function's name in a string --- */

/* The name of the function whose definition begins at line i. */
static bool is_definition(struct view *v, uint32_t i, struct pattern_match *ret)
{
	static struct pattern *p;
	const struct view_line *l = &v->line[i];

	p = p ? p : pattern_new("^(?:[A-Za-z_][\\w\\s*]*?[\\s*])?([A-Za-z_]\\w*)\\s*\\(");
	return pattern_find(p, view_text(v, i), l->len, ret) && view_statement(v, i).opens;
}

/* The name in a hunk's header: that of the function around it. */
static bool is_header(const struct view *v, uint32_t i, struct pattern_match *ret)
{
	static struct pattern *p;

	p = p ? p : pattern_new("^@@ -.*? @@.*?([A-Za-z_]\\w*)\\s*\\((?!.*;$)");
	return pattern_find(p, v->line[i].raw, v->line[i].raw_len, ret);
}

/* The first string of a line, without quotes. */
static bool first_string(const struct view *v, uint32_t i, const char **ret, size_t *ret_len)
{
	const char *text = view_text(v, i), *end = text + v->line[i].len;
	const char *from = memchr(text, '"', v->line[i].len), *to;

	to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
	if (!to)
		return false;
	*ret = view_plain(v, i) + (from + 1 - text);
	*ret_len = (size_t)(to - from - 1);
	return true;
}

/* Whether a string has the name in it, and more than that. */
static bool holds_name(const char *s, size_t n, const char *name, size_t len)
{
	if (n <= len)
		return false;
	for (const char *at = s; (at = memmem(at, n - (size_t)(at - s), name, len)); at++)
		if ((at == s || !is_word_char(at[-1])) &&
		    (at + len == s + n || !is_word_char(at[len])))
			return true;
	return false;
}

static void find_function_name(struct rule_run *run, const struct rule *rule,
			       const struct rule_subject *s)
{
	struct view *v = s->view;
	struct pattern_match m = {0};
	bool is_in = false;

	for (uint32_t i = s->file->first; i < s->file->last; i++) {
		const char *string;
		size_t n;

		if (v->line[i].kind == LINE_HUNK)
			is_in = is_header(v, i, &m);
		if (v->line[i].kind != LINE_ADDED || !v->line[i].len)
			continue;
		if (is_word_char(view_text(v, i)[0]) && is_definition(v, i, &m))
			is_in = true;
		else if (view_text(v, i)[0] == '}' && v->line[i].len == 1)
			is_in = false;
		else if (is_in && first_string(v, i, &string, &n) &&
			 holds_name(string, n, m.group[1].s, m.group[1].len))
			rule_report_at(run, rule, i, NULL);
	}
}

/* --- formats --- */

#define ARROW "(?:<-+|<=+|-+>|=+>|<|>)"
#define TRACED                                                                                     \
	"(?:enter(?:ed)?|entry|exit|in|inside|here|begin|called|start|leave|return|end|done|out)"

/* "%s: enter\n" with __func__, and nothing else. */
static bool is_tracing(const struct rule_subject *s)
{
	static struct pattern *p;

	p = p ? p
	      : pattern_new("\\([^\"]*\"\\s*" ARROW "?[\\s.!:\\[\\]]*(?i:" TRACED
			    ")?[\\s.!:\\[\\]]*%s\\s*(?:\\(\\s*\\)\\s*)?(?:" ARROW "(?i:" TRACED
			    ")?" ARROW "?|[.!:\\[\\]]*\\s*(?:(?i:" TRACED ")?[.!:\\]\\s]*|" ARROW
			    "))?\\s*(?:\\\\n)?\"\\s*,\\s*__func__\\s*\\)\\s*;");
	return pattern_matches(p, s->plain, s->len);
}

/* No % but %%: the text goes out as it is. */
static bool has_no_format(const struct rule_subject *s)
{
	static struct pattern *p;

	p = p ? p
	      : pattern_new("\\bseq_printf\\s*\\([^\",]*,\\s*(?:[^\"(),]*\"(?:[^\"\\\\%]|\\\\.|%%)*"
			    "\")+[^\"(),]*\\)");
	return pattern_matches(p, s->plain, s->len);
}

static bool lacks_newline(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	p = p ? p
	      : pattern_new("\\breturn\\s+sysfs_emit\\s*\\(\\s*\\w+\\s*,\\s*\"((?:[^\"\\\\]|\\\\.)*"
			    ")\"");
	return pattern_find(p, s->plain, s->len, &m) &&
	       (m.group[1].len < 2 || memcmp(m.group[1].s + m.group[1].len - 2, "\\n", 2) != 0);
}

/* "%hx" and "%hhd" in what a logging function prints: once each. */
static void find_modifiers(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	static struct pattern *function, *modifier;
	struct stretch t = stretch_of(s);
	struct pattern_match m;
	const char *at, *end;

	if (!stretch_find(&function, LOG_FUNCTION "\\s*\\(", &t, &m) ||
	    !stretch_is_first_line(&t, &m))
		return;
	modifier = modifier ? modifier : pattern_new("%[-+ *\\d#.]*h{1,2}[idux]|\"");
	at = t.plain + (m.group[0].s - t.text);
	end = t.plain + t.len;
	for (bool in_string = false; pattern_find(modifier, at, (size_t)(end - at), &m);
	     at = m.group[0].s + m.group[0].len) {
		if (m.group[0].s[0] == '"')
			in_string = !in_string;
		else if (in_string)
			pattern_report(run, rule, s, &m, 0);
	}
}

/* --- build time --- */

static void find_date(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	static struct pattern *p;
	struct rule_subject rest = *s;
	struct pattern_match m;

	while (subject_find(&p, "\\b__(?:DATE|TIME|TIMESTAMP)__\\b", &rest, &m)) {
		const char *end = m.group[0].s + m.group[0].len;

		pattern_report(run, rule, s, &m, 0);
		rest.len -= (size_t)(end - rest.text);
		rest.text = end;
	}
}

static const struct rule rules[] = {
	{
		.type = "EMBEDDED_FUNCTION_NAME",
		.level = FINDING_WARNING,
		.scope = RULE_FILE,
		.files = FILE_CODE,
		.find = find_function_name,
		.not_in_source = true,
		.message = "a string holds the name of its function",
		.help = "\"%s\" with __func__ stays right when the function is renamed.",
	},
	{
		.type = "TRACING_LOGGING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__func__",
		.test = is_tracing,
		.message = "a message that a function is entered or left",
		.help = "ftrace shows that of any function.",
	},
	{
		.type = "PREFER_SEQ_PUTS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "seq_printf",
		.test = has_no_format,
		.message = "seq_puts() prints a string without a format",
		.help = "It need not look for percent signs.",
	},
	{
		.type = "SYSFS_EMIT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "sysfs_emit",
		.test = lacks_newline,
		.message = "an attribute's text ends with a newline",
		.help = "Programs and people read it by line.",
	},
	{
		.type = "UNNECESSARY_MODIFIER",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "printk|emerg|alert|crit|err|warn|notice|info|dbg|debug|devel|cont|WARN|"
			"panic|"
			"seq_",
		.find = find_modifiers,
		.message = "short and char arguments are passed as int",
		.help = "%d, %u and %x print them.",
	},
	{
		.type = "PREFER_DEV_LEVEL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "dev_printk",
		.pattern = "\\bdev_printk\\s*\\(\\s*KERN_[A-Z]+",
		.message = "dev_printk() with a level has a name of its own",
		.help = "dev_err(), dev_info(), ...",
	},
	{
		.type = "UNNECESSARY_KERN_LEVEL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "KERN_",
		.pattern = "\\b(?:(?:[a-z0-9]+_)+" LOG_LEVEL "(?:_ratelimited|_once)?|"
			   "WARN(?:_RATELIMIT|_ONCE)?|panic|MODULE_[A-Z_]+)\\s*\\(.*\\bKERN_[A-Z]+",
		.message = "the function has a level of its own",
		.help = "Leave out the KERN_ word.",
	},
	{
		.type = "PRINTK_RATELIMITED",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "printk_ratelimit",
		.pattern = "\\bprintk_ratelimit\\s*\\(",
		.message = "printk_ratelimit() counts the messages of all callers together",
		.help = "printk_ratelimited() or pr_err_ratelimited() has a count of its own.",
	},
	{
		.type = "USE_FUNC",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__FUNCTION__",
		.pattern = "\\b__FUNCTION__\\b",
		.message = "__func__ is standard C",
		.help = "__FUNCTION__ is gcc's older name of it.",
	},
	{
		.type = "DATE_TIME",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__DATE__|__TIME",
		.find = find_date,
		.message = "the time of the build makes each build another",
		.help = "See Documentation/kbuild/reproducible-builds.rst.",
	},
};

const struct rule_family family_logging = {"logging", rules, array_size(rules)};
