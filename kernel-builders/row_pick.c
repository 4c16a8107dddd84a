// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which rows a series is built on: what of the tree its files belong to, by their paths alone. A
 * wrong guess may cost a build that shows nothing, but never leaves out one that would: what is in
 * no table is built by every row.
 */
#include "kernel-builders/builder.h"

#include "base/str.h"

/* Why no row builds a file. */
enum nothing { BUILT, DOCUMENT, TOOL, RUST };

struct place {
	const char *prefix; /* "": any; with a slash at the end a folder, else a path begins so */
	const char *suffix; /* NULL: any */
	unsigned areas;
	enum nothing why; /* where `areas` is 0 */
};

#define ALL AREA_ALL
/* The first that matches. */
static const struct place places[] = {
	/* The checks of the device tree's bindings are no part of a kernel build. */
	{"Documentation/", NULL, 0, DOCUMENT},
	{"LICENSES/", NULL, 0, DOCUMENT},
	{"arch/", ".txt", ALL, BUILT}, /* tables that code is made of */
	{"", ".rst", 0, DOCUMENT},
	{"", ".txt", 0, DOCUMENT},
	{"", "/README", 0, DOCUMENT},
	{"", ".gitignore", 0, DOCUMENT},
	{"", ".clang-format", 0, DOCUMENT},
	{"COPYING", NULL, 0, DOCUMENT},
	{"CREDITS", NULL, 0, DOCUMENT},
	{"MAINTAINERS", NULL, 0, DOCUMENT},
	{"README", NULL, 0, DOCUMENT},
	{".mailmap", NULL, 0, DOCUMENT},
	/* What a kernel build makes for itself, and what is only for people. */
	{"tools/objtool/", NULL, ALL, BUILT},
	{"tools/build/", NULL, ALL, BUILT},
	{"tools/include/", NULL, ALL, BUILT},
	{"tools/arch/", NULL, ALL, BUILT},
	{"tools/scripts/", NULL, ALL, BUILT},
	{"tools/lib/", NULL, ALL, BUILT},
	{"tools/bpf/resolve_btfids/", NULL, ALL, BUILT},
	{"tools/", NULL, 0, TOOL},
	{"scripts/checkpatch.pl", NULL, 0, TOOL},
	{"scripts/spelling", NULL, 0, TOOL},
	{"scripts/get_maintainer.pl", NULL, 0, TOOL},
	{"scripts/kernel-doc", NULL, 0, TOOL},
	{"scripts/coccinelle/", NULL, 0, TOOL},
	{"scripts/gdb/", NULL, 0, TOOL},
	{"rust/", NULL, 0, RUST},
	/* Only rows with a large configuration have much of these. Their Kconfig is read by all,
	 * and so are many of their Makefiles. */
	{"drivers/", "Kconfig", ALL, BUILT},
	{"drivers/", "Makefile", ALL, BUILT},
	{"drivers/base/", NULL, ALL, BUILT},
	{"drivers/of/", NULL, ALL, BUILT},
	{"drivers/bus/", NULL, ALL, BUILT},
	{"drivers/rtc/", NULL, ALL, BUILT},
	{"drivers/tty/", NULL, ALL, BUILT},
	{"drivers/char/", NULL, ALL, BUILT},
	{"drivers/irqchip/", NULL, ALL, BUILT},
	{"drivers/clocksource/", NULL, ALL, BUILT},
	{"drivers/cpuidle/", NULL, ALL, BUILT},
	{"drivers/cpufreq/", NULL, ALL, BUILT},
	{"drivers/virtio/", NULL, ALL, BUILT},
	{"drivers/pci/", NULL, ALL, BUILT},
	{"drivers/macintosh/", NULL, AREA_WIDE | AREA_PPC_32, BUILT},
	{"drivers/net/", NULL, AREA_WIDE | AREA_NET, BUILT},
	{"drivers/", NULL, AREA_WIDE, BUILT},
	{"sound/", "Kconfig", ALL, BUILT},
	{"sound/Makefile", NULL, ALL, BUILT},
	{"sound/", NULL, AREA_WIDE, BUILT},
	{"samples/", NULL, AREA_WIDE, BUILT},
	{"net/", "Kconfig", ALL, BUILT},
	{"net/", NULL, AREA_WIDE | AREA_NET, BUILT},
	{"fs/proc/", NULL, ALL, BUILT},
	{"fs/sysfs/", NULL, ALL, BUILT},
	{"fs/kernfs/", NULL, ALL, BUILT},
	{"fs/debugfs/", NULL, ALL, BUILT},
	{"fs/ramfs/", NULL, ALL, BUILT},
	{"include/sound/", NULL, AREA_WIDE, BUILT},
	{"include/drm/", NULL, AREA_WIDE, BUILT},
	{"include/media/", NULL, AREA_WIDE, BUILT},
};

/* The same below arch/powerpc/. */
static const struct place powerpc[] = {
	{"", "Kconfig", ALL, BUILT},
	{"configs/", NULL, ALL, BUILT},
	{"platforms/pseries/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/powernv/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/cell/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/maple/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/microwatt/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/pasemi/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/ps3/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/book3s/", NULL, AREA_PPC_64S, BUILT},
	{"platforms/powermac/", NULL, AREA_PPC_32 | AREA_PPC_64S, BUILT},
	{"platforms/85xx/", NULL, AREA_PPC_32 | AREA_PPC_64E, BUILT},
	{"platforms/", "/Makefile", ALL, BUILT},
	{"platforms/40x/", NULL, AREA_PPC_32, BUILT},
	{"platforms/44x/", NULL, AREA_PPC_32, BUILT},
	{"platforms/4xx/", NULL, AREA_PPC_32, BUILT},
	{"platforms/512x/", NULL, AREA_PPC_32, BUILT},
	{"platforms/52xx/", NULL, AREA_PPC_32, BUILT},
	{"platforms/82xx/", NULL, AREA_PPC_32, BUILT},
	{"platforms/83xx/", NULL, AREA_PPC_32, BUILT},
	{"platforms/86xx/", NULL, AREA_PPC_32, BUILT},
	{"platforms/8xx/", NULL, AREA_PPC_32, BUILT},
	{"platforms/amigaone/", NULL, AREA_PPC_32, BUILT},
	{"platforms/chrp/", NULL, AREA_PPC_32, BUILT},
	{"platforms/embedded6xx/", NULL, AREA_PPC_32, BUILT},
	{"mm/book3s64/", NULL, AREA_PPC_64S, BUILT},
	{"include/asm/book3s/64/", NULL, AREA_PPC_64S, BUILT},
	{"mm/book3s32/", NULL, AREA_PPC_32, BUILT},
	{"include/asm/book3s/32/", NULL, AREA_PPC_32, BUILT},
	{"mm/nohash/", NULL, AREA_PPC_32 | AREA_PPC_64E, BUILT},
	{"include/asm/nohash/", NULL, AREA_PPC_32 | AREA_PPC_64E, BUILT},
	{"kernel/exceptions-64s.S", NULL, AREA_PPC_64S, BUILT},
	{"kernel/exceptions-64e.S", NULL, AREA_PPC_64E, BUILT},
	{"kernel/head_64.S", NULL, AREA_PPC_64S | AREA_PPC_64E, BUILT},
	{"kernel/head_", NULL, AREA_PPC_32 | AREA_PPC_64E, BUILT},
	{"kvm/book3s_64", NULL, AREA_PPC_64S, BUILT},
	{"kvm/book3s_hv", NULL, AREA_PPC_64S, BUILT},
	{"kvm/", NULL, AREA_WIDE | AREA_PPC_64E, BUILT},
	{"math-emu/", NULL, AREA_WIDE | AREA_PPC_32, BUILT},
};
#undef ALL

static const struct place *place_find(const struct place *table, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (str_starts(path, table[i].prefix) &&
		    (!table[i].suffix || str_ends(path, table[i].suffix)))
			return &table[i];
	return NULL;
}

/* arch/ARCH/...: its name's length; 0 for what is not one of the architectures. */
static size_t arch_of(const char *path, const char **ret_name)
{
	size_t n;

	if (!str_starts(path, "arch/"))
		return 0;
	*ret_name = path + strlen("arch/");
	n = strcspn(*ret_name, "/");
	return (*ret_name)[n] ? n : 0;
}

/* ARCH=x86_64 and i386 are built from arch/x86: the kernel's Makefile, "SRCARCH". */
static const char *source_arch(const char *arch)
{
	static const char *const aliases[][2] = {{"i386", "x86"},	 {"x86_64", "x86"},
						 {"sparc32", "sparc"},	 {"sparc64", "sparc"},
						 {"parisc64", "parisc"}, {"sh64", "sh"}};

	for (size_t i = 0; i < array_size(aliases); i++)
		if (strcmp(aliases[i][0], arch) == 0)
			return aliases[i][1];
	return arch;
}

unsigned builder_path_areas(const char *arch, const char *path)
{
	const char *source = source_arch(arch), *name = NULL;
	size_t n = arch_of(path, &name);
	const struct place *p = place_find(places, array_size(places), path);

	if (p && (!p->areas || !n))
		return p->areas;
	if (!n)
		return AREA_ALL;
	if (strlen(source) != n || strncmp(name, source, n) != 0)
		return 0;
	if (strcmp(source, "powerpc") == 0) {
		p = place_find(powerpc, array_size(powerpc), name + n + 1);
		return p ? p->areas : AREA_ALL;
	}
	return AREA_ALL;
}

/* In words, why the row builds nothing of a file. */
static const char *why_not(const struct builder *b, const char *path)
{
	static const char *const words[] = {[BUILT] = NULL,
					    [DOCUMENT] = "documentation",
					    [TOOL] = "tools that no kernel is built with",
					    [RUST] = "Rust, which no row has"};
	const struct place *p = place_find(places, array_size(places), path);
	const char *name;

	if (p && words[p->why])
		return words[p->why];
	if (arch_of(path, &name) && !builder_path_areas(b->arch, path))
		return "other architectures";
	return "what this configuration leaves out";
}

/* "nothing but documentation and other architectures" */
static char *reason_join(const struct builder *b, const char *const *paths)
{
	auto_str struct str s;

	str_init(&s, 256);
	for (; *paths; paths++) {
		const char *why = why_not(b, *paths);

		if (!strstr(s.buf, why))
			str_addf(&s, "%s%s", s.len ? " and " : "it touches nothing but ", why);
	}
	return str_take(&s);
}

bool builder_wants(const struct builder *b, const char *const *paths, char **ret_reason)
{
	for (const char *const *p = paths; *p; p++)
		if (builder_path_areas(b->arch, *p) & b->areas)
			return true;
	*ret_reason = *paths ? reason_join(b, paths) : xstrdup("it touches no file");
	return false;
}
