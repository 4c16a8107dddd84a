// SPDX-License-Identifier: GPL-2.0-or-later
/* The whole way through the builder with a tree of two files, honest and hostile. */
#include "fake_lab.h"

#include "base/proc.h"
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

static void a_series_is_built_beside_its_base(void **state)
{
	const struct lab *lab = *state;
	auto_build_result struct build_result base, again, p1, p2;
	git_oid c1 =
		tree_commit(lab->repo, &lab->base, files({"main.c", "int main_of, more;\n", 0}));
	git_oid c2 = tree_commit(lab->repo, &c1, files({"readme", "text\n", 0}));
	struct err err = ERR_INIT;

	assert_ok(build(lab, &lab->base, &base, &err), &err);
	assert_int_equal(base.outcome, OUTCOME_PASS);
	assert_false(base.cached);
	assert_ok(build(lab, &lab->base, &again, &err), &err);
	assert_true(again.cached);
	assert_string_equal(again.artifact_dir, base.artifact_dir);
	assert_ok(build(lab, &c1, &p1, &err), &err);
	assert_ok(build(lab, &c2, &p2, &err), &err);
	assert_int_equal(p2.outcome, OUTCOME_PASS);
	assert_string_not_equal(p1.key, base.key);
	assert_int_equal(compilations(lab, OBJECTS), 1);
	assert_int_equal(compilations(lab, SLOT), 2); /* the base's, and the first patch's */
}

static void a_broken_patch_fails_with_its_line(void **state)
{
	const struct lab *lab = *state;
	auto_build_result struct build_result r;
	git_oid c = tree_commit(lab->repo, &lab->base,
				files({"main.c", "int ok;\nint broken = ;\n", 0}));
	struct err err = ERR_INIT;

	assert_ok(build(lab, &c, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_null(r.artifact_dir);
	assert_string_equal(r.diagnostic[0].path, "main.c");
	assert_int_equal(r.diagnostic[0].line, 2);
	assert_true(str_starts(r.reason, "main.c:2: error: "));
}

static void warnings_of_the_base_are_remembered(void **state)
{
	struct lab *lab = *state;
	auto_build_result struct build_result first, second;
	struct err err = ERR_INIT;

	lab->base =
		tree_commit(lab->repo, &lab->base, files({"main.c", "static int unused;\n", 0}));
	assert_ok(build(lab, &lab->base, &first, &err), &err);
	assert_int_equal(first.n_diagnostics, 1);
	/* the next base does not compile main.c again */
	lab->base = tree_commit(lab->repo, &lab->base, files({"readme", "text\n", 0}));
	assert_ok(build(lab, &lab->base, &second, &err), &err);
	assert_false(second.cached);
	assert_int_equal(compilations(lab, OBJECTS), 1);
	assert_int_equal(second.n_diagnostics, 1);
	assert_string_equal(second.diagnostic[0].text, first.diagnostic[0].text);
}

static void a_hostile_makefile_does_not_get_out(void **state)
{
	const struct lab *lab = *state;
	auto_free char *evil = xasprintf("%s/worktrees/tree/src/evil", lab->dir);
	auto_build_result struct build_result r;
	struct err err = ERR_INIT;

	assert_ok(build_hostile(lab, "$(shell touch /src/evil /stage/evil; rm -f /src/main.c)", &r,
				&err),
		  &err);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	assert_false(fs_exists(evil));
	build_result_done(&r);
	assert_ok(build_hostile(lab,
				"$(if $(shell perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) "
				"&& print 1'),,"
				"$(error there is no network))",
				&r, &err),
		  &err);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_string_equal(r.reason, "Makefile:1: error: there is no network.  Stop.");
}

static void a_hostile_slot_does_not_reach_the_base(void **state)
{
	const struct lab *lab = *state;
	auto_free char *trap = xasprintf("%s/" OBJECTS "/trap", lab->dir);
	auto_build_result struct build_result base, r;
	struct err err = ERR_INIT;

	assert_ok(build(lab, &lab->base, &base, &err), &err);
	assert_ok(build_hostile(lab, "$(shell touch /build/trap)", &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	assert_false(fs_exists(trap));
}

static bool was_configured(const struct lab *lab, const git_oid *commit)
{
	auto_build_result struct build_result r;
	auto_free char *log = NULL;
	struct err err = ERR_INIT;

	assert_ok(build(lab, commit, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	log = text_of(lab->log);
	assert_int_equal(!strstr(log, " allnoconfig"),
			 !!strstr(log, "nothing that the configuration is made of has changed"));
	return strstr(log, " allnoconfig") != NULL;
}

/* A source and a text do not go into it, a Kconfig and a Makefile do. A .config that was written to
 * is made anew. */
static void the_configuration_is_made_when_it_may_be_another(void **state)
{
	const struct lab *lab = *state;
	auto_free char *hostile =
		xasprintf("$(shell echo CONFIG_X=y >> /build/.config)\n%s", lab->makefile);
	git_oid source =
		tree_commit(lab->repo, &lab->base, files({"main.c", "int main_of, more;\n", 0}));
	git_oid text = tree_commit(lab->repo, &source, files({"a/b.rst", "text\n", 0}));
	git_oid kconfig = tree_commit(lab->repo, &text, files({"mm/Kconfig", "config A\n", 0}));
	git_oid script = tree_commit(lab->repo, &kconfig, files({"scripts/t.c", "int t;\n", 0}));
	git_oid spoiler = tree_commit(lab->repo, &script, files({"Makefile", hostile, 0}));
	git_oid after = tree_commit(lab->repo, &spoiler, files({"main.c", "int main_of;\n", 0}));

	assert_true(was_configured(lab, &lab->base));
	assert_false(was_configured(lab, &source));
	assert_false(was_configured(lab, &text));
	assert_true(was_configured(lab, &kconfig));
	assert_true(was_configured(lab, &script));
	assert_true(was_configured(lab, &spoiler));
	assert_true(was_configured(lab, &after));
}

/* Patch 1 leaves an object from the future; patch 2 takes its rule away, and so comes to a tree
 * that an honest series has, too. */
static void a_spoiled_kernel_is_its_own_series_affair(void **state)
{
	const struct lab *lab = *state;
	auto_free char *makefile =
		xasprintf("$(shell touch -d 2099-01-01 /build/main.o)\n%s", lab->makefile);
	auto_build_result struct build_result base, p1, p2, honest, back;
	git_oid c1 = tree_commit(lab->repo, &lab->base, files({"Makefile", makefile, 0}));
	git_oid c2 = tree_commit(
		lab->repo, &c1,
		files({"Makefile", lab->makefile, 0}, {"main.c", "int main_of, more;\n", 0}));
	git_oid clean =
		tree_commit(lab->repo, &lab->base, files({"main.c", "int main_of, more;\n", 0}));
	struct err err = ERR_INIT;

	assert_ok(build(lab, &lab->base, &base, &err), &err);
	assert_ok(build(lab, &c1, &p1, &err), &err);
	assert_ok(build(lab, &c2, &p2, &err), &err);
	assert_ok(build(lab, &clean, &honest, &err), &err); /* in the same slot, even */
	assert_false(honest.cached);
	assert_string_not_equal(honest.key, p2.key);
	assert_other_vmlinux(&honest, &p2);
	assert_ok(build(lab, &c2, &back, &err), &err);
	assert_true(back.cached);
	assert_string_equal(back.key, p2.key);
}

/* firn may be root, and copies vmlinux out of a folder that strangers write to. */
static void a_symlink_is_not_an_artifact(void **state)
{
	const struct lab *lab = *state;
	struct build_result r;
	struct err err = ERR_INIT;

	assert_err(build_hostile(
			   lab, "all: ; \nvmlinux: link\nlink: ; ln -sf /etc/passwd /build/.config",
			   &r, &err),
		   &err, ERR_INFRA, "cannot keep .config");
}

static void trouble_of_ours_is_never_a_failure(void **state)
{
	struct lab *lab = *state;
	struct build_result r;
	struct err err = ERR_INIT;

	assert_err(build_hostile(lab, "all: ; \nvmlinux: full\nfull: ; fallocate -l 2G /tmp/x", &r,
				 &err),
		   &err, ERR_INFRA, "No space");
	assert_err(build_hostile(lab, "all: ; \nvmlinux: killed\nkilled: ; kill -9 $$$$", &r, &err),
		   &err, ERR_INFRA, "Killed");
	lab->timeout_s = 1;
	assert_err(build_hostile(lab, "$(shell sleep 100)", &r, &err), &err, ERR_INFRA, "time-out");
}

static void a_missing_compiler_is_for_the_operator(void **state)
{
	const struct builder without = {.name = "without",
					.arch = "none",
					.cross_compile = "firn-none-",
					.config = HERE "fake/fake.config",
					.packages = "gcc-firn-none"};
	struct lab *lab = *state;
	struct build_result r;
	struct err err = ERR_INIT;

	lab->builder = &without;
	assert_err(build(lab, &lab->base, &r, &err), &err, ERR_CONFIG,
		   "apt-get install gcc-firn-none");
	assert_non_null(strstr(err.msg, "firn-none-gcc"));
}

static void guest_modules_are_built_and_part_of_the_key(void **state)
{
	const char *const good[] = {HERE "modules/probe", NULL};
	struct lab *lab = *state;
	auto_build_result struct build_result with, without;
	auto_free char *ko = NULL;
	struct err err = ERR_INIT;

	assert_ok(build(lab, &lab->base, &without, &err), &err);
	lab->modules = good;
	assert_ok(build(lab, &lab->base, &with, &err), &err);
	assert_string_not_equal(with.key, without.key);
	ko = xasprintf("%s/probe.ko", with.artifact_dir);
	assert_true(fs_exists(ko));
}

static void a_guest_module_that_does_not_build_is_left_out(void **state)
{
	const char *const modules[] = {HERE "modules/probe", NULL};
	struct lab *lab = *state;
	auto_free char *makefile =
		xasprintf("ifneq ($(M),)\n$(error no such interface)\nendif\n%s", lab->makefile);
	git_oid commit = tree_commit(lab->repo, &lab->base, files({"Makefile", makefile, 0}));
	auto_build_result struct build_result first, again;
	auto_free char *ko = NULL, *vmlinux = NULL;
	struct err err = ERR_INIT;

	lab->modules = modules;
	assert_ok(build(lab, &commit, &first, &err), &err);
	assert_ok(build(lab, &commit, &again, &err), &err);
	assert_int_equal(first.outcome, OUTCOME_PASS);
	assert_int_equal(first.n_diagnostics, 0);
	assert_int_equal(first.n_modules_failed, 1);
	assert_string_equal(first.module_failed[0].name, "probe");
	assert_string_equal(first.module_failed[0].error,
			    "Makefile:2: error: no such interface.  Stop.");
	assert_true(again.cached);
	assert_int_equal(again.n_modules_failed, 1);
	assert_string_equal(again.module_failed[0].error, first.module_failed[0].error);
	ko = xasprintf("%s/probe.ko", first.artifact_dir);
	vmlinux = xasprintf("%s/vmlinux", first.artifact_dir);
	assert_true(fs_exists(vmlinux));
	assert_false(fs_exists(ko));
}

/* In a child that is killed in the middle of a build. */
/* The fake kernel's configuration is what the row says. */
static void without_modules_only_a_kernel_is_made(void **state)
{
	const char *const modules[] = {HERE "modules/probe", NULL};
	struct lab *lab = *state;
	auto_free char *makefile =
			       xasprintf("ifeq ($(M)$(filter modules,$(MAKECMDGOALS)),modules)\n"
					 "$(error modules are disabled)\nendif\n%s",
					 lab->makefile),
		       *sizes = NULL, *text = NULL;
	git_oid commit = tree_commit(lab->repo, &lab->base, files({"Makefile", makefile, 0}));
	auto_build_result struct build_result base, off, again, on;
	struct builder row = fake;
	auto_free char *config = xasprintf("%s/off.config", lab->dir);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(config, "CONFIG_A=y\n", 11, &err), &err);
	row.config = config;
	lab->builder = &row;
	lab->modules = modules;
	assert_ok(build(lab, &lab->base, &base, &err), &err);
	assert_ok(build(lab, &commit, &off, &err), &err);
	assert_int_equal(off.outcome, OUTCOME_PASS);
	assert_string_equal(off.targets, "vmlinux");
	assert_string_equal(off.module_failed[0].error, "CONFIG_MODULES is off");
	assert_ok(build(lab, &commit, &again, &err), &err);
	assert_true(again.cached);
	assert_string_equal(again.targets, "vmlinux");
	sizes = xasprintf("%s/module-sizes", off.artifact_dir);
	text = text_of(sizes);
	assert_string_equal(text, "firn-module-sizes 1\n");
	/* the same tree with modules: the same make, and it says no */
	lab->builder = &fake;
	assert_ok(build(lab, &commit, &on, &err), &err);
	assert_int_equal(on.outcome, OUTCOME_FAIL);
	assert_string_equal(on.targets, "vmlinux modules");
}

/* Each is a line of a shell in front of the modules, and what is to be in the file. */
static const struct {
	const char *rule, *has, *lacks;
} module_files[] = {
	{"mkdir -p $(O)/a; cp $(O)/main.o $(O)/a/b.ko; echo a/b.ko > $(O)/modules.order",
	 "\nm a/b.ko\ns ", NULL},
	/* through no link, neither to the list nor to a module nor to its folder */
	{"mkdir -p $(O)/r; cp $(O)/main.o $(O)/r/b.ko; echo r/b.ko > $(O)/o; ln -sf o "
	 "$(O)/modules.order",
	 "firn", "\nm "},
	{"mkdir -p $(O)/r; cp $(O)/main.o $(O)/r/b.ko; ln -sfn r $(O)/l; ln -sf b.ko $(O)/r/c.ko; "
	 "printf 'l/b.ko\\nr/c.ko\\nr/b.ko\\n' > $(O)/modules.order",
	 "\nm r/b.ko\n", "/c.ko"},
	{"mkdir -p $(O)/r; mkfifo $(O)/r/f.ko; echo text > $(O)/r/t.ko; "
	 "printf 'r/f.ko\\nr/t.ko\\nr/none.ko\\n/etc/passwd.ko\\n../x.ko\\n' > $(O)/modules.order",
	 "firn", "\nm "},
	{"rm -f $(O)/modules.order; mkfifo $(O)/modules.order", "firn", "\nm "},
};

static void sizes_of_modules_are_kept(void **state)
{
	const struct lab *lab = *state;
	auto_build_result struct build_result base;
	struct err err = ERR_INIT;

	assert_ok(build(lab, &lab->base, &base, &err), &err);
	for (size_t i = 0; i < array_size(module_files); i++) {
		auto_free char *rule =
			xasprintf("ifeq ($(M),)\nmodules: more\nmore: vmlinux\n\t@%s\n"
				  "allnoconfig:\nendif\n",
				  module_files[i].rule);
		auto_build_result struct build_result r;
		auto_free char *path = NULL, *text = NULL;

		assert_ok(build_hostile(lab, rule, &r, &err), &err);
		assert_int_equal(r.outcome, OUTCOME_PASS);
		path = xasprintf("%s/module-sizes", r.artifact_dir);
		text = text_of(path);
		if (!strstr(text, module_files[i].has) ||
		    (module_files[i].lacks && strstr(text, module_files[i].lacks)))
			fail_msg("number %zu: %s", i, text);
	}
}

static void a_killed_build_is_made_good(void **state)
{
	struct lab *lab = *state;
	auto_free char *half = xasprintf("%s/" OBJECTS "/half", lab->dir);
	auto_free char *slow = xasprintf(
		"%s\nmain.c: ;\n$(shell touch /build/half; test -e /build/vmlinux || sleep %d)",
		lab->makefile, 30);
	auto_build_result struct build_result r;
	git_oid base = lab->base;
	struct err err = ERR_INIT;
	pid_t pid;

	lab->base = tree_commit(lab->repo, &base, files({"Makefile", slow, 0}));
	pid = fork();
	if (pid == 0)
		_exit(build(lab, &lab->base, &(struct build_result){0}, &err) < 0);
	for (int i = 0; i < 500 && !fs_exists(half); i++)
		poll(NULL, 0, 10);
	assert_true(fs_exists(half));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	lab->base = base;
	assert_ok(build(lab, &lab->base, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	assert_false(r.cached);
	assert_false(fs_exists(half));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(a_series_is_built_beside_its_base),
		test_here(a_broken_patch_fails_with_its_line),
		test_here(warnings_of_the_base_are_remembered),
		test_here(a_hostile_makefile_does_not_get_out),
		test_here(a_hostile_slot_does_not_reach_the_base),
		test_here(the_configuration_is_made_when_it_may_be_another),
		test_here(a_spoiled_kernel_is_its_own_series_affair),
		test_here(a_symlink_is_not_an_artifact),
		test_here(trouble_of_ours_is_never_a_failure),
		test_here(a_missing_compiler_is_for_the_operator),
		test_here(guest_modules_are_built_and_part_of_the_key),
		test_here(without_modules_only_a_kernel_is_made),
		test_here(sizes_of_modules_are_kept),
		test_here(a_guest_module_that_does_not_build_is_left_out),
		test_here(a_killed_build_is_made_good),
	};

	if (!fake_ready())
		return SKIPPED;
	return cmocka_run_group_tests_name("fake build", tests, NULL, NULL);
}
