// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "base/fs.h"
#include "testbeds/initramfs.h"
#include "testbeds/testbed.h"
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <utime.h>

struct dir {
	char path[64];
	char *init, *module;
	struct err err;
};

static int setup(void **state)
{
	struct dir *d = calloc(1, sizeof(*d));

	snprintf(d->path, sizeof(d->path), "/tmp/firn-initramfs-XXXXXX");
	assert_non_null(mkdtemp(d->path));
	d->init = xasprintf("%s/some-init", d->path);
	d->module = xasprintf("%s/pause.ko", d->path);
	assert_ok(fs_write_atomic(d->init, "\177ELF init", 9, &d->err), &d->err);
	assert_ok(fs_write_atomic(d->module, "\177ELF module", 11, &d->err), &d->err);
	*state = d;
	return 0;
}

static int teardown(void **state)
{
	struct dir *d = *state;

	assert_ok(fs_rmtree(d->path, &d->err), &d->err);
	free(d->init);
	free(d->module);
	free(d);
	return 0;
}

static void write_to(struct dir *d, const char *name, struct str *ret)
{
	auto_free char *path = xasprintf("%s/%s", d->path, name);
	const char *const modules[] = {d->module, NULL};

	str_init(ret, 0);
	assert_ok(initramfs_write(path, d->init, modules, &d->err), &d->err);
	assert_ok(fs_read(path, 1 << 20, ERR_INPUT, ret, &d->err), &d->err);
}

static void test_same_input_same_bytes(void **state)
{
	const struct utimbuf long_ago = {.actime = 1000, .modtime = 1000};
	struct dir *d = *state;
	auto_str struct str a, b;

	write_to(d, "a.cpio", &a);
	assert_int_equal(utime(d->init, &long_ago), 0);
	assert_int_equal(chmod(d->module, 0600), 0);
	write_to(d, "b.cpio", &b);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.buf, b.buf, a.len);
	assert_memory_equal(a.buf, "070701", 6);
}

static struct archive_entry *entry_find(struct archive *a, const char *name)
{
	struct archive_entry *e;

	while (archive_read_next_header(a, &e) == ARCHIVE_OK)
		if (strcmp(archive_entry_pathname(e), name) == 0)
			return e;
	fail_msg("no %s in the archive", name);
	return NULL;
}

static void test_what_is_in_it(void **state)
{
	struct dir *d = *state;
	struct archive *a = archive_read_new();
	struct archive_entry *e;
	auto_str struct str cpio;
	char data[16] = "";

	write_to(d, "a.cpio", &cpio);
	archive_read_support_format_cpio(a);
	assert_int_equal(archive_read_open_memory(a, cpio.buf, cpio.len), ARCHIVE_OK);
	e = entry_find(a, "dev/console");
	assert_true(S_ISCHR(archive_entry_mode(e)));
	assert_int_equal(archive_entry_rdevmajor(e), 5);
	assert_int_equal(archive_entry_rdevminor(e), 1);
	e = entry_find(a, "init");
	assert_int_equal(archive_entry_mode(e), S_IFREG | 0755);
	assert_int_equal(archive_entry_uid(e), 0);
	assert_int_equal(archive_entry_mtime(e), 0);
	assert_int_equal(archive_read_data(a, data, sizeof(data)), 9);
	assert_memory_equal(data, "\177ELF init", 9);
	entry_find(a, "lib/modules/pause.ko");
	archive_read_free(a);
}

static void test_missing_file_leaves_nothing(void **state)
{
	struct dir *d = *state;
	auto_free char *path = xasprintf("%s/c.cpio", d->path);

	assert_err(initramfs_write(path, "/nonexistent/init", NULL, &d->err), &d->err, ERR_INFRA,
		   "/nonexistent/init");
	assert_false(fs_exists(path));
}

static void test_no_compiler(void **state)
{
	struct dir *d = *state;
	char *path = NULL;

	assert_err(guest_init_build("nonexistent-", d->path, &path, &d->err), &d->err, ERR_CONFIG,
		   "gcc-powerpc64le-linux-gnu");
	assert_null(path);
}

static void test_testbed_find(void **state)
{
	const char *arg = NULL;

	(void)state;
	assert_ptr_equal(testbed_find("qemu-pseries", &arg), &testbed_qemu_pseries);
	assert_string_equal(arg, "");
	assert_ptr_equal(testbed_find("replay:a:b", &arg), &testbed_replay);
	assert_string_equal(arg, "a:b");
	assert_null(testbed_find("qemu", &arg));
	assert_null(testbed_find("", &arg));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same_input_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_in_it, setup, teardown),
		cmocka_unit_test_setup_teardown(test_missing_file_leaves_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_compiler, setup, teardown),
		cmocka_unit_test(test_testbed_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
