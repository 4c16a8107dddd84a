// SPDX-License-Identifier: GPL-2.0-or-later
/* "firn: rerun build boot base v6.12" */
#include "serve/command_mail.h"

#include <ctype.h>

#define REV_MAX	  100
#define WORDS_MAX 20

/* A revision as people write one. Never an option, nor a path with a space or a colon. */
static bool rev_is_fine(const char *rev)
{
	size_t n = strlen(rev);

	if (!n || n > REV_MAX || rev[0] == '-' || strstr(rev, "..") || strstr(rev, "@{"))
		return false;
	for (; *rev; rev++)
		if (!isalnum((unsigned char)*rev) && !strchr("._/^~-+@", *rev))
			return false;
	return true;
}

static bool step_is_known(const char *word)
{
	static const char *const steps[] = {"apply", "check", "build", "boot", "bench"};

	for (size_t i = 0; i < array_size(steps); i++)
		if (strcmp(word, steps[i]) == 0)
			return true;
	if (!str_starts(word, "bench-") || !word[6] || strlen(word) > 60)
		return false;
	return word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static char *word_next(char **rest)
{
	char *word = *rest + strspn(*rest, " \t,\r");
	size_t n = strcspn(word, " \t,\r");

	if (!n)
		return NULL;
	*rest = word + n;
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

static int rerun_read(char *rest, json_t *arguments, struct err *err)
{
	auto_str struct str only;
	bool all = false;
	char *word;

	str_init(&only, 2000);
	for (unsigned i = 0; (word = word_next(&rest)); i++) {
		if (i >= WORDS_MAX)
			return err_set(err, ERR_INPUT, "too many words");
		if (strcmp(word, "base") == 0) {
			word = word_next(&rest);
			if (!word || !rev_is_fine(word))
				return err_set(err, ERR_INPUT, "\"base\" is without a revision");
			json_object_set_new(arguments, "base", json_string(word));
		} else if (strcmp(word, "all") == 0) {
			all = true;
		} else if (step_is_known(word)) {
			str_addf(&only, "%s%s", only.len ? "," : "", word);
		} else {
			return err_set(err, ERR_INPUT, "\"%.40s\" is nothing that can be run",
				       word);
		}
	}
	if (only.len && !all)
		json_object_set_new(arguments, "only", json_string(only.buf));
	return 0;
}

int command_parse(const char *line, struct command *ret, struct err *err)
{
	auto_json json_t *arguments = json_object();
	auto_free char *copy = xstrdup(line);
	char *rest = copy + (strncasecmp(copy, "firn:", 5) == 0 ? 5 : 0), *word = word_next(&rest);
	enum command_kind kind;
	int rc = 0;

	if (!utf8_valid(line, strlen(line)))
		return err_set(err, ERR_INPUT, "the line is not UTF-8");
	if (word && strcasecmp(word, "rerun") == 0)
		kind = COMMAND_RERUN;
	else if (word && strcasecmp(word, "stop") == 0)
		kind = COMMAND_STOP;
	else
		return err_set(err, ERR_INPUT, "no command \"%.40s\"; there are rerun and stop",
			       word ? word : "");
	if (kind == COMMAND_RERUN)
		rc = rerun_read(rest, arguments, err);
	if (rc < 0)
		return rc;
	*ret = (struct command){.kind = kind, .arguments = take(arguments)};
	return 0;
}

void command_done(struct command *c)
{
	json_decref(c->arguments);
	c->arguments = NULL;
}
