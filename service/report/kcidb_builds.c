// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds of a KCIDB document: one for each row of builds[] that was built. */
#include "report/kcidb_make.h"

#include "base/json.h"

static const char *status_of(const json_t *build)
{
	static const struct {
		const char *outcome, *status;
	} rows[] = {{"pass", "PASS"}, {"warn", "PASS"}, {"fail", "FAIL"}, {"skip", "SKIP"}};
	const char *outcome = json_get_str(build, "outcome", "error");

	for (size_t i = 0; i < array_size(rows); i++)
		if (strcmp(rows[i].outcome, outcome) == 0)
			return rows[i].status;
	return "ERROR";
}

/* The last command is the one that builds. */
static const char *command_of(const json_t *build)
{
	const json_t *commands = json_object_get(build, "commands");
	size_t n = json_array_size(commands);

	return n ? json_string_value(json_array_get(commands, n - 1)) : "";
}

/* The value of a variable of make: "ARCH=powerpc". The caller frees. */
static char *variable_of(const char *command, const char *name)
{
	const char *at = strstr(command, name);

	at = at ? at + strlen(name) : "";
	return xmemdup(at, strcspn(at, " "));
}

static void tools_add(json_t *obj, const char *command)
{
	auto_free char *arch = variable_of(command, " ARCH=");
	auto_free char *cc = variable_of(command, " CC=");

	if (!*command)
		return;
	if (!arch[strspn(arch, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		kcidb_text(obj, "architecture", arch);
	kcidb_text(obj, "compiler", *cc ? cc : "gcc");
	kcidb_text(obj, "command", command);
}

static void misc_add(json_t *obj, const json_t *build)
{
	json_object_set_new(
		obj, "misc",
		json_pack("{s:s, s:I, s:b}", "outcome", json_get_str(build, "outcome", "error"),
			  "new_warnings",
			  (json_int_t)json_array_size(json_object_get(build, "new_warnings")),
			  "cached", json_get_bool(build, "cached", false)));
}

/* Does it say that the kernel was built? */
static bool is_built(const json_t *build)
{
	return strcmp(status_of(build), "PASS") == 0;
}

/* Which builds the tests are of: those of the main row, the last one that has more patches. */
static void remember(struct kcidb *k, const json_t *obj, const json_t *build, unsigned patch)
{
	char **which = patch ? &k->build : &k->base_build;

	if (!json_get_bool(build, "main", false))
		return;
	free(*which);
	*which = is_built(build) ? xstrdup(json_get_str(obj, "id", "")) : NULL;
}

static void build_add(struct kcidb *k, const json_t *build)
{
	unsigned patch = (unsigned)json_integer_value(json_object_get(build, "patch"));
	const char *row = json_get_str(build, "row", "");
	auto_free char *rest = xasprintf("/%s/%u", row, patch);
	auto_free char *checkout = kcidb_checkout(k, patch);
	json_t *obj = kcidb_object(k, rest);

	kcidb_text(obj, "checkout_id", checkout);
	kcidb_text(obj, "comment", json_get_str(build, "reason", ""));
	kcidb_text(obj, "config_name", row);
	tools_add(obj, command_of(build));
	if (!json_get_bool(build, "cached", false))
		json_object_set_new(obj, "duration", json_real(json_get_num(build, "seconds", 0)));
	kcidb_text(obj, "status", status_of(build));
	if (strcmp(status_of(build), "FAIL") == 0)
		kcidb_excerpt(obj, json_object_get(kcidb_step(k->report, "build"), "evidence"));
	kcidb_log(k, obj, json_get_str(build, "log", NULL));
	misc_add(obj, build);
	remember(k, obj, build, patch);
	json_array_append_new(k->builds, obj);
}

/* Reports of before builds[]: all that is known is how the step ended. */
static void step_add(struct kcidb *k, const json_t *step)
{
	const json_t *series = json_object_get(k->report, "series");
	unsigned patches = (unsigned)json_array_size(json_object_get(series, "patches"));
	auto_free char *checkout = kcidb_checkout(k, patches);
	json_t *obj = kcidb_object(k, "/build");

	kcidb_text(obj, "checkout_id", checkout);
	kcidb_text(obj, "comment", json_get_str(step, "reason", ""));
	kcidb_text(obj, "status", status_of(step));
	kcidb_log(k, obj, json_get_str(step, "log", NULL));
	if (strcmp(status_of(step), "FAIL") == 0)
		kcidb_excerpt(obj, json_object_get(step, "evidence"));
	if (is_built(step))
		k->build = xstrdup(json_get_str(obj, "id", ""));
	json_array_append_new(k->builds, obj);
}

void kcidb_builds(struct kcidb *k)
{
	const json_t *builds = json_object_get(k->report, "builds"), *build,
		     *step = kcidb_step(k->report, "build");
	size_t i;

	if (!builds && step)
		step_add(k, step);
	json_array_foreach (builds, i, build)
		if (json_is_integer(json_object_get(build, "patch")))
			build_add(k, build);
}
