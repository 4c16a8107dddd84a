// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The embedded default: a pSeries machine of POWER9, emulated (TCG) in our sandbox.
 *
 * Console and control socket are socket pairs that QEMU finds as its standard output and input: no
 * files, no names, nothing that another user could connect to, and both end with the process.
 */
#include "testbeds/testbed.h"

#include "base/cleanup.h"
#include "sandbox/sandbox.h"
#include "testbeds/emulator.h"
#include "testbeds/emulator_profile.h"
#include <assert.h>
#include <sys/socket.h>

#define QEMU	     "qemu-system-ppc64"
#define QEMU_PATH    "/usr/bin/" QEMU
#define QEMU_PACKAGE "qemu-system-ppc"

#define LMB_MIB	   256u /* the machine's unit of memory: PAPR, and spapr in QEMU */
#define MEMORY_MIB 1024u
#define DIMM_SLOTS 32
#define CPUS_MAX   64u
#define NODES_MAX  16u

/* x-vof: QEMU's own small firmware reaches the kernel nine seconds before SLOF does. The cap-* only
 * silence warnings that TCG does not have what a real POWER9 has against speculation. */
#define MACHINE                                                                                    \
	"pseries,x-vof=on,ic-mode=%s,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,"              \
	"cap-ccf-assist=off"
/* How long a card waits for more to send, where it waits by guest time. */
#define NET_TIMER_NS "100"
#define CPU_CORE     "power9_v2.0-spapr-cpu-core"

/* panic=-1: reboot at once, which -no-reboot turns into the end of the machine. */
#define APPEND "console=hvc0 loglevel=7 panic=-1 firn.cpus=%u firn.nodes=%u firn.memory=%u%s%s"

/* Address space beyond the guest's memory: code, the translation buffer (1 GiB), stacks. */
#define QEMU_OVERHEAD_MIB 4096ul

/* For a profile, which is read only up to 64 MiB (profile.c). What is written between two looks is
 * cut at twice as much. */
#define DISK_BYTES (128ul << 20)

/* 53 for all that is not about nodes, and the final NULL; 4 a node. */
#define ARGS_MAX (60 + 4 * NODES_MAX)

struct args {
	char *v[ARGS_MAX];
	size_t n;
};

static void args_cleanup(struct args *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->v[i]);
}

/* Option and value; the value is taken over. */
static void args_add(struct args *a, const char *option, char *value)
{
	assert(a->n + 3 <= ARGS_MAX);
	a->v[a->n++] = xstrdup(option);
	if (value)
		a->v[a->n++] = value;
}

/* What a boot_spec asks for, defaults filled in. */
struct shape {
	unsigned cpus, max_cpus, nodes, memory_mib, max_memory_mib;
	struct boot_node node[NODES_MAX]; /* `cpus` with room for those that may come */
};

static int shape_check(const struct shape *s, struct err *err)
{
	if (s->max_cpus > CPUS_MAX || s->nodes > NODES_MAX)
		return err_set(err, ERR_CONFIG,
			       "qemu-pseries: %u CPUs and %u nodes are more than %u and %u",
			       s->max_cpus, s->nodes, CPUS_MAX, NODES_MAX);
	return 0;
}

/* Memory and CPUs, those to come too, are spread evenly. */
static int shape_spread(struct shape *s, struct err *err)
{
	s->memory_mib -= s->memory_mib % (s->nodes * LMB_MIB);
	if (!s->memory_mib)
		return err_set(err, ERR_CONFIG,
			       "qemu-pseries: each of %u nodes needs at least %u MiB of memory",
			       s->nodes, LMB_MIB);
	for (unsigned i = 0; i < s->nodes; i++)
		s->node[i] = (struct boot_node){
			.cpus = (i + 1) * s->max_cpus / s->nodes - i * s->max_cpus / s->nodes,
			.memory_mib = s->memory_mib / s->nodes,
		};
	return 0;
}

/* As given. CPUs to come go to the last node that has some. */
static int shape_given(struct shape *s, const struct boot_node *node, struct err *err)
{
	unsigned last = 0, room = s->max_cpus;

	s->cpus = s->memory_mib = 0;
	for (unsigned i = 0; i < s->nodes; i++) {
		s->node[i] = node[i];
		s->cpus += node[i].cpus;
		s->memory_mib += node[i].memory_mib;
		if (node[i].cpus)
			last = i;
		if (node[i].memory_mib % LMB_MIB)
			return err_set(err, ERR_CONFIG,
				       "qemu-pseries: node %u: memory comes in blocks of %u MiB", i,
				       LMB_MIB);
	}
	if (!s->cpus || !s->memory_mib)
		return err_set(err, ERR_CONFIG, "qemu-pseries: no node has %s",
			       s->cpus ? "memory" : "a CPU");
	s->max_cpus = room > s->cpus ? room : s->cpus;
	s->node[last].cpus += s->max_cpus - s->cpus;
	return shape_check(s, err);
}

static int shape_of(const struct boot_spec *spec, struct shape *ret, struct err *err)
{
	struct shape s = {
		.cpus = spec->cpus ? spec->cpus : 1,
		.nodes = spec->nodes ? spec->nodes : 1,
		.memory_mib = spec->memory_mib ? spec->memory_mib : MEMORY_MIB,
		.max_memory_mib = spec->max_memory_mib,
	};
	int rc;

	s.max_cpus = spec->max_cpus > s.cpus ? spec->max_cpus : s.cpus;
	rc = shape_check(&s, err);
	if (rc == 0)
		rc = spec->node ? shape_given(&s, spec->node, err) : shape_spread(&s, err);
	if (rc == 0)
		*ret = s;
	return rc;
}

static void args_add_node(struct args *a, const struct boot_node *n, unsigned node, unsigned first)
{
	auto_free char *cpus = n->cpus ? xasprintf(",cpus=%u-%u", first, first + n->cpus - 1)
				       : xstrdup(""),
		       *memory = n->memory_mib ? xasprintf(",memdev=m%u", node) : xstrdup("");

	if (n->memory_mib)
		args_add(a, "-object",
			 xasprintf("memory-backend-ram,id=m%u,size=%uM,reserve=off", node,
				   n->memory_mib));
	args_add(a, "-numa", xasprintf("node,nodeid=%u%s%s", node, memory, cpus));
}

static void args_add_memory(struct args *a, const struct shape *s)
{
	unsigned first = 0;

	if (s->max_memory_mib > s->memory_mib)
		args_add(a, "-m",
			 xasprintf("%uM,slots=%d,maxmem=%uM", s->memory_mib, DIMM_SLOTS,
				   s->max_memory_mib - s->max_memory_mib % LMB_MIB));
	else
		args_add(a, "-m", xasprintf("%uM", s->memory_mib));
	for (unsigned i = 0; i < s->nodes; first += s->node[i++].cpus)
		args_add_node(a, &s->node[i], i, first);
}

/* Two cards and nothing else on a hub. No boot ROM: the kernel is given.
 *
 * In count mode a card must not do its work when QEMU's main loop comes round to it, which is some
 * time or other: the notification is taken by the CPU itself, and the sending is by a timer of
 * guest time. */
static void args_add_net(struct args *a, const struct boot_spec *spec)
{
	const char *when = spec->count ? ",ioeventfd=off,tx=timer,x-txtimer=" NET_TIMER_NS : "";

	for (unsigned i = 0; i < 2; i++) {
		args_add(a, "-netdev", xasprintf("hubport,id=net%u,hubid=0", i));
		args_add(a, "-device",
			 xasprintf("virtio-net-pci,netdev=net%u,romfile=%s", i, when));
	}
}

/* In count mode time is the number of instructions: a nanosecond is one shift step, the clock
 * begins at a fixed date, and idle time passes at once. */
static void args_add_time(struct args *a, const struct boot_spec *spec)
{
	args_add(a, "-seed", xasprintf("%u", spec->seed));
	if (!spec->count)
		return;
	args_add(a, "-icount", xstrdup("shift=1,sleep=off"));
	args_add(a, "-rtc", xstrdup("base=2020-01-01,clock=vm"));
}

static void args_add_sockets(struct args *a, const struct boot_spec *spec)
{
	args_add(a, "-chardev", xstrdup("socket,id=console,fd=1"));
	args_add(a, "-serial", xstrdup("chardev:console"));
	if (!spec->on_stop)
		return;
	args_add(a, "-chardev", xstrdup("socket,id=qmp,fd=0"));
	args_add(a, "-mon", xstrdup("chardev=qmp,mode=control"));
	args_add(a, "-action", xstrdup("panic=pause"));
	args_add(a, "-S", NULL); /* so that the guest does not run while the connection is made */
}

static unsigned nodes_with_memory(const struct shape *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nodes; i++)
		n += s->node[i].memory_mib > 0;
	return n;
}

static void args_of_spec(struct args *a, const struct boot_spec *spec, const struct shape *s)
{
	args_add(a, QEMU, NULL);
	args_add(a, "-machine", xasprintf(MACHINE, spec->xics ? "xics" : "xive"));
	args_add(a, "-accel", xstrdup("tcg"));
	args_add(a, "-cpu", xstrdup("power9"));
	args_add(a, "-nodefaults", NULL);
	args_add(a, "-no-user-config", NULL);
	args_add(a, "-display", xstrdup("none"));
	args_add(a, "-no-reboot", NULL);
	args_add(a, "-sandbox",
		 xstrdup("on,obsolete=deny,elevateprivileges=deny,spawn=deny,"
			 "resourcecontrol=deny"));
	args_add(a, "-smp", xasprintf("%u,maxcpus=%u", s->cpus, s->max_cpus));
	args_add_memory(a, s);
	if (spec->net)
		args_add_net(a, spec);
	args_add_time(a, spec);
	if (spec->profile)
		args_add(a, "-plugin", xstrdup("file=/vm/profile.so,out=/vm/profile"));
	args_add_sockets(a, spec);
	args_add(a, "-kernel", xstrdup("/vm/kernel"));
	args_add(a, "-initrd", xstrdup("/vm/initramfs"));
	args_add(a, "-append",
		 xasprintf(APPEND, s->cpus, nodes_with_memory(s), s->memory_mib,
			   spec->append ? " " : "", spec->append ? spec->append : ""));
	a->v[a->n] = NULL;
}

static int pseries_add_memory(struct machine *m, unsigned lmbs, unsigned node, struct err *err)
{
	struct emulator *e = (struct emulator *)m; /* its first member */
	auto_free char *backend = xasprintf("hot%u", e->dimms),
		       *dimm = xasprintf("dimm%u", e->dimms);
	int rc;

	/* reserve=off: the host need not have it, the guest hardly touches it. */
	rc = qmp_command(&e->qmp, "object-add",
			 json_pack("{s:s, s:s, s:I, s:b}", "qom-type", "memory-backend-ram", "id",
				   backend, "size", (json_int_t)lmbs * LMB_MIB << 20, "reserve", 0),
			 err);
	if (rc == 0)
		rc = qmp_command(&e->qmp, "device_add",
				 json_pack("{s:s, s:s, s:s, s:i}", "driver", "pc-dimm", "id", dimm,
					   "memdev", backend, "node", (int)node),
				 err);
	if (rc == 0)
		e->dimms++;
	return rc < 0 ? err_wrap(err, "adding %u MiB to node %u", lmbs * LMB_MIB, node) : 0;
}

/* The last one of what `*n` counts; it ends when the guest has let go of it. */
static int device_del(struct emulator *e, const char *kind, unsigned *n, unsigned least,
		      struct err *err)
{
	auto_free char *id = NULL;
	int rc;

	if (*n <= least)
		return err_set(err, ERR_CONFIG, "no %s was plugged that could be removed", kind);
	id = xasprintf("%s%u", kind, *n - 1);
	rc = qmp_command(&e->qmp, "device_del", json_pack("{s:s}", "id", id), err);
	if (rc == 0)
		--*n;
	return rc < 0 ? err_wrap(err, "removing %s", id) : 0;
}

static int pseries_remove_memory(struct machine *m, struct err *err)
{
	struct emulator *e = (struct emulator *)m;

	return device_del(e, "dimm", &e->dimms, 0, err);
}

static int pseries_add_cpu(struct machine *m, struct err *err)
{
	struct emulator *e = (struct emulator *)m;
	auto_free char *id = xasprintf("cpu%u", e->cpus);
	int rc;

	if (e->cpus == e->max_cpus)
		return err_set(err, ERR_CONFIG, "no room for more than %u CPUs", e->max_cpus);
	rc = qmp_command(
		&e->qmp, "device_add",
		json_pack("{s:s, s:s, s:i}", "driver", CPU_CORE, "id", id, "core-id", (int)e->cpus),
		err);
	if (rc == 0)
		e->cpus++;
	return rc < 0 ? err_wrap(err, "adding CPU %u", e->cpus) : 0;
}

static int pseries_remove_cpu(struct machine *m, struct err *err)
{
	struct emulator *e = (struct emulator *)m;

	return device_del(e, "cpu", &e->cpus, e->boot_cpus, err);
}

static int pseries_probe(const char *arg, struct err *err)
{
	if (*arg)
		return err_set(err, ERR_CONFIG, "qemu-pseries takes nothing after its name: \"%s\"",
			       arg);
	if (access(QEMU_PATH, X_OK) < 0)
		return err_set(err, ERR_CONFIG,
			       "no " QEMU " on this machine: apt-get install " QEMU_PACKAGE);
	return 0;
}

static int socket_pair(int fd[static 2], struct err *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
		return err_sys(err, ERR_INFRA, "cannot make a socket pair");
	return 0;
}

/* `plugin`: NULL without a profile. */
static int pseries_start(const struct boot_spec *spec, const char *plugin, struct emulator *e,
			 struct err *err)
{
	__attribute__((cleanup(args_cleanup))) struct args a = {.n = 0};
	int console[2] = {-1, -1}, qmp[2] = {-1, -1};
	struct sandbox_spec box = {
		.bind = {{.outside = spec->kernel, .inside = "/vm/kernel"},
			 {.outside = spec->initramfs, .inside = "/vm/initramfs"},
			 {.outside = plugin, .inside = "/vm/profile.so"},
			 {.outside = spec->profile, .inside = "/vm/profile", .writable = true}},
	};
	struct shape shape;
	int rc = shape_of(spec, &shape, err);

	if (rc == 0)
		rc = socket_pair(console, err);
	if (rc == 0 && spec->on_stop)
		rc = socket_pair(qmp, err);
	if (rc == 0) {
		args_of_spec(&a, spec, &shape);
		box.argv = (const char *const *)a.v;
		box.memory_bytes =
			(shape.memory_mib + (unsigned long)shape.max_memory_mib + QEMU_OVERHEAD_MIB)
			<< 20;
		box.disk_bytes = DISK_BYTES;
		box.file_bytes = 2 * DISK_BYTES;
		sandbox_watch(&box, &e->disk);
		e->disk.few = true;
		box.output_fd = console[1];
		box.stdin_fd = qmp[1];
		e->cpus = e->boot_cpus = shape.cpus;
		e->max_cpus = shape.max_cpus;
		rc = sandbox_start(&box, &e->proc, err);
	}
	fd_cleanup(&console[1]);
	fd_cleanup(&qmp[1]);
	e->console_fd = console[0];
	e->qmp_fd = qmp[0];
	return rc;
}

static const struct machine_ops pseries_ops = {
	.add_memory = pseries_add_memory,
	.remove_memory = pseries_remove_memory,
	.add_cpu = pseries_add_cpu,
	.remove_cpu = pseries_remove_cpu,
};

static int pseries_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
			struct err *err)
{
	struct emulator e = {.machine.ops = &pseries_ops,
			     .name = QEMU,
			     .console_fd = -1,
			     .qmp_fd = -1,
			     .proc = {.pidfd = -1, .output_fd = -1}};
	auto_free char *plugin = NULL;
	int rc = pseries_probe(arg, err);

	if (rc == 0 && spec->profile)
		rc = emulator_profile_prepare(spec, &plugin, err);
	if (rc == 0)
		rc = pseries_start(spec, plugin, &e, err);
	if (rc == 0) {
		rc = emulator_watch(&e, spec, ret, err);
	} else {
		fd_cleanup(&e.console_fd);
		fd_cleanup(&e.qmp_fd);
	}
	if (plugin)
		unlink(plugin);
	return rc;
}

const struct testbed testbed_qemu_pseries = {
	.name = "qemu-pseries",
	.summary = "POWER9 pSeries machine, emulated by QEMU on this computer",
	.caps = TESTBED_BOOT | TESTBED_COUNT | TESTBED_MEMORY_HOTPLUG | TESTBED_NUMA |
		TESTBED_MEMORY_UNPLUG | TESTBED_CPU_HOTPLUG | TESTBED_XICS | TESTBED_NET |
		TESTBED_PROFILE,
	.probe = pseries_probe,
	.boot = pseries_boot,
};
