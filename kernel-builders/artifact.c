// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/build.h"
#include "kernel-builders/make.h"
#include "kernel-builders/module_sizes.h"
#include "kernel-builders/touched.h"
#include <fcntl.h>
#include <sys/stat.h>

#define RECIPE 1
/* Of bases that do not build: change it when what failed before may not fail any more. */
#define RECIPE_FAILED 2

#define ARTIFACT_FILE_MAX ((off_t)1 << 30)

/* What a row has besides. Rows that have nothing of it keep the names of what was built before. */
static void key_of_row(const struct build *b, struct str *s)
{
	const struct builder *row = b->req->builder;
	const char *const part[][2] = {
		{"compiler", row->compiler},
		{"config", builder_config_is_file(row) ? NULL : row->config},
		{"targets", row->targets},
		{"W", row->warnings},
		{"C", row->check},
		/* Kernels from before have no sizes of modules. Small ones have no modules. */
		{"of modules", !row->touched && !builder_config_is_file(row) ? "sizes" : NULL},
	};

	for (size_t i = 0; i < array_size(part); i++)
		if (part[i][1])
			str_addf(s, "%s %s\n", part[i][0], part[i][1]);
	for (const char *const *p = row->touched ? b->req->touched : NULL; p && *p; p++) {
		auto_free char *object = touched_object(*p);

		if (object)
			str_addf(s, "object %s\n", object);
	}
}

void artifact_key(struct build *b)
{
	auto_str struct str s;

	str_init(&s, 0);
	str_addf(&s, "firn kernel, recipe %d\nbuilder %s %s %s\ntree %s\n%s", RECIPE,
		 b->req->builder->name, b->req->builder->arch, b->req->builder->cross_compile,
		 git_oid_tostr_s(&b->tree), b->toolchain);
	inputs_describe(&b->inputs, &s);
	key_of_row(b, &s);
	lineage_describe(&b->lineage, &s);
	hash_hex(s.buf, s.len, b->key);
	b->artifact_dir = xasprintf("%s/kernels/%s", b->req->cache_dir, b->key);
}

static void result_add_warnings(struct build_result *ret, const json_t *warnings)
{
	size_t n = json_array_size(warnings);

	ret->diagnostic = xcalloc(n ? n : 1, sizeof(*ret->diagnostic));
	for (size_t i = 0; i < n; i++)
		diagnostic_from_json(json_array_get(warnings, i),
				     &ret->diagnostic[ret->n_diagnostics++]);
}

/* Lists of guest modules and of objects have the same form. */
static size_t failed_read(const json_t *list, struct build_module **ret)
{
	size_t n = json_array_size(list);

	*ret = xcalloc(n ? n : 1, sizeof(**ret));
	for (size_t i = 0; i < n; i++) {
		const json_t *m = json_array_get(list, i);

		(*ret)[i] = (struct build_module){.name = xstrdup(json_get_str(m, "name", "")),
						  .error = xstrdup(json_get_str(m, "error", ""))};
	}
	return n;
}

/* NULL: it was not noted. */
static char *targets_read(const json_t *info)
{
	const char *targets = json_get_str(info, "targets", NULL);

	return targets ? xstrdup(targets) : NULL;
}

static char *failed_path(const struct build *b)
{
	return xasprintf("%s/failed/%s.json", b->req->cache_dir, b->key);
}

bool artifact_load_failed(struct build *b)
{
	auto_free char *path = failed_path(b);
	auto_json json_t *info = NULL;
	struct err ignored = ERR_INIT;

	if (!b->req->is_base || !fs_exists(path) ||
	    json_read(path, ERR_INPUT, &info, &ignored) < 0 ||
	    json_get_num(info, "recipe", 1) != RECIPE_FAILED)
		return false;
	b->ret->targets = targets_read(info);
	b->ret->outcome = OUTCOME_FAIL;
	b->ret->cached = true;
	b->ret->reason = xstrdup(json_get_str(info, "reason", "it did not build before"));
	result_add_warnings(b->ret, json_object_get(info, "diagnostics"));
	build_log_note(&b->log, "did not build before: %s", b->ret->reason);
	return true;
}

int artifact_store_failed(struct build *b, struct err *err)
{
	auto_free char *path = failed_path(b), *dir = xasprintf("%s/failed", b->req->cache_dir);
	json_t *list = json_array();
	auto_json json_t *info =
		json_pack("{s:i, s:o, s:s, s:o, s:o}", "recipe", RECIPE_FAILED, "reason",
			  json_text(b->ret->reason), "builder", b->req->builder->name, "targets",
			  json_text(b->ret->targets), "diagnostics", list);
	int rc = fs_mkdirs(dir, err);

	for (size_t i = 0; i < b->ret->n_diagnostics; i++)
		json_array_append_new(list, diagnostic_to_json(&b->ret->diagnostic[i]));
	return rc < 0 ? rc : json_write(path, info, err);
}

/* build.json of an artifact that is whole; NULL when there is none. */
static json_t *info_read(const struct build *b)
{
	auto_free char *path = xasprintf("%s/build.json", b->artifact_dir);
	auto_free char *config = xasprintf("%s/config", b->artifact_dir);
	auto_free char *vmlinux = xasprintf("%s/vmlinux", b->artifact_dir);
	json_t *info = NULL;
	struct err ignored = ERR_INIT;

	return fs_exists(config) && (!make_has_vmlinux(b->req->builder) || fs_exists(vmlinux)) &&
			       json_read(path, ERR_INPUT, &info, &ignored) == 0
		       ? info
		       : NULL;
}

bool artifact_load(struct build *b)
{
	auto_json json_t *info = info_read(b);
	char span[CLOCK_SPAN_MAX];

	if (!info)
		return false;
	b->ret->outcome = OUTCOME_PASS;
	b->ret->cached = true;
	b->ret->key = xstrdup(b->key);
	b->ret->artifact_dir = xstrdup(b->artifact_dir);
	b->ret->targets = targets_read(info);
	b->ret->reason = xasprintf("built before, in %s",
				   clock_span(json_get_num(info, "seconds", 0), span));
	result_add_warnings(b->ret, json_object_get(info, "warnings"));
	b->ret->diagnostics_cut = json_get_bool(info, "warnings_cut", false);
	b->ret->n_modules_failed =
		failed_read(json_object_get(info, "modules_failed"), &b->ret->module_failed);
	b->ret->n_objects_failed =
		failed_read(json_object_get(info, "objects_failed"), &b->ret->object_failed);
	return true;
}

int artifact_open(const char *dir, const char *path)
{
	auto_free char *copy = xstrdup(path);
	char *save = NULL, *part = strtok_r(copy, "/", &save);
	int fd = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	while (part && fd >= 0) {
		auto_fd int up = fd;
		char *next = strtok_r(NULL, "/", &save);

		/* O_NONBLOCK: it may be a FIFO. */
		fd = openat(up, part,
			    O_NOFOLLOW | O_CLOEXEC |
				    (next ? O_PATH | O_DIRECTORY : O_RDONLY | O_NONBLOCK));
		part = next;
	}
	return fd;
}

static int copy_all(int from, int to)
{
	char buf[65536];
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0) {
		for (ssize_t done = 0; done < n;) {
			ssize_t w = write(to, buf + done, (size_t)(n - done));

			if (w < 0)
				return -1;
			done += w;
		}
	}
	return n < 0 ? -1 : fsync(to);
}

static int file_store(const struct build *b, const char *path, const char *dir, const char *name,
		      struct err *err)
{
	auto_free char *to = xasprintf("%s/%s", dir, name);
	auto_fd int in = artifact_open(b->objects.dir, path);
	auto_fd int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	struct stat st;

	if (in < 0 || out < 0 || fstat(in, &st) < 0)
		return err_sys(err, ERR_INFRA, "cannot keep %s in %s", path, dir);
	if (!S_ISREG(st.st_mode) || st.st_size > ARTIFACT_FILE_MAX)
		return err_set(err, ERR_INFRA, "cannot keep %s: it is not a file of a sane size",
			       path);
	return copy_all(in, out) < 0 ? err_sys(err, ERR_INFRA, "cannot write %s", to) : 0;
}

static int module_store(const struct build *b, const char *module, const char *dir, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s/%s.ko", RECIPE_MODULES, module, module);
	auto_free char *name = xasprintf("%s.ko", module);

	return file_store(b, path, dir, name, err);
}

static bool module_failed(const struct build *b, const char *module)
{
	for (size_t i = 0; i < b->ret->n_modules_failed; i++)
		if (strcmp(b->ret->module_failed[i].name, module) == 0)
			return true;
	return false;
}

static json_t *failed_list(const struct build_module *failed, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *m = json_object();

		json_object_set_new(m, "name", json_text(failed[i].name));
		json_object_set_new(m, "error", json_text(failed[i].error));
		json_array_append_new(list, m);
	}
	return list;
}

static json_t *info_make(const struct build *b)
{
	json_t *warnings = json_array(), *modules = json_array();
	char commit[GIT_OID_HEXSZ + 1], tree[GIT_OID_HEXSZ + 1];

	for (size_t i = 0; i < b->ret->n_diagnostics; i++)
		json_array_append_new(warnings, diagnostic_to_json(&b->ret->diagnostic[i]));
	for (size_t i = 0; i < b->inputs.n_modules; i++)
		if (!module_failed(b, b->inputs.module[i]))
			json_array_append_new(modules, json_text(b->inputs.module[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:f, s:o, s:b}", "key",
			 b->key, "builder", b->req->builder->name, "row",
			 builder_to_json(b->req->builder), "targets", json_text(b->ret->targets),
			 "commit", git_oid_tostr(commit, sizeof(commit), &b->req->commit), "tree",
			 git_oid_tostr(tree, sizeof(tree), &b->tree), "toolchain", b->toolchain,
			 "modules", modules, "modules_failed",
			 failed_list(b->ret->module_failed, b->ret->n_modules_failed),
			 "objects_failed",
			 failed_list(b->ret->object_failed, b->ret->n_objects_failed), "seconds",
			 b->ret->seconds, "warnings", warnings, "warnings_cut",
			 (int)b->ret->diagnostics_cut);
}

static int artifact_fill(struct build *b, const char *dir, struct err *err)
{
	auto_free char *info_path = xasprintf("%s/build.json", dir),
		       *sizes_path = xasprintf("%s/%s", dir, MODULE_SIZES);
	auto_json json_t *info = info_make(b);
	bool vmlinux = make_has_vmlinux(b->req->builder);
	int rc = fs_rmtree(dir, err);

	if (rc == 0)
		rc = fs_mkdirs(dir, err);
	if (rc == 0 && vmlinux)
		rc = file_store(b, "vmlinux", dir, "vmlinux", err);
	if (rc == 0 && vmlinux)
		rc = file_store(b, "System.map", dir, "System.map", err);
	if (rc == 0)
		rc = file_store(b, ".config", dir, "config", err);
	if (rc == 0 && !b->req->builder->touched)
		rc = module_scan(b, sizes_path, err);
	for (size_t i = 0; vmlinux && i < b->inputs.n_modules && rc == 0; i++)
		if (!module_failed(b, b->inputs.module[i]))
			rc = module_store(b, b->inputs.module[i], dir, err);
	return rc < 0 ? rc : json_write(info_path, info, err);
}

/* Builds of the same key under the lock of another repository may have been faster: then theirs
 * stays. */
static int artifact_publish(const struct build *b, const char *aside, struct err *err)
{
	auto_json json_t *theirs = info_read(b);
	int rc = theirs ? 0 : fs_rmtree(b->artifact_dir, err);

	if (rc == 0 && !theirs && rename(aside, b->artifact_dir) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot move %s to %s", aside, b->artifact_dir);
	return rc;
}

int artifact_store(struct build *b, struct err *err)
{
	/* Under the lock of the worktree, so there is one. */
	auto_free char *aside = xasprintf("%s/artifact", b->worktree.dir);
	auto_free char *parent = xasprintf("%s/kernels", b->req->cache_dir);
	/* The emulator runs as the build user. */
	mode_t before = umask(022);
	int rc = artifact_fill(b, aside, err);

	if (rc == 0)
		rc = fs_mkdirs(parent, err);
	umask(before);
	if (rc == 0)
		rc = artifact_publish(b, aside, err);
	if (rc < 0)
		return rc;
	b->ret->key = xstrdup(b->key);
	b->ret->artifact_dir = xstrdup(b->artifact_dir);
	return 0;
}
