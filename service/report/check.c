// SPDX-License-Identifier: GPL-2.0-or-later
/* The views call this first, and need not ask again what is there. */
#include "report/report.h"

#include "base/json.h"
#include "base/str.h"
#include "report/schema.h"

static bool is_kind(const json_t *v, enum schema_kind kind)
{
	switch (kind) {
	case SCHEMA_STRING: return json_is_string(v);
	case SCHEMA_INTEGER: return json_is_integer(v);
	case SCHEMA_NUMBER: return json_is_number(v);
	case SCHEMA_BOOL: return json_is_boolean(v);
	case SCHEMA_OBJECT: return json_is_object(v);
	case SCHEMA_ARRAY: return json_is_array(v);
	}
	return false;
}

static const char *kind_text(enum schema_kind kind)
{
	static const char *const text[] = {
		[SCHEMA_STRING] = "a string",  [SCHEMA_INTEGER] = "an integer",
		[SCHEMA_NUMBER] = "a number",  [SCHEMA_BOOL] = "a boolean",
		[SCHEMA_OBJECT] = "an object", [SCHEMA_ARRAY] = "an array",
	};
	return text[kind];
}

static int wrong_kind(const char *where, enum schema_kind kind, struct err *err)
{
	return err_set(err, ERR_INPUT, "report: %s is not %s", where, kind_text(kind));
}

static bool is_word(const json_t *v, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(json_string_value(v), *list) == 0)
			return true;
	return false;
}

static int check_object(const json_t *obj, const struct schema *m, const char *where,
			struct err *err);

static int check_elements(const json_t *array, const struct schema *m, const char *where,
			  struct err *err)
{
	enum schema_kind kind = m->members ? SCHEMA_OBJECT : m->elements;

	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *v = json_array_get(array, i);
		auto_free char *here = xasprintf("%s[%zu]", where, i);
		int rc;

		if (!is_kind(v, kind))
			return wrong_kind(here, kind, err);
		rc = m->members ? check_object(v, m->members, here, err) : 0;
		if (rc == 0 && m->check)
			rc = m->check(v, here, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int check_member(const json_t *v, const struct schema *m, const char *where, struct err *err)
{
	if (!v && m->optional)
		return 0;
	if (!v)
		return err_set(err, ERR_INPUT, "report: %s is missing", where);
	if (m->nullable && json_is_null(v))
		return 0;
	if (!is_kind(v, m->kind))
		return wrong_kind(where, m->kind, err);
	if (m->words && !is_word(v, m->words))
		return err_set(err, ERR_INPUT,
			       "report: %s is \"%.40s\", which is none of its words", where,
			       json_string_value(v));
	if (m->kind == SCHEMA_ARRAY)
		return check_elements(v, m, where, err);
	return m->kind == SCHEMA_OBJECT ? check_object(v, m->members, where, err) : 0;
}

static int check_object(const json_t *obj, const struct schema *m, const char *where,
			struct err *err)
{
	for (; m->name; m++) {
		auto_free char *here = xasprintf("%s%s%s", where, *where ? "." : "", m->name);
		int rc = check_member(json_object_get(obj, m->name), m, here, err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

int report_check(const json_t *obj, struct err *err)
{
	const json_t *version = json_object_get(obj, "version");

	if (strcmp(json_get_str(obj, "schema", ""), REPORT_SCHEMA) != 0)
		return err_set(err, ERR_INPUT,
			       "not a report: its schema is not \"" REPORT_SCHEMA "\"");
	if (!json_is_integer(version))
		return err_set(err, ERR_INPUT, "report: version is not an integer");
	if (json_integer_value(version) != REPORT_SCHEMA_VERSION)
		return err_set(err, ERR_INPUT,
			       "report of schema version %lld: this firn reads version %d",
			       (long long)json_integer_value(version), REPORT_SCHEMA_VERSION);
	return check_object(obj, schema_report, "", err);
}

bool report_has_series(const json_t *report)
{
	const json_t *series = json_object_get(report, "series");

	return json_get_num(series, "total", 0) != 0 ||
	       json_array_size(json_object_get(series, "patches")) > 0;
}
