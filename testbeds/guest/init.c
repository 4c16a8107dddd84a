// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's PID 1: tries what a kernel must be able to do, says what came of it on the console
 * as KTAP, and switches the machine off. One static program, so that nothing but the kernel is
 * under test.
 *
 * The kernel command line says what to do:
 *	firn.mode=boot | hot-add | ipi | node-offline | cpu-hotplug | memory-online | hang
 *					default: boot; hang does nothing for ever
 *	firn.cpus=N firn.nodes=N	what the machine was made with: CPUs, nodes with memory
 *	firn.memory=MIB
 *	firn.lmbs=N firn.node=NODE	hot-add: how many blocks of 256 MiB come, and where
 *	firn.again=1 firn.remove=1	hot-add: as many come again; the last ones go
 *	firn.ipi=2,4,8			ipi: among CPUs 0-1, 0-3, 0-7
 *	firn.count=IPIS firn.ms=MS	ipi: how many are sent in a run, how long it takes at most,
 *	firn.repeats=N			how often it is repeated
 *	firn.numa01=LOOPS firn.numa02=LOOPS	node-offline: the workloads; 0: not run
 *	firn.rounds=N firn.plug=1	cpu-hotplug, memory-online: how often each goes and comes;
 *					the host plugs a CPU, and takes it back
 *
 * Lines for the host's programs begin with "firn: ".
 */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

/* What a test has to say besides its result. */
static char note[256];

enum result say(enum result r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(note, sizeof(note), fmt, ap);
	va_end(ap);
	return r;
}

enum result say_errno(const char *what)
{
	return say(FAIL, "%s: %s", what, strerror(errno));
}

bool read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n >= 0;
}

bool read_number(const char *path, int base, unsigned long *ret)
{
	char buf[64];

	if (!read_file(path, buf, sizeof(buf)) || !buf[0])
		return false;
	*ret = strtoul(buf, NULL, base);
	return true;
}

int list_count(const char *path)
{
	char buf[256], *p = buf;
	int n = 0;

	if (!read_file(path, buf, sizeof(buf)))
		return -1;
	while (*p >= '0' && *p <= '9') {
		long first = strtol(p, &p, 10), last = *p == '-' ? strtol(p + 1, &p, 10) : first;

		n += (int)(last - first) + 1;
		if (*p == ',')
			p++;
	}
	return n;
}

unsigned long meminfo(const char *field)
{
	char buf[8192], *p;

	if (!read_file("/proc/meminfo", buf, sizeof(buf)))
		return 0;
	p = strstr(buf, field);
	return p ? strtoul(p + strlen(field), NULL, 10) : 0;
}

static void tests_run(const struct test *t)
{
	unsigned n = 0;

	while (t[n].name)
		n++;
	printf("KTAP version 1\n1..%u\n", n);
	for (unsigned i = 0; i < n; i++) {
		enum result r;

		note[0] = '\0';
		r = t[i].run();
		printf("%s %u %s%s%s\n", r == FAIL ? "not ok" : "ok", i + 1, t[i].name,
		       r == SKIP ? " # SKIP "
		       : note[0] ? " # "
				 : "",
		       note);
	}
}

static char cmdline[4096];

const char *option_text(const char *name)
{
	static char value[256];
	size_t n = strlen(name);

	for (const char *w = cmdline; *w; w += strcspn(w, " "), w += strspn(w, " "))
		if (strncmp(w, name, n) == 0 && w[n] == '=') {
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(w + n + 1, " "),
				 w + n + 1);
			return value;
		}
	return NULL;
}

unsigned option_number(const char *name)
{
	const char *text = option_text(name);

	return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static const struct {
	const char *name;
	const struct test *tests;
} modes[] = {
	{"boot", boot_tests},
	{"hot-add", hot_add_tests},
	{"memory-init", memory_init_tests},
	{"node-offline", node_tests},
	{"cpu-hotplug", cpu_hotplug_tests},
	{"memory-online", memory_online_tests},
	{"ipi", ipi_tests},
	{"http", http_tests},
};

static const struct test *mode_tests(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (name && strcmp(modes[i].name, name) == 0)
			return modes[i].tests;
	return boot_tests;
}

int main(int argc, char **argv)
{
	const char *mode;

	if (argc > 1 && strcmp(argv[1], CHILD_ARG) == 0)
		return child_main();
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (mount("proc", "/proc", "proc", 0, NULL) < 0 ||
	    mount("sysfs", "/sys", "sysfs", 0, NULL) < 0 ||
	    mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) < 0)
		printf("Bail out! mount: %s\n", strerror(errno));
	read_file("/proc/cmdline", cmdline, sizeof(cmdline));
	cmdline[strcspn(cmdline, "\n")] = '\0';
	mode = option_text("firn.mode");
	if (mode && strcmp(mode, "hang") == 0)
		for (;;)
			pause();
	tests_run(mode_tests(mode));
	printf("firn: done\n");
	tcdrain(STDOUT_FILENO);
	reboot(RB_POWER_OFF);
	/* No way to switch off: the host ends the machine once it has seen the line. */
	for (;;)
		pause();
}
