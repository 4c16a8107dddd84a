// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about Kconfig files. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

/* Lines of help that a symbol should have. */
#define HELP_MIN 4

struct symbol {
	bool has_prompt, has_help;
	unsigned help_lines;
};

/* One line within a symbol. False when the symbol ends before it. */
static bool symbol_read(struct symbol *sym, const char *s, size_t n)
{
	static struct pattern *end, *prompt, *help, *said;

	end = end ? end
		  : pattern_new("^\\s*(?:config|menuconfig|choice|endchoice|if|endif|menu|endmenu|"
				"source)\\b");
	prompt = prompt ? prompt : pattern_new("^\\s*(?:bool|tristate|prompt)\\s*[\"']");
	help = help ? help : pattern_new("^\\s*help\\s*$");
	said = said ? said : pattern_new("^\\s*[^#\\s]");
	if (pattern_matches(end, s, n))
		return false;
	if (pattern_matches(prompt, s, n))
		sym->has_prompt = true;
	else if (pattern_matches(help, s, n))
		sym->has_help = true;
	else if (sym->has_help && pattern_matches(said, s, n))
		sym->help_lines++;
	return true;
}

static bool is_undescribed(const struct rule_subject *s)
{
	const struct view *v = s->view;
	struct symbol sym = {0};

	for (uint32_t i = view_next(v, s->at); i != VIEW_NONE; i = view_next(v, i))
		if (!symbol_read(&sym, view_text(v, i), v->line[i].len))
			break;
	return sym.has_prompt && sym.help_lines < HELP_MIN;
}

static const struct rule rules[] = {
	{
		.type = "CONFIG_DESCRIPTION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_KCONFIG,
		.pattern = "^\\s*(?:config|menuconfig|choice)\\b",
		.test = is_undescribed,
		.message = "the symbol's help says too little: four lines or more",
		.help = "Who is asked has to find out there whether they want it.",
	},
};

const struct rule_family family_kconfig = {"kconfig", rules, array_size(rules)};
