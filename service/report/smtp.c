// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/smtp.h"

#include "base/fault.h"
#include "base/fs.h"
#include "base/proc.h"
#include "report/smtp_trace.h"
#include <sys/stat.h>

#define TIMEOUT_S    300
#define CONNECT_S    30L
#define PASSWORD_MAX 1024
#define HOST_MAX     255

struct sending {
	const struct smtp_server *server;
	const struct str *message;
	size_t at;
	struct smtp_trace trace;
	char error[CURL_ERROR_SIZE];
};

DEFINE_CLEANUP(CURL *, curl, curl_easy_cleanup)
DEFINE_CLEANUP(struct curl_slist *, slist, curl_slist_free_all)

/* HOST:PORT as it may stand in a URL: nothing in it begins a path or a user name. */
static bool address_ok(const char *s)
{
	const char *colon = strrchr(s, ':'), *end;

	if (!colon || colon == s || strlen(s) > HOST_MAX)
		return false;
	for (const char *p = s; p < colon; p++)
		if (!((*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') ||
		      (*p >= 'a' && *p <= 'z') || strchr(".-[]:_", *p)))
			return false;
	for (end = colon + 1; *end >= '0' && *end <= '9'; end++)
		;
	return !*end && end > colon + 1 && end - colon <= 6;
}

static bool is_loopback(const char *s)
{
	return str_starts(s, "127.") || str_starts(s, "localhost:") || str_starts(s, "[::1]:");
}

static int password_read(const struct smtp_server *s, struct str *ret, struct err *err)
{
	struct stat st;
	int rc;

	if (!s->password_file)
		return err_set(err, ERR_CONFIG, "post.user is set and post.password-file is not");
	if (stat(s->password_file, &st) < 0)
		return err_sys(err, ERR_CONFIG, "%s", s->password_file);
	if (st.st_mode & S_IRWXO)
		return err_set(err, ERR_CONFIG,
			       "%s: others can read the password: its mode must be 0600 or 0640",
			       s->password_file);
	rc = fs_read(s->password_file, PASSWORD_MAX, ERR_CONFIG, ret, err);
	if (rc < 0)
		return rc;
	ret->buf[strcspn(ret->buf, "\r\n")] = '\0';
	if (!*ret->buf)
		return err_set(err, ERR_CONFIG, "%s: there is no password in it", s->password_file);
	return 0;
}

static void password_wipe(struct str *s)
{
	if (s->cap)
		explicit_bzero(s->buf, s->cap);
	str_done(s);
}

int smtp_check(const struct smtp_server *s, struct err *err)
{
	__attribute__((cleanup(password_wipe))) struct str password;

	str_init(&password, PASSWORD_MAX);
	if (!s->host_port)
		return err_set(err, ERR_CONFIG, "post.smtp is not set: there is no mail server");
	if (!address_ok(s->host_port))
		return err_set(err, ERR_CONFIG, "post.smtp: \"%s\" is not HOST:PORT", s->host_port);
	if (!s->user)
		return 0;
	if (s->tls == SMTP_PLAIN && !is_loopback(s->host_port))
		return err_set(err, ERR_CONFIG,
			       "post.tls = none: the password for %s would go there unencrypted",
			       s->host_port);
	return password_read(s, &password, err);
}

static size_t on_read(char *buf, size_t size, size_t n, void *ctx)
{
	struct sending *s = ctx;
	size_t left = s->message->len - s->at, room = size * n;
	size_t now = left < room ? left : room;

	/* With the last piece: libcurl sends the final dot without asking again. */
	if (now == left && !s->trace.handed) {
		fault_point("mail-before-handing");
		if (s->server->on_handing && s->server->on_handing(s->server->ctx) < 0)
			return CURL_READFUNC_ABORT;
		s->trace.handed = true;
		fault_point("mail-handing");
	}
	memcpy(buf, s->message->buf + s->at, now);
	s->at += now;
	return now;
}

static int on_progress(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct sending *s = ctx;

	(void)a;
	(void)b;
	(void)c;
	(void)d;
	if (s->server->on_tick)
		s->server->on_tick(s->server->ctx);
	/* Once it is handed over, the answer is worth waiting for. */
	return cancel_requested() && !s->trace.handed;
}

static void set_server(CURL *c, const struct smtp_server *s, const char *from)
{
	const char *at = strrchr(from, '@');
	/* The path is what EHLO says. */
	auto_free char *url = xasprintf("%s://%s/%s", s->tls == SMTP_TLS ? "smtps" : "smtp",
					s->host_port, at ? at + 1 : "localhost");
	double limit = s->timeout_s > 0 ? s->timeout_s : TIMEOUT_S;

	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_USE_SSL,
			 s->tls == SMTP_STARTTLS ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
	if (s->ca_file)
		curl_easy_setopt(c, CURLOPT_CAINFO, s->ca_file);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(limit * 1000));
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
}

static void set_message(CURL *c, struct sending *s, const char *from, struct curl_slist *to)
{
	auto_free char *sender = xasprintf("<%s>", from);

	curl_easy_setopt(c, CURLOPT_MAIL_FROM, sender);
	curl_easy_setopt(c, CURLOPT_MAIL_RCPT, to);
	curl_easy_setopt(c, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(c, CURLOPT_READFUNCTION, on_read);
	curl_easy_setopt(c, CURLOPT_READDATA, s);
	curl_easy_setopt(c, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(c, CURLOPT_DEBUGFUNCTION, smtp_trace_debug);
	curl_easy_setopt(c, CURLOPT_DEBUGDATA, &s->trace);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(c, CURLOPT_XFERINFODATA, s);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, s->error);
}

/* Which of the ends it is. Only an answer to our sender, our recipients or our mail can be about
 * the mail: what a server says before that is about itself, and passes. */
static enum smtp_end end_of(CURLcode rc, const struct smtp_trace *t)
{
	bool about_mail = strcmp(t->verb, "MAIL") == 0 || strcmp(t->verb, "DATA") == 0;

	if (rc == CURLE_OK || (t->answered && t->code / 100 == 2))
		return SMTP_SENT;
	if (t->handed && !t->answered)
		return SMTP_UNKNOWN;
	if (t->code / 100 != 5)
		return SMTP_RETRY;
	if (strcmp(t->verb, "RCPT") == 0)
		return SMTP_RECIPIENT;
	return t->handed || about_mail ? SMTP_FAILED : SMTP_RETRY;
}

static void result_fill(CURLcode rc, const struct sending *s, struct smtp_result *ret)
{
	const struct smtp_trace *t = &s->trace;
	const char *words = *s->error ? s->error : curl_easy_strerror(rc);
	bool said = t->code && (rc == CURLE_OK || t->code >= 400 || t->answered);

	*ret = (struct smtp_result){.end = end_of(rc, t)};
	if (ret->end == SMTP_RECIPIENT)
		ret->refused = t->rcpts ? t->rcpts - 1 : 0;
	snprintf(ret->words, sizeof(ret->words), "%s", said ? t->words : words);
	for (char *p = ret->words; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
}

static int transfer(CURL *c, struct sending *s, const char *from, const char *const *to,
		    struct smtp_result *ret, struct err *err)
{
	auto_cleanup(slist) struct curl_slist *rcpt = NULL;
	CURLcode rc;

	for (; *to; to++) {
		auto_free char *address = xasprintf("<%s>", *to);

		rcpt = curl_slist_append(rcpt, address);
	}
	set_server(c, s->server, from);
	set_message(c, s, from, rcpt);
	fault_point("mail-before");
	rc = curl_easy_perform(c);
	fault_point("mail-after");
	result_fill(rc, s, ret);
	if (rc == CURLE_ABORTED_BY_CALLBACK && cancel_requested() && !s->trace.handed)
		return err_cancelled(err);
	return 0;
}

int smtp_send(const struct smtp_server *server, const char *from, const char *const *to,
	      const struct str *message, struct smtp_result *ret, struct err *err)
{
	__attribute__((cleanup(password_wipe))) struct str password;
	struct sending s = {.server = server, .message = message};
	auto_cleanup(curl) CURL *c = NULL;
	int rc = smtp_check(server, err);

	str_init(&password, PASSWORD_MAX);
	if (rc == 0 && server->user)
		rc = password_read(server, &password, err);
	if (rc < 0)
		return rc;
	c = curl_easy_init();
	if (!c)
		return err_set(err, ERR_INFRA, "libcurl does not start");
	if (server->user) {
		curl_easy_setopt(c, CURLOPT_USERNAME, server->user);
		curl_easy_setopt(c, CURLOPT_PASSWORD, password.buf);
	}
	smtp_trace_init(&s.trace);
	rc = transfer(c, &s, from, to, ret, err);
	curl_easy_cleanup(take(c)); /* says QUIT, which is traced too */
	smtp_trace_done(&s.trace);
	return rc;
}
