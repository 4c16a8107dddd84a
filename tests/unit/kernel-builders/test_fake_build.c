// SPDX-License-Identifier: GPL-2.0-or-later
/* The whole way through the builder with a tree of two files, honest and hostile. */
#include "trees.h"

#include "base/fs.h"
#include "base/proc.h"
#include "kernel-builders/builder.h"
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SKIPPED 77
#define HERE	FIXTURES "/kernel-builders/"

static const struct builder fake = {
	.name = "fake",
	.arch = "none",
	.cross_compile = "",
	.config = HERE "fake/fake.config",
	.packages = "make gcc flex bison bc",
};

struct lab {
	char *dir, *log, *makefile;
	git_repository *repo;
	git_oid base;
	double timeout_s;
	const struct builder *builder;
	const char *const *modules;
};

static char *text_of(const char *path)
{
	auto_str struct str s;
	struct err err = ERR_INIT;

	str_init(&s, 0);
	assert_ok(fs_read(path, 1 << 20, ERR_INPUT, &s, &err), &err);
	return str_take(&s);
}

#define files(...) ((const struct tree_file[]){__VA_ARGS__, {0}})

static int lab_make(void **state)
{
	struct lab *lab = xcalloc(1, sizeof(*lab));
	auto_free char *repo = NULL;

	lab->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(lab->dir));
	assert_int_equal(chmod(lab->dir, 0755), 0);
	lab->log = xasprintf("%s/log", lab->dir);
	lab->makefile = text_of(HERE "fake/Makefile");
	repo = xasprintf("%s/tree.git", lab->dir);
	lab->repo = tree_repo(repo);
	lab->base =
		tree_commit(lab->repo, NULL,
			    files({"Makefile", lab->makefile, 0}, {"main.c", "int main_of;\n", 0}));
	lab->builder = &fake;
	*state = lab;
	return 0;
}

static int lab_remove(void **state)
{
	struct lab *lab = *state;
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(lab->dir, &err), &err);
	git_repository_free(lab->repo);
	free(lab->dir);
	free(lab->log);
	free(lab->makefile);
	free(lab);
	return 0;
}

static int build(const struct lab *lab, const git_oid *commit, struct build_result *ret,
		 struct err *err)
{
	const struct build_request req = {
		.builder = lab->builder,
		.repo = lab->repo,
		.commit = *commit,
		.is_base = git_oid_equal(commit, &lab->base),
		.base = lab->base,
		.slot = "trial-1",
		.cache_dir = lab->dir,
		.log_path = lab->log,
		.modules = lab->modules,
		.timeout_s = lab->timeout_s,
		.jobs = 2,
	};

	*ret = (struct build_result){0};
	return build_run(&req, ret, err);
}

/* The outcome of a commit on top of the base with a Makefile rule in front of the others. */
static int build_hostile(const struct lab *lab, const char *rule, struct build_result *ret,
			 struct err *err)
{
	auto_free char *makefile = xasprintf("%s\n%s", rule, lab->makefile);
	git_oid commit = tree_commit(lab->repo, &lab->base, files({"Makefile", makefile, 0}));

	return build(lab, &commit, ret, err);
}

static unsigned compilations(const struct lab *lab, const char *objects)
{
	auto_free char *path = xasprintf("%s/%s/compilations", lab->dir, objects),
		       *text = text_of(path);
	unsigned n = 0;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	return n;
}

#define auto_build_result __attribute__((cleanup(build_result_done)))
#define OBJECTS		  "objects/tree/fake"
#define SLOT		  "slots/trial-1/fake"

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

static void assert_other_vmlinux(const struct build_result *a, const struct build_result *b)
{
	auto_free char *path_a = xasprintf("%s/vmlinux", a->artifact_dir),
		       *path_b = xasprintf("%s/vmlinux", b->artifact_dir);
	auto_str struct str mine, theirs;
	struct err err = ERR_INIT;

	str_init(&mine, 0);
	str_init(&theirs, 0);
	assert_ok(fs_read(path_a, 0, ERR_INPUT, &mine, &err), &err);
	assert_ok(fs_read(path_b, 0, ERR_INPUT, &theirs, &err), &err);
	assert_true(mine.len != theirs.len || memcmp(mine.buf, theirs.buf, mine.len) != 0);
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

#define test_here(f) cmocka_unit_test_setup_teardown(f, lab_make, lab_remove)

int main(void)
{
	static const char *const needed[] = {"make",  "gcc", "ld",   "flex",
					     "bison", "bc",  "perl", "bwrap"};
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
		test_here(a_guest_module_that_does_not_build_is_left_out),
		test_here(a_killed_build_is_made_good),
	};

	for (size_t i = 0; i < array_size(needed); i++) {
		auto_free char *path = xasprintf("/usr/bin/%s", needed[i]);

		if (!fs_exists(path)) {
			print_message("SKIP: there is no %s\n", path);
			return SKIPPED;
		}
	}
	return cmocka_run_group_tests_name("fake build", tests, NULL, NULL);
}
