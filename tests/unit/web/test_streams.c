// SPDX-License-Identifier: GPL-2.0-or-later
/* Streams of events, and readers that want to hurt: slow ones, many. */
#include "unit/store/store_help.h"
#include "unit/unit.h"

#include "base/clock.h"
#include "unit/web/client.h"
#include "web/conns.h"
#include "web/web.h"
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define PATIENCE_S 5.0

static const char *const steps[] = {"build", "boot", NULL};

static struct store *store_of(const struct server *s)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;

	assert_ok(store_open(s->store_path, STORE_WRITE, &store, &err), &err);
	return store;
}

static int64_t trial_of(struct store *store)
{
	const struct store_series series = {
		.title = "mm: x", .message_id = "", .author = "Ada", .version = 1};
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_ok(store_trial_begin(store, &series, steps, &id, &err), &err);
	return id;
}

struct listener {
	int fd;
	struct str heard;
};

static void listen_to(struct listener *l, const struct server *s, const char *path,
		      const char *headers)
{
	auto_free char *text = xasprintf("GET %s HTTP/1.1\r\nHost: localhost\r\n"
					 "Accept: text/event-stream\r\n%s\r\n",
					 path, headers);

	l->fd = client_connect(s);
	str_init(&l->heard, 0);
	assert_int_equal(send(l->fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* Reads what comes within that time; false at the end. */
static bool hear(struct listener *l, int ms)
{
	struct pollfd fd = {.fd = l->fd, .events = POLLIN};
	char buf[65536];
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0)
		return true;
	n = recv(l->fd, buf, sizeof(buf), 0);
	if (n > 0)
		str_add(&l->heard, buf, (size_t)n);
	return n > 0;
}

static void must_hear(struct listener *l, const char *text)
{
	double until = clock_mono() + PATIENCE_S;

	while (!strstr(l->heard.buf, text))
		if (clock_mono() > until || !hear(l, 100))
			fail_msg("not heard: %s\nheard: %s", text, l->heard.buf);
}

static void must_end(struct listener *l)
{
	double until = clock_mono() + PATIENCE_S;

	while (hear(l, 100))
		if (clock_mono() > until)
			fail_msg("does not end: %s", l->heard.buf);
}

static void leave(struct listener *l)
{
	close(l->fd);
	str_done(&l->heard);
}

static void the_queue_is_told(void **state)
{
	auto_store struct store *store = store_of(*state);
	struct err err = ERR_INIT;
	struct listener l, late;
	int64_t id;

	listen_to(&l, *state, "/events", "");
	must_hear(&l, "HTTP/1.1 200 OK");
	must_hear(&l, "Content-Type: text/event-stream\r\n");
	must_hear(&l, "Cache-Control: no-store\r\n");
	must_hear(&l, "event: queue\ndata: {\"running\":[]");
	id = trial_of(store);
	assert_ok(store_step_begin(store, id, "build", &err), &err);
	must_hear(&l, "\"trial\":1,\"posting\":0,\"state\":\"running\",\"step\":\"build\"");
	listen_to(&late, *state, "/events", "");
	must_hear(&late, "\"step\":\"build\"");
	leave(&l);
	leave(&late);
}

static void log_write(const struct server *s, const char *mode, const char *text)
{
	auto_free char *jobs = xasprintf("%s/jobs", s->dir);
	auto_free char *job = xasprintf("%s/01-build", jobs);
	auto_free char *path = xasprintf("%s/log", job);

	mkdir(jobs, 0755);
	mkdir(job, 0755);

	auto_file FILE *f = fopen(path, mode);

	assert_non_null(f);
	fputs(text, f);
}

static void a_trial_and_its_log_are_told(void **state)
{
	const struct server *s = *state;
	auto_store struct store *store = store_of(s);
	const struct store_trial_end end = {.outcome = OUTCOME_WARN, .words = "slower"};
	struct err err = ERR_INIT;
	struct listener l, again, gone;
	int64_t id = trial_of(store);

	assert_ok(store_trial_work_dir(store, id, s->dir, &err), &err);
	assert_ok(store_step_begin(store, id, "build", &err), &err);
	log_write(s, "w", "CC one.o\n");
	listen_to(&l, s, "/trial/1/events", "");
	must_hear(&l, "event: trial\ndata: {");
	must_hear(&l, "{\"name\":\"build\",\"state\":\"running\"");
	must_hear(&l, "id: 9@jobs/01-build/log\nevent: log\ndata: {");
	must_hear(&l, "\"text\":\"CC one.o\\n\"");
	log_write(s, "a", "CC two.o\n");
	must_hear(&l, "\"at\":18,\"begins\":false,\"text\":\"CC two.o\\n\"");

	/* One who has the first line is told the second. */
	listen_to(&again, s, "/trial/1/events", "Last-Event-ID: 9@jobs/01-build/log\r\n");
	must_hear(&again, "CC two.o");
	assert_null(strstr(again.heard.buf, "CC one.o"));
	listen_to(&gone, s, "/trial/1/events", "Last-Event-ID: 9@../../etc/passwd\r\n");
	must_hear(&gone, "CC one.o");

	assert_ok(store_trial_finish(store, id, &end, &err), &err);
	must_hear(&l, "\"state\":\"finished\",\"outcome\":\"warn\"");
	must_hear(&l, "event: end\ndata: {}\n\n");
	must_hear(&again, "event: end\ndata: {}\n\n");
	leave(&l);
	leave(&again);
	leave(&gone);

	struct listener over;

	listen_to(&over, s, "/trial/1/events", "Connection: close\r\n");
	must_end(&over);
	assert_true(str_starts(over.heard.buf, "HTTP/1.1 204 "));
	leave(&over);
}

#define FAR (1 << 20)

/* A stream that nobody reads costs no more than the queue and what the system keeps for it; another
 * one gets all. */
static void who_does_not_read_is_cut_off(void **state)
{
	const struct server *s = *state;
	auto_store struct store *store = store_of(s);
	auto_free char *line = xmalloc(1025), *mib = xmalloc((1 << 20) + 1);
	struct err err = ERR_INIT;
	struct listener slow, quick;

	memset(line, 'x', 1023);
	memcpy(line + 1023, "\n", 2);
	for (size_t i = 0; i < 1024; i++)
		memcpy(mib + i * 1024, line, 1025);
	log_write(s, "w", "");
	for (int i = 0; i < FAR >> 20; i++)
		log_write(s, "a", mib);
	assert_ok(store_trial_work_dir(store, trial_of(store), s->dir, &err), &err);
	listen_to(&slow, s, "/trial/1/events?log=jobs/01-build/log&at=0", "");
	must_hear(&slow, "event: log");
	listen_to(&quick, s, "/trial/1/events?log=jobs/01-build/log&at=0", "");
	while (quick.heard.len < FAR / 8 * 5)
		if (!hear(&quick, 1000))
			fail_msg("cut off after %zu bytes", quick.heard.len);
	must_end(&slow);
	assert_true(slow.heard.len < FAR / 8 * 5);
	leave(&slow);
	leave(&quick);
}

static void what_is_not_there_is_no_stream(void **state)
{
	auto_str struct str none, head;

	client_ask(*state, "GET", "/events", &none);
	assert_int_equal(answer_status(&none), 503);
	store_close(store_of(*state));
	auto_str struct str trial;

	client_ask(*state, "GET", "/trial/7/events", &trial);
	assert_int_equal(answer_status(&trial), 404);
	client_ask(*state, "HEAD", "/events", &head);
	assert_int_equal(answer_status(&head), 200);
	assert_string_equal(answer_body(&head), "");
}

/* Teardown sees to it that the server ends at once, and well. */
static void streams_end_with_the_server(void **state)
{
	const struct server *s = *state;
	struct listener l[5];

	store_close(store_of(s));
	for (size_t i = 0; i < array_size(l); i++) {
		listen_to(&l[i], s, "/events", "");
		must_hear(&l[i], "event: queue");
	}
	assert_int_equal(kill(s->pid, SIGTERM), 0);
	double began = clock_mono();

	for (size_t i = 0; i < array_size(l); i++) {
		must_end(&l[i]);
		leave(&l[i]);
	}
	assert_true(clock_mono() - began < 2);
}

static int brisk(void **state)
{
	return server_setup_as(state, &(struct server){.events_s = 0.05});
}

static int impatient(void **state)
{
	return server_setup_as(state, &(struct server){.token = "correct-horse-battery",
						       .ask_s = 0.15,
						       .events_s = 0.05});
}

/* Sends the text, and then a byte each 20 ms, until it is cut off; how long that took. */
static double drip(const struct server *s, const char *text)
{
	auto_fd int fd = client_connect(s);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	double began = clock_mono();
	char buf[512];

	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
	while (clock_mono() < began + PATIENCE_S) {
		if (poll(&p, 1, 20) > 0 && recv(fd, buf, sizeof(buf), 0) <= 0)
			break;
		if (send(fd, "x", 1, MSG_NOSIGNAL) < 0)
			break;
	}
	return clock_mono() - began;
}

static void who_drips_is_cut_off(void **state)
{
	static const char form[] =
		"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
		"application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\ntoken=";
	static const char *const texts[] = {
		"G",
		"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
		form,
	};

	store_close(store_of(*state));
	for (size_t i = 0; i < array_size(texts); i++) {
		double took = drip(*state, texts[i]);

		if (took < 0.1 || took > 3)
			fail_msg("%s: %g s", texts[i], took);
	}
}

/* Enough files may be open for the test, at the most that this user may ask for. */
static void need_files(rlim_t n)
{
	struct rlimit files;

	getrlimit(RLIMIT_NOFILE, &files);
	if (files.rlim_cur >= n)
		return;
	files.rlim_cur = n < files.rlim_max ? n : files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= n)
		return;
	print_message("SKIP: no more than %lu files may be open (ulimit -n)\n",
		      (unsigned long)files.rlim_max);
	skip();
}

/* More wait than may: the longest go, and a reader is served. */
static void idle_ones_make_room(void **state)
{
	int idle[CONNS_PAGES + 40];
	auto_str struct str answer;

	need_files(array_size(idle) + 50);
	for (size_t i = 0; i < array_size(idle); i++)
		idle[i] = client_connect(*state);
	client_ask(*state, "GET", "/login", &answer);
	assert_int_equal(answer_status(&answer), 200);
	for (size_t i = 0; i < array_size(idle); i++)
		close(idle[i]);
}

/* In the form in which they are kept. */
static void addr_of(const char *text, struct sockaddr_in6 *ret)
{
	*ret = (struct sockaddr_in6){.sin6_family = AF_INET6};
	assert_int_equal(inet_pton(AF_INET6, text, &ret->sin6_addr), 1);
}

static bool admits(struct conns *c, const char *text)
{
	struct sockaddr_in6 addr;

	addr_of(text, &addr);
	return conns_admit(c, (struct sockaddr *)&addr, sizeof(addr)) == MHD_YES;
}

static void one_address_has_so_many(void **state)
{
	static struct conn conn[2 * CONNS_EACH];
	struct netblocks proxies;
	struct err err = ERR_INIT;
	struct sockaddr_in6 addr;
	struct conns c;

	(void)state;
	assert_ok(netblocks_parse("10.0.0.0/8", &proxies, &err), &err);
	conns_init(&c, &proxies, 0);
	for (size_t i = 0; i < array_size(conn); i++) {
		addr_of(i % 2 ? "::ffff:192.0.2.1" : "2001:db8:0:1::", &addr);
		conn[i] = (struct conn){.next = c.first, .fd = -1, .counts = true};
		memcpy(conn[i].addr, &addr.sin6_addr, 16);
		assert_true(admits(&c, "::ffff:192.0.2.1"));
		c.first = &conn[i];
		c.n++;
	}
	assert_false(admits(&c, "::ffff:192.0.2.1"));
	assert_true(admits(&c, "::ffff:192.0.2.2"));
	assert_false(admits(&c, "2001:db8:0:1:ffff::7")); /* the same /64 */
	assert_true(admits(&c, "2001:db8:0:2::7"));
	assert_true(admits(&c, "::ffff:127.0.0.1"));
	assert_true(admits(&c, "::1"));
	assert_true(admits(&c, "::ffff:10.1.2.3"));
}

/* Larger answers have longer, and at the end of his time a reader is cut off. */
static void answers_have_to_be_taken(void **state)
{
	struct conns c = {.ask_s = 1};
	struct conn conn = {.at = &c.first};
	double now = clock_mono();
	char byte;
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fd), 0);
	conn.fd = fd[0];
	c.first = &conn;
	conn_answered(&conn, 0);
	assert_true(conn.deadline > now + CONN_TAKE_S - 1 && conn.deadline < now + CONN_TAKE_S + 5);
	conn_answered(&conn, 4096 * 100);
	assert_true(conn.deadline > now + CONN_TAKE_S + 99);
	conn_answered(&conn, (size_t)1 << 40);
	assert_true(conn.deadline < now + CONN_TAKE_MAX + 5);
	conns_sweep(&c);
	assert_true(recv(fd[1], &byte, 1, 0) < 0);
	c.swept = 0;
	conn.deadline = now - 1;
	conns_sweep(&c);
	assert_int_equal(recv(fd[1], &byte, 1, 0), 0);
	close(fd[0]);
	close(fd[1]);
}

#define MANY 1000

/* The server raises its own limit. */
static void a_thousand_may_listen(void **state)
{
	const struct server *s = *state;
	auto_store struct store *store = store_of(s);
	static struct listener l[MANY];
	auto_str struct str answer;
	double began;

	need_files(MANY + 100);
	for (size_t i = 0; i < MANY; i++)
		listen_to(&l[i], s, "/events", "");
	for (size_t i = 0; i < MANY; i++)
		must_hear(&l[i], "\"running\":[]");
	began = clock_mono();
	client_ask(s, "GET", "/healthz", &answer);
	assert_int_equal(answer_status(&answer), 200);
	assert_true(clock_mono() - began < 1);
	trial_of(store);
	for (size_t i = 0; i < MANY; i++) {
		must_hear(&l[i], "\"trial\":1,");
		leave(&l[i]);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, brisk, server_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_queue_is_told),
		TEST(a_trial_and_its_log_are_told),
		TEST(who_does_not_read_is_cut_off),
		TEST(what_is_not_there_is_no_stream),
		TEST(streams_end_with_the_server),
		cmocka_unit_test_setup_teardown(who_drips_is_cut_off, impatient, server_teardown),
		TEST(idle_ones_make_room),
		cmocka_unit_test(one_address_has_so_many),
		cmocka_unit_test(answers_have_to_be_taken),
		TEST(a_thousand_may_listen),
	};

	return cmocka_run_group_tests_name("web-streams", tests, NULL, NULL);
}
