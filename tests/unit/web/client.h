/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A real server in a child process, on a port that the kernel picked, and a client that may send
 * anything. */
#ifndef FIRN_TESTS_WEB_CLIENT_H
#define FIRN_TESTS_WEB_CLIENT_H

#include "base/conf.h"
#include "base/str.h"
#include <stdint.h>
#include <sys/types.h>

struct server {
	char *dir, *store_path, *token_path;
	const char *token, *url; /* url as in struct web_options; the token, in a file, is "api" */
	const char *auth_header, *auth_from;
	const struct conf *conf;
	const char *cache_dir;
	double ask_s, events_s;
	pid_t pid;
	uint16_t port;
};

/* For cmocka: *state becomes a struct server, with an empty folder and no store in it. */
int server_setup(void **state);
int server_setup_with(void **state, const char *token, const char *url);
/* The same with more options; `want` is copied, and its paths, pid and port are not looked
 * at. */
int server_setup_as(void **state, const struct server *want);
/* Writes the token file anew, as an editor does: another file under its name. */
void server_tokens(const struct server *s, const char *text);
/* Asked to end, the server ends well: with the sanitizers that means without a leak too. */
int server_teardown(void **state);

int client_connect(const struct server *s);
/* Sends the bytes as they are and reads until the server closes. Initialises `answer`. */
void client_send(const struct server *s, const char *data, size_t n, struct str *answer);
/* One request, answered by one response; `headers` are whole lines. */
void client_send_to(const struct server *s, const char *line, const char *headers, const char *body,
		    struct str *answer);
void client_ask(const struct server *s, const char *method, const char *path, struct str *answer);

int answer_status(const struct str *answer);
/* The value of a header; NULL when there is none. The caller frees. */
char *answer_header(const struct str *answer, const char *name);
const char *answer_body(const struct str *answer);
void answer_holds(const struct str *answer, const char *text);

#endif
