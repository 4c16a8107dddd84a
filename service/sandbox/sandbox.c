// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox/sandbox.h"

#include "sandbox/guard.h"
#include "sandbox/limits.h"
#include "sandbox/seccomp.h"
#include <sys/resource.h>

/* So that a control group's limit, which is told, is reached first. */
#define PROCESSES_SLACK 16

/* A command line that owns its strings. */
struct args {
	char **v;
	size_t n, cap;
};

static void args_done(struct args *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->v[i]);
	free(a->v);
}

static inline void args_cleanup(struct args *a)
{
	args_done(a);
}

static void args_take(struct args *a, char *s)
{
	arr_grow(a->v, a->n, a->cap);
	a->v[a->n++] = s;
}

static void args_add(struct args *a, const char *const *v)
{
	for (; *v; v++)
		args_take(a, xstrdup(*v));
}

#define args_adds(a, ...) args_add(a, (const char *const[]){__VA_ARGS__, NULL})

/* The same in every sandbox. Without --unshare-user bwrap refuses --disable-userns; without the
 * --remount-ro lines, / and /dev are memory to fill. A fixed user inside, so that nothing depends
 * on who runs firn. */
// clang-format off
static const char *const fixed[] = {
	"bwrap",
	"--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000",
	"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
	"--hostname", "firn",
	"--die-with-parent", "--new-session",
	"--cap-drop", "ALL",
	"--clearenv",
	"--setenv", "PATH", "/usr/bin:/bin",
	"--setenv", "HOME", "/tmp",
	"--setenv", "LC_ALL", "C",
	"--ro-bind", "/usr", "/usr",
	"--symlink", "usr/bin", "/bin",
	"--symlink", "usr/sbin", "/sbin",
	"--symlink", "usr/lib", "/lib",
	"--symlink", "usr/lib64", "/lib64",
	"--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
	"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
	"--proc", "/proc",
	"--dev", "/dev",
	"--size", "16777216", "--tmpfs", "/dev/shm",
	"--remount-ro", "/dev",
	NULL,
};
// clang-format on

static void args_add_env(struct args *a, const char *const *env)
{
	for (; env && *env; env++) {
		size_t n = strcspn(*env, "=");

		args_adds(a, "--setenv");
		args_take(a, xmemdup(*env, n));
		args_take(a, xstrdup((*env)[n] ? *env + n + 1 : ""));
	}
}

static void args_add_limit(struct args *a, const char *name, int resource, unsigned long want)
{
	struct rlimit now;

	/* Ours may be lower already, and only root may raise it. */
	if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max < want)
		want = now.rlim_max;
	args_take(a, want == SANDBOX_NO_LIMIT ? xasprintf("--%s=unlimited", name)
					      : xasprintf("--%s=%lu", name, want));
}

/* The limits are set inside: outside, RLIMIT_NPROC would count all that the user has running, and
 * bwrap itself would fall under them. Since Linux 5.14 each user namespace counts its own
 * processes. */
static void args_add_limits(struct args *a, const struct sandbox_spec *spec)
{
	args_adds(a, "--", "prlimit", "--core=0");
	args_add_limit(a, "as", RLIMIT_AS, limits_or(spec->memory_bytes, LIMITS_MEMORY));
	args_add_limit(a, "fsize", RLIMIT_FSIZE, limits_or(spec->file_bytes, LIMITS_FILE));
	args_add_limit(a, "nproc", RLIMIT_NPROC,
		       limits_processes(spec) +
			       (guard_place()->version != CGROUP_NONE ? PROCESSES_SLACK : 0));
}

static void args_of_spec(struct args *a, const struct sandbox_spec *spec, int seccomp_fd)
{
	args_add(a, fixed);
	args_adds(a, "--size");
	args_take(a, xasprintf("%lu", limits_or(spec->tmp_bytes, LIMITS_TMP)));
	args_adds(a, "--tmpfs", "/tmp");
	for (size_t i = 0; i < SANDBOX_BINDS_MAX && spec->bind[i].outside; i++)
		args_adds(a, spec->bind[i].writable ? "--bind" : "--ro-bind", spec->bind[i].outside,
			  spec->bind[i].inside);
	args_add_env(a, spec->env);
	args_adds(a, "--chdir", spec->chdir ? spec->chdir : "/", "--remount-ro", "/", "--seccomp");
	args_take(a, xasprintf("%d", seccomp_fd));
	args_add_limits(a, spec);
	args_add(a, spec->argv);
	args_take(a, NULL);
}

/* Everything that proc_run() and proc_start() need; the strings live in `a` and the filter in
 * `*ret_fd`. */
static int spec_prepare(const struct sandbox_spec *spec, struct args *a, int *ret_fd,
			struct proc_spec *ret, struct err *err)
{
	static const char *const no_env[] = {NULL};
	int rc;

	*ret = (struct proc_spec){
		.envp = no_env,
		.cwd = "/", /* the build user may not be able to enter ours */
		.stdin_fd = spec->stdin_fd,
		.output_fd = spec->output_fd,
		.output_max = spec->output_max,
		.timeout_s = spec->timeout_s,
		.cleaning = spec->cleaning,
		.on_output = spec->on_output,
		.ctx = spec->ctx,
	};
	rc = sandbox_user(&ret->uid, &ret->gid, err);
	if (rc == 0)
		rc = seccomp_filter_fd(ret_fd, err);
	if (rc < 0)
		return rc;
	args_of_spec(a, spec, *ret_fd);
	ret->pass_fd = *ret_fd;
	ret->argv = (const char *const *)a->v;
	return 0;
}

static int bwrap_missing(int rc, struct err *err)
{
	if (rc == ERR_CONFIG)
		return err_set(err, rc,
			       "bwrap is missing, and nothing of a patch runs outside of it: "
			       "apt-get install bubblewrap");
	return rc;
}

/* What `tool` said when it ended before it started the command: the first line of the output,
 * without "TOOL: ". NULL when it did start it. The caller frees. */
static char *tool_complaint(const struct proc_result *r, const char *tool)
{
	size_t n = strlen(tool);

	if (r->end != PROC_EXITED || r->code == 0 || strncmp(r->output.buf, tool, n) != 0)
		return NULL;
	return xmemdup(r->output.buf + n, strcspn(r->output.buf + n, "\n"));
}

static int run_raw(const struct sandbox_spec *spec, struct proc_result *ret, struct err *err)
{
	__attribute__((cleanup(args_cleanup))) struct args a = {0};
	auto_fd int seccomp_fd = -1;
	auto_free char *over = NULL;
	struct guard guard = GUARD_INIT;
	struct proc_spec proc;
	int rc = spec_prepare(spec, &a, &seccomp_fd, &proc, err);

	if (rc == 0)
		rc = guard_begin(spec, &guard, &proc, err);
	if (rc < 0)
		return rc;
	rc = bwrap_missing(proc_run(&proc, ret, err), err);
	over = guard_end(&guard);
	if (rc == 0 && spec->ret_over)
		*spec->ret_over = take(over);
	return rc;
}

/* Whether sandboxes can be made here at all, so that a refusal is not taken for the command's
 * failure. Asked until it has worked once. */
static int sandbox_probe(struct err *err)
{
	static const char *const argv[] = {"true", NULL};
	static bool works;
	const struct sandbox_spec spec = {.argv = argv, .timeout_s = 30, .cleaning = true};
	auto_proc_result struct proc_result r = {0};
	int rc = works ? 0 : run_raw(&spec, &r, err);
	auto_free char *said = NULL;

	if (works || rc < 0)
		return rc;
	works = r.end == PROC_EXITED && r.code == 0;
	if (works)
		return 0;
	said = proc_end_text(&r);
	return err_set(err, ERR_CONFIG,
		       "cannot make a sandbox here (%.*s): bwrap needs user namespaces for "
		       "ordinary users. See "
		       "sysctl user.max_user_namespaces and kernel.unprivileged_userns_clone; in a "
		       "container, "
		       "allow them and an unmasked /proc",
		       (int)strcspn(r.output.len ? r.output.buf : said, "\n"),
		       r.output.len ? r.output.buf : said);
}

int sandbox_run(const struct sandbox_spec *spec, struct proc_result *ret, struct err *err)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *bwrap = NULL, *prlimit = NULL;
	int rc = sandbox_probe(err);

	if (rc == 0)
		rc = run_raw(spec, &r, err);
	if (rc < 0)
		return rc;
	bwrap = tool_complaint(&r, "bwrap: ");
	if (bwrap)
		return err_set(err, ERR_INFRA, "the sandbox for %s failed: %s", spec->argv[0],
			       bwrap);
	prlimit = tool_complaint(&r, "prlimit: failed to execute ");
	if (prlimit)
		return err_set(err, ERR_CONFIG, "cannot run in the sandbox: %s", prlimit);
	*ret = r;
	r = (struct proc_result){0};
	return 0;
}

const char *sandbox_limits(const char **ret_why)
{
	static const char *const name[] = {
		[CGROUP_NONE] = "rlimits", [CGROUP_V1] = "cgroup-v1", [CGROUP_V2] = "cgroup-v2"};
	const struct cgroup_place *place = guard_place();

	if (ret_why)
		*ret_why = place->why;
	return name[place->version];
}

int sandbox_start(const struct sandbox_spec *spec, struct proc *ret, struct err *err)
{
	__attribute__((cleanup(args_cleanup))) struct args a = {0};
	auto_fd int seccomp_fd = -1;
	struct guard guard = GUARD_INIT;
	struct proc_spec proc;
	int rc = sandbox_probe(err);

	if (rc == 0)
		rc = spec_prepare(spec, &a, &seccomp_fd, &proc, err);
	if (rc == 0)
		rc = guard_begin(spec, &guard, &proc, err);
	if (rc < 0)
		return rc;
	rc = bwrap_missing(proc_start(&proc, ret, err), err);
	guard_joined(&guard);
	if (rc < 0)
		cgroup_end(&guard.group);
	else
		guard_leave(&guard);
	return rc;
}
