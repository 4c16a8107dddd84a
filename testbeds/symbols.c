// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/symbols.h"

#include "base/cleanup.h"
#include "base/str.h"
#include <fcntl.h>
#include <gelf.h>

DEFINE_CLEANUP(Elf *, elf, elf_end)

#define auto_elf auto_cleanup(elf)

/* A symbol that may be the name of its address. */
struct candidate {
	const char *name; /* libelf's */
	uint64_t start, size, section_end;
	bool is_function; /* else a label of assembler code */
	bool is_global;
};

struct candidates {
	struct candidate *item;
	size_t n, cap;
};

static void candidates_cleanup(struct candidates *c)
{
	free(c->item);
}

static int elf_problem(const char *path, const char *what, struct err *err)
{
	const char *why = elf_errmsg(-1);

	return err_set(err, ERR_INPUT, "%s: %s%s%s", path, what, why ? ": " : "", why ? why : "");
}

/* The section is executable: `*ret_end` is where it ends. */
static bool section_is_code(Elf *elf, size_t index, uint64_t *ret_end)
{
	Elf_Scn *section = elf_getscn(elf, index);
	GElf_Shdr head;

	if (!section || !gelf_getshdr(section, &head) || !(head.sh_flags & SHF_EXECINSTR))
		return false;
	*ret_end = head.sh_addr + head.sh_size;
	return *ret_end >= head.sh_addr;
}

static void candidate_take(struct candidates *c, Elf *elf, const GElf_Sym *sym, size_t strings)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	const char *name = elf_strptr(elf, strings, sym->st_name);
	uint64_t end;

	if ((type != STT_FUNC && type != STT_NOTYPE) || !name || !*name || str_starts(name, ".L"))
		return;
	if (!section_is_code(elf, sym->st_shndx, &end) || sym->st_value >= end)
		return;
	arr_grow(c->item, c->n, c->cap);
	c->item[c->n++] = (struct candidate){
		.name = name,
		.start = sym->st_value,
		.size = sym->st_size,
		.section_end = end,
		.is_function = type == STT_FUNC,
		.is_global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
	};
}

static void table_take(struct candidates *c, Elf *elf, Elf_Scn *section, const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++)
		candidate_take(c, elf, &sym, head->sh_link);
}

/* By address; of several names of one address the best first, and always the same one. */
static int candidate_compare(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->is_function != b->is_function)
		return a->is_function ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->is_global != b->is_global)
		return a->is_global ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* What gcc puts behind a name differs for a change that has nothing to do with the function. A dot
 * in front is the code of a function in the old ABI. */
static char *name_fold(const char *name)
{
	name += *name == '.';
	return xmemdup(name, *name ? 1 + strcspn(name + 1, ".") : 0);
}

/* One name for each address, and no labels that are inside of a function. */
static void symbols_choose(struct symbols *s, struct candidates *c)
{
	uint64_t covered = 0;

	qsort(c->item, c->n, sizeof(*c->item), candidate_compare);
	for (size_t i = 0; i < c->n; i++) {
		const struct candidate *x = &c->item[i];
		uint64_t end = x->start + x->size;

		if (i && c->item[i - 1].start == x->start)
			continue;
		if (!x->is_function && x->start < covered)
			continue;
		if (x->is_function && end > covered)
			covered = end;
		arr_grow(s->item, s->n, s->cap);
		s->item[s->n++] = (struct symbol){
			.name = name_fold(x->name), .start = x->start, .end = x->section_end};
	}
}

int symbols_read(const char *vmlinux, struct symbols *ret, struct err *err)
{
	__attribute__((cleanup(candidates_cleanup))) struct candidates c = {0};
	auto_fd int fd = open(vmlinux, O_RDONLY | O_CLOEXEC);
	auto_elf Elf *elf = NULL;
	Elf_Scn *section = NULL;

	if (fd < 0)
		return err_sys(err, ERR_INPUT, "cannot open %s", vmlinux);
	elf_version(EV_CURRENT);
	/* Read, not mapped: a file that shrinks meanwhile is an error then and no signal. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return elf_problem(vmlinux, "no ELF file", err);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr head;

		if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
			table_take(&c, elf, section, &head);
	}
	if (!c.n)
		return err_set(err, ERR_INPUT, "%s has no symbols of functions", vmlinux);
	*ret = (struct symbols){0};
	symbols_choose(ret, &c);
	return 0;
}

const struct symbol *symbols_find(const struct symbols *s, uint64_t address)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->item[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < s->item[low - 1].end ? &s->item[low - 1] : NULL;
}

void symbols_done(struct symbols *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->item[i].name);
	free(s->item);
	*s = (struct symbols){0};
}
