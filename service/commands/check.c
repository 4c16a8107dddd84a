// SPDX-License-Identifier: GPL-2.0-or-later
/* firn check: checkpatch's rules over files, for editors, hooks and people. */
#include "base/fs.h"
#include "base/str.h"
#include "checkers/checkpatch/rule.h"
#include "commands/check_input.h"
#include "commands/check_print.h"
#include "commands/command.h"
#include "report/escape.h"

#include <ctype.h>

struct options {
	bool source, strict, terse, json, no_tree, new_only, list_types;
	const char *types, *ignore, *explain, *tree, *numbering, *path;
};
#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row rows[] = {
	{"file", 'f', OPTION_FLAG, .help = "the files are source files, not patches", AT(source)},
	{"path", 0, OPTION_STRING, "PATH", "where in the tree the source file is [FILE]", AT(path)},
	{"strict", 0, OPTION_FLAG, .help = "tell CHECKs too (always in net and staging)",
	 AT(strict)},
	{"types", 0, OPTION_STRING, "TYPE,...", "tell only these", AT(types)},
	{"ignore", 0, OPTION_STRING, "TYPE,...", "do not tell these", AT(ignore)},
	{"new-only", 0, OPTION_FLAG,
	 .help = "not what the files had before, nor long lines of quoted tables", AT(new_only)},
	{"terse", 't', OPTION_FLAG, .help = "a line a finding: PATH:LINE: LEVEL: TYPE: message",
	 AT(terse)},
	{"json", 0, OPTION_FLAG, .help = "one JSON array, an object a patch", AT(json)},
	{"numbering", 0, OPTION_STRING, "mail|format-patch",
	 "lines of the patch as the file has them, or as git format-patch would [mail]",
	 AT(numbering)},
	{"tree", 0, OPTION_STRING, "DIR",
	 "kernel tree: commits, spelling, MAINTAINERS [the git tree around this folder]", AT(tree)},
	{"no-tree", 0, OPTION_FLAG, .help = "no tree", AT(no_tree)},
	{"explain", 0, OPTION_STRING, "TYPE", "say why, and what to do", AT(explain)},
	{"list-types", 0, OPTION_FLAG, .help = "all that can be told", AT(list_types)},
	{0},
};

struct run {
	struct options o;
	struct check_env env;
	struct checkpatch_options style;
	char **types, **ignore;
	char *dir, *cache; /* of the tree; of what rules keep of it */
	json_t *json;
	size_t n_findings;
};

static int list_types(void)
{
	for (size_t i = 0; rule_families[i]; i++)
		for (size_t k = 0; k < rule_families[i]->n; k++) {
			const struct rule *r = &rule_families[i]->rule[k];

			printf("%-32s %-8s %s\n", r->type, finding_level_name(r->level),
			       r->message);
		}
	return 0;
}

static int explain_type(const char *type, struct err *err)
{
	const struct rule *r = rule_find(type, NULL);

	if (!r)
		return err_set(err, ERR_USAGE, "no TYPE %s (firn check --list-types)", type);
	printf("%s\n", r->type);
	for (; r; r = rule_find(type, r))
		printf("\n%s: %s\n\t%s\n", finding_level_name(r->level), r->message, r->help);
	return 0;
}

/* "A,B" or "a b" into words, NULL at the end, in one block. NULL for NULL. */
static char **words_of(const char *text)
{
	size_t n = text ? strlen(text) : 0, k = 0;
	char **word, *copy, *save = NULL;

	if (!text)
		return NULL;
	word = xmalloc((n / 2 + 2) * sizeof(*word) + n + 1);
	copy = (char *)(word + n / 2 + 2);
	for (size_t i = 0; i <= n; i++)
		copy[i] = (char)toupper((unsigned char)text[i]);
	for (char *w = strtok_r(copy, ", ", &save); w; w = strtok_r(NULL, ", ", &save))
		word[k++] = w;
	word[k] = NULL;
	return word;
}

static int types_known(char **types, struct err *err)
{
	for (; types && *types; types++)
		if (!rule_find(*types, NULL))
			return err_set(err, ERR_USAGE, "no TYPE %s (firn check --list-types)",
				       *types);
	return 0;
}

static bool has(const char *dir, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);

	return access(path, F_OK) == 0;
}

/* The folder at or above `dir` that is a work tree of git's, or NULL. The caller frees. */
static char *top_of(const char *dir)
{
	char *at = realpath(dir, NULL);

	while (at && !has(at, ".git")) {
		char *slash = strrchr(at, '/');

		if (!slash || slash == at) {
			free(at);
			return NULL;
		}
		*slash = '\0';
	}
	return at;
}

/* Where what a tree's headers say is kept; NULL when there is no place. The caller frees. */
static char *cache_find(void)
{
	auto_free char *cache = fs_cache_dir();
	char *dir = xasprintf("%s/checkers", cache);
	struct err ignored = ERR_INIT;

	if (access(dir, W_OK) == 0 || fs_mkdirs(dir, &ignored) == 0)
		return dir;
	free(dir);
	return NULL;
}

/* A bare repository is a tree, and so is a folder without git, as far as files go. Nothing is
 * opened here: most patches need none of it. */
static int tree_find(struct run *r, struct err *err)
{
	const char *at = r->o.tree ? r->o.tree : ".";

	if (r->o.no_tree)
		return 0;
	if (r->o.tree && has(at, "objects") && has(at, "HEAD")) {
		r->env.repo_path = r->o.tree;
		return 0;
	}
	r->dir = top_of(at);
	if (r->dir)
		r->env.repo_path = r->dir;
	else if (r->o.tree)
		r->dir = realpath(r->o.tree, NULL);
	if (r->o.tree && !r->dir)
		return err_sys(err, ERR_CONFIG, "cannot use the tree %s", r->o.tree);
	r->env.source_dir = r->dir;
	r->cache = cache_find();
	r->env.cache_dir = r->cache;
	return 0;
}

static int run_begin(struct run *r, struct err *err)
{
	const char *n = r->o.numbering;
	int rc;

	if (n && strcmp(n, "mail") != 0 && strcmp(n, "format-patch") != 0)
		return err_set(err, ERR_USAGE, "--numbering is mail or format-patch");
	r->types = words_of(r->o.types);
	r->ignore = words_of(r->o.ignore);
	rc = types_known(r->types, err);
	rc = rc ? rc : types_known(r->ignore, err);
	rc = rc ? rc : tree_find(r, err);
	r->style = (struct checkpatch_options){
		.strict = r->o.strict,
		.is_source = r->o.source,
		.new_only = r->o.new_only,
		.types = (const char *const *)r->types,
		.ignore = (const char *const *)r->ignore,
	};
	if (r->o.json)
		r->json = json_array();
	return rc;
}

static void run_end(struct run *r)
{
	tree_forget();
	json_decref(r->json);
	free(r->dir);
	free(r->cache);
	free(r->types);
	free(r->ignore);
}

/* The file's name in the tree: what the rules look at for net/, include/uapi/ and so on. */
static char *path_in_tree(const struct run *r, const char *name)
{
	auto_free char *full = realpath(name, NULL);
	size_t n = r->dir ? strlen(r->dir) : 0;

	if (r->o.path)
		return xstrdup(r->o.path);
	while (n && r->dir[n - 1] == '/')
		n--;
	if (full && n && strncmp(full, r->dir, n) == 0 && full[n] == '/')
		return xstrdup(full + n + 1);
	return xstrdup(name);
}

/* Lines as git format-patch numbers them, one a finding. */
static unsigned *format_lines(const struct check_piece *p, const struct check_result *res)
{
	unsigned *line = xcalloc(res->n + 1, sizeof(*line));
	struct view v;

	view_read(&v, p->text, p->n);
	for (size_t i = 0; i < res->n; i++)
		if (res->finding[i].patch_line)
			line[i] = view_format_line(&v, res->finding[i].patch_line - p->first_line);
	view_done(&v);
	return line;
}

/* "Subject: ..." of a piece; NULL. The caller frees. */
static char *subject_of(const struct check_piece *p)
{
	const char *at = memmem(p->text, p->n, "\nSubject: ", 10), *nl;

	if (!at)
		return NULL;
	at += 10;
	nl = memchr(at, '\n', (size_t)(p->text + p->n - at));
	return xmemdup(at, (size_t)((nl ? nl : p->text + p->n) - at));
}

static void show(struct run *r, const struct check_input *in, const struct check_piece *p,
		 const struct check_result *res)
{
	auto_free char *subject = in->n > 1 ? subject_of(p) : NULL;
	bool format = r->o.numbering && strcmp(r->o.numbering, "format-patch") == 0;
	auto_free unsigned *lines = format ? format_lines(p, res) : NULL;
	const struct check_print print = {
		.out = stdout,
		.name = strcmp(in->name, "-") == 0 ? "stdin" : in->name,
		.subject = subject,
		.format = lines,
		.show_checks = r->o.strict,
	};

	if (r->json)
		json_array_append_new(r->json, check_print_json(&print, res));
	else if (r->o.terse)
		check_print_terse(&print, res);
	else
		check_print_plain(&print, res);
}

static size_t count_findings(const struct check_result *res)
{
	size_t n = 0;

	for (size_t i = 0; i < res->n; i++)
		n += res->finding[i].level != FINDING_NOTE;
	return n;
}

static int check_piece(struct run *r, const struct check_input *in, const struct check_piece *p,
		       struct err *err)
{
	auto_free char *path = r->o.source ? path_in_tree(r, in->name) : NULL;
	struct checkpatch_options o = r->style;
	struct check_result res = {0};
	int rc;

	o.path = path;
	o.first_line = p->first_line;
	rc = checkpatch_text(&r->env, &o, p->text, p->n, &res, err);
	if (rc == 0) {
		show(r, in, p, &res);
		r->n_findings += count_findings(&res);
	}
	check_result_done(&res);
	return rc;
}

static int check_file(struct run *r, const char *name, struct err *err)
{
	struct check_input in = {0};
	int rc = check_input_read(name, r->o.source, &in, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < in.n && rc == 0; i++)
		rc = check_piece(r, &in, &in.piece[i], err);
	check_input_done(&in);
	return rc;
}

static int check_files(struct run *r, char **names, struct err *err)
{
	int rc = run_begin(r, err);

	for (; rc == 0 && *names; names++)
		rc = check_file(r, *names, err);
	if (rc == 0 && r->json) {
		json_dumpf(r->json, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	return rc;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	char dash[] = "-", *standard_input[] = {dash, NULL};
	struct run r = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &r.o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (r.o.list_types)
		return list_types();
	if (r.o.explain)
		return explain_type(r.o.explain, err);
	if (first == argc && isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE, "firn check needs a file, or - for standard input");
	rc = check_files(&r, first < argc ? argv + first : standard_input, err);
	run_end(&r);
	return rc < 0 ? rc : r.n_findings > 0;
}

static void help(FILE *out)
{
	fputs("\nFILE is a patch, a mailbox of several, or - for standard input. TYPEs and levels "
	      "are those of the kernel's\nscripts/checkpatch.pl, whose documentation is "
	      "Documentation/dev-tools/checkpatch.rst.\n\n"
	      "Exit code: 0 nothing found, 1 something found, 2 a file cannot be read, 64 wrong "
	      "usage.\n",
	      out);
}

const struct command command_check = {
	.name = "check",
	.args = "[FILE...] [OPTION...]",
	.summary = "look at the style of patches or files (checkpatch)",
	.run = run,
	.help = help,
	.options = rows,
};
