// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/serve.h"

#include "base/fs.h"
#include "base/log.h"
#include "commands/service.h"
#include "serve/config_check.h"
#include "serve/role.h"

struct serve_command_options {
	struct service_options service;
	bool no_web;
};

static const struct option_row options[] = {
	SERVICE_OPTIONS(struct serve_command_options),
	{"no-web", 0, .type = OPTION_FLAG, .help = "do not serve the status pages",
	 .offset = offsetof(struct serve_command_options, no_web)},
	{0},
};

/* Command lines of the roles. They live as long as the service. */
#define ARGV_MAX 12
#define ROLES	 4
struct lines {
	const char *argv[ROLES][ARGV_MAX];
	struct serve_role role[ROLES];
	size_t n;
	char *listen, *port; /* of the web, as configured now */
};

/* The rest of 10 s. The engine puts its trials back, and their processes end theirs. */
static const struct {
	const char *name;
	unsigned may;
	double grace_s;
} needs[] = {
	{"intake", SERVE_MAY_NETWORK, 2},
	{"engine", 0, 4},
	{"post", SERVE_MAY_NETWORK | SERVE_MAY_SECRETS, 2.5},
	{"web", SERVE_MAY_SECRETS, 1},
};

static void line_end(struct lines *l, const char *name)
{
	for (size_t i = 0; i < array_size(needs); i++)
		if (strcmp(needs[i].name, name) == 0)
			l->role[l->n] = (struct serve_role){.name = needs[i].name,
							    .argv = l->argv[l->n],
							    .may = needs[i].may,
							    .grace_s = needs[i].grace_s};
	l->n++;
}

static void line_role(struct lines *l, const struct service *s, const char *name)
{
	const char **argv = l->argv[l->n];
	size_t k = 0;

	argv[k++] = "/proc/self/exe";
	argv[k++] = name;
	argv[k++] = "--data";
	argv[k++] = s->data_dir;
	if (s->config) {
		argv[k++] = "--config";
		argv[k++] = s->config;
	}
	line_end(l, name);
}

static void web_listen(struct lines *l, const struct conf *conf)
{
	free(l->listen);
	free(l->port);
	l->listen = xstrdup(conf_str(conf, CONF_WEB_LISTEN));
	l->port = xstrdup(conf_str(conf, CONF_WEB_PORT));
}

static void line_web(struct lines *l, const struct service *s)
{
	const char **argv = l->argv[l->n];

	argv[0] = "/proc/self/exe";
	argv[1] = "web";
	argv[2] = "--cache";
	argv[3] = s->data_dir;
	argv[4] = "--listen";
	argv[5] = l->listen;
	argv[6] = "--port";
	argv[7] = l->port;
	if (s->config) {
		argv[8] = "--config";
		argv[9] = s->config;
	}
	line_end(l, "web");
}

struct reload {
	struct service *service;
	struct lines *lines;
	const char **web; /* its command line; NULL: no web */
};

static void on_mistake(void *ctx, const char *message)
{
	(void)ctx;
	log_error("%s", message);
}

static void on_warning(void *ctx, const char *message)
{
	(void)ctx;
	log_warn("%s", message);
}

static int check(const struct service *s, struct conf *ret, struct err *err)
{
	const struct config_checker c = {.on_mistake = on_mistake, .on_warning = on_warning};

	return s->config ? config_check(s->config, &c, ret, err) : 0;
}

/* The roles read the file themselves; what serve keeps of it is the address of the web. */
static bool may_reload(void *ctx)
{
	struct reload *r = ctx;
	struct conf conf = {0};
	struct err err = ERR_INIT;
	bool good = check(r->service, &conf, &err) == 0;

	if (good && r->web) {
		web_listen(r->lines, &conf);
		r->web[5] = r->lines->listen;
		r->web[7] = r->lines->port;
	}
	conf_done(&conf);
	return good;
}

/* Makes the store, or brings it up to date, before roles that would all try to. */
static int prepare(struct service *s, struct err *err)
{
	auto_free char *path = xasprintf("%s/firn.db", s->data_dir);
	int rc = fs_mkdirs(s->data_dir, err);

	if (rc == 0)
		rc = store_open(path, STORE_WRITE, &s->store, err);
	if (rc == 0)
		store_close(take(s->store));
	return rc;
}

static int serve(struct service *s, bool no_web, struct err *err)
{
	struct lines l = {0};
	struct reload r = {.service = s, .lines = &l};

	for (size_t i = 0; roles[i] && l.n < ROLES - 1; i++)
		line_role(&l, s, roles[i]->name);
	web_listen(&l, &s->conf);
	if (!no_web) {
		r.web = l.argv[l.n];
		line_web(&l, s);
	}
	const struct serve_options opt = {.data_dir = s->data_dir,
					  .role = l.role,
					  .n = l.n,
					  .may_reload = may_reload,
					  .ctx = &r};
	log_info("%s: posting is %s", s->data_dir, conf_str(&s->conf, CONF_POST_MODE));
	int rc = serve_run(&opt, err);
	free(l.listen);
	free(l.port);
	return rc;
}

static int start(const struct serve_command_options *o, struct err *err)
{
	auto_service struct service s = {0};
	struct conf checked = {0};
	int rc = service_read(&s, &o->service, err);

	if (rc == 0)
		rc = check(&s, &checked, err);
	conf_done(&checked);
	if (rc == 0)
		rc = prepare(&s, err);
	return rc < 0 ? rc : serve(&s, o->no_web, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	struct serve_command_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (first < argc)
		return err_set(err, ERR_USAGE, "firn serve takes no argument \"%s\"", argv[first]);
	log_role("serve");
	rc = start(&o, err);
	if (rc != ERR_CONFIG)
		return rc;
	log_error("%s", err->msg);
	return SERVE_EXIT_CONFIG;
}

static void help(FILE *out)
{
	fputs("\nReads sources, runs trials, posts results and shows them, each in a process of "
	      "its "
	      "own that is started again when\nit ends. SIGTERM ends all of them within 10 s; "
	      "SIGHUP reads the configuration anew, when check-config finds no\nmistake in it. "
	      "Exit "
	      "code 78: the configuration, or another firn serve runs on the same folder.\n",
	      out);
}

const struct command command_serve = {.name = "serve",
				      .args = "[--config FILE] [OPTION...]",
				      .summary = "run the service",
				      .run = run,
				      .help = help,
				      .options = options};
