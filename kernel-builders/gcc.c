// SPDX-License-Identifier: GPL-2.0-or-later
/* Targets that are built by make and gcc or a gcc cross compiler. */
#include "base/clock.h"
#include "base/fs.h"
#include "kernel-builders/build.h"
#include "sandbox/sandbox.h"

#define MIB (1UL << 20)

/* Sandboxes see these and nothing else of PATH, and so do the look-ups here. */
#define BIN "/usr/bin/"

/* What a kernel build calls besides the cross compiler. */
static const char *const host_tools[] = {"make", "gcc", "flex", "bison", "bc", "cp", NULL};

#define PACKAGES "make gcc flex bison bc libc6-dev gcc-powerpc64le-linux-gnu"

const struct builder builder_ppc64le_lean = {
	.name = "ppc64le-lean",
	.summary = "little-endian pseries with what a test needs, by gcc",
	.arch = "powerpc",
	.cross_compile = "powerpc64le-linux-gnu-",
	.config = "pseries-lean.config",
	.packages = PACKAGES,
};

/* Its images are others than those of ppc64le-lean, and so are their objects and artefacts. */
const struct builder builder_ppc64le_lean_net = {
	.name = "ppc64le-lean-net",
	.summary = "ppc64le-lean with a network",
	.arch = "powerpc",
	.cross_compile = "powerpc64le-linux-gnu-",
	.config = "pseries-lean.config",
	.fragment = "net.config",
	.packages = PACKAGES,
};

static int tool_missing(const struct builder *b, const char *tool, struct err *err)
{
	return err_set(err, ERR_CONFIG,
		       "builder %s needs %s, which is not in " BIN ": apt-get install %s", b->name,
		       tool, b->packages);
}

/* "PATH: first line of --version" */
static int tool_describe(const struct builder *b, const char *tool, struct str *s, struct err *err)
{
	auto_free char *path = xasprintf(BIN "%s%s", b->cross_compile, tool);
	const char *const argv[] = {path, "--version", NULL};
	const struct proc_spec spec = {.argv = argv, .timeout_s = 30, .output_max = 4096};
	auto_proc_result struct proc_result r = {0};
	int rc = access(path, X_OK) == 0 ? proc_run(&spec, &r, err) : tool_missing(b, path, err);

	if (rc < 0)
		return rc;
	if (r.end != PROC_EXITED || r.code != 0)
		return err_set(err, ERR_CONFIG,
			       "%s --version does not work: apt-get install --reinstall %s", path,
			       b->packages);
	str_addf(s, "%s: %.*s\n", path, (int)strcspn(r.output.buf, "\n"), r.output.buf);
	return 0;
}

int toolchain_describe(const struct builder *b, char **ret_text, struct err *err)
{
	auto_str struct str s;
	int rc = 0;

	str_init(&s, 0);
	for (const char *const *tool = host_tools; *tool && rc == 0; tool++) {
		auto_free char *path = xasprintf(BIN "%s", *tool);

		if (!fs_exists(path))
			rc = tool_missing(b, *tool, err);
	}
	if (rc == 0)
		rc = tool_describe(b, "gcc", &s, err);
	if (rc == 0)
		rc = tool_describe(b, "ld", &s, err);
	if (rc == 0)
		*ret_text = str_take(&s);
	return rc;
}

/* Fixed, so that the same tree gives the same image: Documentation/kbuild/reproducible-builds.rst.
 */
static const char *const make_fixed[] = {"make",
					 "-C",
					 "/src",
					 "O=/build",
					 "--no-print-directory",
					 "--output-sync=target",
					 "LOCALVERSION=",
					 "KBUILD_BUILD_TIMESTAMP=Wed Jan  1 00:00:00 UTC 2020",
					 "KBUILD_BUILD_USER=firn",
					 "KBUILD_BUILD_HOST=firn",
					 "KBUILD_BUILD_VERSION=1",
					 "KCONFIG_ALLCONFIG=/stage/config"};

#define MAKE_ARGS_MAX 32

struct command {
	const char *argv[MAKE_ARGS_MAX];
	size_t n;
};

static void command_add(struct command *c, const char *arg)
{
	if (c->n < MAKE_ARGS_MAX - 1)
		c->argv[c->n++] = arg;
}

static unsigned jobs_of(const struct build_request *req)
{
	long cpus = req->jobs ? (long)req->jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return cpus < 1 ? 1 : cpus > 512 ? 512 : (unsigned)cpus;
}

/* What the end of a command that failed says about whose fault it is. */
static int end_of_failed(struct build *b, const struct proc_result *r, struct err *err)
{
	auto_free char *end = proc_end_text(r);

	if (r->end != PROC_EXITED)
		return err_set(err, ERR_INFRA, "the build ended by %s", end);
	if (b->log.found.infra)
		return err_set(err, ERR_INFRA, "the machine failed the build: %s",
			       b->log.found.infra);
	build_log_note(&b->log, "the command ended with %s", end);
	b->ret->outcome = OUTCOME_FAIL;
	return 0;
}

/* Runs a command in the sandbox of this build. 0 with outcome PASS or FAIL. */
static int command_run(struct build *b, const struct command *c, struct err *err)
{
	const struct build_request *req = b->req;
	struct sandbox_spec spec = {
		.argv = c->argv,
		.bind = {{b->worktree.src, "/src", false},
			 {b->objects.dir, "/build", true},
			 {b->stage_dir, "/stage", false}},
		.chdir = "/build",
		.processes = 256 + 16 * jobs_of(req),
		.tmp_bytes = 1024 * MIB, /* gcc's assembler files, one a job */
		.output_max = 65536,
		.on_output = build_log_feed,
		.ctx = &b->log,
	};
	auto_proc_result struct proc_result r = {0};
	int rc;

	if (req->timeout_s > 0) {
		spec.timeout_s = b->started + req->timeout_s - clock_mono();
		if (spec.timeout_s <= 0)
			return err_set(err, ERR_INFRA, "the build ended by time-out after %.0f s",
				       req->timeout_s);
	}
	rc = sandbox_run(&spec, &r, err);
	if (rc == 0)
		rc = build_log_flush(&b->log, err);
	if (rc < 0)
		return rc;
	b->ret->outcome = OUTCOME_PASS;
	return r.end == PROC_EXITED && r.code == 0 ? 0 : end_of_failed(b, &r, err);
}

static int make_run(struct build *b, const char *const *targets, struct err *err)
{
	auto_free char *jobs = xasprintf("-j%u", jobs_of(b->req));
	auto_free char *arch = xasprintf("ARCH=%s", b->req->builder->arch);
	auto_free char *cross = xasprintf("CROSS_COMPILE=%s", b->req->builder->cross_compile);
	auto_str struct str shown;
	struct command c = {0};

	for (size_t i = 0; i < array_size(make_fixed); i++)
		command_add(&c, make_fixed[i]);
	command_add(&c, jobs);
	command_add(&c, arch);
	command_add(&c, cross);
	for (; *targets; targets++)
		command_add(&c, *targets);
	str_init(&shown, 0);
	for (size_t i = 0; i < c.n; i++)
		str_addf(&shown, strchr(c.argv[i], ' ') ? " '%s'" : " %s", c.argv[i]);
	build_log_note(&b->log, "running%s", shown.buf);
	return command_run(b, &c, err);
}

/* Always from new: what a build by a patched tree left there is not ours. */
static int module_copy(struct build *b, const char *module, struct err *err)
{
	static const char script[] =
		"rm -rf \"$1/$2\" && mkdir -p \"$1\" && cp -r \"/stage/modules/$2\" \"$1/\"";
	const struct command c = {.argv = {"sh", "-c", script, "sh", GCC_MODULES, module}};

	return command_run(b, &c, err);
}

/* The module is our instrument: that it does not build against this kernel is remembered, and what
 * needs it is left out later. Its complaints are not the kernel's. */
static void module_fail(struct build *b, const char *module, size_t before)
{
	struct diagnostics *found = &b->log.found;
	struct build_result *ret = b->ret;
	char *first = found->n > before ? diagnostic_text(&found->item[before])
					: xstrdup(b->log.last ? b->log.last : "no output");

	while (found->n > before)
		diagnostic_done(&found->item[--found->n]);
	build_log_note(&b->log, "the guest module %s does not build: %s", module, first);
	ret->module_failed = xreallocarray(ret->module_failed, ret->n_modules_failed + 1,
					   sizeof(*ret->module_failed));
	ret->module_failed[ret->n_modules_failed++] =
		(struct build_module){.name = xstrdup(module), .error = first};
	ret->outcome = OUTCOME_PASS;
}

static int module_build(struct build *b, const char *module, struct err *err)
{
	auto_free char *dir = xasprintf("M=/build/" GCC_MODULES "/%s", module);
	const char *const targets[] = {dir, "modules", NULL};
	size_t before = b->log.found.n;
	int rc = module_copy(b, module, err);

	if (rc == 0 && b->ret->outcome == OUTCOME_PASS)
		rc = make_run(b, targets, err);
	if (rc == 0 && b->ret->outcome != OUTCOME_PASS)
		module_fail(b, module, before);
	return rc;
}

/* One line for people: the first error. */
static char *failure_reason(const struct build *b)
{
	const struct diagnostics *d = &b->log.found;

	for (size_t i = 0; i < d->n; i++) {
		if (d->item[i].is_error)
			return diagnostic_text(&d->item[i]);
	}
	if (d->make_failed)
		return xasprintf("make: %s", d->make_failed);
	return xasprintf("make failed: %s", b->log.last ? b->log.last : "it said nothing");
}

static bool has_vmlinux(const struct build *b)
{
	auto_free char *path = xasprintf("%s/vmlinux", b->objects.dir);

	return fs_exists(path);
}

int gcc_build(struct build *b, struct err *err)
{
	static const char *const configure[] = {"allnoconfig", NULL};
	static const char *const kernel[] = {"vmlinux", "modules", NULL};
	int rc = make_run(b, configure, err);

	if (rc == 0 && b->ret->outcome == OUTCOME_PASS)
		rc = make_run(b, kernel, err);
	if (rc < 0)
		return rc;
	b->objects_good = true;
	if (b->ret->outcome == OUTCOME_FAIL) {
		b->ret->reason = failure_reason(b);
		return 0;
	}
	if (!has_vmlinux(b)) {
		b->ret->outcome = OUTCOME_FAIL;
		b->ret->reason = xstrdup("make ended well, but made no vmlinux");
		return 0;
	}
	for (size_t i = 0; i < b->inputs.n_modules && rc == 0; i++)
		rc = module_build(b, b->inputs.module[i], err);
	return rc;
}
