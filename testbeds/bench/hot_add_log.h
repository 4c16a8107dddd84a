/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel's log says about memory that came and went: its own lines, so that it does not
 * matter who plugged. On an emulated machine the host did; on an LPAR the same lines come from
 *
 *	drmgr -c mem -a -q 16	"Attempting to hot-add 16 LMB(s)"
 *	drmgr -c mem -r -q 16	"Attempting to hot-remove 16 LMB(s)"
 *
 * and "journalctl -k -o short-monotonic" or dmesg gives the text.
 */
#ifndef FIRN_TESTBEDS_HOT_ADD_LOG_H
#define FIRN_TESTBEDS_HOT_ADD_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOT_ADD_NODES_MAX 64
#define HOT_ADD_OPS_MAX	  16
#define HOT_ADD_WORDS_MAX 160

/* A piece of the text that was read. */
struct hot_add_line {
	const char *text;
	size_t len;
};

/* From "Attempting to hot-add N LMB(s)" to the last "was hot-added", or the same for removing. */
struct hot_add_op {
	bool remove;
	unsigned asked, done; /* LMBs, by the kernel's words */
	uint64_t us;	      /* printk time from the first to the last line; 0 with done 0 */
	struct hot_add_line first, last;
	char refusal[HOT_ADD_WORDS_MAX]; /* the first thing that it says otherwise; "": nothing */
};

struct hot_add_log {
	struct hot_add_op op[HOT_ADD_OPS_MAX]; /* later ones are left out */
	size_t n;
};
void hot_add_log_read(const char *text, size_t len, struct hot_add_log *ret);

/* All that was asked for was done, so that its time is that of the whole. */
bool hot_add_op_whole(const struct hot_add_op *op);
/* The op number `nth`, from 0, of one kind; NULL. */
const struct hot_add_op *hot_add_log_op(const struct hot_add_log *log, bool remove, unsigned nth);

/* Where LMBs came to be, from the guest's "firn: NAME placed nodeN LMBS". */
struct hot_add_placed {
	unsigned on_node[HOT_ADD_NODES_MAX];
	bool said;
};
void hot_add_placed_read(const char *text, size_t len, const char *name,
			 struct hot_add_placed *ret);

/*
 * The setup of the memory blocks that are there at boot. A kernel says nothing about it, so the
 * lines next to it are taken: "devtmpfs: initialized", at the begin of driver_init(), and the first
 * "calling ..." of initcall_debug, after its end. A kernel under work may have lines of its own,
 * "memory_dev_init: adding memory blocks" and "memory_dev_init: added memory blocks".
 */
struct memory_init_log {
	bool timed;
	uint64_t us;
	bool own_timed; /* by the kernel's own lines */
	uint64_t own_us;
};
void memory_init_log_read(const char *text, size_t len, struct memory_init_log *ret);

#endif
