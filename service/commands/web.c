// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/web.h"
#include "base/fs.h"
#include "base/log.h"
#include "commands/command.h"
#include "commands/output.h"
#include "serve/serve.h"

struct web_command_options {
	const char *config, *cache, *listen, *port;
};

#define STRING(member) .type = OPTION_STRING, .offset = offsetof(struct web_command_options, member)

static const struct option_row options[] = {
	{"config", 0, .arg = "FILE",
	 .help = "the service's configuration: [web], and data.dir as the cache [none]",
	 STRING(config)},
	{"cache", 0, .arg = "DIR", .help = "whose runs to show [$XDG_CACHE_HOME/firn]",
	 STRING(cache)},
	{"listen", 'l', .arg = "ADDRESS", .help = "address to listen on [web.listen, 127.0.0.1]",
	 STRING(listen)},
	{"port", 'p', .arg = "N", .help = "port; 0 picks a free one [web.port, 8080]",
	 STRING(port)},
	{0},
};

static void on_ready(void *ctx, const char *address, uint16_t port)
{
	(void)ctx;
	log_info(strchr(address, ':') ? "http://[%s]:%u/ (Ctrl-C ends it)"
				      : "http://%s:%u/ (Ctrl-C ends it)",
		 address, port);
}

static void on_error(void *ctx, const struct err *err)
{
	(void)ctx;
	log_warn("%s", err->msg);
}

static void on_tokens(void *ctx, size_t n)
{
	(void)ctx;
	log_info("web.token-file is read again: tokens in it: %zu", n);
}

/* `firn serve` wants to know. */
static void on_turn(void *ctx)
{
	serve_alive(ctx);
}

static int parse_port(const char *s, uint16_t *ret_port, struct err *err)
{
	char *end;
	unsigned long n = strtoul(s, &end, 10);

	if (!*s || *end || n > UINT16_MAX)
		return err_set(err, ERR_USAGE, "--port: \"%s\" is not a port", s);
	*ret_port = (uint16_t)n;
	return 0;
}

static char *store_path(const struct web_command_options *o, const struct conf *conf)
{
	auto_free char *dflt = o->cache || o->config ? NULL : fs_cache_dir();
	const char *dir = o->cache ? o->cache : o->config ? conf_str(conf, CONF_DATA_DIR) : dflt;

	return xasprintf("%s/firn.db", dir);
}

static int serve_pages(const struct web_command_options *o, const struct conf *conf,
		       struct err *err)
{
	auto_free char *store = store_path(o, conf), *cache = NULL;
	int alive_fd = serve_alive_open();
	struct web_options web = {.store_path = store,
				  .address =
					  o->listen ? o->listen : conf_str(conf, CONF_WEB_LISTEN),
				  .url = conf_str(conf, CONF_WEB_URL),
				  .token_file = conf_str(conf, CONF_WEB_TOKEN),
				  .auth_header = conf_str(conf, CONF_WEB_AUTH_HEADER),
				  .auth_from = conf_str(conf, CONF_WEB_AUTH_FROM),
				  .conf = o->config ? conf : NULL,
				  .on_ready = on_ready,
				  .on_error = on_error,
				  .on_tokens = on_tokens,
				  .on_turn = on_turn,
				  .ctx = &alive_fd};
	int rc = parse_port(o->port ? o->port : conf_str(conf, CONF_WEB_PORT), &web.port, err);

	if (rc == 0)
		rc = command_cache(o->cache, conf, &cache, err);
	web.cache_dir = cache;
	if (alive_fd >= 0)
		log_role("web");
	return rc < 0 ? rc : web_serve(&web, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	struct web_command_options o = {0};
	struct conf conf = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc != first)
		return err_set(err, ERR_USAGE,
			       "firn web takes no argument \"%s\" (firn web --help)", argv[first]);
	if (o.config)
		rc = conf_read(&conf, o.config, NULL, NULL, err);
	if (rc == 0)
		rc = serve_pages(&o, &conf, err);
	conf_done(&conf);
	return rc;
}

const struct command command_web = {
	.name = "web",
	.args = "[OPTION...]",
	.summary = "show all runs of a cache in a browser",
	.run = run,
	.options = options,
};
