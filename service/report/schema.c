// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/schema.h"

#include "base/str.h"

static const char *const outcomes[] = {"pass", "warn", "fail", "error", "skip", NULL};
static const char *const levels[] = {"ERROR", "WARNING", "CHECK", "NOTE", NULL};
static const char *const metric_words[] = {"unchanged", "faster", "slower", "undecided", NULL};
static const char *const directions[] = {"lower", "higher", NULL};
static const char *const modes[] = {"count", "clock", NULL};
static const char *const since_words[] = {"unchanged", "changed", "new", "dropped", NULL};
static const char *const config_words[] = {"on", "off", "changed", "new", "gone", NULL};
static const char *const limit_words[] = {"cgroup-v2", "cgroup-v1", "rlimits", NULL};
static const char *const fact_words[] = {"same", "changed", "wrong", "mended", "both-wrong", NULL};

/* clang-format off */
#define STRING(n)	   {.name = n, .kind = SCHEMA_STRING}
#define STRING_OR_NULL(n)  {.name = n, .kind = SCHEMA_STRING, .nullable = true}
#define ONE_OF(n, w)	   {.name = n, .kind = SCHEMA_STRING, .words = w}
#define INTEGER(n)	   {.name = n, .kind = SCHEMA_INTEGER}
#define INTEGER_OR_NULL(n) {.name = n, .kind = SCHEMA_INTEGER, .nullable = true}
#define NUMBER(n)	   {.name = n, .kind = SCHEMA_NUMBER}
#define NUMBER_OR_NULL(n)  {.name = n, .kind = SCHEMA_NUMBER, .nullable = true}
#define BOOLEAN(n)	   {.name = n, .kind = SCHEMA_BOOL}
#define OBJECT(n, m)	   {.name = n, .kind = SCHEMA_OBJECT, .members = m}
#define OBJECT_OR_NULL(n, m) {.name = n, .kind = SCHEMA_OBJECT, .members = m, .nullable = true}
#define OBJECTS(n, m)	   {.name = n, .kind = SCHEMA_ARRAY, .members = m}
#define ARRAY_OF(n, k)	   {.name = n, .kind = SCHEMA_ARRAY, .elements = k}
/* Members that version 1 did not have at first. */
#define LATER_BOOLEAN(n)   {.name = n, .kind = SCHEMA_BOOL, .optional = true}
#define LATER_ONE_OF(n, w) {.name = n, .kind = SCHEMA_STRING, .words = w, .optional = true}
#define LATER_STRING_OR_NULL(n) \
	{.name = n, .kind = SCHEMA_STRING, .nullable = true, .optional = true}
#define LATER_NUMBER_OR_NULL(n) \
	{.name = n, .kind = SCHEMA_NUMBER, .nullable = true, .optional = true}
#define LATER_OBJECTS(n, m) {.name = n, .kind = SCHEMA_ARRAY, .members = m, .optional = true}
#define CHECKED_OBJECTS(n, m, c) {.name = n, .kind = SCHEMA_ARRAY, .members = m, .check = c}
#define LATER_CHECKED_OBJECTS(n, m, c) \
	{.name = n, .kind = SCHEMA_ARRAY, .members = m, .check = c, .optional = true}
#define LATER_OBJECT_OR_NULL(n, m) \
	{.name = n, .kind = SCHEMA_OBJECT, .members = m, .nullable = true, .optional = true}
#define END		   {.name = NULL}
/* clang-format on */

static const struct schema person[] = {STRING("name"), STRING("email"), END};

static const struct schema patch[] = {
	INTEGER("number"),
	STRING("subject"),
	STRING("message_id"),
	OBJECT("author", person),
	INTEGER("added"),
	ARRAY_OF("files", SCHEMA_STRING),
	INTEGER("removed"),
	STRING_OR_NULL("commit"),
	LATER_STRING_OR_NULL("text"),
	END,
};

static const struct schema series[] = {
	STRING("title"),
	STRING("message_id"),
	INTEGER("version"),
	STRING("date"),
	OBJECT("author", person),
	INTEGER("total"),
	ARRAY_OF("missing", SCHEMA_INTEGER),
	STRING_OR_NULL("cover"),
	OBJECTS("patches", patch),
	END,
};

static const struct schema base[] = {
	STRING("commit"),
	STRING("subject"),
	STRING("why"),
	STRING("tree"),
	STRING_OR_NULL("warning"),
	LATER_STRING_OR_NULL("committed"),
	END,
};

static const struct schema since_patch[] = {
	INTEGER_OR_NULL("patch"),
	INTEGER_OR_NULL("was"),
	ONE_OF("word", since_words),
	STRING("words"),
	STRING("subject"),
	STRING_OR_NULL("diff"),
	END,
};

static const struct schema since[] = {
	INTEGER("version"),
	STRING("message_id"),
	STRING("why"),
	STRING_OR_NULL("limited"),
	OBJECTS("patches", since_patch),
	END,
};

static const struct schema step[] = {
	STRING("name"),
	ONE_OF("outcome", outcomes),
	STRING("reason"),
	INTEGER_OR_NULL("patch"),
	ARRAY_OF("evidence", SCHEMA_STRING),
	NUMBER("seconds"),
	BOOLEAN("cached"),
	STRING_OR_NULL("log"),
	END,
};

static const struct schema finding[] = {
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

static const struct schema counts[] = {
	INTEGER("errors"), INTEGER("warnings"), INTEGER("checks"), INTEGER("lines"), END,
};

static const struct schema check[] = {
	STRING("checker"), INTEGER("patch"), ONE_OF("outcome", outcomes), STRING("reason"), END,
};

static const struct schema side[] = {
	INTEGER("n"),
	NUMBER("median"),
	NUMBER("min"),
	NUMBER("max"),
	NUMBER("mean"),
	NUMBER("stddev"),
	ARRAY_OF("samples", SCHEMA_NUMBER),
	END,
};

static const struct schema metric[] = {
	STRING("bench"),
	STRING("name"),
	STRING("title"),
	STRING("unit"),
	ONE_OF("better", directions),
	LATER_BOOLEAN("judged"),
	LATER_STRING_OR_NULL("group"),
	LATER_NUMBER_OR_NULL("x"),
	LATER_STRING_OR_NULL("x_title"),
	BOOLEAN("exact"),
	OBJECT("base", side),
	OBJECT("patched", side),
	NUMBER_OR_NULL("change"),
	LATER_NUMBER_OR_NULL("low"),
	LATER_NUMBER_OR_NULL("high"),
	NUMBER_OR_NULL("smallest"),
	ONE_OF("word", metric_words),
	STRING("why"),
	STRING("caveat"),
	END,
};

static const struct schema bench[] = {
	STRING("bench"),
	ONE_OF("outcome", outcomes),
	STRING("reason"),
	STRING("caveat"),
	ONE_OF("mode", modes),
	STRING("testbed"),
	INTEGER("seed"),
	INTEGER("boots"),
	NUMBER("seconds"),
	STRING_OR_NULL("stopped"),
	LATER_STRING_OR_NULL("profiled"),
	END,
};

static const struct schema fact[] = {
	STRING("bench"),
	STRING("name"),
	STRING("title"),
	STRING("group"),
	STRING_OR_NULL("base"),
	STRING_OR_NULL("patched"),
	STRING_OR_NULL("expected"),
	BOOLEAN("steady"),
	ONE_OF("word", fact_words),
	END,
};

static const struct schema fit_side[] = {
	NUMBER("constant"), NUMBER("linear"), NUMBER("quadratic"),
	NUMBER("share"),    STRING("words"),  END,
};

static const struct schema fit[] = {
	STRING("bench"),
	STRING("group"),
	STRING("title"),
	OBJECT("base", fit_side),
	OBJECT("patched", fit_side),
	END,
};

static const struct schema table[] = {
	STRING("bench"),
	STRING("title"),
	STRING_OR_NULL("note"),
	ARRAY_OF("head", SCHEMA_STRING),
	ARRAY_OF("rows", SCHEMA_ARRAY),
	END,
};

static const struct schema function[] = {
	STRING("bench"), STRING("name"), NUMBER("base"), NUMBER("patched"), END,
};

static const struct schema verdict[] = {ONE_OF("outcome", outcomes), STRING("words"), END};

/* A point of a curve is all of it or nothing; so is an interval. */
static int check_metric(const json_t *v, const char *where, struct err *err)
{
	bool group = json_is_string(json_object_get(v, "group"));
	bool low = json_is_number(json_object_get(v, "low"));

	if (json_is_number(json_object_get(v, "x")) != group ||
	    json_is_string(json_object_get(v, "x_title")) != group)
		return err_set(err, ERR_INPUT,
			       "report: %s has not all of group, x and x_title, nor none of them",
			       where);
	if (json_is_number(json_object_get(v, "high")) != low)
		return err_set(err, ERR_INPUT, "report: %s has half an interval", where);
	return 0;
}

static int check_table_row(const json_t *row, size_t columns, const char *where, struct err *err)
{
	const json_t *cell;
	size_t i;

	if (json_array_size(row) != columns)
		return err_set(err, ERR_INPUT, "report: %s has %zu cells, its table %zu columns",
			       where, json_array_size(row), columns);
	json_array_foreach (row, i, cell)
		if (!json_is_string(cell))
			return err_set(err, ERR_INPUT, "report: %s[%zu] is not a string", where, i);
	return 0;
}

static int check_table(const json_t *v, const char *where, struct err *err)
{
	const json_t *rows = json_object_get(v, "rows"), *row;
	size_t columns = json_array_size(json_object_get(v, "head")), i;

	if (!columns)
		return err_set(err, ERR_INPUT, "report: %s has no columns", where);
	json_array_foreach (rows, i, row) {
		auto_free char *here = xasprintf("%s.rows[%zu]", where, i);
		int rc = check_table_row(row, columns, here, err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

static const struct schema new_warning[] = {
	STRING_OR_NULL("tool"),	   STRING_OR_NULL("path"),
	INTEGER_OR_NULL("line"),   STRING_OR_NULL("function"),
	STRING_OR_NULL("option"),  STRING("text"),
	INTEGER_OR_NULL("mended"), END,
};

static const struct schema build_error[] = {
	STRING_OR_NULL("tool"),
	STRING_OR_NULL("path"),
	INTEGER_OR_NULL("line"),
	STRING_OR_NULL("function"),
	STRING_OR_NULL("option"),
	STRING("text"),
	END,
};

static const struct schema config_change[] = {
	STRING("option"),
	STRING_OR_NULL("base"),
	STRING_OR_NULL("patched"),
	ONE_OF("word", config_words),
	END,
};

static const struct schema size[] = {STRING("name"), INTEGER("base"), INTEGER("patched"), END};

static const struct schema sizes[] = {
	INTEGER("base"),	  INTEGER("patched"),
	BOOLEAN("over"),	  OBJECTS("sections", size),
	OBJECTS("symbols", size), INTEGER("grown"),
	INTEGER("shrunk"),	  INTEGER("added"),
	INTEGER("removed"),	  END,
};

static const struct schema module_size[] = {
	STRING("name"), INTEGER("base"), INTEGER("patched"), OBJECTS("symbols", size), END,
};

static const struct schema module_sizes[] = {
	INTEGER("base"),
	INTEGER("patched"),
	BOOLEAN("over"),
	OBJECTS("modules", module_size),
	INTEGER("grown"),
	INTEGER("shrunk"),
	INTEGER("added"),
	INTEGER("removed"),
	END,
};

static const struct schema header[] = {
	STRING("header"),
	ARRAY_OF("objects", SCHEMA_STRING),
	END,
};

static const struct schema build[] = {
	STRING("row"),
	STRING("summary"),
	BOOLEAN("main"),
	INTEGER_OR_NULL("patch"),
	ONE_OF("outcome", outcomes),
	STRING("reason"),
	NUMBER("seconds"),
	BOOLEAN("cached"),
	LATER_ONE_OF("limits", limit_words),
	STRING_OR_NULL("log"),
	LATER_OBJECTS("errors", build_error),
	OBJECTS("new_warnings", new_warning),
	OBJECTS("config_changes", config_change),
	OBJECT_OR_NULL("sizes", sizes),
	LATER_OBJECT_OR_NULL("module_sizes", module_sizes),
	LATER_OBJECTS("headers", header),
	ARRAY_OF("commands", SCHEMA_STRING),
	END,
};

const struct schema schema_report[] = {
	STRING("firn"),
	STRING("started"),
	STRING("finished"),
	NUMBER("seconds"),
	OBJECT("series", series),
	OBJECT_OR_NULL("base", base),
	LATER_OBJECT_OR_NULL("since", since),
	OBJECTS("steps", step),
	LATER_OBJECTS("builds", build),
	OBJECTS("findings", finding),
	OBJECT_OR_NULL("counts", counts),
	OBJECTS("checks", check),
	CHECKED_OBJECTS("metrics", metric, check_metric),
	LATER_OBJECTS("benches", bench),
	LATER_OBJECTS("facts", fact),
	LATER_OBJECTS("fits", fit),
	LATER_CHECKED_OBJECTS("tables", table, check_table),
	LATER_OBJECTS("functions", function),
	ARRAY_OF("not_tested", SCHEMA_STRING),
	OBJECT("verdict", verdict),
	STRING("repeat"),
	LATER_STRING_OR_NULL("repeat_elsewhere"),
	END,
};
