// SPDX-License-Identifier: GPL-2.0-or-later
/* Stops the machine, so that the host can change it: see pause/pause.c. */
#define _GNU_SOURCE
#include "guest.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

enum result machine_stop(void)
{
	int fd = open("/lib/modules/pause.ko", O_RDONLY | O_CLOEXEC);
	static bool stopped;
	long rc;

	if (!stopped) /* what is measured comes after the first stop */
		profile_begin();
	stopped = true;
	if (fd < 0)
		return say_errno("/lib/modules/pause.ko");
	tcdrain(STDOUT_FILENO);
	rc = syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	if (rc < 0)
		return say_errno("pause.ko");
	/* Loading it is the stop, so it must go before the next one. */
	if (syscall(SYS_delete_module, "pause", O_NONBLOCK) < 0)
		return say_errno("pause");
	return PASS;
}
