/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report as KCIDB's I/O data, schema version 5.3: checkouts, builds and tests. The schema is
 * kcidb_io/schema/v05_03.py of https://github.com/kernelci/kcidb-io; what of it is made here stands
 * in web/API.md, "KCIDB".
 */
#ifndef FIRN_REPORT_KCIDB_H
#define FIRN_REPORT_KCIDB_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define KCIDB_MAJOR   5
#define KCIDB_MINOR   3
#define KCIDB_DIGEST  65 /* hex of SHA-256 */
#define KCIDB_PATCHES 1000

/* What a report does not say. */
struct kcidb_facts {
	const char *origin;	/* as web.kcidb-origin */
	int64_t trial, posting; /* posting 0: there is none */
	const char *url;	/* of the status pages, without a slash at its end */
	/* The public repository that the base came from; NULL: not known. */
	const char *tree_name, *tree_url, *branch;
	/* SHA-256 of each patch as it was applied, by number from 1 on, as hex; n 0: not known. */
	const char (*digest)[KCIDB_DIGEST];
	size_t n;
};

/* Of a checked report. A new reference. */
json_t *kcidb_make(const json_t *report, const struct kcidb_facts *facts);

#endif
