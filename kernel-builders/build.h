/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One build under way: what the files of this folder share. */
#ifndef FIRN_KERNEL_BUILDERS_BUILD_H
#define FIRN_KERNEL_BUILDERS_BUILD_H

#include "base/hash.h"
#include "kernel-builders/build_log.h"
#include "kernel-builders/inputs.h"
#include "kernel-builders/lineage.h"
#include "kernel-builders/objects.h"
#include "kernel-builders/worktree.h"

struct build {
	const struct build_request *req;
	struct build_result *ret;
	git_oid tree;
	struct lineage lineage;
	struct inputs inputs;
	char *toolchain; /* toolchain_describe() */
	char key[HASH_HEX_MAX];
	char *artifact_dir; /* CACHE/kernels/KEY */
	struct worktree worktree;
	struct objects objects;
	int slot_lock;	   /* while it builds there */
	bool objects_good; /* make ended by itself, well or not: what it left is whole */
	char *stage_dir;   /* where the inputs are for the sandbox */
	/* In the configuration; and were modules of the kernel made? */
	bool modules_off, has_modules;
	unsigned n_objects, n_left_out; /* touched ones: made, and not in this configuration */
	struct build_log log;
	double started; /* clock_mono() */
};

/* toolchain.c: */

/* Compiler and linker in words, for the key and build.json. ERR_CONFIG when something is missing:
 * names the packages. */
must_check int toolchain_describe(const struct builder *b, char **ret_text, struct err *err);
/* "powerpc64le-linux-gnu-gcc-12", "clang". The caller frees. */
char *builder_compiler(const struct builder *b);
bool builder_is_clang(const struct builder *b);

/* recipe.c: */

/* Runs make in the sandbox until all is made, or it says no: fills outcome and, for FAIL, the
 * reason. */
must_check int recipe_build(struct build *b, struct err *err);
/* Where the modules are built, below the folder of objects. */
#define RECIPE_MODULES "firn-modules"

/* build_command.c: */

/* Runs a command in the sandbox of this build. 0 with outcome PASS or FAIL. */
struct words;
must_check int build_command(struct build *b, const struct words *command, struct err *err);
unsigned build_jobs(const struct build_request *req);

/* artifact.c: */

/* Computes the key. Change RECIPE when the same inputs give another kernel than before. */
void artifact_key(struct build *b);
/* Fills the result from the cache. False when it is not there. */
bool artifact_load(struct build *b);
/* A base that did not build before: fills the result. False when that is not known. */
bool artifact_load_failed(struct build *b);
/* Remembers that this base does not build. */
must_check int artifact_store_failed(struct build *b, struct err *err);
/* Copies what was built into the cache, written aside and renamed, and fills the rest of the
 * result. */
must_check int artifact_store(struct build *b, struct err *err);
/* Opens a file that the build user made for reading, through no symlink: we may be root. -1 with
 * errno. */
int artifact_open(const char *dir, const char *path);

/* module_scan.c: */

/* Writes the file of module_sizes.h about what was built. None, when that is more than can be
 * compared. */
must_check int module_scan(struct build *b, const char *path, struct err *err);

#endif
