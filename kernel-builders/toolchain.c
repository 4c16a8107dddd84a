// SPDX-License-Identifier: GPL-2.0-or-later
/* Which programs a row needs, and what they say of themselves. */
#include "base/fs.h"
#include "base/proc.h"
#include "kernel-builders/build.h"

/* Sandboxes see these and nothing else of PATH, and so do the look-ups here. */
#define BIN "/usr/bin/"

/* What a kernel build calls besides the cross compiler. */
static const char *const host_tools[] = {"make", "gcc", "flex", "bison", "bc", "cp", NULL};

static int tool_missing(const struct builder *b, const char *tool, struct err *err)
{
	return err_set(err, ERR_CONFIG,
		       "builder %s needs %s, which is not in " BIN ": apt-get install %s", b->name,
		       tool, b->packages);
}

bool builder_is_clang(const struct builder *b)
{
	return b->compiler && str_starts(b->compiler, "clang");
}

char *builder_compiler(const struct builder *b)
{
	return xasprintf("%s%s", builder_is_clang(b) ? "" : b->cross_compile, b->compiler ?: "gcc");
}

/* "PATH: first line of --version" */
static int tool_describe(const struct builder *b, const char *tool, struct str *s, struct err *err)
{
	auto_free char *path = xasprintf(BIN "%s", tool);
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

int builder_ready(const struct builder *b, struct err *err)
{
	auto_free char *text = NULL;

	return toolchain_describe(b, &text, err);
}

int toolchain_describe(const struct builder *b, char **ret_text, struct err *err)
{
	auto_free char *compiler = builder_compiler(b), *ld = xasprintf("%sld", b->cross_compile);
	auto_str struct str s;
	int rc = 0;

	str_init(&s, 0);
	for (const char *const *tool = host_tools; *tool && rc == 0; tool++) {
		auto_free char *path = xasprintf(BIN "%s", *tool);

		if (!fs_exists(path))
			rc = tool_missing(b, *tool, err);
	}
	if (rc == 0)
		rc = tool_describe(b, compiler, &s, err);
	if (rc == 0)
		rc = tool_describe(b, ld, &s, err);
	if (rc == 0 && b->check)
		rc = tool_describe(b, "sparse", &s, err);
	if (rc == 0)
		*ret_text = str_take(&s);
	return rc;
}
