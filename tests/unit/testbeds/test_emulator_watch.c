// SPDX-License-Identifier: GPL-2.0-or-later
/* What a guest that means harm can do to who watches it. The guest is played by a program. */
#include "unit/unit.h"

#include "base/clock.h"
#include "testbeds/emulator.h"
#include <sys/socket.h>

#define auto_boot_result __attribute__((cleanup(boot_result_done)))

static void watch(const char *const *argv, double timeout_s, struct boot_result *ret)
{
	const struct boot_spec spec = {.timeout_s = timeout_s, .silence_s = 5};
	struct emulator e = {.name = "play", .qmp_fd = -1};
	int fd[2];
	struct err err = ERR_INIT;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
	const struct proc_spec proc = {.argv = argv, .output_fd = fd[1]};

	assert_ok(proc_start(&proc, &e.proc, &err), &err);
	close(fd[1]);
	e.console_fd = fd[0];
	assert_ok(emulator_watch(&e, &spec, ret, &err), &err);
}

/* Whoever reads until there is nothing more would read for ever. */
static void a_flood_does_not_stop_the_clock(void **state)
{
	const char *const argv[] = {"yes", "[    1.000000] a line that goes on and on", NULL};
	auto_boot_result struct boot_result r = {0};
	double begin = clock_mono();

	(void)state;
	watch(argv, 0.5, &r);
	assert_int_equal(r.end, BOOT_HANG);
	assert_true(clock_mono() - begin < 10);
	assert_true(r.console.len <= (size_t)9 << 20);
}

/* Marks are the guest's to give: it can call its own test done, and no more than that. */
static void a_forged_end_ends_it(void **state)
{
	const char *const argv[] = {
		"printf", "[    1.000000] \\033[2J\\033]0;owned\\007hello\\nfirn: done\\n", NULL};
	auto_boot_result struct boot_result r = {0};

	(void)state;
	watch(argv, 5, &r);
	assert_int_equal(r.end, BOOT_DONE);
	assert_null(strchr(r.reason, '\033'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flood_does_not_stop_the_clock),
		cmocka_unit_test(a_forged_end_ends_it),
	};

	return cmocka_run_group_tests_name("emulator", tests, NULL, NULL);
}
