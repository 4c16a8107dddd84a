/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said to the world about a trial: rows for the outbox (store/outbox.h). Called by the
 * engine and by the process of a trial, inside the transaction that makes it true.
 */
#ifndef FIRN_SERVE_ENGINE_POST_H
#define FIRN_SERVE_ENGINE_POST_H

#include "base/conf_section.h"
#include "store/mails.h"
#include "store/queue.h"
#include <jansson.h>

struct post_about {
	const struct conf *conf;
	struct store *store;
	const struct store_queued *trial;
	const struct store_posting *posting;
};

/* Is anything to be said? Not of a version that has been replaced, unless somebody asked. */
bool post_wanted(const struct post_about *about);

/*
 * Checks on every patch that Patchwork knows: a result for each step that `report` has (NULL:
 * none), "pending" for those to come. With `lost` (words) those to come are given up: "could not
 * find out". What has been said before is said again only when it is something else, and "pending"
 * never takes the place of a result. `report` may be of a trial that is under way.
 */
must_check int post_checks(const struct post_about *about, const json_t *report, const char *lost,
			   struct err *err);

/* The mail at the end, where the list's policy has one. */
must_check int post_mail(const struct post_about *about, const json_t *report, struct err *err);

/* The page of a trial, or of a step of it (NULL: the whole); NULL without web.url. The caller
 * frees.
 */
char *post_url(const struct post_about *about, const char *step);

/* A Message-ID of ours, "firn.NAME.HASH@DOMAIN of post.from": the same `what` gives the same one.
 * The caller frees. */
char *post_message_id(const struct conf *conf, const char *name, const char *what);

/* For tests: what one check says of one patch. `state` is a constant; the caller frees `words`. */
struct post_said {
	const char *state;
	char *words;
};
/* The context of a step ("build" with builder "ppc64le-lean": "firn-build-ppc64le"); NULL: it has
 * none. The caller frees. */
char *post_context(const char *step, const char *builder);
bool post_step_said(const json_t *report, const char *step, unsigned number, struct post_said *ret);
/* Names of the rows that were built besides the usual one; they belong to the report. */
size_t post_rows(const json_t *report, const char **ret_names, size_t most);
/* What such a row says of a patch. */
bool post_row_said(const json_t *report, const char *row, unsigned number, struct post_said *ret);

#endif
