/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail server in a process of its own that misbehaves on request, and an archive of what it took.
 */
#ifndef FIRN_TESTS_SMTP_STAND_IN_H
#define FIRN_TESTS_SMTP_STAND_IN_H

#include <sys/types.h>

struct smtp_stand_in {
	pid_t pid;
	unsigned port;
};

/*
 * Listens on a free port of 127.0.0.1. Each connection takes the next behaviour; the last one
 *stays. "ok"		takes the mail: FOLDER/N.eml, the envelope in FOLDER/N.to "COMMAND CODE"
 *answers it so: "EHLO 554", "MAIL 451", "RCPT 550", "DATA 421", "END 451"
 *	"refuse TEXT"	550 for the recipients that hold TEXT
 *	"cut"		takes the mail, and cuts the connection before it says so
 *	"cut-early"	cuts it after the first bytes of the mail
 *	"mute"		takes the mail and does not answer
 *	"garbage"	says what is no SMTP
 *	"exec COMMAND"	is that program, on standard input and output (msmtpd --inetd)
 */
struct smtp_stand_in smtp_stand_in_start(const char *folder, const char *const *behaviour);
/* An archive over HTTP: /LIST/ID/raw is 200 for ids of mails in the folder, 404 for others. */
struct smtp_stand_in archive_stand_in_start(const char *folder);
void smtp_stand_in_stop(struct smtp_stand_in *s);
/* Mails in the folder. */
unsigned smtp_stand_in_count(const char *folder);

#endif
