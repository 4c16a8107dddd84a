/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections of the configuration that have a name: [list "linuxppc-dev"]. Part of conf.h: they are
 * read and checked by conf_read().
 */
#ifndef FIRN_BASE_CONF_SECTION_H
#define FIRN_BASE_CONF_SECTION_H

#include "base/conf.h"

/* clang-format off */
/* id, word, help */
#define CONF_SECTIONS(X) \
	X(LIST,      "list",      "a mailing list whose patches are tested") \
	X(TREE,      "tree",      "a kernel repository that they may apply to") \
	X(PATCHWORK, "patchwork", "a Patchwork server") \
	X(BUILDER,   "builder",   "a row of the builder table: a new one, or a change of the one of that name")

/* id, section, key, type, default, least and most, help. Words are separated by commas. */
#define CONF_SECTION_KEYS(X) \
	X(LIST_LORE,       LIST, "lore",       URL,   NULL,    0, 0,   "its archive, a public-inbox: https://lore.kernel.org/linuxppc-dev/") \
	X(LIST_ADDRESS,    LIST, "address",    TEXT,  NULL,    0, 0,   "its mail address") \
	X(LIST_PATCHWORK,  LIST, "patchwork",  WORD,  NULL,    0, 0,   "name of a [patchwork] section") \
	X(LIST_PROJECT,    LIST, "project",    WORD,  NULL,    0, 0,   "its project there: link name") \
	X(LIST_TREE,       LIST, "tree",       WORDS, NULL,    0, 0,   "names of [tree] sections, tried in order") \
	X(LIST_FILES,      LIST, "files",      WORDS, NULL,    0, 0,   "path prefixes or globs: a series that touches none of them is left alone") \
	X(LIST_SUBJECT,    LIST, "subject",    WORDS, NULL,    0, 0,   "words of which a subject prefix must have one: others are left alone") \
	X(LIST_ONLY,       LIST, "only",       WORDS, NULL,    0, 0,   "steps of its trials (firn run --help)") \
	X(LIST_BENCH,      LIST, "bench",      WORDS, NULL,    0, 0,   "benchmarks of its trials") \
	X(LIST_SINCE_DAYS, LIST, "since-days", INT,   "7",     0, 3650, "how old mails may be that are taken at the first start") \
	X(LIST_CHECKS,     LIST, "checks",     BOOL,  "true",  0, 0,   "post checks to Patchwork") \
	X(LIST_MAIL,       LIST, "mail",       CHOICE, "failure", 0, 0, "when to answer by mail: never, failure, warning, always") \
	X(LIST_MAIL_LIST,  LIST, "mail-list",  BOOL,  "false", 0, 0,   "mail goes to the list too, not to the author alone") \
	X(LIST_COMMANDS,   LIST, "commands",   BOOL,  "true",  0, 0,   "obey \"firn: rerun\" in mails") \
	X(LIST_COMMANDERS, LIST, "commanders", WORDS, NULL,    0, 0,   "addresses that may always command") \
	X(LIST_DKIM,       LIST, "dkim",       CHOICE, "none", 0, 0,   "how commands are authenticated: none, results (of authserv), verify") \
	X(LIST_AUTHSERV,   LIST, "authserv",   WORD,  NULL,    0, 0,   "authserv-id whose Authentication-Results count (RFC 8601)") \
	X(LIST_IGNORE,     LIST, "checkpatch-ignore", WORDS, NULL, 0, 0, "checkpatch types that are not reported") \
	X(TREE_PATH,       TREE, "path",       PATH,  NULL,    0, 0,   "a repository on this machine") \
	X(TREE_URL,        TREE, "url",        URL,   NULL,    0, 0,   "where it is fetched from; without it somebody else keeps it up to date") \
	X(TREE_BRANCHES,   TREE, "branches",   WORDS, NULL,    0, 0,   "branches to try in order; without it HEAD") \
	X(TREE_INTERVAL,   TREE, "interval",   INT,   "900",   60, 864000, "seconds between fetches") \
	X(TREE_IGNORE,     TREE, "checkpatch-ignore", WORDS, NULL, 0, 0, "checkpatch types that are not reported for patches on it") \
	X(PATCHWORK_URL,   PATCHWORK, "url",   URL,   NULL,    0, 0,   "https://patchwork.ozlabs.org/") \
	X(PATCHWORK_TOKEN, PATCHWORK, "token-file", PATH, NULL, 0, 0,  "file with the token that checks are posted with") \
	X(BUILDER_LIKE,    BUILDER, "like",    WORD,  NULL,    0, 0,   "a shipped row that it begins as") \
	X(BUILDER_ARCH,    BUILDER, "arch",    WORD,  NULL,    0, 0,   "ARCH=") \
	X(BUILDER_CROSS,   BUILDER, "cross-compile", WORD, NULL, 0, 0, "CROSS_COMPILE=: s390x-linux-gnu-; native: none") \
	X(BUILDER_COMPILER, BUILDER, "compiler", WORD, NULL,   0, 0,   "gcc or clang, with a version: gcc-12, clang-14") \
	X(BUILDER_CONFIG,  BUILDER, "config",  WORD,  NULL,    0, 0,   "a file (what it does not name is off) or a target of make: ppc64le_defconfig") \
	X(BUILDER_FRAGMENTS, BUILDER, "fragments", WORDS, NULL, 0, 0,  "files that are added to it") \
	X(BUILDER_TARGETS, BUILDER, "targets", TEXT,  NULL,    0, 0,   "what is made: vmlinux modules") \
	X(BUILDER_WARNINGS, BUILDER, "warnings", WORD, NULL,   0, 0,   "W=") \
	X(BUILDER_CHECK,   BUILDER, "check",   INT,   NULL,    1, 2,   "C=: sparse on what is compiled (1) or on all (2)") \
	X(BUILDER_TOUCHED, BUILDER, "touched", BOOL,  NULL,    0, 0,   "make only the objects of the files that a series touches") \
	X(BUILDER_BOOTS,   BUILDER, "boots",   BOOL,  NULL,    0, 0,   "the testbed can boot it") \
	X(BUILDER_PACKAGES, BUILDER, "packages", TEXT, NULL,   0, 0,   "Debian packages that bring what it needs, for messages")
/* clang-format on */

enum conf_section_kind {
#define X(id, ...) CONF_SECTION_##id,
	CONF_SECTIONS(X)
#undef X
		CONF_SECTION_KINDS
};

enum conf_section_id {
#define X(id, ...) CONF_##id,
	CONF_SECTION_KEYS(X)
#undef X
		CONF_SECTION_N
};

struct conf_section_key {
	enum conf_section_kind section;
	struct conf_key key; /* `key` is the part after the section's name */
};
extern const struct conf_section_key conf_section_keys[CONF_SECTION_N];
/* "list", and what it is. */
const char *conf_section_word(enum conf_section_kind kind);
const char *conf_section_help(enum conf_section_kind kind);

struct conf_section {
	enum conf_section_kind kind;
	char *name;		     /* [A-Za-z0-9._-]+ */
	unsigned line;		     /* of its first key */
	char *value[CONF_SECTION_N]; /* NULL: the default */
	unsigned value_line[CONF_SECTION_N];
};

/* The n-th section of a kind, in the order of the file; NULL past the last. */
const struct conf_section *conf_section_nth(const struct conf *conf, enum conf_section_kind kind,
					    size_t n);
const struct conf_section *conf_section_find(const struct conf *conf, enum conf_section_kind kind,
					     const char *name);

/* The value, else the default, which may be NULL. */
const char *conf_section_str(const struct conf_section *s, enum conf_section_id id);
long conf_section_int(const struct conf_section *s, enum conf_section_id id);
bool conf_section_bool(const struct conf_section *s, enum conf_section_id id);
/* The words of a WORDS, NULL at the end, in one block that the caller frees. */
char **conf_section_words(const struct conf_section *s, enum conf_section_id id);

/* What conf_read() does with an entry: "list.linuxppc-dev.lore". False when its section is none of
 * these. `*ret_mistake` is NULL, or says what is wrong; the caller frees. */
bool conf_section_entry(struct conf *conf, const char *name, const char *value, unsigned line,
			char **ret_mistake);
/* What is wrong with a section as a whole, or with what it refers to: "[list "x"] names the tree
 * "y", which is not there". `*pos` begins at 0; NULL at the end, else the caller frees. `*ret_line`
 * is where. */
char *conf_section_mistake(const struct conf *conf, size_t *pos, unsigned *ret_line);
void conf_sections_done(struct conf *conf);

#endif
