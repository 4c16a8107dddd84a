// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops the machine at one exact instruction, so that the host can change it (plug memory, say)
 * while guest time stands still. Loading the module is the stop; finit_module() returns once the
 * host let the machine go on.
 *
 * Firmware's ibm,os-term (PAPR 7.3.9.1) tells the hypervisor that the operating system ended. QEMU
 * prints the text and, under "-action panic=pause", stops the virtual CPUs. The text is what tells
 * a planned stop from a panic.
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#include <asm/page.h>
#include <asm/rtas.h>
#include <asm/time.h>

#define STOP_TEXT     "firn: planned stop"
#define STOP_TEXT_MAX 64

/* Steps of 40 ms: longer than resuming takes, and whole ticks at HZ 100, 250, 300 and 1000. */
#define GRID_PER_SECOND 25

static unsigned int settle_ms = 50;
module_param(settle_ms, uint, 0444);
MODULE_PARM_DESC(settle_ms, "time for the machine to go quiet before it is stopped");

/* Waits with interrupts off until the timebase reaches the next grid point: what the host did
 * meanwhile is seen by the kernel at the same distance from a timer tick in every boot. At least
 * half a step away, so that the point chosen does not depend on how many instructions the stop
 * itself took. */
static void spin_to_grid(u64 since)
{
	u64 step = div_u64(tb_ticks_per_sec, GRID_PER_SECOND);
	u64 point = div64_u64(since + step / 2 + step - 1, step) * step;

	while (get_tb() < point)
		barrier();
}

static int __init pause_init(void)
{
	int token = rtas_token("ibm,os-term");
	unsigned long flags;
	char *text;
	u64 since;
	int rc;

	if (token == RTAS_UNKNOWN_SERVICE)
		return -ENODEV;
	/* Firmware takes a real address of 32 bits; a kmalloc() buffer is linear, a module's data
	 * is not. */
	text = kzalloc(STOP_TEXT_MAX, GFP_KERNEL | GFP_DMA);
	if (!text)
		return -ENOMEM;
	if (upper_32_bits(__pa(text))) {
		kfree(text);
		return -EFAULT;
	}
	strscpy(text, STOP_TEXT, STOP_TEXT_MAX);
	msleep(settle_ms);

	local_irq_save(flags);
	since = get_tb();
	rc = rtas_call(token, 1, 1, NULL, __pa(text));
	spin_to_grid(since);
	local_irq_restore(flags);

	kfree(text);
	return rc ? -EIO : 0;
}
module_init(pause_init);

static void __exit pause_exit(void)
{
}
module_exit(pause_exit);

MODULE_DESCRIPTION("Stops the virtual machine once, on loading");
MODULE_LICENSE("GPL");
