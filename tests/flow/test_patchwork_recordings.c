// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does the stand-in answer as Patchwork does? Each recorded exchange with a real one is repeated
 * with the stand-in, and the answers are compared: status, the headers that matter, names, order
 * and types of members, and the words of errors. The recordings are not a part of firn: without
 * them the test is skipped.
 */
#include "flow/patchwork_run.h"

#include "base/fs.h"
#include <arpa/inet.h>
#include <glob.h>
#include <jansson.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* What the stand-in does not do, since firn does not ask for it. By the recording's name. */
static const char *const left_out[] = {"patch-patch",
				       "patch-put",
				       "patch-delete",
				       "csrf",
				       "comment-addressed",
				       "people",
				       "users",
				       "whoami",
				       "xmlrpc",
				       "accept-html",
				       "options",
				       "check-post-basic",
				       "events-state",
				       "events-delegated",
				       "events-relation",
				       "mbox-patch-raw",
				       "patch-comment.http",
				       "no-match",
				       NULL};

/* Names there and here, in requests and answers. */
static const char *const same_as[][2] = {
	{"ppc-demo", "demo"},
	{"20260227-s3v2-", "list-v2-"},
	{"20260228-b64-1", "b64"},
	{"20260228-qp-1", "folded"},
	{"20260228-att-1", "attached"},
	{"20260301-pull-1", "plain"},
	{"%2520with+plus=eq&amp;x@", "%2520of+a=mail&amp;y@"},
	{"dana", "ada"},
	{"q=larger", "q=longer"},
	{"1111111111111111111111111111111111111111", "token0mona"},
	{"2222222222222222222222222222222222222222", "token0ci"},
	{"3333333333333333333333333333333333333333", "token0otto"},
	{"5555555555555555555555555555555555555555", "token0ada"},
};

static char *mapped(const char *text)
{
	struct str out;

	str_init(&out, 0);
	for (const char *p = text; *p;) {
		size_t i = 0;

		while (i < array_size(same_as) && !str_starts(p, same_as[i][0]))
			i++;
		if (i < array_size(same_as)) {
			str_adds(&out, same_as[i][1]);
			p += strlen(same_as[i][0]);
		} else {
			str_addc(&out, *p++);
		}
	}
	return str_take(&out);
}

struct message {
	unsigned status;
	char *head, *body;
};

static void message_done(struct message *m)
{
	free(m->head);
	free(m->body);
}

/* A header's value; the caller frees. */
static char *header(const struct message *m, const char *name)
{
	for (const char *p = m->head; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncasecmp(p, name, strlen(name)) == 0 && p[strlen(name)] == ':') {
			p += strlen(name) + 1;
			p += strspn(p, " ");
			return xmemdup(p, strcspn(p, "\r\n"));
		}
	}
	return xstrdup("");
}

static void message_read(const char *text, const char *gap, struct message *ret)
{
	const char *end = strstr(text, gap);

	ret->head = end ? xmemdup(text, (size_t)(end - text)) : xstrdup(text);
	ret->body = xstrdup(end ? end + strlen(gap) : "");
	if (sscanf(ret->head, "HTTP/1.1 %u", &ret->status) != 1)
		ret->status = 0;
}

/* The request of a recording as it goes over the wire. */
static void request_make(const char *recorded, const char *end, struct str *out)
{
	auto_free char *text = xmemdup(recorded, (size_t)(end - recorded)), *ours = mapped(text);
	const char *p = ours, *body;
	size_t n;

	while (*p == '#')
		p = strchr(p, '\n') + 1;
	body = strstr(p, "\n\n");
	for (const char *line = p; body && line < body; line += n + 1) {
		n = strcspn(line, "\n");
		if (strncasecmp(line, "Content-Length", 14) != 0)
			str_addf(out, "%.*s\r\n", (int)n, line);
	}
	body = body ? body + 2 : "";
	n = strlen(body);
	n -= n && body[n - 1] == '\n';
	if (n)
		str_addf(out, "Content-Length: %zu\r\n", n);
	str_adds(out, "\r\n");
	str_add(out, body, n);
}

static void ask(const struct stand_in *s, const struct str *request, struct str *answer)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	unsigned port = 0;
	char buf[65536];
	ssize_t n;
	auto_fd int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(sscanf(s->url, "http://127.0.0.1:%u/", &port), 1);
	a.sin_port = htons((uint16_t)port);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(fs_write_all(fd, request->buf, request->len), 0);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		str_add(answer, buf, (size_t)n);
}

/* Complaints about one exchange. */
struct report {
	const char *name;
	unsigned n;
};

__attribute__((format(printf, 2, 3))) static void complain(struct report *r, const char *fmt, ...)
{
	va_list ap;

	printf("%s: ", r->name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	r->n++;
}

/* Bool is one type. */
static int type_of(const json_t *j)
{
	return json_is_boolean(j) ? JSON_TRUE : (int)json_typeof(j);
}

static char *keys_of(const json_t *j)
{
	struct str out;
	const char *key;
	json_t *value;

	str_init(&out, 0);
	json_object_foreach ((json_t *)j, key, value)
		str_addf(&out, "%s ", key);
	return str_take(&out);
}

static void compare(struct report *r, const char *path, const json_t *want, const json_t *got)
{
	auto_free char *a = keys_of(want), *b = keys_of(got);
	const char *key;
	json_t *value;

	if (!got)
		complain(r, "%s is not there", path);
	if (!got || json_is_null(want) || json_is_null(got))
		return;
	if (type_of(want) != type_of(got)) {
		complain(r, "%s is of another type", path);
	} else if (json_is_array(want) && !strstr(path, ".prefixes")) {
		if (!json_array_size(want) != !json_array_size(got))
			complain(r, "%s has %zu, not %zu", path, json_array_size(got),
				 json_array_size(want));
		else if (json_array_size(want))
			compare(r, path, json_array_get(want, 0), json_array_get(got, 0));
	} else if (json_is_object(want) && !strstr(path, ".headers")) {
		if (strcmp(a, b) != 0)
			complain(r, "%s has %s\n\tnot %s", path, b, a);
		json_object_foreach ((json_t *)want, key, value) {
			auto_free char *deeper = xasprintf("%s.%s", path, key);

			if (json_object_get(got, key))
				compare(r, deeper, value, json_object_get(got, key));
		}
	}
}

/* All of it, or of a list that was cut the first. NULL when it is cut before that. */
static json_t *body_load(const char *text, bool cut)
{
	const char *p = text + strspn(text, " \n");

	if (!cut)
		return json_loads(p, JSON_DECODE_ANY, NULL);
	return *p == '[' ? json_loads(strchr(p, '{'), JSON_DISABLE_EOF_CHECK, NULL) : NULL;
}

static void compare_bodies(struct report *r, const struct message *want, const struct message *got)
{
	bool cut = strstr(want->body, "\n[... cut:") != NULL;
	json_t *a = body_load(want->body, cut), *b = body_load(got->body, false);
	auto_free char *x = NULL, *y = NULL;

	if (a && !b)
		complain(r, "the body is no JSON");
	else if (a && want->status >= 400 && !strstr(want->body, "JSON parse error")) {
		x = json_dumps(a, JSON_SORT_KEYS);
		y = json_dumps(b, JSON_SORT_KEYS);
		if (strcmp(x, y) != 0)
			complain(r, "%s\n\tnot %s", y, x);
	} else if (a) {
		compare(r, "", a, cut ? json_array_get(b, 0) : b);
	}
	json_decref(a);
	json_decref(b);
}

static void compare_header(struct report *r, const char *name, const struct message *want,
			   const struct message *got)
{
	auto_free char *a = header(want, name), *b = header(got, name);

	if (strcmp(a, b) != 0)
		complain(r, "%s: %s\n\tnot %s", name, b, a);
}

/* Without the server and numbers. */
static char *place_of(const char *url)
{
	struct str out;
	const char *p = strstr(url, "://");

	str_init(&out, 0);
	for (p = p ? strchrnul(p + 3, '/') : url; *p; p++)
		if (*p < '0' || *p > '9')
			str_addc(&out, *p);
	return str_take(&out);
}

static void compare_location(struct report *r, const struct message *want,
			     const struct message *got)
{
	auto_free char *a = header(want, "Location"), *ours = mapped(a),
		       *b = header(got, "Location"), *x = place_of(ours), *y = place_of(b);

	if (strcmp(x, y) != 0)
		complain(r, "Location: %s\n\tnot %s", y, x);
}

static const char *after_comma(const char *p)
{
	p = strchrnul(p, ',');
	return *p ? p + 1 : p;
}

/* Each link without numbers: those of pages differ with the mails. */
static void compare_links(struct report *r, const struct message *want, const struct message *got)
{
	auto_free char *a = header(want, "Link"), *ours = mapped(a), *b = header(got, "Link");
	const char *p = ours, *q = b;

	for (; *p && *q; p = after_comma(p), q = after_comma(q)) {
		auto_free char *one = xmemdup(p, strcspn(p, ",")),
			       *two = xmemdup(q, strcspn(q, ",")), *x = place_of(one),
			       *y = place_of(two);

		if (strcmp(x, y) != 0)
			complain(r, "Link: %s\n\tnot %s", y, x);
	}
	if (*p || *q)
		complain(r, "Link: %s\n\tnot %s", b, ours);
}

/* What is after "HTTP/1.1 200 OK" in a recording of a mbox: its first lines. */
static void compare_mbox(struct report *r, const struct message *want, const struct message *got)
{
	static const char *const lines[] = {
		"\nContent-Type: text/plain; charset=\"utf-8\"\n",
		"\nX-Patchwork-Submitter: ", "\nX-Patchwork-Id: ", "\nMessage-ID: <"};

	if (!str_starts(want->body, "From patchwork "))
		return;
	if (!str_starts(got->body, "From patchwork "))
		complain(r, "is no mbox");
	for (size_t i = 0; i < array_size(lines); i++)
		if (strstr(want->body, lines[i]) && !strstr(got->body, lines[i]))
			complain(r, "the mbox lacks %s", lines[i]);
}

static void exchange(const struct stand_in *s, const char *text, struct report *r)
{
	const char *end = strstr(text, "----8<----\n");
	struct message want = {0}, got = {0};
	auto_str struct str request, answer;
	bool is_head = strstr(text, "\nHEAD ") != NULL;

	str_init(&request, 0);
	str_init(&answer, 0);
	request_make(text, end, &request);
	ask(s, &request, &answer);
	message_read(end + strlen("----8<----\n"), "\n\n", &want);
	message_read(answer.buf, "\r\n\r\n", &got);
	if (want.status != got.status)
		complain(r, "status %u, not %u", got.status, want.status);
	compare_header(r, "Content-Type", &want, &got);
	compare_header(r, "Allow", &want, &got);
	compare_header(r, "Vary", &want, &got);
	compare_location(r, &want, &got);
	compare_links(r, &want, &got);
	if (!is_head)
		compare_bodies(r, &want, &got);
	compare_mbox(r, &want, &got);
	message_done(&want);
	message_done(&got);
}

static bool is_left_out(const char *name)
{
	for (const char *const *l = left_out; *l; l++)
		if (strstr(name, *l))
			return true;
	return false;
}

struct count {
	unsigned compared, left_out, different;
};

static void file_compare(const struct stand_in *s, const char *path, struct count *c)
{
	struct report r = {.name = strrchr(path, '/') + 1};
	struct err err = ERR_INIT;
	struct str text;

	if (is_left_out(r.name)) {
		c->left_out++;
		return;
	}
	str_init(&text, 0);
	assert_ok(fs_read(path, 16 << 20, ERR_INPUT, &text, &err), &err);
	exchange(s, text.buf, &r);
	str_done(&text);
	c->compared++;
	c->different += r.n > 0;
}

static char *pattern_of(const char *folder)
{
	return xasprintf("%s/%s/*.http", getenv("FIRN_RECORDINGS") ?: RECORDINGS, folder);
}

static void compare_with(const char *version, const char *folder)
{
	auto_free char *pattern = pattern_of(folder);
	const char *const argv[] = {STAND_IN, "--version", version, "--project",
				    "demo",   MAILS,	   NULL};
	struct count c = {0};
	struct stand_in s;
	glob_t g;

	assert_int_equal(glob(pattern, 0, NULL, &g), 0);
	stand_in_start(&s, argv);
	for (size_t i = 0; i < g.gl_pathc; i++)
		file_compare(&s, g.gl_pathv[i], &c);
	globfree(&g);
	stand_in_stop(&s);
	print_message("Patchwork %s: %u exchanges compared, %u left out, %u differ\n", version,
		      c.compared, c.left_out, c.different);
	assert_true(c.compared > 100);
	assert_int_equal(c.different, 0);
}

static void test_release(void **state)
{
	(void)state;
	compare_with("3.1.3", "patchwork-v3.1.3");
}

static void test_development(void **state)
{
	(void)state;
	compare_with("main", "patchwork-main");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_development),
	};
	auto_free char *pattern = pattern_of("patchwork-*");
	glob_t g = {0};
	int missing = glob(pattern, 0, NULL, &g);

	globfree(&g);
	if (missing) {
		printf("SKIP: there are no recordings: %s\n", pattern);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
