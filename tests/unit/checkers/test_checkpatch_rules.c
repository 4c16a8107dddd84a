// SPDX-License-Identifier: GPL-2.0-or-later
/* Each rule fires where its cases say, and has some. `CASE=spacing` in the environment: only files
 * whose name begins like this. */
#include "cases.h"

#include "checkers/checkpatch/rule.h"

#define FOLDER FIXTURES "/checkers/checkpatch-cases"

static struct str wrong;

static void look(struct test_case *c)
{
	const char *only = getenv("CASE");
	auto_free char *what = NULL;

	if (only && !str_starts(c->name, only))
		return;
	what = case_check(c);
	if (what)
		str_addf(&wrong, "%s\n", what);
}

static void cases_say_what_is_found(void **state)
{
	(void)state;
	str_init(&wrong, 0);
	cases_each(FOLDER, look);
	if (wrong.len)
		fail_msg("%s", wrong.buf);
	str_done(&wrong);
}

/* What the cases show of each row. */
struct shown {
	const struct rule *rule;
	bool fires, passes;
};
static struct shown *shown;
static size_t n_shown, shown_cap;

static void rows_list(void)
{
	for (size_t i = 0; rule_families[i]; i++)
		for (size_t k = 0; k < rule_families[i]->n; k++) {
			arr_grow(shown, n_shown, shown_cap);
			shown[n_shown++] = (struct shown){.rule = &rule_families[i]->rule[k]};
		}
}

static bool is_of_row(const struct finding *f, const struct rule *r)
{
	return strcmp(f->type, r->type) == 0 && str_starts(f->message, r->message);
}

static void rows_look(struct test_case *c)
{
	struct check_result r = {0};
	auto_str struct str patch;
	struct case_places at;

	case_patch(c, &patch, &at);
	case_run(c, &patch, &r);
	for (size_t i = 0; i < n_shown; i++) {
		auto_free char *word = xasprintf(" %s ", shown[i].rule->type);
		bool fired = false, named = c->passes && strstr(c->passes, word);

		for (size_t k = 0; k < r.n; k++)
			fired = fired || is_of_row(&r.finding[k], shown[i].rule);
		shown[i].fires = shown[i].fires || (fired && case_names(c, shown[i].rule->type));
		shown[i].passes = shown[i].passes || (named && !fired);
	}
	check_result_done(&r);
}

static void each_row_has_cases(void **state)
{
	auto_str struct str lacks;

	(void)state;
	str_init(&lacks, 0);
	rows_list();
	cases_each(FOLDER, rows_look);
	for (size_t i = 0; i < n_shown; i++)
		if (!shown[i].fires || !shown[i].passes)
			str_addf(&lacks, "%s (%s): no case %s\n", shown[i].rule->type,
				 shown[i].rule->message,
				 shown[i].fires	   ? "says that it passes"
				 : shown[i].passes ? "makes it fire"
						   : "at all");
	free(shown);
	if (lacks.len)
		fail_msg("%s", lacks.buf);
}

static void rows_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; rule_families[i]; i++)
		for (size_t k = 0; k < rule_families[i]->n; k++) {
			const struct rule *r = &rule_families[i]->rule[k];

			if (!r->type || !r->message || !r->help || !r->level)
				fail_msg("row %zu of family %s lacks something", k,
					 rule_families[i]->name);
			if (strchr(r->message, '\n') || strchr(r->help, '\n'))
				fail_msg("%s: a message and a help are one line each", r->type);
			if (r->scope && !r->pattern && !r->test && !r->find && !r->need)
				fail_msg("%s (%s) fires on everything", r->type, r->message);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(cases_say_what_is_found),
		cmocka_unit_test(each_row_has_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
