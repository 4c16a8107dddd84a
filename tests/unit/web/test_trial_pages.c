// SPDX-License-Identifier: GPL-2.0-or-later
/* The pages about a trial (steps, logs, benchmarks), the patch page and the history of benchmarks,
 * by a real server. */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/json.h"
#include "store/mails.h"
#include "store/queue.h"
#include "store/trial_metric.h"
#include "unit/web/client.h"
#include <glib.h>

#define LOG "jobs/01-build-base/log"

static const char *const steps[] = {"apply", "build", "bench-hot-add", NULL};

/* What a test is about: a trial at work in WORK. */
struct scene {
	const struct server *server;
	struct store *store;
	char *work;
	int64_t trial;
	struct err err;
};

static void scene_done(struct scene *s)
{
	store_close(s->store);
	free(s->work);
}
#define auto_scene __attribute__((cleanup(scene_done)))

static void put(const struct scene *s, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", s->work, name);
	auto_free char *dir = xmemdup(path, (size_t)(strrchr(path, '/') - path));
	struct err err = ERR_INIT;

	assert_ok(fs_mkdirs(dir, &err), &err);
	assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
}

static struct scene scene_of(const struct server *server)
{
	const struct store_series series = {.title = "mm: <i>slab",
					    .message_id = "1@example.org",
					    .author = "Ada",
					    .version = 1};
	struct scene s = {.server = server, .work = xasprintf("%s/work", server->dir)};

	assert_ok(store_open(server->store_path, STORE_WRITE, &s.store, &s.err), &s.err);
	assert_ok(store_trial_begin(s.store, &series, steps, &s.trial, &s.err), &s.err);
	assert_ok(store_trial_work_dir(s.store, s.trial, s.work, &s.err), &s.err);
	assert_ok(store_step_begin(s.store, s.trial, "build", &s.err), &s.err);
	put(&s, LOG, "CC one.o\nCC two.o\n");
	return s;
}

static void finish(struct scene *s, const char *report)
{
	const struct store_trial_end end = {
		.outcome = OUTCOME_WARN, .words = "slower", .report = report};

	assert_ok(store_trial_finish(s->store, s->trial, &end, &s->err), &s->err);
}

static void get(const struct scene *s, const char *path, int status, struct str *answer)
{
	client_ask(s->server, "GET", path, answer);
	if (answer_status(answer) != status)
		fail_msg("%s: %d instead of %d", path, answer_status(answer), status);
}

static void assert_get(const struct scene *s, const char *path, int status, const char *text)
{
	auto_str struct str answer;

	get(s, path, status, &answer);
	answer_holds(&answer, text);
}

static void assert_nested(const struct scene *s, const char *path)
{
	static const GMarkupParser nothing;
	GMarkupParseContext *parse = g_markup_parse_context_new(&nothing, 0, NULL, NULL);
	GError *error = NULL;
	auto_str struct str answer;
	const char *body;

	get(s, path, 200, &answer);
	body = answer_body(&answer);
	if (!g_markup_parse_context_parse(parse, body, (gssize)strlen(body), &error) ||
	    !g_markup_parse_context_end_parse(parse, &error))
		fail_msg("%s: %s", path, error->message);
	g_markup_parse_context_free(parse);
	assert_non_null(strstr(body, "<h1"));
	assert_null(strstr(strstr(body, "<h1") + 1, "<h1"));
}

static void a_running_step_shows_its_log(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	assert_ok(store_step_tell(s.store, s.trial, "build", "CC <b>.o", 3, 7, &s.err), &s.err);
	assert_get(&s, "/trial/1/step/build", 200, "CC one.o\nCC two.o\n</pre>");
	assert_get(&s, "/trial/1/step/build", 200, "data-at=\"18\" data-log=\"" LOG "\"");
	assert_get(&s, "/trial/1/step/build", 200, "data-events=\"/trial/1/events?step=build\"");
	assert_get(&s, "/trial/1/step/build", 200, "<progress max=\"7\" value=\"3\"");
	assert_get(&s, "/trial/1/step/build", 200, ">firn job &#39;jobs/01-build-base&#39;</pre>");
	assert_get(&s, "/trial/1/step/build", 200, "<noscript><meta http-equiv=\"refresh\"");
	assert_get(&s, "/trial/1", 200, "data-events=\"/trial/1/events\"");
	assert_nested(&s, "/trial/1/step/build");
	assert_nested(&s, "/trial/1/step/apply");
	assert_get(&s, "/trial/1/step/nothing", 404, "no step of that name");
	assert_get(&s, "/trial/1/step/..", 404, "404");
	assert_get(&s, "/trial/9/step/build", 404, "404");
}

static void a_line_that_is_being_written_comes_later(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	put(&s, LOG, "CC one.o\nCC tw");
	assert_get(&s, "/trial/1/step/build", 200, "CC one.o\n</pre>");
	assert_get(&s, "/trial/1/step/build", 200, "data-at=\"9\"");
	finish(&s, NULL);
	assert_get(&s, "/trial/1/step/build", 200, "CC one.o\nCC tw\n</pre>");
}

static void hostile_logs_are_text(void **state)
{
	auto_scene struct scene s = scene_of(*state);
	auto_str struct str page, raw;

	put(&s, LOG, "</pre><script>alert(1)</script>\x1b[31m\x1b]0;x\a\xff\n");
	assert_nested(&s, "/trial/1/step/build");
	get(&s, "/trial/1/step/build", 200, &page);
	assert_null(strstr(page.buf, "<script>"));
	assert_null(strchr(page.buf, '\x1b'));
	get(&s, "/trial/1/log/" LOG, 200, &raw);
	answer_holds(&raw, "Content-Type: text/plain; charset=utf-8\r\n");
	answer_holds(&raw, "X-Content-Type-Options: nosniff\r\n");
	answer_holds(&raw, "Content-Security-Policy: default-src 'none'; sandbox");
	answer_holds(&raw,
		     "Content-Disposition: inline; filename=\"firn-1-01-build-base-log.txt\"");
	answer_holds(&raw, "</pre><script>");
}

static void only_logs_are_served(void **state)
{
	static const char *const paths[] = {"jobs/01-build-base/job.json",
					    "report.json",
					    "jobs/../report.json",
					    "jobs%2f..%2freport.json",
					    "%2e%2e/%2e%2e/etc/passwd",
					    "jobs/01-build-base/link.log",
					    "/etc/passwd",
					    "jobs/01-build-base/log%00",
					    "jobs/01-build-base/log%0d%0aX:%20y",
					    "jobs/01-build-base"};
	auto_scene struct scene s = scene_of(*state);
	auto_free char *link = xasprintf("%s/jobs/01-build-base/link.log", s.work);

	put(&s, "jobs/01-build-base/job.json", "{}");
	put(&s, "report.json", "{}");
	assert_int_equal(symlink("/etc/passwd", link), 0);
	for (size_t i = 0; i < array_size(paths); i++) {
		auto_free char *path = xasprintf("/trial/1/log/%s", paths[i]);

		assert_get(&s, path, 404, "404");
	}
}

static void a_log_comes_in_pieces(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	assert_get(&s, "/trial/1/log/" LOG "?from=9", 200, "\r\n\r\nCC two.o\n");
	assert_get(&s, "/trial/1/log/" LOG "?from=99999999", 200, "Content-Length: 0\r\n");
	assert_get(&s, "/trial/1/log/" LOG "?from=x", 200, "\r\n\r\nCC one.o\n");
	assert_get(&s, "/trial/1/log/jobs%2F01-build-base%2Flog", 200, "CC one.o");
}

static void a_folder_that_is_gone_is_told(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	finish(&s, NULL);
	assert_ok(store_queue_forget(s.store, s.trial, &s.err), &s.err);
	assert_get(&s, "/trial/1/step/build", 200, "its work folder was removed");
	assert_get(&s, "/trial/1/log/" LOG, 404, "404");
}

static void a_report_has_pages_of_its_parts(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	finish(&s, FIXTURES "/report/bench-hot-add.json");
	assert_get(&s, "/trial/1", 200, "<a href=\"/trial/1/step/build\">build</a>");
	assert_get(&s, "/trial/1/bench/hot-add", 200, "data-plots=\"/trial/1/bench/hot-add.json\"");
	assert_get(&s, "/trial/1/bench/hot-add", 200, "data-copy=\"\">Benchmark");
	assert_get(&s, "/trial/1/bench/hot-add.json", 200, "\"metric-0-0\"");
	assert_get(&s, "/trial/1/bench/hot-add.json", 200, "Content-Type: application/json");
	assert_get(&s, "/trial/1/bench/other", 404, "no such benchmark");
	assert_get(&s, "/trial/1/bench/other.json", 404, "no such benchmark");
	assert_nested(&s, "/trial/1");
	assert_nested(&s, "/trial/1/bench/hot-add");
	assert_nested(&s, "/trial/1/step/bench-hot-add");
}

static void without_a_report_there_is_no_benchmark(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	assert_get(&s, "/trial/1/bench/hot-add", 404, "nothing was measured yet");
	assert_get(&s, "/bench", 200, "Nothing was measured yet");
	assert_get(&s, "/bench/hot-add", 404, "404");
}

/* A trial a day, each on a commit of its own. */
static void measured(struct scene *s, unsigned day, double median)
{
	const struct store_series series = {
		.title = "t", .message_id = "x@example.org", .author = "Ada", .version = 1};
	auto_free char *commit = xasprintf("%040x", day);
	auto_free char *date = xasprintf("2026-%02u-%02uT00:00:00Z", 1 + day / 28, 1 + day % 28);
	auto_json json_t *report = json_pack(
		"{s:{s:s, s:s}, s:[{s:s, s:s, s:s}], s:[{s:s, s:s, s:s, s:s, s:s, s:i, s:{s:f}, "
		"s:{s:f}, s:f, s:s}]}",
		"base", "commit", commit, "committed", date, "benches", "bench", "hot-add",
		"testbed", "qemu", "mode", "count", "metrics", "bench", "hot-add", "name",
		"hot-add/16", "title", "hot-add <16>", "unit", "us", "better", "lower", "x", 16,
		"base", "median", median, "patched", "median", median, "change", 0.0, "word",
		"unchanged");
	int64_t id;

	assert_non_null(report);
	assert_ok(store_trial_begin(s->store, &series, steps, &id, &s->err), &s->err);
	assert_ok(store_metrics_keep(s->store, id, report, &s->err), &s->err);
}

static void a_history_has_its_changes_marked(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	for (unsigned day = 0; day < 24; day++)
		measured(&s, day, day < 16 ? 36412 : 36525);
	measured(&s, 23, 36525); /* the same commit once more is no new point */
	assert_get(&s, "/bench", 200, "<a href=\"/bench/hot-add\">");
	assert_get(&s, "/bench/hot-add", 200,
		   "<td class=\"n\">36,412</td><td class=\"n\">36,525</td>"
		   "<td class=\"n\">+0.31 %</td>");
	assert_get(&s, "/bench/hot-add", 200, "24 commits, 1 change</title>");
	assert_get(&s, "/bench/hot-add.json", 200, "\"at\": 16");
	assert_nested(&s, "/bench");
	assert_nested(&s, "/bench/hot-add");
}

static const char patch_mail[] = "From: Ada <ada@example.org>\n"
				 "Subject: [PATCH] door: <b>open\n"
				 "\n"
				 "As it came.\n"
				 "---\n"
				 "--- a/door.c\n"
				 "+++ b/door.c\n"
				 "@@ -1 +1 @@\n"
				 "-x\n"
				 "+<script>\n";

static int64_t posting_of(struct scene *s)
{
	const char *refs[] = {NULL};
	const struct store_mail_new mail = {.message_id = "1@example.org",
					    .refs = refs,
					    .subject = "[PATCH] door: <b>open",
					    .from_name = "Ada",
					    .from_email = "ada@example.org",
					    .raw = patch_mail,
					    .raw_len = strlen(patch_mail),
					    .list = "demo",
					    .source = "lore demo",
					    .place = "1"};
	struct store_posting_patch patch = {.number = 1,
					    .message_id = (char *)mail.message_id,
					    .subject = (char *)mail.subject};
	const struct store_posting p = {.list = "demo",
					.message_id = (char *)mail.message_id,
					.title = (char *)mail.subject,
					.author_name = "Ada",
					.author_email = "ada@example.org",
					.digest = "d",
					.reason = "",
					.version = 1,
					.total = 1,
					.have = 1,
					.state = STORE_POSTING_COMPLETE,
					.patch = &patch,
					.n_patches = 1};
	int64_t id;
	bool new;

	assert_ok(store_mail_add(s->store, &mail, &patch.mail, &new, &s->err), &s->err);
	assert_ok(store_posting_put(s->store, &p, &id, &s->err), &s->err);
	return id;
}

static void a_patch_without_a_trial_is_the_mail(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	assert_int_equal(posting_of(&s), 1);
	assert_get(&s, "/series/1/patch/1", 200, "The mail as it came");
	assert_get(&s, "/series/1/patch/1", 200, "class=\"a\" data-a=\"1\">+&lt;script&gt;");
	assert_get(&s, "/series/1/patch/1", 200, "No trial of this series has a report");
	assert_get(&s, "/series/1/patch/1/raw", 200, "\r\n\r\nFrom: Ada <ada@example.org>\n");
	assert_get(&s, "/series/1/patch/1/raw", 200, "Content-Type: text/plain; charset=utf-8\r\n");
	assert_get(&s, "/series/1/patch/0", 404, "404");
	assert_get(&s, "/series/1/patch/2", 404, "404");
	assert_get(&s, "/series/9/patch/1", 404, "404");
	assert_nested(&s, "/series/1/patch/1");
}

/* A trial of the posting whose report is slower.json with a text and a finding. */
static void trial_of(struct scene *s, int64_t posting, const char *text)
{
	const struct store_plan plan = {.posting = posting,
					.list = "demo",
					.digest = "d",
					.plan = "{}",
					.series = {.title = "t",
						   .message_id = "1@example.org",
						   .author = "Ada",
						   .version = 1}};
	auto_free char *path = xasprintf("%s/report.json", s->work);
	auto_json json_t *report = NULL;
	json_t *patch, *finding;
	int64_t taken, wait;

	assert_ok(json_read(FIXTURES "/report/slower.json", ERR_INPUT, &report, &s->err), &s->err);
	patch = json_array_get(json_object_get(json_object_get(report, "series"), "patches"), 0);
	json_object_set_new(patch, "number", json_integer(1));
	json_object_set_new(patch, "message_id", json_string("1@example.org"));
	json_object_set_new(patch, "text", json_string(text));
	finding = json_pack("{s:s, s:s, s:s, s:n, s:n, s:i, s:i, s:s, s:n}", "checker",
			    "checkpatch", "level", "WARNING", "type", "TYPO", "path", "line",
			    "patch_line", 4, "patch", 1, "message", "'As' is <wrong>", "excerpt");
	json_array_append_new(json_object_get(report, "findings"), finding);
	put(s, "report.json", "");
	assert_ok(json_write(path, report, &s->err), &s->err);
	assert_ok(store_queue_add(s->store, &plan, steps, &s->trial, &s->err), &s->err);
	assert_ok(store_queue_take(s->store, 1 << 30, &taken, &wait, &s->err), &s->err);
	assert_int_equal(taken, s->trial);
	assert_ok(store_trial_work_dir(s->store, s->trial, s->work, &s->err), &s->err);
	finish(s, path);
}

static void a_patch_has_its_findings_at_their_lines(void **state)
{
	auto_scene struct scene s = scene_of(*state);

	put(&s, "patches/0001.patch", "From: x\nDate: y\nSubject: z\nAs it was checked.\n---\n");
	trial_of(&s, posting_of(&s), "patches/0001.patch");
	assert_get(&s, "/series/1/patch/1", 200,
		   "<span id=\"L4\" class=\"w hit\">As it was checked.\n</span></pre>\n"
		   "<p class=\"finding WARNING\">");
	assert_get(&s, "/series/1/patch/1", 200, "<a href=\"#L4\">commit message</a>");
	assert_get(&s, "/series/1/patch/1", 200, "&#39;As&#39; is &lt;wrong&gt;");
	assert_get(&s, "/trial/2", 200, "<a href=\"/series/1/patch/1#L4\">mail line 4</a>");
	assert_nested(&s, "/series/1/patch/1");
}

static void a_report_cannot_name_other_files(void **state)
{
	static const char *const names[] = {"report.json", "patches/../report.json", "/etc/passwd",
					    "patches/link"};
	auto_scene struct scene s = scene_of(*state);
	int64_t posting = posting_of(&s);
	auto_free char *link = xasprintf("%s/patches/link", s.work);

	put(&s, "patches/x", "");
	assert_int_equal(symlink("/etc/passwd", link), 0);
	for (size_t i = 0; i < array_size(names); i++) {
		trial_of(&s, posting, names[i]);
		assert_get(&s, "/series/1/patch/1", 200, "The mail as it came");
		assert_get(&s, "/series/1/patch/1/raw", 200, "As it came.");
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, server_setup, server_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_running_step_shows_its_log),
		TEST(a_line_that_is_being_written_comes_later),
		TEST(hostile_logs_are_text),
		TEST(only_logs_are_served),
		TEST(a_log_comes_in_pieces),
		TEST(a_folder_that_is_gone_is_told),
		TEST(a_report_has_pages_of_its_parts),
		TEST(without_a_report_there_is_no_benchmark),
		TEST(a_history_has_its_changes_marked),
		TEST(a_patch_without_a_trial_is_the_mail),
		TEST(a_patch_has_its_findings_at_their_lines),
		TEST(a_report_cannot_name_other_files),
	};

	return cmocka_run_group_tests_name("web-trial-pages", tests, NULL, NULL);
}
