// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/hot_add_log.h"

#include "base/str.h"
#include "testbeds/console.h"

static const char *text_find(const char *text, size_t n, const char *word)
{
	return memmem(text, n, word, strlen(word));
}

static bool line_has(const struct console_line *line, const char *word)
{
	return text_find(line->text, line->len, word) != NULL;
}

/* The digits at `p`, which ends at `end`; false when there are none, or it is no number of LMBs. */
static bool number_read(const char **p, const char *end, unsigned *ret)
{
	uint64_t n = 0;
	const char *s = *p;

	for (; s < end && *s >= '0' && *s <= '9'; s++) {
		n = n * 10 + (uint64_t)(*s - '0');
		if (n > UINT32_MAX)
			return false;
	}
	if (s == *p)
		return false;
	*p = s;
	*ret = (unsigned)n;
	return true;
}

/* "... hot-add 16 LMB(s) at index 80000004" and "... hot-add 16 LMB(s)": 16; "... hot-add LMB, drc
 * index 80000004": 1. 0: it makes no sense. */
static unsigned asked_of(const struct console_line *line, const char *verb)
{
	const char *end = line->text + line->len, *p = text_find(line->text, line->len, verb);
	unsigned n = 0;

	p += strlen(verb);
	if (end - p >= 3 && memcmp(p, "LMB", 3) == 0)
		return 1;
	number_read(&p, end, &n);
	return n;
}

static struct hot_add_line piece_of(const struct console_line *line)
{
	return (struct hot_add_line){line->text, line->len};
}

/* What is being read: the op in hand, and when it began. */
struct reader {
	struct hot_add_log *log;
	struct hot_add_op *op; /* NULL: none, or too many */
	uint64_t begin_us;
};

static void op_begin(struct reader *r, const struct console_line *line, bool remove)
{
	if (r->log->n == HOT_ADD_OPS_MAX) {
		r->op = NULL;
		return;
	}
	r->op = &r->log->op[r->log->n++];
	*r->op = (struct hot_add_op){
		.remove = remove,
		.asked = asked_of(line, remove ? "hot-remove " : "hot-add "),
		.first = piece_of(line),
	};
	r->begin_us = line->us;
}

static void op_done(struct reader *r, const struct console_line *line, bool remove)
{
	struct hot_add_op *op = r->op;

	if (!op || op->remove != remove || line->us < r->begin_us || op->done == UINT32_MAX)
		return;
	op->done++;
	op->us = line->us - r->begin_us;
	op->last = piece_of(line);
}

static void op_refused(struct reader *r, const struct console_line *line)
{
	if (r->op && !*r->op->refusal)
		snprintf(r->op->refusal, sizeof(r->op->refusal), "%.*s", (int)line->len,
			 line->text);
}

static void line_read(struct reader *r, const struct console_line *line)
{
	if (line_has(line, "Attempting to hot-add "))
		op_begin(r, line, false);
	else if (line_has(line, "Attempting to hot-remove "))
		op_begin(r, line, true);
	else if (line_has(line, "was hot-added"))
		op_done(r, line, false);
	else if (line_has(line, "was hot-removed"))
		op_done(r, line, true);
	else if (line_has(line, "hotplug-mem: "))
		op_refused(r, line);
}

void hot_add_log_read(const char *text, size_t len, struct hot_add_log *ret)
{
	const char *end = text + len;
	struct reader r = {.log = ret};
	struct console_line line;

	*ret = (struct hot_add_log){.n = 0};
	while (console_kernel_line(&text, end, &line))
		line_read(&r, &line);
}

bool hot_add_op_whole(const struct hot_add_op *op)
{
	return op->asked && op->done == op->asked;
}

const struct hot_add_op *hot_add_log_op(const struct hot_add_log *log, bool remove, unsigned nth)
{
	for (size_t i = 0; i < log->n; i++)
		if (log->op[i].remove == remove && nth-- == 0)
			return &log->op[i];
	return NULL;
}

void hot_add_placed_read(const char *text, size_t len, const char *name, struct hot_add_placed *ret)
{
	auto_free char *mark = xasprintf("firn: %s placed node", name);
	const char *end = text + len, *p = text;

	*ret = (struct hot_add_placed){.said = false};
	while ((p = text_find(p, (size_t)(end - p), mark)) != NULL) {
		unsigned node, lmbs;

		p += strlen(mark);
		if (!number_read(&p, end, &node) || node >= HOT_ADD_NODES_MAX || p == end ||
		    *p++ != ' ' || !number_read(&p, end, &lmbs))
			continue;
		ret->on_node[node] = lmbs;
		ret->said = true;
	}
}

/* The first of a pair of lines, and the first of the others after it. */
struct window {
	bool begun, ended;
	uint64_t begin_us, us;
};

static void window_begin(struct window *w, uint64_t us)
{
	if (w->begun)
		return;
	w->begun = true;
	w->begin_us = us;
}

static void window_end(struct window *w, uint64_t us)
{
	if (!w->begun || w->ended || us < w->begin_us)
		return;
	w->ended = true;
	w->us = us - w->begin_us;
}

void memory_init_log_read(const char *text, size_t len, struct memory_init_log *ret)
{
	const char *end = text + len;
	struct window around = {.begun = false}, own = {.begun = false};
	struct console_line line;

	while (console_kernel_line(&text, end, &line)) {
		if (console_line_starts(&line, "devtmpfs: initialized"))
			window_begin(&around, line.us);
		else if (console_line_starts(&line, "calling "))
			window_end(&around, line.us);
		else if (console_line_starts(&line, "memory_dev_init: adding "))
			window_begin(&own, line.us);
		else if (console_line_starts(&line, "memory_dev_init: added "))
			window_end(&own, line.us);
	}
	*ret = (struct memory_init_log){around.ended, around.us, own.ended, own.us};
}
