// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory blocks that go offline and come back by sysfs: those of the boot, and of a DIMM that the
 * host plugs. */
#define _GNU_SOURCE
#include "guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MEMORY	   "/sys/devices/system/memory"
#define BLOCKS_MAX 4096
#define WAIT_MAX   30 /* seconds of guest time for plugged memory to come */

struct tally {
	unsigned tried, offline, online;
	unsigned bad_total; /* MemTotal was not as it should be */
	double offline_us, online_us;
};

static bool there[BLOCKS_MAX]; /* before the plug */
static unsigned long block_kb;
static unsigned came;
static struct tally boot, plug, movable;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool block_file(unsigned block, const char *name, char *buf, size_t size)
{
	char path[64];
	bool ok;

	snprintf(path, sizeof(path), MEMORY "/memory%u/%s", block, name);
	ok = read_file(path, buf, size);
	buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

static bool block_is(unsigned block, const char *name, const char *wanted)
{
	char text[64];

	return block_file(block, name, text, sizeof(text)) && strcmp(text, wanted) == 0;
}

static bool block_there(unsigned block)
{
	char text[64];

	return block_file(block, "state", text, sizeof(text));
}

/* Writes a word to the state and sees whether it is `wanted` then; adds the time when it worked. */
static bool block_set(unsigned block, const char *word, const char *wanted, double *us)
{
	char path[64];
	double begin = now_us();
	bool ok;
	int fd;

	snprintf(path, sizeof(path), MEMORY "/memory%u/state", block);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ok = write(fd, word, strlen(word)) == (ssize_t)strlen(word);
	if (ok)
		*us += now_us() - begin;
	close(fd);
	return ok && block_is(block, "state", wanted);
}

/* Offline, and online again by `word`. That a block does not go is no fault in itself: the kernel
 * may have something there that cannot be moved. */
static void block_round(unsigned block, const char *word, struct tally *t)
{
	unsigned long total = meminfo("MemTotal:");

	t->tried++;
	if (!block_set(block, "offline", "offline", &t->offline_us)) {
		printf("# memory%u does not go: %s\n", block, strerror(errno));
		return;
	}
	t->offline++;
	t->bad_total += meminfo("MemTotal:") + block_kb != total;
	if (!block_set(block, word, "online", &t->online_us)) {
		printf("# memory%u does not come back: %s\n", block, strerror(errno));
		return;
	}
	t->online++;
	t->bad_total += meminfo("MemTotal:") != total;
}

static void tally_show(const char *what, const struct tally *t)
{
	printf("firn: memory %s/offline %u of %u\n", what, t->offline, t->tried);
	printf("firn: memory %s/online %u of %u\n", what, t->online, t->offline);
	if (t->offline)
		printf("firn: memory %s/offline_us %.3f\n", what, t->offline_us / t->offline);
	if (t->online)
		printf("firn: memory %s/online_us %.3f\n", what, t->online_us / t->online);
}

static unsigned rounds(void)
{
	unsigned n = option_number("firn.rounds");

	return n ? n : 1;
}

static enum result test_memory_offline(void)
{
	unsigned long bytes;

	if (!read_number(MEMORY "/block_size_bytes", 16, &bytes))
		return say(SKIP, "the kernel has no memory hotplug");
	block_kb = bytes / 1024;
	for (unsigned i = 0; i < rounds(); i++)
		for (unsigned b = 0; b < BLOCKS_MAX; b++)
			if (block_is(b, "removable", "1") && block_is(b, "state", "online"))
				block_round(b, "online", &boot);
	if (!boot.tried)
		return say(SKIP, "the kernel takes no memory offline");
	tally_show("boot", &boot);
	return say(boot.offline ? PASS : FAIL, "%u of %u", boot.offline, boot.tried);
}

static enum result test_memory_online(void)
{
	if (!boot.offline)
		return say(SKIP, "no block went offline");
	return say(boot.online == boot.offline ? PASS : FAIL, "%u of %u", boot.online,
		   boot.offline);
}

static enum result test_memory_plug(void)
{
	unsigned want = option_number("firn.lmbs");
	enum result r;

	if (!want)
		return say(SKIP, "the host plugs none");
	if (!block_kb)
		return say(SKIP, "the kernel has no memory hotplug");
	for (unsigned b = 0; b < BLOCKS_MAX; b++)
		there[b] = block_there(b);
	r = machine_stop();
	if (r != PASS)
		return r;
	for (unsigned i = 0; i < WAIT_MAX && came < want; i++) {
		sleep(1);
		came = 0;
		for (unsigned b = 0; b < BLOCKS_MAX; b++)
			came += !there[b] && block_is(b, "state", "online");
	}
	printf("firn: memory plug/came %u of %u\n", came, want);
	return say(came == want ? PASS : FAIL, "%u of %u blocks", came, want);
}

/* Every plugged block that is online, `n` times. */
static void plug_rounds(unsigned n, struct tally *t)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned b = 0; b < BLOCKS_MAX; b++)
			if (!there[b] && block_is(b, "state", "online"))
				block_round(b, "online_movable", t);
}

/* As they came: what describes the memory of one block may be in another, which then stays. */
static enum result test_memory_plug_offline(void)
{
	if (!came)
		return say(SKIP, "no memory came");
	plug_rounds(1, &plug);
	tally_show("plug", &plug);
	return say(plug.offline ? PASS : FAIL, "%u of %u", plug.offline, plug.tried);
}

static enum result test_memory_plug_online(void)
{
	if (!plug.offline)
		return say(SKIP, "no block went offline");
	return say(plug.online == plug.offline ? PASS : FAIL, "%u of %u", plug.online,
		   plug.offline);
}

/* From here on they hold only what can be moved: all must go, and come back. */
static enum result test_memory_movable(void)
{
	if (!came || plug.online != came)
		return say(SKIP, "not every plugged block is for movable memory");
	plug_rounds(rounds(), &movable);
	tally_show("movable", &movable);
	return say(movable.online == movable.tried ? PASS : FAIL, "%u of %u", movable.online,
		   movable.tried);
}

static enum result test_memory_total(void)
{
	unsigned bad = boot.bad_total + plug.bad_total + movable.bad_total;
	unsigned seen = boot.offline + boot.online + plug.offline + plug.online + movable.offline +
			movable.online;

	if (!seen)
		return say(SKIP, "no block went offline");
	printf("firn: memory total %u of %u\n", seen - bad, seen);
	return say(bad ? FAIL : PASS, "MemTotal right %u of %u times", seen - bad, seen);
}

const struct test memory_online_tests[] = {
	{"memory-offline", test_memory_offline},
	{"memory-online", test_memory_online},
	{"memory-plug", test_memory_plug},
	{"memory-plug-offline", test_memory_plug_offline},
	{"memory-plug-online", test_memory_plug_online},
	{"memory-movable", test_memory_movable},
	{"memory-total", test_memory_total},
	{"untainted", test_untainted},
	{NULL, NULL},
};
