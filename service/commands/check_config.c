// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/conf_section.h"
#include "base/str.h"
#include "commands/command.h"
#include "sandbox/sandbox.h"
#include "serve/config_check.h"

static void help_sections(FILE *out)
{
	for (int k = 0; k < CONF_SECTION_KINDS; k++) {
		enum conf_section_kind kind = (enum conf_section_kind)k;

		fprintf(out, "\n[%s \"NAME\"]: %s\n", conf_section_word(kind),
			conf_section_help(kind));
		for (size_t i = 0; i < CONF_SECTION_N; i++) {
			const struct conf_key *key = &conf_section_keys[i].key;

			if (conf_section_keys[i].section == kind)
				fprintf(out, "  %-18s %s%s%s%s\n", key->key, key->help,
					key->dflt ? " [" : "", key->dflt ? key->dflt : "",
					key->dflt ? "]" : "");
		}
	}
}

static void help(FILE *out)
{
	fputs("\nWithout FILE the default is read: $XDG_CONFIG_HOME/firn/config, else "
	      "/etc/firn/config. The syntax is git's\n"
	      "(git-config(1)). Every mistake is printed with file and line; exit code 0: none. "
	      "Warnings are of what may be\nmeant so. Run it as the user that the service runs as: "
	      "files that he cannot read are mistakes.\n\nKeys:\n",
	      out);
	for (size_t i = 0; i < CONF_N; i++)
		fprintf(out, "  %-18s %s%s%s%s\n", conf_keys[i].key, conf_keys[i].help,
			conf_keys[i].dflt ? " [" : "", conf_keys[i].dflt ? conf_keys[i].dflt : "",
			conf_keys[i].dflt ? "]" : "");
	help_sections(out);
}

static void on_mistake(void *ctx, const char *message)
{
	(void)ctx;
	puts(message);
}

static void on_warning(void *ctx, const char *message)
{
	(void)ctx;
	printf("warning: %s\n", message);
}

/* In the service's own unit it may be more than in a shell. */
static void print_limits(void)
{
	const char *why, *limits = sandbox_limits(&why);

	if (why)
		printf("note: builds started from here are limited by rlimits only, each process "
		       "alone: %s\n",
		       why);
	else
		printf("builds started from here are limited by %s\n", limits);
}

static int check(const char *path, struct err *err)
{
	const struct config_checker checker = {.on_mistake = on_mistake, .on_warning = on_warning};
	struct conf conf = {0};
	int rc = config_check(path, &checker, &conf, err);

	conf_done(&conf);
	if (rc == 0)
		printf("%s: good\n", path);
	print_limits();
	return rc;
}

static const struct option_row none[] = {{0}};

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_free char *dflt = conf_default_path();
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, NULL, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first > 1)
		return err_set(err, ERR_USAGE,
			       "firn check-config takes one file (firn check-config --help)");
	if (argc - first == 1)
		return check(argv[first], err);
	if (!dflt) {
		puts("no configuration file: the defaults are used");
		return 0;
	}
	return check(dflt, err);
}

const struct command command_check_config = {
	.name = "check-config",
	.args = "[FILE]",
	.summary = "look for mistakes in the configuration",
	.run = run,
	.help = help,
	.options = none,
};
