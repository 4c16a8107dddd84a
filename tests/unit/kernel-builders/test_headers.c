// SPDX-License-Identifier: GPL-2.0-or-later
/* Which sources include a header. */
#include "trees.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/header.h"
#include "kernel-builders/header_users.h"

static const struct {
	const char *path, *name[2];
} names[] = {
	{"include/linux/mm.h", {"linux/mm.h"}},
	{"include/uapi/linux/kexec.h", {"uapi/linux/kexec.h", "linux/kexec.h"}},
	{"arch/powerpc/include/asm/page.h", {"asm/page.h"}},
	{"arch/powerpc/include/uapi/asm/elf.h", {"uapi/asm/elf.h", "asm/elf.h"}},
	{"mm/internal.h", {NULL}},
	{"drivers/gpu/drm/include/x.h", {NULL}},
	{"arch/powerpc/mm/mmu_decl.h", {NULL}},
};

static void a_header_has_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		struct header h = header_of(names[i].path);

		for (size_t k = 0; k < 2; k++)
			if (strcmp(h.name[k] ?: "none", names[i].name[k] ?: "none") != 0)
				fail_msg("%s: %s", names[i].path, h.name[k] ?: "none");
	}
}

static void includes_are_read(void **state)
{
	static const char text[] =
		"/* #include <not.h> */\n#include <linux/a.h>\n\t#  include\t\"b.h\" "
		"// x\n#include MACRO\n#include <open\n#include\n#includes <no.h>\n"
		"# define x\n#\n#include <last.h>";
	auto_free char *includes = header_includes(text, sizeof(text) - 1), *none = NULL;

	(void)state;
	assert_string_equal(includes, "<linux/a.h\n\"b.h\n<last.h\n");
	none = header_includes("", 0);
	assert_string_equal(none, "");
}

/* The files that are there besides; NULL at the end. */
static bool has(void *ctx, const char *path)
{
	size_t n = strlen(path);

	for (const char *const *p = ctx; *p; p++)
		if (strcmp(*p, path) == 0 || (path[n - 1] == '/' && str_starts(*p, path)))
			return true;
	return false;
}

static const struct {
	const char *header, *path, *includes;
	bool is_it;
	const char *there;
} includes[] = {
	{"include/linux/mm.h", "drivers/a/b.c", "<linux/mm.h\n", true, NULL},
	{"include/linux/mm.h", "drivers/a/b.c", "\"linux/mm.h\n", true, NULL},
	{"include/linux/mm.h", "drivers/a/b.c", "<linux/mm_types.h\n<linux/xmm.h\n<asm/mm.h\n",
	 false, NULL},
	{"include/linux/mm.h", "drivers/a/b.c", "\"mm.h\n", false, NULL},
	{"include/uapi/linux/x.h", "mm/a.c", "<linux/x.h\n", true, NULL},
	{"mm/internal.h", "mm/a.c", "\"internal.h\n", true, NULL},
	{"mm/internal.h", "mm/damon/a.c", "\"../internal.h\n", true, NULL},
	{"mm/internal.h", "lib/a.c", "\"../mm/internal.h\n", true, NULL},
	{"mm/internal.h", "lib/a.c", "\"../../../mm/internal.h\n", false, NULL},
	/* of the same name elsewhere */
	{"mm/internal.h", "fs/a.c", "\"internal.h\n", false, NULL},
	{"mm/internal.h", "mm/damon/a.c", "\"internal.h\n", false, "mm/damon/internal.h"},
	/* by a -I of the same driver */
	{"drivers/gpu/drm/nv/include/core/x.h", "drivers/gpu/drm/nv/base.c", "<core/x.h\n", true,
	 NULL},
	{"drivers/gpu/drm/nv/include/core/x.h", "drivers/net/base.c", "<core/x.h\n", false, NULL},
	{"drivers/gpu/drm/nv/include/core/x.h", "drivers/gpu/drm/nv/base.c", "<ore/x.h\n", false,
	 NULL},
	{"mm/x.h", "mm/a.c", "\"\n<\n\"x\n", false, NULL},
};

static void a_name_is_looked_up_as_the_compiler_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(includes); i++) {
		const char *there[] = {includes[i].there, NULL};
		struct header h = header_of(includes[i].header);

		if (header_is_included(&h, includes[i].path, includes[i].includes, has, there) !=
		    includes[i].is_it)
			fail_msg("number %zu, %s of %s", i, includes[i].includes, includes[i].path);
	}
}

static const struct {
	const char *header, *home;
} homes[] = {
	{"mm/internal.h", "mm/"},
	{"arch/powerpc/include/asm/book3s/64/hash.h", "arch/powerpc/"},
	{"include/linux/mm.h", ""},
	{"include/linux/mfd.h", "drivers/mfd/"},
	{"include/linux/sched/mm.h", "kernel/sched/"},
	{"include/linux/mfd/a.h", "drivers/mfd/"},
	{"include/uapi/drm/a.h", "drivers/gpu/drm/"},
	{"include/net/tcp.h", "net/"},
	{"include/trace/events/kmem.h", ""},
};

static void a_header_has_a_home(void **state)
{
	const char *there[] = {"kernel/sched/core.c", "drivers/mfd/b.c", "drivers/gpu/drm/c.c",
			       "net/ipv4/tcp.c", NULL};

	(void)state;
	for (size_t i = 0; i < array_size(homes); i++) {
		auto_free char *home = header_home(homes[i].header, has, there);

		assert_string_equal(home, homes[i].home);
	}
	assert_true(header_is_namesake("include/linux/memory_hotplug.h", "mm/memory_hotplug.c"));
	assert_false(header_is_namesake("include/linux/memory_hotplug.h", "mm/memory.c"));
	assert_false(header_is_namesake("include/linux/mm.h", "drivers/x/mm.c")); /* says little */
}

static void the_nearest_comes_first(void **state)
{
	/* of include/linux/mfd/tps65090.h */
	static const char *const paths[] = {"drivers/mfd/tps65090.c",
					    "drivers/power/supply/tps65090-charger.c",
					    "drivers/mfd/a.c",
					    "drivers/mfd/a/b.c",
					    "drivers/base/core.c",
					    "mm/a.c",
					    "fs/ext4/a.c"};
	unsigned before = 0;

	(void)state;
	for (size_t i = 0; i < array_size(paths); i++) {
		unsigned d =
			header_distance("include/linux/mfd/tps65090.h", "drivers/mfd/", paths[i]);

		if (i && d <= before)
			fail_msg("%s", paths[i]);
		before = d;
	}
}

struct lab {
	char dir[32];
	git_repository *repo;
	git_oid tree;
};

static const struct tree_file files[] = {
	{"include/linux/wide.h", "\n", 0},
	{"include/linux/inner.h", "\n", 0},
	{"include/linux/outer.h", "#include <linux/inner.h>\n", 0},
	{"include/linux/nobody.h", "\n", 0},
	{"arch/x86/include/asm/page.h", "\n", 0},
	{"arch/x86/mm/a.c", "#include <linux/wide.h>\n", 0},
	{"tools/a.c", "#include <linux/nobody.h>\n", 0},
	{"mm/a.c", "#include <linux/wide.h>\n#include <linux/outer.h>\n", 0},
	{"mm/b.c", "#include <linux/wide.h>\n#include \"private.h\"\n", 0},
	{"mm/private.h", "#include \"private.h\"\n", 0},
	{"drivers/x/c.c", "#include <linux/wide.h>\n", 0},
	{"mm/link.c", "../include/linux/nobody.h", 0120000},
	{0}};

static int lab_make(void **state)
{
	struct lab *lab = xcalloc(1, sizeof(*lab));
	auto_git(commit) git_commit *commit = NULL;
	auto_free char *path = NULL;
	git_oid id;

	*lab = (struct lab){.dir = "/tmp/firn-test-XXXXXX"};
	assert_non_null(mkdtemp(lab->dir));
	path = xasprintf("%s/r.git", lab->dir);
	lab->repo = tree_repo(path);
	id = tree_commit(lab->repo, NULL, files);
	assert_int_equal(git_commit_lookup(&commit, lab->repo, &id), 0);
	git_oid_cpy(&lab->tree, git_commit_tree_id(commit));
	*state = lab;
	return 0;
}

static int lab_remove(void **state)
{
	struct lab *lab = *state;
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(lab->dir, &err), &err);
	git_repository_free(lab->repo);
	free(lab);
	return 0;
}

/* "HEADER: SOURCE SOURCE; " */
static char *found(const struct lab *lab, const char *row, const char *const *paths)
{
	auto_json json_t *list = NULL;
	const json_t *h, *source;
	struct err err = ERR_INIT;
	auto_str struct str s;
	size_t i, k;

	assert_ok(header_users_find(builder_find(row), lab->repo, &lab->tree, paths, &list, &err),
		  &err);
	str_init(&s, 0);
	json_array_foreach (list, i, h) {
		str_addf(&s, "%s:", json_get_str(h, "header", ""));
		json_array_foreach (json_object_get(h, "sources"), k, source)
			str_addf(&s, " %s", json_string_value(source));
		str_adds(&s, "; ");
	}
	return str_take(&s);
}

#define paths(...) ((const char *const[]){__VA_ARGS__, NULL})

static void users_are_found_in_a_tree(void **state)
{
	const struct lab *lab = *state;
	const struct {
		const char *const *paths, *found;
	} cases[] = {
		{paths("include/linux/wide.h"),
		 "include/linux/wide.h: mm/a.c mm/b.c drivers/x/c.c; "},
		{paths("mm/private.h"), "mm/private.h: mm/b.c; "},
		{paths("include/linux/inner.h"), "include/linux/inner.h: mm/a.c; "},
		{paths("include/linux/nobody.h"), "include/linux/nobody.h:; "},
		{paths("include/linux/nobody.h", "mm/a.c", "mm/private.h"),
		 "include/linux/nobody.h:; mm/private.h: mm/b.c; "},
		/* new; of another architecture; no header */
		{paths("include/linux/new.h", "arch/x86/include/asm/page.h", "mm/a.c"), ""},
		{paths(NULL), ""},
	};

	for (size_t i = 0; i < array_size(cases); i++) {
		auto_free char *said = found(lab, "ppc64-touched", cases[i].paths);

		assert_string_equal(said, cases[i].found);
	}
}

/* There are never more than a build can take, and always the same. */
static void there_is_a_bound(void **state)
{
	const struct lab *lab = *state;
	char sources[12][32];
	struct tree_file tree[16] = {0};
	const char *list[81] = {0}; /* of more headers than objects are made for */
	struct lab many = *lab;
	auto_git(commit) git_commit *commit = NULL;
	auto_free char *said = NULL, *again = NULL;
	git_oid id = tree_commit(lab->repo, NULL, files);

	for (size_t i = 0; i < array_size(sources); i++) {
		snprintf(sources[i], sizeof(sources[i]), "mm/many%02zu.c", i);
		tree[i] = (struct tree_file){sources[i], "#include <linux/wide.h>\n", 0};
	}
	id = tree_commit(lab->repo, &id, tree);
	assert_int_equal(git_commit_lookup(&commit, lab->repo, &id), 0);
	git_oid_cpy(&many.tree, git_commit_tree_id(commit));
	said = found(&many, "ppc64-touched", paths("include/linux/wide.h"));
	again = found(&many, "ppc64-touched", paths("include/linux/wide.h"));
	assert_string_equal(said, "include/linux/wide.h: mm/a.c mm/b.c mm/many00.c mm/many01.c "
				  "mm/many02.c mm/many03.c mm/many04.c mm/many05.c; ");
	assert_string_equal(said, again);
	for (size_t i = 0; i < array_size(list) - 1; i++)
		list[i] = "include/linux/wide.h";
	free(said);
	said = found(&many, "ppc64-touched", list);
	assert_null(strstr(said, ".c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_has_names),
		cmocka_unit_test(includes_are_read),
		cmocka_unit_test(a_name_is_looked_up_as_the_compiler_does),
		cmocka_unit_test(a_header_has_a_home),
		cmocka_unit_test(the_nearest_comes_first),
		cmocka_unit_test_setup_teardown(users_are_found_in_a_tree, lab_make, lab_remove),
		cmocka_unit_test_setup_teardown(there_is_a_bound, lab_make, lab_remove),
	};

	return cmocka_run_group_tests_name("users of headers", tests, NULL, NULL);
}
