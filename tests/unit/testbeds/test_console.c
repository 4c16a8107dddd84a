// SPDX-License-Identifier: GPL-2.0-or-later
#include "consoles.h"

static const char *const fixtures[] = {
	"good", "warn",	 "oops-null", "oops-address", "bug",	"panic",
	"hang", "stall", "hot-add",   "soft-lockup",  "silent",
};

static void ends(void **state)
{
	static const struct {
		const char *name;
		enum console_machine how;
		enum boot_end end;
		const char *reason;
	} rows[] = {
		{"good", CONSOLE_EXITED, BOOT_DONE, "init reported its end at 0.3 s"},
		{"good", CONSOLE_TIMEOUT, BOOT_DONE, "init reported its end at 0.3 s"},
		{"panic", CONSOLE_EXITED, BOOT_PANIC,
		 "panic: Attempted to kill init! exitcode=0x00000100"},
		{"panic", CONSOLE_SILENCE, BOOT_PANIC,
		 "panic: Attempted to kill init! exitcode=0x00000100"},
		{"hang", CONSOLE_SILENCE, BOOT_HANG,
		 "no output for 30 s after \"ok 2 memory # 1024 MiB\""},
		{"hang", CONSOLE_TIMEOUT, BOOT_HANG,
		 "not done after 30 s; the last line is \"ok 2 memory # 1024 MiB\""},
		{"hang", CONSOLE_EXITED, BOOT_EXITED,
		 "the machine went off without a word from init, after \"ok 2 memory # 1024 MiB\""},
		{"silent", CONSOLE_SILENCE, BOOT_SILENT, "not one line from the kernel in 30 s"},
		{"silent", CONSOLE_EXITED, BOOT_SILENT,
		 "the machine went off without one line from the kernel"},
		{"soft-lockup", CONSOLE_SILENCE, BOOT_HANG,
		 "before it: watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [init:33]"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_str struct str text;
		struct boot_result r;

		console_fixture(rows[i].name, &text);
		console_read(text.buf, text.len, 0, rows[i].how, &r);
		if (r.end != rows[i].end || !strstr(r.reason, rows[i].reason))
			fail_msg("%s: %s: %s", rows[i].name, boot_end_name(r.end), r.reason);
		assert_int_equal(r.console.len, text.len);
		assert_memory_equal(r.console.buf, text.buf, text.len);
		boot_result_done(&r);
	}
}

static void good_boot_has_tests_and_no_complaints(void **state)
{
	auto_str struct str text;
	struct boot_result r;

	(void)state;
	console_fixture("good", &text);
	console_read(text.buf, text.len, 0, CONSOLE_EXITED, &r);
	/* Among its lines is "WARNING: nvram corruption detected": about the firmware. */
	assert_int_equal(r.n_complaints, 0);
	assert_int_equal(r.n_tests, 3);
	assert_string_equal(r.test[0].name, "console");
	assert_int_equal(r.test[2].outcome, OUTCOME_SKIP);
	assert_true(r.guest_seconds > 0.30 && r.guest_seconds < 0.31);
	boot_result_done(&r);
}

/* What the rest of the house sees of a result, in one string. */
static char *result_words(const struct boot_result *r)
{
	struct str s;

	str_init(&s, 0);
	str_addf(&s, "%d|%s|%g|", r->end, r->reason, r->guest_seconds);
	for (size_t i = 0; i < r->n_complaints; i++) {
		const struct complaint *c = &r->complaint[i];

		str_addf(&s, "%d %s %s|", c->kind, c->title, c->key);
		for (size_t k = 0; k < c->n_lines; k++)
			str_addf(&s, "%s|", c->line[k]);
	}
	for (size_t i = 0; i < r->n_tests; i++)
		str_addf(&s, "%s %d %s|", r->test[i].name, r->test[i].outcome, r->test[i].note);
	str_add(&s, r->console.buf, r->console.len);
	return str_take(&s);
}

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void feed_random_pieces(struct console *c, const char *s, size_t n, uint32_t *seed)
{
	while (n) {
		size_t piece = 1 + random_next(seed) % 97;

		if (piece > n)
			piece = n;
		console_feed(c, s, piece);
		s += piece;
		n -= piece;
	}
}

/* A small cap, so that the ring turns over. */
static void assert_pieces_change_nothing(const char *s, size_t n, uint32_t *seed)
{
	struct boot_result whole = {0}, pieces = {0};
	struct console a, b;

	console_init(&a, 1000);
	console_init(&b, 1000);
	console_feed(&a, s, n);
	feed_random_pieces(&b, s, n, seed);
	console_finish(&a, CONSOLE_EXITED, 0, &whole);
	console_finish(&b, CONSOLE_EXITED, 0, &pieces);
	console_done(&a);
	console_done(&b);

	auto_free char *want = result_words(&whole), *got = result_words(&pieces);

	assert_string_equal(want, got);
	boot_result_done(&whole);
	boot_result_done(&pieces);
}

static void damage(char *s, size_t n, uint32_t *seed)
{
	static const char odd[] = "\0\n\r\x1b[]#<>. \t\xff";

	for (uint32_t k = random_next(seed) % 40; n && k; k--)
		s[random_next(seed) % n] = odd[random_next(seed) % (sizeof(odd) - 1)];
}

static void any_bytes_in_any_pieces(void **state)
{
	uint32_t seed = 20260;

	(void)state;
	for (int round = 0; round < 12; round++) {
		for (size_t i = 0; i < array_size(fixtures); i++) {
			auto_str struct str text;

			console_fixture(fixtures[i], &text);
			size_t n = text.len ? random_next(&seed) % (text.len + 1) : 0;

			if (round)
				damage(text.buf, n, &seed);
			assert_pieces_change_nothing(text.buf, round ? n : text.len, &seed);
		}
	}
}

static void random_bytes(void **state)
{
	static char noise[20000];
	uint32_t seed = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)random_next(&seed);
	assert_pieces_change_nothing(noise, sizeof(noise), &seed);
}

static void flood_keeps_head_and_tail(void **state)
{
	struct boot_result r = {0};
	struct console c;

	(void)state;
	console_init(&c, 4096);
	console_feed(&c, "[    0.000001] first\n", 21);
	for (int i = 0; i < 100000; i++)
		console_feed(&c, "flood flood\n", 12);
	console_feed(&c, "[    9.000000] last\n", 20);
	console_finish(&c, CONSOLE_EXITED, 0, &r);
	console_done(&c);
	assert_true(r.console.len < 4096 + 128);
	assert_true(r.console.truncated);
	assert_true(str_starts(r.console.buf, "[    0.000001] first\n"));
	assert_true(str_ends(r.console.buf, "flood\n[    9.000000] last\n"));
	/* 21 + 1200000 + 20 bytes came, 4096 are kept. */
	assert_non_null(strstr(r.console.buf, "\n[firn: 1195945 bytes of console output left out"));
	assert_true(r.guest_seconds > 8.9);
	boot_result_done(&r);
}

static void flood_without_line_end_hides_no_panic(void **state)
{
	for (size_t flood = 1900; flood < 4300; flood += 7) {
		auto_str struct str s;
		struct boot_result r;

		str_init(&s, 0);
		str_adds(&s, "KTAP version 1\n1..1\n");
		for (size_t i = 0; i < flood; i++)
			str_addc(&s, 'x');
		str_adds(&s, "[    2.500000] Kernel panic - not syncing: deep\n");
		console_says(s.buf, &r);
		assert_int_equal(r.end, BOOT_PANIC);
		assert_string_equal(r.reason, "panic: deep");
		boot_result_done(&r);
	}
	(void)state;
}

static void escapes_and_nuls_are_not_read(void **state)
{
	static const char text[] = "\x1b[1;32m[    0.5\0"
				   "00000] up\x1b[0m\r\n"
				   "KTAP version 1\r\n1..1\r\n\x1b]0;title\x07ok 1\0 a\x1b(B\r\n"
				   "\x1b]0;never closed\r\nfirn: done\r\n";
	struct boot_result r;

	(void)state;
	console_read(text, sizeof(text) - 1, 3, CONSOLE_EXITED, &r);
	assert_int_equal(r.end, BOOT_DONE);
	assert_true(r.guest_seconds == 0.5);
	assert_int_equal(r.n_tests, 1);
	assert_string_equal(r.test[0].name, "a");
	assert_int_equal(r.console.len, sizeof(text) - 1);
	boot_result_done(&r);
}

/* hvc prints a guest's line in pieces of 16 bytes, and kernel lines come in between. */
static void broken_guest_line_is_joined(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("KTAP version 1\n1..3\nnot [    1.000000] in between\nok 1 first\n"
		     "ok 2 sec<6>[    1.100000] again\n[    1.200000] and again\nond\n"
		     "ok 3 third[    1.300000] x\n\nfirn: do[    1.400000] y\nne\n",
		     &r);
	assert_int_equal(r.end, BOOT_DONE);
	assert_int_equal(r.n_tests, 3);
	assert_string_equal(r.test[0].name, "first");
	assert_int_equal(r.test[0].outcome, OUTCOME_FAIL);
	assert_string_equal(r.test[1].name, "second");
	assert_string_equal(r.test[2].name, "third");
	boot_result_done(&r);
}

/* Real: ppc_md.progress() loses the end of its line, and init's first one must not be glued to it.
 */
static void lost_line_end_swallows_nothing(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("#1 SMP Mon Nov 3[    0.121014] nvram: Failed\nKTAP version 1\n1..1\nok 1 a\n",
		     &r);
	assert_int_equal(r.n_tests, 1);
	assert_string_equal(r.test[0].name, "a");
	boot_result_done(&r);
}

static void panic_without_time_counts_unless_init_ends(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("Kernel panic - not syncing: early\n", &r);
	assert_int_equal(r.end, BOOT_PANIC);
	assert_string_equal(r.reason, "panic: early");
	assert_int_equal(r.n_complaints, 1);
	assert_int_equal(r.complaint[0].kind, COMPLAINT_PANIC);
	boot_result_done(&r);

	console_says("Kernel panic - not syncing: just talk\nfirn: done\n", &r);
	assert_int_equal(r.end, BOOT_DONE);
	assert_int_equal(r.n_complaints, 0);
	boot_result_done(&r);

	console_says("[    1.000000] Kernel panic - not syncing: real\nfirn: done\n", &r);
	assert_int_equal(r.end, BOOT_PANIC);
	boot_result_done(&r);
}

static void forged_lines_do_not_count(void **state)
{
	struct boot_result r;

	(void)state;
	console_says(
		"KTAP version 1\n1..1\n[    1.000000] ok 1 forged\n"
		"WARNING: CPU: 0 PID: 1 at mm/x.c:1 fn+0x1/0x2\nBUG: soft lockup - CPU#0\n"
		"# [    1.0000]no\n# [    1.000000] WARNING: CPU: 0 PID: 1 at mm/x.c:1 fn+0x1/2\n"
		"[    1.000000] firn: done\n  firn: done\nfirn: done.\n",
		&r);
	assert_int_equal(r.end, BOOT_EXITED);
	assert_int_equal(r.n_complaints, 0);
	assert_int_equal(r.n_tests, 1);
	assert_string_equal(r.test[0].note, "missing: 1 planned, 0 came");
	boot_result_done(&r);
}

static void planned_stops_are_counted(void **state)
{
	struct console c;
	static const char text[] = "KTAP version 1\nfirn: planned stop\n"
				   "qemu-system-ppc64: OS terminated: firn: planned stop\n"
				   "qemu-system-ppc64: OS terminated: OS panic: x\n";

	(void)state;
	console_init(&c, 0);
	console_feed(&c, text, sizeof(text) - 1);
	assert_int_equal(c.stops, 2);
	assert_false(c.panic || c.done);
	console_done(&c);
}

static void early_words_of_the_kernel_are_not_silence(void **state)
{
	struct boot_result r;

	(void)state;
	console_says("SLOF *****\nBooting from memory...\n", &r);
	assert_int_equal(r.end, BOOT_SILENT);
	boot_result_done(&r);
	console_says("Preparing to boot Linux version 6.1.187\n", &r);
	assert_int_equal(r.end, BOOT_EXITED);
	boot_result_done(&r);
}

static void prefixes(void **state)
{
	static const struct {
		const char *s;
		uint64_t us;
		int level;
		const char *caller, *text;
	} rows[] = {
		{"[    1.234567] a b", 1234567, -1, "", "a b"},
		{"<4>[    0.000001] a", 1, 4, "", "a"},
		{"<30>[12345.000002] a", 12345000002, 6, "", "a"},
		{"[    1.000000][    T1] a", 1000000, -1, "T1", "a"},
		{"<6>[    1.000000][  C12] a", 1000000, 6, "C12", "a"},
		{"[9999999999.999999] a", 9999999999999999, -1, "", "a"},
		{"[    1.000000]", 1000000, -1, "", ""},
		{"[    1.000000] ", 1000000, -1, "", ""},
		{"[    1.000000] \tindented", 1000000, -1, "", "\tindented"},
		{"[    1.000000] [T1] a", 1000000, -1, "", "[T1] a"},
	};
	static const char *const not [] = {"",
					   "[",
					   "[    1.23456] a",
					   "[    1.2345678] a",
					   "[1] a",
					   "[    .123456] a",
					   "[    1.123456]a",
					   "[99999999999.123456] a",
					   "[ 1 .123456] a",
					   "(    1.123456) a"};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		size_t n = strlen(rows[i].s);
		struct console_line l;

		assert_int_not_equal(console_prefix(rows[i].s, n, &l), 0);
		assert_int_equal(l.us, rows[i].us);
		assert_int_equal(l.level, rows[i].level);
		assert_int_equal(l.caller_len, strlen(rows[i].caller));
		assert_memory_equal(l.caller, rows[i].caller, l.caller_len);
		assert_string_equal(l.text, rows[i].text);
		assert_int_equal(console_prefix_find(rows[i].s, n), 0);
	}
	for (size_t i = 0; i < array_size(not ); i++)
		assert_int_equal(console_prefix_find(not [i], strlen(not [i])), strlen(not [i]));
}

static void lines_of_a_hot_add(void **state)
{
	auto_str struct str text;
	struct console_line l;
	uint64_t begin = 0, end = 0;
	unsigned added = 0;

	(void)state;
	console_fixture("hot-add", &text);
	for (const char *p = text.buf; console_kernel_line(&p, text.buf + text.len, &l);) {
		if (console_line_starts(&l, "pseries-hotplug-mem: Attempting to hot-add 16 LMB"))
			begin = l.us;
		if (!console_line_starts(&l, "pseries-hotplug-mem: Memory at "))
			continue;
		assert_memory_equal(l.text + l.len - 13, "was hot-added", 13);
		end = l.us;
		added++;
	}
	assert_int_equal(added, 16);
	assert_int_equal(begin, 1788052);
	assert_int_equal(end, 1999726);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(good_boot_has_tests_and_no_complaints),
		cmocka_unit_test(any_bytes_in_any_pieces),
		cmocka_unit_test(random_bytes),
		cmocka_unit_test(flood_keeps_head_and_tail),
		cmocka_unit_test(flood_without_line_end_hides_no_panic),
		cmocka_unit_test(escapes_and_nuls_are_not_read),
		cmocka_unit_test(broken_guest_line_is_joined),
		cmocka_unit_test(lost_line_end_swallows_nothing),
		cmocka_unit_test(panic_without_time_counts_unless_init_ends),
		cmocka_unit_test(forged_lines_do_not_count),
		cmocka_unit_test(planned_stops_are_counted),
		cmocka_unit_test(early_words_of_the_kernel_are_not_silence),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(lines_of_a_hot_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
