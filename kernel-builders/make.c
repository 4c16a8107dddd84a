// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/make.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/build.h"
#include "kernel-builders/touched.h"

/* Fixed, so that the same tree gives the same image: Documentation/kbuild/reproducible-builds.rst.
 */
static const char *const make_fixed[] = {
	"--no-print-directory",	  "--output-sync=target",
	"LOCALVERSION=",	  "KBUILD_BUILD_TIMESTAMP=Wed Jan  1 00:00:00 UTC 2020",
	"KBUILD_BUILD_USER=firn", "KBUILD_BUILD_HOST=firn",
	"KBUILD_BUILD_VERSION=1"};

void make_begin(struct words *w, const struct builder *b, const struct make_place *at)
{
	words_add(w, "make");
	if (at->src) {
		words_add(w, "-C");
		words_add(w, at->src);
	}
	words_addf(w, "O=%s", at->build);
	for (size_t i = 0; i < array_size(make_fixed); i++)
		words_add(w, make_fixed[i]);
	if (at->config)
		words_addf(w, "KCONFIG_ALLCONFIG=%s", at->config);
	if (at->jobs)
		words_addf(w, "-j%u", at->jobs);
	words_addf(w, "ARCH=%s", b->arch);
	words_addf(w, "CROSS_COMPILE=%s", b->cross_compile);
	if (b->compiler) {
		auto_free char *compiler = builder_compiler(b);

		words_addf(w, "CC=%s", compiler);
	}
}

void make_levels(struct words *w, const struct builder *b)
{
	if (b->warnings)
		words_addf(w, "W=%s", b->warnings);
	if (b->check)
		words_addf(w, "C=%s", b->check);
}

const char *make_config_target(const struct builder *b)
{
	return builder_config_is_file(b) ? "allnoconfig" : b->config;
}

/* allmodconfig and its like read KCONFIG_ALLCONFIG themselves: Documentation/kbuild/kconfig.rst. */
bool make_config_appends(const struct builder *b)
{
	static const char *const reads[] = {"allnoconfig", "allyesconfig", "allmodconfig",
					    "alldefconfig", "randconfig"};

	for (size_t i = 0; i < array_size(reads); i++)
		if (strcmp(make_config_target(b), reads[i]) == 0)
			return false;
	return b->fragments != NULL;
}

bool make_config_is_on(const char *config, const char *option)
{
	size_t n = strlen(option);
	bool on = false;

	/* kconfig takes the last of several lines. */
	for (; *config; config += strcspn(config, "\n"), config += *config == '\n')
		if (strncmp(config, option, n) == 0 && config[n] == '=')
			on = config[n + 1] == 'y' && (!config[n + 2] || config[n + 2] == '\n');
	return on;
}

static const char *all_targets(const struct builder *b)
{
	return b->targets ?: "vmlinux modules";
}

static bool has_word(const char *words, const char *word)
{
	auto_words struct words w = {0};

	words_split(&w, words);
	for (size_t i = 0; i < w.n; i++)
		if (strcmp(w.word[i], word) == 0)
			return true;
	return false;
}

char *make_targets(const struct builder *b, const char *config)
{
	auto_words struct words w = {0};
	auto_str struct str s;
	bool modules = !config || make_config_is_on(config, "CONFIG_MODULES");

	str_init(&s, 0);
	words_split(&w, all_targets(b));
	for (size_t i = 0; i < w.n; i++)
		if (modules || strcmp(w.word[i], "modules") != 0)
			str_addf(&s, "%s%s", s.len ? " " : "", w.word[i]);
	return str_take(&s);
}

bool make_targets_modules(const char *targets)
{
	return has_word(targets, "modules") || has_word(targets, "all");
}

bool make_has_vmlinux(const struct builder *b)
{
	return !b->touched &&
	       (has_word(all_targets(b), "vmlinux") || has_word(all_targets(b), "all"));
}

static void command_add(json_t *list, const struct words *w)
{
	auto_free char *text = words_quote(w);

	json_array_append_new(list, json_text(text));
}

/* Where a person finds a file of firn's. */
static char *file_of(const char *name, size_t n)
{
	return name[0] == '/'
		       ? xmemdup(name, n)
		       : xasprintf("%s/kernel-builders/configs/%.*s", fs_data_dir(), (int)n, name);
}

/* cat FILE... > or >> the configuration. */
static void command_files(json_t *list, const struct builder *b, const char *to, bool append)
{
	auto_words struct words w = {0};
	auto_free char *files = NULL;
	const char *fragment = b->fragments ?: "";

	words_add(&w, "cat");
	if (builder_config_is_file(b)) {
		auto_free char *path = file_of(b->config, strlen(b->config));

		words_add(&w, path);
	}
	for (size_t n; *fragment; fragment += n + (fragment[n] == ',')) {
		n = strcspn(fragment, ",");
		auto_free char *path = file_of(fragment, n);

		words_add(&w, path);
	}
	files = words_quote(&w);
	json_array_append_new(list, json_sprintf("%s %s %s", files, append ? ">>" : ">", to));
}

/* `config` is the file for KCONFIG_ALLCONFIG; NULL: none. */
static void command_make(json_t *list, const struct builder *b, const char *config,
			 const char *targets)
{
	const struct make_place at = {.build = "../build", .config = config};
	auto_words struct words w = {0};

	make_begin(&w, b, &at);
	if (!str_ends(targets, "config"))
		make_levels(&w, b);
	words_split(&w, targets);
	command_add(list, &w);
}

static char *touched_targets(const char *const *paths)
{
	auto_str struct str s;

	str_init(&s, 0);
	str_adds(&s, "-k");
	for (; *paths; paths++) {
		auto_free char *object = touched_object(*paths);

		if (object)
			str_addf(&s, " %s", object);
	}
	return str_take(&s);
}

json_t *builder_commands(const struct builder *b, const git_oid *commit, const char *const *touched,
			 const char *targets)
{
	auto_free char *objects = b->touched && touched ? touched_targets(touched) : NULL;
	const char *made = objects ?: targets ?: all_targets(b);
	bool appends = make_config_appends(b);
	json_t *list = json_array();
	char hex[GIT_OID_HEXSZ + 1];

	json_array_append_new(
		list, json_sprintf("git checkout %s", git_oid_tostr(hex, sizeof(hex), commit)));
	json_array_append_new(list, json_text("mkdir -p ../build"));
	if (!appends && (builder_config_is_file(b) || b->fragments)) {
		command_files(list, b, "../build/firn.config", false);
		command_make(list, b, "firn.config", make_config_target(b));
	} else {
		command_make(list, b, NULL, make_config_target(b));
	}
	if (appends) {
		command_files(list, b, "../build/.config", true);
		command_make(list, b, NULL, "olddefconfig");
	}
	/* Without a target it would be all. */
	if (*made)
		command_make(list, b, NULL, made);
	return list;
}
