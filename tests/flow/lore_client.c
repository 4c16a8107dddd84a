// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The archive part of intake by hand, for lore.sh:
 *
 *	lore_client follow URL DIR SINCE CURSOR-FILE [QUIT-AFTER]
 *	lore_client thread URL ID
 *	lore_client has URL ID
 *
 * Prints an event or mail a line, then what the walk cost; errors on standard error, with the exit
 * code of their kind.
 */
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "intake/lore.h"

#include <sys/resource.h>

struct client {
	const char *cursor_path;
	unsigned long events, quit_after, ticks;
	bool quiet;
};

static void on_tick(void *ctx)
{
	struct client *c = ctx;

	c->ticks++;
}

static char *message_id(const struct lore_event *event)
{
	struct mail *m = NULL;
	struct err ignored;
	char *id;

	if (!event->data || mail_parse(event->data, event->n, "event", &m, &ignored) < 0)
		return xstrdup("-");
	id = xstrdup(m->message_id ? m->message_id : "-");
	mail_free(m);
	return id;
}

static int cursor_keep(const char *path, const char *cursor, struct err *err)
{
	FILE *f = fopen(path, "we");

	if (!f || fputs(cursor, f) < 0 || fclose(f) != 0)
		return err_sys(err, ERR_INFRA, "cannot write %s", path);
	return 0;
}

static int on_event(void *ctx, const struct lore_event *event, const char *cursor, struct err *err)
{
	static const char *const words[] = {"mail", "removed", "purged"};
	struct client *c = ctx;
	auto_free char *id = c->quiet ? NULL : message_id(event);

	if (id)
		printf("%s %u %s %s %zu %s\n", words[event->kind], event->epoch, event->commit,
		       event->blob, event->n, id);
	if (++c->events != c->quit_after)
		return 0;
	return cursor_keep(c->cursor_path, cursor, err) < 0
		       ? err->kind
		       : err_set(err, ERR_PATCH, "enough after %lu", c->events);
}

static int follow(struct http *http, struct client *c, char **argv, struct err *err)
{
	struct lore_list list = {.url = argv[0],
				 .dir = argv[1],
				 .since = strtoll(argv[2], NULL, 10),
				 .on_tick = on_tick,
				 .ctx = c};
	auto_free char *next = NULL;
	auto_str struct str cursor;
	double started = clock_mono();
	struct rusage use;
	int rc = 0;

	c->cursor_path = argv[3];
	c->quit_after = argv[4] ? strtoul(argv[4], NULL, 10) : 0;
	c->quiet = getenv("LORE_QUIET") != NULL;
	str_init(&cursor, 0);
	if (fs_exists(argv[3]))
		rc = fs_read(argv[3], 1 << 20, ERR_INFRA, &cursor, err);
	if (rc == 0)
		rc = lore_follow(&list, http, cursor.buf, on_event, c, &next, err);
	if (rc == 0)
		rc = cursor_keep(argv[3], next, err);
	getrusage(RUSAGE_SELF, &use);
	printf("events %lu, %.2f s, CPU %ld.%02ld s, %ld KiB, %lu ticks\n", c->events,
	       clock_mono() - started, use.ru_utime.tv_sec, use.ru_utime.tv_usec / 10000,
	       use.ru_maxrss, c->ticks);
	return rc;
}

static int thread(struct http *http, char **argv, struct err *err)
{
	struct mail_list list = {};
	int rc = lore_thread(http, argv[0], argv[1], &list, err);

	for (size_t i = 0; i < list.n; i++)
		printf("mail %s\n", list.item[i]->message_id ? list.item[i]->message_id : "-");
	mail_list_done(&list);
	return rc;
}

static int has(struct http *http, char **argv, struct err *err)
{
	bool yes = false;
	int rc = lore_has(http, argv[0], argv[1], &yes, err);

	if (rc == 0)
		puts(yes ? "yes" : "no");
	return rc;
}

static int run(int argc, char **argv, struct http *http, struct client *c, struct err *err)
{
	if (argc >= 6 && strcmp(argv[1], "follow") == 0)
		return follow(http, c, argv + 2, err);
	if (argc == 4 && strcmp(argv[1], "thread") == 0)
		return thread(http, argv + 2, err);
	if (argc == 4 && strcmp(argv[1], "has") == 0)
		return has(http, argv + 2, err);
	return err_set(err, ERR_USAGE, "see the comment in lore_client.c");
}

int main(int argc, char **argv)
{
	struct client c = {};
	struct http_options opt = {.contact = "firn@example.org",
				   .loopback_only = true,
				   .pause_s = 0.001,
				   .on_tick = on_tick,
				   .ctx = &c};
	struct http *http = NULL;
	struct err err = ERR_INIT;
	int rc;

	cancel_init();
	if (getenv("LORE_TIMEOUT"))
		opt.timeout_s = strtod(getenv("LORE_TIMEOUT"), NULL);
	rc = http_new(&opt, &http, &err);
	if (rc == 0)
		rc = run(argc, argv, http, &c, &err);
	if (rc < 0)
		fprintf(stderr, "%s: %s\n", err_kind_name(err.kind), err.msg);
	http_free(http);
	return rc < 0 ? err_exit_code(err.kind) : 0;
}
