// SPDX-License-Identifier: GPL-2.0-or-later
/* mail_parse() and patch_read() on any bytes: whatever they are, what comes out can be shown,
 * stored and committed. */
#include "fuzz.h"

#include "series/message.h"

#include <ctype.h>

static void check(bool ok)
{
	if (!ok)
		abort();
}

/* One line of UTF-8 that does nothing to a terminal. */
static void line_check(const char *s)
{
	check(s && utf8_valid(s, strlen(s)));
	for (; *s; s++)
		check(!iscntrl((unsigned char)*s));
}

static void addr_check(const struct mail_addr *a)
{
	line_check(a->name);
	line_check(a->email);
}

static void ident_check(const struct ident *id)
{
	line_check(id->name);
	line_check(id->email);
	check(!strpbrk(id->name, "<>") && !strpbrk(id->email, "<>"));
	check(id->tz_minutes > -24 * 60 && id->tz_minutes < 24 * 60);
}

static void mail_check(const struct mail *m, const uint8_t *data, size_t size)
{
	struct mail_addr who;

	check(m->raw_len == size && memcmp(m->raw, data, size) == 0);
	line_check(m->subject);
	addr_check(&m->from);
	addr_check(&m->sender);
	addr_check(&m->reply_to);
	addr_check(&m->original);
	if (mail_person(m, &who)) {
		addr_check(&who);
		mail_addr_done(&who);
	}
	check(!m->message_id || m->message_id[0]);
	check(strlen(m->text) == m->text_len && utf8_valid(m->text, m->text_len));
	check(m->bytes[m->bytes_len] == '\0');
	check(m->has_date || m->date == 0);
}

static void patch_check(const struct patch *p)
{
	ident_check(&p->author);
	line_check(p->subject.text);
	check(utf8_valid(p->message, strlen(p->message)));
	check(!p->damage || p->diff_len > 0);
	check(!(p->diff && p->diff_error));
	check(p->diff_len <= p->mail->bytes_len);
	check(memcmp(p->diff_text, p->mail->bytes + p->mail->bytes_len - p->diff_len,
		     p->diff_len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct patch p = {};
	struct mail *m;
	int rc = mail_parse((const char *)data, size, "fuzz", &m, &err);

	if (rc) {
		check(rc == ERR_INPUT && err.kind == ERR_INPUT && err.msg[0]);
		return 0;
	}
	mail_check(m, data, size);
	subject_parse(m->subject, &p.subject);
	patch_read(m, &p);
	patch_check(&p);
	patch_done(&p);
	mail_free(m);
	return 0;
}
