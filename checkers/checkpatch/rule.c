// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/rule.h"

#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule_need.h"

const struct rule_family *const rule_families[] = {
	&family_commit,
	&family_log,
	&family_trailer,
	&family_words,
	&family_comment,
	&family_file,
	&family_license,
	&family_kconfig,
	&family_include,
	&family_string,
	&family_maintainers,
	&family_dt,
	&family_format,
	&family_text,
	&family_declaration,
	&family_spacing,
	&family_storage,
	&family_call,
	&family_delay,
	&family_statement,
	&family_block,
	&family_macro,
	&family_macro_argument,
	&family_lines,
	&family_expression,
	&family_name,
	&family_align,
	&family_attribute,
	&family_permission,
	&family_memory,
	&family_logging,
	&family_kernel_api,
	&family_test,
	&family_misc,
	&family_message,
	&family_bracket,
	&family_pointer,
	&family_word_space,
	&family_lock,
	&family_return,
	NULL,
};

/* A rule, made ready once in a process. */
struct compiled {
	const struct rule *rule;
	struct pattern *pattern; /* NULL: none */
	struct need need;
	uint32_t index; /* in rule_run's arrays */
};

/* Those of one scope. */
struct scope {
	struct compiled *rule;
	size_t n, cap;
	/* What is asked first of every text: one row a word of each rule's `need`, or one of no
	 * pairs. */
	struct quick {
		uint64_t pairs; /* pairs_fold() */
		uint32_t files; /* of the rule; FILE_ANY and more for any */
		uint32_t rule;
	} * quick;
	size_t n_quick, quick_cap;
};

static struct scope scopes[RULE_SCOPES];
static uint32_t n_all;

struct rule_run {
	const struct check_env *env;
	const struct checkpatch_options *options;
	struct view *view;
	struct check_result *result;
	struct tree *tree;
	uint32_t *fired; /* by rule: 1 + the line that it fired on last, 0: none */
};

static void quick_add(struct scope *s, const struct compiled *c, uint64_t pairs)
{
	uint32_t files = c->rule->files ? c->rule->files : UINT32_MAX;

	arr_grow(s->quick, s->n_quick, s->quick_cap);
	s->quick[s->n_quick++] = (struct quick){pairs, files, (uint32_t)s->n};
}

static void rule_compile(const struct rule *r)
{
	struct compiled c = {.rule = r, .index = n_all++};

	c.pattern = r->pattern ? pattern_new(r->pattern) : NULL;
	need_init(&c.need, r->need);
	for (unsigned bit = 0; bit < RULE_SCOPES; bit++) {
		struct scope *s = &scopes[bit];

		if (!(r->scope >> bit & 1))
			continue;
		if (!c.need.n)
			quick_add(s, &c, 0);
		for (size_t i = 0; i < c.need.n; i++)
			quick_add(s, &c, pairs_fold(&c.need.word[i].pairs));
		arr_grow(s->rule, s->n, s->cap);
		s->rule[s->n++] = c;
	}
}

static void rules_compile(void)
{
	if (n_all)
		return;
	for (size_t i = 0; rule_families[i]; i++)
		for (size_t k = 0; k < rule_families[i]->n; k++)
			rule_compile(&rule_families[i]->rule[k]);
}

const struct rule *rule_find(const char *type, const struct rule *after)
{
	bool past = !after;

	for (size_t i = 0; rule_families[i]; i++)
		for (size_t k = 0; k < rule_families[i]->n; k++) {
			const struct rule *r = &rule_families[i]->rule[k];

			if (past && strcmp(r->type, type) == 0)
				return r;
			past = past || r == after;
		}
	return NULL;
}

struct rule_run *rule_run_new(const struct check_env *env, const struct checkpatch_options *o,
			      struct view *v, struct check_result *result)
{
	struct rule_run *run = xcalloc(1, sizeof(*run));

	rules_compile();
	*run = (struct rule_run){.env = env, .options = o, .view = v, .result = result};
	run->fired = xcalloc(n_all + 1, sizeof(*run->fired));
	run->tree = tree_of(env);
	return run;
}

void rule_run_free(struct rule_run *run)
{
	free(run->fired);
	free(run);
}

const struct check_env *rule_env(const struct rule_run *run)
{
	return run->env;
}

const struct checkpatch_options *rule_options(const struct rule_run *run)
{
	return run->options;
}

struct tree *rule_tree(const struct rule_run *run)
{
	return run->tree;
}

static bool in_list(const char *const *list, const char *type)
{
	for (; *list; list++)
		if (strcmp(*list, type) == 0)
			return true;
	return false;
}

static bool is_wanted(const struct rule_run *run, const struct rule *rule, enum finding_level level,
		      const struct view_file *file)
{
	const struct checkpatch_options *o = run->options;

	if (level == FINDING_CHECK && !o->strict && (rule->strict_only || !file || !file->checks))
		return false;
	return (!o->types || in_list(o->types, rule->type)) &&
	       (!o->ignore || !in_list(o->ignore, rule->type));
}

void rule_report_as(struct rule_run *run, const struct rule *rule, enum finding_level level,
		    uint32_t line, const char *detail)
{
	const char *colon = detail ? ": " : "", *more = detail ? detail : "", *path = NULL;
	const struct view *v = run->view;
	const struct view_line *l;
	const struct view_file *f;

	if (line == VIEW_NONE) {
		if (is_wanted(run, rule, level, NULL))
			check_result_add(run->result, level, rule->type, NULL, 0, 0, "%s%s%s",
					 rule->message, colon, more);
		return;
	}
	l = &v->line[line];
	f = view_file(v, line);
	if (!is_wanted(run, rule, level, f))
		return;
	if (f && l->is_counted)
		path = f->path;
	check_result_add(run->result, level, rule->type, path, path ? l->number : 0,
			 v->first_line + line, "%s%s%s", rule->message, colon, more);
	check_result_excerpt(run->result, l->raw, l->raw_len);
}

void rule_report_at(struct rule_run *run, const struct rule *rule, uint32_t line,
		    const char *detail)
{
	rule_report_as(run, rule, rule->level, line, detail);
}

void rule_report(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		 const char *detail)
{
	rule_report_as(run, rule, rule->level, s->at, detail);
}

static bool is_due(const struct rule_run *run, const struct compiled *c,
		   const struct rule_subject *s)
{
	const struct rule *r = c->rule;
	uint32_t fired = run->fired[c->index];

	if (r->files && !(s->file && s->file->kind & r->files))
		return false;
	if (r->not_in_source && run->options->is_source)
		return false;
	if (r->not_quoted && run->options->new_only && s->line && s->line->in_table)
		return false;
	if (fired && r->once)
		return false;
	return !fired || !r->once_a_file || !s->file || fired - 1 < s->file->first;
}

static bool fires(const struct compiled *c, const struct rule_subject *s, const struct pairs *pairs)
{
	return need_met(&c->need, pairs, s->text, s->len) &&
	       (!c->pattern || pattern_matches(c->pattern, s->text, s->len)) &&
	       (!c->rule->test || c->rule->test(s));
}

static void rule_apply(struct rule_run *run, const struct compiled *c, const struct rule_subject *s,
		       const struct pairs *pairs)
{
	size_t before = run->result->n;

	if (!is_due(run, c, s) || !fires(c, s, pairs))
		return;
	if (c->rule->find)
		c->rule->find(run, c->rule, s);
	else
		rule_report(run, c->rule, s, NULL);
	if (run->result->n != before)
		run->fired[c->index] = 1 + (s->at == VIEW_NONE ? 0 : s->at);
}

static void scope_apply(struct rule_run *run, enum rule_scope bit, const struct rule_subject *s)
{
	const struct scope *scope = &scopes[__builtin_ctz(bit)];
	uint32_t kind = s->file ? s->file->kind : UINT32_MAX, done = UINT32_MAX;
	struct pairs pairs;
	uint64_t fold;

	if (!scope->n)
		return;
	pairs = pairs_of(s->text, s->len);
	fold = pairs_fold(&pairs);
	for (size_t i = 0; i < scope->n_quick; i++) {
		const struct quick *q = &scope->quick[i];

		if (q->pairs & ~fold || !(q->files & kind) || q->rule == done)
			continue;
		done = q->rule;
		rule_apply(run, &scope->rule[q->rule], s, &pairs);
	}
}

static struct rule_subject subject_of(struct view *v, uint32_t i)
{
	return (struct rule_subject){
		.view = v,
		.line = &v->line[i],
		.at = i,
		.file = view_file(v, i),
		.text = view_plain(v, i),
		.plain = view_plain(v, i),
		.len = v->line[i].len,
	};
}

static void apply_line(struct rule_run *run, uint32_t i)
{
	struct rule_subject s = subject_of(run->view, i);

	scope_apply(run, s.line->kind, &s);
	if (s.line->in_log)
		scope_apply(run, RULE_LOG, &s);
	if (s.line->kind != LINE_ADDED)
		return;
	s.text = view_text(run->view, i);
	scope_apply(run, RULE_CODE, &s);
}

/* What begins on line i. Returns the line where another may begin. */
static uint32_t apply_statement(struct rule_run *run, uint32_t i)
{
	struct view *v = run->view;
	struct rule_subject s = subject_of(v, i);

	s.statement = view_statement(v, i);
	s.text = v->text.buf + s.statement.start;
	s.plain = v->plain.buf + s.statement.start;
	s.len = s.statement.end - s.statement.start;
	if (s.line->kind == LINE_ADDED)
		scope_apply(run, RULE_STATEMENT, &s);
	return s.statement.next_line;
}

/* A line with these two letters, as in "do" and "window", is looked at as a beginning even where
 * it goes on with a statement. */
static bool is_restart(const struct view *v, uint32_t i)
{
	return memmem(view_text(v, i), v->line[i].len, "do", 2) != NULL;
}

static void apply_statements(struct rule_run *run, const struct view_hunk *h)
{
	const struct view *v = run->view;

	for (uint32_t i = h->first, next = i; i < h->last; i++) {
		if (!(v->line[i].kind & LINE_NEW) || v->line[i].is_blank)
			continue;
		if (i >= next)
			next = apply_statement(run, i);
		else if (v->line[i].kind == LINE_ADDED && is_restart(v, i))
			(void)apply_statement(run, i);
	}
}

static void apply_file(struct rule_run *run, const struct view_file *f)
{
	struct rule_subject s = {
		.view = run->view, .file = f, .at = f->first, .text = "", .plain = ""};

	if (f->first < run->view->n)
		s.line = &run->view->line[f->first];
	scope_apply(run, RULE_FILE, &s);
}

void rule_run_all(struct rule_run *run)
{
	struct rule_subject all = {.view = run->view, .at = VIEW_NONE, .text = "", .plain = ""};
	struct view *v = run->view;

	for (uint32_t i = 0; i < v->n; i++)
		apply_line(run, i);
	for (uint32_t i = 0; i < v->n_hunks; i++)
		if (v->hunk[i].file != VIEW_NONE && v->file[v->hunk[i].file].kind & FILE_CODE)
			apply_statements(run, &v->hunk[i]);
	for (uint32_t i = 0; i < v->n_files; i++)
		apply_file(run, &v->file[i]);
	scope_apply(run, RULE_PATCH, &all);
}
