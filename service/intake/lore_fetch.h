/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside intake/: fetching the commits of an epoch over git's smart HTTP (gitprotocol-http(5),
 * gitprotocol-pack(5), version 0), by our own HTTP client: so a server that hangs, a cancel and a
 * page of HTML end it as they end any other request, and the beginning of a long history can be
 * left where it is, which libgit2 1.5 cannot.
 */
#ifndef FIRN_INTAKE_LORE_FETCH_H
#define FIRN_INTAKE_LORE_FETCH_H

#include "intake/http.h"
#include "intake/oids.h"

struct lore_tip {
	bool exists;   /* there is such an epoch */
	bool has_mail; /* it has a commit: `oid` */
	bool can_cut;  /* the server can leave out old history */
	git_oid oid;
};
/* `url` is of the epoch: "https://lore.kernel.org/linuxppc-dev/git/0.git". */
must_check int lore_fetch_tip(struct http *http, const char *url, struct lore_tip *ret,
			      struct err *err);
/* Whether the server still has this commit. */
must_check int lore_fetch_knows(struct http *http, const char *url, const git_oid *tip,
				const git_oid *commit, bool *ret_knows, struct err *err);

struct lore_want {
	const git_oid *tip, *have; /* `have` and all before it is here; NULL */
	unsigned depth;		   /* so many commits from the tip on; 0: all */
	const char *pack_dir;	   /* where the pack goes */
	struct oids *shallow;	   /* where our history begins: given and changed */
};
/* Fetches a pack and files it, whole or not at all. */
must_check int lore_fetch_pack(struct http *http, const char *url, const struct lore_want *want,
			       struct err *err);

#endif
