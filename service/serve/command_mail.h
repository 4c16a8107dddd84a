/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands in mails: a line "firn: rerun [what]" or "firn: stop" of the sender's own words. Who may
 * give them, and how it is made sure that it is he: INTAKE.md.
 */
#ifndef FIRN_SERVE_COMMAND_MAIL_H
#define FIRN_SERVE_COMMAND_MAIL_H

#include "base/conf_section.h"
#include "intake/mail.h"
#include "store/mails.h"
#include <jansson.h>

enum command_kind { COMMAND_RERUN, COMMAND_STOP };
struct command {
	enum command_kind kind;
	json_t *arguments; /* of the request */
};
/* Reads one line. ERR_INPUT says what is wrong with it; `ret` is untouched then. */
must_check int command_parse(const char *line, struct command *ret, struct err *err);
void command_done(struct command *c);

/* In hand. */
struct command_mail {
	const struct conf *conf;
	struct store *store;
	const struct mail *mail;
	int64_t id;	      /* of the mail in the store */
	int64_t posting;      /* that the mail answers; 0: not known */
	const char *who;      /* address, lower case */
	const char *key_file; /* for tests: libopendkim's DKIM_QUERY_FILE; NULL: DNS */
};
/*
 * Obeys the mail's command, or not: adds a request, within the caller's transaction. `*ret_words`
 * (the caller frees) says what became of it, for the ledger. Fails only for the store's sake.
 */
must_check int command_mail_run(const struct command_mail *c, char **ret_words, struct err *err);

/* Why a mail is never obeyed, whoever sent it: a program's, or one of ours. NULL: it may be. The
 * caller frees. */
char *command_loop(const struct conf *conf, const struct mail *m);

/* Is From: who it says? `*ret_why` (the caller frees) is NULL, or says why that is not certain. */
struct command_auth {
	const char *authserv; /* "results" */
	const char *key_file;
};
void command_auth_results(const struct mail *m, const struct command_auth *how, char **ret_why);
void command_auth_verify(const struct mail *m, const struct command_auth *how, char **ret_why);
/* Was firn built with libopendkim? */
bool command_can_verify(void);
/* `domain` signs for the address: is its domain, or one above it. */
bool command_signs_for(const char *domain, const char *address);

/* The next header field of `name` from `*pos` on, unfolded; NULL at the end of the headers. The
 * caller frees. `*pos` begins at 0. */
char *header_next(const struct mail *m, const char *name, size_t *pos);

/* Is `address` in an M: or R: line of a MAINTAINERS entry whose F: patterns (and not its X:) match
 * one of the files, NULL at the end? */
bool maintainers_has(const char *text, size_t n, const char *address, char *const *files);

#endif
