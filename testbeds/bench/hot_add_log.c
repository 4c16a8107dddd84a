// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/hot_add_log.h"

#include "base/str.h"
#include "testbeds/console.h"

static bool text_has(const char *text, size_t n, const char *word)
{
	return memmem(text, n, word, strlen(word)) != NULL;
}

static void read_kernel(const char *text, size_t len, struct hot_add_log *log)
{
	const char *end = text + len;
	struct console_line line;
	uint64_t begin = 0;
	bool begun = false;

	while (console_kernel_line(&text, end, &line)) {
		if (text_has(line.text, line.len, "Attempting to hot-add")) {
			begin = line.us;
			begun = true;
		} else if (begun && text_has(line.text, line.len, "was hot-added")) {
			log->added++;
			log->us = line.us - begin;
			log->timed = line.us >= begin;
		}
	}
}

static void read_placed(const char *text, struct hot_add_log *log)
{
	static const char mark[] = "firn: hot-add placed node";

	for (const char *p = text; (p = strstr(p, mark)) != NULL;) {
		char *end;
		unsigned long node = strtoul(p + strlen(mark), &end, 10);

		if (node < HOT_ADD_NODES_MAX && *end == ' ')
			log->on_node[node] = (unsigned)strtoul(end, NULL, 10);
		p = end;
	}
}

void hot_add_log_read(const char *text, size_t len, struct hot_add_log *ret)
{
	*ret = (struct hot_add_log){0};
	read_kernel(text, len, ret);
	read_placed(text, ret);
}
