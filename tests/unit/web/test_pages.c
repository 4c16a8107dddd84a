// SPDX-License-Identifier: GPL-2.0-or-later
/* The pages of series, lists, mails, testbeds and the outbox, with friendly and with hostile
 * contents: each of them is well-formed, and nothing of a stranger's becomes markup. */
#include "unit/unit.h"

#include "base/conf_section.h"
#include "base/fs.h"
#include "base/json.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/queue.h"
#include "unit/web/client.h"
#include <glib.h>

#define TOKEN "0123456789abcdef"

static const char *const steps[] = {"apply", "build", NULL};

/* Whoever writes it can send it: markup, quotes, a right-to-left override, bytes that are not
 * UTF-8, a very long line. */
static char *hostile(void)
{
	struct str s;

	str_init(&s, 0);
	str_adds(&s, "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> \xe2\x80\xae"
		     "evil \x01\x1b[31m \xff\xfe&amp; ");
	for (int i = 0; i < 1000; i++)
		str_adds(&s, "ten bytes ");
	return str_take(&s);
}

static struct store *store_of(const struct server *s)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;

	assert_ok(store_open(s->store_path, STORE_WRITE, &store, &err), &err);
	return store;
}

/* What a test's store is made of. */
struct made {
	struct store *store;
	const char *text; /* that strangers wrote, everywhere */
	struct err err;
};

static int64_t mail_of(struct made *m, const char *id, const char *ref)
{
	const char *refs[] = {ref, NULL};
	const struct store_mail_new mail = {.message_id = id,
					    .refs = refs,
					    .subject = m->text,
					    .from_name = m->text,
					    .from_email = "ada@example.org",
					    .date = 1700000000,
					    .raw = m->text,
					    .raw_len = strlen(m->text),
					    .list = "demo",
					    .source = "lore demo",
					    .place = id};
	int64_t row = 0;
	bool new;

	assert_ok(store_mail_add(m->store, &mail, &row, &new, &m->err), &m->err);
	return row;
}

/* A cover letter and two patches; their mails are ID, ID-1 and ID-2. */
static int64_t posting_of(struct made *m, const char *id, unsigned version)
{
	auto_free char *one = xasprintf("1-%s", id), *two = xasprintf("2-%s", id);
	struct store_posting_patch patch[] = {
		{.number = 0, .message_id = (char *)id, .subject = (char *)m->text},
		{.number = 1, .message_id = one, .subject = (char *)m->text},
		{.number = 2, .message_id = two, .subject = (char *)m->text}};
	const struct store_posting p = {.list = "demo",
					.message_id = (char *)id,
					.title = (char *)m->text,
					.author_name = (char *)m->text,
					.author_email = "ada@example.org",
					.digest = "d",
					.version = version,
					.total = 2,
					.have = 2,
					.date = 1700000000,
					.state = STORE_POSTING_COMPLETE,
					.patch = patch,
					.n_patches = 3};
	int64_t posting = 0;

	for (size_t i = 0; i < 3; i++)
		patch[i].mail = mail_of(m, patch[i].message_id, i ? id : NULL);
	assert_ok(store_posting_put(m->store, &p, &posting, &m->err), &m->err);
	for (unsigned i = 0; i < 3; i++)
		assert_ok(store_mail_settle(m->store, patch[i].mail, i ? "patch" : "cover", m->text,
					    posting, i, &m->err),
			  &m->err);
	assert_ok(store_posting_cover(m->store, posting, m->text, &m->err), &m->err);
	return posting;
}

static int64_t queued(struct made *m, int64_t posting)
{
	const struct store_plan plan = {.posting = posting,
					.list = "demo",
					.digest = "d",
					.series = {.title = m->text,
						   .message_id = "v1@example.org",
						   .author = m->text,
						   .version = 1}};
	int64_t id = 0;

	assert_ok(store_queue_add(m->store, &plan, steps, &id, &m->err), &m->err);
	return id;
}

static int64_t begun(struct made *m)
{
	int64_t id = 0, wait = 0;

	assert_ok(store_queue_take(m->store, 2000000000, &id, &wait, &m->err), &m->err);
	return id;
}

/* A report of two patches: the second one has a finding and breaks the build. */
static char *report_of(const struct server *s, struct made *m)
{
	char *path = xasprintf("%s/report.json", s->dir);
	auto_json json_t *text = json_text(m->text);
	auto_json json_t *report = NULL;

	assert_ok(json_read(FIXTURES "/report/findings.json", ERR_INPUT, &report, &m->err),
		  &m->err);
	json_array_append(json_object_get(report, "not_tested"), text);
	json_object_set(json_object_get(report, "base"), "why", text);
	json_object_set(json_object_get(report, "base"), "subject", text);
	assert_ok(json_write(path, report, &m->err), &m->err);
	return path;
}

static const char since[] =
	"{\"version\":1,\"message_id\":\"v1@example.org\",\"why\":\"same author\",\"limited\":null,"
	"\"patches\":[{\"patch\":1,\"was\":1,\"word\":\"unchanged\",\"words\":\"\",\"subject\":\"<"
	"b>one\","
	"\"diff\":null},{\"patch\":2,\"was\":null,\"word\":\"new\",\"words\":\"\",\"subject\":"
	"\"two\","
	"\"diff\":null},{\"patch\":null,\"was\":3,\"word\":\"dropped\",\"words\":\"\",\"subject\":"
	"\"3\","
	"\"diff\":\"-<i>old\"}]}";

static void outbox_fill(struct made *m, int64_t trial)
{
	auto_json json_t *text = json_text(m->text);
	auto_json json_t *check = json_object(), *mail = json_object();
	struct store_post_new post = {.trial = trial,
				      .poster = "patchwork",
				      .target = "ozlabs 12",
				      .context = "firn-apply",
				      .want = check};
	int64_t id = 0;

	json_object_set(check, "description", text);
	json_object_set(mail, "subject", text);
	json_object_set(mail, "body", text);
	json_object_set_new(mail, "to", json_pack("[O]", text));
	assert_ok(store_outbox_put(m->store, &post, &id, &m->err), &m->err);
	post.poster = "mail";
	post.target = "answer@example.org";
	post.context = "";
	post.want = mail;
	post.held = true;
	assert_ok(store_outbox_put(m->store, &post, &id, &m->err), &m->err);
	assert_ok(store_delivery_tell(m->store, 1, 1, STORE_DELIVERY_FAILED, 0, m->text, &m->err),
		  &m->err);
}

/* Two versions, a finished trial, one that runs, one that waits, a reply, Patchwork, a source and a
 * testbed that are bad, an outbox. */
static void store_fill(const struct server *s, const char *text)
{
	struct made m = {.store = store_of(s), .text = text};
	auto_free char *report = report_of(s, &m);
	const struct store_trial_end end = {
		.outcome = OUTCOME_WARN, .words = text, .report = report};
	const struct store_patchwork row = {.server = "ozlabs",
					    .message_id = "1-v2@example.org",
					    .url = "https://patchwork.example.org/patch/12/",
					    .number = 12,
					    .series = 7};
	static const char *const files[] = {"arch/powerpc/mm/mem.c"};
	int64_t one = posting_of(&m, "v1@example.org", 1),
		two = posting_of(&m, "v2@example.org", 2),
		reply = mail_of(&m, "re@example.org", "v2@example.org"), trial;

	assert_ok(store_posting_link(m.store, one, two, &m.err), &m.err);
	assert_ok(store_posting_since(m.store, two, since, &m.err), &m.err);
	assert_ok(store_posting_files(m.store, two, files, 1, &m.err), &m.err);
	assert_ok(store_mail_settle(m.store, reply, "reply", text, two, 0, &m.err), &m.err);
	assert_ok(store_patchwork_put(m.store, &row, &m.err), &m.err);
	queued(&m, two);
	trial = begun(&m);
	outbox_fill(&m, trial);
	assert_ok(store_trial_finish(m.store, trial, &end, &m.err), &m.err);
	queued(&m, one);
	trial = begun(&m);
	assert_ok(store_step_begin(m.store, trial, "apply", &m.err), &m.err);
	assert_ok(store_step_tell(m.store, trial, "apply", text, 1, 2, &m.err), &m.err);
	queued(&m, two);
	assert_ok(store_source_tell(m.store, "lore demo", text, 0, &m.err), &m.err);
	assert_ok(store_testbed_tell(m.store, "qemu", false, text, &m.err), &m.err);
	store_close(m.store);
}

static void get(const struct server *s, const char *path, int want, struct str *answer)
{
	client_ask(s, "GET", path, answer);
	if (answer_status(answer) != want)
		fail_msg("%s: %d", path, answer_status(answer));
}

#define assert_get(server, path, want, text)                                                       \
	do {                                                                                       \
		auto_str struct str answer_;                                                       \
		get(server, path, want, &answer_);                                                 \
		answer_holds(&answer_, text);                                                      \
	} while (0)

static void assert_no_get(const struct server *s, const char *path, const char *text)
{
	auto_str struct str answer;

	get(s, path, 200, &answer);
	if (strstr(answer_body(&answer), text))
		fail_msg("%s has \"%s\"", path, text);
}

static const char *const pages[] = {"/",
				    "/?state=running",
				    "/?state=waiting",
				    "/?state=incomplete",
				    "/?list=demo&limit=1",
				    "/?file=arch/powerpc/",
				    "/lists",
				    "/list/demo",
				    "/list/demo?state=warn",
				    "/series/1",
				    "/series/2",
				    "/testbeds",
				    "/ledger",
				    "/ledger?state=patch&list=demo",
				    "/outbox",
				    "/outbox?show=held",
				    "/outbox?show=failed",
				    "/outbox?show=sent",
				    "/outbox?show=open"};

/* Every element closed in order, attributes quoted and there once. */
static void assert_nested(const char *path, const char *body)
{
	static const GMarkupParser nothing;
	GMarkupParseContext *parse = g_markup_parse_context_new(&nothing, 0, NULL, NULL);
	GError *error = NULL;

	if (!g_markup_parse_context_parse(parse, body, (gssize)strlen(body), &error) ||
	    !g_markup_parse_context_end_parse(parse, &error))
		fail_msg("%s: %s", path, error->message);
	g_markup_parse_context_free(parse);
}

static void assert_pages_are_sound(const struct server *s)
{
	for (size_t i = 0; i < array_size(pages); i++) {
		auto_str struct str answer;
		const char *body;

		get(s, pages[i], 200, &answer);
		body = answer_body(&answer);
		assert_nested(pages[i], body);
		if (strstr(body, "<script>") || strstr(body, "<img") || strstr(body, "<b>") ||
		    strstr(body, "\xe2\x80\xae") || strchr(body, '\x1b') ||
		    !utf8_valid(body, strlen(body)))
			fail_msg("%s: a stranger's text is markup, or acts on the screen",
				 pages[i]);
		assert_non_null(strstr(body, "<h1"));
		assert_null(strstr(strstr(body, "<h1") + 1, "<h1"));
	}
}

static void hostile_contents_are_text(void **state)
{
	auto_free char *text = hostile();

	store_fill(*state, text);
	assert_pages_are_sound(*state);
}

static void an_empty_store_says_what_to_do(void **state)
{
	store_close(store_of(*state));
	assert_get(*state, "/", 200, "firn run SERIES --tree TREE");
	assert_get(*state, "/lists", 200, "No list is followed");
	assert_get(*state, "/ledger", 200, "No mail has come");
	assert_get(*state, "/outbox", 200, "Nothing is to be said yet");
	assert_get(*state, "/testbeds", 200, "firn calibrate --bench NAME");
	assert_get(*state, "/list/demo", 404, "No list of that name");
	assert_get(*state, "/series/1", 404, "There is no series of that number");
	assert_get(*state, "/m/a@example.org", 404, "has come. It may be on a list");
}

static void a_series_has_all_its_parts(void **state)
{
	const struct server *s = *state;

	store_fill(s, "mm: tidy up");
	assert_get(s, "/series/2", 200, "<h1><bdi>mm: tidy up</bdi></h1>");
	assert_get(s, "/series/2", 200, "<a href=\"/series/1\">v1</a>");
	assert_get(s, "/series/2", 200, "Since version 1");
	assert_get(s, "/series/2", 200, "dropped");
	assert_get(s, "/series/2", 200, "<h2>Cover letter</h2>");
	assert_get(s, "/series/2", 200, "<a href=\"/series/2/patch/1\">");
	assert_get(s, "/series/2", 200, "the series as a whole");
	assert_get(s, "/series/2", 200, "Not tested, and why");
	assert_get(s, "/series/2", 200, "<section id=\"reply\">");
	assert_get(s, "/series/2", 200, "action=\"/rerun\"");
	assert_get(s, "/series/2", 200, "<a href=\"/login?to=%2Fseries%2F2\">Sign in</a>");
	assert_get(s, "/series/1", 200, "There is a <a href=\"/series/2\">newer version</a>");
}

static void the_front_says_how_it_is(void **state)
{
	const struct server *s = *state;

	store_fill(s, "mm: tidy up");
	assert_get(s, "/", 200, "No testbed takes boots.");
	assert_get(s, "/", 200, "<a href=\"/trial/2/step/apply\">");
	assert_get(s, "/", 200, "step 1 of 2, 1 of 2");
	assert_get(s, "/", 200, "1 held for approval");
	assert_get(s, "/", 200, "data-events=\"/events\"");
	assert_get(s, "/list/demo", 200, "<a href=\"/series/1\">");
	assert_get(s, "/testbeds", 200, "out since");
	assert_get(s, "/testbeds", 200, "100 runs, 400 boots (399 reached their end)");
	assert_get(s, "/testbeds", 200, "<td class=\"n\">0 of 100</td>");
	assert_get(s, "/testbeds", 200, "2.95 %");
}

static void messages_lead_to_their_place(void **state)
{
	const struct server *s = *state;

	store_fill(s, "mm: tidy up");
	assert_get(s, "/m/v2%40example.org", 302, "Location: /series/2\r\n");
	assert_get(s, "/m/2-v2@example.org", 302, "Location: /series/2/patch/2\r\n");
	assert_get(s, "/m/re@example.org", 302, "Location: /series/2#reply\r\n");
	assert_get(s, "/m/nobody@example.org", 404, "nobody@example.org");
	assert_get(s, "/search?q=%3Cv2@example.org%3E", 302, "Location: /m/v2%40example.org\r\n");
	assert_get(s, "/search?q=https%3A%2F%2Flore.kernel.org%2Fall%2Fv2@example.org%2FT%2F%23t",
		   302, "Location: /m/v2%40example.org\r\n");
	assert_get(s, "/search?q=https%3A%2F%2Fpatchwork.example.org%2Fproject%2Fx%2Fpatch%2F12%2F",
		   302, "Location: /m/1-v2%40example.org\r\n");
	assert_get(s, "/search?q=https://patchwork.example.org/project/x/list/%3Fseries%3D7", 302,
		   "Location: /m/1-v2%40example.org\r\n");
	assert_get(s, "/search?q=ada@example.org", 302, "Location: /?q=ada%40example.org\r\n");
	assert_get(s, "/search?q=tidy%0d%0aX:+1", 302, "Location: /?q=tidy%0D%0AX%3A%201\r\n");
	assert_get(s, "/search?q=", 302, "Location: /\r\n");
}

static void what_is_held_is_for_who_is_signed_in(void **state)
{
	const struct server *s = *state;
	auto_str struct str answer;

	store_fill(s, "mm: tidy up");
	assert_no_get(s, "/outbox?show=held", "<pre");
	assert_no_get(s, "/outbox?show=held", "Approve");
	client_send_to(s, "GET /outbox?show=held", "X-Remote-User: maddy\r\n", "", &answer);
	assert_int_equal(answer_status(&answer), 200);
	answer_holds(&answer, "action=\"/outbox/2\"");
	answer_holds(&answer, "name=\"revision\" value=\"1\"");
	answer_holds(&answer, "value=\"approve\"");
	answer_holds(&answer, "<pre class=\"mail\">To: mm: tidy up");
}

static struct conf conf;
static char cache[PATH_MAX];

static int setup(void **state)
{
	struct server want = {.token = TOKEN,
			      .auth_header = "X-Remote-User",
			      .auth_from = "127.0.0.1",
			      .cache_dir = cache,
			      .conf = &conf};

	return server_setup_as(state, &want);
}

static int conf_make(void **state)
{
	static const char *const entries[][2] = {
		{"list.demo.lore", "https://lore.example.org/demo/"},
		{"patchwork.ozlabs.url", "https://patchwork.example.org/"}};

	auto_json json_t *text = json_text("<b>a base");
	auto_json json_t *found = json_pack(
		"{s:s, s:s, s:s, s:O, s:i, s:{s:i, s:i}, s:[{s:O, s:i, s:i, s:f, s:f, s:s}]}",
		"bench", "hot-add", "testbed", "qemu", "mode", "count", "base", text, "runs", 100,
		"boots", "made", 400, "good", 399, "aims", "what", text, "k", 0, "n", 100, "rate",
		0.0, "bound", 0.0295, "state", "shown");
	struct err err = ERR_INIT;

	(void)state;
	snprintf(cache, sizeof(cache), "%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(cache));
	auto_free char *dir = xasprintf("%s/calibration", cache);
	auto_free char *path = xasprintf("%s/hot-add-qemu-count.json", dir);
	assert_ok(fs_mkdirs(dir, &err), &err);
	assert_ok(json_write(path, found, &err), &err);
	for (size_t i = 0; i < array_size(entries); i++) {
		char *mistake = NULL;

		assert_true(conf_section_entry(&conf, entries[i][0], entries[i][1], 1, &mistake));
		assert_null(mistake);
	}
	return 0;
}

static void links_lead_to_the_archive(void **state)
{
	const struct server *s = *state;

	store_fill(s, "mm: tidy up");
	assert_get(s, "/series/2", 200,
		   "href=\"https://lore.example.org/demo/v2%40example.org/\">archive</a>");
	assert_get(s, "/list/demo", 200, "https://lore.example.org/demo/");
	assert_get(s, "/lists", 200, "<a href=\"/list/demo\">");
}

static int conf_forget(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	conf_done(&conf);
	return fs_rmtree(cache, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, server_teardown)
#define BARE(name) cmocka_unit_test_setup_teardown(name, server_setup, server_teardown)
		BARE(an_empty_store_says_what_to_do), TEST(hostile_contents_are_text),
		TEST(a_series_has_all_its_parts),     TEST(the_front_says_how_it_is),
		TEST(messages_lead_to_their_place),   TEST(what_is_held_is_for_who_is_signed_in),
		TEST(links_lead_to_the_archive),
	};

	return cmocka_run_group_tests(tests, conf_make, conf_forget);
}
