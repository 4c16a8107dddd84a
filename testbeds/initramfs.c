// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/initramfs.h"

#include "base/fs.h"
#include "base/str.h"
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>

/* Far more than our init and a module need: a wrong path is noticed instead of loaded into the
 * guest. */
#define MEMBER_MAX ((size_t)64 << 20)

DEFINE_CLEANUP(struct archive *, archive, archive_write_free)
DEFINE_CLEANUP(struct archive_entry *, archive_entry, archive_entry_free)

struct cpio {
	struct archive *out;
	const char *path;
	unsigned n; /* members so far: each gets an inode number of its own, since newc takes equal
		       ones for links */
};

static int cpio_fail(const struct cpio *c, const char *member, struct err *err)
{
	errno = archive_errno(c->out);
	return err_set(err, ERR_INFRA, "cannot write %s into %s: %s", member, c->path,
		       archive_error_string(c->out));
}

/* Everything that could differ from one run to the next (times, owners, inodes) is set to a
 * constant. */
static int cpio_add(struct cpio *c, const char *member, mode_t mode, const struct str *data,
		    struct err *err)
{
	auto_cleanup(archive_entry) struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, member);
	archive_entry_set_mode(e, mode);
	archive_entry_set_ino64(e, ++c->n);
	archive_entry_set_nlink(e, 1);
	archive_entry_set_mtime(e, 0, 0);
	archive_entry_set_size(e, data ? (int64_t)data->len : 0);
	if (S_ISCHR(mode)) { /* /dev/console: the kernel opens it for init before init can make it
			      */
		archive_entry_set_rdevmajor(e, 5);
		archive_entry_set_rdevminor(e, 1);
	}
	if (archive_write_header(c->out, e) != ARCHIVE_OK)
		return cpio_fail(c, member, err);
	if (data && data->len &&
	    archive_write_data(c->out, data->buf, data->len) != (la_ssize_t)data->len)
		return cpio_fail(c, member, err);
	return 0;
}

static int cpio_add_file(struct cpio *c, const char *member, const char *from, mode_t mode,
			 struct err *err)
{
	auto_str struct str data;
	int rc;

	str_init(&data, 0);
	rc = fs_read(from, MEMBER_MAX, ERR_INFRA, &data, err);
	return rc < 0 ? rc : cpio_add(c, member, S_IFREG | mode, &data, err);
}

static int cpio_add_all(struct cpio *c, const char *init, const char *const *modules,
			struct err *err)
{
	static const char *const dir[] = {"dev", "lib", "lib/modules", "proc", "sys", "tmp"};
	int rc = 0;

	for (size_t i = 0; i < array_size(dir) && rc == 0; i++)
		rc = cpio_add(c, dir[i], S_IFDIR | 0755, NULL, err);
	if (rc == 0)
		rc = cpio_add(c, "dev/console", S_IFCHR | 0600, NULL, err);
	if (rc == 0)
		rc = cpio_add_file(c, "init", init, 0755, err);
	for (; rc == 0 && modules && *modules; modules++) {
		auto_free char *member = xasprintf("lib/modules/%s", basename(*modules));

		rc = cpio_add_file(c, member, *modules, 0644, err);
	}
	if (rc == 0 && archive_write_close(c->out) != ARCHIVE_OK)
		rc = cpio_fail(c, "the end", err);
	return rc;
}

int initramfs_write(const char *cpio, const char *init, const char *const *modules, struct err *err)
{
	auto_free char *aside = xasprintf("%s.tmp-%ld", cpio, (long)getpid());
	auto_cleanup(archive) struct archive *out = archive_write_new();
	struct cpio c = {.out = out, .path = cpio};
	int rc = 0;

	archive_write_set_format_cpio_newc(out);
	archive_write_set_bytes_in_last_block(
		out, 512); /* else padded to 10 KiB, and the guest unpacks that too */
	if (archive_write_open_filename(out, aside) != ARCHIVE_OK)
		return cpio_fail(&c, "anything", err);
	rc = cpio_add_all(&c, init, modules, err);
	if (rc == 0 && rename(aside, cpio) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot write %s", cpio);
	if (rc < 0)
		unlink(aside);
	return rc;
}
