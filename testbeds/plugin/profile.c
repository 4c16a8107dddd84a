// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A TCG plugin for QEMU that counts executed guest instructions by address.
 *
 *	-plugin file=firn-profile.so,out=FILE
 *
 * Each translation block adds its number of instructions to the counter of its first address,
 * inline in the translated code. The addition is not atomic: it needs one thread for all virtual
 * CPUs, which is what -icount has (round robin); there the counts are exact and repeat.
 *
 * The guest may mark what is to be counted by two instructions that do nothing and that no compiler
 * emits: MARK_BEGIN forgets what was counted since the last end, MARK_END keeps what was counted
 * since the begin. Several windows add up. Without marks everything from power-on is counted, and
 * after a begin without an end all that is left.
 *
 * FILE, written when QEMU ends:
 *
 *	firn-profile 1
 *	c000000000012340 5120	first address of a block (hex), instructions
 *	...
 *	end 302700000		the sum: a file without this line is cut
 */
#include "qemu_plugin_api.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* guest.h has the same: xori 17,17,0 and xori 18,18,0. */
#define MARK_BEGIN 0x6a310000u
#define MARK_END   0x6a520000u

#define BUCKETS (1u << 16)
/* A guest that makes code as it runs must not fill the host's memory. What comes after is counted
 * under address 0. */
#define BLOCKS_MAX (1u << 20)

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

struct block {
	struct block *next;
	uint64_t pc;
	uint64_t n;    /* since the last mark: the translated code adds to it */
	uint64_t kept; /* of windows that have ended */
};

static struct block *bucket[BUCKETS];
static struct block others;
static unsigned blocks;
static int ended; /* the last mark was MARK_END */
static FILE *out;

/* For every block there is. */
static void blocks_walk(void (*see)(struct block *b))
{
	see(&others);
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct block *b = bucket[i]; b; b = b->next)
			see(b);
}

static void block_forget(struct block *b)
{
	b->n = 0;
}

static void block_keep(struct block *b)
{
	b->kept += b->n;
	b->n = 0;
}

static void mark_begin(unsigned int vcpu, void *unused)
{
	(void)vcpu;
	(void)unused;
	blocks_walk(block_forget);
	ended = 0;
}

static void mark_end(unsigned int vcpu, void *unused)
{
	(void)vcpu;
	(void)unused;
	blocks_walk(block_keep);
	ended = 1;
}

/* Blocks are translated again when QEMU's buffer is full: the counter stays. */
static struct block *block_at(uint64_t pc)
{
	struct block **head = &bucket[pc >> 2 & (BUCKETS - 1)], *b = *head;

	while (b && b->pc != pc)
		b = b->next;
	if (b || blocks == BLOCKS_MAX)
		return b ? b : &others;
	b = calloc(1, sizeof(*b));
	if (!b)
		return &others;
	blocks++;
	b->pc = pc;
	b->next = *head;
	*head = b;
	return b;
}

/* Either byte order: swapped, a mark is no valid instruction. */
static int insn_is(const struct qemu_plugin_insn *insn, uint32_t mark)
{
	uint32_t code;

	if (qemu_plugin_insn_size(insn) != sizeof(code))
		return 0;
	memcpy(&code, qemu_plugin_insn_data(insn), sizeof(code));
	return code == mark || code == __builtin_bswap32(mark);
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64,
						 &block_at(qemu_plugin_tb_vaddr(tb))->n, n);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (insn_is(insn, MARK_BEGIN))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark_begin,
							       QEMU_PLUGIN_CB_NO_REGS, NULL);
		else if (insn_is(insn, MARK_END))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark_end,
							       QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

static uint64_t sum;

static void block_write(struct block *b)
{
	uint64_t n = b->kept + (ended ? 0 : b->n);

	if (n)
		fprintf(out, "%" PRIx64 " %" PRIu64 "\n", b->pc, n);
	sum += n;
}

static void qemu_ends(qemu_plugin_id_t id, void *unused)
{
	(void)id;
	(void)unused;
	fprintf(out, "firn-profile 1\n");
	blocks_walk(block_write);
	fprintf(out, "end %" PRIu64 "\n", sum);
	if (fclose(out) != 0)
		fprintf(stderr, "firn-profile: cannot write the profile\n");
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	static const char option[] = "out=";

	(void)info;
	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], option, strlen(option)) == 0 && !out)
			out = fopen(argv[i] + strlen(option), "we");
	if (!out) {
		fprintf(stderr, "firn-profile: needs out=FILE, and that it can be written\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
	qemu_plugin_register_atexit_cb(id, qemu_ends, NULL);
	return 0;
}
