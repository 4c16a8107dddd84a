// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/bench_symptom.h"

#include "base/json.h"
#include "base/outcome.h"
#include "base/str.h"
#include <math.h>

static bool is_word(const json_t *row, const char *word)
{
	return strcmp(json_get_str(row, "word", ""), word) == 0;
}

static bool symptom_set(struct bench_symptom *ret, enum bench_symptom_kind kind, const json_t *row)
{
	*ret = (struct bench_symptom){.kind = kind,
				      .name = json_get_str(row, "name", ""),
				      .title = json_get_str(row, "title", ""),
				      .word = json_get_str(row, "word", "")};
	return true;
}

/* The row whose number moved most that way; one without a size is the least of them. */
static const json_t *number_most(const json_t *data, const char *word)
{
	const json_t *most = NULL, *row;
	double change = -1;
	size_t i;

	json_array_foreach (json_object_get(data, "metrics"), i, row) {
		double size = fabs(json_get_num(row, "change", 0));

		if (json_get_bool(row, "judged", true) && is_word(row, word) && size > change) {
			most = row;
			change = size;
		}
	}
	return most;
}

static const json_t *fact_wrong(const json_t *data)
{
	const json_t *row;
	size_t i;

	json_array_foreach (json_object_get(data, "facts"), i, row)
		if (is_word(row, "wrong"))
			return row;
	return NULL;
}

static bool is_fail(const json_t *data)
{
	return strcmp(json_get_str(data, "outcome", ""), outcome_name(OUTCOME_FAIL)) == 0;
}

bool bench_symptom_find(const json_t *data, struct bench_symptom *ret)
{
	const json_t *row = fact_wrong(data);

	if (row)
		return symptom_set(ret, SYMPTOM_FACT, row);
	if (is_fail(data)) {
		*ret = (struct bench_symptom){.kind = SYMPTOM_FAIL,
					      .word = outcome_name(OUTCOME_FAIL)};
		return true;
	}
	row = number_most(data, "slower");
	if (!row)
		row = number_most(data, "faster");
	return row && symptom_set(ret, SYMPTOM_NUMBER, row);
}

int bench_symptom_seen(const json_t *data, const struct bench_symptom *s, struct err *err)
{
	const char *list = s->kind == SYMPTOM_FACT ? "facts" : "metrics";
	enum outcome o = outcome_parse(json_get_str(data, "outcome", NULL));
	const json_t *row;
	size_t i;

	if (s->kind == SYMPTOM_FAIL && (o == OUTCOME_SKIP || o == OUTCOME_ERROR))
		return err_set(err, ERR_INFRA, "%s", json_get_str(data, "reason", ""));
	if (s->kind == SYMPTOM_FAIL)
		return is_fail(data);
	json_array_foreach (json_object_get(data, list), i, row)
		if (strcmp(json_get_str(row, "name", ""), s->name) == 0)
			return is_word(row, s->word);
	return err_set(err, ERR_INFRA, "%s was not measured: %s", s->name,
		       json_get_str(data, "reason", ""));
}
