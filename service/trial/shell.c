// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/shell.h"

void shell_add(struct str *out, const char *word)
{
	static const char safe[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

	str_addc(out, ' ');
	if (*word && word[strspn(word, safe)] == '\0') {
		str_adds(out, word);
		return;
	}
	str_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			str_adds(out, "'\\''");
		else
			str_addc(out, *word);
	}
	str_addc(out, '\'');
}

void shell_add_option(struct str *out, const char *option, const char *value)
{
	if (!value)
		return;
	str_addf(out, " %s", option);
	shell_add(out, value);
}
