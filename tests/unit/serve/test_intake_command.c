// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands in mails: reading them, who may, and whether it is he. */
#include "intake_help.h"

#include "serve/command_mail.h"
#include "serve/engine.h"

static void test_parse(void **state)
{
	static const struct {
		const char *line, *want; /* NULL: refused */
	} rows[] = {
		{"firn: rerun", "{}"},
		{"FIRN:  Rerun  all", "{}"},
		{"firn: rerun build, boot", "{\"only\":\"build,boot\"}"},
		{"firn: rerun bench-hot-add base v6.12-rc1",
		 "{\"base\":\"v6.12-rc1\",\"only\":\"bench-hot-add\"}"},
		{"firn: rerun base origin/master~2\r", "{\"base\":\"origin/master~2\"}"},
		{"firn: stop please", "{}"},
		{"firn:", NULL},
		{"firn: reboot", NULL},
		{"firn: rerun everything", NULL},
		{"firn: rerun base", NULL},
		{"firn: rerun base --upload-pack=x", NULL},
		{"firn: rerun base a..b", NULL},
		{"firn: rerun base a:b", NULL},
		{"firn: rerun bench-", NULL},
		{"firn: rerun bench-../x", NULL},
		{"firn: rerun \xff", NULL},
		{"firn: rerun a a a a a a a a a a a a a a a a a a a a a a a", NULL},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct command c = {0};
		struct err err = ERR_INIT;
		int rc = command_parse(rows[i].line, &c, &err);

		if ((rc < 0) != !rows[i].want)
			fail_msg("%s: %d %s", rows[i].line, rc, err.msg);
		if (rc == 0) {
			auto_free char *got =
				json_dumps(c.arguments, JSON_COMPACT | JSON_SORT_KEYS);

			assert_string_equal(got, rows[i].want);
		}
		command_done(&c);
	}
}

static struct mail *mail_of(const char *text)
{
	struct err err = ERR_INIT;
	struct mail *m = NULL;

	assert_ok(mail_parse(text, strlen(text), "test", &m, &err), &err);
	return m;
}

#define MAIL(headers) headers "From: Ada <ada@lab.example.org>\nMessage-ID: <1@example.org>\n\nx\n"
#define AR	      "Authentication-Results: "

static void test_results(void **state)
{
	static const struct {
		const char *text;
		bool good;
	} rows[] = {
		{MAIL(AR "mx.example.com; dkim=pass header.d=lab.example.org\n"), true},
		{MAIL(AR "mx.example.com;\n\tspf=pass;\n\tdkim=pass (2048 bit) "
			 "header.i=@example.org header.s=a\n"),
		 true},
		{MAIL(AR "MX.example.com 1; DKIM=pass header.d=\"example.org\"\n"), true},
		{MAIL(""), false},
		{MAIL(AR "mx.example.com; dkim=fail header.d=example.org\n"), false},
		{MAIL(AR "mx.example.com; dkim=pass header.d=other.example\n"), false},
		{MAIL(AR "mx.example.com; dkim=pass header.d=org\n"), false},
		{MAIL(AR "mx.example.com; dkim=pass header.d=ample.org\n"), false},
		{MAIL(AR "mx.example.com; none\n"), false},
		/* Somebody else's, and one of ours below it: the newest alone counts. */
		{MAIL(AR "evil.example; dkim=pass header.d=example.org\n" AR
			 "mx.example.com; dkim=pass header.d=example.org\n"),
		 false},
		/* The domain stands in a comment, a quoted string, or another method's result. */
		{MAIL(AR "mx.example.com; dkim=fail (; dkim=pass header.d=example.org)\n"), false},
		{MAIL(AR "mx.example.com; spf=pass x=\"; dkim=pass header.d=example.org\"\n"),
		 false},
		{MAIL(AR "mx.example.com; spf=pass header.d=example.org; dkim=pass\n"), false},
		{MAIL(AR "mx.example.com; dkim=pass header.d=example.org (\n"), false},
		/* Two senders. */
		{MAIL(AR "mx.example.com; dkim=pass header.d=example.org\nFrom: Eve "
			 "<eve@evil.example>\n"),
		 false},
	};
	const struct command_auth how = {.authserv = "mx.example.com"};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct mail *m = mail_of(rows[i].text);
		char *why = NULL;

		command_auth_results(m, &how, &why);
		if (!why != rows[i].good)
			fail_msg("row %zu: %s", i, why ? why : "passed");
		free(why);
		mail_free(m);
	}
}

static void test_loops(void **state)
{
	struct intake_fixture *f = *state;
	static const struct {
		const char *text;
		bool obeyed;
	} rows[] = {
		{MAIL(""), true},
		{MAIL("Precedence: list\n"), true},
		{MAIL("Precedence: bulk\nList-Id: <demo.lists.example.org>\n"), true},
		{MAIL("Precedence: bulk\n"), false},
		{MAIL("Precedence: junk\nList-Id: <demo.lists.example.org>\n"), false},
		{MAIL("Auto-Submitted: auto-replied\n"), false},
		{MAIL("Auto-Submitted: no\n"), true},
		{MAIL("X-Mailer: patchwork-bot 1\n"), false},
		{MAIL("X-Firn-Trial: 7\n"), false},
		{"From: firn <ci@firn.example>\nMessage-ID: <1@x>\n\nx\n", false},
		{"From: Ada <ada@x.example>\nMessage-ID: <firn.1.ab@firn.example>\n\nx\n", false},
		{"From: Ada <ada@firn.example>\nMessage-ID: <2026@firn.example>\n\nx\n", true},
		{"From: Tree CI <a@x.example>\nMessage-ID: <1@x>\n\nx\n", false},
	};

	conf_text(f, CONF_ONE "[post]\n\tfrom = firn <ci@firn.example>\n");
	for (size_t i = 0; i < array_size(rows); i++) {
		struct mail *m = mail_of(rows[i].text);
		auto_free char *why = command_loop(&f->conf, m);

		if (!why != rows[i].obeyed)
			fail_msg("row %zu: %s", i, why ? why : "obeyed");
		mail_free(m);
	}
}

static void test_maintainers(void **state)
{
	static const char text[] =
		"List of maintainers\n-------------------\n\n"
		"MEMORY MANAGEMENT\nM:\tAnn Example <ann@example.org>\nR:\tRay <ray@example.org>\n"
		"L:\tlinux-mm@example.org\nS:\tMaintained\nF:\tmm/\nF:\tinclude/linux/mm*.h\n"
		"X:\tmm/slab*\n\n"
		"NET TOP\nM:\tNed <ned@example.org>\nF:\tnet/*\nF:\tdrivers/*/net/\nF:\tlib/one\n";
	static const struct {
		const char *address, *file;
		bool has;
	} rows[] = {
		{"ann@example.org", "mm/page_alloc.c", true},
		{"ANN@example.org", "mm/kasan/deep.c", true},
		{"ray@example.org", "include/linux/mm_types.h", true},
		{"ann@example.org", "mm/slab.c", false},
		{"ann@example.org", "include/linux/mm/x.h", false},
		{"ann@example.org", "net/core.c", false},
		{"ann@example.or", "mm/page_alloc.c", false},
		{"n@example.org", "mm/page_alloc.c", false},
		{"linux-mm@example.org", "mm/page_alloc.c", false},
		{"ned@example.org", "net/core.c", true},
		{"ned@example.org", "net/ipv4/tcp.c", false},
		{"ned@example.org", "drivers/usb/net/a/b.c", true},
		{"ned@example.org", "lib/one/two.c", true},
		{"ned@example.org", "lib/one", true},
		{"ned@example.org", "lib/onet", false},
		{"", "mm/page_alloc.c", false},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		char *files[] = {(char *)"other/file", (char *)rows[i].file, NULL};

		if (maintainers_has(text, sizeof(text) - 1, rows[i].address, files) != rows[i].has)
			fail_msg("row %zu: %s and %s", i, rows[i].address, rows[i].file);
	}
}

static void posting_bring(struct intake_fixture *f)
{
	bring(f, &(struct letter){.id = "p@example.org",
				  .subject = "[PATCH] mm: tidy",
				  .body = DIFF("mm/slab.c")});
	bring(f, &(struct letter){.id = "r@example.org",
				  .subject = "Re: [PATCH] mm: tidy",
				  .from = "Bob <bob@example.org>",
				  .answers = "p@example.org",
				  .body = "Hm.\n"});
	settle(f);
}

static void say(struct intake_fixture *f, const char *id, const char *from, const char *headers,
		const char *body)
{
	bring(f, &(struct letter){.id = id,
				  .subject = "Re: [PATCH] mm: tidy",
				  .from = from,
				  .answers = "r@example.org",
				  .headers = headers,
				  .body = body});
	settle(f);
}

#define ADA "Ada Example <ada@example.org>"

static void test_author(void **state)
{
	struct intake_fixture *f = *state;

	posting_bring(f);
	say(f, "1@example.org", ADA, NULL, "> firn: rerun boot\n\nfirn: rerun build base v6.1\n");
	assert_text(f,
		    "SELECT kind || ' ' || message_id || ' ' || arguments || ' ' || who || ' ' || "
		    "via || ' ' || mail FROM request",
		    "rerun p@example.org {\"base\":\"v6.1\",\"only\":\"build\"} ada@example.org "
		    "mail 3");
	assert_text(f, "SELECT state || posting || reason FROM mail WHERE id = 3",
		    "command1answers patch 1/1 of posting 1: \"firn: rerun build base v6.1\"; "
		    "request 1");
	/* Once: it is not looked at again when something else in the thread comes. */
	say(f, "2@example.org", ADA, NULL, "> firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 1);
}

static void test_refusals(void **state)
{
	struct intake_fixture *f = *state;

	posting_bring(f);
	say(f, "1@example.org", "Eve <eve@example.org>", NULL, "firn: rerun\n");
	assert_text(f, "SELECT arguments FROM request",
		    "{\"about\":\"p@example.org\",\"refuse\":\"<eve@example.org> is neither the "
		    "series' author nor in "
		    "MAINTAINERS for its files\"}");
	say(f, "2@example.org", ADA, NULL, "firn: dance\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request WHERE arguments LIKE "
					"'%no command%'"),
			 1);
	/* No answer to what may be a program, or a loop. */
	say(f, "3@example.org", ADA, "Auto-Submitted: auto-replied\n", "firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 2);
	assert_text(f, "SELECT reason FROM mail WHERE message_id = '3@example.org'",
		    "answers patch 1/1 of posting 1: \"firn: rerun\"; refused: a program sent it");
	bring(f, &(struct letter){.id = "4@example.org",
				  .subject = "Re: something",
				  .answers = "unknown@example.org",
				  .body = "firn: rerun\n"});
	settle(f);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 2);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM mail WHERE reason LIKE '%not known "
					"here%'"),
			 1);
}

static void test_commanders_and_off(void **state)
{
	struct intake_fixture *f = *state;

	conf_text(f, CONF_ONE "\tcommanders = eve@example.org,cy@example.org\n");
	posting_bring(f);
	say(f, "1@example.org", "Eve <Eve@example.org>", NULL, "firn: rerun\n");
	assert_text(f, "SELECT arguments FROM request", "{}");
	conf_text(f, CONF_ONE "\tcommands = false\n");
	say(f, "2@example.org", ADA, NULL, "firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 1);
}

static void test_stop(void **state)
{
	struct intake_fixture *f = *state;

	posting_bring(f);
	say(f, "1@example.org", "Eve <eve@example.org>", NULL, "firn: stop\n");
	assert_text(f, "SELECT kind || arguments FROM request",
		    "suppress{\"address\":\"eve@example.org\"}");
}

static void test_rate(void **state)
{
	struct intake_fixture *f = *state;

	posting_bring(f);
	for (unsigned i = 0; i < 12; i++) {
		auto_free char *id = xasprintf("c%u@example.org", i);

		say(f, id, ADA, NULL, "firn: rerun\n");
	}
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 10);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM mail WHERE reason LIKE '%in an "
					"hour'"),
			 2);
}

/* A repository whose HEAD has this MAINTAINERS, mm/slab.c and nothing else. */
static void tree_make(struct intake_fixture *f, const char *maintainers)
{
	auto_free char *path = xasprintf("%s/tree", f->store.dir);
	auto_free char *text = xasprintf("[tree \"t\"]\n\tpath = %s\n[list \"demo\"]\n\ttree = t\n"
					 "\tlore = http://127.0.0.1/demo/\n",
					 path);
	auto_git(repository) git_repository *repo = NULL;
	auto_git(tree) git_tree *tree = NULL;
	git_treebuilder *top = NULL, *mm = NULL;
	git_signature *me = NULL;
	git_oid blob, id;

	assert_int_equal(git_repository_init(&repo, path, 1), 0);
	assert_int_equal(git_treebuilder_new(&top, repo, NULL), 0);
	assert_int_equal(git_treebuilder_new(&mm, repo, NULL), 0);
	assert_int_equal(git_blob_create_from_buffer(&blob, repo, maintainers, strlen(maintainers)),
			 0);
	assert_int_equal(git_treebuilder_insert(NULL, mm, "slab.c", &blob, GIT_FILEMODE_BLOB), 0);
	assert_int_equal(git_treebuilder_write(&id, mm), 0);
	assert_int_equal(git_treebuilder_insert(NULL, top, "mm", &id, GIT_FILEMODE_TREE), 0);
	assert_int_equal(git_treebuilder_insert(NULL, top, "MAINTAINERS", &blob, GIT_FILEMODE_BLOB),
			 0);
	assert_int_equal(git_treebuilder_write(&id, top), 0);
	assert_int_equal(git_tree_lookup(&tree, repo, &id), 0);
	assert_int_equal(git_signature_new(&me, "Ada", "ada@example.org", 1, 0), 0);
	assert_int_equal(
		git_commit_create(&id, repo, "HEAD", me, me, NULL, "A tree", tree, 0, NULL), 0);
	git_signature_free(me);
	git_treebuilder_free(top);
	git_treebuilder_free(mm);
	conf_text(f, text);
}

static void test_maintainer_of_files(void **state)
{
	struct intake_fixture *f = *state;

	tree_make(f, "SLAB\nM:\tMona <mona@example.org>\nF:\tmm/slab.c\n\n"
		     "NET\nM:\tNed <ned@example.org>\nF:\tnet/\n");
	posting_bring(f);
	say(f, "1@example.org", "Ned <ned@example.org>", NULL, "firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request WHERE message_id <> ''"), 0);
	say(f, "2@example.org", "Mona <mona@example.org>", NULL, "firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request WHERE message_id <> ''"), 1);
}

/* What the tree has, and what may be made in it. */
static void test_tree_asked(void **state)
{
	struct intake_fixture *f = *state;

	tree_make(f, "\n");
	bring(f, &(struct letter){.id = "1@example.org",
				  .subject = "[PATCH] drivers: not here",
				  .body = DIFF("drivers/net/a.c")});
	bring(f,
	      &(struct letter){.id = "2@example.org",
			       .subject = "[PATCH] mm: new",
			       .from = "Bob <bob@example.org>",
			       .body = "New.\n---\ndiff --git a/mm/new.c b/mm/new.c\nnew file mode "
				       "100644\nindex 000000000000..222222222222\n--- "
				       "/dev/null\n+++ b/mm/new.c\n@@ -0,0 +1 @@\n+two\n"});
	bring(f, &(struct letter){.id = "3@example.org",
				  .subject = "[PATCH] mm: old",
				  .from = "Cy <cy@example.org>",
				  .body = DIFF("mm/slab.c")});
	settle(f);
	assert_text(
		f,
		"SELECT group_concat(state) FROM (SELECT state FROM posting ORDER BY message_id)",
		"left alone,complete,complete");
}

/* The engine obeys no request that was refused. */
static void test_refused_is_answered(void **state)
{
	struct intake_fixture *f = *state;
	const struct role_env env = {.conf = &f->conf, .store = f->store.store};
	struct engine e = {.env = &env};

	posting_bring(f);
	say(f, "1@example.org", "Eve <eve@example.org>", NULL, "firn: rerun\n");
	assert_ok(engine_answer(&e, &f->store.err), &f->store.err);
	assert_text(f, "SELECT good || words FROM answer",
		    "0<eve@example.org> is neither the series' author nor in MAINTAINERS for its "
		    "files (no mail about it: the series has not been tried)");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM outbox"), 0);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM trial"), 0);
}

#define CONF_RESULTS CONF_ONE "\tdkim = results\n\tauthserv = mx.example.com\n"

static void test_results_wanted(void **state)
{
	struct intake_fixture *f = *state;

	conf_text(f, CONF_RESULTS);
	posting_bring(f);
	say(f, "1@example.org", ADA, NULL, "firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 0);
	say(f, "2@example.org", ADA, AR "mx.example.com; dkim=pass header.d=example.org\n",
	    "firn: rerun\n");
	assert_text(f, "SELECT arguments FROM request", "{}");
	/* A list's own address in From:, its signature, and a name. */
	say(f, "3@example.org", "Ada Example via demo <demo@example.org>",
	    AR "mx.example.com; dkim=pass header.d=example.org\n"
	       "X-Original-From: Ada Example <ada@example.org>\n",
	    "firn: rerun\n");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM request"), 1);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, intake_setup, intake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_maintainers),
		TEST(test_loops),
		TEST(test_author),
		TEST(test_refusals),
		TEST(test_commanders_and_off),
		TEST(test_stop),
		TEST(test_maintainer_of_files),
		TEST(test_tree_asked),
		TEST(test_refused_is_answered),
		TEST(test_rate),
		TEST(test_results_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
