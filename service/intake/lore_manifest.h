/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: which epochs a list has, by its manifest.js.gz (grokmirror's format). */
#ifndef FIRN_INTAKE_LORE_MANIFEST_H
#define FIRN_INTAKE_LORE_MANIFEST_H

#include "intake/lore.h"

#define FINGERPRINT_MAX 41

struct lore_manifest {
	bool there; /* false: the server has none */
	struct lore_manifest_epoch {
		unsigned number;
		char fingerprint[FINGERPRINT_MAX]; /* of its branches; "" */
	} * epoch;				   /* by number */
	size_t n, cap;
};
must_check int manifest_get(struct http *http, const char *list_url, struct lore_manifest *ret,
			    struct err *err);
void manifest_done(struct lore_manifest *m);
#define auto_manifest __attribute__((cleanup(manifest_done)))

/* Whether the archive's epoch is still at this commit, as far as the manifest tells. */
bool manifest_is_at(const struct lore_manifest_epoch *e, const git_oid *commit);

#endif
