/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the store knows in numbers, in Prometheus' text format 0.0.4 (exposition_formats.md of its
 * documentation). */
#ifndef FIRN_STORE_METRICS_H
#define FIRN_STORE_METRICS_H

#include "base/str.h"
#include "store/store.h"

/* Appends all families, of one moment. */
must_check int store_metrics(struct store *s, struct str *ret, struct err *err);

/* Without those that have to walk a table that grows: for who must not be kept waiting. */
must_check int store_metrics_quick(struct store *s, struct str *ret, struct err *err);

/* One family's head, and one sample of it; label values are escaped. For what the store does not
 * know. `label` is a name and a value, in turn, NULL at the end. */
void metrics_family(struct str *out, const char *name, const char *type, const char *help);
void metrics_sample(struct str *out, const char *name, const char *const *label, double value);

/* What a person looks for first. */
struct store_counts {
	int64_t mails, mails_new, postings, incomplete;
	int64_t waiting, running, finished;
	int64_t open, held, failed; /* of the outbox */
};
must_check int store_counts(struct store *s, struct store_counts *ret, struct err *err);

#endif
