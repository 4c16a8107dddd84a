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
	X(BUILD_ROWS,    "build.rows",    WORDS, NULL,          0,  0,          "more rows to build, a list; all: every shipped one and every [builder]") \
	X(BUILD_EACH,    "build.each",    CHOICE, "cheap",      0,  0,          "rows that build every patch, others build the last: all, cheap, main, off") \
	X(BUILD_LAST_GOOD, "build.last-good", BOOL, "false",    0,  0,          "where the base does not build: use the newest commit before it that did") \
	X(BUILD_SIZE,    "build.size-threshold", INT, "4096",   0,  1000000000, "bytes of growth or shrinkage of a kernel that are pointed out") \
	X(BUILD_SIZE_PERCENT, "build.size-percent", INT, "1",   1,  100,        "and percent: either is enough") \
	X(BUILD_JOBS,    "build.jobs",    INT,  "0",            0,  1024,       "make -j; 0: number of CPUs") \
	X(BUILD_TIMEOUT, "build.timeout", INT,  "7200",         10, 864000,     "seconds for one kernel build") \
	X(BUILD_MEMORY,  "build.memory-max", INT, "0",          0,  10000000,   "MiB for all processes of a build; 0: three quarters of the machine") \
	X(BUILD_DISK,    "build.disk-max", INT, "10240",        1,  10000000,   "MiB that a build's folder may have") \
	X(CHECK_TIMEOUT, "check.timeout", INT,  "600",          1,  86400,      "seconds for the checkers of a series") \
	X(CHECKPATCH_IGNORE, "checkpatch.ignore", WORDS, NULL,  0,  0,          "TYPEs of checkpatch that are not told in trials, a list") \
	X(TESTBED_NAME,  "testbed.name",  WORD, "qemu-pseries", 0,  0,          "where kernels boot") \
	X(BOOT_TIMEOUT,  "boot.timeout",  INT,  "300",          1,  86400,      "seconds for one boot") \
	X(BOOT_SILENCE,  "boot.silence",  INT,  "60",           1,  86400,      "seconds without output that are a hang") \
	X(BOOT_EACH,     "boot.each",     INT,  "12",           0,  10000,      "boot after every patch of series of at most so many") \
	X(BENCH_RUN,     "bench.run",     WORDS, "hot-add,ipi,node-offline,cpu-hotplug,memory-online", 0, 0, \
									"benchmarks of a run without --only, a list") \
	X(BENCH_MODE,    "bench.mode",    WORD, "count",        0,  0,          "how time passes in the guest: count or clock") \
	X(BENCH_LMBS,    "bench.lmbs",    LIST, "16,32,64,128,256", 1, 4096,       "blocks of 256 MiB to hot-add, a list") \
	X(BENCH_CPUS,    "bench.cpus",    LIST, NULL,           1,  2048,       "numbers of CPUs, a list") \
	X(BENCH_CONNECTIONS, "bench.connections", LIST, NULL,   1,  10000,      "connections to the server at once, a list") \
	X(BENCH_SAMPLES, "bench.samples", INT,  "0",            0,  1000,       "least boots of each kernel; 0: as many as the benchmark needs") \
	X(BENCH_BUDGET,  "bench.budget",  INT,  "300",          0,  864000,     "seconds of a benchmark in which samples are added until it is certain") \
	X(BENCH_SEED,    "bench.seed",    INT,  "1",            0,  1000000000, "order of base and patched") \
	X(BENCH_PROFILE, "bench.profile", BOOL, "true",         0,  0,          "where a number changed: count instructions by function") \
	X(DATA_DIR,      "data.dir",      PATH, "/var/lib/firn", 0, 0,          "the service's store, archives and trials") \
	X(SERVE_TRIALS,  "serve.trials",  INT,  "3",            1,  100,        "trials at the same time") \
	X(SERVE_BUILDS,  "serve.builds",  INT,  "1",            1,  100,        "kernel builds at the same time") \
	X(SERVE_BOOTS,   "serve.boots",   INT,  "1",            1,  100,        "boots and benchmarks at the same time") \
	X(SERVE_POLL,    "serve.poll",    INT,  "20",           1,  86400,      "seconds between looks at a source") \
	X(SERVE_TRIES,   "serve.tries",   INT,  "3",            1,  100,        "times that a trial is begun before it ends as an error of ours") \
	X(SERVE_DISK,    "serve.disk",    INT,  "40",           1,  100000,     "GiB for kernels, trials and build folders; what can be rebuilt goes first") \
	X(SERVE_KEEP,    "serve.keep-days", INT, "30",          1,  36500,      "days that a trial's folder is kept; one that shows an open finding stays") \
	X(HTTP_CONTACT,  "http.contact",  TEXT, NULL,           0,  0,          "whom to write to about our requests: goes into the User-Agent") \
	X(POST_MODE,     "post.mode",     CHOICE, "dry-run",    0,  0,          "what leaves this machine: dry-run, moderated, live") \
	X(POST_FROM,     "post.from",     TEXT, NULL,           0,  0,          "address that our mails come from") \
	X(POST_SMTP,     "post.smtp",     TEXT, NULL,           0,  0,          "mail server: HOST:PORT") \
	X(POST_TLS,      "post.tls",      CHOICE, "starttls",   0,  0,          "encryption to it: none, starttls, tls") \
	X(POST_USER,     "post.user",     TEXT, NULL,           0,  0,          "user name there") \
	X(POST_PASSWORD, "post.password-file", PATH, NULL,      0,  0,          "file with the password") \
	X(POST_CA,       "post.ca-file",  PATH, NULL,           0,  0,          "certificates that the mail server's is checked against; without it the system's") \
	X(POST_LIMIT,    "post.limit",    INT,  "60",           1,  10000,      "mails an hour at most: a guard against running away") \
	X(POST_LOOKUP,   "post.lookup",   INT,  "600",          0,  86400,      "seconds after which a mail whose answer was lost is looked for in the list's archive") \
	X(WEB_URL,       "web.url",       URL,  NULL,           0,  0,          "public address of the status pages, for links") \
	X(WEB_LISTEN,    "web.listen",    TEXT, "127.0.0.1",    0,  0,          "address that the status pages are served on") \
	X(WEB_PORT,      "web.port",      INT,  "8080",         0,  65535,      "and the port") \
	X(WEB_TOKEN,     "web.token-file", PATH, NULL,          0,  0,          "file with the tokens that people sign in and ask for reruns with, one a line: NAME TOKEN; read again when it changes") \
	X(WEB_AUTH_HEADER, "web.auth-header", HEADER, NULL,     0,  0,          "header in which a proxy says who is signed in: X-Remote-User") \
	X(WEB_AUTH_FROM, "web.auth-from", NETS, NULL,           0,  0,          "addresses of that proxy, a list; from others the header means nothing") \
	X(WEB_KCIDB,     "web.kcidb-origin", SLUG, "firn",      0,  0,          "name of this service in what KCIDB is told: lower case letters, digits, _") \
	X(BENCH_ATTRIBUTE, "bench.attribute", BOOL, "false",    0,  0,          "where a number changed: find the patch that does it")
/* clang-format on */

enum conf_id {
#define X(id, ...) CONF_##id,
	CONF_KEYS(X)
#undef X
		CONF_N
};

enum conf_type {
	CONF_TYPE_PATH,
	CONF_TYPE_WORD,
	CONF_TYPE_WORDS, /* a list: "hot-add,ipi" */
	CONF_TYPE_INT,
	CONF_TYPE_LIST,	  /* of numbers: "16,64" */
	CONF_TYPE_BOOL,	  /* true or false, and what else git-config(1) takes for these */
	CONF_TYPE_TEXT,	  /* one line */
	CONF_TYPE_URL,	  /* http or https */
	CONF_TYPE_HEADER, /* name of an HTTP header */
	CONF_TYPE_SLUG,	  /* letters, digits and _, lower case */
	CONF_TYPE_NETS,	  /* a list of addresses and networks: netblock.h */
	CONF_TYPE_CHOICE, /* one of the words behind the colon of `help`: "...: never, always" */
};

struct conf_key {
	const char *key;
	enum conf_type type;
	const char *dflt; /* NULL: worked out where it is used */
	long least, most; /* of an INT, and of each number of a LIST */
	const char *help;
};
extern const struct conf_key conf_keys[CONF_N];

struct conf_section;

struct conf {
	char *value[CONF_N];	      /* NULL: the default */
	char *path;		      /* absolute, of the file that was read last; NULL: none */
	unsigned line[CONF_N];	      /* of the file that it was read from; 0: not from a file */
	struct conf_section *section; /* conf_section.h */
	size_t n_sections, sections_cap;
};

/* Called for each mistake: "FILE:LINE: what is wrong". */
typedef void conf_mistake_fn(void *ctx, const char *message);

/* Reads one file over `conf` (zeroed or filled before). Mistakes go to `on_mistake` (may be NULL);
 * the first is also the error, ERR_CONFIG. A file that cannot be opened or parsed is ERR_CONFIG
 * too. */
must_check int conf_read(struct conf *conf, const char *path, conf_mistake_fn *on_mistake,
			 void *ctx, struct err *err);
/* Whether a value is of the key's type: 0, or ERR_CONFIG. */
must_check int conf_value_check(const struct conf_key *k, const char *value, struct err *err);
/* Sets one key as the command line does; ERR_USAGE when the value is not of its type. */
must_check int conf_set(struct conf *conf, enum conf_id id, const char *value, struct err *err);
void conf_done(struct conf *conf);

/* The value, else the default, which may be NULL. */
const char *conf_str(const struct conf *conf, enum conf_id id);
long conf_int(const struct conf *conf, enum conf_id id);
bool conf_bool(const struct conf *conf, enum conf_id id);
/* Is `word` one of a WORDS? */
bool conf_has_word(const struct conf *conf, enum conf_id id, const char *word);
/* The numbers of a LIST, 0 at the end; none when there is no default. The caller frees. */
unsigned *conf_list(const struct conf *conf, enum conf_id id);

/* The file that is read when none is named: $XDG_CONFIG_HOME/firn/config (or ~/.config), else
 * /etc/firn/config; NULL when neither is there. The caller frees. */
char *conf_default_path(void);

#endif
