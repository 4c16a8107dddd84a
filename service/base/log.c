// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log.h"

#include "base/str.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *role_name;

void log_role(const char *role)
{
	role_name = role;
}

/* $JOURNAL_STREAM is "DEVICE:INODE" of the journal's stream, which standard error need not be:
 * it may have been redirected since, and children inherit the variable. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat st;

	if (!stream || fstat(STDERR_FILENO, &st) < 0)
		return false;
	auto_free char *ours = xasprintf("%llu:%llu", (unsigned long long)st.st_dev,
					 (unsigned long long)st.st_ino);
	return strcmp(stream, ours) == 0;
}

/* Terminal escapes in a mail or a build log must not reach the terminal; nor may a newline begin
 * another entry of the journal. */
static void add_escaped(struct str *out, const char *s, bool one_line)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c < 0x20 && (one_line || (c != '\n' && c != '\t'))) || c == 0x7f)
			str_addf(out, "\\x%02x", c);
		else
			str_addc(out, *s);
	}
}

static bool is_bare(const char *value)
{
	if (!*value)
		return false;
	for (; *value; value++)
		if ((unsigned char)*value <= ' ' || *value == '"' || *value == '=' ||
		    *value == '\\' || *value == 0x7f)
			return false;
	return true;
}

static void add_field(struct str *out, const char *key, const char *value)
{
	str_addf(out, " %s=", key);
	if (is_bare(value)) {
		str_adds(out, value);
		return;
	}
	str_addc(out, '"');
	for (; *value; value++) {
		char one[2] = {*value};

		if (*value == '"' || *value == '\\')
			str_addc(out, '\\');
		add_escaped(out, one, true);
	}
	str_addc(out, '"');
}

static void log_line(enum log_level level, const char *const *fields, const char *message)
{
	static const char *const label[] = {
		[LOG_ERROR] = "error: ", [LOG_WARN] = "warning: ", [LOG_INFO] = ""};
	static const int priority[] = {[LOG_ERROR] = 3, [LOG_WARN] = 4, [LOG_INFO] = 6};
	bool journal = is_journal();
	struct str out;

	str_init(&out, 0);
	if (journal)
		str_addf(&out, "<%d>", priority[level]);
	else
		str_adds(&out, "firn: ");
	if (role_name)
		str_addf(&out, "%s: ", role_name);
	if (!journal)
		str_adds(&out, label[level]);
	add_escaped(&out, message, journal);
	for (; fields && fields[0]; fields += 2)
		if (fields[1])
			add_field(&out, fields[0], fields[1]);
	if (role_name && journal)
		add_field(&out, "role", role_name);
	str_addc(&out, '\n');
	fwrite(out.buf, 1, out.len, stderr);
	str_done(&out);
}

void log_at(enum log_level level, const char *fmt, ...)
{
	struct str message;
	va_list ap;

	str_init(&message, 0);
	va_start(ap, fmt);
	str_vaddf(&message, fmt, ap);
	va_end(ap);
	log_line(level, NULL, message.buf);
	str_done(&message);
}

void log_fields(enum log_level level, const char *const *fields, const char *fmt, ...)
{
	struct str message;
	va_list ap;

	str_init(&message, 0);
	va_start(ap, fmt);
	str_vaddf(&message, fmt, ap);
	va_end(ap);
	log_line(level, fields, message.buf);
	str_done(&message);
}
