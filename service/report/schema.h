/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: SCHEMA.md as tables, for check.c. */
#ifndef FIRN_REPORT_SCHEMA_H
#define FIRN_REPORT_SCHEMA_H

#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>

enum schema_kind {
	SCHEMA_STRING,
	SCHEMA_INTEGER,
	SCHEMA_NUMBER,
	SCHEMA_BOOL,
	SCHEMA_OBJECT,
	SCHEMA_ARRAY,
};

struct schema {
	const char *name; /* NULL ends a table */
	enum schema_kind kind;
	bool nullable;
	bool optional;		      /* reports of older firn have none */
	const char *const *words;     /* SCHEMA_STRING: one of these */
	const struct schema *members; /* SCHEMA_OBJECT, or the elements of an array of objects */
	enum schema_kind elements;    /* SCHEMA_ARRAY without members */
	/* What a table can't say, of an object or of an element, after its members were found good;
	 * NULL: nothing. `where` is its place, for the message. */
	int (*check)(const json_t *v, const char *where, struct err *err);
};

extern const struct schema schema_report[];

#endif
