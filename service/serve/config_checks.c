// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/config_checks.h"

#include "base/token_file.h"
#include "serve/command_mail.h"
#include "testbeds/bench/bench.h"
#include "trial/trial.h"
#include <fcntl.h>
#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

/* "[::1]", "localhost", "127.*". */
static bool host_is_here(const char *host)
{
	size_t n = strcspn(host, "/?#");

	if (str_starts(host, "[::1]"))
		return true;
	n = strcspn(host, ":/?#") < n ? strcspn(host, ":/?#") : n;
	return (n == 9 && strncasecmp(host, "localhost", n) == 0) ||
	       (str_starts(host, "127.") && strspn(host, "0123456789.") >= n);
}

bool address_in_clear(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 && !host_is_here(url + 7);
}

static void check_address(struct checks *c, unsigned line, const char *key, const char *url)
{
	const char *host = url ? strstr(url, "://") : NULL;

	if (!host)
		return;
	if (memchr(host + 3, '@', strcspn(host + 3, "/?#")))
		checks_say(c, CHECKS_MISTAKE, line,
			   "%s: has a user name or password in it, which logs would show", key);
	if (address_in_clear(url))
		checks_say(c, CHECKS_WARNING, line,
			   "%s: http is neither secret nor safe from changes on the way: https",
			   key);
}

/* A user's group is commonly his own; a file that the others can read is no secret. */
static void check_secret(struct checks *c, unsigned line, const char *key, const char *path)
{
	auto_fd int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;

	if (!path)
		return;
	if (fd < 0 || fstat(fd, &st) < 0)
		checks_say(c, CHECKS_MISTAKE, line, "%s: cannot read %s: %s", key, path,
			   strerror(errno));
	else if (!S_ISREG(st.st_mode))
		checks_say(c, CHECKS_MISTAKE, line, "%s: %s is no file", key, path);
	else if (st.st_mode & (S_IROTH | S_IWOTH))
		checks_say(c, CHECKS_MISTAKE, line, "%s: everybody can %s %s: chmod 640, or 600",
			   key, st.st_mode & S_IWOTH ? "write to" : "read", path);
	else if (st.st_size == 0)
		checks_say(c, CHECKS_MISTAKE, line, "%s: %s is empty", key, path);
}

static void check_tokens(struct checks *c)
{
	const char *path = conf_str(c->conf, CONF_WEB_TOKEN);
	struct tokens tokens = {0};
	struct err err = ERR_INIT;

	if (path && tokens_read(path, &tokens, &err) < 0)
		checks_say(c, CHECKS_MISTAKE, c->conf->line[CONF_WEB_TOKEN], "web.token-file: %s",
			   err.msg);
	tokens_done(&tokens);
}

void checks_files(struct checks *c)
{
	check_secret(c, c->conf->line[CONF_POST_PASSWORD], "post.password-file",
		     conf_str(c->conf, CONF_POST_PASSWORD));
	check_tokens(c);
}

static bool step_known(const char *name)
{
	const char *step, *summary;

	for (unsigned i = 0; trial_step_info(i, &step, &summary); i++)
		if (strcmp(step, name) == 0)
			return true;
	return false;
}

static bool bench_known(const char *name)
{
	return bench_find(name) != NULL;
}

static void check_words(struct checks *c, const struct conf_section *s, enum conf_section_id id,
			bool (*known)(const char *name), const char *what)
{
	auto_free char **words = conf_section_words(s, id);

	for (size_t i = 0; words && words[i]; i++)
		if (!known(words[i]))
			checks_say(c, CHECKS_MISTAKE, s->value_line[id],
				   "[list \"%s\"] %s: no %s \"%s\"", s->name,
				   conf_section_keys[id].key.key, what, words[i]);
}

static void check_dkim(struct checks *c, const struct conf_section *s)
{
	const char *dkim = conf_section_str(s, CONF_LIST_DKIM);

	if (strcmp(dkim, "verify") == 0 && !command_can_verify())
		checks_say(c, CHECKS_MISTAKE, s->value_line[CONF_LIST_DKIM],
			   "[list \"%s\"] dkim: this firn was built without libopendkim", s->name);
	if (strcmp(dkim, "results") == 0 && !conf_section_str(s, CONF_LIST_AUTHSERV))
		checks_say(c, CHECKS_MISTAKE, s->value_line[CONF_LIST_DKIM],
			   "[list \"%s\"] dkim = results needs authserv", s->name);
}

static void check_list(struct checks *c, const struct conf_section *s)
{
	check_dkim(c, s);
	check_words(c, s, CONF_LIST_ONLY, step_known, "step");
	check_words(c, s, CONF_LIST_BENCH, bench_known, "benchmark");
	check_address(c, s->value_line[CONF_LIST_LORE], "lore",
		      conf_section_str(s, CONF_LIST_LORE));
}

/* A branch that is not there yet may come with the next fetch. */
static void check_branches(struct checks *c, const struct conf_section *s, git_repository *repo)
{
	auto_free char **names = conf_section_words(s, CONF_TREE_BRANCHES);

	for (size_t i = 0; names && names[i]; i++) {
		auto_git(object) git_object *object = NULL;

		if (git_revparse_single(&object, repo, names[i]) < 0)
			checks_say(c, CHECKS_WARNING, s->value_line[CONF_TREE_BRANCHES],
				   "[tree \"%s\"] branches: %s has no \"%s\" now", s->name,
				   conf_section_str(s, CONF_TREE_PATH), names[i]);
	}
}

static void check_tree(struct checks *c, const struct conf_section *s)
{
	const char *path = conf_section_str(s, CONF_TREE_PATH),
		   *url = conf_section_str(s, CONF_TREE_URL);
	auto_git(repository) git_repository *repo = NULL;

	check_address(c, s->value_line[CONF_TREE_URL], "url", url);
	if (!path)
		return;
	if (git_repository_open_ext(&repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) < 0)
		checks_say(c, CHECKS_MISTAKE, s->value_line[CONF_TREE_PATH],
			   "[tree \"%s\"] path: %s is no git repository that can be read", s->name,
			   path);
	else
		check_branches(c, s, repo);
}

static void check_patchwork(struct checks *c, const struct conf_section *s)
{
	check_address(c, s->value_line[CONF_PATCHWORK_URL], "url",
		      conf_section_str(s, CONF_PATCHWORK_URL));
	check_secret(c, s->value_line[CONF_PATCHWORK_TOKEN], "token-file",
		     conf_section_str(s, CONF_PATCHWORK_TOKEN));
}

void checks_sections(struct checks *c)
{
	static void (*const check[])(struct checks * c, const struct conf_section *s) = {
		[CONF_SECTION_LIST] = check_list,
		[CONF_SECTION_TREE] = check_tree,
		[CONF_SECTION_PATCHWORK] = check_patchwork};

	for (size_t i = 0; i < c->conf->n_sections; i++)
		check[c->conf->section[i].kind](c, &c->conf->section[i]);
}

static bool some_list_mails(const struct conf *conf, const struct conf_section **ret)
{
	for (size_t i = 0; (*ret = conf_section_nth(conf, CONF_SECTION_LIST, i)) != NULL; i++)
		if (strcmp(conf_section_str(*ret, CONF_LIST_MAIL), "never") != 0)
			return true;
	return false;
}

static void check_mail(struct checks *c)
{
	static const enum conf_id needed[] = {CONF_POST_FROM, CONF_POST_SMTP};
	const struct conf_section *list;

	if (!some_list_mails(c->conf, &list))
		return;
	for (size_t i = 0; i < array_size(needed); i++)
		if (!conf_str(c->conf, needed[i]))
			checks_say(c, CHECKS_MISTAKE, c->conf->line[CONF_POST_MODE],
				   "post.mode: [list \"%s\"] answers by mail, which needs %s "
				   "(or mail = never)",
				   list->name, conf_keys[needed[i]].key);
}

static void check_checks(struct checks *c)
{
	const struct conf_section *list;

	for (size_t i = 0; (list = conf_section_nth(c->conf, CONF_SECTION_LIST, i)) != NULL; i++) {
		const char *name = conf_section_str(list, CONF_LIST_PATCHWORK);
		const struct conf_section *server =
			name ? conf_section_find(c->conf, CONF_SECTION_PATCHWORK, name) : NULL;

		if (server && conf_section_bool(list, CONF_LIST_CHECKS) &&
		    !conf_section_str(server, CONF_PATCHWORK_TOKEN))
			checks_say(
				c, CHECKS_MISTAKE, server->line,
				"[patchwork \"%s\"] needs token-file: [list \"%s\"] posts checks "
				"(or checks = false)",
				name, list->name);
	}
}

/* Without addresses anybody could say who he is. */
static void check_proxy(struct checks *c)
{
	bool header = conf_str(c->conf, CONF_WEB_AUTH_HEADER) != NULL;
	bool from = conf_str(c->conf, CONF_WEB_AUTH_FROM) != NULL;

	if (header && !from)
		checks_say(c, CHECKS_MISTAKE, c->conf->line[CONF_WEB_AUTH_HEADER],
			   "web.auth-header: needs web.auth-from, the addresses of the proxy that "
			   "sets it");
	if (from && !header)
		checks_say(c, CHECKS_WARNING, c->conf->line[CONF_WEB_AUTH_FROM],
			   "web.auth-from: does nothing without web.auth-header");
}

void checks_together(struct checks *c)
{
	const char *smtp = conf_str(c->conf, CONF_POST_SMTP);
	unsigned smtp_line = c->conf->line[CONF_POST_SMTP];

	check_address(c, c->conf->line[CONF_WEB_URL], "web.url", conf_str(c->conf, CONF_WEB_URL));
	check_proxy(c);
	if (conf_str(c->conf, CONF_POST_USER) && !conf_str(c->conf, CONF_POST_PASSWORD))
		checks_say(c, CHECKS_MISTAKE, c->conf->line[CONF_POST_USER],
			   "post.user: needs post.password-file");
	if (smtp && strcmp(conf_str(c->conf, CONF_POST_TLS), "none") == 0 && !host_is_here(smtp))
		checks_say(c, CHECKS_WARNING, smtp_line,
			   "post.tls: mails and the password go to %s in clear", smtp);
	if (strcmp(conf_str(c->conf, CONF_POST_MODE), "dry-run") == 0)
		return;
	check_mail(c);
	check_checks(c);
}
