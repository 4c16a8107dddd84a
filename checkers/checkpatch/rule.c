// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/rule.h"

#include "checkers/checkpatch/pattern.h"

const struct rule_family *const rule_families[] = {
	&family_text,
	&family_declaration,
	NULL,
};

/* A rule with its pattern, compiled once in a process. */
struct compiled {
	const struct rule *rule;
	struct pattern *pattern; /* NULL: none */
};

static struct compiled *all;
static size_t n_all;

struct rule_run {
	struct check_result *result;
	bool *fired; /* by rule */
};

static void family_compile(const struct rule_family *family, size_t *cap)
{
	for (size_t i = 0; i < family->n; i++) {
		const struct rule *r = &family->rule[i];

		arr_grow(all, n_all, *cap);
		all[n_all++] = (struct compiled){r, r->pattern ? pattern_new(r->pattern) : NULL};
	}
}

static void rules_compile(void)
{
	size_t cap = 0;

	if (n_all)
		return;
	for (size_t i = 0; rule_families[i]; i++)
		family_compile(rule_families[i], &cap);
}

struct rule_run *rule_run_new(struct check_result *result)
{
	struct rule_run *run = xcalloc(1, sizeof(*run));

	rules_compile();
	run->result = result;
	run->fired = xcalloc(n_all, sizeof(*run->fired));
	return run;
}

void rule_run_free(struct rule_run *run)
{
	free(run->fired);
	free(run);
}

void rule_report(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		 const char *detail)
{
	check_result_add(run->result, rule->level, rule->type, s->path, s->line, s->patch_line,
			 "%s%s%s", rule->message, detail ? ": " : "", detail ? detail : "");
	check_result_excerpt(run->result, s->raw, s->raw_len);
}

static bool suffix_fits(const struct rule *rule, const struct rule_subject *s)
{
	return !rule->suffix || (s->path && str_ends(s->path, rule->suffix));
}

static bool fires(const struct compiled *c, const struct rule_subject *s)
{
	return suffix_fits(c->rule, s) &&
	       (!c->pattern || pattern_matches(c->pattern, s->text, s->len)) &&
	       (!c->rule->test || c->rule->test(s));
}

void rule_run_apply(struct rule_run *run, enum rule_scope scope, const struct rule_subject *s)
{
	for (size_t i = 0; i < n_all; i++) {
		const struct rule *rule = all[i].rule;

		if (rule->scope != scope || (rule->once && run->fired[i]) || !fires(&all[i], s))
			continue;
		run->fired[i] = true;
		if (rule->find)
			rule->find(run, rule, s);
		else
			rule_report(run, rule, s, NULL);
	}
}
