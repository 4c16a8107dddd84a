/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration: a file in git's syntax (git-config(1), "CONFIGURATION FILE"), read by libgit2.
 * Every key is a row of CONF_KEYS; a key that is none of them is a mistake, named with file and
 * line.
 */
#ifndef FIRN_BASE_CONF_H
#define FIRN_BASE_CONF_H

#include "base/err.h"
#include <stdbool.h>

/* clang-format off */
/* id, key, type, default, least and most, help */
#define CONF_KEYS(X) \
	X(CACHE_DIR,     "cache.dir",     PATH, NULL,           0,  0,          "where trees and kernels are kept") \
	X(BUILD_BUILDER, "build.builder", WORD, "ppc64le-lean", 0,  0,          "row of the builder table") \
	X(BUILD_JOBS,    "build.jobs",    INT,  "0",            0,  1024,       "make -j; 0: number of CPUs") \
	X(BUILD_TIMEOUT, "build.timeout", INT,  "7200",         10, 864000,     "seconds for one kernel build") \
	X(CHECK_TIMEOUT, "check.timeout", INT,  "600",          1,  86400,      "seconds for the checkers of a series") \
	X(TESTBED_NAME,  "testbed.name",  WORD, "qemu-pseries", 0,  0,          "where kernels boot") \
	X(BOOT_TIMEOUT,  "boot.timeout",  INT,  "300",          1,  86400,      "seconds for one boot") \
	X(BOOT_SILENCE,  "boot.silence",  INT,  "60",           1,  86400,      "seconds without output that are a hang") \
	X(BENCH_LMBS,    "bench.lmbs",    LIST, "16,64",        1,  2048,       "blocks of 256 MiB to hot-add, a list") \
	X(BENCH_SAMPLES, "bench.samples", INT,  "3",            3,  100,        "boots of each kernel for each size") \
	X(BENCH_SEED,    "bench.seed",    INT,  "1",            0,  1000000000, "order of base and patched")
/* clang-format on */

enum conf_id {
#define X(id, ...) CONF_##id,
	CONF_KEYS(X)
#undef X
		CONF_N
};

enum conf_type { CONF_TYPE_PATH, CONF_TYPE_WORD, CONF_TYPE_INT, CONF_TYPE_LIST };

struct conf_key {
	const char *key;
	enum conf_type type;
	const char *dflt; /* NULL: worked out where it is used */
	long least, most; /* of an INT, and of each number of a LIST */
	const char *help;
};
extern const struct conf_key conf_keys[CONF_N];

struct conf {
	char *value[CONF_N];   /* NULL: the default */
	unsigned line[CONF_N]; /* of the file that it was read from; 0: not from a file */
};

/* Called for each mistake: "FILE:LINE: what is wrong". */
typedef void conf_mistake_fn(void *ctx, const char *message);

/* Reads one file over `conf` (zeroed or filled before). Mistakes go to `on_mistake` (may be NULL);
 * the first is also the error, ERR_CONFIG. A file that cannot be opened or parsed is ERR_CONFIG
 * too. */
must_check int conf_read(struct conf *conf, const char *path, conf_mistake_fn *on_mistake,
			 void *ctx, struct err *err);
/* Sets one key as the command line does; ERR_USAGE when the value is not of its type. */
must_check int conf_set(struct conf *conf, enum conf_id id, const char *value, struct err *err);
void conf_done(struct conf *conf);

/* The value, else the default, which may be NULL. */
const char *conf_str(const struct conf *conf, enum conf_id id);
long conf_int(const struct conf *conf, enum conf_id id);
/* The numbers of a LIST, 0 at the end. The caller frees. */
unsigned *conf_list(const struct conf *conf, enum conf_id id);

/* The file that is read when none is named: $XDG_CONFIG_HOME/firn/config (or ~/.config), else
 * /etc/firn/config; NULL when neither is there. The caller frees. */
char *conf_default_path(void);

#endif
