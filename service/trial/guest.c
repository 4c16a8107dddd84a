// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/guest.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/builder.h"
#include "testbeds/initramfs.h"
#include <glob.h>

/* The compiler that built the kernel builds its init. */
static const char *cross_compile_of(const char *artifact)
{
	auto_free char *path = xasprintf("%s/build.json", artifact);
	auto_json json_t *build = NULL;
	const struct builder *b = NULL;
	struct err ignored = ERR_INIT;

	if (json_read(path, ERR_INFRA, &build, &ignored) == 0)
		b = builder_find(json_get_str(build, "builder", ""));
	return b ? b->cross_compile : builders[0]->cross_compile;
}

int guest_prepare(const char *artifact, const char *cache_dir, const char *cpio, char **ret_vmlinux,
		  struct err *err)
{
	auto_free char *pattern = xasprintf("%s/*.ko", artifact);
	auto_free char *vmlinux = xasprintf("%s/vmlinux", artifact);
	auto_free char *init = NULL;
	static const char *const none[] = {NULL};
	glob_t modules = {0};
	int rc;

	if (!fs_exists(vmlinux))
		return err_set(err, ERR_INFRA, "%s: no such kernel", vmlinux);
	rc = guest_init_build(cross_compile_of(artifact), cache_dir, &init, err);
	if (rc < 0)
		return rc;
	if (glob(pattern, 0, NULL, &modules) == 0)
		rc = initramfs_write(cpio, init, (const char *const *)modules.gl_pathv, err);
	else
		rc = initramfs_write(cpio, init, none, err);
	globfree(&modules);
	if (rc == 0)
		*ret_vmlinux = take(vmlinux);
	return rc;
}
