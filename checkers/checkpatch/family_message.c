// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about the text around a diff: what it is written in, and what it points to. */
#include "checkers/checkpatch/stretch.h"

/* --- charset --- */

/* Whether a header says that the mail is in another charset. */
static bool is_other_charset(const struct view *v)
{
	static struct pattern *header, *utf8;
	struct pattern_match m;

	header = header ? header : pattern_new("^Content-Type:.+charset=\"(.+)\"");
	utf8 = utf8 ? utf8 : pattern_new("(?i)utf-8");
	for (uint32_t i = 0; i < v->n && v->line[i].kind == LINE_HEADER; i++)
		if (pattern_find(header, v->line[i].raw, v->line[i].raw_len, &m))
			return !pattern_matches(utf8, m.group[1].s, m.group[1].len);
	return false;
}

static bool is_8bit(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] >= 0x80)
			return utf8_valid(s, n);
	return false;
}

static void find_utf8(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	const struct view *v = s->view;

	if (!is_other_charset(v))
		return;
	for (uint32_t i = 0; i < v->first_diff; i++)
		if (v->line[i].in_log && v->line[i].kind == LINE_LOG &&
		    is_8bit(v->line[i].raw, v->line[i].raw_len))
			rule_report_at(run, rule, i, NULL);
}

/* --- paths --- */

/* How often one patch may ask for a file of the tree. */
#define PATHS_MAX 500

/* Whether "/home/firn/linux/lib/firn.c" ends in the path of a file of the tree. */
static bool ends_in_tree(struct tree *t, const char *path, size_t n, unsigned *left)
{
	auto_free char *copy = xmemdup(path, n);

	for (char *at = strchr(copy, '/'); at && *left; at = strchr(at + 1, '/'))
		if (at[1] && at[1] != '/') {
			--*left;
			if (tree_file(t, at + 1))
				return true;
		}
	return false;
}

static void look_for_paths(struct rule_run *run, const struct rule *rule, const struct view_line *l,
			   uint32_t i, unsigned *left)
{
	static struct pattern *p;
	struct pattern_match m;
	const char *at = l->raw, *end = at + l->raw_len;

	p = p ? p : pattern_new("(?:^|\\s)(/[^\\s:]{1,200})(?::\\d\\S*)?(?=\\s|$)");
	while (*left && pattern_find(p, at, (size_t)(end - at), &m)) {
		if (ends_in_tree(rule_tree(run), m.group[1].s, m.group[1].len, left)) {
			auto_free char *path = xmemdup(m.group[1].s, m.group[1].len);

			rule_report_at(run, rule, i, path);
		}
		at = m.group[0].s + m.group[0].len;
	}
}

static void find_paths(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	const struct view *v = s->view;
	unsigned left = PATHS_MAX;

	for (uint32_t i = 0; i < v->first_diff && left; i++)
		if (v->line[i].in_log && memchr(v->line[i].raw, '/', v->line[i].raw_len))
			look_for_paths(run, rule, &v->line[i], i, &left);
}

/* --- no patch --- */

static void find_no_diff(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	if (s->view->n && !s->view->n_files)
		rule_report_at(run, rule, VIEW_NONE, NULL);
}

static const struct rule rules[] = {
	{
		.type = "UTF8_BEFORE_PATCH",
		.level = FINDING_WARNING,
		.scope = RULE_PATCH,
		.find = find_utf8,
		.not_in_source = true,
		.message = "UTF-8 in a mail that says it is in another charset",
		.help = "git writes the charset of the message into the header: see "
			"i18n.logOutputEncoding.",
	},
	{
		.type = "USE_RELATIVE_PATH",
		.level = FINDING_WARNING,
		.scope = RULE_PATCH,
		.find = find_paths,
		.not_in_source = true,
		.message = "the path of a file begins at the tree's root",
		.help = "Nobody else has the tree in that folder.",
	},
	{
		.type = "NOT_UNIFIED_DIFF",
		.level = FINDING_ERROR,
		.scope = RULE_PATCH,
		.find = find_no_diff,
		.not_in_source = true,
		.message = "there is no diff",
		.help = "git format-patch and diff -u write what can be applied.",
	},
};

const struct rule_family family_message = {"message", rules, array_size(rules)};
