// SPDX-License-Identifier: GPL-2.0-or-later
/* Interprocessor interrupts: has the module ipi send them, in several ways among more and more
 * CPUs, and prints its counts and which interrupt lines they came by. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define DEBUGFS "/sys/kernel/debug"
#define IPI	DEBUGFS "/firn_ipi"

#define SIZES_MAX 16
#define CPUS_MAX  1024

#define TICK_US 10000 /* at HZ=100, the slowest */

/* What is sent: see ipi/ipi.c. */
static const struct {
	const char *name; /* permanent */
	const char *how;
	bool from_all; /* else from CPU 0 */
	const char *within;
} kinds[] = {
	{"one-to-many", "many", false, "system"},
	{"each-in-turn", "turn", false, "system"},
	{"all-to-all", "random", true, "system"},
	{"all-to-all-chip", "random", true, "node"},
};

struct cpu_tally {
	int node;
	unsigned long calls, sent, received, ns;
};
struct tally {
	struct cpu_tally cpu[CPUS_MAX];
};

static unsigned sizes[SIZES_MAX], n_sizes;
static unsigned seed;
static bool loaded;
static unsigned done, failed;
static unsigned long lost; /* sent, and never arrived */

static void sizes_read(void)
{
	const char *p = option_text("firn.ipi");

	for (char *end; p && *p && n_sizes < SIZES_MAX; p = *end ? end + 1 : end) {
		unsigned n = (unsigned)strtoul(p, &end, 10);

		if (end == p)
			break;
		sizes[n_sizes++] = n;
	}
}

/* Of targets and of times: differs from boot to boot where the machine's seed does. */
static void seed_read(void)
{
	if (getrandom(&seed, sizeof(seed), GRND_INSECURE) != sizeof(seed))
		seed = 1;
}

static enum result test_ipi_module(void)
{
	int fd = open("/lib/modules/ipi.ko", O_RDONLY | O_CLOEXEC);

	sizes_read();
	seed_read();
	if (fd < 0)
		return say_errno("/lib/modules/ipi.ko");
	if (mount("debugfs", DEBUGFS, "debugfs", 0, NULL) < 0 && errno != EBUSY)
		return say_errno("mount " DEBUGFS);
	if (syscall(SYS_finit_module, fd, "", 0) < 0)
		return say_errno("ipi.ko");
	close(fd);
	loaded = true;
	return say(n_sizes ? PASS : FAIL, "%u sizes, seed %u", n_sizes, seed);
}

/* What interrupts name theirs: "IPI-0" (XIVE), "IPI" (XICS), "DBL: ... Doorbell interrupts". */
static bool is_ipi_line(const char *line)
{
	return strstr(line, "IPI") || strstr(line, "CPU0") ||
	       strncmp(line + strspn(line, " "), "DBL:", 4) == 0;
}

static void interrupts_print(const char *when)
{
	FILE *f = fopen("/proc/interrupts", "re");
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0)
		if (is_ipi_line(line))
			printf("firn: ipi line %s %s", when, line);
	free(line);
	if (f)
		fclose(f);
}

static void tally_add(struct tally *t, const char *line, unsigned long *sent, unsigned long *ns)
{
	struct cpu_tally c;
	unsigned cpu;

	if (sscanf(line, "cpu %u node %d calls %lu sent %lu received %lu ns %lu", &cpu, &c.node,
		   &c.calls, &c.sent, &c.received, &c.ns) != 6 ||
	    cpu >= CPUS_MAX)
		return;
	t->cpu[cpu].node = c.node;
	t->cpu[cpu].calls += c.calls;
	t->cpu[cpu].sent += c.sent;
	t->cpu[cpu].received += c.received;
	t->cpu[cpu].ns += c.ns;
	*sent += c.sent;
	*ns = c.ns > *ns ? c.ns : *ns;
}

/* The sum over all repeats: one line for each CPU that had a part in it. */
static void tally_print(const struct tally *t, const char *name, unsigned size)
{
	unsigned long sent = 0, received = 0;

	for (unsigned i = 0; i < CPUS_MAX; i++) {
		const struct cpu_tally *c = &t->cpu[i];

		if (c->calls || c->received)
			printf("firn: ipi cpu %s %u %u node %d calls %lu sent %lu received %lu "
			       "ns %lu\n",
			       name, size, i, c->node, c->calls, c->sent, c->received, c->ns);
		sent += c->sent;
		received += c->received;
	}
	if (sent != received || !sent)
		lost += sent > received ? sent - received : 1;
}

/* What the module counted; a line for the whole with the time of its slowest sender. */
static void result_take(struct tally *t, const char *name, unsigned size)
{
	FILE *f = fopen(IPI "/result", "re");
	unsigned long sent = 0, ns = 0;
	char *line = NULL;
	size_t n = 0;

	while (f && getline(&line, &n, f) > 0)
		tally_add(t, line, &sent, &ns);
	printf("firn: ipi run %s %u sent %lu ns %lu\n", name, size, sent, ns);
	free(line);
	if (f)
		fclose(f);
}

static bool run_start(const char *line)
{
	int fd = open(IPI "/run", O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* At another distance from the timer's tick for each seed and repeat: what depends on it shows as
 * spread. */
static void run_wait(unsigned repeat)
{
	tcdrain(STDOUT_FILENO);
	usleep(2 * TICK_US + (seed + repeat * 40503U) * 2654435761U % TICK_US);
}

/* How many IPIs a call of each sender makes, so that all runs send about as many. */
static unsigned run_share(size_t kind, unsigned size)
{
	if (kinds[kind].from_all)
		return size;
	return strcmp(kinds[kind].how, "many") == 0 && size > 1 ? size - 1 : 1;
}

struct run {
	size_t kind;
	unsigned size;
	unsigned calls, repeats; /* of each sender, and how often */
};

/* The first time warms up, and is not looked at. */
static bool run_repeat(const struct run *r)
{
	char line[128], senders[16] = "0";
	struct tally t = {0};

	if (kinds[r->kind].from_all)
		snprintf(senders, sizeof(senders), "0-%u", r->size - 1);
	snprintf(line, sizeof(line), "%s %s 0-%u %s %u %u %u", kinds[r->kind].how, senders,
		 r->size - 1, kinds[r->kind].within, r->calls, option_number("firn.ms"), seed);
	for (unsigned i = 0; i <= r->repeats; i++) {
		bool measured = i > 0, ok;

		run_wait(i);
		if (measured)
			profile_begin();
		ok = run_start(line);
		if (measured)
			profile_end();
		if (!ok) {
			say(FAIL, "%s: %s", line, strerror(errno));
			return false;
		}
		if (measured)
			result_take(&t, kinds[r->kind].name, r->size);
	}
	tally_print(&t, kinds[r->kind].name, r->size);
	return true;
}

/* One sender: the same path each time, so the fastest of several short runs is the undisturbed
 * one. All: each run is different, and a long one holds more of them. */
static void run_one(size_t kind, unsigned size)
{
	struct run r = {.kind = kind, .size = size, .repeats = option_number("firn.repeats")};

	r.calls = option_number("firn.count") / run_share(kind, size);
	if (kinds[kind].from_all) {
		r.calls *= r.repeats;
		r.repeats = 1;
	}
	if (!r.calls)
		r.calls = 1;
	if (run_repeat(&r))
		done++;
	else
		failed++;
}

static enum result test_ipi_runs(void)
{
	if (!loaded || !n_sizes)
		return say(SKIP, "no module, or nothing to do");
	interrupts_print("before");
	for (unsigned i = 0; i < n_sizes; i++)
		for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
			run_one(kind, sizes[i]);
	interrupts_print("after");
	return failed ? FAIL : say(PASS, "%u runs", done);
}

static enum result test_ipi_arrived(void)
{
	if (!done)
		return say(SKIP, "nothing was sent");
	return say(lost ? FAIL : PASS, "%lu were lost", lost);
}

const struct test ipi_tests[] = {
	{"ipi-module", test_ipi_module},
	{"ipi-runs", test_ipi_runs},
	{"ipi-arrived", test_ipi_arrived},
	{"untainted", test_untainted},
	{NULL, NULL},
};
