// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/message.h"

/* What git leaves out of a name or address at either end. */
static bool is_crud(char c)
{
	return (unsigned char)c <= ' ' || strchr(".,:;<>\"\\'", c);
}

static char *ident_clean(const char *s)
{
	size_t n = strlen(s);
	char *out, *o;

	while (n && is_crud(s[n - 1]))
		n--;
	while (n && is_crud(*s)) {
		s++;
		n--;
	}
	out = o = xmemdup(s, n);
	for (const char *p = out; *p; p++)
		if (!strchr("<>\n", *p))
			*o++ = *p;
	*o = '\0';
	return out;
}

/* git-mailinfo(1) takes the address where there is no name, or one that is too long or holds an
 * address. */
void ident_from_addr(const struct mail_addr *addr, struct ident *ret)
{
	size_t n = strlen(addr->name);
	bool sane = n > 0 && n <= 60 && !strpbrk(addr->name, "@<>");

	ret->name = ident_clean(sane ? addr->name : addr->email);
	ret->email = ident_clean(addr->email);
}

void ident_from_mail(const struct mail *mail, struct ident *ret)
{
	struct mail_addr person;
	bool known = mail_person(mail, &person);

	*ret = (struct ident){.time = mail->date, .tz_minutes = mail->tz_minutes};
	ident_from_addr(known ? &person : &mail->from, ret);
	if (known)
		mail_addr_done(&person);
}

void ident_done(struct ident *id)
{
	free(id->name);
	free(id->email);
	*id = (struct ident){};
}
