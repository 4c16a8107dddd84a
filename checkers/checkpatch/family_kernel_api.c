// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about names of the kernel that are used wrongly, or have something better beside them. */
#include "checkers/checkpatch/stretch.h"

static bool has_comment(const struct view *v, uint32_t line)
{
	return line != VIEW_NONE && memchr(view_text(v, line), VIEW_COMMENT, v->line[line].len);
}

/* Neither on the line nor on the one above. */
static bool is_uncommented(const struct rule_subject *s)
{
	return !has_comment(s->view, s->at) && !has_comment(s->view, view_prev(s->view, s->at));
}

static bool is_driver(const struct rule_subject *s)
{
	return str_starts(s->file->path, "drivers/");
}

static bool is_no_driver(const struct rule_subject *s)
{
	return !is_driver(s) && !str_starts(s->file->path, "kernel/");
}

static bool is_no_lockdep(const struct rule_subject *s)
{
	return strcmp(s->file->path, "kernel/lockdep.c") != 0 &&
	       strcmp(s->file->path, "include/linux/lockdep.h") != 0 &&
	       strcmp(s->file->path, "drivers/base/core.c") != 0;
}

static bool is_no_uapi(const struct rule_subject *s)
{
	return !str_starts(s->file->path, "include/uapi/");
}

/* --- sscanf --- */

/* One number, and nothing else. */
static bool is_one_number(const struct rule_subject *s)
{
	static struct pattern *call, *format;
	struct stretch t = stretch_of(s);
	struct pattern_match m;

	if (!stretch_find(&call,
			  "(?<!\\))\\bsscanf\\s*\\(\\s*" C_LVALUE
			  "(?:\\s*\\([^()]*\\))?[ \\t]*,[ \\t]*(\"X+\")",
			  &t, &m) ||
	    !stretch_is_first_line(&t, &m))
		return false;
	format = format ? format : pattern_new("^\"%(?:h|hh|l|ll|L)?[udix]\"$");
	return pattern_matches(format, t.plain + (m.group[1].s - t.text), m.group[1].len);
}

/* The result goes nowhere that one can see. */
static bool is_unchecked(const struct rule_subject *s)
{
	static struct pattern *call, *checked;
	struct stretch t = stretch_of(s);
	struct pattern_match m;

	if (!stretch_find(&call, "\\bsscanf\\s*\\(", &t, &m) || !stretch_is_first_line(&t, &m))
		return false;
	checked = checked ? checked
			  : pattern_new("(?:(?<![-+*/%&|^])=\\s*|\\)|\\bif\\s*\\(.*)sscanf\\s*\\(");
	return !pattern_matches(checked, t.text, t.len);
}

static const char help_sscanf[] = "See Documentation/process/deprecated.rst, and lib/kstrtox.c.";
static const char help_wait[] =
	"Without a barrier the waiter may be missed: say which one makes it right.";

static const struct rule rules[] = {
	{
		.type = "NAKED_SSCANF",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "sscanf",
		.test = is_unchecked,
		.message = "nobody looks at what sscanf() returns",
		.help = "It is the number of values that were read.",
	},
	{
		.type = "SSCANF_TO_KSTRTO",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "sscanf",
		.test = is_one_number,
		.message = "kstrtoX() reads one number",
		.help = help_sscanf,
	},
	{
		.type = "IN_ATOMIC",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "in_atomic",
		.pattern = "\\bin_atomic\\s*\\(",
		.test = is_driver,
		.message = "in_atomic() is not for drivers",
		.help = "It does not know of spinlocks without preemption: let the caller say it.",
	},
	{
		.type = "IN_ATOMIC",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "in_atomic",
		.pattern = "\\bin_atomic\\s*\\(",
		.test = is_no_driver,
		.message = "in_atomic() may be wrong outside of the core",
		.help = "It does not know of spinlocks without preemption: let the caller say it.",
	},
	{
		.type = "LOCKDEP",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "lockdep_",
		.pattern = "\\blockdep_set_novalidate_class\\s*\\(|"
			   "^.+\\b__lockdep_no_validate__\\s*\\)",
		.test = is_no_lockdep,
		.message = "lockdep is switched off for a lock",
		.help = "That is for device->mutex alone: give the lock a class.",
	},
	{
		.type = "JIFFIES_COMPARISON",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "jiffies",
		.pattern = "(?:\\bjiffies|\\bget_jiffies_64\\s*\\(\\s*\\))\\s*(?:[<>]|==|!=)|"
			   "(?:(?<!-)[<>]=?|==|!=)\\s*(?:jiffies|get_jiffies_64)\\b",
		.message = "jiffies wrap around",
		.help = "time_after(), time_before() and the like compare them.",
	},
	{
		.type = "DATA_RACE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "data_race",
		.pattern = "\\bdata_race\\s*\\(",
		.test = is_uncommented,
		.message = "data_race() without a comment",
		.help = "Say why the race does no harm.",
	},
	{
		.type = "WAITQUEUE_ACTIVE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "waitqueue_active",
		.pattern = "\\bwaitqueue_active\\s*\\(",
		.test = is_uncommented,
		.message = "waitqueue_active() without a comment",
		.help = help_wait,
	},
	{
		.type = "USE_SPINLOCK_T",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "spinlock",
		.pattern = "^\\s*struct\\s+spinlock\\s+\\w+\\s*;",
		.message = "a spinlock is a spinlock_t",
		.help = "struct spinlock is something else with a real-time kernel.",
	},
	{
		.type = "CONSIDER_COMPLETION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "sema_init",
		.pattern = "\\bsema_init\\s*\\(.*,\\s*0\\s*\\)\\s*;",
		.message = "a semaphore that is locked from the start is a completion",
		.help = "See Documentation/scheduler/completion.rst.",
	},
	{
		.type = "USE_DEVICE_INITCALL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__initcall",
		.pattern = "\\b__initcall\\s*\\(",
		.message = "__initcall() is device_initcall()",
		.help = "Its name says when it is called; or take one that fits better.",
	},
	{
		.type = "CONSTANT_CONVERSION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__constant_",
		.pattern = "__constant_(?:htons|ntohs|[bl]e(?:16|32|64)_to_cpu|"
			   "cpu_to_[bl]e(?:16|32|64))\\s*\\(",
		.test = is_no_uapi,
		.message = "the plain function converts a constant just as well",
		.help = "The compiler knows that its argument is constant.",
	},
	{
		.type = "DUPLICATED_SYSCTL_CONST",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "extra",
		.pattern = "\\.extra[12]\\s*=\\s*&(?:zero|one|int_max)\\b",
		.message = "the kernel has this constant once for all",
		.help = "SYSCTL_ZERO, SYSCTL_ONE and SYSCTL_INT_MAX.",
	},
	{
		.type = "LIKELY_MISUSE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "likely",
		.pattern = "\\b(?:un)?likely\\s*" C_PARENS "\\s*(?:[<>]|==|!=)",
		.message = "what is compared is what likely() gives",
		.help = "The comparison goes inside of its parentheses.",
	},
	{
		.type = "LIKELY_MISUSE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "likely",
		.pattern = "\\b(?:un)?likely\\s*\\(\\s*!?\\s*IS_ERR(?:_OR_NULL|_VALUE)?\\s*\\(",
		.message = "IS_ERR() is unlikely by itself",
		.help = "Its definition has the unlikely().",
	},
	{
		.type = "LINUX_VERSION_CODE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "LINUX_VERSION_CODE",
		.pattern = "\\bLINUX_VERSION_CODE\\b",
		.message = "code in the tree is for one version",
		.help = "Leave out what is for others.",
	},
};

const struct rule_family family_kernel_api = {"kernel api", rules, array_size(rules)};
