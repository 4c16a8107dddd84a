/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the post role: one row of the outbox at a time. See POST.md for what each state means and
 * what a crash leaves behind.
 */
#ifndef FIRN_SERVE_POST_DELIVER_H
#define FIRN_SERVE_POST_DELIVER_H

#include "intake/http.h"
#include "serve/role.h"
#include "store/outbox.h"

enum deliver_mode { DELIVER_DRY, DELIVER_MODERATED, DELIVER_LIVE };

struct deliver {
	const struct role_env *env;
	enum deliver_mode mode;
	struct http *http;
	char *dir;	   /* where a dry run writes what would have been sent */
	bool limit_logged; /* that there are too many mails was said already */
};

/* Older news are not told: a server that was away so long is given up. */
#define DELIVER_DAYS  3
#define DELIVER_TRIES 30 /* three days of them are more than twice as many */

/* Each does what can be done about the row now, and notes it. An error ends the role: it is one of
 * the configuration, of the store, or a cancel. */
must_check int deliver_mail(struct deliver *d, const struct store_post *post, struct err *err);
must_check int deliver_check(struct deliver *d, const struct store_post *post, struct err *err);
/* A dry run: the file to look at. */
must_check int deliver_mail_dry(struct deliver *d, const struct store_post *post, struct err *err);
must_check int deliver_check_dry(struct deliver *d, const struct store_post *post, struct err *err);
/* Answers every request that is the post role's. */
must_check int deliver_requests(struct deliver *d, struct err *err);

/* Notes what was done about the row as it is now, `delay_s` from now on if more is to be done; logs
 * it. */
must_check int deliver_tell(struct deliver *d, const struct store_post *post,
			    enum store_delivery_state state, double delay_s, const char *words,
			    struct err *err);
/* Seconds until the next try; a tenth of it is jitter by the row. */
double deliver_backoff(const struct store_post *post);
/* It has been tried for longer than DELIVER_DAYS, and often. */
bool deliver_is_stale(const struct store_post *post);
/* Older than that and never tried: after a long pause, or by a clock that is wrong. It waits for a
 * person. */
bool deliver_is_old(const struct store_post *post);
/* Writes DATA/outbox/ID.SUFFIX, and notes that it would have been sent. */
must_check int deliver_show(struct deliver *d, const struct store_post *post, const char *suffix,
			    const struct str *text, struct err *err);

/* post_lookup.c: a mail whose answer was lost. */
enum deliver_seen {
	DELIVER_NOWHERE, /* no archive would have it */
	DELIVER_ABSENT,
	DELIVER_THERE,
	DELIVER_LATER, /* the archive does not answer; `words` says why */
};
enum deliver_seen deliver_lookup(struct deliver *d, const struct store_post *post,
				 struct err *words);
/* Is it one that an archive gets? */
must_check int deliver_has_archive(struct deliver *d, const struct store_post *post,
				   const char **ret_url, struct err *err);

#endif
