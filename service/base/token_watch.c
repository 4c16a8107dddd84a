// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/token_file.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"

/* Times of files are as coarse as a tick of the kernel's clock, or as a second over NFS: what was
 * written so long ago has another time than what is written now. */
#define SETTLES_S 3

static bool time_is(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* The time of change too: of the mode, and of what was given an old time of modification. */
static bool file_is(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       time_is(a->st_mtim, b->st_mtim) && time_is(a->st_ctim, b->st_ctim);
}

static bool tokens_are(const struct tokens *a, const struct tokens *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = strcmp(a->token[i].name, b->token[i].name) == 0 &&
		       strcmp(a->token[i].secret, b->token[i].secret) == 0;
	return same;
}

static void tokens_take(struct token_watch *w, struct tokens *fresh, bool *ret_news)
{
	*ret_news = !tokens_are(&w->tokens, fresh);
	tokens_done(&w->tokens);
	w->tokens = *fresh;
	free(take(w->mistake));
}

/* Told once. */
static int wrong(struct token_watch *w, const struct err *why, struct err *err)
{
	if (w->mistake && strcmp(w->mistake, why->msg) == 0)
		return 0;
	free(w->mistake);
	w->mistake = xstrdup(why->msg);
	*err = *why;
	return why->kind;
}

int token_watch_look(struct token_watch *w, bool *ret_news, struct err *err)
{
	struct tokens fresh = {0};
	struct err why = ERR_INIT;
	struct stat now = {0}; /* of one that is gone */

	(void)!stat(w->path, &now);
	if (w->settled && file_is(&now, &w->seen))
		return 0;
	w->seen = now;
	w->settled = clock_wall() - now.st_ctim.tv_sec >= SETTLES_S;
	if (tokens_read(w->path, &fresh, &why) < 0)
		return wrong(w, &why, err);
	tokens_take(w, &fresh, ret_news);
	return 0;
}

void token_watch_done(struct token_watch *w)
{
	tokens_done(&w->tokens);
	free(take(w->mistake));
}
