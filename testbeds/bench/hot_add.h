/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the hot-add bench share. */
#ifndef FIRN_TESTBEDS_HOT_ADD_H
#define FIRN_TESTBEDS_HOT_ADD_H

#include "testbeds/bench/sampler.h"

#define HOT_ADD_LMB_MIB	   256u
#define HOT_ADD_RESOLUTION 2.0 /* us */
#define HOT_ADD_FLOOR	   0.0005
/* Removal looks for pages to move: where the kernel's image ends decides which ones are there.
 * Three patches that change nothing of it moved it by 0.14 % together. */
#define HOT_REMOVE_FLOOR 0.003
#define HOT_ADD_SEED	 1 /* of the machine, not of the order: the same in every boot */

/* Boots with so many memory blocks of 256 MiB: "memory-init/BLOCKS". */
must_check int memory_init_run(struct sampler *s, unsigned blocks, struct err *err);
/* Least boots of each kernel in such a cell. */
#define MEMORY_INIT_SAMPLES 2u
#define MEMORY_INIT_LEAST   4u	  /* what the guest itself needs */
#define MEMORY_INIT_MOST    2048u /* the host keeps a quarter of a MiB for each */

/* Adds to a judged result: a table for each group of metrics, how each grows, and the log's lines
 * of one boot of each kernel. */
void hot_add_tables(struct bench_result *r, const char *work_dir, unsigned lmbs);

#endif
