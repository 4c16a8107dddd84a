// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/configured.h"

#include "base/json.h"
#include "kernel-builders/tree_diff.h"
#include <fcntl.h>
#include <sys/stat.h>

#define CONFIG_MAX ((off_t)4 << 20)

bool configured_reads(const char *path)
{
	static const char *const never[] = {".c", ".h", ".S", ".rst", ".dts", ".dtsi", ".yaml"};

	/* Scripts compile little sources to find out what a compiler can do. */
	if (str_starts(path, "scripts/") || strstr(path, "/tools/"))
		return true;
	for (size_t i = 0; i < array_size(never); i++)
		if (str_ends(path, never[i]))
			return false;
	return strcmp(path, "MAINTAINERS") != 0 && strcmp(path, "CREDITS") != 0;
}

/* What the row asks for. */
static void key_make(const struct build *b, char key[static HASH_HEX_MAX])
{
	const struct builder *row = b->req->builder;
	auto_str struct str s;

	str_init(&s, 0);
	str_addf(&s, "%s %s %s %s\n%s", row->arch, row->cross_compile, row->compiler ?: "",
		 builder_config_is_file(row) ? "" : row->config, b->toolchain);
	inputs_describe(&b->inputs, &s);
	hash_hex(s.buf, s.len, key);
}

/* The build user made it. */
char *configured_text(const struct build *b)
{
	auto_free char *path = xasprintf("%s/.config", b->objects.dir), *text = NULL;
	auto_fd int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > CONFIG_MAX)
		return NULL;
	text = xcalloc(1, (size_t)st.st_size + 1);
	if (read(fd, text, (size_t)st.st_size) != st.st_size || strlen(text) != (size_t)st.st_size)
		return NULL;
	return take(text);
}

static bool config_hash(const struct build *b, char hash[static HASH_HEX_MAX])
{
	auto_free char *text = configured_text(b);

	if (text)
		hash_hex(text, strlen(text), hash);
	return text != NULL;
}

static bool says(const json_t *note, const char *key, const char *value)
{
	return strcmp(json_get_str(note, key, ""), value) == 0;
}

/* Is nothing that kconfig reads another than in the tree of the note? */
static bool same_for_kconfig(const struct build *b, const json_t *note)
{
	auto_tree_changes struct tree_changes changes = {0};
	struct err ignored = ERR_INIT;
	git_oid then;

	if (git_oid_fromstr(&then, json_get_str(note, "tree", "")) < 0 ||
	    tree_diff(b->req->repo, &then, &b->tree, &changes, &ignored) < 0)
		return false;
	for (size_t i = 0; i < changes.n; i++)
		if (configured_reads(changes.item[i].path))
			return false;
	return true;
}

bool configured_still(struct build *b)
{
	const json_t *note = json_object_get(b->objects.state, "configured");
	char key[HASH_HEX_MAX], hash[HASH_HEX_MAX];

	if (!note)
		return false;
	key_make(b, key);
	return says(note, "key", key) && config_hash(b, hash) && says(note, "config", hash) &&
	       same_for_kconfig(b, note);
}

void configured_note(struct build *b)
{
	char key[HASH_HEX_MAX], hash[HASH_HEX_MAX];

	/* What it complains about is to be heard every time. */
	json_object_del(b->objects.state, "configured");
	if (b->log.found.n || !config_hash(b, hash))
		return;
	key_make(b, key);
	json_object_set_new(b->objects.state, "configured",
			    json_pack("{s:s, s:s, s:s}", "key", key, "config", hash, "tree",
				      git_oid_tostr_s(&b->tree)));
}
