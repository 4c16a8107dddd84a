// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A store as a busy service has after some years, for web.sh: web-fill STORE N [REPORT...].
 *
 * N postings on five lists by two thousand people, one in four a new version of the one before;
 * each with its mails, files, one to five trials of ten steps, checks in the outbox and numbers of
 * a benchmark. The newest thousand trials have one of the REPORTs (paths of report.json). The same
 * N gives the same store, but for its times, which end now.
 */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"
#include <stdarg.h>
#include <zlib.h>

#define PEOPLE	   2000
#define REPORTED   1000
#define BETWEEN_S  600
#define PATCH_MAX  12
#define TRIALS_MAX 5

enum table {
	MAIL,
	PLACE,
	POSTING,
	PATCH,
	FILE_,
	TEXT,
	PATCHWORK,
	TRIAL,
	STEP,
	METRIC,
	OUTBOX,
	DELIVERY,
	TABLES
};

static const char *const inserts[TABLES] = {
	[MAIL] = "INSERT INTO mail (id, message_id, hash, raw, raw_len, received, date, subject,"
		 " from_name, from_email, thread, state, reason, posting, number)"
		 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'it says so', ?, ?)",
	[PLACE] = "INSERT INTO mail_place (mail, list, source, place) VALUES (?, ?, 'lore', ?)",
	[POSTING] = "INSERT INTO posting (id, list, message_id, title, author_name, author_email,"
		    " version, total, have, date, seen, changed, digest, state, chain)"
		    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'complete', ?)",
	[PATCH] = "INSERT INTO patch (posting, number, message_id, mail, subject)"
		  " VALUES (?, ?, ?, ?, ?)",
	[FILE_] = "INSERT OR IGNORE INTO posting_file (posting, path) VALUES (?, ?)",
	[TEXT] = "INSERT INTO posting_text (posting, cover) VALUES (?, ?)",
	[PATCHWORK] = "INSERT INTO patchwork (server, kind, number, message_id, series, url)"
		      " VALUES ('pw', ?, ?, ?, ?, ?)",
	[TRIAL] =
		"INSERT INTO trial (id, state, posting, list, queued, attempts, started, finished,"
		" title, message_id, version, author, base, outcome, words, report)"
		" VALUES (?, 'finished', ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[STEP] = "INSERT INTO step (trial, position, name, state, outcome, reason, started,"
		 " seconds) VALUES (?, ?, ?, 'done', ?, ?, ?, ?)",
	[METRIC] = "INSERT INTO metric (trial, bench, name, title, unit, better, x, base_commit,"
		   " base_commit_time, testbed, mode, base_median, patched_median, change, word)"
		   " VALUES (?, 'hot-add', 'hot-add/16', 'hot-add of 16 LMBs', 'us', 'lower', 16,"
		   " ?, ?, 'qemu-pseries', 'count', ?, ?, ?, 'unchanged')",
	[OUTBOX] = "INSERT INTO outbox (id, trial, poster, target, context, want, held, written)"
		   " VALUES (?, ?, 'patchwork', ?, ?, '{\"state\":\"success\"}', 0, ?)",
	[DELIVERY] = "INSERT INTO delivery (outbox, revision, state, at)"
		     " VALUES (?, 1, 'sent', ?)",
};
static const char *const lists[] = {"linuxppc-dev", "linux-mm", "kvm-ppc", "linux-numa", "demo"};
static const char *const topics[] = {"powerpc/pseries", "mm",		"drivers/base",
				     "sched",		"powerpc/xive", "memory-hotplug"};
static const char *const deeds[] = {"look up the node of", "drop an unused", "speed up",
				    "say what is wrong with", "take the lock before"};
static const char *const things[] = {"a memory block", "an IPI",       "the device tree",
				     "a CPU",	       "the LMB list", "a node"};
static const char *const steps[] = {
	"intake", "series", "base",	     "apply",	  "check",
	"build",  "boot",   "bench-hot-add", "bench-ipi", "bench-node-offline"};

struct fill {
	struct store *store;
	sqlite3_stmt *stmt[TABLES];
	uint64_t seed;
	int64_t now, mail, trial, outbox, postings;
	char **report;
	int reports;
};

/* One posting while it is made. */
struct made {
	int64_t id, chain, date, first_mail;
	unsigned version, patches, author;
	const char *list;
	char title[128], message_id[64], person[64], email[64];
};

static unsigned dice(struct fill *f, unsigned n)
{
	f->seed = f->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(f->seed >> 33) % n;
}
#define pick(f, table) ((table)[dice((f), array_size(table))])

/* A row; `types` has a letter a value: i int64_t, s string or NULL, r double, z string compressed.
 */
static int row(struct fill *f, enum table t, struct err *err, const char *types, ...)
{
	sqlite3_stmt *stmt = f->stmt[t];
	va_list values;

	sqlite3_reset(stmt);
	va_start(values, types);
	for (int i = 1; types[i - 1]; i++) {
		if (types[i - 1] == 'i') {
			sqlite3_bind_int64(stmt, i, va_arg(values, int64_t));
		} else if (types[i - 1] == 'r') {
			sqlite3_bind_double(stmt, i, va_arg(values, double));
		} else if (types[i - 1] == 's') {
			sqlite3_bind_text(stmt, i, va_arg(values, const char *), -1,
					  SQLITE_TRANSIENT);
		} else {
			const char *text = va_arg(values, const char *);
			Bytef data[4096];
			uLongf n = sizeof(data);

			compress2(data, &n, (const Bytef *)text, strlen(text), 1);
			sqlite3_bind_blob(stmt, i, data, (int)n, SQLITE_TRANSIENT);
		}
	}
	va_end(values);
	return sql_run(f->store, stmt, "filling", err);
}

static void mail_text(struct str *out, const struct made *m, const char *id, const char *subject,
		      unsigned number)
{
	str_addf(out,
		 "From: %s <%s>\nTo: %s@lists.example.org\nSubject: %s\nMessage-ID: <%s>\n"
		 "Content-Type: text/plain; charset=utf-8\n\n",
		 m->person, m->email, m->list, subject, id);
	if (!number) {
		str_adds(out, "What this series does, and what it is good for.\n");
		return;
	}
	str_addf(out,
		 "Because of %u.\n\nSigned-off-by: %s <%s>\n---\n mm/f%u.c | 2 +-\n\n"
		 "diff --git a/mm/f%u.c b/mm/f%u.c\nindex 1111111..2222222 100644\n"
		 "--- a/mm/f%u.c\n+++ b/mm/f%u.c\n@@ -1,3 +1,3 @@ int f(void)\n"
		 " \tint a = %u;\n-\treturn g(a);\n+\treturn h(a);\n }\n-- \n2.47.0\n",
		 number, m->person, m->email, number, number, number, number, number, number);
}

static int mail_make(struct fill *f, const struct made *m, unsigned number, struct err *err)
{
	auto_free char *id = xasprintf("p%lld-%u@example.org", (long long)m->id, number);
	auto_free char *subject = xasprintf("[PATCH v%u %02u/%u] %s, part %u", m->version, number,
					    m->patches, m->title, number);
	auto_free char *url =
		xasprintf("https://patchwork.example.org/patch/%lld/", (long long)++f->mail);
	auto_str struct str text;
	int rc;

	str_init(&text, 0);
	mail_text(&text, m, id, subject, number);
	rc = row(f, MAIL, err, "issziiisssisii", f->mail, id, id, text.buf, (int64_t)text.len,
		 m->date, m->date, subject, m->person, m->email, m->first_mail,
		 number ? "patch" : "cover", m->id, (int64_t)number);
	if (rc == 0)
		rc = row(f, PLACE, err, "iss", f->mail, m->list, id);
	if (rc == 0)
		rc = row(f, PATCH, err, "iisis", m->id, (int64_t)number, id, f->mail, subject);
	if (rc == 0)
		rc = row(f, PATCHWORK, err, "sisis", number ? "patch" : "cover", f->mail, id, m->id,
			 url);
	return rc;
}

static int step_make(struct fill *f, unsigned n, int64_t started, const char *outcome,
		     struct err *err)
{
	const char *reason = dice(f, 2) ? "1 commit, 3 hunks" : "base from the cache";

	return row(f, STEP, err, "iisssir", f->trial, (int64_t)n, steps[n], outcome, reason,
		   started + n * 20, dice(f, 300) / 10.0);
}

static int check_make(struct fill *f, const struct made *m, const char *context, struct err *err)
{
	auto_free char *target = xasprintf("pw %lld", (long long)f->mail);
	int rc =
		row(f, OUTBOX, err, "iissi", ++f->outbox, f->trial, target, context, m->date + 900);

	return rc < 0 ? rc : row(f, DELIVERY, err, "ii", f->outbox, m->date + 960);
}

static int trial_make(struct fill *f, const struct made *m, bool reported, struct err *err)
{
	static const char *const outcomes[] = {"pass", "pass", "pass", "warn", "fail", "error"};
	static const char base[] = "0123456789abcdef0123456789abcdef01234567";
	const char *outcome = pick(f, outcomes);
	const char *report = reported && f->reports ? f->report[f->trial % f->reports] : NULL;
	auto_free char *author = xasprintf("%s <%s>", m->person, m->email);
	int64_t began = m->date + 120 + dice(f, 300);
	double median = 5000 + dice(f, 50);
	int rc = row(f, TRIAL, err,
		     "iisiiississss"
		     "s",
		     ++f->trial, m->id, m->list, m->date, began, began + 200, m->title,
		     m->message_id, (int64_t)m->version, author, base, outcome,
		     "apply, check, build and boot say so", report);

	for (unsigned i = 0; rc == 0 && i < array_size(steps); i++)
		rc = step_make(f, i, began, i == 5 ? outcome : "pass", err);
	if (rc == 0)
		rc = row(f, METRIC, err, "isirrr", f->trial, base, m->date, median, median, 0.0);
	if (rc == 0)
		rc = check_make(f, m, "firn-apply", err);
	return rc < 0 ? rc : check_make(f, m, "firn-build", err);
}

static int files_make(struct fill *f, const struct made *m, struct err *err)
{
	int rc = 0;

	for (unsigned i = dice(f, 4) + 1; rc == 0 && i > 0; i--) {
		auto_free char *path = xasprintf("%s/f%u.c", pick(f, topics), dice(f, 400));

		rc = row(f, FILE_, err, "is", m->id, path);
	}
	return rc < 0 ? rc : row(f, TEXT, err, "is", m->id, "What this series does.\n");
}

static int posting_make(struct fill *f, struct made *m, struct err *err)
{
	bool again = m->id > 0 && m->version < 8 && dice(f, 4) == 0;
	int rc;

	m->id++;
	m->version = again ? m->version + 1 : 1;
	if (!again) {
		m->chain = m->id;
		m->author = dice(f, PEOPLE);
		m->list = pick(f, lists);
		m->patches = dice(f, 3) ? 1 + dice(f, 3) : 1 + dice(f, PATCH_MAX);
		snprintf(m->title, sizeof(m->title), "%s: %s %s (%lld)", pick(f, topics),
			 pick(f, deeds), pick(f, things), (long long)m->id);
		snprintf(m->person, sizeof(m->person), "Person %u", m->author);
		snprintf(m->email, sizeof(m->email), "p%u@example.org", m->author);
	}
	m->date = f->now - (f->postings - m->id + 1) * BETWEEN_S;
	m->first_mail = f->mail + 1;
	snprintf(m->message_id, sizeof(m->message_id), "p%lld-0@example.org", (long long)m->id);
	rc = row(f, POSTING, err, "isssssiiiiiisi", m->id, m->list, m->message_id, m->title,
		 m->person, m->email, (int64_t)m->version, (int64_t)m->patches, (int64_t)m->patches,
		 m->date, m->date, m->date, m->message_id, m->chain);
	for (unsigned i = 0; rc == 0 && i <= m->patches; i++)
		rc = mail_make(f, m, i, err);
	if (rc == 0)
		rc = files_make(f, m, err);
	for (unsigned i = dice(f, TRIALS_MAX) + 1; rc == 0 && i > 0; i--)
		rc = trial_make(f, m, m->id + REPORTED > f->postings && i == 1, err);
	return rc;
}

static int fill(struct fill *f, struct err *err)
{
	auto_txn struct txn txn = {0};
	struct made m = {0};
	int rc = txn_begin(&txn, f->store, err);

	for (int t = 0; rc == 0 && t < TABLES; t++)
		rc = sql_prepare(f->store, inserts[t], &f->stmt[t], err);
	while (rc == 0 && m.id < f->postings)
		rc = posting_make(f, &m, err);
	if (rc == 0)
		rc = sql_exec(f->store,
			      "UPDATE posting SET newer = id + 1 WHERE EXISTS"
			      " (SELECT 1 FROM posting n WHERE n.id = posting.id + 1"
			      " AND n.chain = posting.chain)",
			      "linking versions", err);
	for (int t = 0; t < TABLES; t++)
		sqlite3_finalize(f->stmt[t]);
	return rc < 0 ? rc : txn_commit(&txn, "filling", err);
}

int main(int argc, char **argv)
{
	auto_store struct store *store = NULL;
	struct fill f = {.seed = 1, .now = clock_wall(), .report = argv + 3, .reports = argc - 3};
	struct err err = ERR_INIT;
	int rc;

	if (argc < 3 || (f.postings = strtoll(argv[2], NULL, 10)) <= 0) {
		fprintf(stderr, "usage: web-fill STORE N [REPORT...]\n");
		return 64;
	}
	rc = store_open(argv[1], STORE_WRITE, &store, &err);
	f.store = store;
	if (rc == 0)
		rc = fill(&f, &err);
	if (rc < 0)
		fprintf(stderr, "%s\n", err.msg);
	else
		printf("%lld postings, %lld mails, %lld trials\n", (long long)f.postings,
		       (long long)f.mail, (long long)f.trial);
	return rc < 0;
}
