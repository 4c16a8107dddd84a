// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log.h"

#include "base/str.h"
#include <stdio.h>

/* Terminal escapes in a mail or a build log must not reach the terminal. */
static void add_escaped(struct str *out, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			str_addf(out, "\\x%02x", c);
		else
			str_addc(out, *s);
	}
}

void log_at(enum log_level level, const char *fmt, ...)
{
	static const char *const label[] = {
		[LOG_ERROR] = "error: ", [LOG_WARN] = "warning: ", [LOG_INFO] = ""};
	struct str raw, out;
	va_list ap;

	str_init(&raw, 0);
	str_init(&out, 0);
	va_start(ap, fmt);
	str_vaddf(&raw, fmt, ap);
	va_end(ap);
	str_addf(&out, "firn: %s", label[level]);
	add_escaped(&out, raw.buf);
	str_addc(&out, '\n');
	fwrite(out.buf, 1, out.len, stderr);
	str_done(&raw);
	str_done(&out);
}
