// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/complaint.h"
#include "testbeds/console.h"
#include <ctype.h>

/* A pause of the kernel that ends a complaint without an end mark: its lines come in one go. */
#define GAP_US 1000000
/* Lines between "cut here" and the title: the text of a WARN(). */
#define CUT_HERE_MAX 4
#define TITLE_MAX    512

struct title {
	const char *start;
	const char *also; /* somewhere behind it; NULL */
	enum complaint_kind kind;
	bool one_line; /* nothing belongs to it */
};

/* The first that matches. Texts: kernel/panic.c, lib/bug.c,
 * arch/powerpc/{mm/fault.c,kernel/traps.c,kernel/watchdog.c},
 * kernel/{watchdog,watchdog_hld,hung_task,workqueue}.c, kernel/rcu/tree_stall.h,
 * kernel/locking/lockdep.c, mm/{page_alloc,kasan/report,kfence/report}.c, lib/ubsan.c; those of x86
 * and arm64 from arch/. A bare "WARNING: " is how drivers talk about the firmware, and no
 * complaint. */
static const struct title titles[] = {
	{"Kernel panic - not syncing: ", NULL, COMPLAINT_PANIC, false},
	{"watchdog: BUG: soft lockup", NULL, COMPLAINT_LOCKUP, false},
	{"BUG: soft lockup", NULL, COMPLAINT_LOCKUP, false},
	{"BUG: workqueue lockup", NULL, COMPLAINT_LOCKUP, false},
	{"watchdog: CPU", " LOCKUP", COMPLAINT_LOCKUP, false},
	{"watchdog: Watchdog detected hard LOCKUP", NULL, COMPLAINT_LOCKUP, false},
	{"NMI watchdog: Watchdog detected hard LOCKUP", NULL, COMPLAINT_LOCKUP, false},
	{"Watchdog CPU:", "Hard LOCKUP", COMPLAINT_LOCKUP, false},
	{"rcu: INFO: ", "stall", COMPLAINT_STALL, false},
	{"INFO: rcu_", "stall", COMPLAINT_STALL, false},
	{"rcu: ", "kthread starved for", COMPLAINT_STALL, false},
	{"INFO: task ", "blocked", COMPLAINT_STALL, false},
	{"BUG: Unable to handle", NULL, COMPLAINT_OOPS, false},
	{"BUG: unable to handle", NULL, COMPLAINT_OOPS, false},
	{"BUG: Kernel NULL pointer dereference", NULL, COMPLAINT_OOPS, false},
	{"BUG: kernel NULL pointer dereference", NULL, COMPLAINT_OOPS, false},
	{"Unable to handle kernel", NULL, COMPLAINT_OOPS, false},
	{"Internal error: ", NULL, COMPLAINT_OOPS, false},
	{"Oops: ", NULL, COMPLAINT_OOPS, false},
	{"Kernel access of bad area", NULL, COMPLAINT_OOPS, false},
	{"Machine check in kernel mode", NULL, COMPLAINT_OOPS, false},
	{"general protection fault", NULL, COMPLAINT_OOPS, false},
	{"kernel BUG at ", NULL, COMPLAINT_BUG, false},
	{"BUG: Bad rss-counter state", NULL, COMPLAINT_BUG, true},
	{"BUG: non-zero pgtables_bytes", NULL, COMPLAINT_BUG, true},
	{"BUG: ", NULL, COMPLAINT_BUG, false},
	{"UBSAN: ", " in ", COMPLAINT_BUG, false},
	{"WARNING: CPU: ", NULL, COMPLAINT_WARN, false},
	{"WARNING: possible ", "detected", COMPLAINT_WARN, false},
	{"WARNING: ", "lock order detected", COMPLAINT_WARN, false},
	{"WARNING: inconsistent lock state", NULL, COMPLAINT_WARN, false},
	{"WARNING: suspicious RCU usage", NULL, COMPLAINT_WARN, false},
	{"WARNING: bad unlock balance", NULL, COMPLAINT_WARN, false},
	{"WARNING: bad contention", NULL, COMPLAINT_WARN, false},
	{"WARNING: held lock freed", NULL, COMPLAINT_WARN, false},
	{"WARNING: lock held when returning", NULL, COMPLAINT_WARN, false},
	{"WARNING: Nested lock was not taken", NULL, COMPLAINT_WARN, false},
	{"WARNING: ", "still has locks held", COMPLAINT_WARN, false},
};

static bool has(const struct console_line *line, const char *word)
{
	return memmem(line->text, line->len, word, strlen(word)) != NULL;
}

/* "WARNING: mm/x.c:12 at fn+0x10/0x20, CPU#0: init/1", as newer kernels print it. */
static bool is_new_warn(const struct console_line *line)
{
	const char *at = memmem(line->text, line->len, " at ", 4);

	return console_line_starts(line, "WARNING: ") && at && isdigit((unsigned char)at[-1]) &&
	       memchr(line->text + 8, ':', (size_t)(at - line->text) - 8);
}

static const struct title *title_find(const struct console_line *line)
{
	static const struct title new_warn = {"WARNING: ", NULL, COMPLAINT_WARN, false};

	for (size_t i = 0; i < array_size(titles); i++)
		if (console_line_starts(line, titles[i].start) &&
		    (!titles[i].also || has(line, titles[i].also)))
			return &titles[i];
	return is_new_warn(line) ? &new_warn : NULL;
}

static void lines_add(struct complaint *c, const char *s, size_t n)
{
	if (c->n_lines == COMPLAINT_LINES_MAX)
		return;
	if (!c->line)
		c->line = xcalloc(COMPLAINT_LINES_MAX, sizeof(*c->line));
	c->line[c->n_lines++] = xmemdup(s, n);
}

void complaint_done(struct complaint *c)
{
	for (size_t i = 0; i < c->n_lines; i++)
		free(c->line[i]);
	free(c->line);
	free(c->title);
	free(c->key);
	*c = (struct complaint){0};
}

static void open_drop(struct complaint_log *log)
{
	complaint_done(&log->open);
	log->is_open = log->trace = log->dump = log->placed = log->cut_here = false;
}

static bool log_has(const struct complaint_log *log, const char *key)
{
	for (size_t i = 0; i < log->n; i++)
		if (strcmp(log->complaint[i].key, key) == 0)
			return true;
	return false;
}

void complaint_log_close(struct complaint_log *log)
{
	if (log->is_open && log->n < COMPLAINTS_MAX && !log_has(log, log->open.key)) {
		arr_grow(log->complaint, log->n, log->cap);
		log->complaint[log->n++] = log->open;
		log->open = (struct complaint){0};
	}
	open_drop(log);
}

void complaint_log_done(struct complaint_log *log)
{
	open_drop(log);
	for (size_t i = 0; i < log->n; i++)
		complaint_done(&log->complaint[i]);
	free(log->complaint);
	*log = (struct complaint_log){0};
}

static void open_begin(struct complaint_log *log, enum complaint_kind kind, const char *title,
		       size_t n)
{
	log->cut_here = false;
	log->is_open = true;
	log->open.kind = kind;
	log->open.title = xmemdup(title, n < TITLE_MAX ? n : TITLE_MAX);
	log->open.key = complaint_key(log->open.title);
	lines_add(&log->open, title, n);
}

void complaint_log_add(struct complaint_log *log, enum complaint_kind kind, const char *title)
{
	complaint_log_close(log);
	open_begin(log, kind, title, strlen(title));
	complaint_log_close(log);
}

/* "BUG: Unable to handle ..." and "kernel BUG at ..." are followed by "Oops: ...": one and the
 * same. */
static bool title_goes_on(const struct complaint_log *log, const struct title *t)
{
	return log->is_open && !log->trace && t->kind == COMPLAINT_OOPS &&
	       (log->open.kind == COMPLAINT_OOPS || log->open.kind == COMPLAINT_BUG);
}

static bool is_frame(const struct console_line *line)
{
	static const char *const starts[] = {"[c", " ", "\t", "--- ", "RIP: "};

	for (size_t i = 0; i < array_size(starts); i++)
		if (console_line_starts(line, starts[i]))
			return true;
	return false;
}

static bool is_register(const struct console_line *line, bool in_trace)
{
	static const char *const starts[] = {"NIP:  ", "REGS: ",    "MSR: ",	"CFAR: ", "GPR",
					     "DAR: ",  "IRQMASK: ", "CR: ",	"XER: ",  "RSP: ",
					     "RAX: ",  "RDX: ",	    "RBP: ",	"R10: ",  "R13: ",
					     "EFLAGS", "FS: ",	    "CS: ",	"CR2: ",  "DR0: ",
					     "DR3: ",  "Code: ",    "pstate: ", "sp : ",  "x"};

	/* Where an interrupt hit: "--- interrupt: 900 at fn" has said it. */
	if (in_trace && (console_line_starts(line, "NIP [") || console_line_starts(line, "LR [")))
		return true;
	for (size_t i = 0; i < array_size(starts); i++)
		if (console_line_starts(line, starts[i]))
			/* "x29: ffff..." of arm64 */
			return *starts[i] != 'x' ||
			       (line->len > 3 && isdigit((unsigned char)line->text[1]) &&
				memchr(line->text, ':', line->len));
	return false;
}

/* "60000000 7c210b78 <e8690002> XXXXXXXX " */
static bool is_dump(const struct console_line *line)
{
	for (size_t i = 0; i < line->len; i++)
		if (!isxdigit((unsigned char)line->text[i]) && !strchr("X<> ", line->text[i]))
			return false;
	return line->len > 0;
}

/* Where an oops happened: "NIP [c00800000036008c] fn+0x28/0x3c [mod]", "RIP: 0010:fn+0x..", "pc :
 * fn+0x..". */
static void place_add(struct complaint_log *log, const struct console_line *line)
{
	static const char *const starts[] = {"NIP [", "RIP: 0010:", "pc : "};
	auto_free char *text = xmemdup(line->text, line->len), *key = log->open.key;
	const char *place = NULL;

	for (size_t i = 0; i < array_size(starts); i++)
		if (str_starts(text, starts[i]))
			place = text + strlen(starts[i]);
	if (place && place == text + strlen(starts[0])) {
		place = strstr(place, "] ");
		place = place ? place + 2 : NULL;
	}
	log->open.key = NULL;
	if (place) {
		auto_free char *fn = complaint_key(place);

		log->open.key = xasprintf("%s in %s", key, fn);
		log->placed = true;
	} else {
		log->open.key = take(key);
	}
}

static bool wants_place(const struct complaint_log *log)
{
	return !log->placed && !log->trace &&
	       (log->open.kind == COMPLAINT_OOPS || str_starts(log->open.title, "kernel BUG at "));
}

/* True when the line belongs to the open complaint. */
static bool open_takes(struct complaint_log *log, const struct console_line *line)
{
	if (line->us > log->open_us + GAP_US || console_line_starts(line, "---[ end"))
		return false;
	if (console_line_starts(line, "Instruction dump:")) {
		log->dump = true;
		return true;
	}
	if (log->dump)
		return is_dump(line);
	if (wants_place(log))
		place_add(log, line);
	if (is_register(line, log->trace))
		return true;
	if (log->trace && !is_frame(line))
		return false;
	if (console_line_starts(line, "Call Trace:") || console_line_starts(line, "Call trace:"))
		log->trace = true;
	lines_add(&log->open, line->text, line->len);
	return true;
}

static void cut_here_line(struct complaint_log *log, const struct console_line *line)
{
	if (log->open.n_lines == CUT_HERE_MAX)
		open_drop(log);
	else
		lines_add(&log->open, line->text, line->len);
}

static void title_take(struct complaint_log *log, const struct title *t,
		       const struct console_line *line)
{
	if (title_goes_on(log, t)) {
		lines_add(&log->open, line->text, line->len);
		return;
	}
	if (log->is_open)
		complaint_log_close(log);
	open_begin(log, t->kind, line->text, line->len);
	snprintf(log->open_caller, sizeof(log->open_caller), "%.*s", (int)line->caller_len,
		 line->caller);
	log->open_us = line->us;
	if (t->one_line)
		complaint_log_close(log);
}

/* With CONFIG_PRINTK_CALLER, lines of other CPUs that come in between can be told. */
static bool is_others(const struct complaint_log *log, const struct console_line *line)
{
	return log->is_open && *log->open_caller && line->caller_len &&
	       (strncmp(log->open_caller, line->caller, line->caller_len) != 0 ||
		log->open_caller[line->caller_len]);
}

void complaint_log_line(struct complaint_log *log, const struct console_line *line)
{
	const struct title *t = title_find(line);

	if (t) {
		title_take(log, t, line);
	} else if (console_line_starts(line, "------------[ cut here ]")) {
		complaint_log_close(log);
		log->cut_here = true;
	} else if (log->cut_here) {
		cut_here_line(log, line);
	} else if (log->is_open && !is_others(log, line)) {
		if (open_takes(log, line))
			log->open_us = line->us;
		else
			complaint_log_close(log);
	}
}

const char *complaint_kind_name(enum complaint_kind k)
{
	static const char *const names[] = {
		[COMPLAINT_PANIC] = "panic",   [COMPLAINT_OOPS] = "oops",
		[COMPLAINT_BUG] = "bug",       [COMPLAINT_WARN] = "warn",
		[COMPLAINT_LOCKUP] = "lockup", [COMPLAINT_STALL] = "stall",
	};

	return names[k];
}
