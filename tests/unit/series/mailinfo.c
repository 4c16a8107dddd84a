// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The oracle: what git-mailsplit(1), git-mailinfo(1) with --scissors and git-stripspace(1) make of
 *a mail is what firn makes of it, byte for byte: author, date, subject, message and patch.
 *
 *	test-series-mailinfo			the fixtures, and mails made by rule
 *	test-series-mailinfo FILE...		these files; a folder stands for the mails in it
 *	test-series-mailinfo --show N		prints the N-th mail made by rule
 *
 * FIRN_TEST_PATCHES is a folder with folders "patches*" of real ones, which then are compared too.
 * Ends with 77 (skipped) when there is no git.
 */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "intake/source.h"
#include "mailinfo_gen.h"
#include "series/message.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>

#define RANDOM_MAILS 600

static char folder[] = "/tmp/firn-mailinfo-XXXXXX";

/* One shell for all mails: N.git is what git gets, and it writes N.ident and so on. A date that is
 * not there is 0. --encoding is not given: in git 2.39 that turns conversion off. */
static const char script[] =
	"export LC_ALL=C TZ=UTC0 HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null\n"
	"mkdir split\n"
	"for f in *.git; do\n"
	"n=${f%.git} mboxrd= author= email= subject= date=\n"
	"read -r line <$f\n"
	"case $line in 'From '*) mboxrd=--mboxrd ;; esac\n"
	"git mailsplit -b $mboxrd -d9 -f$n -osplit $f >/dev/null\n"
	"set -- split/*; mv $1 $n.mbox\n"
	"git mailinfo --scissors $n.log $n.patch <$n.mbox >$n.info 2>$n.warnings || continue\n"
	"while IFS= read -r line; do case $line in\n"
	"Author:*) author=${line#Author: } ;; Email:*) email=${line#Email: } ;;\n"
	"Subject:*) subject=${line#Subject: } ;; Date:*) date=${line#Date: } ;;\n"
	"esac; done <$n.info\n"
	"printf '%s\\n' \"$subject\" >$n.subject\n"
	"{ printf '%s\\n\\n' \"$subject\"; cat $n.log; } | git stripspace >$n.message\n"
	"GIT_AUTHOR_NAME=$author GIT_AUTHOR_EMAIL=$email GIT_AUTHOR_DATE=${date:-@0 +0000} \\\n"
	"git var GIT_AUTHOR_IDENT >$n.ident 2>>$n.warnings || printf '%s\\n' \"$email\" >$n.ident\n"
	"done\n";

static void git_run(void)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	struct proc_spec spec = {.argv = argv, .cwd = folder, .timeout_s = 300};
	struct proc_result result = {};
	struct err err = ERR_INIT;

	assert_ok(proc_run(&spec, &result, &err), &err);
	assert_int_equal(result.end, PROC_EXITED);
	proc_result_done(&result);
}

static void file_write(unsigned n, const char *suffix, const struct str *data)
{
	auto_free char *path = xasprintf("%s/%u.%s", folder, n, suffix);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, data->buf, data->len, &err), &err);
}

/* What git wrote; NULL when it gave up. */
static char *file_read(unsigned n, const char *suffix, size_t *ret_len)
{
	auto_free char *path = xasprintf("%s/%u.%s", folder, n, suffix);
	struct err err = ERR_INIT;
	struct str data;

	if (!fs_exists(path))
		return NULL;
	str_init(&data, 0);
	assert_ok(fs_read(path, MAIL_MAX, ERR_INPUT, &data, &err), &err);
	*ret_len = data.len;
	return str_take(&data);
}

static char *ident_text(const struct ident *id)
{
	int tz = id->tz_minutes < 0 ? -id->tz_minutes : id->tz_minutes;

	/* git has no word for nobody: it stops. */
	if (!*id->name)
		return xasprintf("%s\n", id->email);
	return xasprintf("%s <%s> %lld %c%02d%02d\n", id->name, id->email, (long long)id->time,
			 id->tz_minutes < 0 ? '-' : '+', tz / 60, tz % 60);
}

struct seen {
	unsigned n;
	const char *label;
	unsigned bad;
};

static void differ(struct seen *s, const char *what, const char *git, const char *firn)
{
	print_error("%s: %s differs\n--- git ---\n%s\n--- firn ---\n%s\n-----------\n", s->label,
		    what, git, firn);
	s->bad++;
}

static void same(struct seen *s, const char *suffix, const char *firn)
{
	size_t len;
	auto_free char *git = file_read(s->n, suffix, &len);
	bool equal = git && strcmp(git, firn) == 0;

	if (!equal)
		differ(s, suffix, git ? git : "(nothing)", firn);
}

/* Where the end of a multipart is missing, there is an empty line that git has not. */
static bool multipart_is_open(const char *raw)
{
	const char *boundary = strcasestr(raw, "boundary=");
	auto_free char *end = NULL;

	if (!boundary)
		return false;
	boundary += strlen("boundary=");
	boundary += *boundary == '"';
	end = xasprintf("\n--%.*s--", (int)strcspn(boundary, "\";\r\n"), boundary);
	return !strstr(boundary, end);
}

static size_t len_trimmed(const char *p, size_t n)
{
	while (n && p[n - 1] == '\n')
		n--;
	return n;
}

/* git's patch begins with the "---" that `below` is without. */
static char *patch_text(const struct patch *p, const char *git, size_t *ret_len)
{
	struct str all;
	size_t n = strcspn(git, "\n");

	str_init(&all, 0);
	if (str_starts(git, "---") && strspn(git + 3, " \t\r") == n - 3)
		str_add(&all, git, git[n] ? n + 1 : n);
	if (p->mail->text == p->mail->bytes) {
		str_adds(&all, p->below);
	} else { /* in another charset there */
		const char *diff = memmem(git, strlen(git), p->diff_text,
					  len_trimmed(p->diff_text, p->diff_len));

		str_reset(&all);
		str_add(&all, git, p->diff_len && diff ? (size_t)(diff - git) : strlen(git));
	}
	str_add(&all, p->diff_text, p->diff_len);
	*ret_len = all.len;
	return str_take(&all);
}

static void same_patch(struct seen *s, const struct patch *p)
{
	size_t len, git_len = 0;
	auto_free char *git = file_read(s->n, "patch", &git_len);
	auto_free char *firn = patch_text(p, git ? git : "", &len);

	if (git && multipart_is_open(p->mail->raw)) {
		git_len = len_trimmed(git, git_len);
		len = len_trimmed(firn, len);
	}
	if (!git || git_len != len || memcmp(git, firn, len) != 0)
		differ(s, "patch", git ? git : "(nothing)", firn);
}

static void compare(struct seen *s)
{
	auto_free char *path = xasprintf("%s/%u.mail", folder, s->n);
	struct mail_list list = {};
	struct err err = ERR_INIT;
	struct patch p = {};
	unsigned before = s->bad;

	if (source_read(path, &list, &err) < 0 || list.n != 1) {
		size_t len;
		auto_free char *who = file_read(s->n, "ident", &len);

		/* git takes it for a mail of nobody, and git am stops. */
		if (!who || strcmp(who, "\n") != 0)
			differ(s, "mail", "one", err.msg);
		mail_list_done(&list);
		return;
	}
	subject_parse(list.item[0]->subject, &p.subject);
	patch_read(list.item[0], &p);
	auto_free char *ident = ident_text(&p.author), *subject = xasprintf("%s\n", p.subject.text);
	same(s, "ident", ident);
	same(s, "subject", subject);
	same(s, "message", p.message);
	same_patch(s, &p);
	if (s->bad > before)
		print_error("===== the mail =====\n%s\n====================\n", list.item[0]->raw);
	patch_done(&p);
	mail_list_done(&list);
}

struct batch {
	char **label;
	unsigned n;
	size_t cap;
};

static void batch_add(struct batch *b, const struct str *mail, const struct str *oracle,
		      char *label)
{
	arr_grow(b->label, b->n, b->cap);
	file_write(b->n, "mail", mail);
	file_write(b->n, "git", oracle);
	b->label[b->n++] = label;
}

static void batch_add_file(struct batch *b, const char *path)
{
	struct err err = ERR_INIT;
	struct str data;
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	str_init(&data, 0);
	assert_ok(fs_read(path, MAIL_MAX, ERR_INPUT, &data, &err), &err);
	batch_add(b, &data, &data, xstrdup(path));
	str_done(&data);
}

/* Compares all, and forgets them. */
static void batch_run(struct batch *b, const char *what)
{
	struct err err = ERR_INIT;
	struct seen s = {};

	git_run();
	for (; s.n < b->n; s.n++) {
		s.label = b->label[s.n];
		compare(&s);
		free(b->label[s.n]);
	}
	free(b->label);
	assert_ok(fs_rmtree(folder, &err), &err);
	assert_int_equal(mkdir(folder, 0700), 0);
	print_message("%u %s, %u differences\n", b->n, what, s.bad);
	assert_int_equal(s.bad, 0);
	assert_true(b->n > 0);
}

static void batch_add_glob(struct batch *b, const char *pattern)
{
	glob_t found = {};

	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			batch_add_file(b, found.gl_pathv[i]);
	globfree(&found);
}

static void test_fixtures(void **state)
{
	struct batch b = {};

	(void)state;
	batch_add_glob(&b, FIXTURES "/series/mailinfo/*");
	batch_run(&b, "fixtures");
}

static void test_random(void **state)
{
	struct batch b = {};
	struct made m;

	(void)state;
	for (unsigned n = 0; n < RANDOM_MAILS; n++) {
		made_random(&m, n);
		batch_add(&b, &m.mail, &m.oracle, xasprintf("mail %u (%s)", n, m.label));
		made_done(&m);
	}
	batch_run(&b, "mails made by rule");
}

static void test_deliberate(void **state)
{
	struct batch b = {};
	struct made m;

	(void)state;
	for (unsigned n = 0; made_deliberate(&m, n); n++) {
		batch_add(&b, &m.mail, &m.oracle, xstrdup(m.why));
		made_done(&m);
	}
	batch_run(&b, "deliberate differences");
}

static void test_real(void **state)
{
	const char *where = getenv("FIRN_TEST_PATCHES");
	struct batch b = {};

	(void)state;
	if (!where) {
		print_message("FIRN_TEST_PATCHES is not set: no real mails\n");
		skip();
	}
	for (int depth = 0; depth < 5; depth++) {
		auto_free char *pattern =
			xasprintf("%s/patches*%.*s/*.patch", where, depth * 2, "/*/*/*/*/*");

		batch_add_glob(&b, pattern);
	}
	batch_run(&b, "real mails");
}

static char **paths;

static void test_given(void **state)
{
	struct batch b = {};

	(void)state;
	for (char **p = paths; *p; p++) {
		auto_free char *inside = xasprintf("%s/*", *p);

		batch_add_file(&b, *p);
		batch_add_glob(&b, inside);
	}
	batch_run(&b, "mails");
}

static int show(const char *number)
{
	struct made m;

	made_random(&m, (unsigned)strtoul(number, NULL, 10));
	fwrite(m.mail.buf, 1, m.mail.len, stdout);
	made_done(&m);
	return 0;
}

static bool git_is_here(void)
{
	static const char *const version[] = {"git", "--version", NULL};
	struct proc_spec spec = {.argv = version};
	struct proc_result result = {};
	struct err err = ERR_INIT;
	int rc = proc_run(&spec, &result, &err);

	proc_result_done(&result);
	if (rc < 0)
		printf("SKIP: %s\n", err.msg);
	return rc == 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixtures), cmocka_unit_test(test_deliberate),
		cmocka_unit_test(test_random), cmocka_unit_test(test_real)};
	const struct CMUnitTest given[] = {cmocka_unit_test(test_given)};
	struct err err = ERR_INIT;
	int rc;

	if (argc == 3 && strcmp(argv[1], "--show") == 0)
		return show(argv[2]);
	paths = argv + 1;
	if (!git_is_here())
		return 77;
	if (!mkdtemp(folder))
		return 1;
	rc = argc > 1 ? cmocka_run_group_tests(given, NULL, NULL)
		      : cmocka_run_group_tests(tests, NULL, NULL);
	return fs_rmtree(folder, &err) < 0 ? 1 : rc;
}
