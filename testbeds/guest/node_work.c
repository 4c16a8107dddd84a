// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two workloads, and what they cost: real, user and system time, and how far the counters of
 * /proc/vmstat moved.
 *
 * numa01: two processes, each with as many threads as there are CPUs; each thread goes over memory
 * that all threads of its process share. numa02: one process, as many threads; each goes over
 * memory of its own.
 *
 * The kernel begins to look where memory is used (and so to take hint faults) after a thread ran
 * for scan_delay_ms times the number of threads: five seconds of a thread's time with four of them.
 * An emulator has no such time to spare, so the delay and the least period are set to a tenth:
 * these runs are to be compared with runs ten times as long.
 */
#define _GNU_SOURCE
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHARED_SIZE (8 * MIB)
#define LOCAL_SIZE  (2 * MIB)
#define PROCESSES   2
#define THREADS_MAX 256
#define SCAN_MS	    "100"

struct work {
	const char *name;
	unsigned processes, loops;
	size_t size;
	bool shared;
};

struct worker {
	pthread_t thread;
	const struct work *work;
	uint64_t *area; /* NULL: makes its own */
	bool failed;
};

/* Pages and not huge pages, so that counts do not depend on how broken up memory is. */
static uint64_t *area_new(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, size, MADV_NOHUGEPAGE);
	return p;
}

/* Threads share the area and write over each other: no value in it means anything. Volatile, so
 * that every access is made. */
static void area_pass(volatile uint64_t *area, size_t size)
{
	for (size_t i = 0; i < size / sizeof(*area); i++)
		area[i] = area[i] + i;
}

static void *worker_run(void *arg)
{
	struct worker *w = arg;
	uint64_t *area = w->area ? w->area : area_new(w->work->size);

	w->failed = !area;
	for (unsigned i = 0; area && i < w->work->loops; i++)
		area_pass(area, w->work->size);
	return NULL;
}

/* One process of a workload: all of its threads. */
static bool process_run(const struct work *work)
{
	static struct worker worker[THREADS_MAX];
	int cpus = list_count("/sys/devices/system/cpu/online"), n = 0;
	uint64_t *area = work->shared ? area_new(work->size) : NULL;
	bool ok = cpus > 0 && cpus <= THREADS_MAX && (area || !work->shared);

	for (; ok && n < cpus; n++) {
		worker[n] = (struct worker){.work = work, .area = area};
		ok = pthread_create(&worker[n].thread, NULL, worker_run, &worker[n]) == 0;
		if (!ok)
			break;
	}
	for (int i = 0; i < n; i++) {
		pthread_join(worker[i].thread, NULL);
		ok = ok && !worker[i].failed;
	}
	return ok;
}

static const char *const counters[] = {
	"numa_hit",
	"numa_miss",
	"numa_foreign",
	"numa_local",
	"numa_other",
	"numa_pte_updates",
	"numa_huge_pte_updates",
	"numa_hint_faults",
	"numa_hint_faults_local",
	"numa_pages_migrated",
	"pgfault",
	"pgmajfault",
};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

struct cost {
	double real_us, user_us, sys_us;
	bool has[COUNTERS];
	unsigned long count[COUNTERS];
};

/* False for a counter that this kernel does not have. */
static bool counter_read(const char *vmstat, const char *name, unsigned long *ret)
{
	size_t n = strlen(name);

	for (const char *p = vmstat; p && *p; p = strchr(p, '\n'), p += p != NULL)
		if (strncmp(p, name, n) == 0 && p[n] == ' ') {
			*ret = strtoul(p + n + 1, NULL, 10);
			return true;
		}
	return false;
}

static void counters_read(struct cost *ret)
{
	static char text[32768];

	read_file("/proc/vmstat", text, sizeof(text));
	for (size_t i = 0; i < COUNTERS; i++)
		ret->has[i] = counter_read(text, counters[i], &ret->count[i]);
}

static double timeval_us(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Starts the processes, waits for all of them, and sums up what they used. */
static bool processes_run(const struct work *work, struct cost *ret)
{
	double begin = now_us();
	unsigned started = 0, good = 0;

	for (; started < work->processes; started++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid == 0)
			_exit(process_run(work) ? 0 : 1);
	}
	for (unsigned i = 0; i < started; i++) {
		struct rusage use;
		int status;

		if (wait4(-1, &status, 0, &use) < 0)
			return false;
		good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
		ret->user_us += timeval_us(use.ru_utime);
		ret->sys_us += timeval_us(use.ru_stime);
	}
	ret->real_us = now_us() - begin;
	return good == work->processes;
}

static void work_show(const struct work *work, const struct cost *before, const struct cost *c)
{
	bool faults = false;

	printf("firn: node %s/real %.0f\n", work->name, c->real_us);
	printf("firn: node %s/user %.0f\n", work->name, c->user_us);
	printf("firn: node %s/sys %.0f\n", work->name, c->sys_us);
	for (size_t i = 0; i < COUNTERS; i++)
		if (before->has[i] && c->has[i]) {
			printf("firn: node %s/%s %lu\n", work->name, counters[i],
			       c->count[i] - before->count[i]);
			faults |= strcmp(counters[i], "numa_hint_faults") == 0 &&
				  c->count[i] != before->count[i];
		}
	printf("firn: node %s/faults %s\n", work->name, faults ? "some" : "none");
}

static void file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		printf("# %s: %s\n", path, strerror(errno));
	close(fd);
}

/* In debugfs since 5.13, before that a sysctl. Where there is neither the delay stays as it is, and
 * no hint fault is seen. */
static void scan_often(void)
{
	static const char *const file[] = {
		"/sys/kernel/debug/sched/numa_balancing/scan_delay_ms",
		"/sys/kernel/debug/sched/numa_balancing/scan_period_min_ms",
		"/proc/sys/kernel/numa_balancing_scan_delay_ms",
		"/proc/sys/kernel/numa_balancing_scan_period_min_ms",
	};
	static bool done;

	if (done)
		return;
	done = true;
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++)
		file_write(file[i], SCAN_MS);
}

static enum result work_run(const struct work *work)
{
	struct cost before = {.real_us = 0}, cost = {.real_us = 0};
	bool ok;

	if (!work->loops)
		return say(SKIP, "not asked for");
	scan_often();
	counters_read(&before);
	profile_begin();
	ok = processes_run(work, &cost);
	profile_end();
	if (!ok)
		return say_errno("its processes");
	counters_read(&cost);
	work_show(work, &before, &cost);
	return say(PASS, "%.3f s", cost.real_us / 1e6);
}

enum result test_node_numa01(void)
{
	const struct work work = {.name = "numa01",
				  .processes = PROCESSES,
				  .loops = option_number("firn.numa01"),
				  .size = SHARED_SIZE,
				  .shared = true};

	return work_run(&work);
}

enum result test_node_numa02(void)
{
	const struct work work = {.name = "numa02",
				  .processes = 1,
				  .loops = option_number("firn.numa02"),
				  .size = LOCAL_SIZE};

	return work_run(&work);
}
