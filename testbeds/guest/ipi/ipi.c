// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends interprocessor interrupts (IPIs) and says how many came through in what time.
 *
 * A run is one line written to /sys/kernel/debug/firn_ipi/run:
 *
 *	HOW SENDERS TARGETS WITHIN COUNT MS SEED	"many 0 0-7 system 1000 500 1"
 *
 *	HOW	many: one call for all targets together, smp_call_function_many()
 *		turn: one call for each target in turn, smp_call_function_single()
 *		random: the same for one target after the other, chosen by SEED
 *	SENDERS, TARGETS	lists of CPUs; all of them online. A CPU never sends to itself
 *	WITHIN	system: to all targets; node: to those in the sender's own node
 *	COUNT	calls that each sender makes at most
 *	MS	milliseconds that it takes at most
 *
 * All senders begin together, and each waits for the function to have run before it calls again.
 * The write returns when the run is over. Then firn_ipi/result has one line for each CPU that sent
 * or received:
 *
 *	cpu 0 node 0 calls 1000 sent 7000 received 0 ns 24000000
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#define LINE_LEN  1024
#define COUNT_MAX 10000000U
#define MS_MAX	  10000U
/* For all senders to be there: one that is kept from its CPU ends the run. */
#define MEET_MS 2000

enum how { MANY, TURN, RANDOM };

static const char *const how_name[] = {[MANY] = "many", [TURN] = "turn", [RANDOM] = "random"};

struct ipi_run {
	enum how how;
	struct cpumask senders, targets;
	bool node;
	unsigned int count, ms;
	u32 seed;
	unsigned int n_senders;
	atomic_t ready, left;
	bool late; /* somebody did not come to the start */
	struct completion over;
};

struct ipi_cpu {
	struct task_struct *task; /* NULL: does not send */
	struct cpumask mask;	  /* its targets */
	unsigned int *target;	  /* the same in the order of a ring that begins behind this CPU */
	unsigned int n_targets;
	u32 random;
	unsigned long calls, sent;
	u64 ns;
	unsigned long received; /* written on this CPU only, with interrupts off */
};

/* In memory of the CPU's own node: the counters are part of what is measured. */
static DEFINE_PER_CPU_ALIGNED(struct ipi_cpu, ipi_cpus);
static struct ipi_run run;
static DEFINE_MUTEX(run_lock); /* for both */
static struct dentry *dir;

static void ipi_receive(void *unused)
{
	__this_cpu_inc(ipi_cpus.received);
}

/* xorshift (Marsaglia 2003): any seed but 0. */
static u32 ipi_random(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void ipi_call_many(struct ipi_cpu *c)
{
	preempt_disable();
	smp_call_function_many(&c->mask, ipi_receive, NULL, true);
	preempt_enable();
	c->sent += c->n_targets;
}

static void ipi_call_one(struct ipi_cpu *c, unsigned int target)
{
	if (smp_call_function_single(target, ipi_receive, NULL, true) == 0)
		c->sent++;
}

static void ipi_call(struct ipi_cpu *c, enum how how)
{
	if (how == MANY)
		ipi_call_many(c);
	else if (how == TURN)
		ipi_call_one(c, c->target[c->calls % c->n_targets]);
	else
		ipi_call_one(c, c->target[ipi_random(&c->random) % c->n_targets]);
	c->calls++;
}

/* True when all senders are there. */
static bool ipi_meet(void)
{
	u64 limit = ktime_get_ns() + (u64)MEET_MS * NSEC_PER_MSEC;

	atomic_inc(&run.ready);
	while (atomic_read(&run.ready) < run.n_senders) {
		if (READ_ONCE(run.late))
			return false;
		if (ktime_get_ns() > limit)
			WRITE_ONCE(run.late, true);
		cpu_relax();
		cond_resched();
	}
	return true;
}

static void ipi_send(struct ipi_cpu *c)
{
	u64 begin = ktime_get_ns(), limit = (u64)run.ms * NSEC_PER_MSEC;

	do {
		ipi_call(c, run.how);
		c->ns = ktime_get_ns() - begin;
		cond_resched();
	} while (c->calls < run.count && c->ns < limit);
}

static int ipi_thread(void *data)
{
	if (ipi_meet())
		ipi_send(data);
	if (atomic_dec_and_test(&run.left))
		complete(&run.over);
	return 0;
}

static void ipi_cpu_reset(unsigned int cpu)
{
	struct ipi_cpu *c = per_cpu_ptr(&ipi_cpus, cpu);

	memset(c, 0, sizeof(*c));
	/* The multiplier keeps the states of neighbours apart; a state of 0 would stay 0. */
	c->random = (run.seed + cpu + 1) * 2654435761U ?: 1;
	cpumask_copy(&c->mask, &run.targets);
	if (run.node)
		cpumask_and(&c->mask, &c->mask, cpumask_of_node(cpu_to_node(cpu)));
	cpumask_clear_cpu(cpu, &c->mask);
}

static int ipi_cpu_add_targets(unsigned int cpu)
{
	struct ipi_cpu *c = per_cpu_ptr(&ipi_cpus, cpu);
	unsigned int i, target = cpu;

	c->target =
		kmalloc_array_node(nr_cpu_ids, sizeof(*c->target), GFP_KERNEL, cpu_to_node(cpu));
	if (!c->target)
		return -ENOMEM;
	for (i = 0; i < nr_cpu_ids; i++) {
		target = target + 1 < nr_cpu_ids ? target + 1 : 0;
		if (cpumask_test_cpu(target, &c->mask))
			c->target[c->n_targets++] = target;
	}
	return 0;
}

/* Makes a CPU a sender unless it has nobody to send to. Its thread does not run yet. */
static int ipi_cpu_add_thread(unsigned int cpu)
{
	struct ipi_cpu *c = per_cpu_ptr(&ipi_cpus, cpu);
	int rc = ipi_cpu_add_targets(cpu);
	struct task_struct *t;

	if (rc || !c->n_targets)
		return rc;
	t = kthread_create_on_node(ipi_thread, c, cpu_to_node(cpu), "firn_ipi/%u", cpu);
	if (IS_ERR(t))
		return PTR_ERR(t);
	get_task_struct(t); /* it may be gone before we ask it to stop */
	kthread_bind(t, cpu);
	c->task = t;
	run.n_senders++;
	return 0;
}

static void ipi_threads_wait(void)
{
	unsigned int cpu;

	atomic_set(&run.ready, 0);
	atomic_set(&run.left, run.n_senders);
	init_completion(&run.over);
	for_each_cpu(cpu, &run.senders)
		if (per_cpu_ptr(&ipi_cpus, cpu)->task)
			wake_up_process(per_cpu_ptr(&ipi_cpus, cpu)->task);
	wait_for_completion(&run.over);
}

/* A thread that was never woken ends too, without having run. */
static void ipi_threads_end(void)
{
	unsigned int cpu;

	for_each_cpu(cpu, &run.senders) {
		struct ipi_cpu *c = per_cpu_ptr(&ipi_cpus, cpu);

		if (c->task) {
			kthread_stop(c->task);
			put_task_struct(c->task);
		}
		c->task = NULL;
		kfree(c->target);
		c->target = NULL;
	}
}

/* With the lock, and while CPUs stay as they are. */
static int ipi_run(void)
{
	unsigned int cpu;
	int rc = 0;

	if (!cpumask_subset(&run.senders, cpu_online_mask) ||
	    !cpumask_subset(&run.targets, cpu_online_mask))
		return -ENODEV;
	for_each_possible_cpu(cpu)
		ipi_cpu_reset(cpu);
	for_each_cpu(cpu, &run.senders)
		if (rc == 0)
			rc = ipi_cpu_add_thread(cpu);
	if (rc == 0 && !run.n_senders)
		rc = -EINVAL;
	if (rc == 0)
		ipi_threads_wait();
	ipi_threads_end();
	return rc == 0 && run.late ? -ETIMEDOUT : rc;
}

/* The next word; "" when there is none. */
static char *ipi_word(char **line)
{
	char *word = strsep(line, " ");

	return word ?: "";
}

/* Its place in the list, or -EINVAL. */
static int ipi_word_in(char **line, const char *const *list, int n)
{
	const char *word = ipi_word(line);
	int i;

	for (i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return i;
	return -EINVAL;
}

static int ipi_parse_cpus(char **line)
{
	static const char *const within[] = {"system", "node"};
	int rc = cpulist_parse(ipi_word(line), &run.senders);

	if (rc == 0)
		rc = cpulist_parse(ipi_word(line), &run.targets);
	if (rc < 0)
		return rc;
	rc = ipi_word_in(line, within, ARRAY_SIZE(within));
	run.node = rc == 1;
	return rc < 0 ? rc : 0;
}

static int ipi_parse_limits(char **line)
{
	int rc = kstrtouint(ipi_word(line), 10, &run.count);

	if (rc == 0)
		rc = kstrtouint(ipi_word(line), 10, &run.ms);
	if (rc == 0)
		rc = kstrtou32(ipi_word(line), 10, &run.seed);
	if (rc < 0)
		return rc;
	if (!run.count || run.count > COUNT_MAX || !run.ms || run.ms > MS_MAX)
		return -ERANGE;
	return *line ? -EINVAL : 0;
}

static int ipi_parse(char *line)
{
	int rc = ipi_word_in(&line, how_name, ARRAY_SIZE(how_name));

	memset(&run, 0, sizeof(run));
	if (rc < 0)
		return rc;
	run.how = rc;
	rc = ipi_parse_cpus(&line);
	return rc < 0 ? rc : ipi_parse_limits(&line);
}

static ssize_t ipi_write(struct file *file, const char __user *data, size_t n, loff_t *pos)
{
	char *line;
	int rc;

	if (n >= LINE_LEN)
		return -E2BIG;
	line = memdup_user_nul(data, n);
	if (IS_ERR(line))
		return PTR_ERR(line);
	mutex_lock(&run_lock);
	rc = ipi_parse(strim(line));
	if (rc == 0) {
		cpus_read_lock();
		rc = ipi_run();
		cpus_read_unlock();
	}
	mutex_unlock(&run_lock);
	kfree(line);
	return rc < 0 ? rc : n;
}

static const struct file_operations ipi_run_fops = {
	.owner = THIS_MODULE,
	.write = ipi_write,
};

static int ipi_result_show(struct seq_file *m, void *unused)
{
	unsigned int cpu;

	mutex_lock(&run_lock);
	for_each_possible_cpu(cpu) {
		const struct ipi_cpu *c = per_cpu_ptr(&ipi_cpus, cpu);

		if (c->calls || c->received)
			seq_printf(m, "cpu %u node %d calls %lu sent %lu received %lu ns %llu\n",
				   cpu, cpu_to_node(cpu), c->calls, c->sent, c->received,
				   (unsigned long long)c->ns);
	}
	mutex_unlock(&run_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(ipi_result);

static int __init ipi_init(void)
{
	dir = debugfs_create_dir("firn_ipi", NULL);
	if (IS_ERR_OR_NULL(dir))
		return dir ? PTR_ERR(dir) : -ENODEV;
	debugfs_create_file("run", 0200, dir, NULL, &ipi_run_fops);
	debugfs_create_file("result", 0400, dir, NULL, &ipi_result_fops);
	return 0;
}
module_init(ipi_init);

static void __exit ipi_exit(void)
{
	debugfs_remove_recursive(dir);
}
module_exit(ipi_exit);

MODULE_DESCRIPTION("Sends interprocessor interrupts and counts them");
MODULE_LICENSE("GPL");
