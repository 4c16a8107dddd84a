// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows that firn comes with. */
#include "kernel-builders/builder.h"

#include "base/json.h"
#include "base/str.h"

#define TOOLS "make gcc flex bison bc libc6-dev "
/* For what a large configuration has built on the host: sign-file, extract-cert, resolve_btfids. */
#define LARGE TOOLS "libssl-dev libelf-dev rsync "
#define LE    "gcc-powerpc64le-linux-gnu"
#define BE    "gcc-powerpc64-linux-gnu"
#define BE32  "gcc-powerpc-linux-gnu"

#define AREA_64S (AREA_CORE | AREA_PPC_64S)

static const struct builder rows[] = {
	{
		.name = "ppc64le-lean",
		.summary = "little-endian pseries with what a test needs, by gcc",
		.arch = "powerpc",
		.cross_compile = "powerpc64le-linux-gnu-",
		.config = "pseries-lean.config",
		.boots = true,
		.areas = AREA_64S,
		.packages = TOOLS LE,
	},
	{
		/* Its images are others than those of ppc64le-lean, and so are their objects and
		 * artefacts. */
		.name = "ppc64le-lean-net",
		.summary = "ppc64le-lean with a network",
		.arch = "powerpc",
		.cross_compile = "powerpc64le-linux-gnu-",
		.config = "pseries-lean.config",
		.fragments = "net.config",
		.boots = true,
		.areas = AREA_64S | AREA_NET,
		.packages = TOOLS LE,
	},
	{
		.name = "ppc64le-defconfig",
		.summary = "ppc64le_defconfig: all of pseries and powernv, many drivers",
		.arch = "powerpc",
		.cross_compile = "powerpc64le-linux-gnu-",
		.config = "ppc64le_defconfig",
		.fragments = "warnings.config",
		.areas = AREA_64S | AREA_WIDE,
		.packages = LARGE LE,
	},
	{
		.name = "ppc64-pseries",
		.summary = "pseries_defconfig: big-endian pseries",
		.arch = "powerpc",
		.cross_compile = "powerpc64-linux-gnu-",
		.config = "pseries_defconfig",
		.fragments = "warnings.config,big-endian.config",
		.areas = AREA_64S | AREA_WIDE,
		.packages = LARGE BE,
	},
	{
		.name = "ppc32-pmac",
		.summary = "pmac32_defconfig: 32-bit PowerMac",
		.arch = "powerpc",
		.cross_compile = "powerpc-linux-gnu-",
		.config = "pmac32_defconfig",
		.fragments = "warnings.config",
		.areas = AREA_CORE | AREA_WIDE | AREA_PPC_32,
		.packages = LARGE BE32,
	},
	{
		.name = "ppc64e",
		.summary = "ppc64e_defconfig: 64-bit booke",
		.arch = "powerpc",
		.cross_compile = "powerpc64-linux-gnu-",
		.config = "ppc64e_defconfig",
		.fragments = "warnings.config",
		.areas = AREA_CORE | AREA_WIDE | AREA_PPC_64E,
		.packages = LARGE BE,
	},
	{
		.name = "ppc64-touched",
		.summary = "allmodconfig, and of it the objects of the files that a series touches",
		.arch = "powerpc",
		.cross_compile = "powerpc64-linux-gnu-",
		.config = "allmodconfig",
		.fragments = "warnings.config",
		.touched = true,
		.areas = AREA_64S | AREA_WIDE,
		.packages = LARGE BE,
	},
	{
		.name = "ppc64le-w1",
		.summary = "W=1 on the objects of the files that a series touches",
		.arch = "powerpc",
		.cross_compile = "powerpc64le-linux-gnu-",
		.config = "ppc64le_defconfig",
		.fragments = "warnings.config",
		.warnings = "1",
		.touched = true,
		.areas = AREA_64S | AREA_WIDE,
		.packages = LARGE LE,
	},
	{
		.name = "ppc64le-sparse",
		.summary = "sparse on the files that a series touches",
		.arch = "powerpc",
		.cross_compile = "powerpc64le-linux-gnu-",
		.config = "ppc64le_defconfig",
		.fragments = "warnings.config",
		.check = "2",
		.touched = true,
		.areas = AREA_64S | AREA_WIDE,
		.packages = LARGE LE " sparse",
	},
	{
		.name = "ppc64le-clang",
		.summary = "ppc64le-lean by clang, with the binutils of gcc",
		.arch = "powerpc",
		.cross_compile = "powerpc64le-linux-gnu-",
		.compiler = "clang",
		.config = "pseries-lean.config",
		.areas = AREA_64S,
		.packages = TOOLS "clang " LE,
	},
};

const struct builder *const builders[] = {
	&rows[0], &rows[1], &rows[2], &rows[3], &rows[4], &rows[5],
	&rows[6], &rows[7], &rows[8], &rows[9], NULL,
};
_Static_assert(sizeof(builders) / sizeof(*builders) == sizeof(rows) / sizeof(*rows) + 1,
	       "a row is missing in builders[]");

const struct builder *builder_find(const char *name)
{
	for (const struct builder *const *b = builders; *b; b++) {
		if (strcmp((*b)->name, name) == 0)
			return *b;
	}
	return NULL;
}

bool builder_config_is_file(const struct builder *b)
{
	return b->config[0] == '/' || str_ends(b->config, ".config");
}

/* clang-format off */
static const struct {
	const char *key;
	size_t at;
	bool must;
} strings[] = {
	{"name",	  offsetof(struct builder, name),	   true},
	{"summary",	  offsetof(struct builder, summary),	   true},
	{"arch",	  offsetof(struct builder, arch),	   true},
	{"cross_compile", offsetof(struct builder, cross_compile), true},
	{"compiler",	  offsetof(struct builder, compiler),	   false},
	{"config",	  offsetof(struct builder, config),	   true},
	{"fragments",	  offsetof(struct builder, fragments),	   false},
	{"targets",	  offsetof(struct builder, targets),	   false},
	{"warnings",	  offsetof(struct builder, warnings),	   false},
	{"check",	  offsetof(struct builder, check),	   false},
	{"packages",	  offsetof(struct builder, packages),	   true},
};
/* clang-format on */

json_t *builder_to_json(const struct builder *b)
{
	json_t *obj = json_object();

	for (size_t i = 0; i < array_size(strings); i++) {
		const char *const *value = (const void *)((const char *)b + strings[i].at);

		if (*value)
			json_object_set_new(obj, strings[i].key, json_text(*value));
	}
	json_object_set_new(obj, "touched", json_boolean(b->touched));
	json_object_set_new(obj, "boots", json_boolean(b->boots));
	json_object_set_new(obj, "areas", json_integer(b->areas));
	return obj;
}

int builder_from_json(const json_t *obj, struct builder *ret, struct err *err)
{
	struct builder b = {.touched = json_get_bool(obj, "touched", false),
			    .boots = json_get_bool(obj, "boots", false),
			    .areas = (unsigned)json_get_num(obj, "areas", AREA_ALL)};

	for (size_t i = 0; i < array_size(strings); i++) {
		const char **value = (void *)((char *)&b + strings[i].at);

		*value = json_get_str(obj, strings[i].key, NULL);
		if (!*value && strings[i].must)
			return err_set(err, ERR_INPUT, "a row of builders lacks \"%s\"",
				       strings[i].key);
	}
	*ret = b;
	return 0;
}
