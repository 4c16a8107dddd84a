/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines that boot a kernel: emulated, real, or recorded. To add one: a file that ends in one
 * `const struct testbed` and a row in testbeds[].
 */
#ifndef FIRN_TESTBEDS_TESTBED_H
#define FIRN_TESTBEDS_TESTBED_H

#include "base/err.h"
#include "base/outcome.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* What a testbed can do: a bench names what it needs and is skipped where it is missing. */
enum testbed_cap {
	TESTBED_BOOT = 1 << 0,
	TESTBED_COUNT = 1 << 1, /* guest time counts instructions: the same kernel gives the same
				   microsecond */
	TESTBED_MEMORY_HOTPLUG = 1 << 2,
	TESTBED_NUMA = 1 << 3,
	TESTBED_MEMORY_UNPLUG = 1 << 4, /* what was hot-added can be taken away again */
	TESTBED_CPU_HOTPLUG = 1 << 5,
	TESTBED_XICS = 1 << 6,	  /* the interrupt controller can be XICS instead of XIVE */
	TESTBED_NET = 1 << 7,	  /* two network cards on one wire */
	TESTBED_PROFILE = 1 << 8, /* counts guest instructions by address */
};

/* How a boot ended. The console says it; see console.h. */
enum boot_end {
	BOOT_DONE,    /* the guest's init reported its end */
	BOOT_PANIC,   /* Kernel panic */
	BOOT_HANG,    /* console output, then nothing until the limit */
	BOOT_SILENT,  /* not one line from the kernel */
	BOOT_EXITED,  /* the machine went off without a word from init */
	BOOT_TESTBED, /* the emulator or the machine failed: killed, would not start. Ours, never
			 the author's */
};
const char *boot_end_name(enum boot_end e);

/* What the kernel complained about on the way. */
enum complaint_kind {
	COMPLAINT_PANIC,
	COMPLAINT_OOPS,
	COMPLAINT_BUG,
	COMPLAINT_WARN,
	COMPLAINT_LOCKUP,
	COMPLAINT_STALL
};
struct complaint {
	enum complaint_kind kind;
	char *title; /* its first line without the timestamp: "WARNING: CPU: 0 PID: 1 at mm/x.c:12
			fn+0x10/0x20" */
	char *key;   /* the title without what changes from boot to boot (CPU, PID, addresses): for
			comparing with the base */
	char **line; /* the lines to show: title, registers left out, call trace. At most 40 */
	size_t n_lines;
};

struct ktap_test {
	char *name;
	enum outcome outcome; /* PASS, FAIL or SKIP */
	char *note;	      /* text after #, "" when none */
};

struct boot_result {
	enum boot_end end;
	char *reason; /* one line in words, always set: "panic: Attempted to kill init!", "no output
			 for 30 s after ..." */
	struct str console; /* all of it, capped, as it came */
	struct complaint *complaint;
	size_t n_complaints;
	struct ktap_test *test;
	size_t n_tests;
	double host_seconds;  /* wall time on the host */
	double guest_seconds; /* last kernel timestamp seen */
};
void boot_result_done(struct boot_result *r);

/* A machine that stopped itself (the guest called ibm,os-term and the testbed froze it): what can
 * be done to it now. */
struct machine;
struct machine_ops {
	/* Plugs `lmbs` blocks of 256 MiB as one DIMM into `node`. */
	int (*add_memory)(struct machine *m, unsigned lmbs, unsigned node, struct err *err);
	/* Asks the guest to give back the DIMM that was plugged last. Whether it does is the
	 * kernel's affair. ERR_CONFIG when none is plugged. */
	int (*remove_memory)(struct machine *m, struct err *err);
	/* Plugs the next CPU of those that max_cpus has room for; asks for the last one back. */
	int (*add_cpu)(struct machine *m, struct err *err);
	int (*remove_cpu)(struct machine *m, struct err *err);
};
struct machine {
	const struct machine_ops *ops;
	unsigned stops; /* how often this boot stopped before */
};

/* One NUMA node; either may be 0, both for an empty one. Memory in whole blocks of 256 MiB. */
struct boot_node {
	unsigned cpus, memory_mib;
};

struct boot_spec {
	const char *kernel, *initramfs; /* paths */
	const char *append;		/* added to the testbed's own command line; NULL */
	unsigned cpus, nodes;		/* 0: 1 */
	unsigned memory_mib;		/* total at boot, spread over the nodes; 0: 1024 */
	unsigned max_memory_mib;	/* room for hot-add; 0: none */
	const struct boot_node *node; /* `nodes` of them, instead of `cpus` and `memory_mib` spread
					 evenly (their sums are used); NULL */
	unsigned max_cpus;	      /* room for hot-added CPUs; 0: none */
	bool xics;		      /* instead of XIVE */
	bool net;	      /* two virtio network cards on one wire: the guest talks to itself */
	const char *profile;  /* file for a profile: see profile.h; NULL */
	bool count;	      /* TESTBED_COUNT wanted */
	unsigned seed;	      /* for what is random; the same gives the same */
	double timeout_s;     /* whole boot, host seconds; 0: 300 */
	double silence_s;     /* no console output for so long is a hang; 0: 60 */
	const char *work_dir; /* a folder of our own for sockets and logs */
	/* Called each time the guest stopped itself; the machine goes on when it returns 0. May be
	 * NULL. */
	int (*on_stop)(void *ctx, struct machine *m, struct err *err);
	/* Called with console output as it comes; may be NULL. */
	void (*on_console)(void *ctx, const char *data, size_t n);
	void *ctx;
};

struct testbed {
	const char *name; /* permanent slug */
	const char *summary;
	unsigned caps; /* of enum testbed_cap */
	/* Looks whether it works here. 0, or ERR_CONFIG with what is missing. `arg` is what
	 * followed "NAME:". */
	int (*probe)(const char *arg, struct err *err);
	/* Boots once. 0 and a filled result, whatever the kernel did; an error when the testbed
	 * itself failed: ERR_CONFIG (not installed), ERR_INFRA (killed, would not start),
	 * ERR_CANCELLED. `ret` is zeroed. */
	int (*boot)(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		    struct err *err);
};
extern const struct testbed testbed_qemu_pseries, testbed_replay;
extern const struct testbed *const testbeds[]; /* NULL at the end */
/* "qemu-pseries" or "replay:DIR". `*ret_arg` points into `name` ("" when there is none). NULL: no
 * such testbed. */
const struct testbed *testbed_find(const char *name, const char **ret_arg);

#endif
