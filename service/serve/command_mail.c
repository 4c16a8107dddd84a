// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of a command: who gave it, whether he may, and the request. */
#include "serve/command_mail.h"

#include "base/clock.h"
#include "base/json.h"
#include "series/mail_kind.h"
#include "serve/intake.h"
#include "store/requests.h"

#define HOUR_S		  3600
#define REQUESTS_PER_HOUR 10
/* Of a series with more files, whoever looks after the others has to wait for the author. */
#define FILES_MAX	200
#define MAINTAINERS_MAX ((size_t)16 << 20)

/* One command on its way. `why` is set once it is refused. */
struct run {
	const struct command_mail *c;
	const struct conf_section *list;
	struct store_posting posting; /* zero: not known */
	struct command command;
	char *why;
	bool telling; /* the sender is who he says: a refusal may go to him */
};

__attribute__((format(printf, 2, 3))) static void refuse(struct run *r, const char *fmt, ...)
{
	auto_str struct str s;
	va_list ap;

	str_init(&s, 500);
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	free(r->why);
	r->why = str_take(&s);
}

/* The posting's list; without one, the first of the configuration that the mail was seen on. */
static int list_find(struct run *r, struct err *err)
{
	const struct command_mail *c = r->c;
	const struct conf_section *list;
	int rc = 0;

	if (c->posting)
		rc = store_posting_get(c->store, c->posting, &r->posting, err);
	if (rc == 0 && r->posting.id)
		r->list = conf_section_find(c->conf, CONF_SECTION_LIST, r->posting.list);
	for (size_t i = 0; rc == 0 && !r->list; i++) {
		bool is_on = false;

		list = conf_section_nth(c->conf, CONF_SECTION_LIST, i);
		if (!list)
			break;
		rc = store_mail_is_on(c->store, c->id, list->name, &is_on, err);
		if (is_on)
			r->list = list;
	}
	return rc;
}

static void authenticate(struct run *r)
{
	const struct command_auth how = {.authserv = conf_section_str(r->list, CONF_LIST_AUTHSERV),
					 .key_file = r->c->key_file};
	const char *dkim = conf_section_str(r->list, CONF_LIST_DKIM);
	auto_free char *why = NULL;

	if (strcmp(dkim, "results") == 0)
		command_auth_results(r->c->mail, &how, &why);
	else if (strcmp(dkim, "verify") == 0)
		command_auth_verify(r->c->mail, &how, &why);
	else
		return;
	/* The list put its own address into From:, and the sender's elsewhere: nobody signed that.
	 */
	if (!why && strcasecmp(r->c->mail->from.email, r->c->who) != 0)
		why = xstrdup("the list rewrote its From:");
	if (why)
		refuse(r, "the sender is not certain: %s", why);
}

static void files_add(char ***files, size_t *n, size_t *cap, const struct diff *d)
{
	for (size_t i = 0; d && i < d->n_files && *n < FILES_MAX; i++) {
		arr_grow(*files, *n, *cap);
		(*files)[(*n)++] = xstrdup(diff_file_path(&d->file[i]));
	}
}

static int patch_mail(struct store *s, const struct store_posting_patch *p, struct mail_list *mails,
		      struct err *err)
{
	auto_store_mail_list struct store_mail_list l = {0};
	struct err ignored = ERR_INIT;
	struct mail *m = NULL;
	int rc = store_mail_list_by_id(s, p->message_id, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.mail[i].id == p->mail && l.mail[i].raw &&
		    mail_parse(l.mail[i].raw, l.mail[i].raw_len, "mail", &m, &ignored) == 0)
			mail_list_add(mails, take(m));
	return rc;
}

/* The files that the posting touches, NULL at the end. */
static int files_find(const struct run *r, char ***ret_files, struct err *err)
{
	struct mail_list mails = {0};
	struct series_set set = {0};
	char **files = NULL;
	size_t n = 0, cap = 0;
	int rc = 0;

	for (size_t i = 0; i < r->posting.n_patches && rc == 0; i++)
		rc = patch_mail(r->c->store, &r->posting.patch[i], &mails, err);
	if (rc == 0)
		rc = collate(&mails, &set, err);
	for (size_t i = 0; i < set.n_series; i++)
		for (size_t k = 0; k < set.series[i].n_patches; k++)
			files_add(&files, &n, &cap, set.series[i].patch[k].diff);
	arr_grow(files, n, cap);
	files[n] = NULL;
	series_set_done(&set);
	mail_list_done(&mails);
	*ret_files = files;
	return rc;
}

static bool looks_after(const struct run *r, char *const *files)
{
	auto_list_tree struct list_tree tree = {0};
	git_tree_entry *entry = NULL;
	auto_git(blob) git_blob *blob = NULL;
	bool has = false;

	list_tree_open(r->c->conf, r->list, &tree);
	if (tree.tree && git_tree_entry_bypath(&entry, tree.tree, "MAINTAINERS") == 0 &&
	    git_blob_lookup(&blob, tree.repo, git_tree_entry_id(entry)) == 0 &&
	    git_blob_rawsize(blob) <= (git_object_size_t)MAINTAINERS_MAX)
		has = maintainers_has(git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob),
				      r->c->who, files);
	git_tree_entry_free(entry);
	return has;
}

static bool commands_always(const struct run *r)
{
	auto_free char **words = conf_section_words(r->list, CONF_LIST_COMMANDERS);

	for (char **w = words; w && *w; w++)
		if (strcasecmp(*w, r->c->who) == 0)
			return true;
	return false;
}

static int authorise(struct run *r, struct err *err)
{
	char **files = NULL;
	int rc;

	if (!r->posting.id) {
		refuse(r, "the series that it answers is not known here");
		return 0;
	}
	if (strcasecmp(r->posting.author_email, r->c->who) == 0 || commands_always(r))
		return 0;
	rc = files_find(r, &files, err);
	if (rc == 0 && !looks_after(r, files))
		refuse(r, "<%s> is neither the series' author nor in MAINTAINERS for its files",
		       r->c->who);
	for (char **f = files; f && *f; f++)
		free(*f);
	free(files);
	return rc;
}

static int rate_look(struct run *r, struct err *err)
{
	unsigned n = 0;
	int rc = store_request_count(r->c->store, r->c->who, NULL, clock_wall() - HOUR_S, &n, err);

	if (rc == 0 && n >= REQUESTS_PER_HOUR) {
		refuse(r, "<%s> has made %u requests in an hour", r->c->who, n);
		r->telling = false;
	}
	return rc;
}

static int request_add(struct run *r, json_t *arguments, int64_t *ret_id, struct err *err)
{
	bool stop = r->command.kind == COMMAND_STOP && !r->why;
	const struct store_request request = {
		.kind = stop ? (char *)"suppress" : (char *)"rerun",
		.message_id = r->why ? (char *)"" : r->posting.message_id,
		.arguments = arguments,
		.who = (char *)r->c->who,
		.via = (char *)"mail",
		.mail = r->c->id,
	};

	return store_request_add(r->c->store, &request, ret_id, err);
}

/* A request that the engine answers with these words. */
static int refusal_add(struct run *r, struct err *err)
{
	auto_json json_t *arguments = json_object();
	int64_t id = 0;

	json_object_set_new(arguments, "refuse", json_text(r->why));
	json_object_set_new(arguments, "about", json_text(r->posting.message_id));
	return request_add(r, arguments, &id, err);
}

/* What needs no look into the store. */
static void look_first(struct run *r)
{
	auto_free char *line = mail_command(r->c->mail);
	auto_free char *loop = command_loop(r->c->conf, r->c->mail);
	struct err why = ERR_INIT;

	if (loop)
		refuse(r, "%s", loop);
	else if (!line || !strchr(r->c->who, '@') || !utf8_valid(r->c->who, strlen(r->c->who)))
		refuse(r, "it has no sender that could be answered");
	else if (!r->list)
		refuse(r, "no list of the configuration has it");
	else if (!conf_section_bool(r->list, CONF_LIST_COMMANDS))
		refuse(r, "list \"%s\" takes no commands", r->list->name);
	else
		authenticate(r);
	if (r->why)
		return;
	r->telling = true;
	if (command_parse(line, &r->command, &why) < 0)
		refuse(r, "%s", why.msg);
}

static int run(struct run *r, int64_t *ret_id, struct err *err)
{
	int rc = list_find(r, err);

	if (rc < 0)
		return rc;
	look_first(r);
	if (r->telling)
		rc = rate_look(r, err);
	if (rc == 0 && !r->why && r->command.kind == COMMAND_RERUN)
		rc = authorise(r, err);
	if (rc == 0 && !r->why && r->command.kind == COMMAND_STOP)
		json_object_set_new(r->command.arguments, "address", json_string(r->c->who));
	if (rc < 0)
		return rc;
	if (!r->why)
		return request_add(r, r->command.arguments, ret_id, err);
	return r->telling && r->posting.id ? refusal_add(r, err) : 0;
}

int command_mail_run(const struct command_mail *c, char **ret_words, struct err *err)
{
	struct run r = {.c = c};
	int64_t id = 0;
	int rc = run(&r, &id, err);

	if (rc == 0)
		*ret_words = r.why ? xasprintf("refused: %s", r.why)
				   : xasprintf("request %lld", (long long)id);
	free(r.why);
	command_done(&r.command);
	store_posting_done(&r.posting);
	return rc;
}
