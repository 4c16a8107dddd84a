// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/inputs.h"

#include "base/fs.h"
#include "base/hash.h"
#include "kernel-builders/make.h"
#include <dirent.h>
#include <sys/stat.h>

#define INPUT_MAX ((size_t)4 << 20)

void inputs_done(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->item[i].path);
		str_done(&in->item[i].data);
	}
	for (size_t i = 0; i < in->n_modules; i++)
		free(in->module[i]);
	free(in->item);
	free(in->module);
	*in = (struct inputs){0};
}

static int input_read(struct inputs *in, const char *from, char *path, struct err *err)
{
	struct input *item;

	arr_grow(in->item, in->n, in->cap);
	item = &in->item[in->n++];
	item->path = path;
	str_init(&item->data, INPUT_MAX);
	return fs_read(from, INPUT_MAX, ERR_CONFIG, &item->data, err);
}

/* Sources only: what a build by hand left beside them was made for another kernel. */
static int is_source(const struct dirent *e)
{
	const char *name = e->d_name;

	return strcmp(name, "Kbuild") == 0 || strcmp(name, "Makefile") == 0 ||
	       (*name != '.' && !str_ends(name, ".mod.c") &&
		(str_ends(name, ".c") || str_ends(name, ".h") || str_ends(name, ".S")));
}

static int module_read(struct inputs *in, const char *dir, struct err *err)
{
	const char *name = strrchr(dir, '/') ? strrchr(dir, '/') + 1 : dir;
	struct dirent **entry = NULL;
	int n, rc = 0;

	if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")])
		return err_set(err, ERR_CONFIG,
			       "guest module folder %s: the name must be [a-z0-9_-]", dir);
	n = scandir(dir, &entry, is_source, alphasort);
	if (n < 0)
		return err_sys(err, ERR_CONFIG, "cannot read guest module folder %s", dir);
	if (n == 0)
		rc = err_set(err, ERR_CONFIG, "no sources in guest module folder %s", dir);
	for (int i = 0; i < n; i++) {
		auto_free char *from = xasprintf("%s/%s", dir, entry[i]->d_name);

		if (rc == 0)
			rc = input_read(in, from,
					xasprintf("modules/%s/%s", name, entry[i]->d_name), err);
		free(entry[i]);
	}
	free(entry);
	arr_grow(in->module, in->n_modules, in->modules_cap);
	in->module[in->n_modules++] = xstrdup(name);
	return rc;
}

/* A row of a test may have an absolute path. The caller frees. */
static char *config_path(const char *name)
{
	return name[0] == '/' ? xstrdup(name)
			      : xasprintf("%s/kernel-builders/configs/%s", fs_data_dir(), name);
}

/* kconfig takes the last of several lines about one symbol. */
static int fragment_append(struct str *config, const char *name, struct err *err)
{
	auto_free char *from = config_path(name);
	auto_str struct str fragment;
	int rc;

	str_init(&fragment, INPUT_MAX);
	rc = fs_read(from, INPUT_MAX, ERR_CONFIG, &fragment, err);
	if (rc < 0)
		return rc;
	if (!str_addf(config, "\n%s", fragment.buf))
		return err_set(err, ERR_CONFIG, "%s makes the configuration too large", from);
	return 0;
}

/* "net.config,debug.config" */
static int fragments_append(struct str *config, const char *list, struct err *err)
{
	int rc = 0;

	for (size_t n; *list && rc == 0; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		auto_free char *name = xmemdup(list, n);

		rc = fragment_append(config, name, err);
	}
	return rc;
}

/* Before the fragments; a target of make has none of its own. */
static int config_read(struct inputs *in, const struct builder *b, struct err *err)
{
	auto_free char *from = builder_config_is_file(b) ? config_path(b->config) : NULL;

	return input_read(in, from ?: "/dev/null", xstrdup("config"), err);
}

int inputs_read(const struct build_request *req, struct inputs *ret, struct err *err)
{
	const char *const *modules = make_has_vmlinux(req->builder) ? req->modules : NULL;
	int rc = config_read(ret, req->builder, err);

	if (rc == 0 && req->builder->fragments)
		rc = fragments_append(&ret->item[0].data, req->builder->fragments, err);
	for (const char *const *m = modules; m && *m && rc == 0; m++)
		rc = module_read(ret, *m, err);
	return rc;
}

int inputs_stage(const struct inputs *in, const char *dir, struct err *err)
{
	mode_t before = umask(022);
	auto_free char *modules = xasprintf("%s/modules", dir);
	int rc = fs_rmtree(dir, err);

	if (rc == 0)
		rc = fs_mkdirs(modules, err);
	for (size_t i = 0; i < in->n_modules && rc == 0; i++) {
		auto_free char *module = xasprintf("%s/%s", modules, in->module[i]);

		rc = fs_mkdirs(module, err);
	}
	for (size_t i = 0; i < in->n && rc == 0; i++) {
		auto_free char *to = xasprintf("%s/%s", dir, in->item[i].path);

		rc = fs_write_atomic(to, in->item[i].data.buf, in->item[i].data.len, err);
	}
	umask(before);
	return rc;
}

void inputs_describe(const struct inputs *in, struct str *s)
{
	for (size_t i = 0; i < in->n; i++) {
		char hex[HASH_HEX_MAX];

		str_addf(s, "%s %s\n", in->item[i].path,
			 hash_hex(in->item[i].data.buf, in->item[i].data.len, hex));
	}
}
