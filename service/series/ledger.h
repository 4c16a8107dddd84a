/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger: what became of every mail of an input, each in exactly one state, with the reason.
 * Nothing is dropped silently.
 */
#ifndef FIRN_SERIES_LEDGER_H
#define FIRN_SERIES_LEDGER_H

#include "series/offer.h"
#include <jansson.h>

/* In this order: a mail is in the first state that fits. X(constant, word) */
#define MAIL_STATES(X)                                                                             \
	X(MAIL_UNREADABLE, "unreadable") /* is no mail, or could not be taken apart */             \
	X(MAIL_COVER, "cover")                                                                     \
	X(MAIL_PATCH, "patch")                                                                     \
	X(MAIL_DUPLICATE, "duplicate")	/* of a Message-ID, or of a number in a series */          \
	X(MAIL_NOT_A_PATCH, "no patch") /* calls itself one, and holds no diff */                  \
	X(MAIL_COMMAND, "command")	/* a line of its own begins with "firn:" */                \
	X(MAIL_PULL, "pull request")                                                               \
	X(MAIL_OFFER, "offer") /* a reply with a diff */                                           \
	X(MAIL_BOT, "robot")   /* sent by a program */                                             \
	X(MAIL_TAGS, "tags")   /* a reply that gives tags */                                       \
	X(MAIL_REPLY, "reply")                                                                     \
	X(MAIL_OTHER, "other") /* none of all these */

enum mail_state {
#define X(constant, word) constant,
	MAIL_STATES(X)
#undef X
};

struct ledger_row {
	size_t number; /* of the mail in the input, from 1; 0: what the source passed over */
	enum mail_state state;
	const struct mail *mail; /* NULL when number is 0 */
	size_t series;		 /* from 1: the series that it is a part of, or answers; 0: none */
	unsigned patch;		 /* of that series; 0: the cover letter, or the series as a whole */
	char *reason;
};

struct ledger {
	struct ledger_row *row; /* in the order of the input; then what was passed over */
	size_t n;
};

/* `offers` as offers_find() made them from the same mails and set. */
void ledger_make(const struct mail_list *mails, const struct series_set *set,
		 const struct threads *t, const struct offers *offers, struct ledger *ret_ledger);
void ledger_done(struct ledger *l);

const char *mail_state_name(enum mail_state state);

/* One line for each row: number, state, Message-ID, subject, reason; columns aligned, no newline at
 * the end. The words of strangers are in them: escape before printing. The caller frees each line,
 * and the array. */
char **ledger_lines(const struct ledger *l);

/* An array of objects: number, state, series, patch, message_id, subject, from, reason. The caller
 * owns it. */
json_t *ledger_json(const struct ledger *l);

#endif
