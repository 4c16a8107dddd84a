// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/http.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/proc.h"
#include "intake/http_answer.h"
#include <arpa/inet.h>
#include <curl/curl.h>
#include <math.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define TIMEOUT_S     60.0
#define CONNECT_S     20L
#define PAUSE_S	      0.1
#define BODY_MAX      ((size_t)64 << 20)
#define REDIRECTS_MAX 5
/* Slower than this for so long is a server that has stopped answering. */
#define STALL_BYTES 1L
#define STALL_S	    30L

struct http {
	CURL *easy;
	CURLM *multi;
	char *agent, *ca_file;
	double timeout_s, pause_s, last;
	bool loopback_only;
	void (*on_tick)(void *ctx);
	void *ctx;
};

static void curl_begin(void)
{
	static bool begun;

	if (!begun)
		curl_global_init(CURL_GLOBAL_DEFAULT);
	begun = true;
}

int http_new(const struct http_options *opt, struct http **ret_http, struct err *err)
{
	struct http *h = xcalloc(1, sizeof(*h));

	curl_begin();
	h->easy = curl_easy_init();
	h->multi = curl_multi_init();
	h->agent = opt->contact ? xasprintf("firn/" FIRN_VERSION " (+%s)", opt->contact)
				: xstrdup("firn/" FIRN_VERSION);
	h->ca_file = opt->ca_file ? xstrdup(opt->ca_file) : NULL;
	h->timeout_s = opt->timeout_s > 0 ? opt->timeout_s : TIMEOUT_S;
	h->pause_s = opt->pause_s > 0 ? opt->pause_s : PAUSE_S;
	h->loopback_only = opt->loopback_only;
	h->on_tick = opt->on_tick;
	h->ctx = opt->ctx;
	if (!h->easy || !h->multi) {
		http_free(h);
		return err_set(err, ERR_INFRA, "libcurl does not start");
	}
	*ret_http = h;
	return 0;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	curl_easy_cleanup(h->easy);
	curl_multi_cleanup(h->multi);
	free(h->agent);
	free(h->ca_file);
	free(h);
}

static bool is_loopback(const struct sockaddr *a)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)a;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a;

	if (a->sa_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
	return a->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

static curl_socket_t open_loopback(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	(void)ctx;
	(void)purpose;
	if (!is_loopback(&a->addr))
		return CURL_SOCKET_BAD;
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* One exchange under way. */
struct exchange {
	const struct http *http;
	const struct http_request *req;
	struct http_response *ret;
	char error[CURL_ERROR_SIZE];
	size_t taken; /* by on_body */
	bool too_large;
	int refused; /* by on_body, which said why */
	struct err *err;
};

static bool type_is_right(const struct http_request *req, const struct http_response *r)
{
	return !req->content_type ||
	       strcmp(r->content_type ? r->content_type : "", req->content_type) == 0;
}

/* Only what was asked for is handed on: the page of an error is kept as any other answer. */
static bool goes_on(const struct exchange *x)
{
	long status = 0;

	curl_easy_getinfo(x->http->easy, CURLINFO_RESPONSE_CODE, &status);
	return x->req->on_body && status == 200 && type_is_right(x->req, x->ret);
}

static size_t take_body(char *data, size_t size, size_t n, void *ctx)
{
	struct exchange *x = ctx;

	n *= size;
	if (!goes_on(x)) {
		x->too_large = !str_add(&x->ret->body, data, n);
		return x->too_large ? 0 : n;
	}
	x->taken += n;
	x->too_large = x->taken > x->ret->body.max;
	if (!x->too_large)
		x->refused = x->req->on_body(x->req->ctx, data, n, x->err);
	return x->too_large || x->refused < 0 ? 0 : n;
}

static size_t take_header(char *data, size_t size, size_t n, void *ctx)
{
	struct exchange *x = ctx;

	http_header_take(data, size * n, x->ret);
	return size * n;
}

static void set_limits(const struct http *h, const struct http_request *req)
{
	double timeout_s = req->timeout_s > 0 ? req->timeout_s : h->timeout_s;

	curl_easy_setopt(h->easy, CURLOPT_TIMEOUT_MS, lrint(timeout_s * 1000));
	curl_easy_setopt(h->easy, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
	curl_easy_setopt(h->easy, CURLOPT_LOW_SPEED_LIMIT, STALL_BYTES);
	curl_easy_setopt(h->easy, CURLOPT_LOW_SPEED_TIME, STALL_S);
	curl_easy_setopt(h->easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(h->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(h->easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(h->easy, CURLOPT_ACCEPT_ENCODING, ""); /* what libcurl can decode */
	if (h->ca_file)
		curl_easy_setopt(h->easy, CURLOPT_CAINFO, h->ca_file);
	if (h->loopback_only)
		curl_easy_setopt(h->easy, CURLOPT_OPENSOCKETFUNCTION, open_loopback);
}

static void set_request(const struct http *h, struct exchange *x, const char *url,
			struct curl_slist *headers)
{
	const struct http_request *req = x->req;

	curl_easy_reset(h->easy);
	set_limits(h, req);
	curl_easy_setopt(h->easy, CURLOPT_URL, url);
	curl_easy_setopt(h->easy, CURLOPT_USERAGENT, h->agent);
	curl_easy_setopt(h->easy, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(h->easy, CURLOPT_ERRORBUFFER, x->error);
	curl_easy_setopt(h->easy, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(h->easy, CURLOPT_WRITEDATA, x);
	curl_easy_setopt(h->easy, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(h->easy, CURLOPT_HEADERDATA, x);
	if (req->body) {
		curl_easy_setopt(h->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body_len);
		curl_easy_setopt(h->easy, CURLOPT_POSTFIELDS, req->body);
	}
	if (req->method && strcmp(req->method, "HEAD") == 0)
		curl_easy_setopt(h->easy, CURLOPT_NOBODY, 1L);
	else if (req->method && strcmp(req->method, "GET") != 0)
		curl_easy_setopt(h->easy, CURLOPT_CUSTOMREQUEST, req->method);
}

static struct curl_slist *header_list(const struct http_request *req)
{
	struct curl_slist *list = NULL;

	for (const char *const *p = req->headers; p && *p; p++)
		list = curl_slist_append(list, *p);
	return list;
}

/* Until the exchange is over or somebody cancels. */
static int drive(const struct http *h, CURLcode *ret_code, struct err *err)
{
	struct curl_waitfd cancel = {.fd = cancel_fd(), .events = CURL_WAIT_POLLIN};
	unsigned extra = cancel.fd >= 0;
	int running = 1;

	curl_multi_add_handle(h->multi, h->easy);
	while (running && !cancel_requested()) {
		if (curl_multi_perform(h->multi, &running) != CURLM_OK)
			break;
		if (running)
			curl_multi_poll(h->multi, &cancel, extra, 1000, NULL);
		if (h->on_tick)
			h->on_tick(h->ctx);
	}
	*ret_code = CURLE_RECV_ERROR;
	for (CURLMsg *m; (m = curl_multi_info_read(h->multi, &(int){0})) != NULL;)
		if (m->msg == CURLMSG_DONE)
			*ret_code = m->data.result;
	curl_multi_remove_handle(h->multi, h->easy);
	return cancel_requested() ? err_cancelled(err) : 0;
}

static void pause_between(struct http *h)
{
	double left = h->last + h->pause_s - clock_mono();

	if (left > 0) {
		struct timespec t = {.tv_sec = (time_t)left,
				     .tv_nsec = (long)((left - floor(left)) * 1e9)};

		nanosleep(&t, NULL);
	}
}

static int failed(const struct exchange *x, const char *url, CURLcode code, struct err *err)
{
	if (x->refused < 0)
		return err_wrap(err, "%s", url);
	if (x->too_large)
		return err_set(err, ERR_INFRA, "%s: the answer is larger than %zu bytes", url,
			       x->ret->body.max);
	return err_set(err, ERR_INFRA, "%s: %s", url,
		       x->error[0] ? x->error : curl_easy_strerror(code));
}

static void exchange_reset(struct exchange *x)
{
	http_response_done(x->ret);
	str_init(&x->ret->body, x->req->max ? x->req->max : BODY_MAX);
	x->ret->retry_after_s = -1;
	x->too_large = false;
	x->taken = 0;
	x->refused = 0;
	x->error[0] = '\0';
}

static int exchange_once(struct http *h, struct exchange *x, const char *url, struct err *err)
{
	struct curl_slist *headers = header_list(x->req);
	CURLcode code;
	curl_off_t begun = 0;
	long status = 0;
	int rc;

	pause_between(h);
	exchange_reset(x);
	set_request(h, x, url, headers);
	rc = drive(h, &code, err);
	h->last = clock_mono();
	curl_easy_getinfo(h->easy, CURLINFO_PRETRANSFER_TIME_T, &begun);
	curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &status);
	curl_slist_free_all(headers);
	x->ret->sent = begun > 0;
	x->ret->status = (unsigned)status;
	if (rc == 0 && code != CURLE_OK)
		rc = failed(x, url, code, err);
	return rc;
}

static bool is_redirect(const struct http_request *req, const struct http_response *r)
{
	bool reads =
		!req->method || strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0;

	return reads && !req->body && r->location &&
	       (r->status == 301 || r->status == 302 || r->status == 303 || r->status == 307 ||
		r->status == 308);
}

static int type_check(const struct http_request *req, const struct http_response *r,
		      struct err *err)
{
	if (r->status != 200 || type_is_right(req, r))
		return 0;
	return err_set(err, ERR_INFRA, "%s: answered %s instead of %s%s", req->url,
		       r->content_type && *r->content_type ? r->content_type : "without a type",
		       req->content_type,
		       r->content_type && strcmp(r->content_type, "text/html") == 0
			       ? ": a wall against robots?"
			       : "");
}

int http_run(struct http *h, const struct http_request *req, struct http_response *ret,
	     struct err *err)
{
	struct exchange x = {.http = h, .req = req, .ret = ret, .err = err};
	auto_free char *url = xstrdup(req->url);
	bool changes = req->body != NULL;
	int rc;

	if (changes)
		fault_point("request");
	rc = exchange_once(h, &x, url, err);
	if (changes)
		fault_point("requested");
	for (unsigned i = 0; rc == 0 && i < REDIRECTS_MAX && is_redirect(req, ret); i++) {
		char *next = http_redirect(url, ret->location);

		if (!next)
			return err_set(err, ERR_INFRA, "%s: redirects to another place: %s", url,
				       ret->location);
		free(url);
		url = next;
		rc = exchange_once(h, &x, url, err);
	}
	if (rc == 0 && is_redirect(req, ret))
		return err_set(err, ERR_INFRA, "%s: redirects without end", req->url);
	return rc < 0 ? rc : type_check(req, ret, err);
}
