// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/http_log.h"

#include "testbeds/bench/sampler.h"
#include <ctype.h>

#define NUMBER_MAX (1ull << 53)

struct line {
	const char *text;
	size_t n;
};

/* The unsigned number behind " NAME " or, first on the line, "NAME ". */
static bool line_number(const struct line *l, const char *name, double *ret)
{
	size_t name_n = strlen(name);

	for (size_t i = 0; i + name_n + 1 < l->n; i++) {
		unsigned long long value = 0;
		size_t at = i + name_n + 1;

		if ((i && l->text[i - 1] != ' ') || memcmp(l->text + i, name, name_n) != 0 ||
		    l->text[at - 1] != ' ' || !isdigit((unsigned char)l->text[at]))
			continue;
		for (; at < l->n && isdigit((unsigned char)l->text[at]); at++) {
			value = value * 10 + (unsigned)(l->text[at] - '0');
			if (value > NUMBER_MAX)
				return false;
		}
		*ret = (double)value;
		return true;
	}
	return false;
}

static bool line_read(const struct line *l, struct http_log *log)
{
	double failed;

	return line_number(l, "requests", &log->requests) && line_number(l, "failed", &failed) &&
	       line_number(l, "ns", &log->ns) && line_number(l, "bytes", &log->bytes) &&
	       line_number(l, "interrupts", &log->interrupts) &&
	       line_number(l, "switches", &log->switches) &&
	       line_number(l, "packets", &log->packets) && failed == 0 && log->requests > 0 &&
	       log->ns > 0;
}

static void latency_read(const struct line *l, struct http_log *log)
{
	struct http_log got = *log;

	if (line_number(l, "p50", &got.p50_ns) && line_number(l, "p90", &got.p90_ns) &&
	    line_number(l, "p99", &got.p99_ns) && line_number(l, "max", &got.max_ns))
		*log = got;
}

bool http_log_read(const struct boot_result *boot, struct http_log *ret)
{
	const char *pos = boot->console.buf;
	struct http_log log = {0};
	struct line l;
	bool found = false;

	while (sample_line(boot, &pos, "firn: http connections ", &l.text, &l.n))
		found = line_read(&l, &log);
	pos = boot->console.buf;
	while (sample_line(boot, &pos, "firn: http latency ", &l.text, &l.n))
		latency_read(&l, &log);
	if (found)
		*ret = log;
	return found;
}
