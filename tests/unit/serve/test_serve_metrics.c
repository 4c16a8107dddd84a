// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics and counts out of a store with something of everything. */
#include "unit/store/store_help.h"

#include "serve/metrics.h"
#include "store/metrics.h"

static void fill(struct store_fixture *f)
{
	int64_t mail = mail_put(f, "m1@example.org", NULL, "ada@example.org", 1000);
	int64_t posting = posting_put(f, "l\"1", mail, 1, "d1"), id = 0;
	int64_t trial = trial_put(f, "l\"1", posting, STORE_NEW);
	auto_json json_t *want = json_pack("{s:s}", "state", "pending");
	struct store_post_new post = {.trial = trial,
				      .poster = "patchwork",
				      .target = "o 1",
				      .context = "firn-apply",
				      .want = want};

	assert_ok(store_outbox_put(f->store, &post, &id, &f->err), &f->err);
	assert_ok(store_delivery_tell(f->store, id, 1, STORE_DELIVERY_SENT, 0, "", &f->err),
		  &f->err);
	post.context = "firn-build";
	assert_ok(store_outbox_put(f->store, &post, &id, &f->err), &f->err);
	post.poster = "mail";
	post.target = "x@example.org";
	post.held = true;
	assert_ok(store_outbox_put(f->store, &post, &id, &f->err), &f->err);
	assert_ok(store_source_tell(f->store, "lore a\\b\nc", "down", 0, &f->err), &f->err);
	assert_ok(store_testbed_tell(f->store, "qemu", true, "", &f->err), &f->err);
	assert_ok(store_testbed_count(f->store, "qemu", 7, 2, &f->err), &f->err);
}

static void has(const struct str *text, const char *want)
{
	if (!strstr(text->buf, want))
		fail_msg("metrics lack %s:\n%s", want, text->buf);
}

static void test_metrics(void **state)
{
	struct store_fixture *f = *state;
	auto_str struct str text;

	str_init(&text, 0);
	fill(f);
	assert_ok(metrics_write(f->store, f->dir, "/nonexistent", &text, &f->err), &f->err);
	has(&text, "firn_postings{list=\"l\\\"1\",state=\"complete\"} 1\n");
	has(&text, "firn_trials{list=\"l\\\"1\",state=\"waiting\"} 1\n");
	has(&text, "firn_outbox{poster=\"mail\",state=\"held\"} 1\n");
	has(&text, "firn_outbox{poster=\"patchwork\",state=\"open\"} 1\n");
	has(&text, "firn_outbox{poster=\"patchwork\",state=\"sent\"} 1\n");
	has(&text, "firn_source_failures{source=\"lore a\\\\b\\nc\"} 1\n");
	has(&text, "firn_testbed_boots_failed_total{testbed=\"qemu\"} 2\n");
	has(&text, "firn_disk_free_bytes{folder=\"data\"} ");
	assert_null(strstr(text.buf, "folder=\"cache\""));
}

/* Each family has its type once, before its samples, and each line is of the format. */
static void test_format(void **state)
{
	struct store_fixture *f = *state;
	auto_str struct str text;
	char family[100] = "";

	str_init(&text, 0);
	fill(f);
	assert_ok(store_metrics(f->store, &text, &f->err), &f->err);
	for (char *save = NULL, *line = strtok_r(text.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (str_starts(line, "# HELP "))
			continue;
		if (sscanf(line, "# TYPE %99s", family) == 1)
			continue;
		assert_true(str_starts(line, family));
		assert_true(strchr("{ ", line[strlen(family)]) != NULL);
		assert_non_null(strrchr(line, ' '));
	}
}

static void test_counts(void **state)
{
	struct store_fixture *f = *state;
	struct store_counts c = {0};

	fill(f);
	assert_ok(store_counts(f->store, &c, &f->err), &f->err);
	assert_int_equal(c.mails, 1);
	assert_int_equal(c.mails_new, 1);
	assert_int_equal(c.postings, 1);
	assert_int_equal(c.waiting, 1);
	assert_int_equal(c.running, 0);
	assert_int_equal(c.open, 1);
	assert_int_equal(c.held, 1);
	assert_int_equal(c.failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_metrics, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_format, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_counts, store_setup, store_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
