// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/guest.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/builder.h"
#include "testbeds/initramfs.h"
#include <glob.h>

#define IMAGE_MAX ((size_t)1 << 30)

/* Folders below testbeds/guest/. */
static const char *const module_names[] = {"pause", "ipi"};

json_t *guest_modules(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < array_size(module_names); i++)
		json_array_append_new(
			list, json_sprintf("%s/testbeds/guest/%s", fs_data_dir(), module_names[i]));
	return list;
}

/* The compiler that built the kernel builds its init. The caller frees. */
static char *cross_compile_of(const char *artifact)
{
	auto_free char *path = xasprintf("%s/build.json", artifact);
	auto_json json_t *build = NULL;
	const struct builder *b = NULL;
	struct err ignored = ERR_INIT;
	const char *said = NULL;

	if (json_read(path, ERR_INFRA, &build, &ignored) == 0) {
		said = json_get_str(json_object_get(build, "row"), "cross_compile", NULL);
		b = builder_find(json_get_str(build, "builder", ""));
	}
	return xstrdup(said ?: (b ?: builders[0])->cross_compile);
}

char *guest_module_missing(const char *artifact, const char *module)
{
	auto_free char *ko = xasprintf("%s/%s.ko", artifact, module);
	auto_free char *path = xasprintf("%s/build.json", artifact);
	auto_json json_t *build = NULL;
	struct err ignored = ERR_INIT;
	const json_t *m;
	size_t i;

	if (fs_exists(ko))
		return NULL;
	if (json_read(path, ERR_INFRA, &build, &ignored) == 0)
		json_array_foreach (json_object_get(build, "modules_failed"), i, m)
			if (strcmp(json_get_str(m, "name", ""), module) == 0)
				return xasprintf(
					"the guest module %s does not build against it: %s", module,
					json_get_str(m, "error", ""));
	return xasprintf("it was built without the guest module %s", module);
}

int guest_prepare(const char *artifact, const char *cache_dir, const char *cpio, char **ret_vmlinux,
		  struct err *err)
{
	auto_free char *pattern = xasprintf("%s/*.ko", artifact);
	auto_free char *vmlinux = xasprintf("%s/vmlinux", artifact);
	auto_free char *init = NULL, *cross = cross_compile_of(artifact);
	static const char *const none[] = {NULL};
	glob_t modules = {0};
	int rc;

	if (!fs_exists(vmlinux))
		return err_set(err, ERR_INFRA, "%s: no such kernel", vmlinux);
	rc = guest_init_build(cross, cache_dir, &init, err);
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

int guest_same_image(const char *artifact_a, const char *artifact_b, bool *ret_same,
		     struct err *err)
{
	auto_free char *a = xasprintf("%s/vmlinux", artifact_a);
	auto_free char *b = xasprintf("%s/vmlinux", artifact_b);
	auto_str struct str x, y;
	int rc;

	str_init(&x, IMAGE_MAX);
	str_init(&y, IMAGE_MAX);
	rc = fs_read(a, IMAGE_MAX, ERR_INFRA, &x, err);
	if (rc == 0)
		rc = fs_read(b, IMAGE_MAX, ERR_INFRA, &y, err);
	if (rc == 0)
		*ret_same = x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0;
	return rc;
}
