// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fault.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool read, on;
	unsigned long left;
	const char *name; /* NULL: any */
	const char *log;
} fault;

static void fault_read(void)
{
	const char *spec = getenv("FIRN_FAULT");
	char *end = NULL;

	fault.read = true;
	fault.log = getenv("FIRN_FAULT_LOG");
	if (spec)
		fault.left = strtoul(spec, &end, 10);
	if (end && *end == ':')
		fault.name = end + 1;
	fault.on = fault.left || fault.log;
}

static void fault_log(const char *name)
{
	int fd = open(fault.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	if (write(fd, name, strlen(name)) < 0 || write(fd, "\n", 1) < 0)
		fault.log = NULL; /* it is a help for tests: nothing hangs on it */
	close(fd);
}

void fault_point(const char *name)
{
	if (!fault.read)
		fault_read();
	if (!fault.on)
		return;
	if (fault.log)
		fault_log(name);
	if (!fault.left || (fault.name && strcmp(fault.name, name) != 0))
		return;
	if (--fault.left == 0)
		kill(getpid(), SIGKILL);
}
