// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/service.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "store/requests.h"
#include <poll.h>
#include <pwd.h>

#define LOOK_MS 200

static int config_path(const struct service_options *o, char **ret_path, struct err *err)
{
	auto_free char *dflt = o->config ? NULL : conf_default_path();
	const char *path = o->config ? o->config : dflt;

	if (!path)
		return 0;
	*ret_path = realpath(path, NULL);
	return *ret_path ? 0 : err_sys(err, ERR_CONFIG, "%s", path);
}

int service_read(struct service *s, const struct service_options *o, struct err *err)
{
	int rc = config_path(o, &s->config, err);

	if (rc == 0 && s->config)
		rc = conf_read(&s->conf, s->config, NULL, NULL, err);
	if (rc < 0)
		return rc;
	if (!o->data) {
		s->data_dir = xstrdup(conf_str(&s->conf, CONF_DATA_DIR));
		return 0;
	}
	s->data_dir = realpath(o->data, NULL);
	return s->data_dir ? 0 : err_sys(err, ERR_CONFIG, "--data %s", o->data);
}

int service_open(struct service *s, const struct service_options *o, enum store_mode mode,
		 struct err *err)
{
	int rc = service_read(s, o, err);

	if (rc < 0)
		return rc;
	auto_free char *path = xasprintf("%s/firn.db", s->data_dir);
	if (!fs_exists(path) && mode == STORE_READ)
		return err_set(err, ERR_CONFIG,
			       "%s is not there: firn serve makes it (data.dir, or --data, says "
			       "where)",
			       path);
	return store_open(path, mode, &s->store, err);
}

void service_done(struct service *s)
{
	store_close(s->store);
	conf_done(&s->conf);
	free(s->config);
	free(s->data_dir);
	*s = (struct service){0};
}

static char *user_name(void)
{
	const struct passwd *pw = getpwuid(getuid());

	return pw ? xstrdup(pw->pw_name) : xasprintf("uid %u", (unsigned)getuid());
}

int service_request(struct service *s, const char *kind, const char *message_id, json_t *arguments,
		    int64_t *ret_id, struct err *err)
{
	auto_free char *who = user_name();
	auto_json json_t *owned = arguments;
	const struct store_request r = {.kind = (char *)kind,
					.message_id = (char *)message_id,
					.arguments = owned,
					.who = who,
					.via = (char *)"command"};

	return store_request_add(s->store, &r, ret_id, err);
}

static int print_answer(const struct store_answer *a)
{
	auto_free char *words = shown(a->words, 400);

	puts(words);
	return a->good ? 0 : 1;
}

int service_follow(struct service *s, int64_t request, double timeout_s, int64_t *ret_trial,
		   struct err *err)
{
	double end = timeout_s > 0 ? clock_mono() + timeout_s : 0;
	struct pollfd cancel = {.fd = cancel_fd(), .events = POLLIN};

	*ret_trial = 0;
	while (!cancel_requested()) {
		struct store_answer a = {0};
		int rc = store_request_look(s->store, request, &a, err);
		bool given = rc == 0 && a.given;

		if (given) {
			*ret_trial = a.trial;
			rc = print_answer(&a);
		}
		store_answer_done(&a);
		if (rc < 0 || given)
			return rc;
		if (end > 0 && clock_mono() >= end) {
			printf("request %lld waits: it is answered once firn serve runs\n",
			       (long long)request);
			return 0;
		}
		(void)!poll(&cancel, 1, LOOK_MS);
	}
	return err_cancelled(err);
}

int parse_id(const char *text, const char *what, int64_t *ret_id, struct err *err)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (strspn(text, "0123456789") != strlen(text) || *end || errno || n == 0 || n > INT64_MAX)
		return err_set(err, ERR_USAGE, "\"%s\" is not the number of %s", text, what);
	*ret_id = (int64_t)n;
	return 0;
}

char *shown(const char *text, size_t width)
{
	char *copy = xstrdup(text ? text : "");
	size_t n = strlen(copy);

	if (n > width) {
		for (n = width; n > 0 && ((unsigned char)copy[n] & 0xc0) == 0x80; n--)
			;
		copy[n] = '\0';
	}
	for (char *p = copy; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return copy;
}

void print_json(const char *name, json_t *rows, bool more)
{
	auto_json json_t *obj = json_pack("{s:o, s:b}", name, rows, "more", more);

	json_dumpf(obj, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	putchar('\n');
}
