// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about lines of text. */
#include "checkers/checkpatch/rule.h"

/* Lines that can't be wrapped: a file of a diffstat, a path and what a tool said about it, a tag.
 */
#define DIFFSTAT   "\\s*[\\w./]+\\s+\\|\\s+\\d"
#define TOOL_PLACE "\\s*(?:[\\w.+-]*/)++[\\w.+-]+:"
#define TAG                                                                                        \
	"(?i:\\s*(?:fixes|link|to|cc|"                                                             \
	"(?:signed-off|co-developed|acked|tested|reviewed|reported|suggested|assisted)-by):)"

static bool not_in_dump(const struct rule_subject *s)
{
	return !s->in_dump;
}

static const struct rule rules[] = {
	{
		.type = "COMMIT_LOG_LONG_LINE",
		.level = FINDING_WARNING,
		.scope = RULE_LOG,
		.pattern = "^(?!" DIFFSTAT "|" TOOL_PLACE "|" TAG ").{76}",
		.test = not_in_dump,
		.once = true,
		.message = "a line of the commit message is longer than 75 characters",
		.help = "git log indents messages; 75 characters still fit a terminal of 80. Logs, "
			"links and "
			"tags need not be wrapped.",
	},
	{
		.type = "TRAILING_WHITESPACE",
		.level = FINDING_ERROR,
		.scope = RULE_ADDED,
		/* A carriage return is another rule's. */
		.pattern = "^(?!.*\\r)(?:.*\\S)?\\s+$",
		.message = "spaces or tabs at the end of the line",
		.help = "They show up in every later diff of the line. git diff --check finds them "
			"before "
			"a commit.",
	},
};

const struct rule_family family_text = {"text", rules, array_size(rules)};
