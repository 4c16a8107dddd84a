// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about allocating memory, and about sizes. */
#include "checkers/checkpatch/stretch.h"

#define ALLOCATOR                                                                                  \
	"\\b(?:(?:devm_)?(?:kv|k|v)(?:[mz]alloc|calloc)(?:_array)?(?:_node)?|kstrdup(?:_const)?|"  \
	"kmemdup(?:_nul)?|(?:\\w+_)?alloc_skb(?:_ip_align)?|dma_alloc_coherent)\\b"

/* A simple argument: a name or a number, perhaps an element or a call. */
#define ARGUMENT                                                                                   \
	"(?:(?:\\((?:[^()]|\\([^()]*\\))*\\)\\s*)?[*&]?\\s*" C_LVALUE                              \
	"(?:\\s*\\((?:[^()]++|\\((?:[^()]++|\\([^()]*\\))*\\))*\\))?|\\d\\w*|\"[^\"]*\")"

/* --- what is multiplied --- */

static bool is_capital_name(const struct pattern_match *m, unsigned group)
{
	for (size_t i = 0; i < m->group[group].len; i++) {
		char c = m->group[group].s[i];

		if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
			return false;
	}
	return true;
}

static void find_multiply(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	static struct pattern *count_first, *size_first;
	struct stretch t = stretch_of(s);
	struct pattern_match m;
	bool found;

	found = stretch_find(&count_first,
			     "^\\s*" C_LVALUE
			     "\\s*=\\s*(?:\\([^()]*\\)\\s*)?kv?[mz]alloc\\s*\\(\\s*"
			     "((?:" C_LVALUE "(?:\\s*\\([^()]*\\))?))\\s*\\*\\s*sizeof\\s*" C_PARENS
			     "\\s*,",
			     &t, &m) &&
		!pattern_is(&m, 1, "sizeof");
	found = found || (stretch_find(&size_first,
				       "^\\s*" C_LVALUE
				       "\\s*=\\s*(?:\\([^()]*\\)\\s*)?kv?[mz]alloc\\s*\\(\\s*"
				       "sizeof\\s*" C_PARENS "\\s*\\*\\s*(" C_LVALUE
				       "(?:\\s*\\([^()]*\\))?)\\s*,",
				       &t, &m) &&
			  !is_capital_name(&m, 2));
	if (found)
		rule_report(run, rule, s, NULL);
}

static bool reuses_argument(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	return subject_find(&p,
			    "(?<![\\w>.])(" C_LVALUE ")\\s*=\\s*(?:\\([^()]*\\)\\s*)?krealloc\\s*"
			    "\\(\\s*(" C_LVALUE ")\\s*(?:,|$)",
			    s, &m) &&
	       pattern_same(&m, 1, 2);
}

static bool is_array_size(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	return subject_find(&p,
			    "\\bsizeof\\s*\\(\\s*([^()]+?)\\s*\\)\\s*/\\s*sizeof\\s*\\(\\s*(\\1)"
			    "\\s*\\[\\s*0\\s*\\]\\s*\\)",
			    s, &m);
}

/* --- memset, min, max --- */

static void find_memset(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	static struct pattern *p;
	struct stretch t = stretch_of(s);
	struct pattern_match m;
	bool is_zero;

	if (!stretch_find(&p,
			  "\\bmemset\\s*\\(\\s*(?!\\()" ARGUMENT "\\s*,\\s*(" ARGUMENT
			  ")\\s*,\\s*(0x0|0|1)\\s*\\)",
			  &t, &m) ||
	    !stretch_is_first_line(&t, &m))
		return;
	is_zero = m.group[2].s[0] == '0';
	if (is_zero == (rule->level == FINDING_ERROR))
		pattern_report(run, rule, s, &m, 0);
}

#define CAST                                                                                       \
	"\\(\\s*(?:const\\s+)?(?:unsigned|" C_INTEGER "(?:\\s+" C_INTEGER ")*|\\w+_t|bool|"        \
	"(?:__)?(?:[us]|le|be)(?:8|16|32|64)|uint|ulong|(?:struct|union|enum)\\s+\\w+)\\s*\\)\\s*" \
	"\\*?\\s*" SIMPLE
#define SIMPLE "(?:\\d\\w*|" C_LVALUE "(?:\\s*\\((?:[^()]++|\\((?:[^()]++|\\([^()]*\\))*\\))*\\))?)"

static void find_minmax(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	static struct pattern *p;
	struct stretch t = stretch_of(s);
	struct pattern_match m;

	if (stretch_find(&p,
			 "\\b(min|max)\\s*\\(\\s*(?:" CAST "\\s*,\\s*(?:" CAST "|" SIMPLE
			 ")|" SIMPLE "\\s*,\\s*" CAST ")\\s*\\)",
			 &t, &m) &&
	    stretch_is_first_line(&t, &m))
		rule_report(run, rule, s, pattern_is(&m, 1, "min") ? "min_t()" : "max_t()");
}

/* --- out of memory --- */

/* "if (!x)" above the line: what x is. */
static bool is_tested(const struct view *v, uint32_t i, struct pattern_match *ret)
{
	static struct pattern *p;

	p = p ? p
	      : pattern_new("^\\s*if\\s*\\(\\s*(?:!\\s*(" C_LVALUE ")\\s*(?:==\\s*NULL\\s*)?|"
			    "NULL\\s*==\\s*(" C_LVALUE ")\\s*|(" C_LVALUE
			    ")\\s*==\\s*NULL\\s*)\\)");
	return pattern_find(p, view_text(v, i), v->line[i].len, ret);
}

/* "x = kmalloc(" in what begins at line i. */
static bool is_allocated(struct view *v, uint32_t i, const char *name, size_t n)
{
	static struct pattern *p;
	struct statement st;
	const char *text, *end;
	struct pattern_match m;

	if (!(v->line[i].kind & LINE_NEW))
		return false;
	st = view_statement(v, i);
	text = view_text(v, i);
	end = v->text.buf + st.end;
	if (end - text > 4000)
		end = text + 4000;
	p = p ? p
	      : pattern_new("(?:^|\\n)\\s*(?:[A-Za-z_][\\w\\s]*\\s\\**\\s*)?(" C_LVALUE
			    ")\\s*=\\s*(?:\\([^()]*\\)\\s*)?" ALLOCATOR "\\s*\\(");
	return end > text && pattern_find(p, text, (size_t)(end - text), &m) &&
	       m.group[1].len == n && memcmp(m.group[1].s, name, n) == 0 &&
	       !memmem(text, (size_t)(end - text), "__GFP_NOWARN", 12);
}

/* The last new line of a hunk: no more than one line of what is above is looked at there. */
static bool is_hunk_end(const struct view *v, uint32_t i)
{
	uint32_t last = v->hunk[v->line[i].hunk].last;

	while (++i < last)
		if (v->line[i].kind & LINE_NEW)
			return false;
	return true;
}

/* Where a statement with the allocation may begin: two lines above the test, or one when that line
 * ends none. */
static bool is_allocated_above(struct view *v, uint32_t i, const char *name, size_t n)
{
	uint32_t line = i - 3;
	const char *text = view_text(v, line);
	size_t len = v->line[line].len;

	if (v->line[line].kind & LINE_NEW) {
		while (len && strchr(" \t", text[len - 1]))
			len--;
		if (is_allocated(v, line, name, n) || (len && text[len - 1] == ';'))
			return is_allocated(v, line, name, n);
	} else if (v->line[line].kind == LINE_REMOVED) {
		return false;
	}
	return !is_hunk_end(v, i) && is_allocated(v, line + 1, name, n);
}

/* A message below "if (!x)", and above that x is allocated. */
static bool is_oom_message(const struct rule_subject *s)
{
	const struct view *v = s->view;
	struct pattern_match m;

	if (s->at < 3 || !(v->line[s->at - 1].kind & LINE_NEW) || !is_tested(v, s->at - 1, &m))
		return false;
	for (unsigned g = 1; g <= 3; g++)
		if (m.group[g].s && m.group[g].len)
			return is_allocated_above(s->view, s->at, m.group[g].s, m.group[g].len);
	return false;
}

static const char help_memset[] = "memset(pointer, byte, size): the last two are easily swapped.";

static const struct rule rules[] = {
	{
		.type = "ALLOC_ARRAY_ARGS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "kcalloc|kmalloc_array",
		.pattern = "\\b(?:devm_)?(?:kcalloc|kmalloc_array)\\s*\\(\\s*sizeof\\b",
		.message = "the number of elements is first, their size second",
		.help = "kcalloc(n, sizeof(*p), GFP_KERNEL).",
	},
	{
		.type = "ALLOC_WITH_MULTIPLY",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "malloc|zalloc",
		.find = find_multiply,
		.message = "the product may overflow",
		.help = "kmalloc_array(), kcalloc() and kvcalloc() check that.",
	},
	{
		.type = "KREALLOC_ARG_REUSE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "krealloc",
		.test = reuses_argument,
		.message = "the old memory is lost when krealloc() fails",
		.help = "Keep the result in another variable until it is known to be good.",
	},
	{
		.type = "ARRAY_SIZE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "sizeof",
		.test = is_array_size,
		.message = "ARRAY_SIZE() counts the elements of an array",
		.help = "It also fails to compile when the array is a pointer.",
	},
	{
		.type = "MEMSET",
		.level = FINDING_ERROR,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "memset",
		.find = find_memset,
		.message = "memset() of no bytes",
		.help = help_memset,
	},
	{
		.type = "MEMSET",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "memset",
		.find = find_memset,
		.message = "memset() of one byte",
		.help = help_memset,
	},
	{
		.type = "MINMAX",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "min|max",
		.find = find_minmax,
		.message = "name the type instead of casting",
		.help = "min_t() and max_t() convert both sides to the same type.",
	},
	{
		.type = "UNNECESSARY_CASTS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "alloc|kstrdup|kmemdup",
		.pattern = "\\*\\s*\\)\\s*(?:__)?" ALLOCATOR "\\s*\\(",
		.message = "void * becomes any pointer without a cast",
		.help = "A cast hides that the type is wrong.",
	},
	{
		.type = "OOM_MESSAGE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "printk|emerg|alert|crit|err|warn|notice|info|dbg|debug|devel|cont|WARN|"
			"panic|"
			"MODULE_|seq_",
		.pattern = LOG_FUNCTION "\\s*\\(",
		.test = is_oom_message,
		.message = "the allocator has said that there is no memory",
		.help = "With a stack trace, unless __GFP_NOWARN was given.",
	},
	{
		.type = "SIZEOF_ADDRESS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "sizeof",
		.pattern = "\\bsizeof\\s*\\(\\s*&",
		.message = "the size of an address is that of a pointer",
		.help = "sizeof(*p) or sizeof(x) is the size of the thing.",
	},
	{
		.type = "SIZEOF_PARENTHESIS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "sizeof",
		.pattern = "\\bsizeof\\s+(?:\\*\\s*)?[A-Za-z_]",
		.message = "sizeof takes parentheses",
		.help = "sizeof(x): it is not clear else how far it reaches.",
	},
};

const struct rule_family family_memory = {"memory", rules, array_size(rules)};
