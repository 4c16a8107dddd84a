/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An offer: a diff that somebody put into a reply, plain or as a whole patch behind scissors
 * ("-- >8 --"). It is never a new version; on request it is tried on top of what it answers.
 */
#ifndef FIRN_SERIES_OFFER_H
#define FIRN_SERIES_OFFER_H

#include "series/thread.h"

struct offer {
	const struct mail *mail;
	size_t series;	    /* index in the set; SIZE_MAX when what it answers is not here */
	unsigned number;    /* the patch that it answers; 0: the series as a whole */
	struct patch patch; /* as it would be tried: subject "offer: ...", the sender (or the From:
			       behind the scissors) as author, a message that names the mail. Its
			       diff is NULL when `wrong` says why */
	bool whole;  /* has a message of its own: perhaps meant in place of what it answers */
	char **file; /* that it touches; none when the diff cannot be read */
	size_t n_files;
	char *wrong; /* why it cannot be tried: "the diff is quoted", "line 12: hunk ends early";
			NULL */
};

struct offers {
	struct offer *item;
	size_t n, cap;
};

/* All offers, in the order of what they answer and then of the mails' dates. Patches and series are
 * those of `set`. */
void offers_find(const struct threads *t, const struct mail_list *mails,
		 const struct series_set *set, struct offers *ret_offers);
void offers_done(struct offers *o);

/* By Message-ID, with or without <>; NULL when there is none. */
const struct offer *offers_get(const struct offers *o, const char *message_id);

enum offer_where { OFFER_ON_TOP, OFFER_INSTEAD };

/* The patches up to what the offer answers, that one included unless the offer is to be tried
 * instead of it, and the offer as the last one. ERR_PATCH when the offer cannot be tried, ERR_INPUT
 * when a patch before it is missing. `*ret_set` holds one series and no fates, and goes to
 * series_set_done(); the mails must outlive it. */
must_check int offer_series(const struct offer *o, const struct series_set *set,
			    enum offer_where where, struct series_set *ret_set, struct err *err);

#endif
