/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds kernels: a tree of the repository in, an artefact folder in the cache out.
 *
 * A builder is a row of a table: architecture, compiler, configuration, what is made. An artefact
 * is named by a key over (tree, configuration, toolchain, guest modules, recipe version), so that
 * what was built once is not built again. BUILDERS.md has the rows and how to add one.
 *
 * Layout under the cache:
 *
 *	worktrees/REPO/src	  the tree that is checked out; only what differs is rewritten
 *	worktrees/REPO/state.json what it holds
 *	objects/REPO/BUILDER	  O= folder of the last base, kept; beside it BUILDER.json
 *	slots/SLOT/BUILDER	  throw-away copy of it in which a series is built: what a
 *				  hostile series leaves behind does not reach the next one;
 *				  held as long as a process works in it
 *	kernels/KEY		  vmlinux, System.map, config, module-sizes, *.ko, build.json: moved
 *				  there whole
 *	failed/KEY.json		  a base that does not build, and what the compiler said
 */
#ifndef FIRN_KERNEL_BUILDERS_BUILDER_H
#define FIRN_KERNEL_BUILDERS_BUILDER_H

#include "base/err.h"
#include "base/outcome.h"
#include <git2.h>
#include <jansson.h>
#include <stdbool.h>

/* Lists are words: of fragments separated by commas, of targets by spaces. */
struct builder {
	const char *name; /* permanent slug: "ppc64le-lean" */
	const char *summary;
	const char *arch;	   /* ARCH= */
	const char *cross_compile; /* CROSS_COMPILE=; "": none */
	const char *compiler;	   /* "gcc-12", "clang-14"; NULL: gcc as it is installed */
	/* A file under kernel-builders/configs/ in the data folder, or an absolute path: what it
	 * does not name is off (allnoconfig). Else a target of make: "ppc64le_defconfig". */
	const char *config;
	const char *fragments; /* files that add to it and override it; NULL: none */
	const char *targets;   /* what is made; NULL: "vmlinux modules" */
	const char *warnings;  /* W=: "1"; NULL: none */
	const char *check;     /* C=, by sparse: "1", "2"; NULL: none */
	/* Only the objects of the files that a series touches are made, on the base too. There is
	 * no vmlinux. */
	bool touched;
	bool boots;	      /* the usual testbed can boot its vmlinux */
	unsigned areas;	      /* enum builder_area: what of the tree it builds */
	const char *packages; /* Debian packages that bring what it needs, for messages */
};
extern const struct builder *const builders[];	      /* NULL at the end */
const struct builder *builder_find(const char *name); /* NULL: none of that name */

/* A row that is in no table, as JSON, for a job that is a process of its own. */
json_t *builder_to_json(const struct builder *b);
/* `ret` points into `obj`. ERR_INPUT when something is missing. */
must_check int builder_from_json(const json_t *obj, struct builder *ret, struct err *err);

/* Is the base configuration a file (else a target of make)? */
bool builder_config_is_file(const struct builder *b);

/* 0, or ERR_CONFIG with the package of the first tool that is not installed. */
must_check int builder_ready(const struct builder *b, struct err *err);

/* What of a kernel tree a file belongs to, as far as it says which rows build it. */
enum builder_area {
	AREA_CORE = 1,	  /* every row builds it: mm/, include/, Makefile, Kconfig */
	AREA_WIDE = 2,	  /* rows with a large configuration: drivers/, sound/, net/, fs/ */
	AREA_PPC_64S = 4, /* book3s, 64 bit: pseries, powernv */
	AREA_PPC_64E = 8, /* booke, 64 bit */
	AREA_PPC_32 = 16, /* 32 bit */
	AREA_NET = 32,	  /* net/ and drivers/net/: a small configuration may have them */
	AREA_ALL = 63,
};
/* The areas of a file for a row of this ARCH=; 0: no kernel of it changes with this file. */
unsigned builder_path_areas(const char *arch, const char *path);
/* Does the row build something that one of these files (NULL at the end) goes into? Else
 * `*ret_reason` says why not: "nothing but documentation". The caller frees. */
bool builder_wants(const struct builder *b, const char *const *paths, char **ret_reason);

/* The commands that repeat a build without firn, a line each, in the tree at that commit.
 * `touched` as in struct build_request; `targets` as in struct build_result, NULL: what the row
 * asks for. */
json_t *builder_commands(const struct builder *b, const git_oid *commit, const char *const *touched,
			 const char *targets);

/* One complaint of a tool. */
struct diagnostic {
	bool is_error;	/* else a warning */
	char *tool;	/* "gcc", "sparse", "modpost", ...: diagnostic.h; NULL: not known */
	char *path;	/* relative to the tree; NULL */
	unsigned line;	/* 0: none */
	char *function; /* that it is in, where the tool says so; NULL */
	char *option;	/* "-Wunused-variable"; NULL */
	char *text;	/* the message without the place */
	char *excerpt;	/* the tool's whole line */
	char *unit;	/* what was being made: "CC mm/memory.o"; NULL: nothing yet */
};

struct build_request {
	const struct builder *builder;
	git_repository *repo;
	git_oid commit;
	bool is_base; /* keep the objects for later builds; else build in a copy */
	/* Unless is_base: the commit that the series is on, an ancestor of `commit` by first
	 * parents. What is between them is part of the artefact's name: lineage.h. Zero:
	 * nothing is, and nothing else was built in this slot. */
	git_oid base;
	const char *slot; /* name of the throw-away copy, one for each trial: [a-z0-9-] */
	const char *cache_dir;
	const char *log_path;	    /* the whole output goes here */
	const char *const *modules; /* folders with guest kernel modules to build against the
				       kernel, NULL-terminated */
	/* Files that the series touches, NULL-terminated: for rows of touched objects, the same for
	 * the base and each patch; else NULL. */
	const char *const *touched;
	double timeout_s; /* 0: none */
	unsigned jobs;	  /* make -j; 0: number of CPUs */
	/* Bytes for all processes of the build, and for its folder of objects; 0: see sandbox.h */
	unsigned long memory_max, disk_max;
	/* Called now and then with what is being built ("CC mm/memory.o") and how many lines came;
	 * may be NULL. */
	void (*on_progress)(void *ctx, const char *what, unsigned n);
	void *ctx;
};

/* A guest module that does not build against the kernel, or a touched object that does not build.
 */
struct build_module {
	char *name;
	char *error; /* the first, in one line */
};

struct build_result {
	enum outcome outcome; /* PASS, or FAIL: the compiler or make says no */
	char *key;
	char *artifact_dir; /* absolute; NULL unless PASS. Without vmlinux where only touched
			       objects were made */
	bool cached;
	double seconds;
	/* What make was asked for: of a configuration without modules, none. NULL: touched objects,
	 * or it did not come so far. */
	char *targets;
	char *reason; /* one line, always set: "built in 212 s", "mm/memory.c:12: error: ..." */
	struct diagnostic *diagnostic;
	size_t n_diagnostics;
	bool diagnostics_cut;		    /* there were more than are kept */
	struct build_module *module_failed; /* the artefact is good without them */
	size_t n_modules_failed;
	/* Touched objects that the compiler says no to. Whether that is the series' fault, the base
	 * knows: some are not meant for this configuration. */
	struct build_module *object_failed;
	size_t n_objects_failed;
};

/* 0 and a filled result when the build ran: its outcome is PASS or FAIL. With `touched`, FAIL is a
 * configuration that can't be built at all; each object is judged alone. Diagnostics have errors
 * first, then the warnings of everything that is in the kernel, not only of what was rebuilt; with
 * `touched`, of the objects of these files. An error when we could not find out: ERR_CONFIG (no
 * compiler: names the package), ERR_INFRA (disk full, killed, time-out, one of the limits),
 * ERR_INPUT (a tree with names like ".."), ERR_CANCELLED. `ret` is zeroed. */
must_check int build_run(const struct build_request *req, struct build_result *ret,
			 struct err *err);
void build_result_done(struct build_result *r);

/* The newest commit before `before` that was built as a base by this row. False: none is known. */
bool build_last_good(git_repository *repo, const char *cache_dir, const char *builder,
		     const git_oid *before, git_oid *ret_commit);

/* Holds a slot (base/hold.h) until `*ret_fd` is closed. build_run() does while it builds; who
 * builds several kernels in one slot does so in between. */
must_check int build_hold_slot(const char *cache_dir, const char *slot, int *ret_fd,
			       struct err *err);
/* Removes what nobody holds: slots of runs that were killed, and kernels that were being put
 * together. Goes on after an error, and returns the first. */
must_check int build_sweep(const char *cache_dir, struct err *err);
/* Removes a throw-away copy. */
must_check int build_drop_slot(const char *cache_dir, const char *slot, struct err *err);

/* Checks out the tree of `commit` for reading, under the same lock as builds: for checkers that
 * need files. `*ret_dir` is the folder; the caller frees. */
must_check int worktree_at(git_repository *repo, const git_oid *commit, const char *cache_dir,
			   char **ret_dir, struct err *err);

#endif
