/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tags that replies give to a series, by the rules that b4 documents (b4 am, --sloppy-trailers;
 * b4 trailers):
 *
 * - only what the sender writes himself counts: not what he quotes, not what is indented, not what
 *   stands below "-- ", not what belongs to a patch in the reply;
 * - a tag is for the patch that is answered, over other replies if need be; in an answer to the
 *   cover letter it is for all patches;
 * - the address in the tag must be the sender's, unless the rules are sloppy;
 * - what was said to an earlier version is carried over to the patches that have not changed.
 */
#ifndef FIRN_SERIES_REPLY_H
#define FIRN_SERIES_REPLY_H

#include "series/tag.h"
#include "series/thread.h"

enum given_state {
	GIVEN_TAKEN,
	GIVEN_CARRIED,	  /* said to an earlier version; the patch is the same */
	GIVEN_NACK,	  /* noted */
	GIVEN_MISMATCH,	  /* the address is not the sender's */
	GIVEN_NO_ADDRESS, /* "Reviewed-by: me" */
	GIVEN_STALE,	  /* said to an earlier version; the patch has changed */
	GIVEN_REPEATED,	  /* the patch has it already */
	GIVEN_IGNORED,	  /* from an address that the rules name */
	GIVEN_QUOTED,
	GIVEN_INDENTED,
	GIVEN_SIGNATURE,
	GIVEN_IN_PATCH, /* of a patch in the reply */
};

struct given {
	struct tag tag;
	enum given_state state;
	unsigned number;  /* of the patch in this series; 0: the whole series. Of a stale one, the
			     patch of the earlier version */
	unsigned version; /* of the series that was answered */
	const struct mail *mail; /* who said so, and where */
};

/* Anybody can write a mail of tags only. */
#define GIVEN_MAX 100000

struct given_list {
	struct given *item;
	size_t n, cap;
	bool truncated; /* there were more than GIVEN_MAX */
};

struct given_rules {
	bool sloppy;		   /* take tags whose address is not the sender's */
	const char *const *ignore; /* addresses whose tags are not taken (bots); NULL at the end, or
				      NULL */
};

/* "taken", "not taken: the address is not the sender's", ... */
const char *given_state_words(enum given_state state);
/* Counts for the patch: taken or carried. */
bool given_counts(const struct given *g);

/* What was given to a series of the set, in the order of its patches (the cover
 * letter first), each in the order of the mails' dates. `ret` is overwritten. */
void given_collect(const struct threads *t, const struct series *s, const struct given_rules *rules,
		   struct given_list *ret_list);
/* Adds what was given to an earlier version. `old_of` as patch_pairs_find() makes it, or from a
 * range-diff: only patches that are the same are paired. */
void given_carry(struct given_list *list, const struct series *s, const struct given_list *earlier,
		 const struct series *old, const size_t *old_of);
/* Both for all versions that the series has (series->older): what a report wants. */
void given_of_versions(const struct threads *t, const struct series *s,
		       const struct given_rules *rules, struct given_list *ret_list);
void given_list_done(struct given_list *l);

/* What became of the tags between two versions. */
enum tag_change_kind {
	TAG_INVENTED, /* in the new commit message; nobody gave it in a mail, and the old version
			 had it not. Verdicts only: others need no mail */
	TAG_DROPPED,  /* given to the old version, or in its message, and missing from the new one,
			 whose change is the same */
};

struct tag_change {
	enum tag_change_kind kind;
	struct tag tag;
	unsigned number;	 /* of the patch in the new series */
	const struct mail *mail; /* TAG_DROPPED: where it was given; NULL: in the old message */
};

struct tag_changes {
	struct tag_change *item;
	size_t n, cap;
};

/* A version with all that was given to it. */
struct tagged_series {
	const struct series *series;
	const struct given_list *given;
};

/* `old_of` pairs the same changes, as above. */
void tag_changes_find(struct tagged_series now, struct tagged_series old, const size_t *old_of,
		      struct tag_changes *ret_changes);
void tag_changes_done(struct tag_changes *c);

#endif
