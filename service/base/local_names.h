/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What folders of this machine are called where others read of them: trees and testbeds by the
 * names that the configuration gives them, the service's own folders DATA and CACHE, its file
 * CONFIG. */
#ifndef FIRN_BASE_LOCAL_NAMES_H
#define FIRN_BASE_LOCAL_NAMES_H

#include "base/conf.h"
#include <jansson.h>
#include <stddef.h>

struct local_names {
	struct local_name {
		char *path, *name;
	} * row; /* the longest path first */
	size_t n, cap;
};
void local_names_done(struct local_names *l);
#define auto_local_names __attribute__((cleanup(local_names_done)))

/* A path, as it is given and as it is without links. One that is NULL, not absolute, or "/" is
 * passed over. */
void local_names_add(struct local_names *l, const char *path, const char *name);
/* By the last component of the path. */
void local_names_add_base(struct local_names *l, const char *path);
/* The file of the configuration (may be NULL), its trees and its testbed, and these folders (may be
 * NULL). */
void local_names_conf(struct local_names *l, const struct conf *conf, const char *data_dir,
		      const char *cache_dir);

/* The text with names for paths, alone or at the beginning of a longer one. The caller frees. */
char *local_names_text(const struct local_names *l, const char *text);
/* Each string of an array or object, at any depth, in place. */
void local_names_json(const struct local_names *l, json_t *value);

/* "replay" of "replay:DIR": what a testbed is called. The caller frees. */
char *testbed_label(const char *name);

#endif
