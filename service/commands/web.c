// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/web.h"
#include "base/fs.h"
#include "base/log.h"
#include "commands/command.h"
#include "serve/serve.h"

struct web_command_options {
	const char *cache, *listen, *port;
};

#define STRING(member) .type = OPTION_STRING, .offset = offsetof(struct web_command_options, member)

static const struct option_row options[] = {
	{"cache", 0, .arg = "DIR", .help = "whose runs to show [$XDG_CACHE_HOME/firn]",
	 STRING(cache)},
	{"listen", 'l', .arg = "ADDRESS", .help = "address to listen on [127.0.0.1]",
	 STRING(listen)},
	{"port", 'p', .arg = "N", .help = "port; 0 picks a free one [8080]", STRING(port)},
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

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	struct web_command_options o = {.port = "8080"};
	int alive_fd = serve_alive_open();
	struct web_options web = {
		.on_ready = on_ready, .on_error = on_error, .on_turn = on_turn, .ctx = &alive_fd};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc != first)
		return err_set(err, ERR_USAGE,
			       "firn web takes no argument \"%s\" (firn web --help)", argv[first]);
	rc = parse_port(o.port, &web.port, err);
	if (rc < 0)
		return rc;
	auto_free char *cache = o.cache ? xstrdup(o.cache) : fs_cache_dir();
	auto_free char *store = xasprintf("%s/firn.db", cache);
	web.store_path = store;
	web.address = o.listen;
	if (alive_fd >= 0)
		log_role("web");
	return web_serve(&web, err);
}
const struct command command_web = {
	.name = "web",
	.args = "[OPTION...]",
	.summary = "show all runs of a cache in a browser",
	.run = run,
	.options = options,
};
