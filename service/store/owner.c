// SPDX-License-Identifier: GPL-2.0-or-later
/* Which process runs a trial, and whether it still does. A pid alone comes again; with its start
 * time and the boot it does not. */
#include "store/sql.h"

#include "base/str.h"
#include <fcntl.h>
#include <signal.h>

/* Reads a small file of /proc as text; false when it cannot. */
static bool proc_text(const char *path, char *buf, size_t size)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (n <= 0)
		return false;
	buf[n] = '\0';
	return true;
}

static void boot_id(char id[static BOOT_ID_MAX])
{
	if (!proc_text("/proc/sys/kernel/random/boot_id", id, BOOT_ID_MAX))
		id[0] = '\0';
	id[strcspn(id, "\n")] = '\0';
}

/* Field 22 of /proc/PID/stat, proc(5): the second field may hold anything, and ends at the last
 * bracket. 0 when there is no such process or it only waits to be reaped; -1 when it cannot be
 * seen. */
static int64_t pid_start(int64_t pid)
{
	auto_free char *path = xasprintf("/proc/%lld/stat", (long long)pid);
	char stat[1024], *field;

	if (!proc_text(path, stat, sizeof(stat)))
		return kill((pid_t)pid, 0) == 0 || errno == EPERM ? -1 : 0;
	field = strrchr(stat, ')');
	if (!field || field[1] != ' ' || field[2] == 'Z')
		return 0;
	for (int i = 2; i < 22 && field; i++)
		field = strchr(field + 1, ' ');
	return field ? strtoll(field, NULL, 10) : -1;
}

struct owner owner_of(int64_t pid)
{
	struct owner o = {.pid = pid};

	boot_id(o.boot_id);
	o.pid_start = pid_start(pid);
	return o;
}

struct owner owner_self(void)
{
	return owner_of(getpid());
}

struct owner owner_read(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);
	struct owner o = {.pid = sqlite3_column_int64(stmt, column + 1),
			  .pid_start = sqlite3_column_int64(stmt, column + 2)};

	snprintf(o.boot_id, sizeof(o.boot_id), "%s", text ? text : "");
	return o;
}

bool owner_alive(const struct owner *o)
{
	char now[BOOT_ID_MAX];
	int64_t start;

	boot_id(now);
	if (strcmp(now, o->boot_id) != 0)
		return false;
	if (o->pid <= 0 || o->pid > INT32_MAX)
		return false;
	start = pid_start(o->pid);
	/* 0: gone; -1: it cannot be seen, so it is taken to live. */
	return start == -1 || (start > 0 && (start == o->pid_start || o->pid_start == -1));
}
