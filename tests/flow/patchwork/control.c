// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /control/...: what a test tells the stand-in while it runs. None of this is Patchwork's.
 *
 *	/control/fault/NAME=COUNT	misbehave so many times (-1: always, 0: not any more)
 *	/control/late/SECONDS		events get dates that are so much earlier
 *	/control/mail/PROJECT		a mail comes: the body
 *	/control/requests		what was asked for: "METHOD URI" lines
 */
#include "stand_in.h"

const char *const fault_names[FAULT_N] = {
	[FAULT_CHECK_500] = "check-500",
	[FAULT_CHECK_500_BEFORE] = "check-500-before",
	[FAULT_SLOW] = "slow",
	[FAULT_CUT] = "cut",
	[FAULT_HTML_502] = "html-502",
	[FAULT_WALL] = "wall",
	[FAULT_MOVED] = "moved",
	[FAULT_SHUFFLE] = "shuffle",
	[FAULT_DUPLICATE] = "duplicate",
	[FAULT_FOREIGN] = "foreign",
	[FAULT_FOREIGN_NEXT] = "foreign-next",
};
int faults[FAULT_N];

static struct str requests;

bool fault_take(enum fault f)
{
	if (faults[f] == 0)
		return false;
	if (faults[f] > 0)
		faults[f]--;
	return true;
}

bool fault_set(const char *text)
{
	size_t n = strcspn(text, "=");

	for (int i = 0; i < FAULT_N; i++)
		if (strlen(fault_names[i]) == n && strncmp(fault_names[i], text, n) == 0) {
			faults[i] = text[n] ? (int)strtol(text + n + 1, NULL, 10) : 1;
			return true;
		}
	return false;
}

static bool take_mail(struct server *s, const char *project, const struct request *q)
{
	struct mail *m = NULL;
	struct err err = ERR_INIT;

	if (mail_parse(q->body.buf, q->body.len, "control", &m, &err) < 0)
		return false;
	server_take(s, server_project(s, project), m);
	mail_free(m);
	return true;
}

bool control(struct server *s, const struct request *q, struct reply *r)
{
	bool done;

	if (!requests.buf)
		str_init(&requests, 0);
	if (!str_starts(q->path, "/control/")) {
		str_addf(&requests, "%s %s\n", q->method, q->uri);
		return false;
	}
	r->type = "text/plain";
	if (str_starts(q->path, "/control/fault/")) {
		done = fault_set(q->path + strlen("/control/fault/"));
	} else if (str_starts(q->path, "/control/late/")) {
		s->late_s = strtol(q->path + strlen("/control/late/"), NULL, 10);
		done = true;
	} else if (str_starts(q->path, "/control/mail/")) {
		done = take_mail(s, q->path + strlen("/control/mail/"), q);
	} else {
		done = strcmp(q->path, "/control/requests") == 0;
		str_add(&r->body, requests.buf, requests.len);
	}
	r->status = done ? 200 : 400;
	return true;
}
