// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/initramfs.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/hold.h"
#include "base/proc.h"
#include "base/str.h"
#include "sandbox/sandbox.h"
#include <dirent.h>

#define PACKAGES   "gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross"
#define SOURCE_MAX ((size_t)1 << 20)

/* Its text is part of the key, so that changing it makes a new program. */
#define RECIPE "-std=gnu17 -O2 -static -s -pthread -Wall -Wextra"

struct source {
	struct dirent **file; /* sorted, so that the key depends on the contents alone */
	struct str *text;
	size_t n;
};

static void source_done(struct source *s)
{
	for (size_t i = 0; i < s->n; i++) {
		str_done(&s->text[i]);
		free(s->file[i]);
	}
	free(s->text);
	free(s->file);
}

static int is_source(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');

	return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0);
}

static int source_read(struct source *s, struct err *err)
{
	auto_free char *dir = xasprintf("%s/testbeds/guest", fs_data_dir());
	int n = scandir(dir, &s->file, is_source, alphasort), rc = 0;

	if (n <= 0)
		return err_sys(err, ERR_CONFIG, "no sources of the guest's init in %s", dir);
	s->n = (size_t)n;
	s->text = xcalloc(s->n, sizeof(*s->text));
	for (size_t i = 0; i < s->n; i++)
		str_init(&s->text[i], SOURCE_MAX);
	for (size_t i = 0; i < s->n && rc == 0; i++) {
		auto_free char *path = xasprintf("%s/%s", dir, s->file[i]->d_name);

		rc = fs_read(path, SOURCE_MAX, ERR_CONFIG, &s->text[i], err);
	}
	return rc;
}

/* The first line of `CROSSgcc --version`: part of the key, and how a missing compiler is noticed.
 */
static int compiler_version(const char *compiler, char **ret, struct err *err)
{
	const char *const argv[] = {compiler, "--version", NULL};
	const struct proc_spec spec = {.argv = argv, .timeout_s = 30};
	auto_proc_result struct proc_result r = {0};
	int rc = proc_run(&spec, &r, err);

	if (rc == ERR_CONFIG)
		return err_set(err, rc,
			       "no %s to compile the guest's init with: apt-get install %s",
			       compiler, PACKAGES);
	if (rc < 0)
		return rc;
	if (r.end != PROC_EXITED || r.code != 0)
		return err_set(err, ERR_CONFIG, "%s --version does not work: %s", compiler,
			       r.output.buf);
	*ret = xmemdup(r.output.buf, strcspn(r.output.buf, "\n"));
	return 0;
}

static int compile(const char *compiler, const char *dir, struct err *err)
{
	auto_free char *line = xasprintf("exec %s " RECIPE " -o init *.c", compiler);
	const char *const argv[] = {"sh", "-c", line, NULL};
	const struct sandbox_spec spec = {
		.argv = argv,
		.bind = {{.outside = dir, .inside = "/guest", .writable = true}},
		.chdir = "/guest",
		.timeout_s = 120,
	};
	auto_proc_result struct proc_result r = {0};
	int rc = sandbox_run(&spec, &r, err);

	if (rc < 0)
		return rc;
	if (r.end == PROC_EXITED && r.code == 0)
		return 0;
	if (r.end != PROC_EXITED) {
		auto_free char *end = proc_end_text(&r);

		return err_set(err, ERR_INFRA, "compiling the guest's init: %s", end);
	}
	/* Our own source compiles where the tools are whole: what is missing is the C library. */
	return err_set(err, ERR_CONFIG,
		       "cannot compile the guest's init (apt-get install %s): %.*s", PACKAGES,
		       (int)strcspn(r.output.buf, "\n"), r.output.buf);
}

/* Sources and program, in a folder that the build user owns until they are done. */
static int build_in(const char *compiler, const struct source *source, const char *dir,
		    struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < source->n && rc == 0; i++) {
		auto_free char *path = xasprintf("%s/%s", dir, source->file[i]->d_name);

		rc = fs_write_atomic(path, source->text[i].buf, source->text[i].len, err);
	}
	if (rc == 0)
		rc = sandbox_own(dir, err);
	if (rc == 0)
		rc = compile(compiler, dir, err);
	if (rc == 0 && geteuid() == 0)
		rc = fs_chown_tree(dir, 0, 0, err);
	return rc;
}

static int build(const char *compiler, const struct source *source, const char *dir,
		 struct err *err)
{
	auto_free char *aside = xasprintf("%s.tmp-%ld", dir, (long)getpid());
	auto_fd int held = -1;
	struct err ignored = ERR_INIT;
	int rc = fs_rmtree(aside, err);

	if (rc == 0)
		rc = hold_dir(aside, &held, err);
	if (rc == 0)
		rc = build_in(compiler, source, aside, err);
	if (rc == 0)
		rc = fs_rmtree(dir, err);
	if (rc == 0 && rename(aside, dir) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot rename %s", aside);
	if (rc < 0 && fs_rmtree(aside, &ignored) < 0)
		return rc; /* the first error is the one to tell */
	return rc;
}

/* Over the sources, the recipe and the compiler's version. */
static int guest_key(const char *compiler, const struct source *source,
		     char key[static HASH_HEX_MAX], struct err *err)
{
	auto_free char *version = NULL;
	auto_str struct str all;
	int rc = compiler_version(compiler, &version, err);

	str_init(&all, 0);
	if (rc < 0)
		return rc;
	str_addf(&all, "%s\n%s\n" RECIPE "\n", compiler, version);
	for (size_t i = 0; i < source->n; i++) {
		str_addf(&all, "%s %zu\n", source->file[i]->d_name, source->text[i].len);
		str_add(&all, source->text[i].buf, source->text[i].len);
	}
	hash_hex(all.buf, all.len, key);
	return 0;
}

/* With the lock on the cache's entry, so that two runs do not build it at the same time. */
static int guest_init_locked(const char *compiler, const struct source *source, const char *dir,
			     struct err *err)
{
	auto_free char *lock_path = xasprintf("%s.lock", dir), *path = xasprintf("%s/init", dir);
	auto_fd int lock = -1;
	int rc = fs_lock(lock_path, &lock, err);

	return rc < 0 || fs_exists(path) ? rc : build(compiler, source, dir, err);
}

int guest_init_build(const char *cross_compile, const char *cache_dir, char **ret_path,
		     struct err *err)
{
	auto_free char *compiler = xasprintf("%sgcc", cross_compile),
		       *guest = xasprintf("%s/guest", cache_dir), *dir = NULL;
	__attribute__((cleanup(source_done))) struct source source = {0};
	char key[HASH_HEX_MAX];
	int rc = source_read(&source, err);

	if (rc == 0)
		rc = guest_key(compiler, &source, key, err);
	if (rc == 0)
		rc = fs_mkdirs(guest, err);
	if (rc < 0)
		return rc;
	dir = xasprintf("%s/%s", guest, key);
	rc = guest_init_locked(compiler, &source, dir, err);
	if (rc == 0)
		*ret_path = xasprintf("%s/init", dir);
	return rc;
}
