/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series: one version of one posting, made from mails.
 */
#ifndef FIRN_SERIES_SERIES_H
#define FIRN_SERIES_SERIES_H

#include "intake/mail.h"
#include "series/diff.h"

/* An author or committer, as git writes one. */
struct ident {
	char *name, *email; /* UTF-8 */
	int64_t time;	    /* seconds since 1970 UTC */
	int tz_minutes;	    /* east of UTC is positive */
};

/* What the subject line says: [RFC PATCH v3 02/10] mm: text. SubmittingPatches in the kernel's
 * documentation. */
struct subject {
	bool is_reply;	  /* Re:, Fwd: and the like in front */
	bool is_patch;	  /* has PATCH in its brackets, or begins with "PATCH 1/2:" */
	bool resend;	  /* RESEND or REPOST in the brackets */
	unsigned version; /* 1 when it says nothing */
	unsigned minor;	  /* 1 of "v5.1", which is a v5 with some patches made anew; else 0 */
	unsigned number;  /* 0 for a cover letter "0/N"; 1 when it says nothing */
	unsigned total;	  /* 1 when it says nothing */
	bool numbered;	  /* says N/M */
	char *prefixes; /* the other words in the brackets, separated by spaces: "RFC net-next"; ""
			 */
	char *text;	/* what remains, as `git am` would keep it */
};

/* Never fails: what is no prefix is text. `*ret_subject` is overwritten. */
void subject_parse(const char *line, struct subject *ret_subject);
void subject_done(struct subject *s);

struct patch {
	const struct mail *mail; /* belongs to the mail list */
	struct subject subject;
	struct ident author; /* in-body From: wins over the header (git-am(1)) */
	char *message; /* the commit message as `git am` would make it: subject, blank line, body.
			  UTF-8 */
	char *below;   /* what stands between "---" and the diff: changelog, diffstat. May be "" */
	char *diff_text; /* from the first diff line to the end of the mail; "" when there is none
			  */
	size_t diff_len;
	struct diff *diff; /* parsed diff_text; NULL when it could not be parsed */
	char *diff_error;  /* why not; NULL otherwise */
	char *damage;	   /* how the mail may have spoilt the diff, to be said when it does not
			      apply; NULL */
	bool borrowed;	   /* stands in a newer series too; the memory is the older one's */
};

/* Anybody can write 1/9999. */
#define SERIES_MISSING_MAX 1000

/*
 * Has at least one patch.
 *
 * Who sends some patches of a posting again ("[PATCH v5.1 10/12]", or a v2 in answer to patch 3 of
 * v1) makes a series that is `composed`: the other patches are those of the older version. Each
 * patch's subject has the version it comes from, and `borrowed` is set on the older ones.
 */
struct series {
	char *title;	  /* cover subject, else the first patch's */
	char *message_id; /* of the cover, else of the first patch; "" when the mail has none. Of a
			     composed series: of the first patch that is its own */
	unsigned version, minor;
	bool resend;		  /* says RESEND: the same version again */
	unsigned total;		  /* how many patches the numbers promise */
	struct ident author;	  /* who posted it */
	const struct mail *cover; /* NULL when there is none */
	struct patch *patch;	  /* in order of their numbers */
	size_t n_patches;
	unsigned *missing; /* numbers that have not come, at most the first SERIES_MISSING_MAX */
	size_t n_missing;
	char *base_commit; /* hex of the "base-commit:" trailer (git-format-patch(1)), 7 to 40
			      digits; NULL */
	char *change_id;   /* what b4 writes into covers: the same in all versions; NULL */
	char *composed;	   /* "v1 with v2 of patch 3"; NULL: every patch is its own */
	char *note; /* what is odd about it: "the numbers disagree: ..."; NULL. For a warning */

	/* Set by versions_link(), see version.h. */
	size_t chain;		    /* the same number: versions of one posting */
	const struct series *older; /* the version before, in the same set; NULL */
	char *older_why;	    /* how that was found: "same change-id"; NULL without `older` */
};

/* The mails of one input that are not part of a series, and why: nothing is dropped silently. */
struct mail_fate {
	const struct mail *mail;
	char *why; /* "a reply", "not a patch", "patch 2/3 of series 1", ... */
};

struct series_set {
	struct series *series;
	size_t n_series;
	size_t n_chains;	/* how many postings these are versions of */
	struct mail_fate *fate; /* one for each mail of the input, in its order */
	size_t n_fates;
};

/*
 * Sorts mails into series, the earliest first, and links their versions. What belongs together is
 * said by the thread, by who sent it and by what the brackets say: never by a subject alone, and
 * never by how much time passed. The order of the list does not matter, except among mails that
 * have no Message-ID. Never fails for what the mails hold: that is in the fates and notes.
 * ERR_CANCELLED. The list must outlive the set.
 */
must_check int collate(const struct mail_list *mails, struct series_set *ret_set, struct err *err);
void series_set_done(struct series_set *set);

/* Has patches, and none is missing. */
bool series_is_complete(const struct series *s);

#endif
