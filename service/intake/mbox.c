// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"
#include "intake/mail_internal.h"
#include "intake/mbox_split.h"
#include "intake/source.h"

#include <fcntl.h>
#include <sys/stat.h>

struct names {
	char **item;
	size_t n, cap;
};

static void names_done(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->item[i]);
	free(names->item);
}

static void names_cleanup(struct names *names)
{
	names_done(names);
}

/* By bytes: the same in every locale. */
static int names_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The paths of the files in a folder, without those whose name begins with a dot. */
static int names_read(const char *folder, struct names *names, struct err *err)
{
	auto_dir DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return err_sys(err, ERR_INPUT, "cannot open folder %s", folder);
	while ((entry = readdir(dir))) {
		auto_free char *path = NULL;

		if (entry->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s", folder, entry->d_name);
		if (!is_regular(path))
			continue;
		arr_grow(names->item, names->n, names->cap);
		names->item[names->n++] = take(path);
	}
	if (names->n)
		qsort(names->item, names->n, sizeof(*names->item), names_cmp);
	return 0;
}

static bool is_mail_name(const char *path)
{
	static const char *const suffixes[] = {".patch", ".eml", ".mbox", ".mbx", ".diff"};

	for (size_t i = 0; i < array_size(suffixes); i++)
		if (str_ends(path, suffixes[i]))
			return true;
	return false;
}

/* Something else may lie in a folder of patches: quilt's "series", notes, a script. */
static bool looks_like_mail(int fd)
{
	char head[16384];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	struct mail_layout layout;

	mail_layout_scan(head, n > 0 ? (size_t)n : 0, &layout);
	return layout.is_mail;
}

static int file_read(struct intake *in, const char *path, bool in_folder, struct err *err)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(err, ERR_INPUT, "cannot open %s", path);
	if (in_folder && !is_mail_name(path) && !looks_like_mail(fd)) {
		mail_list_note(in->list, "%s: not a mail, passed over", path);
		return 0;
	}
	return mbox_split(in, fd, path, err);
}

static int folder_read(struct intake *in, const char *folder, bool in_folder, struct err *err)
{
	__attribute__((cleanup(names_cleanup))) struct names names = {};
	int rc = names_read(folder, &names, err);

	for (size_t i = 0; i < names.n && rc == 0; i++)
		rc = file_read(in, names.item[i], in_folder, err);
	return rc;
}

/* Maildir, https://cr.yp.to/proto/maildir.html: "new" and "cur"; "tmp" holds what is not whole yet.
 */
static int maildir_read(struct intake *in, const char *path, struct err *err)
{
	static const char *const parts[] = {"cur", "new"};
	int rc = 0;

	for (size_t i = 0; i < array_size(parts) && rc == 0; i++) {
		auto_free char *folder = xasprintf("%s/%s", path, parts[i]);

		if (fs_exists(folder))
			rc = folder_read(in, folder, false, err);
	}
	return rc;
}

static bool is_dir(const char *path, const char *name)
{
	auto_free char *full = xasprintf("%s/%s", path, name);
	struct stat st;

	return stat(full, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool mbox_accepts(const char *spec)
{
	return !strstr(spec, "://");
}

static int mbox_read(const char *spec, struct mail_list *list, struct err *err)
{
	auto_free char *path = xstrdup(spec);
	struct intake in = {.list = list};

	for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
	if (strcmp(path, "-") == 0)
		return mbox_split(&in, STDIN_FILENO, "standard input", err);
	if (is_dir(path, "cur") || is_dir(path, "new"))
		return maildir_read(&in, path, err);
	if (is_dir(path, "."))
		return folder_read(&in, path, true, err);
	return file_read(&in, path, false, err);
}

const struct source source_mbox = {
	.name = "mbox",
	.summary = "an mbox, a Maildir, .patch or .eml files, a folder of them, or - for standard "
		   "input",
	.accepts = mbox_accepts,
	.read = mbox_read,
};
