// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/console.h"
#include <assert.h>

/* How much of an overlong line is looked at again with its next part: room for a printk prefix. */
#define CARRY 64

void console_init(struct console *c, size_t max)
{
	*c = (struct console){0};
	if (!max)
		max = CONSOLE_MAX_DEFAULT;
	assert(max >= 2);
	c->tail_max = max / 2;
	str_init(&c->head, max - c->tail_max);
}

void console_done(struct console *c)
{
	str_done(&c->head);
	free(c->tail);
	c->tail = NULL;
	complaint_log_done(&c->complaints);
	ktap_done(&c->ktap);
}

static void tail_add(struct console *c, const char *data, size_t n)
{
	if (!c->tail)
		c->tail = xmalloc(c->tail_max);
	if (n > c->tail_max) {
		data += n - c->tail_max;
		n = c->tail_max;
	}
	while (n) {
		size_t end = (c->tail_start + c->tail_len) % c->tail_max;
		size_t part = c->tail_max - end < n ? c->tail_max - end : n;

		memcpy(c->tail + end, data, part);
		c->tail_len += part;
		if (c->tail_len > c->tail_max) {
			c->tail_start = (c->tail_start + c->tail_len) % c->tail_max;
			c->tail_len = c->tail_max;
		}
		data += part;
		n -= part;
	}
}

static void text_keep(struct console *c, const char *data, size_t n)
{
	size_t room = c->head.max - c->head.len, part = n < room ? n : room;

	c->bytes += n;
	str_add(&c->head, data, part);
	if (n > part)
		tail_add(c, data + part, n - part);
}

void console_text(const struct console *c, struct str *ret)
{
	size_t first = c->tail_max - c->tail_start;
	size_t dropped = c->bytes - c->head.len - c->tail_len;

	str_init(ret, c->head.max + c->tail_max + 128);
	str_add(ret, c->head.buf, c->head.len);
	if (dropped)
		str_addf(ret, "\n[firn: %zu bytes of console output left out here]\n", dropped);
	if (first > c->tail_len)
		first = c->tail_len;
	if (c->tail_len) {
		str_add(ret, c->tail + c->tail_start, first);
		str_add(ret, c->tail, c->tail_len - first);
	}
	if (dropped)
		ret->truncated = true;
}

static void last_set(struct console *c, const char *s, size_t n)
{
	while (n && (s[0] == ' ' || s[0] == '\t'))
		s++, n--;
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	if (n)
		snprintf(c->last, sizeof(c->last), "%.*s", (int)n, s);
}

static void panic_seen(struct console *c, const char *title, size_t n, bool timed)
{
	if (c->panic && (c->panic_timed || !timed))
		return;
	c->panic = true;
	c->panic_timed = timed;
	snprintf(c->panic_title, sizeof(c->panic_title), "%.*s", (int)n, title);
}

static const char panic_start[] = "Kernel panic - not syncing: ";

static void kernel_line(struct console *c, const struct console_line *line)
{
	c->kernel_seen = true;
	c->kernel_us = line->us;
	last_set(c, line->text, line->len);
	if (console_line_starts(line, panic_start))
		panic_seen(c, line->text, line->len, true);
	complaint_log_line(&c->complaints, line);
}

static bool text_is(const char *s, size_t n, const char *want)
{
	return n == strlen(want) && memcmp(s, want, n) == 0;
}

static bool text_starts(const char *s, size_t n, const char *want)
{
	return n >= strlen(want) && memcmp(s, want, strlen(want)) == 0;
}

/* What the guest hands to ibm,os-term is printed by QEMU: "qemu-system-ppc64: OS terminated: TEXT".
 */
static bool is_stop(const char *s, size_t n)
{
	static const char mark[] = "OS terminated: " CONSOLE_STOP;
	size_t len = sizeof(mark) - 1;

	return text_is(s, n, CONSOLE_STOP) || (n >= len && memcmp(s + n - len, mark, len) == 0);
}

/* Lines that say by themselves what they are: marks of our init, results, and what the kernel
 * prints before it has a clock (arch/powerpc/kernel/prom_init.c). */
static bool guest_line_known(const char *s, size_t n)
{
	return text_is(s, n, CONSOLE_DONE) || is_stop(s, n) || ktap_is_line(s, n) ||
	       text_starts(s, n, panic_start);
}

static void guest_line(struct console *c, const char *s, size_t n)
{
	last_set(c, s, n);
	if (text_is(s, n, CONSOLE_DONE)) {
		c->done = true;
		/* Nothing runs after a panic: that one was a test's own words. */
		if (!c->panic_timed)
			c->panic = false;
	} else if (is_stop(s, n)) {
		c->stops++;
	} else if (text_starts(s, n, panic_start)) {
		panic_seen(c, s, n, false);
	} else if (ktap_is_line(s, n)) {
		ktap_line(&c->ktap, s, n);
	} else if (!text_starts(s, n, "Preparing to boot Linux") &&
		   !text_starts(s, n, "Booting Linux via")) {
		return;
	}
	c->kernel_seen = true;
}

/*
 * A guest line that comes after the first half of one: its second half, or, where the first half
 * was all that there was, a line of its own. Together they may make another line than apart ("not "
 * and "ok 1 x"), so together comes first.
 */
static void guest_rest(struct console *c, const char *s, size_t n)
{
	char whole[2 * CONSOLE_LINE_MAX];
	size_t half = c->half_len;

	c->half_len = 0;
	memcpy(whole, c->half, half);
	memcpy(whole + half, s, n);
	if (guest_line_known(whole, half + n) || !guest_line_known(s, n)) {
		guest_line(c, whole, half + n);
		return;
	}
	guest_line(c, whole, half);
	guest_line(c, s, n);
}

/* The line of the guest in front of a kernel line. */
static void guest_half(struct console *c, const char *s, size_t n)
{
	size_t room = sizeof(c->half) - c->half_len;

	if (n > room)
		n = room;
	memcpy(c->half + c->half_len, s, n);
	c->half_len += n;
}

/* What is in c->line, or a part of it when the line is overlong. */
static void line_emit(struct console *c, size_t n, bool goes_on)
{
	size_t at = console_prefix_find(c->line, n);
	struct console_line line;

	if (at < n) {
		if (at && !c->line_goes_on)
			guest_half(c, c->line, at);
		console_prefix(c->line + at, n - at, &line);
		line.len = (size_t)(c->line + n - line.text);
		kernel_line(c, &line);
	} else if (c->line_goes_on || goes_on) {
		/* No result or mark is so long. */
		last_set(c, c->line, n);
		c->half_len = 0;
	} else if (c->half_len) {
		guest_rest(c, c->line, n);
	} else {
		guest_line(c, c->line, n);
	}
	c->line_goes_on = goes_on;
}

static void line_shift(struct console *c, size_t n)
{
	memmove(c->line, c->line + n, c->line_len - n);
	c->line_len -= n;
}

/* The buffer is full and no line end came: a flood without one must not hide the panic at its end.
 */
static void line_full(struct console *c)
{
	size_t at = console_prefix_find(c->line, c->line_len);

	if (at && at < c->line_len) {
		if (!c->line_goes_on)
			guest_half(c, c->line, at);
		line_shift(c, at);
		c->line_goes_on = false;
		return;
	}
	line_emit(c, c->line_len - CARRY, true);
	line_shift(c, c->line_len - CARRY);
}

static void line_end(struct console *c)
{
	line_emit(c, c->line_len, false);
	c->line_len = 0;
	c->line_goes_on = false;
	c->escape = 0;
}

enum { ESC_NONE, ESC_START, ESC_CSI, ESC_OSC, ESC_OSC_END, ESC_SHORT };

/* Terminal escapes (ECMA-48): CSI to its final byte, OSC to BEL or ESC \, others to their final
 * byte. A line end ends each of them, or an open OSC could hide all that follows. True when the
 * byte belongs to one. */
static bool escape_takes(int *state, unsigned char b)
{
	switch (*state) {
	case ESC_NONE: *state = b == 0x1b ? ESC_START : ESC_NONE; return b == 0x1b;
	case ESC_START:
		*state = b == '['		  ? ESC_CSI
			 : b == ']'		  ? ESC_OSC
			 : b >= 0x20 && b <= 0x2f ? ESC_SHORT
						  : ESC_NONE;
		return true;
	case ESC_CSI: *state = b >= 0x40 && b <= 0x7e ? ESC_NONE : ESC_CSI; return true;
	case ESC_OSC:
		*state = b == 0x07 ? ESC_NONE : b == 0x1b ? ESC_OSC_END : ESC_OSC;
		return true;
	case ESC_OSC_END: *state = ESC_NONE; return true;
	default: *state = b >= 0x20 && b <= 0x2f ? ESC_SHORT : ESC_NONE; return true;
	}
}

static void byte_feed(struct console *c, unsigned char b)
{
	if (b == '\n') {
		line_end(c);
		return;
	}
	if (escape_takes(&c->escape, b) || (b < 0x20 && b != '\t') || b == 0x7f)
		return;
	c->line[c->line_len++] = (char)b;
	if (c->line_len == sizeof(c->line))
		line_full(c);
}

void console_feed(struct console *c, const char *data, size_t n)
{
	text_keep(c, data, n);
	for (size_t i = 0; i < n; i++)
		byte_feed(c, (unsigned char)data[i]);
}

/* The worst that the kernel complained of short of a panic or a warning: what a dead machine
 * probably died of. */
static const struct complaint *cause_of(const struct boot_result *r)
{
	for (size_t i = 0; i < r->n_complaints; i++)
		if (r->complaint[i].kind != COMPLAINT_PANIC &&
		    r->complaint[i].kind != COMPLAINT_WARN)
			return &r->complaint[i];
	return NULL;
}

static enum boot_end end_of(const struct console *c, enum console_machine how)
{
	if (c->panic)
		return BOOT_PANIC;
	if (c->done)
		return BOOT_DONE;
	if (!c->kernel_seen)
		return BOOT_SILENT;
	return how == CONSOLE_EXITED ? BOOT_EXITED : BOOT_HANG;
}

static char *silent_words(enum console_machine how, double limit_s)
{
	if (how == CONSOLE_EXITED)
		return xstrdup("the machine went off without one line from the kernel");
	return xasprintf("not one line from the kernel in %g s", limit_s);
}

static char *end_words(const struct console *c, enum boot_end end, enum console_machine how,
		       double limit_s)
{
	switch (end) {
	case BOOT_PANIC: return xasprintf("panic: %s", c->panic_title + strlen(panic_start));
	case BOOT_DONE:
		return xasprintf("init reported its end at %.1f s", (double)c->kernel_us / 1e6);
	case BOOT_SILENT: return silent_words(how, limit_s);
	case BOOT_EXITED:
		return xasprintf("the machine went off without a word from init, after \"%s\"",
				 c->last);
	default: break;
	}
	if (how == CONSOLE_TIMEOUT)
		return xasprintf("not done after %g s; the last line is \"%s\"", limit_s, c->last);
	return xasprintf("no output for %g s after \"%s\"", limit_s, c->last);
}

static char *reason_of(const struct console *c, const struct boot_result *r,
		       enum console_machine how, double limit_s)
{
	auto_free char *words = end_words(c, r->end, how, limit_s);
	const struct complaint *cause = cause_of(r);

	if (!cause || r->end == BOOT_DONE)
		return take(words);
	return xasprintf("%s; before it: %s", words, cause->title);
}

void console_finish(struct console *c, enum console_machine how, double limit_s,
		    struct boot_result *ret)
{
	if (c->line_len)
		line_end(c);
	if (c->half_len)
		guest_rest(c, "", 0);
	complaint_log_close(&c->complaints);
	if (c->panic && !c->panic_timed)
		complaint_log_add(&c->complaints, COMPLAINT_PANIC, c->panic_title);

	ret->end = end_of(c, how);
	console_text(c, &ret->console);
	ret->complaint = take(c->complaints.complaint);
	ret->n_complaints = c->complaints.n;
	c->complaints.n = c->complaints.cap = 0;
	ktap_finish(&c->ktap, &ret->test, &ret->n_tests);
	ret->guest_seconds = (double)c->kernel_us / 1e6;
	ret->reason = reason_of(c, ret, how, limit_s);
}
