// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/apply_run.h"

/* git's own rule (ident.c, strbuf_addstr_without_crud()) for what a name may not begin or end with.
 */
static bool is_crud(unsigned char c)
{
	return c <= 32 || strchr(".,:;<>\"\\'", c);
}

/* A name or address without what would break the line: <, > and newlines anywhere, crud at the
 * ends. */
static void ident_part(struct str *out, const char *s)
{
	size_t n = strlen(s);

	while (n && is_crud((unsigned char)*s)) {
		s++;
		n--;
	}
	while (n && is_crud((unsigned char)s[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++) {
		if (!strchr("<>\n", s[i]))
			str_addc(out, s[i]);
	}
}

static void ident_line(struct str *out, const char *role, const struct ident *who,
		       const struct ident *when)
{
	int tz = when->tz_minutes, minutes = tz < 0 ? -tz : tz;

	str_addf(out, "%s ", role);
	ident_part(out, who->name);
	str_adds(out, " <");
	ident_part(out, who->email);
	str_addf(out, "> %lld %c%02d%02d\n", (long long)(when->time > 0 ? when->time : 0),
		 tz < 0 ? '-' : '+', minutes / 60 % 100, minutes % 60);
}

void commit_text(struct str *out, const struct commit_spec *spec)
{
	static const struct ident firn = {.name = "firn", .email = "firn@localhost"};
	char tree[GIT_OID_HEXSZ + 1], parent[GIT_OID_HEXSZ + 1];

	str_addf(out, "tree %s\nparent %s\n", git_oid_tostr(tree, sizeof(tree), &spec->tree),
		 git_oid_tostr(parent, sizeof(parent), &spec->parent));
	ident_line(out, "author", spec->author, spec->author);
	ident_line(out, "committer", &firn, spec->author);
	str_addc(out, '\n');
	str_adds(out, spec->message);
	if (!str_ends(spec->message, "\n"))
		str_addc(out, '\n');
}
