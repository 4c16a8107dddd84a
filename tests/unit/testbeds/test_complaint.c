// SPDX-License-Identifier: GPL-2.0-or-later
#include "consoles.h"

/* Recorded boots of a module that does what the name says; soft-lockup is written after
 * kernel/watchdog.c. */
static void recorded(void **state)
{
	static const struct {
		const char *name;
		enum complaint_kind kind;
		const char *title, *key, *shows;
	} rows[] = {
		{"warn", COMPLAINT_WARN,
		 "WARNING: CPU: 0 PID: 35 at drivers/firn/boom.c:13 boom_warn+0x28/0x3c [boom]",
		 "WARNING: at drivers/firn/boom.c boom_warn [boom]", "do_init_module+0x60/0x2c0"},
		{"oops-null", COMPLAINT_OOPS,
		 "BUG: Kernel NULL pointer dereference on read at 0x00000008",
		 "BUG: Kernel NULL pointer dereference on read at in boom_null [boom]",
		 "Oops: Kernel access of bad area, sig: 11 [#1]"},
		{"oops-address", COMPLAINT_OOPS,
		 "BUG: Unable to handle kernel data access at 0x4141414141414141",
		 "BUG: Unable to handle kernel data access at in boom_paste [boom]",
		 "NIP [c008000000360018] boom_paste+0xc/0x1c [boom]"},
		{"bug", COMPLAINT_BUG, "kernel BUG at drivers/firn/boom.c:16!",
		 "kernel BUG at drivers/firn/boom.c in boom_bug [boom]",
		 "Oops: Exception in kernel mode, sig: 5 [#1]"},
		{"panic", COMPLAINT_PANIC,
		 "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100",
		 "Kernel panic - not syncing: Attempted to kill init! exitcode",
		 "do_group_exit+0x44/0xc0"},
		{"stall", COMPLAINT_STALL, "rcu: INFO: rcu_sched self-detected stall on CPU",
		 "rcu: INFO: rcu_sched self-detected stall on CPU", "boom_stall+0x3c/0x6c [boom]"},
		{"soft-lockup", COMPLAINT_LOCKUP,
		 "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [init:33]",
		 "watchdog: BUG: soft lockup - CPU# stuck for", "boom_stall+0x3c/0x6c [boom]"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_str struct str text;
		struct boot_result r;

		console_fixture(rows[i].name, &text);
		console_read(text.buf, text.len, 0, CONSOLE_EXITED, &r);
		/* Twice in "stall", kept once. */
		assert_int_equal(r.n_complaints, 1);
		const struct complaint *c = &r.complaint[0];

		assert_int_equal(c->kind, rows[i].kind);
		assert_string_equal(c->title, rows[i].title);
		assert_string_equal(c->key, rows[i].key);
		assert_string_equal(c->line[0], rows[i].title);
		assert_true(complaint_shows(c, rows[i].shows));
		assert_true(complaint_shows(c, "Call Trace:"));
		assert_true(complaint_shows(c, "--- interrupt: 3000 at 0x"));
		assert_true(c->n_lines <= COMPLAINT_LINES_MAX);
		assert_false(complaint_shows(c, "GPR") || complaint_shows(c, "MSR:") ||
			     complaint_shows(c, "REGS:") || complaint_shows(c, "Instruction") ||
			     complaint_shows(c, "60000000") || complaint_shows(c, "end trace") ||
			     complaint_shows(c, "clocksource") || complaint_shows(c, "Power down"));
		boot_result_done(&r);
	}
}

/* Texts as the kernel's sources print them. */
static void titles(void **state)
{
	static const struct {
		const char *line;
		int kind; /* -1: no complaint */
		const char *key;
	} rows[] = {
		{"WARNING: CPU: 3 PID: 812 at mm/slub.c:3201 kfree+0x1a0/0x1f0", COMPLAINT_WARN,
		 "WARNING: at mm/slub.c kfree"},
		{"WARNING: CPU: 1 PID: 7 at kfree.isra.0+0x1a0/0x1f0", COMPLAINT_WARN,
		 "WARNING: at kfree"},
		{"WARNING: mm/slub.c:3201 at kfree+0x1a0/0x1f0, CPU#2: kworker/2:1/55",
		 COMPLAINT_WARN, "WARNING: mm/slub.c at kfree CPU#"},
		{"WARNING: possible circular locking dependency detected", COMPLAINT_WARN,
		 "WARNING: possible circular locking dependency detected"},
		{"WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected", COMPLAINT_WARN,
		 "WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected"},
		{"WARNING: init/1 still has locks held!", COMPLAINT_WARN,
		 "WARNING: still has locks held!"},
		{"WARNING: suspicious RCU usage", COMPLAINT_WARN, "WARNING: suspicious RCU usage"},
		{"BUG: scheduling while atomic: swapper/0/0/0x00000002", COMPLAINT_BUG,
		 "BUG: scheduling while atomic:"},
		{"BUG: sleeping function called from invalid context at kernel/mutex.c:283",
		 COMPLAINT_BUG,
		 "BUG: sleeping function called from invalid context at kernel/mutex.c"},
		{"BUG: Bad page state in process init  pfn:1a2b3", COMPLAINT_BUG,
		 "BUG: Bad page state in process pfn"},
		{"BUG: Bad rss-counter state mm:00000000deadbeef type:MM_ANONPAGES val:3",
		 COMPLAINT_BUG, "BUG: Bad rss-counter state mm type:MM_ANONPAGES val"},
		{"BUG: KASAN: slab-out-of-bounds in memcpy+0x3c/0x60", COMPLAINT_BUG,
		 "BUG: KASAN: slab-out-of-bounds in memcpy"},
		{"UBSAN: array-index-out-of-bounds in lib/x.c:12:5", COMPLAINT_BUG,
		 "UBSAN: array-index-out-of-bounds in lib/x.c"},
		{"BUG: soft lockup - CPU#12 stuck for 48s! [kworker/1:0:12]", COMPLAINT_LOCKUP,
		 "BUG: soft lockup - CPU# stuck for"},
		{"BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 30s!",
		 COMPLAINT_LOCKUP, "BUG: workqueue lockup - pool cpus node flags nice stuck for"},
		{"watchdog: CPU 2 Hard LOCKUP", COMPLAINT_LOCKUP, "watchdog: CPU Hard LOCKUP"},
		{"watchdog: CPU 0 detected hard LOCKUP on other CPUs 1,3-4", COMPLAINT_LOCKUP,
		 "watchdog: CPU detected hard LOCKUP on other CPUs"},
		{"watchdog: CPU 0 self-detected hard LOCKUP @ fn+0x10/0x20", COMPLAINT_LOCKUP,
		 "watchdog: CPU self-detected hard LOCKUP"},
		{"watchdog: CPU3: Watchdog detected hard LOCKUP on cpu 3", COMPLAINT_LOCKUP,
		 "watchdog: CPU Watchdog detected hard LOCKUP on cpu"},
		{"rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", COMPLAINT_STALL,
		 "rcu: INFO: rcu_preempt detected stalls on CPUs"},
		{"rcu: rcu_sched kthread starved for 2100 jiffies! g-1175 f0x0", COMPLAINT_STALL,
		 "rcu: rcu_sched kthread starved for jiffies! g f"},
		{"INFO: task kworker/0:1:23 blocked for more than 120 seconds.", COMPLAINT_STALL,
		 "INFO: task blocked for more than seconds."},
		{"Oops: Machine check, sig: 7 [#1]", COMPLAINT_OOPS, "Oops: Machine check, sig:"},
		{"Unable to handle kernel paging request for data at address 0x00000010",
		 COMPLAINT_OOPS, "Unable to handle kernel paging request for data at address"},
		{"WARNING: nvram corruption detected: 0-length partition", -1, NULL},
		{"WARNING: at your own risk", -1, NULL},
		{"sched: RT throttling activated", -1, NULL},
		{"rcu: Hierarchical RCU implementation.", -1, NULL},
		{"watchdog: CPU 0 became unstuck TB:1234", -1, NULL},
		{"INFO: lockdep is turned off.", -1, NULL},
		{"debug: BUG: is only quoted here", -1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *text = xasprintf("[    1.000000] %s\n", rows[i].line);
		struct boot_result r;

		console_says(text, &r);
		if (r.n_complaints != (rows[i].kind >= 0))
			fail_msg("%zu complaints: %s", r.n_complaints, rows[i].line);
		if (r.n_complaints) {
			if ((int)r.complaint[0].kind != rows[i].kind)
				fail_msg("%s: %s", complaint_kind_name(r.complaint[0].kind),
					 rows[i].line);
			assert_string_equal(r.complaint[0].key, rows[i].key);
			assert_string_equal(r.complaint[0].title, rows[i].line);
		}
		boot_result_done(&r);
	}
}

static void text_of_a_warning_is_shown(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("[    1.000000] ------------[ cut here ]------------\n"
		     "[    1.000001] refcount_t: underflow; use-after-free.\n"
		     "[    1.000002] WARNING: CPU: 0 PID: 1 at lib/refcount.c:28 fn+0x1/0x2\n"
		     "[    1.000003] ---[ end trace 0000000000000000 ]---\n"
		     "[    1.000004] later\n",
		     &r);
	assert_int_equal(r.n_complaints, 1);
	assert_int_equal(r.complaint[0].n_lines, 2);
	assert_string_equal(r.complaint[0].line[0], "refcount_t: underflow; use-after-free.");
	boot_result_done(&r);
}

static void one_ends_where_the_next_begins(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("[    1.000000] BUG: Unable to handle kernel data access at 0x10\n"
		     "[    1.000001] Oops: Kernel access of bad area, sig: 11 [#1]\n"
		     "[    1.000002] NIP [c000000000000010] fn_a.constprop.0+0x1/0x2\n"
		     "[    1.000003] Call Trace:\n"
		     "[    1.000004] [c000000000000020] [c000000000000010] fn_b+0x1/0x2\n"
		     "[    1.000005] Kernel panic - not syncing: Fatal exception\n"
		     "[    1.000006] ---[ end Kernel panic - not syncing: Fatal exception ]---\n"
		     "[    1.000007] Rebooting in 10 seconds..\n",
		     &r);
	assert_int_equal(r.n_complaints, 2);
	assert_string_equal(r.complaint[0].key,
			    "BUG: Unable to handle kernel data access at in fn_a");
	assert_int_equal(r.complaint[0].n_lines, 5);
	assert_int_equal(r.complaint[1].n_lines, 1);
	assert_string_equal(r.reason, "panic: Fatal exception; before it: BUG: Unable to handle "
				      "kernel data access at 0x10");
	boot_result_done(&r);
}

static void pause_ends_one_without_a_trace(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("[    1.000000] BUG: something odd\n[    1.000100] more of it\n"
		     "[    2.500000] systemd: fine\n",
		     &r);
	assert_int_equal(r.n_complaints, 1);
	assert_int_equal(r.complaint[0].n_lines, 2);
	boot_result_done(&r);
}

static void long_ones_and_many_are_capped(void **state)
{
	auto_str struct str s;
	struct boot_result r;

	(void)state;
	str_init(&s, 0);
	for (int i = 0; i < 200; i++)
		str_addf(&s, "[    1.%06d] BUG: fn%c%c+0x1/0x2\n", i, 'a' + i / 26, 'a' + i % 26);
	for (int i = 0; i < 200; i++)
		str_addf(&s, "[    1.%06d] and on\n", i);
	console_says(s.buf, &r);
	assert_int_equal(r.n_complaints, COMPLAINTS_MAX);
	boot_result_done(&r);

	str_reset(&s);
	str_adds(&s, "[    1.000000] BUG: long\n");
	for (int i = 0; i < 200; i++)
		str_addf(&s, "[    1.%06d] line %d\n", i, i);
	console_says(s.buf, &r);
	assert_int_equal(r.n_complaints, 1);
	assert_int_equal(r.complaint[0].n_lines, COMPLAINT_LINES_MAX);
	boot_result_done(&r);
}

static void keys_tell_old_from_new(void **state)
{
	struct boot_result base, patched;

	(void)state;
	console_says(
		"[    1.0000] x\n[    1.000000] WARNING: CPU: 0 PID: 1 at mm/a.c:10 fa+0x1/0x2\n",
		&base);
	/* The same a few lines further down, on another CPU, and two new ones. */
	console_says("[    3.000000] WARNING: CPU: 1 PID: 9 at mm/a.c:17 fa+0x9/0x22\n"
		     "[    3.000001] WARNING: CPU: 1 PID: 9 at mm/a.c:17 fb+0x9/0x22\n"
		     "[    3.000002] WARNING: CPU: 1 PID: 9 at mm/b.c:17 fa+0x9/0x22\n",
		     &patched);
	assert_int_equal(patched.n_complaints, 3);
	assert_string_equal(patched.complaint[0].key, base.complaint[0].key);
	assert_string_equal(patched.complaint[1].key, "WARNING: at mm/a.c fb");
	assert_string_equal(patched.complaint[2].key, "WARNING: at mm/b.c fa");
	boot_result_done(&base);
	boot_result_done(&patched);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded),
		cmocka_unit_test(titles),
		cmocka_unit_test(text_of_a_warning_is_shown),
		cmocka_unit_test(one_ends_where_the_next_begins),
		cmocka_unit_test(pause_ends_one_without_a_trace),
		cmocka_unit_test(long_ones_and_many_are_capped),
		cmocka_unit_test(keys_tell_old_from_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
