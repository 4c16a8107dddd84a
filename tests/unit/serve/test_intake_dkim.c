// SPDX-License-Identifier: GPL-2.0-or-later
/* DKIM, with a key pair made here and looked up in a file. */
#include "intake_help.h"

#include "base/proc.h"
#include "serve/command_mail.h"

#include <opendkim/dkim.h>

#define FROM "Ada Example <ada@example.org>"
#define BODY "firn: rerun\n"

struct keys {
	char *dir, *file;
	struct str secret;
};

static const char make_keys[] =
	"openssl genrsa -traditional -out key.pem 2048 2>/dev/null || openssl genrsa -out key.pem "
	"2048;"
	" p=$(openssl rsa -in key.pem -pubout -outform DER 2>/dev/null | base64 | tr -d '\\n');"
	" for d in example.org evil.example; do"
	" echo \"s._domainkey.$d v=DKIM1; k=rsa; p=$p\"; done > keys";

static int keys_setup(void **state)
{
	const char *argv[] = {"sh", "-ec", make_keys, NULL};
	struct keys *k = xcalloc(1, sizeof(*k));
	auto_proc_result struct proc_result r = {0};
	auto_free char *pem = NULL;
	struct err err = ERR_INIT;

	k->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(k->dir));
	k->file = xasprintf("%s/keys", k->dir);
	pem = xasprintf("%s/key.pem", k->dir);
	assert_ok(proc_run(&(struct proc_spec){.argv = argv, .cwd = k->dir, .timeout_s = 20}, &r,
			   &err),
		  &err);
	assert_int_equal(r.code, 0);
	str_init(&k->secret, 0);
	assert_ok(fs_read(pem, 1 << 16, ERR_INFRA, &k->secret, &err), &err);
	*state = k;
	return 0;
}

static int keys_teardown(void **state)
{
	struct keys *k = *state;
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(k->dir, &err), &err);
	str_done(&k->secret);
	free(k->dir);
	free(k->file);
	free(k);
	return 0;
}

/* The DKIM-Signature of a mail with these headers; the caller frees. */
static char *sign(const struct keys *k, const char *domain, const char *from, const char *body,
		  ssize_t signed_len)
{
	DKIM_STAT st;
	DKIM_LIB *lib = dkim_init(NULL, NULL);
	DKIM *d = dkim_sign(lib, (const unsigned char *)"t", NULL, (unsigned char *)k->secret.buf,
			    (const unsigned char *)"s", (const unsigned char *)domain,
			    DKIM_CANON_RELAXED, DKIM_CANON_RELAXED, DKIM_SIGN_RSASHA256, signed_len,
			    &st);
	auto_free char *from_field = xasprintf("From: %s", from);
	unsigned char *value = NULL;
	size_t n = 0;
	auto_str struct str crlf;
	char *out;

	assert_non_null(d);
	str_init(&crlf, 0);
	for (const char *p = body; *p; p++)
		*p == '\n' ? str_adds(&crlf, "\r\n") : str_addc(&crlf, *p);
	assert_int_equal(dkim_header(d, (unsigned char *)from_field, strlen(from_field)), 0);
	assert_int_equal(dkim_header(d, (unsigned char *)"Subject: x", 10), 0);
	assert_int_equal(dkim_eoh(d), 0);
	assert_int_equal(dkim_body(d, (unsigned char *)crlf.buf, crlf.len), 0);
	assert_int_equal(dkim_eom(d, NULL), 0);
	assert_int_equal(dkim_getsighdr_d(d, strlen("DKIM-Signature: "), &value, &n), 0);
	out = xasprintf("DKIM-Signature: %.*s\n", (int)n, value);
	dkim_free(d);
	dkim_close(lib);
	return out;
}

/* Whether the mail's From: is proven. */
static bool holds(const struct keys *k, const char *signature, const char *from, const char *body)
{
	auto_free char *text = xasprintf("%sFrom: %s\nSubject: x\n\n%s", signature, from, body);
	const struct command_auth how = {.key_file = k->file};
	struct err err = ERR_INIT;
	auto_free char *why = NULL;
	struct mail *m = NULL;

	assert_ok(mail_parse(text, strlen(text), "test", &m, &err), &err);
	command_auth_verify(m, &how, &why);
	mail_free(m);
	return !why;
}

static void test_verify(void **state)
{
	const struct keys *k = *state;
	auto_free char *good = sign(k, "example.org", FROM, BODY, -1);
	auto_free char *other = sign(k, "evil.example", FROM, BODY, -1);
	auto_free char *sub = sign(k, "example.org", "Ada <ada@lab.example.org>", BODY, -1);
	auto_free char *part = sign(k, "example.org", FROM, "Hi.\n", 5);
	/* Above the sender that is signed stands another one. */
	auto_free char *above = xasprintf("%sFrom: Eve <eve@example.org>\n", good);
	auto_free char *both = xasprintf("%s%s", other, good);

	assert_true(command_can_verify());
	assert_true(holds(k, good, FROM, BODY));
	assert_true(holds(k, both, FROM, BODY));
	assert_true(holds(k, sub, "Ada <ada@lab.example.org>", BODY));
	assert_false(holds(k, "", FROM, BODY));
	assert_false(holds(k, other, FROM, BODY));
	assert_false(holds(k, good, FROM, BODY "more\n"));
	assert_false(holds(k, good, "Eve <eve@example.org>", BODY));
	assert_false(holds(k, good, FROM "\nFrom: Eve <eve@example.org>", BODY));
	assert_false(holds(k, above, FROM, BODY));
	assert_false(holds(k, part, FROM, "Hi.\n" BODY));
	assert_false(holds(k, "DKIM-Signature: v=1; a=rsa-sha256; nonsense\n", FROM, BODY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_verify, keys_setup, keys_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
