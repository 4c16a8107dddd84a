// SPDX-License-Identifier: GPL-2.0-or-later
/* What a request brings: path, query or form, cookies, the lists in its headers, and what somebody
 * types into the search box. Whatever they hold, the results are in their bounds, and what was
 * decoded can be encoded and decoded again. */
#include "fuzz.h"

#include "base/str.h"
#include "web/accept.h"
#include "web/decode.h"
#include "web/link_parse.h"
#include "web/path.h"
#include "web/session.h"
#include "web/work_file.h"
#include <stdlib.h>

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void paths(const char *line)
{
	static const char *const patterns[] = {
		"/m/{rest}",	      "/badge/m/{rest}.svg",	     "/list/{name}/feed.atom",
		"/bench/{name}.json", "/series/{id}/patch/{id}/raw", "/trial/{id}/log/{rest}"};

	for (size_t i = 0; i < array_size(patterns); i++) {
		struct path_parts p = {0};

		if (!path_match(patterns[i], line, &p))
			continue;
		must(p.id >= 0 && p.id2 >= 0);
		must(!p.name ||
		     (*p.name && strlen(p.name) <= PATH_NAME_MAX && !strchr(p.name, '/')));
		must(!p.rest || (*p.rest && strlen(p.rest) <= PATH_REST_MAX &&
				 !strpbrk(p.rest, "\r\n\x1b\x7f")));
		path_parts_done(&p);
	}
}

static void decoders(const char *line, size_t n)
{
	struct pairs pairs = {0};
	auto_str struct str plain, again, back;

	(void)!pairs_read(&pairs, line, n);
	must(pairs.n <= PAIRS_MAX);
	for (size_t i = 0; i < pairs.n; i++)
		must(strlen(pairs.pair[i].key) <= PAIR_KEY_MAX &&
		     strlen(pairs.pair[i].value) <= PAIR_VALUE_MAX);
	pairs_done(&pairs);
	str_init(&plain, 0);
	str_init(&again, 0);
	str_init(&back, 0);
	if (!percent_decode(&plain, line, n, false) || strlen(plain.buf) != plain.len)
		return;
	percent_encode(&again, plain.buf, false);
	must(!strpbrk(again.buf, "\r\n\"<>& /?#"));
	must(percent_decode(&back, again.buf, again.len, false));
	must(strcmp(back.buf, plain.buf) == 0);
}

static void headers(const char *line)
{
	static const struct tokens tokens = {
		.token = {{.name = (char *)"ada", .secret = (char *)"0123456789abcdef"}}, .n = 1};
	static const struct web_options opt = {0};
	const struct request q = {.opt = &opt, .tokens = &tokens};
	struct session_key key;

	(void)accepts_gzip(line);
	(void)etag_is_among(line, "0123456789abcdef0123456789abcdef");
	/* Nobody is signed in by chance: such a cookie needs a MAC. */
	must(!session_cookie_who(&q, line, 1, &key));
	must(*session_return(line) == '/' && session_return(line)[1] != '/');
}

static void search(const char *line, size_t n)
{
	struct link_parsed link;

	link_parse(line, &link);
	must(link.number >= 0);
	must(!link.message_id || (*link.message_id && strlen(link.message_id) <= n));
	must((link.kind == LINK_MESSAGE) == (link.message_id != NULL));
	link_parsed_done(&link);
	must(!work_path_ok(line) || (!strstr(line, "/.") && *line != '.' && *line != '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *line = xmemdup((const char *)data, size);

	if (size > 16384) /* as the server */
		return 0;
	decoders(line, size);
	paths(line);
	headers(line);
	search(line, strlen(line));
	return 0;
}
