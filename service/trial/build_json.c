// SPDX-License-Identifier: GPL-2.0-or-later
/* What the report says of a row: builds[] in ../report/SCHEMA.md. */
#include "trial/build_row.h"

#include "base/clock.h"
#include "kernel-builders/words.h"
#include "sandbox/sandbox.h"

/* As many as a reader looks at; the log has the rest. */
#define NEWS_MAX   100
#define ERRORS_MAX 20

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

char *row_run_growth(const struct trial *t, const struct row_run *run)
{
	const json_t *sizes = json_object_get(run->at[run->n].data, "sizes");
	long long base = total(sizes, "base"), change = total(sizes, "patched") - base;

	if (!sizes || !is_over(t, sizes))
		return NULL;
	return xasprintf("%s: vmlinux is %+lld bytes (%+.2f %%)", run->row.name, change,
			 base ? 100.0 * (double)change / (double)base : 0.0);
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
		return xasprintf("%zu new warning%s; %s", n, n == 1 ? "" : "s", said);
	return xstrdup(said);
}

/* The first `k` patches onto what is checked out. The commits that we made are in our repository
 * alone, and `git am` gives the same trees. NULL: mails without an ID. */
static char *apply_command(const struct trial *t, size_t k)
{
	const struct series *s = t->series;
	auto_words struct words w = {0};
	auto_free char *b4 = NULL;

	if (!s->message_id || !*s->message_id)
		return NULL;
	words_add(&w, "b4");
	words_add(&w, "am");
	words_add(&w, "-o-");
	if (k < s->n_patches)
		words_addf(&w, "-P1-%u", s->patch[k - 1].subject.number);
	words_add(&w, s->message_id);
	b4 = words_quote(&w);
	return xasprintf("%s | git am -3", b4);
}

static json_t *commands_of(const struct trial *t, const struct row_run *run, size_t k)
{
	json_t *list = builder_commands(&run->row, &t->start, run->touched);
	auto_free char *apply = k ? apply_command(t, k) : NULL;

	if (apply) /* behind the checkout */
		json_array_insert_new(list, 1, json_text(apply));
	return list;
}

static json_t *row_make(const struct row_run *run, const char *outcome)
{
	json_t *row = json_object();

	json_object_set_new(row, "row", json_text(run->row.name));
	json_object_set_new(row, "summary", json_text(run->row.summary));
	json_object_set_new(row, "main", json_boolean(run->main));
	json_object_set_new(row, "outcome", json_text(outcome));
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
			    at_outcome(run, k) == OUTCOME_FAIL ? errors_list(at->data)
							       : json_array());
	json_object_set_new(row, "new_warnings", news_list(at->news));
	json_object_set_new(row, "config_changes",
			    member_or(at->data, "config_changes", json_array()));
	json_object_set_new(row, "sizes", sizes_of(t, at->data));
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
