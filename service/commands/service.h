/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands of the service have in common: --config, --data, and the store behind them. */
#ifndef FIRN_COMMANDS_SERVICE_H
#define FIRN_COMMANDS_SERVICE_H

#include "commands/command.h"
#include "store/store.h"
#include <jansson.h>

struct service_options {
	const char *config, *data; /* NULL: the default file; what it says */
};

/* The first rows of a command's options; `at` is the struct that holds a service_options named
 * `service`. */
#define SERVICE_OPTIONS(at)                                                                        \
	{"config",                                                                                 \
	 0,                                                                                        \
	 .arg = "FILE",                                                                            \
	 .help = "configuration [$XDG_CONFIG_HOME/firn/config, else /etc/firn/config]",            \
	 .type = OPTION_STRING,                                                                    \
	 .offset = offsetof(at, service.config)},                                                  \
	{                                                                                          \
		"data", 0, .arg = "DIR", .help = "the service's folder [data.dir]",                \
			   .type = OPTION_STRING, .offset = offsetof(at, service.data)             \
	}

struct service {
	struct conf conf;
	char *config; /* absolute; NULL: no file */
	char *data_dir;
	struct store *store; /* NULL until service_open() */
};

/* Reads the configuration. `s` zeroed; service_done() also after a failure. */
must_check int service_read(struct service *s, const struct service_options *o, struct err *err);
/* The same, and opens the store. */
must_check int service_open(struct service *s, const struct service_options *o,
			    enum store_mode mode, struct err *err);
void service_done(struct service *s);
#define auto_service __attribute__((cleanup(service_done)))

/* Appends a request of the user who runs this. `arguments` is taken. */
must_check int service_request(struct service *s, const char *kind, const char *message_id,
			       json_t *arguments, int64_t *ret_id, struct err *err);
/* Follows a request to its answer: prints it. `timeout_s` 0: for good. Returns the exit code: 1
 * for a refusal. `*ret_trial` 0: none, or no answer yet. */
must_check int service_follow(struct service *s, int64_t request, double timeout_s,
			      int64_t *ret_trial, struct err *err);

/* {name: rows, "more": more} on the standard output, for --json; takes the rows. */
void print_json(const char *name, json_t *rows, bool more);
/* A number from 1 on, for ids. ERR_USAGE. */
must_check int parse_id(const char *text, const char *what, int64_t *ret_id, struct err *err);
/* For lines that show what strangers wrote: control characters become '?', cut at `width` bytes
 * (whole characters). The caller frees. */
char *shown(const char *text, size_t width);

#endif
