// SPDX-License-Identifier: GPL-2.0-or-later
/* DKIM signatures (RFC 6376), by libopendkim where firn was built with it. */
#include "serve/command_mail.h"

#ifdef FIRN_OPENDKIM

#include <opendkim/dkim.h>

#define DNS_TIMEOUT_S 10

bool command_can_verify(void)
{
	return true;
}

static DKIM_LIB *lib_open(const struct command_auth *how)
{
	DKIM_LIB *lib = dkim_init(NULL, NULL);
	dkim_query_t query = DKIM_QUERY_FILE;
	unsigned timeout = DNS_TIMEOUT_S;

	if (!lib)
		return NULL;
	dkim_options(lib, DKIM_OP_SETOPT, DKIM_OPTS_TIMEOUT, &timeout, sizeof(timeout));
	if (!how->key_file)
		return lib;
	dkim_options(lib, DKIM_OP_SETOPT, DKIM_OPTS_QUERYMETHOD, &query, sizeof(query));
	dkim_options(lib, DKIM_OP_SETOPT, DKIM_OPTS_QUERYINFO, (void *)how->key_file,
		     strlen(how->key_file));
	return lib;
}

/* One header field from `p` on, with its continuation lines. */
static size_t field_len(const char *p, const char *end)
{
	const char *at = p;

	do {
		const char *nl = memchr(at, '\n', (size_t)(end - at));

		at = nl ? nl + 1 : end;
	} while (at < end && (*at == ' ' || *at == '\t'));
	return (size_t)(at - p);
}

static bool is_blank(const char *p, const char *end)
{
	return p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n'));
}

/* An archive keeps LF, a signature is over CRLF. */
static void crlf_add(struct str *out, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\n' && (i == 0 || p[i - 1] != '\r'))
			str_addc(out, '\r');
		str_addc(out, p[i]);
	}
}

static DKIM_STAT headers_give(DKIM *d, const char **p, const char *end)
{
	DKIM_STAT st = DKIM_STAT_OK;

	while (*p < end && !is_blank(*p, end) && st == DKIM_STAT_OK) {
		size_t n = field_len(*p, end), all = n;
		auto_str struct str field;

		while (n && ((*p)[n - 1] == '\n' || (*p)[n - 1] == '\r'))
			n--;
		str_init(&field, 0);
		crlf_add(&field, *p, n);
		if (memchr(field.buf, ':', field.len))
			st = dkim_header(d, (unsigned char *)field.buf, field.len);
		*p += all;
	}
	return st;
}

static DKIM_STAT mail_give(DKIM *d, const struct mail *m)
{
	const char *p = m->raw, *end = m->raw + m->raw_len;
	auto_str struct str body;
	DKIM_STAT st = headers_give(d, &p, end);

	str_init(&body, 2 * MAIL_MAX);
	if (st == DKIM_STAT_OK)
		st = dkim_eoh(d);
	if (st != DKIM_STAT_OK)
		return st;
	if (p < end)
		p += *p == '\r' ? 2 : 1;
	crlf_add(&body, p, (size_t)(end - p));
	if (body.len)
		st = dkim_body(d, (unsigned char *)body.buf, body.len);
	return st == DKIM_STAT_OK ? dkim_eom(d, NULL) : st;
}

/* All of the body is signed: else anybody could have added a line. */
static bool is_whole(DKIM *d, DKIM_SIGINFO *sig)
{
	ssize_t len = 0, canon = 0, limit = 0;

	if (dkim_sig_getcanonlen(d, sig, &len, &canon, &limit) != DKIM_STAT_OK)
		return false;
	return limit < 0 || limit >= len;
}

static bool signature_holds(DKIM *d, const char *address)
{
	DKIM_SIGINFO **sigs = NULL;
	int n = 0;

	if (dkim_getsiglist(d, &sigs, &n) != DKIM_STAT_OK)
		return false;
	for (int i = 0; i < n; i++) {
		unsigned flags = dkim_sig_getflags(sigs[i]);

		/* Of several, libopendkim looks at the first that is good; the others by hand. */
		if (!(flags & DKIM_SIGFLAG_PROCESSED) &&
		    dkim_sig_process(d, sigs[i]) != DKIM_STAT_OK)
			continue;
		flags = dkim_sig_getflags(sigs[i]);
		if ((flags & DKIM_SIGFLAG_PASSED) && !(flags & DKIM_SIGFLAG_TESTKEY) &&
		    dkim_sig_getbh(sigs[i]) == DKIM_SIGBH_MATCH && is_whole(d, sigs[i]) &&
		    command_signs_for((const char *)dkim_sig_getdomain(sigs[i]), address))
			return true;
	}
	return false;
}

void command_auth_verify(const struct mail *m, const struct command_auth *how, char **ret_why)
{
	DKIM_LIB *lib = lib_open(how);
	DKIM_STAT st = DKIM_STAT_OK;
	size_t pos = 0;
	auto_free char *one = header_next(m, "From", &pos);
	auto_free char *two = one ? header_next(m, "From", &pos) : NULL;
	DKIM *d = lib ? dkim_verify(lib, (const unsigned char *)"firn", NULL, &st) : NULL;

	*ret_why = NULL;
	if (!d) {
		*ret_why = xstrdup("libopendkim does not start");
	} else if (!one || two) {
		*ret_why = xstrdup("it has not exactly one From:");
	} else {
		st = mail_give(d, m);
		if (!signature_holds(d, m->from.email))
			*ret_why = xasprintf("no DKIM signature of the sender's domain holds (%s)",
					     dkim_getresultstr(st));
	}
	if (d)
		dkim_free(d);
	if (lib)
		dkim_close(lib);
}

#else

bool command_can_verify(void)
{
	return false;
}

void command_auth_verify(const struct mail *m, const struct command_auth *how, char **ret_why)
{
	(void)m;
	(void)how;
	*ret_why = xstrdup("this firn was built without libopendkim");
}

#endif
