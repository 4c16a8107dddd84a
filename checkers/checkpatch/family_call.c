// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about functions and words that have something better beside them. */
#include "checkers/checkpatch/cline.h"

static bool is_call(const struct cline *l, uint32_t i)
{
	return l->token[i].kind == CT_WORD && i + 1 < l->end && ctoken_is(&l->token[i + 1], '(');
}

/* --- BUG --- */

static bool is_capital(char c)
{
	return (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_letter(char c)
{
	return is_capital(c) || (c >= 'a' && c <= 'z');
}

/* BUG, BUG_ON, VM_BUG_ON_PAGE: letters, BUG, capitals. Some are not what they look like. */
static bool is_bug(const struct cline *l, uint32_t i)
{
	static const char *const others[] = {"AA_",  "BUILD_",	"DCCP_", "IDA_",
					     "KVM_", "RWLOCK_", "snd_",	 "SPIN_"};
	const char *s = l->text + l->token[i].at;
	size_t n = l->token[i].len, at = 0;

	for (size_t k = 0; k < array_size(others); k++)
		if (cline_starts(l, i, others[k]))
			return false;
	while (at + 3 <= n && (memcmp(s + at, "BUG", 3) != 0 || (at && s[at - 1] != '_')))
		if (!is_letter(s[at++]))
			return false;
	if (at + 3 > n || (at + 3 < n && s[at + 3] != '_'))
		return false;
	for (at += 3; at < n; at++)
		if (!is_capital(s[at]))
			return false;
	return true;
}

static void find_bug(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++)
		if (is_call(&l, i) && is_bug(&l, i)) {
			cline_report_token(&l, s->view->is_source ? FINDING_CHECK : rule->level, i,
					   "not");
			return;
		}
}

/* --- names that another replaces --- */

static const char *const deprecated[][2] = {
	{"synchronize_rcu_bh", "synchronize_rcu"},
	{"synchronize_rcu_bh_expedited", "synchronize_rcu_expedited"},
	{"call_rcu_bh", "call_rcu"},
	{"rcu_barrier_bh", "rcu_barrier"},
	{"synchronize_sched", "synchronize_rcu"},
	{"synchronize_sched_expedited", "synchronize_rcu_expedited"},
	{"call_rcu_sched", "call_rcu"},
	{"rcu_barrier_sched", "rcu_barrier"},
	{"get_state_synchronize_sched", "get_state_synchronize_rcu"},
	{"cond_synchronize_sched", "cond_synchronize_rcu"},
	{"kmap", "kmap_local_page"},
	{"kmap_atomic", "kmap_local_page"},
};

static void find_deprecated(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	static struct word_set *set;
	const struct word_set *words = word_map_once(&set, deprecated, array_size(deprecated));
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++) {
		const char *better;

		if (!is_call(&l, i))
			continue;
		better = word_set_find(words, l.text + l.token[i].at, l.token[i].len);
		if (!better)
			continue;
		cline_report_text(&l, rule->level, l.token[i].at, ctoken_end(&l.token[i]), better);
		return;
	}
}

/* "name(" as a word of its own, by the row's `need`. */
static bool has_word(const struct rule_subject *s, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = s->text, *end = s->text + s->len; at < end; at++) {
		at = memmem(at, (size_t)(end - at), word, n);
		if (!at)
			return false;
		if ((at == s->text || !is_word_char(at[-1])) &&
		    (at + n == end || !is_word_char(at[n])))
			return true;
	}
	return false;
}

static bool is_enosys(const struct rule_subject *s)
{
	return has_word(s, "ENOSYS");
}

static bool is_enotsupp(const struct rule_subject *s)
{
	return has_word(s, "ENOTSUPP");
}

/* --- numbers --- */

static uint32_t skip_words(const struct cline *l, uint32_t i)
{
	while (i < l->end &&
	       (cword_is_storage((enum cword)l->token[i].word) || l->token[i].word == CW_TYPEDEF))
		i++;
	return i;
}

/* An array of that size, or the preprocessor's. */
static bool may_use_nr_cpus(const struct cline *l)
{
	uint32_t i = skip_words(l, l->first), end = ctype_end(&l->types, i);

	if (ctoken_is(&l->token[l->first], '#'))
		return true;
	return end != i && end + 1 < l->end && l->token[end].kind == CT_WORD &&
	       ctoken_is(&l->token[end + 1], '[');
}

static void find_nr_cpus(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.first == l.end || may_use_nr_cpus(&l))
		return;
	for (uint32_t i = l.first; i < l.end; i++)
		if (cline_is(&l, i, "NR_CPUS")) {
			cline_report(&l, rule->level, NULL);
			return;
		}
}

/* --- printk --- */

static bool is_level(const struct cline *l, uint32_t i)
{
	return i < l->end && cline_starts(l, i, "KERN_");
}

static void find_printk(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	bool without = strcmp(rule->type, "PRINTK_WITHOUT_KERN_LEVEL") == 0;

	for (uint32_t i = l.first; i < l.end; i++) {
		bool plain = cline_is(&l, i, "printk");

		if (!is_call(&l, i) || !(plain || cline_is(&l, i, "printk_once") ||
					 cline_is(&l, i, "printk_ratelimited")))
			continue;
		if (without ? plain && !is_level(&l, i + 2) : is_level(&l, i + 2)) {
			cline_report(&l, rule->level, NULL);
			return;
		}
	}
}

/* --- allocation --- */

static bool is_allocator(const struct cline *l, uint32_t i)
{
	static const char *const names[] = {
		"kmalloc",	"kzalloc",	"vmalloc",	 "vzalloc",
		"kvmalloc",	"kvzalloc",	"kmalloc_node",	 "kzalloc_node",
		"vmalloc_node", "vzalloc_node", "kvmalloc_node", "kvzalloc_node",
	};

	for (size_t k = 0; k < array_size(names); k++)
		if (cline_is(l, i, names[k]))
			return true;
	return false;
}

static void find_sizeof_struct(struct rule_run *run, const struct rule *rule,
			       const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first + 2; i + 5 < l.end; i++) {
		uint32_t before = i - 1;

		if (!is_call(&l, i) || !is_allocator(&l, i) || l.token[i + 2].word != CW_SIZEOF ||
		    !ctoken_is(&l.token[i + 3], '(') || l.token[i + 4].word != CW_STRUCT)
			continue;
		if (ctoken_is(&l.token[before], ')') && l.token[before].match > l.first &&
		    l.token[before].match != CTOKEN_NONE)
			before = l.token[before].match - 1;
		if (ctoken_is(&l.token[before], '='))
			cline_report(&l, rule->level, NULL);
	}
}

/* --- structures that are constant --- */

static void find_const_struct(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	const struct word_set *names;
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++)
		if (l.token[i].word == CW_CONST)
			return;
	names = tree_const_structs(rule_tree(run));
	for (uint32_t i = l.first; i + 1 < l.end; i++) {
		const struct ctoken *t = &l.token[i + 1];

		if (l.token[i].word == CW_STRUCT && t->kind == CT_WORD &&
		    word_set_has(names, l.text + t->at, t->len) &&
		    !(i + 2 < l.end && ctoken_is(&t[1], '{'))) {
			cline_report_token(&l, rule->level, i + 1, "not");
			return;
		}
	}
}

static const char help_printk[] =
	"pr_err() and the like are shorter, and put the module's prefix in front.";

static const struct rule rules[] = {
	{
		.type = "AVOID_BUG",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "BUG",
		.find = find_bug,
		.message = "a kernel that goes on is worth more than a check that stops it",
		.help = "WARN_ON_ONCE() and an error, unless going on would lose data.",
	},
	{
		.type = "DEPRECATED_API",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "rcu|sched|kmap",
		.find = find_deprecated,
		.message = "another function replaces this one",
		.help = "See Documentation/RCU/whatisRCU.rst and Documentation/mm/highmem.rst.",
	},
	{
		.type = "ENOSYS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "ENOSYS",
		.test = is_enosys,
		.message = "ENOSYS says that a system call does not exist",
		.help = "EOPNOTSUPP or EINVAL says that this one does not do it.",
	},
	{
		.type = "ENOTSUPP",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "ENOTSUPP",
		.test = is_enotsupp,
		.not_in_source = true,
		.message = "no program knows ENOTSUPP",
		.help = "EOPNOTSUPP is the error that C libraries have a text for.",
	},
	{
		.type = "YIELD",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\byield\\s*\\(\\s*\\)",
		.need = "yield",

		.message = "yield() is no way to wait",
		.help = "See its comment in kernel/sched/core.c.",
	},
	{
		.type = "NR_CPUS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "NR_CPUS",
		.find = find_nr_cpus,
		.message = "NR_CPUS is the most that there may ever be",
		.help = "num_possible_cpus(), for_each_possible_cpu() and per-CPU data fit the "
			"machine.",
	},
	{
		.type = "PRINTK_WITHOUT_KERN_LEVEL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "printk",
		.find = find_printk,
		.message = "printk() without a level",
		.help = help_printk,
	},
	{
		.type = "PREFER_PR_LEVEL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "printk",
		.find = find_printk,
		.message = "printk() with a level has a name of its own",
		.help = help_printk,
	},
	{
		.type = "LOGGING_CONTINUATION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\bprintk\\s*\\(\\s*KERN_CONT\\b|\\bpr_cont\\s*\\(",
		.need = "CONT|pr_cont",
		.message = "a message in several calls",
		.help = "Lines of other CPUs come in between.",
	},
	{
		.type = "ALLOC_SIZEOF_STRUCT",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "sizeof",
		.find = find_sizeof_struct,
		.message = "allocate sizeof(*p)",
		.help = "It stays right when the type of p changes.",
	},
	{
		.type = "CONST_STRUCT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "struct",
		.find = find_const_struct,
		.message = "this structure is nearly always const",
		.help = "Tables of functions that cannot be written cannot be overwritten.",
	},
	{
		.type = "CONSIDER_KSTRTO",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\b(?:simple|strict)_strto(?:l|ll|ul|ull)\\s*\\(",
		.need = "_strto",
		.message = "kstrtoX() tells of overflow and of what is no number",
		.help = "See Documentation/process/deprecated.rst.",
	},
	{
		.type = "STRLCPY",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\bstrlcpy\\s*\\(",
		.need = "strlcpy",
		.message = "strscpy() in place of strlcpy()",
		.help = "strlcpy() reads the whole source, whatever its length.",
	},
	{
		.type = "IS_ENABLED_CONFIG",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\bIS_ENABLED\\s*\\(\\s*(?!CONFIG_)\\w+\\s*\\)",
		.need = "IS_ENABLED",
		.message = "IS_ENABLED() takes a name that begins with CONFIG_",
		.help = "Of anything else it is false.",
	},
	{
		.type = "TRACE_PRINTK",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.pattern = "\\btrace_printk\\s*\\(",
		.need = "trace_printk",
		.message = "trace_printk() is for debugging",
		.help = "Its buffers are allocated as soon as one call is built in.",
	},
};

const struct rule_family family_call = {"call", rules, array_size(rules)};
