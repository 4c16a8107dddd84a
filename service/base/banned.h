/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that have a safer form here. Included by the compiler in every file (-include), so that
 * a call is a compile error. System headers are read first, since a poisoned name may not appear in
 * them.
 */
#ifndef FIRN_BASE_BANNED_H
#define FIRN_BASE_BANNED_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat strtok sprintf vsprintf gets atoi atol atoll
#pragma GCC poison gmtime localtime asctime mktemp tmpnam system popen

#endif
