// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/command.h"

#include "base/str.h"
#include <getopt.h>

/* Values of getopt_long() for row i, above every letter. */
#define ROW_BASE 1000
#define HELP_VAL 999
#define ROWS_MAX 40

struct getopt_tables {
	struct option longs[ROWS_MAX + 2];
	char letters[3 * ROWS_MAX];
	size_t n;
};

static void build_tables(const struct command *cmd, struct getopt_tables *g)
{
	size_t k = 0;

	g->letters[k++] = ':'; /* ':' for a missing argument, '?' for an unknown option */
	for (const struct option_row *o = cmd->options; o && o->name && g->n < ROWS_MAX; o++) {
		g->longs[g->n] = (struct option){o->name, o->arg ? required_argument : no_argument,
						 NULL, ROW_BASE + (int)g->n};
		g->n++;
		if (o->letter)
			g->letters[k++] = o->letter;
		if (o->letter && o->arg)
			g->letters[k++] = ':';
	}
	g->longs[g->n] = (struct option){"help", no_argument, NULL, HELP_VAL};
	g->letters[k++] = 'h';
}

static const struct option_row *row_of(const struct command *cmd, const struct getopt_tables *g,
				       int val)
{
	if (val >= ROW_BASE && val < ROW_BASE + (int)g->n)
		return &cmd->options[val - ROW_BASE];
	for (const struct option_row *o = cmd->options; o && o->name; o++)
		if (o->letter && o->letter == val)
			return o;
	return NULL;
}

static int option_set(const struct option_row *o, void *dest, struct conf *conf, struct err *err)
{
	char *at = (char *)dest + o->offset;
	int rc;

	switch (o->type) {
	case OPTION_STRING: *(const char **)(void *)at = optarg; return 0;
	case OPTION_FLAG: *(bool *)(void *)at = true; return 0;
	case OPTION_CONF: break;
	}
	rc = conf_set(conf, o->conf, o->arg ? optarg : "true", err);
	return rc < 0 ? err_wrap(err, "--%s", o->name) : 0;
}

int options_parse(const struct command *cmd, int argc, char **argv, void *dest, struct conf *conf,
		  int *ret_first, bool *ret_help, struct err *err)
{
	struct getopt_tables g = {0};
	int val, rc;

	build_tables(cmd, &g);
	optind = 0; /* glibc: start anew */
	opterr = 0;
	while ((val = getopt_long(argc, argv, g.letters, g.longs, NULL)) != -1) {
		const struct option_row *o = row_of(cmd, &g, val);

		if (val == HELP_VAL || val == 'h') {
			command_help(cmd, stdout);
			*ret_help = true;
			return 0;
		}
		if (val == ':')
			return err_set(err, ERR_USAGE, "%s needs an argument (firn %s --help)",
				       argv[optind - 1], cmd->name);
		if (!o)
			return err_set(err, ERR_USAGE, "no option %s (firn %s --help)",
				       argv[optind - 1], cmd->name);
		rc = option_set(o, dest, conf, err);
		if (rc < 0)
			return rc;
	}
	*ret_first = optind;
	return 0;
}

void command_help(const struct command *cmd, FILE *out)
{
	fprintf(out, "Usage: firn %s %s\n\n%s.\n", cmd->name, cmd->args, cmd->summary);
	if (cmd->options)
		fputs("\nOptions:\n", out);
	for (const struct option_row *o = cmd->options; o && o->name; o++) {
		auto_free char *left =
			o->letter ? xasprintf("-%c, --%s %s", o->letter, o->name,
					      o->arg ? o->arg : "")
				  : xasprintf("    --%s %s", o->name, o->arg ? o->arg : "");
		const char *dflt =
			o->type == OPTION_CONF && o->arg ? conf_keys[o->conf].dflt : NULL;

		fprintf(out, "  %-24s %s", left, o->help);
		fprintf(out, dflt ? " [%s]\n" : "\n", dflt);
	}
	if (cmd->options)
		fprintf(out, "  %-24s %s\n", "-h, --help", "this text");
	if (cmd->help)
		cmd->help(out);
}
