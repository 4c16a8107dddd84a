// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about locks and barriers. */
#include "checkers/checkpatch/cline.h"

static bool is_call(const struct cline *l, uint32_t i)
{
	return l->token[i].kind == CT_WORD && i + 1 < l->end && ctoken_is(&l->token[i + 1], '(');
}

static bool has_comment(const struct view *v, uint32_t line)
{
	return line != VIEW_NONE && memchr(view_text(v, line), VIEW_COMMENT, v->line[line].len);
}

/* On the line, or on the one above. */
static bool is_commented(const struct rule_subject *s)
{
	return has_comment(s->view, s->at) || has_comment(s->view, view_prev(s->view, s->at));
}

static const char *const barriers[] = {
	"mb",
	"rmb",
	"wmb",
	"store_release",
	"load_acquire",
	"store_mb",
	"mb__before_atomic",
	"mb__after_atomic",
};

static bool is_barrier(const struct cline *l, uint32_t i)
{
	static const char *const before[] = {"smp_", "__smp_", "virt_"};
	size_t skip = 0;

	for (size_t k = 0; k < array_size(before); k++)
		if (cline_starts(l, i, before[k]))
			skip = strlen(before[k]);
	for (size_t k = 0; k < array_size(barriers); k++)
		if (l->token[i].len == skip + strlen(barriers[k]) && (skip || k < 3) &&
		    memcmp(l->text + l->token[i].at + skip, barriers[k], strlen(barriers[k])) == 0)
			return true;
	return false;
}

static void find_barrier(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++)
		if (is_call(&l, i) && is_barrier(&l, i)) {
			if (!is_commented(s))
				cline_report_token(&l, rule->level, i, "what it pairs with:");
			return;
		}
}

static void find_lock(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first, n = 0;

	if (cline_is(&l, i, "spinlock_t"))
		n = 1;
	else if (i < l.end && l.token[i].word == CW_STRUCT && cline_is(&l, i + 1, "mutex"))
		n = 2;
	else if (cline_is(&l, i, "DEFINE_MUTEX") && is_call(&l, i))
		n = 1;
	if (!n || is_commented(s))
		return;
	i += n;
	while (i < l.end && l.token[i].op == COP_MUL)
		i++;
	if (i < l.end &&
	    (ctoken_is(&l.token[i], '(') ||
	     (l.token[i].kind == CT_WORD && i + 1 < l.end && l.token[i + 1].op == COP_SEMICOLON)))
		cline_report(&l, rule->level, NULL);
}

static const struct rule rules[] = {
	{
		.type = "MEMORY_BARRIER",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "mb|store_release|load_acquire",
		.find = find_barrier,
		.message = "a memory barrier without a comment",
		.help = "A barrier has a partner somewhere: say which, and what the two order.",
	},
	{
		.type = "UNCOMMENTED_DEFINITION",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "spinlock_t|mutex|DEFINE_MUTEX",
		.find = find_lock,
		.message = "a lock without a comment",
		.help = "Say what it protects.",
	},
	{
		.type = "USE_LOCKDEP",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\bspin_is_locked\\s*\\(",
		.need = "spin_is_locked",
		.message = "lockdep_assert_held() asks better than spin_is_locked()",
		.help = "It knows who holds the lock, and costs nothing when lockdep is off.",
	},
};

const struct rule_family family_lock = {"lock", rules, array_size(rules)};
