/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A real server in a child process, on a port that the kernel picked, and a client that may send
 * anything. */
#ifndef FIRN_TESTS_WEB_CLIENT_H
#define FIRN_TESTS_WEB_CLIENT_H

#include "base/str.h"
#include <stdint.h>
#include <sys/types.h>

struct server {
	char *dir, *store_path;
	const char *token, *url; /* as in struct web_options */
	pid_t pid;
	uint16_t port;
};

/* For cmocka: *state becomes a struct server, with an empty folder and no store in it. */
int server_setup(void **state);
int server_setup_with(void **state, const char *token, const char *url);
/* Asked to end, the server ends well: with the sanitizers that means without a leak too. */
int server_teardown(void **state);

int client_connect(const struct server *s);
/* Sends the bytes as they are and reads until the server closes. Initialises `answer`. */
void client_send(const struct server *s, const char *data, size_t n, struct str *answer);
/* One request, answered by one response. */
void client_ask(const struct server *s, const char *method, const char *path, struct str *answer);

int answer_status(const struct str *answer);
const char *answer_body(const struct str *answer);
void answer_holds(const struct str *answer, const char *text);

#endif
