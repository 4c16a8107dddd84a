// SPDX-License-Identifier: GPL-2.0-or-later
/* check-config: what is wrong with files, repositories and names. */
#include "unit/unit.h"

#include "base/fs.h"
#include "serve/config_checks.h"
#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	char *dir;
	struct str mistakes, warnings;
	struct err err;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(f->dir));
	str_init(&f->mistakes, 0);
	str_init(&f->warnings, 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	assert_ok(fs_rmtree(f->dir, &f->err), &f->err);
	free(f->dir);
	str_done(&f->mistakes);
	str_done(&f->warnings);
	free(f);
	return 0;
}

static void on_mistake(void *ctx, const char *message)
{
	struct fixture *f = ctx;

	str_addf(&f->mistakes, "%s\n",
		 strrchr(message, '/') && str_starts(message, f->dir) ? message + strlen(f->dir) + 1
								      : message);
}

static void on_warning(void *ctx, const char *message)
{
	struct fixture *f = ctx;

	str_addf(&f->warnings, "%s\n", message + strlen(f->dir) + 1);
}

/* `%s` in `text` is the folder. */
__attribute__((format(printf, 2, 3))) static int check(struct fixture *f, const char *fmt, ...)
{
	const struct config_checker c = {
		.on_mistake = on_mistake, .on_warning = on_warning, .ctx = f};
	auto_free char *path = xasprintf("%s/config", f->dir);
	auto_str struct str text;
	struct conf conf = {0};
	va_list ap;
	int rc;

	str_init(&text, 0);
	str_reset(&f->mistakes);
	str_reset(&f->warnings);
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	assert_ok(fs_write_atomic(path, text.buf, text.len, &f->err), &f->err);
	rc = config_check(path, &c, &conf, &f->err);
	conf_done(&conf);
	return rc;
}

static void has(const struct str *text, const char *want)
{
	if (!strstr(text->buf, want))
		fail_msg("\"%s\" lacks \"%s\"", text->buf, want);
}

static void secret(struct fixture *f, const char *text, mode_t mode)
{
	auto_free char *path = xasprintf("%s/secret", f->dir);

	assert_ok(fs_write_atomic(path, text, strlen(text), &f->err), &f->err);
	assert_int_equal(chmod(path, mode), 0);
}

#define PATCHWORK "[patchwork \"o\"]\n\turl = https://pw.example.org/\n\ttoken-file = %s/secret\n"

static void test_secrets(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(check(f, PATCHWORK, f->dir), ERR_CONFIG);
	has(&f->mistakes, "config:3: token-file: cannot read");
	secret(f, "s3cret", 0644);
	assert_int_equal(check(f, PATCHWORK, f->dir), ERR_CONFIG);
	has(&f->mistakes, "config:3: token-file: everybody can read");
	secret(f, "s3cret", 0602);
	assert_int_equal(check(f, PATCHWORK, f->dir), ERR_CONFIG);
	has(&f->mistakes, "everybody can write");
	secret(f, "", 0600);
	assert_int_equal(check(f, PATCHWORK, f->dir), ERR_CONFIG);
	has(&f->mistakes, "is empty");
	assert_null(strstr(f->mistakes.buf, "s3cret"));
	secret(f, "s3cret", 0640);
	assert_ok(check(f, PATCHWORK, f->dir), &f->err);
	assert_int_equal(check(f, "[web]\n\ttoken-file = %s\n", f->dir), ERR_CONFIG);
	has(&f->mistakes, "config:2: web.token-file");
	has(&f->mistakes, "is no file");
	assert_int_equal(check(f, "[web]\n\ttoken-file = %s/secret\n", f->dir), ERR_CONFIG);
	has(&f->mistakes, "config:2: web.token-file:");
	has(&f->mistakes, "at least 16 characters");
	assert_null(strstr(f->mistakes.buf, "s3cret"));
	secret(f, "ada correct-horse-battery\n", 0640);
	assert_ok(check(f, "[web]\n\ttoken-file = %s/secret\n", f->dir), &f->err);
}

static void test_proxy(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(check(f, "[web]\n\tauth-header = X-Remote-User\n"), ERR_CONFIG);
	has(&f->mistakes, "config:2: web.auth-header: needs web.auth-from");
	assert_int_equal(check(f, "[web]\n\tauth-header = X User\n\tauth-from = here\n"),
			 ERR_CONFIG);
	has(&f->mistakes, "config:2: web.auth-header: \"X User\" is no name of a header");
	has(&f->mistakes, "config:3: web.auth-from: \"here\" is no address");
	assert_ok(check(f, "[web]\n\tauth-from = 127.0.0.1\n"), &f->err);
	has(&f->warnings, "config:2: web.auth-from: does nothing");
	assert_ok(check(f, "[web]\n\tauth-header = X-Remote-User\n\tauth-from = ::1, 10.0.0.0/8\n"),
		  &f->err);
}

#define LIST                                                                                       \
	"[tree \"t\"]\n\tpath = %s/tree\n\tbranches = next\n"                                      \
	"[list \"l\"]\n\tlore = http://lore.example.org/l/\n\ttree = t\n"

static void test_sections(void **state)
{
	struct fixture *f = *state;
	auto_free char *tree = xasprintf("%s/tree", f->dir);
	git_repository *repo = NULL;

	assert_int_equal(check(f, LIST "\tonly = apply,paint\n\tbench = hot-add,tea\n", f->dir),
			 ERR_CONFIG);
	has(&f->mistakes, "config:2: [tree \"t\"] path:");
	has(&f->mistakes, "config:7: [list \"l\"] only: no step \"paint\"");
	has(&f->mistakes, "config:8: [list \"l\"] bench: no benchmark \"tea\"");
	has(&f->warnings, "config:5: lore: http is neither");
	assert_non_null(strstr(f->err.msg, "3 mistakes"));
	assert_int_equal(git_repository_init(&repo, tree, 0), 0);
	git_repository_free(repo);
	assert_ok(check(f, LIST, f->dir), &f->err);
	has(&f->warnings, "config:3: [tree \"t\"] branches:");
	assert_int_equal(check(f, "[list \"l\"]\n\tlore = https://u:p@lore.example.org/l/\n"),
			 ERR_CONFIG);
	has(&f->mistakes, "config:2: lore: has a user name or password");
	assert_int_equal(check(f, "[list \"l\"]\n\tcolour = red\n"), ERR_CONFIG);
	has(&f->mistakes, "config:2: ");
}

static void test_together(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(check(f,
			       LIST "[post]\n\tmode = live\n\tuser = u\n"
				    "\tsmtp = mail.example.org:25\n\ttls = none\n",
			       f->dir),
			 ERR_CONFIG);
	has(&f->mistakes,
	    "config:8: post.mode: [list \"l\"] answers by mail, which needs post.from");
	has(&f->mistakes, "config:9: post.user: needs post.password-file");
	has(&f->warnings, "config:10: post.tls:");
}

static void test_in_clear(void **state)
{
	(void)state;
	assert_true(address_in_clear("http://example.org/"));
	assert_true(address_in_clear("http://localhost.example.org/"));
	assert_true(address_in_clear("HTTP://127.example.org/"));
	assert_false(address_in_clear("https://example.org/"));
	assert_false(address_in_clear("http://localhost:8080/"));
	assert_false(address_in_clear("http://127.0.0.1:8080/x"));
	assert_false(address_in_clear("http://[::1]/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_secrets, setup, teardown),
		cmocka_unit_test_setup_teardown(test_proxy, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sections, setup, teardown),
		cmocka_unit_test_setup_teardown(test_together, setup, teardown),
		cmocka_unit_test(test_in_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
