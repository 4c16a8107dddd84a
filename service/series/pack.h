/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pack file of whole objects (gitformat-pack(5)). */
#ifndef FIRN_SERIES_PACK_H
#define FIRN_SERIES_PACK_H

#include "base/err.h"
#include "series/bytes.h"
#include <git2.h>

struct pack_object {
	git_object_t type;
	struct bytes bytes;
};

/*
 * Writes the objects, each once, into the repository's objects/pack, with an index. libgit2's
 * indexer writes aside and renames, so a reader sees the whole pack or none. libgit2's packbuilder
 * would do as well, but looks for deltas, which costs more than applying a series does.
 */
must_check int pack_write(git_repository *repo, const struct pack_object *obj, size_t n,
			  struct err *err);

#endif
