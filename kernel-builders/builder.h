/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds kernels: a tree of the repository in, an artefact folder in the cache out.
 *
 * A builder is a row: architecture, compiler, configuration. An artefact is named by a key over
 * (tree, configuration, toolchain, guest modules, recipe version), so that what was built once is
 * not built again.
 *
 * Layout under the cache:
 *
 *	worktrees/REPO/src	  the tree that is checked out; only what differs is rewritten
 *	worktrees/REPO/state.json what it holds
 *	objects/REPO/BUILDER	  O= folder of the last base, kept; beside it BUILDER.json
 *	slots/SLOT/BUILDER	  throw-away copy of it in which a series is built: what a
 *				  hostile series leaves behind does not reach the next one
 *	kernels/KEY		  vmlinux, System.map, config, *.ko, build.json: moved there whole
 */
#ifndef FIRN_KERNEL_BUILDERS_BUILDER_H
#define FIRN_KERNEL_BUILDERS_BUILDER_H

#include "base/err.h"
#include "base/outcome.h"
#include <git2.h>
#include <stdbool.h>

struct builder {
	const char *name; /* permanent slug: "ppc64le-lean" */
	const char *summary;
	const char *arch;	   /* ARCH= */
	const char *cross_compile; /* CROSS_COMPILE= */
	const char *config;	   /* file under kernel-builders/configs/ in the data folder */
	const char *fragment;	   /* another one, which adds to it and overrides it; NULL */
	const char *packages; /* Debian packages that bring what it needs, for error messages */
};
extern const struct builder *const builders[];	      /* NULL at the end */
const struct builder *builder_find(const char *name); /* NULL: none of that name */

/* One complaint of a tool. */
struct diagnostic {
	bool is_error; /* else a warning */
	char *path;    /* relative to the tree; NULL */
	unsigned line; /* 0: none */
	char *text;    /* the message without the place */
	char *excerpt; /* the tool's whole line */
};

struct build_request {
	const struct builder *builder;
	git_repository *repo;
	git_oid commit;
	bool is_base;	  /* keep the objects for later builds; else build in a copy */
	const char *slot; /* name of the throw-away copy, one for each trial: [a-z0-9-] */
	const char *cache_dir;
	const char *log_path;	    /* the whole output goes here */
	const char *const *modules; /* folders with guest kernel modules to build against the
				       kernel, NULL-terminated */
	double timeout_s;	    /* 0: none */
	unsigned jobs;		    /* make -j; 0: number of CPUs */
	/* Called now and then with what is being built ("CC mm/memory.o") and how many lines came;
	 * may be NULL. */
	void (*on_progress)(void *ctx, const char *what, unsigned n);
	void *ctx;
};

/* A guest module that does not build against the kernel. */
struct build_module {
	char *name;
	char *error; /* the first, in one line */
};

struct build_result {
	enum outcome outcome; /* PASS, or FAIL: the compiler or make says no */
	char *key;
	char *artifact_dir; /* absolute; NULL unless PASS */
	bool cached;
	double seconds;
	char *reason; /* one line, always set: "built in 212 s", "mm/memory.c:12: error: ..." */
	struct diagnostic *diagnostic;
	size_t n_diagnostics;
	struct build_module *module_failed; /* the artefact is good without them */
	size_t n_modules_failed;
};

/* 0 and a filled result when the build ran: its outcome is PASS or FAIL. Diagnostics have errors
 * first; those of a base are the warnings of all its files, those of a patch only of what was
 * rebuilt. An error when we could not find out: ERR_CONFIG (no compiler: names the package),
 * ERR_INFRA (disk full, killed, time-out), ERR_INPUT (a tree with names like ".."), ERR_CANCELLED.
 * `ret` is zeroed. */
must_check int build_run(const struct build_request *req, struct build_result *ret,
			 struct err *err);
void build_result_done(struct build_result *r);

/* Removes a throw-away copy. */
must_check int build_drop_slot(const char *cache_dir, const char *slot, struct err *err);

/* Checks out the tree of `commit` for reading, under the same lock as builds: for checkers that
 * need files. `*ret_dir` is the folder; the caller frees. */
must_check int worktree_at(git_repository *repo, const git_oid *commit, const char *cache_dir,
			   char **ret_dir, struct err *err);

#endif
