// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A deny-list: what compilers, scripts and emulators need is too wide for an allow-list that lasts,
 * and namespaces and the lack of capabilities are the wall. This filter takes away calls that have
 * been ways through that wall: what loads code into the kernel, makes namespaces, mounts, or looks
 * into other processes; and modes that would outlive the sandbox.
 */
#include "sandbox/seccomp.h"

#include "base/cleanup.h"
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

DEFINE_CLEANUP(scmp_filter_ctx, filter, seccomp_release)

/* By name, since not every architecture has all of them. */
// clang-format off
static const char *const denied[] = {
	/* code for the kernel */
	"kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "bpf",
	/* other processes */
	"ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "perf_event_open", "kcmp",
	/* namespaces and mounts */
	"unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount",
	"open_tree", "fsopen", "fsmount", "fsconfig", "fspick", "mount_setattr",
	/* handles that go round path checks */
	"name_to_handle_at", "open_by_handle_at", "lookup_dcookie",
	/* keys are not namespaced */
	"add_key", "request_key", "keyctl",
	/* large and often broken */
	"userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "vmsplice",
	"nfsservctl", "uselib", "_sysctl", "ustat",
	/* the machine */
	"reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "iopl",
	"ioperm", "modify_ldt",
};
// clang-format on

static const unsigned long namespaces[] = {CLONE_NEWUSER,  CLONE_NEWNS,	 CLONE_NEWPID,
					   CLONE_NEWNET,   CLONE_NEWUTS, CLONE_NEWIPC,
					   CLONE_NEWCGROUP};

#define LOW_WORD 0xffffffffUL

/* Calls that give a file its mode, and where: a file that is left behind must not run as its owner.
 * The mode of open() means something with O_CREAT alone. */
static const struct {
	const char *name;
	unsigned arg;
	int flags_arg; /* that has O_CREAT; -1: none */
} modes[] = {
	{"chmod", 1, -1},     {"fchmod", 1, -1}, {"fchmodat", 2, -1},
	{"fchmodat2", 2, -1}, {"creat", 1, -1},	 {"mknod", 1, -1},
	{"mknodat", 2, -1},   {"open", 2, 1},	 {"openat", 3, 2},
};
static const unsigned long mode_bits[] = {S_ISUID, S_ISGID};

static int deny_by_name(scmp_filter_ctx f)
{
	int rc = 0;

	for (size_t i = 0; i < array_size(denied) && rc == 0; i++) {
		int nr = seccomp_syscall_resolve_name(denied[i]);

		if (nr != __NR_SCMP_ERROR)
			rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), nr, 0);
	}
	return rc;
}

static int deny_by_argument(scmp_filter_ctx f)
{
	/* The flags of clone3() are in memory, where a filter can't look: libc falls back to
	 * clone() on ENOSYS. */
	int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

	for (size_t i = 0; i < array_size(namespaces) && rc == 0; i++)
		rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
				      SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces[i], namespaces[i]));
	/* Everything but AF_UNIX, even if upper bits are set that the kernel would drop. */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
				      SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0));
	/* Typing into somebody's terminal. */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
				      SCMP_A1(SCMP_CMP_MASKED_EQ, LOW_WORD, TIOCSTI));
	/* Asking is harmless: personality(0xffffffff). */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(personality), 1,
				      SCMP_A0(SCMP_CMP_NE, LOW_WORD, 0));
	return rc;
}

/* Known to the kernel (6.6, the same number on all but alpha) before libseccomp 2.6 is. */
#define NR_FCHMODAT2 452

static int mode_call(const char *name)
{
	int nr = seccomp_syscall_resolve_name(name);

	return nr == __NR_SCMP_ERROR && strcmp(name, "fchmodat2") == 0 ? NR_FCHMODAT2 : nr;
}

static int deny_mode(scmp_filter_ctx f, size_t i, unsigned long bit)
{
	int nr = mode_call(modes[i].name);
	const struct scmp_arg_cmp mode = SCMP_CMP(modes[i].arg, SCMP_CMP_MASKED_EQ, bit, bit);

	if (nr == __NR_SCMP_ERROR)
		return 0;
	if (modes[i].flags_arg < 0)
		return seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), nr, 1, mode);
	return seccomp_rule_add(
		f, SCMP_ACT_ERRNO(EPERM), nr, 2, mode,
		SCMP_CMP((unsigned)modes[i].flags_arg, SCMP_CMP_MASKED_EQ, O_CREAT, O_CREAT));
}

static int deny_modes(scmp_filter_ctx f)
{
	/* Its mode is in memory: libc does not need it. */
	int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);

	for (size_t i = 0; i < array_size(modes); i++)
		for (size_t k = 0; k < array_size(mode_bits) && rc == 0; k++)
			rc = deny_mode(f, i, mode_bits[k]);
	return rc;
}

int seccomp_filter_fd(int *ret_fd, struct err *err)
{
	auto_fd int fd = memfd_create("firn-seccomp", MFD_CLOEXEC);
	auto_cleanup(filter) scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
	int rc;

	if (fd < 0 || !f)
		return err_sys(err, ERR_INFRA, "cannot make the seccomp filter");
	rc = deny_by_name(f);
	if (rc == 0)
		rc = deny_by_argument(f);
	if (rc == 0)
		rc = deny_modes(f);
	if (rc == 0)
		rc = seccomp_export_bpf(f, fd);
	if (rc == 0 && lseek(fd, 0, SEEK_SET) < 0)
		rc = -errno;
	if (rc < 0) {
		errno = -rc;
		return err_sys(err, ERR_INFRA, "cannot make the seccomp filter");
	}
	*ret_fd = take_fd(&fd);
	return 0;
}
