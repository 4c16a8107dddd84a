// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * post-feed fill DATA N WORDS	a trial with N mails to a list and an author, and N checks of
 *two kinds for the patches of the Patchwork "pw" post-feed states DATA	"POSTER STATE" of each row,
 *sorted by id, with its words
 * post-feed pass DATA		what waits for a later time may be done now
 * post-feed smtp FOLDER BEHAVIOUR...	a mail server (unit/serve/smtp_stand_in.h); prints its port
 * post-feed archive FOLDER	its archive; prints its port
 */
#include "base/fs.h"
#include "base/str.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/queue.h"
#include "store/sql.h"
#include "unit/serve/smtp_stand_in.h"
#include <err.h>
#include <sys/wait.h>

static struct err error;

static void must(int rc)
{
	if (rc < 0)
		errx(1, "%s", error.msg);
}

static struct store *open_it(const char *data)
{
	auto_free char *path = xasprintf("%s/firn.db", data);
	struct store *s = NULL;

	must(fs_mkdirs(data, &error));
	must(store_open(path, STORE_WRITE, &s, &error));
	return s;
}

static void put(struct store *s, const struct store_post_new *post)
{
	int64_t id;

	must(store_outbox_put(s, post, &id, &error));
}

static int64_t trial_make(struct store *s)
{
	static const char *const steps[] = {"apply", NULL};
	const struct store_plan plan = {
		.list = "demo",
		.digest = "d",
		.priority = STORE_NEW,
		.plan = "{}",
		.series = {.title = "t", .message_id = "1@example.org", .author = "Ada"},
	};
	int64_t trial = 0;

	must(store_queue_add(s, &plan, steps, &trial, &error));
	return trial;
}

static void mail_put(struct store *s, int64_t trial, int n)
{
	auto_free char *id = xasprintf("firn.%d@example.org", n);
	auto_json json_t *want = json_pack(
		"{s:[s], s:[s], s:s, s:s, s:[s], s:s}", "to", "Ådá Example <ada@example.org>", "cc",
		"demo@lists.example.org", "subject", "Re: [PATCH] ‘x’: tidy up", "in_reply_to",
		"1@example.org", "references", "1@example.org", "body",
		"This fails: ‘x’ does not build.\n.\n. dots\nFrom here\n");

	put(s,
	    &(const struct store_post_new){
		    .trial = trial, .poster = "mail", .target = id, .context = "", .want = want});
}

static const char *words;

static void check_put(struct store *s, int64_t trial, int n, const char *context)
{
	auto_free char *target = xasprintf("pw %d", n);
	auto_json json_t *want = json_pack("{s:s, s:s}", "state", "success", "description", words);

	put(s, &(const struct store_post_new){.trial = trial,
					      .poster = "patchwork",
					      .target = target,
					      .context = context,
					      .want = want});
}

static void fill(struct store *s, int n)
{
	int64_t trial = trial_make(s);

	for (int i = 1; i <= n; i++) {
		mail_put(s, trial, i);
		check_put(s, trial, i, "firn-apply");
		check_put(s, trial, i, "firn-checkpatch");
	}
}

static void states(struct store *s)
{
	struct store_post_list l = {0};

	must(store_outbox_list(s, STORE_OUTBOX_ALL, 0, 1000, &l, &error));
	for (size_t i = l.n; i-- > 0;)
		printf("%s %s: %s\n", l.post[i].poster, store_delivery_state_name(l.post[i].state),
		       l.post[i].words);
	store_post_list_done(&l);
}

static void pass(struct store *s)
{
	must(sql_exec(s, "UPDATE delivery SET not_before = 0", "letting time pass", &error));
}

static void serve(struct smtp_stand_in server)
{
	printf("%u\n", server.port);
	fflush(stdout);
	waitpid(server.pid, NULL, 0);
}

int main(int argc, char **argv)
{
	auto_store struct store *s = NULL;
	const char *what = argc > 2 ? argv[1] : "";

	if (strcmp(what, "smtp") == 0 && argc > 3) {
		serve(smtp_stand_in_start(argv[2], (const char *const *)argv + 3));
		return 0;
	}
	if (strcmp(what, "archive") == 0) {
		serve(archive_stand_in_start(argv[2]));
		return 0;
	}
	if (argc < 3)
		errx(64, "see post_feed.c");
	s = open_it(argv[2]);
	if (strcmp(what, "fill") == 0 && argc > 4) {
		words = argv[4];
		fill(s, (int)strtol(argv[3], NULL, 10));
	} else if (strcmp(what, "states") == 0)
		states(s);
	else if (strcmp(what, "pass") == 0)
		pass(s);
	else
		errx(64, "see post_feed.c");
	return 0;
}
