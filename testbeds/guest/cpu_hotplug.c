// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that go and come: by sysfs, round after round, and one that the host plugs and takes back.
 */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SYS_CPU	 "/sys/devices/system/cpu"
#define CPUS_MAX 256
#define NODES	 256
#define WAIT_MS	 100
#define WAIT_MAX 300 /* times WAIT_MS for what the host did to be seen */

static struct {
	unsigned tried, worked;
	double us; /* all that worked */
} off, on;

static bool has[CPUS_MAX]; /* before the plug */
static int plugged = -1;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool cpu_is(unsigned cpu, unsigned long wanted)
{
	char path[64];
	unsigned long online;

	snprintf(path, sizeof(path), SYS_CPU "/cpu%u/online", cpu);
	return read_number(path, 10, &online) && online == wanted;
}

static bool cpu_set(unsigned cpu, bool online)
{
	char path[64];
	double begin;
	bool ok;
	int fd;

	snprintf(path, sizeof(path), SYS_CPU "/cpu%u/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	begin = now_us();
	ok = write(fd, online ? "1" : "0", 1) == 1;
	if (ok)
		*(online ? &on.us : &off.us) += now_us() - begin;
	close(fd);
	return ok && cpu_is(cpu, online);
}

/* Whether a thread that is sent there gets there. */
static bool cpu_runs(unsigned cpu)
{
	cpu_set_t one, all;
	bool ok;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	ok = sched_setaffinity(0, sizeof(one), &one) == 0 && sched_getcpu() == (int)cpu;
	sched_setaffinity(0, sizeof(all), &all);
	return ok;
}

/* Sends one CPU away and has it back. */
static void cpu_round(unsigned cpu)
{
	off.tried++;
	if (!cpu_set(cpu, false)) {
		printf("# CPU %u does not go: %s\n", cpu, strerror(errno));
		return;
	}
	off.worked++;
	on.tried++;
	if (cpu_set(cpu, true) && cpu_runs(cpu))
		on.worked++;
	else
		printf("# CPU %u does not come back: %s\n", cpu, strerror(errno));
}

static enum result test_cpu_offline(void)
{
	unsigned rounds = option_number("firn.rounds");

	if (!cpu_is(0, 1) && !cpu_is(1, 1))
		return say(SKIP, "the kernel cannot take CPUs offline, or has only one");
	for (unsigned i = 0; i < (rounds ? rounds : 1); i++)
		for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
			if (cpu_is(cpu, 1))
				cpu_round(cpu);
	printf("firn: cpu offline %u of %u\n", off.worked, off.tried);
	printf("firn: cpu online %u of %u\n", on.worked, on.tried);
	if (off.worked)
		printf("firn: cpu offline_us %.3f\n", off.us / off.worked);
	if (on.worked)
		printf("firn: cpu online_us %.3f\n", on.us / on.worked);
	return say(off.tried && off.worked == off.tried ? PASS : FAIL, "%u of %u", off.worked,
		   off.tried);
}

static enum result test_cpu_online(void)
{
	if (!on.tried)
		return say(SKIP, "no CPU went offline");
	return say(on.worked == on.tried ? PASS : FAIL, "%u of %u", on.worked, on.tried);
}

/* Whether "0-3,8" has that number. */
static bool list_has(const char *path, unsigned number)
{
	char text[256], *p = text;

	if (!read_file(path, text, sizeof(text)))
		return false;
	while (*p >= '0' && *p <= '9') {
		unsigned long first = strtoul(p, &p, 10);
		unsigned long last = *p == '-' ? strtoul(p + 1, &p, 10) : first;

		if (number >= first && number <= last)
			return true;
		p += *p == ',';
	}
	return false;
}

/* A CPU that may come has a folder too: this list is the word. */
static bool cpu_present(unsigned cpu)
{
	return list_has(SYS_CPU "/present", cpu);
}

static enum result test_cpu_plug(void)
{
	enum result r;

	if (!option_number("firn.plug"))
		return say(SKIP, "the host plugs none");
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
		has[cpu] = cpu_present(cpu);
	r = machine_stop();
	if (r != PASS)
		return r;
	for (unsigned i = 0; i < WAIT_MAX && plugged < 0; i++) {
		usleep(WAIT_MS * 1000);
		for (unsigned cpu = 0; cpu < CPUS_MAX && plugged < 0; cpu++)
			if (!has[cpu] && cpu_present(cpu) && cpu_is(cpu, 1))
				plugged = (int)cpu;
	}
	printf("firn: cpu plugged %s\n", plugged >= 0 ? "online" : "missing");
	return say(plugged >= 0 ? PASS : FAIL, "CPU %d", plugged);
}

static enum result test_cpu_plug_runs(void)
{
	if (plugged < 0)
		return say(SKIP, "no CPU came");
	return say(cpu_runs((unsigned)plugged) ? PASS : FAIL, "CPU %d", plugged);
}

/* By the nodes' lists: the link cpuN/nodeM is made at boot, for CPUs that are still to come too,
 * and is not moved when they come to another node. */
static int cpu_node(unsigned cpu)
{
	char path[64];

	for (int node = 0; node < NODES; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist", node);
		if (list_has(path, cpu))
			return node;
	}
	return -1;
}

static enum result test_cpu_plug_node(void)
{
	unsigned want = option_number("firn.node");
	int node;

	if (plugged < 0)
		return say(SKIP, "no CPU came");
	if (list_count("/sys/devices/system/node/online") < 0)
		return say(SKIP, "the kernel has no NUMA");
	node = cpu_node((unsigned)plugged);
	printf("firn: cpu plugged_node %d\n", node);
	return say(node == (int)want ? PASS : FAIL, "node %d, plugged into %u", node, want);
}

static enum result test_cpu_unplug(void)
{
	enum result r;
	bool gone = false;

	if (plugged < 0)
		return say(SKIP, "no CPU came");
	r = machine_stop();
	if (r != PASS)
		return r;
	for (unsigned i = 0; i < WAIT_MAX && !gone; i++) {
		usleep(WAIT_MS * 1000);
		gone = !cpu_present((unsigned)plugged);
	}
	printf("firn: cpu unplugged %s\n", gone ? "gone" : "still there");
	return say(gone ? PASS : FAIL, "CPU %d", plugged);
}

const struct test cpu_hotplug_tests[] = {
	{"cpu-offline", test_cpu_offline},     {"cpu-online", test_cpu_online},
	{"cpu-plug", test_cpu_plug},	       {"cpu-plug-runs", test_cpu_plug_runs},
	{"cpu-plug-node", test_cpu_plug_node}, {"cpu-unplug", test_cpu_unplug},
	{"untainted", test_untainted},	       {NULL, NULL},
};
