/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the guest's init share. */
#ifndef FIRN_GUEST_H
#define FIRN_GUEST_H

#include <stdbool.h>
#include <stddef.h>

#define MIB (1024UL * 1024)

enum result { PASS, FAIL, SKIP };

struct test {
	const char *name; /* permanent slug */
	enum result (*run)(void);
};

/* A NULL name at the end. One list for each mode: the table in init.c. */
extern const struct test node_tests[], cpu_hotplug_tests[], memory_online_tests[];
extern const struct test boot_tests[], hot_add_tests[], memory_init_tests[], ipi_tests[],
	http_tests[];

/* The value of "NAME=VALUE" on the kernel command line; NULL when it is not there. */
const char *option_text(const char *name);
/* The same as a number; 0 when it is not there. */
unsigned option_number(const char *name);

/* Sets what a test has to say besides its result; returns the result. */
enum result say(enum result r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* FAIL, with errno in words. */
enum result say_errno(const char *what);

/* The file's text, cut to what fits. False when it cannot be read. */
bool read_file(const char *path, char *buf, size_t size);
bool read_number(const char *path, int base, unsigned long *ret);
/* How many numbers a list of the kernel has: "0-3,8" has five. -1 when there is no such file. */
int list_count(const char *path);
/* A field of /proc/meminfo ("MemTotal:") in kB. 0 when it is not there. */
unsigned long meminfo(const char *field);

/* Calls `see` for each line of the kernel's log, of those since it was cleared last. */
void kernel_log_walk(void (*see)(char *line));
void kernel_log_clear(void);

enum result test_untainted(void);
/* Stops the machine until the host lets it go on. PASS, or FAIL with the reason said. */
enum result machine_stop(void);

/* What a profile of this boot is about: from the last begin on, or between the pairs of both. See
 * ../plugin/profile.c, which knows these two instructions; to the CPU they are no-ops. */
static inline void profile_begin(void)
{
	__asm__ volatile("xori 17,17,0" ::: "memory");
}

static inline void profile_end(void)
{
	__asm__ volatile("xori 18,18,0" ::: "memory");
}

/* The first argument of /init when a test runs it as a child, and what it does then. */
#define CHILD_ARG "--child"
int child_main(void);

#endif
