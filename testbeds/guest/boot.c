// SPDX-License-Identifier: GPL-2.0-or-later
/* What any kernel must be able to do. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static enum result test_tmpfs(void)
{
	static const char text[] = "written and read again";
	char buf[64];
	int fd;

	if (mount("tmpfs", "/tmp", "tmpfs", 0, "size=16m") < 0)
		return say_errno("mount");
	fd = open("/tmp/a", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || write(fd, text, sizeof(text)) != sizeof(text) || close(fd) < 0)
		return say_errno("write");
	if (rename("/tmp/a", "/tmp/b") < 0)
		return say_errno("rename");
	if (!read_file("/tmp/b", buf, sizeof(buf)) || strcmp(buf, text) != 0)
		return say(FAIL, "read something else than was written");
	if (unlink("/tmp/b") < 0 || umount("/tmp") < 0)
		return say_errno("umount");
	return PASS;
}

static enum result test_cpus(void)
{
	int online = list_count("/sys/devices/system/cpu/online");

	if (!option_number("firn.cpus"))
		return say(SKIP, "firn.cpus is not given");
	return say(online == (int)option_number("firn.cpus") ? PASS : FAIL, "%d of %u online",
		   online, option_number("firn.cpus"));
}

static enum result test_run_on_each_cpu(void)
{
	int online = list_count("/sys/devices/system/cpu/online"), ran = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && ran < online; cpu++) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set) < 0)
			continue; /* not there */
		if (sched_getcpu() != cpu)
			return say(FAIL, "sent to CPU %d, running on %d", cpu, sched_getcpu());
		ran++;
	}
	return say(ran == online ? PASS : FAIL, "%d of %d", ran, online);
}

static enum result test_nodes(void)
{
	int n = list_count("/sys/devices/system/node/has_memory");

	if (!option_number("firn.nodes"))
		return say(SKIP, "firn.nodes is not given");
	if (n < 0)
		return say(SKIP, "the kernel has no NUMA");
	return say(n == (int)option_number("firn.nodes") ? PASS : FAIL, "%d of %u have memory", n,
		   option_number("firn.nodes"));
}

static enum result test_meminfo(void)
{
	unsigned long total = meminfo("MemTotal:"), free_kb = meminfo("MemFree:"),
		      given = option_number("firn.memory") * 1024UL;

	if (!total || free_kb > total)
		return say(FAIL, "MemTotal %lu kB, MemFree %lu kB", total, free_kb);
	/* The kernel keeps some for itself; a quarter lost would be a fault. */
	if (given && (total > given || total < given / 4 * 3))
		return say(FAIL, "MemTotal %lu kB of a machine with %lu kB", total, given);
	return say(PASS, "%lu kB of %lu kB", total, given);
}

/* The child's part of test_exec(). */
int child_main(void)
{
	return write(STDOUT_FILENO, "child", 5) == 5 ? 7 : 1;
}

static enum result test_exec(void)
{
	char buf[16] = "";
	int fd[2], status = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(fd) < 0)
		return say_errno("pipe");
	pid = fork();
	if (pid < 0)
		return say_errno("fork");
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		execl("/init", "init", CHILD_ARG, (char *)NULL);
		_exit(126);
	}
	close(fd[1]);
	n = read(fd[0], buf, sizeof(buf) - 1);
	close(fd[0]);
	if (waitpid(pid, &status, 0) != pid)
		return say_errno("wait");
	if (n != 5 || strcmp(buf, "child") != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
		return say(FAIL, "%zd bytes through the pipe, status %#x", n, (unsigned)status);
	return PASS;
}

static enum result test_copy_on_write(void)
{
	size_t size = 16 * MIB, step = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *p =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t pid;

	if (p == MAP_FAILED)
		return say_errno("mmap");
	for (size_t i = 0; i < size; i += step)
		p[i] = (unsigned char)(i / step);
	pid = fork();
	if (pid < 0)
		return say_errno("fork");
	if (pid == 0) {
		memset(p, 0xff, size);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return say(FAIL, "child ended with status %#x", (unsigned)status);
	for (size_t i = 0; i < size; i += step) {
		if (p[i] != (unsigned char)(i / step))
			return say(FAIL, "the child's write shows at offset %zu", i);
	}
	return munmap(p, size) < 0 ? say_errno("munmap") : PASS;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* How late is not judged: the host may be busy, and guest time run on meanwhile. */
static enum result test_timer(void)
{
	const struct itimerval in_20_ms = {.it_value = {.tv_usec = 20000}};
	const struct timespec limit = {.tv_sec = 30};
	double begin = now(), took;
	sigset_t alarm;
	int sig;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, NULL); /* it waits for us, however late we are */
	if (setitimer(ITIMER_REAL, &in_20_ms, NULL) < 0)
		return say_errno("setitimer");
	sig = sigtimedwait(&alarm, NULL, &limit);
	took = now() - begin;
	return say(sig == SIGALRM && took >= 0.02 ? PASS : FAIL, "signal %d after %.3f s", sig,
		   took);
}

/* Bits that our own module sets: out of tree (12), unsigned (13). See the kernel's
 * Documentation/admin-guide/tainted-kernels.rst. */
#define TAINT_OURS (1UL << 12 | 1UL << 13)

enum result test_untainted(void)
{
	unsigned long taint;

	if (!read_number("/proc/sys/kernel/tainted", 10, &taint))
		return say_errno("/proc/sys/kernel/tainted");
	taint &= ~TAINT_OURS;
	return say(taint ? FAIL : PASS, "%lu", taint);
}

const struct test boot_tests[] = {
	{"tmpfs", test_tmpfs},
	{"cpus", test_cpus},
	{"run-on-each-cpu", test_run_on_each_cpu},
	{"nodes", test_nodes},
	{"meminfo", test_meminfo},
	{"fork-exec-pipe", test_exec},
	{"copy-on-write", test_copy_on_write},
	{"timer-signal", test_timer},
	{"untainted", test_untainted},
	{NULL, NULL},
};
