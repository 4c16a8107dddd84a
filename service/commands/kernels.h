/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that a command line names: `firn bench --base A --patched B`, `firn calibrate --base A`.
 *
 * A name is a folder of an artefact (with a vmlinux in it, and the guest modules built for it), or
 * a revision of a tree, which is built as a trial builds its base and patched kernel: the same
 * cache, the same keys.
 */
#ifndef FIRN_COMMANDS_KERNELS_H
#define FIRN_COMMANDS_KERNELS_H

#include "base/conf.h"
#include "base/err.h"
#include "kernel-builders/builder.h"
#include "testbeds/bench/bench.h"
#include <stdbool.h>

struct kernels {
	const char *tree; /* repository; NULL: only folders can be named */
	const char *cache_dir;
	const char *work_dir; /* exists; NAME.cpio and NAME-build/ (a job) are put here */
	const struct builder *builder;
	const struct conf *conf; /* limits of a build */
	/* What is being built; may be NULL. `done` of `total`, or 0 of 0. */
	void (*on_progress)(void *ctx, const char *what, unsigned done, unsigned total);
	void *ctx;
};

struct kernel {
	char *artifact;		   /* absolute folder */
	char *vmlinux, *initramfs; /* paths */
	char *words;		   /* what people call it: "v6.1 (830b3c68c1fb)", or the folder */
	char *commit;		   /* hex; NULL: a folder was named */
	char *subject;		   /* of the commit; NULL */
};
void kernel_done(struct kernel *k);

/* Finds or builds the kernel that `what` names, and makes its initramfs. `name` is "base" or
 * "patched": of its files. `is_base` keeps the objects for later builds, else it is built in a
 * throw-away copy of them. ERR_CONFIG: no such revision or folder; ERR_PATCH: it does not build
 * (ERR_CONFIG for a base); ERR_INFRA, ERR_CANCELLED. */
must_check int kernel_prepare(const struct kernels *with, const char *what, const char *name,
			      bool is_base, struct kernel *ret, struct err *err);

/* The same for a commit of firn's own repository (repo_open() in series/repo.h), built in a
 * throw-away copy of the objects. */
struct kernel_commit {
	git_repository *repo;
	const git_oid *commit;
	const char *name, *words; /* of files; for people */
};
must_check int kernel_prepare_commit(const struct kernels *with, const struct kernel_commit *c,
				     struct kernel *ret, struct err *err);

/* The two as a bench wants them: says whether the images are the same, byte for byte. The strings
 * stay those of the kernels. */
must_check int kernels_for_bench(const struct kernel *base, const struct kernel *patched,
				 struct bench_request *ret, struct err *err);

/* What a benchmarking command needs of the command line and the configuration (which keys:
 * trial/bench_args.c). Fills testbed, testbed_arg, mode, sizes, samples, budget_s, seed, profile
 * and timeout_s of `ret`; the sizes are the caller's to free. ERR_CONFIG: no such testbed, or it
 * does not work here. */
must_check int kernels_request(const struct conf *conf, const struct bench *bench,
			       struct bench_request *ret, unsigned **ret_sizes, struct err *err);

#endif
