// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "testbeds/qmp.h"
#include <sys/socket.h>

/* QEMU's end is played by the test: everything it will say is put into the socket beforehand. */
struct peer {
	int us, qemu;
	struct qmp q;
	struct err err;
};

static void peer_begin(struct peer *p, const char *says)
{
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	*p = (struct peer){.us = fd[0], .qemu = fd[1]};
	qmp_init(&p->q, p->us);
	assert_int_equal(write(p->qemu, says, strlen(says)), strlen(says));
}

static void peer_end(struct peer *p)
{
	qmp_done(&p->q);
	close(p->us);
	close(p->qemu);
}

#define GREETING "{\"QMP\": {\"version\": {}, \"capabilities\": []}}\r\n"

static void test_hello(void **state)
{
	char sent[128] = "";
	struct peer p;

	(void)state;
	peer_begin(&p, GREETING "{\"return\": {}}\r\n");
	assert_ok(qmp_hello(&p.q, &p.err), &p.err);
	assert_true(read(p.qemu, sent, sizeof(sent) - 1) > 0);
	assert_string_equal(sent, "{\"execute\":\"qmp_capabilities\"}");
	peer_end(&p);
}

static void test_hello_from_something_else(void **state)
{
	struct peer p;

	(void)state;
	peer_begin(&p, "SSH-2.0-OpenSSH\r\n");
	assert_err(qmp_hello(&p.q, &p.err), &p.err, ERR_INFRA, "does not speak QMP");
	peer_end(&p);
}

static void test_command_sends_its_arguments(void **state)
{
	char sent[128] = "";
	struct peer p;

	(void)state;
	peer_begin(&p, "{\"return\": {}}\r\n");
	assert_ok(qmp_command(&p.q, "device_add", json_pack("{s:s}", "driver", "pc-dimm"), &p.err),
		  &p.err);
	assert_true(read(p.qemu, sent, sizeof(sent) - 1) > 0);
	assert_string_equal(sent,
			    "{\"execute\":\"device_add\",\"arguments\":{\"driver\":\"pc-dimm\"}}");
	peer_end(&p);
}

static void test_refusal_has_qemus_words(void **state)
{
	struct peer p;

	(void)state;
	peer_begin(&p,
		   "{\"error\": {\"class\": \"GenericError\", \"desc\": \"no slot left\"}}\r\n");
	assert_err(qmp_command(&p.q, "device_add", NULL, &p.err), &p.err, ERR_INFRA,
		   "QEMU refuses device_add: no slot left");
	peer_end(&p);
}

static void test_events_are_noted_also_before_an_answer(void **state)
{
	struct peer p;

	(void)state;
	peer_begin(&p, "{\"event\": \"GUEST_PANICKED\", \"data\": {}}\r\n"
		       "{\"event\": \"STOP\"}\r\n");
	assert_ok(qmp_read(&p.q, &p.err), &p.err);
	assert_true(p.q.stopped);
	assert_true(p.q.panicked);

	const char *more = "{\"event\": \"RESUME\"}\r\n{\"return\": {}}\r\n";
	assert_int_equal(write(p.qemu, more, strlen(more)), strlen(more));
	assert_ok(qmp_command(&p.q, "cont", NULL, &p.err), &p.err);
	assert_false(p.q.stopped);
	assert_false(p.q.panicked);
	peer_end(&p);
}

static void test_half_a_line_waits_for_the_rest(void **state)
{
	struct peer p;

	(void)state;
	peer_begin(&p, "{\"event\": \"ST");
	assert_ok(qmp_read(&p.q, &p.err), &p.err);
	assert_false(p.q.stopped);
	assert_int_equal(write(p.qemu, "OP\"}\n", 5), 5);
	assert_ok(qmp_read(&p.q, &p.err), &p.err);
	assert_true(p.q.stopped);
	peer_end(&p);
}

static void test_qemu_ends_instead_of_answering(void **state)
{
	struct peer p;

	(void)state;
	peer_begin(&p, "{\"event\": \"SHUTDOWN\"}\r\n");
	shutdown(p.qemu, SHUT_WR);
	assert_err(qmp_command(&p.q, "cont", NULL, &p.err), &p.err, ERR_INFRA, "ended");
	assert_true(p.q.closed);
	peer_end(&p);
}

static void test_a_flood_without_a_line_end_is_refused(void **state)
{
	static char flood[1 << 16];
	struct peer p;
	int rc = 0;

	(void)state;
	memset(flood, 'x', sizeof(flood));
	peer_begin(&p, "");
	for (int i = 0; i < 64 && rc == 0; i++) {
		assert_int_equal(send(p.qemu, flood, sizeof(flood), 0), sizeof(flood));
		rc = qmp_read(&p.q, &p.err);
	}
	assert_int_equal(rc, ERR_INFRA);
	peer_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hello),
		cmocka_unit_test(test_hello_from_something_else),
		cmocka_unit_test(test_command_sends_its_arguments),
		cmocka_unit_test(test_refusal_has_qemus_words),
		cmocka_unit_test(test_events_are_noted_also_before_an_answer),
		cmocka_unit_test(test_half_a_line_waits_for_the_rest),
		cmocka_unit_test(test_qemu_ends_instead_of_answering),
		cmocka_unit_test(test_a_flood_without_a_line_end_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
