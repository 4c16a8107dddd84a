// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast mails become postings: bench-intake [N...], by default 1000 and 10000. As on a kernel
 * list: series of 1 to 12 patches with cover letter by some hundred people, one mail in two a
 * reply; all of them there at once.
 */
#include "serve/intake.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "series/repo.h"

#include <sys/resource.h>

struct list {
	struct intake_box box;
	int64_t now;
	uint64_t seed;
	unsigned made, wanted;
	double keep_s;
};

static unsigned chance(struct list *l, unsigned n)
{
	l->seed = l->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(l->seed >> 33) % n;
}

static void body_add(struct str *out, struct list *l, unsigned patch)
{
	str_addf(out,
		 "Because of %u.\n\nSigned-off-by: Ada <a@example.org>\n---\n mm/f%u.c | 2 +-\n\n",
		 patch, patch);
	str_addf(out,
		 "diff --git a/mm/f%u.c b/mm/f%u.c\nindex 1111111..2222222 100644\n"
		 "--- a/mm/f%u.c\n+++ b/mm/f%u.c\n",
		 patch, patch, patch, patch);
	for (unsigned h = chance(l, 6) + 1; h > 0; h--) {
		str_addf(out, "@@ -%u,5 +%u,5 @@ int f(void)\n", h * 100, h * 100);
		str_addf(out,
			 " \tint a = %u;\n \n-\treturn g(a, %u);\n+\treturn g(a, %u);\n }\n \n", h,
			 h, h + 1);
	}
	str_adds(out, "-- \n2.47.0\n");
}

static void mail_add(struct list *l, const char *id, const char *answers, unsigned author,
		     const char *subject, const char *body)
{
	auto_str struct str text;
	auto_free char *place = xasprintf("%040x", l->made);
	struct err err = ERR_INIT;
	struct tm tm;
	time_t when = (time_t)(l->now += 20);
	char date[64];
	double began;

	gmtime_r(&when, &tm);
	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S +0000", &tm);
	str_init(&text, 0);
	str_addf(&text,
		 "From: Person %u <p%u@example.org>\nTo: demo@lists.example.org\nSubject: %s\n"
		 "Date: %s\nMessage-ID: <%s>\n",
		 author, author, subject, date, id);
	if (answers)
		str_addf(&text, "In-Reply-To: <%s>\nReferences: <%s>\n", answers, answers);
	str_addf(&text, "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n%s", body);
	box_add_mail(&l->box, text.buf, text.len, place, l->now);
	began = clock_mono();
	if (++l->made == l->wanted || box_is_full(&l->box))
		if (box_keep(&l->box, &err) < 0)
			log_error("%s", err.msg);
	l->keep_s += clock_mono() - began;
}

static void series_add(struct list *l, unsigned series)
{
	unsigned total = chance(l, 12) + 1, author = chance(l, 1 + l->wanted / 40);
	auto_free char *cover = xasprintf("s%u-0@example.org", series);

	for (unsigned i = total == 1; i <= total && l->made < l->wanted; i++) {
		auto_free char *id = xasprintf("s%u-%u@example.org", series, i);
		auto_free char *subject =
			xasprintf("[PATCH %u/%u] mm: change %u of %u", i, total, i, series);
		auto_str struct str body;

		str_init(&body, 0);
		if (i)
			body_add(&body, l, i);
		mail_add(l, id, i ? cover : NULL, author, subject, i ? body.buf : "A cover.\n");
		for (unsigned k = chance(l, 3); k > 0 && l->made < l->wanted; k--) {
			auto_free char *reply = xasprintf("s%u-%u-r%u@example.org", series, i, k);
			auto_free char *re = xasprintf("Re: %s", subject);

			mail_add(l, reply, id, chance(l, 50), re,
				 "On Monday somebody wrote:\n> a\n> b\n\nFine.\n\n"
				 "Reviewed-by: Bob <bob@example.org>\n");
		}
	}
}

static int run(unsigned n, struct err *err)
{
	static const char text[] = "[tree \"t\"]\n\tpath = /nonexistent\n"
				   "[list \"demo\"]\n\ttree = t\n\tlore = http://127.0.0.1/\n";
	auto_free char *dir = xasprintf("%s/firn-bench-XXXXXX", getenv("TMPDIR") ?: "/var/tmp");
	auto_store struct store *store = NULL;
	auto_free char *path = NULL, *config = NULL;
	struct list l = {.now = clock_wall() - 20 * (int64_t)n, .seed = 1, .wanted = n};
	struct conf conf = {0};
	struct rusage use;
	double began;
	int rc;

	if (!mkdtemp(dir))
		return err_sys(err, ERR_INFRA, "cannot make %s", dir);
	path = xasprintf("%s/firn.db", dir);
	config = xasprintf("%s/config", dir);
	rc = fs_write_atomic(config, text, sizeof(text) - 1, err);
	if (rc == 0)
		rc = conf_read(&conf, config, NULL, NULL, err);
	if (rc == 0)
		rc = store_open(path, STORE_WRITE, &store, err);
	if (rc < 0)
		return rc;
	l.box = (struct intake_box){.store = store, .list = "demo", .source = "lore demo"};
	for (unsigned s = 0; l.made < n; s++)
		series_add(&l, s);
	struct settle st = {.conf = &conf, .store = store};

	began = clock_mono();
	rc = intake_settle(&st, err);
	began = clock_mono() - began;
	getrusage(RUSAGE_SELF, &use);
	printf("%6u mails: kept %.0f/s, settled %.0f/s (%zu series; %.1f mails read for each), "
	       "%ld MiB\n",
	       n, n / l.keep_s, (double)st.settled / began, st.postings,
	       (double)st.looked / (double)st.settled, use.ru_maxrss >> 10);
	box_done(&l.box);
	conf_done(&conf);
	store_close(take(store));
	return rc < 0 ? rc : fs_rmtree(dir, err);
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int rc = 0;

	repo_setup();
	if (argc < 2)
		rc = run(1000, &err) < 0 || run(10000, &err) < 0;
	for (int i = 1; i < argc && rc == 0; i++)
		rc = run((unsigned)strtoul(argv[i], NULL, 10), &err);
	if (rc)
		log_error("%s", err.msg);
	return rc != 0;
}
