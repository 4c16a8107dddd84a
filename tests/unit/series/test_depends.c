// SPDX-License-Identifier: GPL-2.0-or-later
#include "reply_help.h"

#include "series/depends.h"
#include "series/patch_id.h"

struct needs {
	struct box box;
	struct depends_index *index;
	struct depends_plan plan;
};

static size_t series_of(const struct needs *n, const char *id)
{
	for (size_t i = 0; i < n->box.set.n_series; i++)
		if (strcmp(n->box.set.series[i].message_id, id) == 0)
			return i;
	fail_msg("no series %s", id);
	return 0;
}

static void needs_plan(struct needs *n, const char *id)
{
	n->index = depends_index_new(n->box.threads, &n->box.set);
	depends_plan_make(n->index, series_of(n, id), &n->plan);
}

static void needs_open(struct needs *n, const char *id)
{
	box_open(&n->box, "depends.mbox");
	needs_plan(n, id);
}

static void needs_unplan(struct needs *n)
{
	depends_plan_done(&n->plan);
	depends_index_free(n->index);
}

static void needs_done(struct needs *n)
{
	needs_unplan(n);
	box_done(&n->box);
}

static void assert_step(const struct needs *n, size_t i, const char *id, size_t n_patches)
{
	assert_true(i < n->plan.n_steps);
	assert_string_equal(n->box.set.series[n->plan.step[i].series].message_id, id);
	assert_int_equal(n->plan.step[i].n_patches, n_patches);
}

static void assert_problem(const struct needs *n, size_t i, enum depends_problem_kind kind,
			   const char *text)
{
	assert_true(i < n->plan.n_problems);
	assert_int_equal(n->plan.problem[i].kind, kind);
	assert_string_equal(n->plan.problem[i].text, text);
}

static void nothing_needed(void **state)
{
	struct needs n;

	(void)state;
	needs_open(&n, "a-0@example.org");
	assert_int_equal(n.plan.n_steps, 1);
	assert_int_equal(n.plan.n_problems, 0);
	assert_step(&n, 0, "a-0@example.org", 2);
	needs_done(&n);
}

static void closure_in_any_order(void **state)
{
	struct needs n;

	(void)state;
	needs_open(&n, "c-1@example.org");
	for (unsigned seed = 0; seed < 6; seed++) {
		assert_int_equal(n.plan.n_steps, 3);
		assert_step(&n, 0, "a-0@example.org", 2);
		assert_step(&n, 1, "b-1@example.org", 1);
		assert_step(&n, 2, "c-1@example.org", 1);
		assert_int_equal(n.plan.n_problems, 0);
		needs_unplan(&n);
		box_shuffle(&n.box, seed);
		needs_plan(&n, "c-1@example.org");
	}
	needs_done(&n);
}

static void missing_ones_are_named(void **state)
{
	struct needs n;

	(void)state;
	needs_open(&n, "d-1@example.org");
	assert_int_equal(n.plan.n_steps, 1);
	assert_int_equal(n.plan.n_problems, 4);
	assert_problem(&n, 0, DEPENDS_MISSING,
		       "<d-1@example.org> says \"prerequisite-patch-id: "
		       "1111111111222222222233333333334444444444\", but no patch with this id is "
		       "here");
	assert_problem(
		&n, 1, DEPENDS_MISSING,
		"<d-1@example.org> says \"prerequisite-message-id: <gone@example.org>\", but "
		"no patch or cover letter with this Message-ID is here");
	assert_problem(
		&n, 2, DEPENDS_MISSING,
		"<d-1@example.org> says \"prerequisite-change-id: "
		"20261102-gone-0123456789ab:v3\", but no series with this change-id is here");
	assert_problem(
		&n, 3, DEPENDS_UNCLEAR,
		"<d-1@example.org> says \"Depends-on: "
		"https://patchwork.example.org/project/demo/list/?series=17\", but that names "
		"no mail");
	needs_done(&n);
}

static void circles_are_named(void **state)
{
	struct needs n;

	(void)state;
	needs_open(&n, "e-1@example.org");
	assert_int_equal(n.plan.n_steps, 5);
	assert_step(&n, 0, "a-0@example.org", 2);
	assert_step(&n, 1, "b-1@example.org", 1);
	assert_step(&n, 4, "e-1@example.org", 1);
	assert_int_equal(n.plan.n_problems, 1);
	assert_problem(&n, 0, DEPENDS_CYCLE,
		       "<e-1@example.org> depends on <f-1@example.org>, which depends on "
		       "<g-1@example.org>, which depends on <e-1@example.org>");
	needs_unplan(&n);
	needs_plan(&n, "h-1@example.org");
	assert_int_equal(n.plan.n_steps, 1);
	assert_problem(&n, 0, DEPENDS_CYCLE, "<h-1@example.org> depends on itself");
	needs_done(&n);
}

#define DEEP 1500

/* A circle of many: no recursion, and the message stays short. */
static void a_large_circle(void **state)
{
	struct needs n = {};
	struct err err = ERR_INIT;

	(void)state;
	for (unsigned i = 0; i < DEEP; i++) {
		auto_free char *text =
			xasprintf("From: Ann <ann@example.org>\nSubject: [PATCH] circle: %u\n"
				  "Message-ID: <%u@example.org>\n"
				  "Date: Mon, 2 Nov 2026 %02u:%02u:00 +0000\n\n"
				  "Depends-on: <%u@example.org>\n---\n"
				  "--- a/f%u\n+++ b/f%u\n@@ -1 +1 @@\n-a\n+b\n",
				  i, i, i / 60 % 24, i % 60, (i + 1) % DEEP, i, i);
		struct mail *m;

		assert_ok(mail_parse(text, strlen(text), "circle", &m, &err), &err);
		mail_list_add(&n.box.mails, m);
	}
	box_sort(&n.box);
	needs_plan(&n, "0@example.org");
	assert_int_equal(n.plan.n_steps, DEEP);
	assert_int_equal(n.plan.n_problems, 1);
	assert_non_null(strstr(n.plan.problem[0].text, "<20@example.org>, which depends on 1479 "
						       "more, the last on <0@example.org>"));
	needs_done(&n);
}

static void versions_by_change_id(void **state)
{
	struct needs n;

	(void)state;
	needs_open(&n, "i-1@example.org");
	assert_step(&n, 0, "a-0@example.org", 2);
	needs_unplan(&n);
	needs_plan(&n, "j-1@example.org");
	/* The patch stands in both versions; the newer one was there when this was posted. */
	assert_int_equal(n.plan.n_steps, 2);
	assert_step(&n, 0, "a2-0@example.org", 2);
	needs_done(&n);
}

static void read_in_full(void **state)
{
	struct needs n;
	struct deps d;

	(void)state;
	needs_open(&n, "c-1@example.org");
	deps_read(&n.box.set.series[series_of(&n, "c-1@example.org")], &d);
	assert_int_equal(d.n, 3);
	assert_int_equal(d.item[0].kind, DEP_MESSAGE_ID);
	assert_string_equal(d.item[0].value, "b-1@example.org");
	assert_int_equal(d.item[1].kind, DEP_BASE_COMMIT);
	assert_int_equal(d.item[2].kind, DEP_PATCH_ID);
	deps_done(&d);
	needs_done(&n);
}

static void links(void **state)
{
	static const struct {
		const char *url, *id;
	} rows[] = {
		{"https://lore.kernel.org/r/a@b.org", "a@b.org"},
		{"https://lore.kernel.org/linux-mm/a%2Fx%40b.org/t.mbox.gz", "a/x@b.org"},
		{"https://patchwork.example.org/project/p/patch/a@b.org/", "a@b.org"},
		{"https://msgid.link/a@b.org?x=c@d.org#e@f.org", "a@b.org"},
		{"<https://lore.kernel.org/r/a@b.org>", "a@b.org"},
		{"https://someone@lore.kernel.org/r/", NULL},
		{"https://lore.kernel.org", NULL},
		{"https://lore.kernel.org/r/%00@b.org", NULL},
		{"https://patchwork.example.org/project/p/list/?series=1", NULL},
		{"not a link", NULL},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *id = dep_link_id(rows[i].url);

		if (rows[i].id)
			assert_string_equal(id, rows[i].id);
		else
			assert_null(id);
	}
}

static void ids_of_patches(void **state)
{
	static const char plain[] = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
	static const char git[] = "diff --git a/x b/x\nindex 1..2 100644\n"
				  "--- a/x\n+++ b/x\n@@ -1 +1 @@ f()\n-a b\n+b\n-- \n2.39\n";
	static const char moved[] = "diff --git a/x b/x\nindex 3..4 100644\n"
				    "--- a/x\n+++ b/x\n@@ -7 +9 @@ g()\n-  ab\n+b\n";
	char a[PATCH_ID_HEX_MAX], b[PATCH_ID_HEX_MAX];

	(void)state;
	assert_false(patch_id("", 0, a));
	assert_false(patch_id(plain, sizeof(plain) - 1, a));
	assert_true(patch_id(git, sizeof(git) - 1, a));
	assert_true(patch_id(moved, sizeof(moved) - 1, b));
	assert_string_equal(a, b);
	/* What `git patch-id --stable` says of it. */
	assert_string_equal(a, "45b12dfafc2a9f04349b3b8ae0e54bdd375f7f0a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_needed),	  cmocka_unit_test(closure_in_any_order),
		cmocka_unit_test(missing_ones_are_named), cmocka_unit_test(circles_are_named),
		cmocka_unit_test(a_large_circle),	  cmocka_unit_test(versions_by_change_id),
		cmocka_unit_test(read_in_full),		  cmocka_unit_test(links),
		cmocka_unit_test(ids_of_patches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
