// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For engine.sh: puts into a store what the intake role would.
 *
 *	engine-feed DATA mbox LIST MBOX
 *		mails and postings; every patch is known to Patchwork "pw"
 *	engine-feed DATA newer OLD NEW		posting NEW (by message ID) replaces OLD
 *	engine-feed DATA request KIND ID JSON	what a person asks for
 *	engine-feed DATA refused WHO ID WORDS	a command by mail that is not obeyed
 *	engine-feed DATA sql QUERY		rows, columns separated by "|"
 */
#include "base/cleanup.h"
#include "base/json.h"
#include "base/str.h"
#include "intake/source.h"
#include "series/series.h"
#include "store/mails.h"
#include "store/requests.h"
#include "store/sql.h"
#include <git2.h>

#define FEED_PATCHWORK 1000

static int mail_feed(struct store *s, const char *list, const struct mail *m, int64_t *ret_id,
		     struct err *err)
{
	const char *refs[] = {m->in_reply_to, NULL};
	const struct store_mail_new new = {.message_id = m->message_id,
					   .refs = refs,
					   .subject = m->subject,
					   .from_name = m->from.name,
					   .from_email = m->from.email,
					   .date = m->date,
					   .raw = m->raw,
					   .raw_len = m->raw_len,
					   .list = list,
					   .source = "feed",
					   .place = m->message_id};
	bool is_new;

	return store_mail_add(s, &new, ret_id, &is_new, err);
}

static int patchwork_feed(struct store *s, const struct mail *m, int64_t mail, struct err *err)
{
	auto_free char *url = xasprintf("http://127.0.0.1/patch/%lld/", (long long)mail);
	const struct store_patchwork row = {.server = (char *)"pw",
					    .message_id = m->message_id,
					    .url = url,
					    .number = FEED_PATCHWORK + mail};

	return getenv("FEED_NO_PATCHWORK") ? 0 : store_patchwork_put(s, &row, err);
}

static int patch_feed(struct store *s, const char *list, const struct patch *patch,
		      struct store_posting *p, struct err *err)
{
	struct store_posting_patch *row = &p->patch[p->n_patches];
	int64_t mail = 0;
	int rc = mail_feed(s, list, patch->mail, &mail, err);

	if (rc == 0)
		rc = patchwork_feed(s, patch->mail, mail, err);
	*row = (struct store_posting_patch){.number = patch->subject.number,
					    .message_id = patch->mail->message_id,
					    .subject = patch->mail->subject,
					    .mail = mail};
	p->n_patches++;
	return rc;
}

static int series_feed(struct store *s, const char *list, const struct series *series,
		       struct err *err)
{
	struct store_posting p = {.list = (char *)list,
				  .message_id = series->message_id,
				  .title = series->title,
				  .author_name = series->author.name,
				  .author_email = series->author.email,
				  .digest = series->message_id,
				  .version = series->version,
				  .total = series->total,
				  .have = (unsigned)series->n_patches,
				  .date = series->author.time,
				  .state = STORE_POSTING_COMPLETE};
	auto_free struct store_posting_patch *patch =
		xcalloc(series->n_patches + 1, sizeof(*patch));
	int64_t id, mail = 0;
	int rc = 0;

	p.patch = patch;
	if (series->cover) {
		rc = mail_feed(s, list, series->cover, &mail, err);
		patch[p.n_patches++] =
			(struct store_posting_patch){.message_id = series->cover->message_id,
						     .subject = series->cover->subject,
						     .mail = mail};
	}
	for (size_t i = 0; rc == 0 && i < series->n_patches; i++)
		rc = patch_feed(s, list, &series->patch[i], &p, err);
	return rc < 0 ? rc : store_posting_put(s, &p, &id, err);
}

static int mbox_feed(struct store *s, const char *list, const char *path, struct err *err)
{
	struct mail_list mails = {0};
	struct series_set set = {0};
	int rc = source_read(path, &mails, err);

	if (rc == 0)
		rc = collate(&mails, &set, err);
	for (size_t i = 0; rc == 0 && i < set.n_series; i++)
		rc = series_feed(s, list, &set.series[i], err);
	series_set_done(&set);
	mail_list_done(&mails);
	return rc;
}

static int newer_feed(struct store *s, const char *old, const char *new, struct err *err)
{
	int64_t from = 0, to = 0;
	int rc = store_posting_find(s, old, &from, err);

	if (rc == 0)
		rc = store_posting_find(s, new, &to, err);
	return rc < 0 ? rc : store_posting_link(s, from, to, err);
}

static int request_feed(struct store *s, const char *kind, const char *id, const char *json,
			struct err *err)
{
	auto_json json_t *arguments = json_loads(json, 0, NULL);
	const struct store_request r = {.kind = (char *)kind,
					.message_id = (char *)id,
					.arguments = arguments,
					.who = (char *)"ada",
					.via = (char *)"command"};
	int64_t request;

	return store_request_add(s, &r, &request, err);
}

/* A mail of `who` that answers `id`, whose command the intake role refused. */
static int refused_feed(struct store *s, const char *who, const char *id, const char *words,
			struct err *err)
{
	auto_json json_t *arguments = json_object();
	const char *refs[] = {id, NULL};
	const struct store_mail_new mail = {.message_id = "command@example.net",
					    .refs = refs,
					    .subject = "Re: a series",
					    .from_name = "",
					    .from_email = who,
					    .raw = "",
					    .list = "demo",
					    .source = "feed",
					    .place = "command"};
	struct store_request r = {.kind = (char *)"rerun",
				  .message_id = (char *)"",
				  .arguments = arguments,
				  .who = (char *)who,
				  .via = (char *)"mail"};
	int64_t request;
	bool is_new;
	int rc = store_mail_add(s, &mail, &r.mail, &is_new, err);

	json_object_set_new(arguments, "refuse", json_text(words));
	json_object_set_new(arguments, "about", json_text(id));
	return rc < 0 ? rc : store_request_add(s, &r, &request, err);
}

static int query(struct store *s, const char *sql, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	while (rc >= 0 && (rc = sql_step(s, stmt, "a test", err)) > 0) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++)
			printf("%s%s", i ? "|" : "",
			       sqlite3_column_text(stmt, i)
				       ? (const char *)sqlite3_column_text(stmt, i)
				       : "");
		putchar('\n');
	}
	return rc;
}

int main(int argc, char **argv)
{
	auto_store struct store *s = NULL;
	struct err err = ERR_INIT;
	const char *what = argc > 3 ? argv[2] : "";
	auto_free char *path = xasprintf("%s/firn.db", argc > 1 ? argv[1] : "");
	int rc;

	git_libgit2_init();
	rc = store_open(path, STORE_WRITE, &s, &err);
	if (rc == 0 && strcmp(what, "mbox") == 0 && argc == 5)
		rc = mbox_feed(s, argv[3], argv[4], &err);
	else if (rc == 0 && strcmp(what, "newer") == 0 && argc == 5)
		rc = newer_feed(s, argv[3], argv[4], &err);
	else if (rc == 0 && strcmp(what, "request") == 0 && argc == 6)
		rc = request_feed(s, argv[3], argv[4], argv[5], &err);
	else if (rc == 0 && strcmp(what, "refused") == 0 && argc == 6)
		rc = refused_feed(s, argv[3], argv[4], argv[5], &err);
	else if (rc == 0 && strcmp(what, "sql") == 0 && argc == 4)
		rc = query(s, argv[3], &err);
	else if (rc == 0)
		rc = err_set(&err, ERR_USAGE, "engine-feed: wrong usage");
	git_libgit2_shutdown();
	if (rc < 0)
		fprintf(stderr, "%s\n", err.msg);
	return rc < 0;
}
