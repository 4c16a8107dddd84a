// SPDX-License-Identifier: GPL-2.0-or-later
/* Logs below a work folder that hostile tools wrote to: what is read, and what is shown of it. */
#include "unit/unit.h"

#include "base/fs.h"
#include "web/log.h"
#include "web/work_file.h"
#include <fcntl.h>
#include <sys/stat.h>

struct folder {
	char *dir;
};

static int folder_setup(void **state)
{
	static struct folder f;
	char path[] = "/tmp/firn-test-log-XXXXXX";
	struct err err = ERR_INIT;

	if (!mkdtemp(path))
		return -1;
	f.dir = xasprintf("%s/work", path);
	*state = &f;
	return fs_mkdirs(f.dir, &err);
}

static int folder_teardown(void **state)
{
	struct folder *f = *state;
	struct err err = ERR_INIT;

	*strrchr(f->dir, '/') = '\0';
	if (fs_rmtree(f->dir, &err) < 0)
		return -1;
	free(f->dir);
	return 0;
}

static void put(const struct folder *f, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, name);
	auto_free char *dir = xmemdup(path, (size_t)(strrchr(path, '/') - path));
	struct err err = ERR_INIT;

	assert_ok(fs_mkdirs(dir, &err), &err);
	assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
}

static void append(const struct folder *f, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, name);
	auto_fd int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(fs_write_all(fd, text, strlen(text)), 0);
}

static void assert_read(const struct folder *f, const char *name, const char *want)
{
	auto_str struct str text;
	int64_t size = -1;
	auto_fd int fd = log_open(f->dir, name, &size);

	str_init(&text, 0);
	if (fd < 0)
		fail_msg("%s cannot be opened", name);
	assert_true(work_read(fd, 0, (size_t)size, &text));
	assert_string_equal(text.buf, want);
}

static void assert_none(const struct folder *f, const char *name)
{
	int64_t size;
	auto_fd int fd = log_open(f->dir, name, &size);

	if (fd >= 0)
		fail_msg("%s was opened", name);
}

static void logs_of_jobs_are_read(void **state)
{
	put(*state, "jobs/01-build/log", "CC x.o\n");
	put(*state, "jobs/02-bench-hot-add/16-base-1.console", "Linux\n");
	put(*state, "jobs/02-bench-hot-add/16-base.profile", "1 f\n");
	assert_read(*state, "jobs/01-build/log", "CC x.o\n");
	assert_read(*state, "jobs/02-bench-hot-add/16-base-1.console", "Linux\n");
	assert_read(*state, "jobs/02-bench-hot-add/16-base.profile", "1 f\n");
}

static void other_files_are_not(void **state)
{
	static const char *const names[] = {"report.json",
					    "jobs/01-build/job.json",
					    "mails/0001.eml",
					    "jobs",
					    "jobs/",
					    "",
					    "jobs/01-build",
					    "jobs/01-build/",
					    "jobs//log",
					    "/jobs/01-build/log",
					    "log",
					    "jobs/01-build/initramfs.cpio",
					    "jobs/01-build/.log",
					    "jobs/.01-build/log",
					    "jobs/01 build/log",
					    "jobs/01-build/lo\ng",
					    "jobs/01-build/log/"};

	put(*state, "report.json", "{}");
	put(*state, "jobs/01-build/job.json", "{}");
	put(*state, "jobs/01-build/initramfs.cpio", "x");
	put(*state, "jobs/01-build/.log", "x");
	put(*state, "jobs/.01-build/log", "x");
	put(*state, "jobs/01-build/log", "x");
	put(*state, "mails/0001.eml", "x");
	for (size_t i = 0; i < array_size(names); i++)
		assert_none(*state, names[i]);
}

static void nothing_leads_out_of_the_folder(void **state)
{
	const struct folder *f = *state;
	auto_free char *outside = xasprintf("%s/../secret.log", f->dir);
	auto_free char *link = xasprintf("%s/jobs/01-build/link.log", f->dir);
	auto_free char *dir_link = xasprintf("%s/jobs/02-build", f->dir);
	auto_free char *up = xasprintf("%s/..", f->dir);
	struct err err = ERR_INIT;

	put(f, "jobs/01-build/log", "x");
	assert_ok(fs_write_atomic(outside, "secret", 6, &err), &err);
	assert_int_equal(symlink(outside, link), 0);
	assert_int_equal(symlink(up, dir_link), 0);
	assert_none(f, "jobs/01-build/link.log");
	assert_none(f, "jobs/02-build/secret.log");
	assert_none(f, "jobs/../../secret.log");
	assert_none(f, "../secret.log");
	assert_none(f, "jobs/..");
	assert_none(f, "jobs/../jobs/01-build/log");
	assert_none(f, outside);
}

/* Even where the folder of all jobs is a link. */
static void jobs_may_not_be_a_link(void **state)
{
	const struct folder *f = *state;
	auto_free char *jobs = xasprintf("%s/jobs", f->dir);
	auto_free char *elsewhere = xasprintf("%s/../elsewhere", f->dir);
	auto_log_list struct log_list l = {0};

	put(f, "../elsewhere/01-build/log", "secret");
	assert_int_equal(symlink(elsewhere, jobs), 0);
	assert_none(f, "jobs/01-build/log");
	log_list_jobs(f->dir, NULL, &l);
	assert_int_equal(l.n, 0);
}

static void only_regular_files_are_opened(void **state)
{
	const struct folder *f = *state;
	auto_free char *fifo = xasprintf("%s/jobs/01-build/fifo.log", f->dir);
	auto_free char *dir = xasprintf("%s/jobs/01-build/dir.log", f->dir);

	put(f, "jobs/01-build/log", "x");
	assert_int_equal(mkfifo(fifo, 0600), 0); /* opened as one, this test would hang */
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_none(f, "jobs/01-build/fifo.log");
	assert_none(f, "jobs/01-build/dir.log");
}

static void jobs_are_listed_in_their_order(void **state)
{
	const struct folder *f = *state;
	auto_log_list struct log_list build = {0}, others = {0}, all = {0};

	put(f, "jobs/10-build-patch-2/log", "");
	put(f, "jobs/9-build-base/log", "");
	put(f, "jobs/01-check/log", "");
	put(f, "jobs/11-builder/log", "");
	put(f, "jobs/notes/log", "");
	put(f, "jobs/10-build-patch-2/one.console", "");
	put(f, "jobs/10-build-patch-2/data", "");
	log_list_jobs(f->dir, "build", &build);
	assert_int_equal(build.n, 2);
	assert_string_equal(build.name[0], "jobs/9-build-base/log");
	assert_string_equal(build.name[1], "jobs/10-build-patch-2/log");
	log_list_others(f->dir, "build", &others);
	assert_int_equal(others.n, 1);
	assert_string_equal(others.name[0], "jobs/10-build-patch-2/one.console");
	log_list_jobs(f->dir, NULL, &all);
	assert_int_equal(all.n, 4);
}

static void assert_text(const char *raw, size_t n, const char *want)
{
	auto_str struct str text;

	str_init(&text, 0);
	log_text(&text, raw, n);
	assert_string_equal(text.buf, want);
	assert_true(utf8_valid(text.buf, text.len));
}
#define assert_shown(raw, want) assert_text(raw, sizeof(raw) - 1, want)

static void what_acts_on_a_screen_is_seen_or_left_out(void **state)
{
	(void)state;
	assert_shown("plain\n", "plain\n");
	assert_shown("no end", "no end\n");
	assert_shown("", "");
	assert_shown("a\r\nb\r\r\nc\rd\n", "a\nb\nc\nd\n");
	assert_shown("\x1b[1;31mred\x1b[0m\x1b[2K\n", "red\n");
	assert_shown("\x1b]0;title\a\n", "\\x1b]0;title\\x07\n");
	assert_shown("\x1b[31", "\\x1b[31\n");
	assert_shown("\x1b[\x1b[31mx\n", "\\x1b[x\n");
	assert_shown("a\bb\x7f\xff\xc3\n", "a\\x08b\\x7f\\xff\\xc3\n");
	assert_shown("nul\0here\n", "nul\\x00here\n");
	assert_shown("\xe2\x80\xae"
		     "evil\n",
		     "\\u{202e}evil\n");
	assert_shown("\tx\n", "        x\n");
	assert_shown("gr\xc3\xbc\xc3\x9f\n", "gr\xc3\xbc\xc3\x9f\n");
}

static void long_lines_are_cut(void **state)
{
	enum { LONG = 5 * LOG_LINE_MAX };
	auto_free char *line = xmalloc(LONG);
	auto_str struct str text;

	(void)state;
	memset(line, 'x', LONG);
	line[LONG - 1] = '\n';
	str_init(&text, 0);
	log_text(&text, line, LONG);
	assert_true(text.len < LOG_LINE_MAX + 50);
	assert_non_null(strstr(text.buf, "(7999 more bytes)"));
}

static void a_huge_log_shows_its_tail(void **state)
{
	const struct folder *f = *state;
	auto_free char *path = xasprintf("%s/jobs/01-build/log", f->dir);
	auto_str struct str tail;
	int64_t size, from = 0;

	put(f, "jobs/01-build/log", "the first line\n");
	assert_int_equal(truncate(path, (off_t)8 << 30), 0); /* a hole */
	append(f, "jobs/01-build/log", "\nthe last line\n");
	auto_fd int fd = log_open(f->dir, "jobs/01-build/log", &size);
	str_init(&tail, 0);
	assert_true(log_tail(fd, size, &tail, &from));
	assert_string_equal(tail.buf, "the last line\n");
	assert_int_equal(from, size - (int64_t)strlen("the last line\n"));
}

#define assert_follows(f, follower, want)                                                          \
	do {                                                                                       \
		auto_str struct str text_;                                                         \
		bool new_ = false;                                                                 \
		str_init(&text_, 0);                                                               \
		log_follow(follower, (f)->dir, "build", &text_, &new_);                            \
		assert_string_equal(text_.buf, want);                                              \
	} while (0)

static void a_log_is_followed_line_by_line(void **state)
{
	const struct folder *f = *state;
	struct log_follow follow = {0};

	assert_follows(f, &follow, "");
	put(f, "jobs/01-build-base/log", "one\ntw");
	assert_follows(f, &follow, "one\n");
	assert_string_equal(follow.name, "jobs/01-build-base/log");
	assert_follows(f, &follow, "");
	append(f, "jobs/01-build-base/log", "o\nthree");
	assert_follows(f, &follow, "two\n");
	/* The next job: first the rest of the one before. */
	put(f, "jobs/02-build-patch-1/log", "four\n");
	assert_follows(f, &follow, "three\n");
	assert_follows(f, &follow, "four\n");
	assert_string_equal(follow.name, "jobs/02-build-patch-1/log");
	log_follow_done(&follow);
}

static void a_reader_goes_on_where_he_was(void **state)
{
	const struct folder *f = *state;
	struct log_follow follow = {0};

	put(f, "jobs/01-build-base/log", "one\ntwo\n");
	assert_true(log_follow_from(&follow, "jobs/01-build-base/log", 4));
	assert_follows(f, &follow, "two\n");
	assert_false(log_follow_from(&follow, "jobs/../../etc/passwd", 0));
	assert_false(log_follow_from(&follow, "jobs/01-build-base/log", -1));
	/* Beyond the end, as after a log that was begun anew. */
	assert_true(log_follow_from(&follow, "jobs/01-build-base/log", 1 << 20));
	assert_follows(f, &follow, "");
	log_follow_done(&follow);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(logs_of_jobs_are_read),
		TEST(other_files_are_not),
		TEST(nothing_leads_out_of_the_folder),
		TEST(jobs_may_not_be_a_link),
		TEST(only_regular_files_are_opened),
		TEST(jobs_are_listed_in_their_order),
		TEST(a_huge_log_shows_its_tail),
		TEST(a_log_is_followed_line_by_line),
		TEST(a_reader_goes_on_where_he_was),
		cmocka_unit_test(what_acts_on_a_screen_is_seen_or_left_out),
		cmocka_unit_test(long_lines_are_cut),
	};

	return cmocka_run_group_tests_name("web-log", tests, NULL, NULL);
}
