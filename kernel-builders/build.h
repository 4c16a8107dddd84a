/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One build under way: what the files of this folder share. */
#ifndef FIRN_KERNEL_BUILDERS_BUILD_H
#define FIRN_KERNEL_BUILDERS_BUILD_H

#include "base/hash.h"
#include "kernel-builders/build_log.h"
#include "kernel-builders/inputs.h"
#include "kernel-builders/objects.h"
#include "kernel-builders/worktree.h"

struct build {
	const struct build_request *req;
	struct build_result *ret;
	git_oid tree;
	struct inputs inputs;
	char *toolchain; /* toolchain_describe() */
	char key[HASH_HEX_MAX];
	char *artifact_dir; /* CACHE/kernels/KEY */
	struct worktree worktree;
	struct objects objects;
	bool objects_good; /* make ended by itself, well or not: what it left is whole */
	char *stage_dir;   /* where the inputs are for the sandbox */
	struct build_log log;
	double started; /* clock_mono() */
};

/* gcc.c: */

/* Compiler and linker in words, for the key and build.json. ERR_CONFIG when something is missing:
 * names the packages. */
must_check int toolchain_describe(const struct builder *b, char **ret_text, struct err *err);
/* Runs make in the sandbox until vmlinux and the modules are there, or it says no: fills outcome
 * and, for FAIL, the reason. */
must_check int gcc_build(struct build *b, struct err *err);
/* Where the modules are built, below the folder of objects. */
#define GCC_MODULES "firn-modules"

/* artifact.c: */

/* Computes the key. Change RECIPE when the same inputs give another kernel than before. */
void artifact_key(struct build *b);
/* Fills the result from the cache. False when it is not there. */
bool artifact_load(struct build *b);
/* Copies what was built into the cache, written aside and renamed, and fills the rest of the
 * result. */
must_check int artifact_store(struct build *b, struct err *err);

#endif
