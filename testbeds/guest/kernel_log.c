// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "guest.h"

#include <string.h>
#include <sys/klog.h>

#define LOG_MAX (4 * MIB)

void kernel_log_walk(void (*see)(char *line))
{
	static char log[LOG_MAX];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);

	log[n > 0 ? n : 0] = '\0';
	for (char *line = log, *end; *line; line = end) {
		end = strchrnul(line, '\n');
		if (*end)
			*end++ = '\0';
		see(line);
	}
}

void kernel_log_clear(void)
{
	klogctl(5 /* SYSLOG_ACTION_CLEAR */, NULL, 0);
}
