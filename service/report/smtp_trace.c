// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/smtp_trace.h"

/* RFC 5321 4.5.3.1.5 has 512; what is longer is cut. */
#define LINE_MAX_IN 1000

void smtp_trace_init(struct smtp_trace *t)
{
	*t = (struct smtp_trace){0};
	str_init(&t->line, LINE_MAX_IN);
}

void smtp_trace_done(struct smtp_trace *t)
{
	str_done(&t->line);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The last line of an answer: "250 OK", "250" (RFC 5321 4.2). Others of it have "-" behind the
 * code. */
static bool is_last(const char *line)
{
	return is_digit(line[0]) && is_digit(line[1]) && is_digit(line[2]) &&
	       (line[3] == ' ' || line[3] == '\0');
}

static void answer(struct smtp_trace *t)
{
	const char *s = t->line.buf;
	size_t n = 0;

	if (!is_last(s))
		return;
	t->code = (unsigned)(100 * (s[0] - '0') + 10 * (s[1] - '0') + (s[2] - '0'));
	for (; *s && n + 1 < sizeof(t->words); s++)
		t->words[n++] = (char)(*s >= ' ' && *s < 0x7f ? *s : '?');
	t->words[n] = '\0';
	t->answered = t->handed;
}

static void received(struct smtp_trace *t, const char *data, size_t n)
{
	for (size_t i = 0; i < n && !t->over; i++) {
		if (data[i] != '\n') {
			if (data[i] != '\r')
				str_addc(&t->line, data[i]);
			continue;
		}
		answer(t);
		str_reset(&t->line);
	}
}

static void sent(struct smtp_trace *t, const char *data, size_t n)
{
	size_t i;

	t->over = t->over || (n >= 4 && strncmp(data, "QUIT", 4) == 0);
	if (t->over)
		return;
	for (i = 0; i < n && i + 1 < sizeof(t->verb) && data[i] > ' '; i++)
		t->verb[i] = data[i];
	t->verb[i] = '\0';
	t->rcpts += strcmp(t->verb, "RCPT") == 0;
}

int smtp_trace_debug(CURL *curl, curl_infotype type, char *data, size_t n, void *ctx)
{
	struct smtp_trace *t = ctx;

	(void)curl;
	if (type == CURLINFO_HEADER_IN)
		received(t, data, n);
	else if (type == CURLINFO_HEADER_OUT)
		sent(t, data, n);
	return 0;
}
