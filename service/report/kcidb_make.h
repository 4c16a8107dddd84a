/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: the parts of a KCIDB document. Members of it are left out where nothing is known:
 * the schema has no null. */
#ifndef FIRN_REPORT_KCIDB_MAKE_H
#define FIRN_REPORT_KCIDB_MAKE_H

#include "base/str.h"
#include "report/kcidb.h"

#define KCIDB_EXCERPT_MAX 16384

struct kcidb {
	const struct kcidb_facts *facts;
	const json_t *report;
	json_t *checkouts, *builds, *tests;
	/* Ids of the builds that boot, of the base and of the whole series; NULL: there is none. */
	char *base_build, *build;
};

/* An object of KCIDB with the id "ORIGIN:trial-7REST". */
json_t *kcidb_object(const struct kcidb *k, const char *rest);
char *kcidb_id(const struct kcidb *k, const char *rest);
/* Sets the member, unless the text is NULL or "". */
void kcidb_text(json_t *obj, const char *key, const char *text);
/* Lines, cut at what the schema allows. */
void kcidb_excerpt(json_t *obj, const json_t *lines);
/* The address of a log, unless it is NULL. */
void kcidb_log(const struct kcidb *k, json_t *obj, const char *log);
/* The step of that name; NULL. */
const json_t *kcidb_step(const json_t *report, const char *name);

/* The checkout of the base with the first `patches` of the series, made when it is first asked for.
 * Returns its id, which the caller frees. */
char *kcidb_checkout(struct kcidb *k, unsigned patches);
void kcidb_builds(struct kcidb *k);
/* Both need the builds. */
void kcidb_checks(struct kcidb *k);
void kcidb_tests(struct kcidb *k);
/* "hot-add/16" as "firn.hot_add.16"; the caller frees. And an outcome as the status of a test. */
char *kcidb_path(const char *name);
const char *kcidb_test_status(const char *outcome);

#endif
