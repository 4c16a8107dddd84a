// SPDX-License-Identifier: GPL-2.0-or-later
/* SCHEMA.md as tables. The views call this first, and need not ask again what is there. */
#include "report/report.h"

#include "base/json.h"
#include "base/str.h"

enum kind {
	KIND_STRING,
	KIND_INTEGER,
	KIND_NUMBER,
	KIND_BOOL,
	KIND_OBJECT,
	KIND_ARRAY,
};

struct member {
	const char *name; /* NULL ends a table */
	enum kind kind;
	bool nullable;
	const char *const *words;     /* KIND_STRING: one of these */
	const struct member *members; /* KIND_OBJECT, or the elements of an array of objects */
	enum kind elements;	      /* KIND_ARRAY without members */
};

static const char *const outcomes[] = {"pass", "warn", "fail", "error", "skip", NULL};
static const char *const levels[] = {"ERROR", "WARNING", "CHECK", "NOTE", NULL};
static const char *const words[] = {"unchanged", "faster", "slower", "undecided", NULL};
static const char *const directions[] = {"lower", "higher", NULL};

#define STRING(n)                                                                                  \
	{                                                                                          \
		.name = n, .kind = KIND_STRING                                                     \
	}
#define STRING_OR_NULL(n)                                                                          \
	{                                                                                          \
		.name = n, .kind = KIND_STRING, .nullable = true                                   \
	}
#define ONE_OF(n, w)                                                                               \
	{                                                                                          \
		.name = n, .kind = KIND_STRING, .words = w                                         \
	}
#define INTEGER(n)                                                                                 \
	{                                                                                          \
		.name = n, .kind = KIND_INTEGER                                                    \
	}
#define INTEGER_OR_NULL(n)                                                                         \
	{                                                                                          \
		.name = n, .kind = KIND_INTEGER, .nullable = true                                  \
	}
#define NUMBER(n)                                                                                  \
	{                                                                                          \
		.name = n, .kind = KIND_NUMBER                                                     \
	}
#define NUMBER_OR_NULL(n)                                                                          \
	{                                                                                          \
		.name = n, .kind = KIND_NUMBER, .nullable = true                                   \
	}
#define BOOLEAN(n)                                                                                 \
	{                                                                                          \
		.name = n, .kind = KIND_BOOL                                                       \
	}
#define OBJECT(n, m)                                                                               \
	{                                                                                          \
		.name = n, .kind = KIND_OBJECT, .members = m                                       \
	}
#define OBJECT_OR_NULL(n, m)                                                                       \
	{                                                                                          \
		.name = n, .kind = KIND_OBJECT, .members = m, .nullable = true                     \
	}
#define OBJECTS(n, m)                                                                              \
	{                                                                                          \
		.name = n, .kind = KIND_ARRAY, .members = m                                        \
	}
#define ARRAY_OF(n, k)                                                                             \
	{                                                                                          \
		.name = n, .kind = KIND_ARRAY, .elements = k                                       \
	}
#define END                                                                                        \
	{                                                                                          \
		.name = NULL                                                                       \
	}

static const struct member person[] = {STRING("name"), STRING("email"), END};

static const struct member patch[] = {
	INTEGER("number"),	  STRING("subject"),	    STRING("message_id"),
	OBJECT("author", person), INTEGER("added"),	    ARRAY_OF("files", KIND_STRING),
	INTEGER("removed"),	  STRING_OR_NULL("commit"), END,
};

static const struct member series[] = {
	STRING("title"),
	STRING("message_id"),
	INTEGER("version"),
	STRING("date"),
	OBJECT("author", person),
	INTEGER("total"),
	ARRAY_OF("missing", KIND_INTEGER),
	STRING_OR_NULL("cover"),
	OBJECTS("patches", patch),
	END,
};

static const struct member base[] = {
	STRING("commit"), STRING("subject"),	     STRING("why"),
	STRING("tree"),	  STRING_OR_NULL("warning"), END,
};

static const struct member step[] = {
	STRING("name"),
	ONE_OF("outcome", outcomes),
	STRING("reason"),
	INTEGER_OR_NULL("patch"),
	ARRAY_OF("evidence", KIND_STRING),
	NUMBER("seconds"),
	BOOLEAN("cached"),
	STRING_OR_NULL("log"),
	END,
};

static const struct member finding[] = {
	STRING("checker"),
	ONE_OF("level", levels),
	STRING("type"),
	STRING_OR_NULL("path"),
	INTEGER_OR_NULL("line"),
	INTEGER_OR_NULL("patch_line"),
	INTEGER("patch"),
	STRING("message"),
	STRING_OR_NULL("excerpt"),
	END,
};

static const struct member counts[] = {
	INTEGER("errors"), INTEGER("warnings"), INTEGER("checks"), INTEGER("lines"), END,
};

static const struct member check[] = {
	STRING("checker"), INTEGER("patch"), ONE_OF("outcome", outcomes), STRING("reason"), END,
};

static const struct member side[] = {
	INTEGER("n"),
	NUMBER("median"),
	NUMBER("min"),
	NUMBER("max"),
	NUMBER("mean"),
	NUMBER("stddev"),
	ARRAY_OF("samples", KIND_NUMBER),
	END,
};

static const struct member metric[] = {
	STRING("bench"),
	STRING("name"),
	STRING("title"),
	STRING("unit"),
	ONE_OF("better", directions),
	BOOLEAN("exact"),
	OBJECT("base", side),
	OBJECT("patched", side),
	NUMBER_OR_NULL("change"),
	NUMBER_OR_NULL("smallest"),
	ONE_OF("word", words),
	STRING("why"),
	STRING("caveat"),
	END,
};

static const struct member verdict[] = {ONE_OF("outcome", outcomes), STRING("words"), END};

static const struct member report[] = {
	STRING("firn"),
	STRING("started"),
	STRING("finished"),
	NUMBER("seconds"),
	OBJECT("series", series),
	OBJECT_OR_NULL("base", base),
	OBJECTS("steps", step),
	OBJECTS("findings", finding),
	OBJECT_OR_NULL("counts", counts),
	OBJECTS("checks", check),
	OBJECTS("metrics", metric),
	ARRAY_OF("not_tested", KIND_STRING),
	OBJECT("verdict", verdict),
	STRING("repeat"),
	END,
};

static bool is_kind(const json_t *v, enum kind kind)
{
	switch (kind) {
	case KIND_STRING: return json_is_string(v);
	case KIND_INTEGER: return json_is_integer(v);
	case KIND_NUMBER: return json_is_number(v);
	case KIND_BOOL: return json_is_boolean(v);
	case KIND_OBJECT: return json_is_object(v);
	case KIND_ARRAY: return json_is_array(v);
	}
	return false;
}

static const char *kind_text(enum kind kind)
{
	static const char *const text[] = {
		[KIND_STRING] = "a string",  [KIND_INTEGER] = "an integer",
		[KIND_NUMBER] = "a number",  [KIND_BOOL] = "a boolean",
		[KIND_OBJECT] = "an object", [KIND_ARRAY] = "an array",
	};
	return text[kind];
}

static int wrong_kind(const char *where, enum kind kind, struct err *err)
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

static int check_object(const json_t *obj, const struct member *m, const char *where,
			struct err *err);

static int check_elements(const json_t *array, const struct member *m, const char *where,
			  struct err *err)
{
	enum kind kind = m->members ? KIND_OBJECT : m->elements;

	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *v = json_array_get(array, i);
		auto_free char *here = xasprintf("%s[%zu]", where, i);
		int rc;

		if (!is_kind(v, kind))
			return wrong_kind(here, kind, err);
		rc = m->members ? check_object(v, m->members, here, err) : 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int check_member(const json_t *v, const struct member *m, const char *where, struct err *err)
{
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
	if (m->kind == KIND_ARRAY)
		return check_elements(v, m, where, err);
	return m->kind == KIND_OBJECT ? check_object(v, m->members, where, err) : 0;
}

static int check_object(const json_t *obj, const struct member *m, const char *where,
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
	return check_object(obj, report, "", err);
}
