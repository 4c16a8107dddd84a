// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads how large the modules are that a build has made. Folder and files are the build user's. */
#include "base/cleanup.h"
#include "kernel-builders/build.h"
#include "kernel-builders/module_sizes.h"
#include "kernel-builders/sizes.h"
#include <sys/stat.h>

#define ORDER_MAX ((off_t)4 << 20)
/* Sections and symbols that are looked at, of all modules: some ten seconds. */
#define SEEN_MAX 20000000u

DEFINE_CLEANUP(char **, module_names, module_names_done)

/* modules.order; "" when it is not a file that can be one. */
static char *order_read(const struct build *b)
{
	auto_fd int fd = artifact_open(b->objects.dir, "modules.order");
	auto_free char *text = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > ORDER_MAX)
		return xstrdup("");
	text = xcalloc(1, (size_t)st.st_size + 1);
	return read(fd, text, (size_t)st.st_size) == st.st_size ? take(text) : xstrdup("");
}

/* What is no module is left out. */
static void module_add(struct build *b, const char *name, FILE *to, size_t *seen)
{
	auto_fd int fd = artifact_open(b->objects.dir, name);
	auto_sizes struct sizes sizes = {0};
	struct err why = ERR_INIT;

	if (fd >= 0 && sizes_read_fd(fd, name, &sizes, &why) == 0)
		module_sizes_add(to, name, &sizes);
	else
		build_log_note(&b->log, "the size of %s is not known: %s", name,
			       fd < 0 ? strerror(errno) : why.msg);
	*seen += sizes.seen;
}

int module_scan(struct build *b, const char *path, struct err *err)
{
	auto_free char *order = b->has_modules ? order_read(b) : NULL;
	size_t n = 0, seen = 0;
	auto_cleanup(module_names) char **names = module_names(order ?: "", &n);
	auto_file FILE *to = fopen(path, "wxe");

	if (!to)
		return err_sys(err, ERR_INFRA, "cannot write %s", path);
	module_sizes_begin(to);
	for (size_t i = 0; i < n && seen < SEEN_MAX; i++)
		module_add(b, names[i], to, &seen);
	if (fflush(to) < 0 || ferror(to))
		return err_sys(err, ERR_INFRA, "cannot write %s", path);
	if (seen < SEEN_MAX)
		return 0;
	build_log_note(&b->log, "the modules are too large to be compared");
	return unlink(path) < 0 ? err_sys(err, ERR_INFRA, "cannot remove %s", path) : 0;
}
