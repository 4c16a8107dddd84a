// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about the commit message as text. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#include <strings.h>

/* Lines that can't be wrapped: a file of a diffstat, a path and what a tool said about it, a tag.
 */
#define DIFFSTAT   "\\s*[\\w./]+\\s+\\|\\s+\\d"
#define TOOL_PLACE "\\s*(?:[\\w.+-]*/)++[\\w.+-]+:"
#define TAG                                                                                        \
	"(?i:\\s*(?:fixes|link|to|cc|"                                                             \
	"(?:signed-off|co-developed|acked|tested|reviewed|reported|suggested|assisted)-by):)"

static bool is_too_long(const struct rule_subject *s)
{
	static struct pattern *p;

	if (s->len < 76 || s->line->in_dump)
		return false;
	p = p ? p : pattern_new("^(?!" DIFFSTAT "|" TOOL_PLACE "|" TAG ").{76}");
	return pattern_matches(p, s->text, s->len);
}

/* A message is what stands between the header and the sign-offs. */
static void find_no_message(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	const struct view *v = s->view;

	for (uint32_t i = 0; i < v->first_diff; i++)
		if (v->line[i].in_log && strspn(v->line[i].raw, " \t\r") < v->line[i].raw_len)
			return;
	if (v->n_files)
		rule_report(run, rule, s, NULL);
}

/* In the message, or right behind one that nothing closes: no sign-off, no "---", no "diff --git".
 */
static bool has_word(const struct rule_subject *s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s->len; i++)
		if (strncasecmp(s->text + i, word, n) == 0)
			return true;
	return false;
}

static bool is_in_message(const struct rule_subject *s)
{
	return s->line->kind == LINE_LOG ||
	       (s->at && s->at == s->view->first_diff && s->line[-1].in_log);
}

/* The subject, unless the name is that of what is changed: "checkpatch: ...". */
static bool names_tool(const struct rule_subject *s)
{
	static struct pattern *p;

	if (s->len < 8 || strncasecmp(s->text, "Subject:", 8) != 0 ||
	    !(has_word(s, "checkpatch") || has_word(s, "sparse") || has_word(s, "smatch")))
		return false;
	p = p ? p : pattern_new("(?i)\\b(?:checkpatch|sparse|smatch)\\b[^:]");
	return pattern_matches(p, s->text, s->len);
}

static const struct rule rules[] = {
	{
		.type = "COMMIT_LOG_LONG_LINE",
		.level = FINDING_WARNING,
		.scope = RULE_LOG,
		.test = is_too_long,
		.once = true,
		.not_quoted = true,
		.message = "a line of the commit message is longer than 75 characters",
		.help = "git log indents messages; 75 characters still fit a terminal of 80. Logs, "
			"links and tags need not be wrapped.",
	},
	{
		.type = "COMMIT_MESSAGE",
		.level = FINDING_WARNING,
		.scope = RULE_PATCH,
		.not_in_source = true,
		.find = find_no_message,
		.message = "the commit message says nothing",
		.help = "Say what is wrong or missing without the change, and why this is the way "
			"to "
			"mend it.",
	},
	{
		.type = "COMMIT_COMMENT_SYMBOL",
		.level = FINDING_WARNING,
		.scope = RULE_LOG,
		.pattern = "^#",
		.message = "git takes a line that begins with # for a comment and drops it",
		.help = "A space in front of the # keeps the line.",
	},
	{
		.type = "DIFF_IN_COMMIT_MSG",
		.level = FINDING_ERROR,
		.scope = RULE_LOG | RULE_DIFF,
		.need = "a/|b/|@@ -",
		.pattern = "^\\s+diff\\b.*\\ba/[\\w/]|^\\s*(?:---\\s+a/|\\+\\+\\+\\s+b/)|"
			   "^\\s*@@ -\\d+,\\d+ \\+\\d+,\\d+ @@",
		.test = is_in_message,
		.once = true,
		.message = "this looks like a diff within the commit message",
		.help = "patch(1) takes it for the beginning of the patch. Put something in front "
			"of "
			"its lines, such as \"> \".",
	},
	{
		.type = "GERRIT_CHANGE_ID",
		.level = FINDING_ERROR,
		.scope = RULE_MESSAGE,
		.need = "-id:|-Id:|-ID:|-iD:",
		.pattern = "^(?i:\\s*change-id:)",
		.message = "a Change-Id: of Gerrit",
		.help = "Nobody but that Gerrit knows what it is. Take it out before the patch is "
			"sent.",
	},
	{
		.type = "EMAIL_SUBJECT",
		.level = FINDING_WARNING,
		.scope = RULE_HEADER,
		.test = names_tool,
		.message = "the subject names a tool, and not what changes",
		.help = "What was wrong with the code is news; what found it belongs in the "
			"message.",
	},
};

const struct rule_family family_log = {"log", rules, array_size(rules)};
