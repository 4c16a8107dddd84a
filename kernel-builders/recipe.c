// SPDX-License-Identifier: GPL-2.0-or-later
/* What is done to build a row: the configuration, the kernel or the touched objects, the guest
 * modules. */
#include "base/fs.h"
#include "kernel-builders/build.h"
#include "kernel-builders/configured.h"
#include "kernel-builders/make.h"
#include "kernel-builders/touched.h"

static int make_run(struct build *b, struct words *command, struct err *err)
{
	auto_free char *shown = words_quote(command);

	build_log_note(&b->log, "running %s", shown);
	return build_command(b, command, err);
}

static void make_words(const struct build *b, struct words *w)
{
	const struct make_place at = {.src = "/src",
				      .build = "/build",
				      .config = "/stage/config",
				      .jobs = build_jobs(b->req)};

	make_begin(w, b->req->builder, &at);
}

static int make_config(struct build *b, const char *target, struct err *err)
{
	auto_words struct words w = {0};

	make_words(b, &w);
	words_add(&w, target);
	return make_run(b, &w, err);
}

/* Always from new: what a build by a patched tree left there is not ours. */
static int module_copy(struct build *b, const char *module, struct err *err)
{
	static const char script[] =
		"rm -rf \"$1/$2\" && mkdir -p \"$1\" && cp -r \"/stage/modules/$2\" \"$1/\"";
	auto_words struct words w = {0};

	words_add(&w, "sh");
	words_add(&w, "-c");
	words_add(&w, script);
	words_add(&w, "sh");
	words_add(&w, RECIPE_MODULES);
	words_add(&w, module);
	return build_command(b, &w, err);
}

/* The module is our instrument: that it does not build against this kernel is remembered, and what
 * needs it is left out later. Its complaints are not the kernel's. Takes `why`. */
static void module_fail(struct build *b, const char *module, char *why)
{
	struct build_result *ret = b->ret;

	build_log_note(&b->log, "the guest module %s does not build: %s", module, why);
	ret->module_failed = xreallocarray(ret->module_failed, ret->n_modules_failed + 1,
					   sizeof(*ret->module_failed));
	ret->module_failed[ret->n_modules_failed++] =
		(struct build_module){.name = xstrdup(module), .error = why};
	ret->outcome = OUTCOME_PASS;
}

static int module_build(struct build *b, const char *module, struct err *err)
{
	auto_words struct words w = {0};
	struct diagnostics *found = &b->log.found;
	size_t before = found->n;
	int rc = module_copy(b, module, err);

	make_words(b, &w);
	words_addf(&w, "M=/build/" RECIPE_MODULES "/%s", module);
	words_add(&w, "modules");
	if (rc == 0 && b->ret->outcome == OUTCOME_PASS)
		rc = make_run(b, &w, err);
	if (rc < 0 || b->ret->outcome == OUTCOME_PASS)
		return rc;
	module_fail(b, module,
		    found->n > before ? diagnostic_text(&found->item[before])
				      : xstrdup(b->log.last ? b->log.last : "no output"));
	diagnostics_truncate(found, before);
	return 0;
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

/* Fragments behind what a defconfig says; kconfig takes the last of several lines. */
static int config_append(struct build *b, struct err *err)
{
	auto_words struct words w = {0};
	int rc;

	words_add(&w, "sh");
	words_add(&w, "-c");
	words_add(&w, "cat /stage/config >> /build/.config");
	rc = build_command(b, &w, err);
	return rc == 0 && b->ret->outcome == OUTCOME_PASS ? make_config(b, "olddefconfig", err)
							  : rc;
}

static int configure(struct build *b, struct err *err)
{
	int rc;

	if (configured_still(b)) {
		build_log_note(&b->log, "nothing that the configuration is made of has changed");
		b->ret->outcome = OUTCOME_PASS;
		return 0;
	}
	rc = make_config(b, make_config_target(b->req->builder), err);
	if (rc == 0 && b->ret->outcome == OUTCOME_PASS && make_config_appends(b->req->builder))
		rc = config_append(b, err);
	if (rc == 0 && b->ret->outcome == OUTCOME_PASS)
		configured_note(b);
	return rc;
}

static int kernel_make(struct build *b, struct err *err)
{
	auto_words struct words w = {0};
	auto_free char *config = configured_text(b);
	char *targets = b->ret->targets = make_targets(b->req->builder, config);

	b->modules_off = config && !make_config_is_on(config, "CONFIG_MODULES");
	b->has_modules = !b->modules_off && make_targets_modules(targets);
	if (!*targets)
		return 0;
	make_words(b, &w);
	make_levels(&w, b->req->builder);
	words_split(&w, targets);
	return make_run(b, &w, err);
}

/* Those whose source this tree has. */
static void objects_add(const struct build *b, struct words *w)
{
	for (const char *const *p = b->req->touched; p && *p; p++) {
		auto_free char *object = touched_object(*p),
			       *source = xasprintf("%s/%s", b->worktree.src, *p);

		if (object && fs_exists(source))
			words_add(w, object);
	}
}

/* "No rule to make target 'drivers/x/y.o'.": its folder is not in this configuration, or no
 * Makefile names it. */
static bool is_left_out(const struct diagnostic *d, const char *object)
{
	static const char no_rule[] = "No rule to make target '";
	const char *name;
	size_t n = strlen(object);

	if (!d->is_error || !str_starts(d->text, no_rule))
		return false;
	name = d->text + strlen(no_rule);
	return strncmp(name, object, n) == 0 && str_starts(name + n, "'.");
}

/* Takes the complaint that there is no rule for an object out. */
static bool take_left_out(struct diagnostics *found, const char *object)
{
	for (size_t i = 0; i < found->n; i++) {
		if (!is_left_out(&found->item[i], object))
			continue;
		diagnostic_done(&found->item[i]);
		memmove(&found->item[i], &found->item[i + 1],
			(found->n - i - 1) * sizeof(found->item[0]));
		found->n--;
		diagnostics_truncate(found, found->n);
		return true;
	}
	return false;
}

/* The first complaint about it. */
static char *object_error(const struct build *b, const char *object)
{
	const struct diagnostics *found = &b->log.found;

	for (size_t i = 0; i < found->n; i++) {
		const char *made = found->item[i].unit ? strchr(found->item[i].unit, ' ') : NULL;

		if (found->item[i].is_error && made && strcmp(made + 1, object) == 0)
			return diagnostic_text(&found->item[i]);
	}
	return xasprintf("%s: the compiler says no", object);
}

/* Did something fail that they are made of, such as a generated header? Then nothing is known of
 * those that were not tried. The names of folders, which fail with what is in them, have no dot. */
static bool others_failed(const struct build *b, const struct words *objects)
{
	const char *name;
	json_t *value;

	json_object_foreach (b->log.found.failed, name, value) {
		const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
		bool ours = *base == '.' || !strchr(base, '.');

		for (size_t i = 0; i < objects->n && !ours; i++)
			ours = strcmp(objects->word[i], name) == 0;
		if (!ours)
			return true;
	}
	return false;
}

/* make -k ends badly when one of them does not build. Each is judged alone, and what is not in this
 * configuration is no fault. */
static void objects_judge(struct build *b, const struct words *objects)
{
	struct build_result *ret = b->ret;

	for (size_t i = 0; i < objects->n; i++) {
		const char *object = objects->word[i];

		if (take_left_out(&b->log.found, object)) {
			b->n_left_out++;
		} else if (json_object_get(b->log.found.failed, object)) {
			ret->object_failed =
				xreallocarray(ret->object_failed, ret->n_objects_failed + 1,
					      sizeof(*ret->object_failed));
			ret->object_failed[ret->n_objects_failed++] = (struct build_module){
				.name = xstrdup(object), .error = object_error(b, object)};
		}
	}
	if ((b->n_left_out || ret->n_objects_failed) && !others_failed(b, objects))
		ret->outcome = OUTCOME_PASS;
}

static int objects_make(struct build *b, struct err *err)
{
	auto_words struct words w = {0}, objects = {0};
	int rc;

	objects_add(b, &objects);
	b->n_objects = (unsigned)objects.n;
	if (!objects.n)
		return 0;
	make_words(b, &w);
	make_levels(&w, b->req->builder);
	words_add(&w, "-k");
	for (size_t i = 0; i < objects.n; i++)
		words_add(&w, objects.word[i]);
	rc = make_run(b, &w, err);
	if (rc == 0)
		objects_judge(b, &objects);
	return rc;
}

static int modules_make(struct build *b, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < b->inputs.n_modules && rc == 0; i++) {
		if (b->modules_off)
			module_fail(b, b->inputs.module[i], xstrdup("CONFIG_MODULES is off"));
		else
			rc = module_build(b, b->inputs.module[i], err);
	}
	return rc;
}

int recipe_build(struct build *b, struct err *err)
{
	const struct builder *row = b->req->builder;
	int rc = configure(b, err);

	if (rc == 0 && b->ret->outcome == OUTCOME_PASS)
		rc = row->touched ? objects_make(b, err) : kernel_make(b, err);
	if (rc < 0)
		return rc;
	b->objects_good = true;
	if (b->ret->outcome == OUTCOME_FAIL) {
		b->ret->reason = failure_reason(b);
		return 0;
	}
	if (make_has_vmlinux(row) && !has_vmlinux(b)) {
		b->ret->outcome = OUTCOME_FAIL;
		b->ret->reason = xstrdup("make ended well, but made no vmlinux");
		return 0;
	}
	return make_has_vmlinux(row) ? modules_make(b, err) : 0;
}
