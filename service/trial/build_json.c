// SPDX-License-Identifier: GPL-2.0-or-later
/* What the report says of a row: builds[] in ../report/SCHEMA.md. */
#include "trial/build_row.h"

#include "base/clock.h"
#include "sandbox/sandbox.h"
#include "trial/by_hand.h"

/* As many as a reader looks at; the log has the rest. */
#define NEWS_MAX   100
#define ERRORS_MAX 20
/* Modules in the line of a step. */
#define MODULES_TOLD 3

static json_t *diagnostic_row(const json_t *d)
{
	json_t *row = json_object();

	json_object_set(row, "tool", json_object_get(d, "tool"));
	json_object_set(row, "path", json_object_get(d, "path"));
	json_object_set_new(row, "line",
			    json_get_num(d, "line", 0) > 0 ? json_incref(json_object_get(d, "line"))
							   : json_null());
	json_object_set(row, "function", json_object_get(d, "function"));
	json_object_set(row, "option", json_object_get(d, "option"));
	json_object_set(row, "text", json_object_get(d, "text"));
	return row;
}

static json_t *news_list(const json_t *news)
{
	json_t *list = json_array(), *row;
	const json_t *w;
	size_t i;

	json_array_foreach (news, i, w) {
		const json_t *mended = json_object_get(w, "mended");

		if (i == NEWS_MAX)
			break;
		row = diagnostic_row(w);
		json_object_set_new(row, "mended",
				    mended ? json_incref((json_t *)mended) : json_null());
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *errors_list(const json_t *data)
{
	json_t *list = json_array();
	const json_t *d;
	size_t i;

	json_array_foreach (json_object_get(data, "diagnostics"), i, d) {
		if (json_get_bool(d, "is_error", false) && json_array_size(list) < ERRORS_MAX)
			json_array_append_new(list, diagnostic_row(d));
	}
	return list;
}

static json_t *member_or(const json_t *data, const char *key, json_t *otherwise)
{
	json_t *value = json_object_get(data, key);

	if (!value)
		return otherwise;
	json_decref(otherwise);
	return json_incref(value);
}

static long long total(const json_t *sizes, const char *side)
{
	return (long long)json_get_num(sizes, side, 0);
}

static bool is_over(const struct trial *t, const json_t *sizes)
{
	long long base = total(sizes, "base"), change = llabs(total(sizes, "patched") - base);

	return change && (change >= conf_int(t->opt->conf, CONF_BUILD_SIZE) ||
			  change * 100 >= base * conf_int(t->opt->conf, CONF_BUILD_SIZE_PERCENT));
}

static json_t *sizes_of(const struct trial *t, const json_t *data)
{
	json_t *sizes = json_object_get(data, "sizes");

	if (!sizes)
		return json_null();
	json_object_set_new(sizes, "over", json_boolean(is_over(t, sizes)));
	return json_incref(sizes);
}

/* A few percent of a small module are nothing, so one alone is over by its bytes. */
static bool modules_are_over(const struct trial *t, const json_t *sizes)
{
	/* The largest difference stands first. */
	const json_t *first = json_array_get(json_object_get(sizes, "modules"), 0);

	return is_over(t, sizes) || llabs(total(first, "patched") - total(first, "base")) >=
					    conf_int(t->opt->conf, CONF_BUILD_SIZE);
}

static json_t *module_sizes_of(const struct trial *t, const json_t *data)
{
	json_t *sizes = json_object_get(data, "module_sizes");

	if (!sizes)
		return json_null();
	json_object_set_new(sizes, "over", json_boolean(modules_are_over(t, sizes)));
	return json_incref(sizes);
}

static char *growth_words(const char *row, const char *what, const json_t *sizes)
{
	long long base = total(sizes, "base"), change = total(sizes, "patched") - base;

	return xasprintf("%s: %s %+lld bytes (%+.2f %%)", row, what, change,
			 base ? 100.0 * (double)change / (double)base : 0.0);
}

char *row_run_growth(const struct trial *t, const struct row_run *run)
{
	const json_t *sizes = json_object_get(run->at[run->n].data, "sizes");

	return sizes && is_over(t, sizes) ? growth_words(run->row.name, "vmlinux is", sizes) : NULL;
}

char *row_run_module_growth(const struct trial *t, const struct row_run *run)
{
	const json_t *sizes = json_object_get(run->at[run->n].data, "module_sizes"), *m;
	auto_free char *head = NULL;
	auto_str struct str s;
	size_t i;

	str_init(&s, 0);
	if (!sizes || !modules_are_over(t, sizes))
		return NULL;
	head = growth_words(run->row.name, "modules are", sizes);
	str_adds(&s, head);
	json_array_foreach (json_object_get(sizes, "modules"), i, m) {
		if (i == MODULES_TOLD)
			break;
		str_addf(&s, "%s %s %+lld", i ? "," : ":", json_get_str(m, "name", ""),
			 total(m, "patched") - total(m, "base"));
	}
	return str_take(&s);
}

static enum outcome at_outcome(const struct row_run *run, size_t k)
{
	if (k == 0)
		return run->base_bad ? OUTCOME_ERROR : OUTCOME_PASS;
	if (row_run_is_bad(run, k, NULL))
		return OUTCOME_FAIL;
	return json_array_size(run->at[k].news) ? OUTCOME_WARN : OUTCOME_PASS;
}

static char *at_reason(const struct row_run *run, size_t k)
{
	const struct row_at *at = &run->at[k];
	const char *said = json_get_str(at->data, "reason", "");
	size_t n = json_array_size(at->news);
	char *why = NULL;

	if (k && row_run_is_bad(run, k, &why))
		return why;
	if (n)
		return xasprintf("%s%zu new warning%s; %s",
				 json_get_bool(at->data, "diagnostics_cut", false) ? "at least "
										   : "",
				 n, n == 1 ? "" : "s", said);
	return xstrdup(said);
}

static json_t *commands_of(const struct trial *t, const struct row_run *run, size_t k)
{
	json_t *list = builder_commands(&run->row, by_hand_base(t), run->touched,
					json_get_str(run->at[k].data, "targets", NULL));

	by_hand_apply(t, k, list);
	return list;
}

static json_t *row_make(const struct row_run *run, const char *outcome)
{
	json_t *row = json_object();

	json_object_set_new(row, "row", json_text(run->row.name));
	json_object_set_new(row, "summary", json_text(run->row.summary));
	json_object_set_new(row, "main", json_boolean(run->main));
	json_object_set_new(row, "outcome", json_text(outcome));
	json_object_set_new(row, "headers", row_touched_report(run->users));
	return row;
}

static json_t *at_row(const struct trial *t, const struct row_run *run, size_t k)
{
	const struct row_at *at = &run->at[k];
	auto_free char *reason = at_reason(run, k);
	json_t *row = row_make(run, outcome_name(at_outcome(run, k)));

	json_object_set_new(row, "patch",
			    json_integer(k ? t->series->patch[k - 1].subject.number : 0));
	json_object_set_new(row, "reason", json_text(reason));
	json_object_set_new(row, "seconds", json_real(json_get_num(at->data, "seconds", 0)));
	json_object_set_new(row, "cached", json_boolean(json_get_bool(at->data, "cached", false)));
	json_object_set_new(row, "limits", json_text(json_get_str(at->data, "limits", "rlimits")));
	json_object_set_new(row, "log", json_text(at->log));
	json_object_set_new(row, "errors",
			    at_outcome(run, k) == OUTCOME_FAIL || !trial_built(at->data)
				    ? errors_list(at->data)
				    : json_array());
	json_object_set_new(row, "new_warnings", news_list(at->news));
	json_object_set_new(row, "config_changes",
			    member_or(at->data, "config_changes", json_array()));
	json_object_set_new(row, "sizes", sizes_of(t, at->data));
	json_object_set_new(row, "module_sizes", module_sizes_of(t, at->data));
	json_object_set_new(row, "commands", commands_of(t, run, k));
	return row;
}

/* Of a row for which nothing was built. */
static json_t *empty_row(const struct row_run *run)
{
	json_t *row = row_make(run, outcome_name(run->outcome));

	json_object_set_new(row, "patch", json_null());
	json_object_set_new(row, "reason", json_text(run->reason ?: ""));
	json_object_set_new(row, "seconds", json_real(0));
	json_object_set_new(row, "cached", json_false());
	json_object_set_new(row, "limits", json_text(sandbox_limits(NULL)));
	json_object_set_new(row, "log", json_null());
	json_object_set_new(row, "new_warnings", json_array());
	json_object_set_new(row, "config_changes", json_array());
	json_object_set_new(row, "sizes", json_null());
	json_object_set_new(row, "commands", json_array());
	return row;
}

void row_run_report(const struct trial *t, const struct row_run *run, json_t *list)
{
	bool any = false;

	for (size_t k = 0; run->at && k <= run->n; k++) {
		if (!run->at[k].data)
			continue;
		json_array_append_new(list, at_row(t, run, k));
		any = true;
	}
	/* The reason why it went no further is not in what was built. */
	if (!any || (run->outcome == OUTCOME_ERROR && !run->base_bad))
		json_array_append_new(list, empty_row(run));
}
