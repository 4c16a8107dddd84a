// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/str.h"
#include "commands/command.h"
#include "trial/trial.h"

static void help(FILE *out)
{
	fputs("\nWithout FILE the default is read: $XDG_CONFIG_HOME/firn/config, else "
	      "/etc/firn/config. The syntax is git's\n"
	      "(git-config(1)). Every mistake is printed with file and line; exit code 0: "
	      "none.\n\nKeys:\n",
	      out);
	for (size_t i = 0; i < CONF_N; i++)
		fprintf(out, "  %-16s %s%s%s%s\n", conf_keys[i].key, conf_keys[i].help,
			conf_keys[i].dflt ? " [" : "", conf_keys[i].dflt ? conf_keys[i].dflt : "",
			conf_keys[i].dflt ? "]" : "");
}

static void on_mistake(void *ctx, const char *message)
{
	unsigned *n = ctx;

	puts(message);
	++*n;
}

/* Names that a table must know. */
static void check_names(const struct conf *conf, const char *path, unsigned *n)
{
	for (size_t i = 0; i < CONF_N; i++) {
		auto_free char *mistake = trial_conf_mistake(conf, (enum conf_id)i);

		if (!mistake)
			continue;
		printf("%s:%u: %s: %s\n", path, conf->line[i], conf_keys[i].key, mistake);
		++*n;
	}
}

static int check(const char *path, struct err *err)
{
	struct conf conf = {0};
	unsigned n = 0;

	if (conf_read(&conf, path, on_mistake, &n, err) == 0 || n)
		check_names(&conf, path, &n);
	conf_done(&conf);
	if (n)
		return err_set(err, ERR_CONFIG, "%s: %u mistake%s", path, n, n == 1 ? "" : "s");
	printf("%s: good\n", path);
	return 0;
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
