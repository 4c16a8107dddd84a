// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/qmp.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/proc.h"
#include <poll.h>
#include <sys/socket.h>

#define ANSWER_S 60.0
/* The longest line that QEMU sends us is the greeting. */
#define LINE_MAX_BYTES ((size_t)1 << 20)

void qmp_init(struct qmp *q, int fd)
{
	*q = (struct qmp){.fd = fd};
	str_init(&q->in, LINE_MAX_BYTES);
}

void qmp_done(struct qmp *q)
{
	str_done(&q->in);
}

static void qmp_event(struct qmp *q, const char *name)
{
	if (strcmp(name, "STOP") == 0)
		q->stopped = true;
	else if (strcmp(name, "RESUME") == 0)
		q->stopped = false;
	else if (strcmp(name, "GUEST_PANICKED") == 0)
		q->panicked = true;
}

/* Takes what the socket has. */
static int qmp_fill(struct qmp *q, struct err *err)
{
	char buf[4096];
	ssize_t n;

	while ((n = recv(q->fd, buf, sizeof(buf), MSG_DONTWAIT)) > 0) {
		if (!str_add(&q->in, buf, (size_t)n))
			return err_set(err, ERR_INFRA,
				       "QEMU sent a line of over %zu bytes on its "
				       "control socket",
				       LINE_MAX_BYTES);
	}
	if (n == 0 || (n < 0 && errno == ECONNRESET))
		q->closed = true;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		return err_sys(err, ERR_INFRA, "cannot read QEMU's control socket");
	return 0;
}

/* The next object among the bytes that came, NULL when there is no whole one. */
static int qmp_next(struct qmp *q, json_t **ret, struct err *err)
{
	const char *nl = memchr(q->in.buf, '\n', q->in.len);
	json_error_t why;

	*ret = NULL;
	if (!nl)
		return 0;
	*ret = json_loadb(q->in.buf, (size_t)(nl - q->in.buf), 0, &why);
	if (!json_is_object(*ret)) {
		json_decref(*ret);
		*ret = NULL;
		return err_set(err, ERR_INFRA, "QEMU's control socket does not speak QMP: %.*s",
			       (int)(nl - q->in.buf), q->in.buf);
	}
	str_drop(&q->in, (size_t)(nl - q->in.buf) + 1);
	return 0;
}

/* Notes events up to the first object that is none, which is the caller's; NULL when there is none
 * yet. */
static int qmp_next_answer(struct qmp *q, json_t **ret, struct err *err)
{
	for (;;) {
		const char *event;
		json_t *obj;
		int rc = qmp_next(q, &obj, err);

		if (rc < 0)
			return rc;
		event = obj ? json_get_str(obj, "event", NULL) : NULL;
		if (!event) {
			*ret = obj;
			return 0;
		}
		qmp_event(q, event);
		json_decref(obj);
	}
}

int qmp_read(struct qmp *q, struct err *err)
{
	auto_json json_t *answer = NULL;
	int rc = qmp_fill(q, err);

	return rc < 0 ? rc : qmp_next_answer(q, &answer, err);
}

static int qmp_wait_answer(struct qmp *q, const char *what, json_t **ret, struct err *err)
{
	double deadline = clock_mono() + ANSWER_S;

	for (;;) {
		struct pollfd fds[] = {{.fd = q->fd, .events = POLLIN},
				       {.fd = cancel_fd(), .events = POLLIN}};
		int rc = qmp_next_answer(q, ret, err);

		if (rc < 0 || *ret)
			return rc;
		if (q->closed)
			return err_set(err, ERR_INFRA,
				       "QEMU ended while it should have answered %s", what);
		if (cancel_requested())
			return err_cancelled(err);
		if (clock_mono() >= deadline)
			return err_set(err, ERR_INFRA, "QEMU has not answered %s for %.0f s", what,
				       ANSWER_S);
		poll(fds, array_size(fds), 1000);
		rc = qmp_fill(q, err);
		if (rc < 0)
			return rc;
	}
}

static int qmp_send(struct qmp *q, const char *name, json_t *args, struct err *err)
{
	auto_json json_t *obj = json_object();
	auto_free char *text = NULL;
	size_t n;

	json_object_set_new(obj, "execute", json_string(name));
	if (args)
		json_object_set_new(obj, "arguments", args);
	text = json_dumps(obj, JSON_COMPACT);
	n = text ? strlen(text) : 0;
	/* Commands are short and one at a time: the socket's buffer has room. */
	if (!n || send(q->fd, text, n, MSG_NOSIGNAL) != (ssize_t)n)
		return err_sys(err, ERR_INFRA, "cannot send %s to QEMU", name);
	return 0;
}

int qmp_command(struct qmp *q, const char *name, json_t *args, struct err *err)
{
	auto_json json_t *answer = NULL;
	int rc = qmp_send(q, name, args, err);

	q->panicked = false;
	if (rc == 0)
		rc = qmp_wait_answer(q, name, &answer, err);
	if (rc < 0)
		return rc;
	if (!json_object_get(answer, "return"))
		return err_set(
			err, ERR_INFRA, "QEMU refuses %s: %s", name,
			json_get_str(json_object_get(answer, "error"), "desc", "no reason given"));
	return 0;
}

int qmp_hello(struct qmp *q, struct err *err)
{
	auto_json json_t *greeting = NULL;
	int rc = qmp_wait_answer(q, "the connection", &greeting, err);

	if (rc < 0)
		return rc;
	if (!json_object_get(greeting, "QMP"))
		return err_set(err, ERR_INFRA, "QEMU's control socket does not speak QMP");
	return qmp_command(q, "qmp_capabilities", NULL, err);
}
