/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small kernels for tests: an ELF file with a text section and symbols. */
#ifndef FIRN_TESTS_ELF_MAKE_H
#define FIRN_TESTS_ELF_MAKE_H

#include "tests/unit/unit.h"

#include "base/str.h"
#include <elf.h>

#define TEXT	  UINT64_C(0xc000000000000000)
#define TEXT_SIZE 0x1000u

struct sym {
	const char *name;
	uint64_t at, size; /* from the text section's begin */
	unsigned char type, bind;
};

static inline void elf_add(struct str *file, const void *data, size_t n, Elf64_Shdr *head)
{
	head->sh_offset = file->len;
	head->sh_size = n;
	str_add(file, data, n);
}

enum { SHN_TEXT_ = 1, SHN_SYMTAB_, SHN_STRTAB_, SHN_COUNT_ };

/* Little-endian, as these tests' host; libelf knows the other order by itself. */
static inline void elf_make(const struct sym *sym, size_t n, struct str *file)
{
	Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       EV_CURRENT},
			   .e_type = ET_EXEC,
			   .e_machine = EM_PPC64,
			   .e_version = EV_CURRENT,
			   .e_ehsize = sizeof(Elf64_Ehdr),
			   .e_shentsize = sizeof(Elf64_Shdr),
			   .e_shnum = SHN_COUNT_,
			   .e_shstrndx = SHN_STRTAB_};
	Elf64_Shdr section[SHN_COUNT_] = {
		[SHN_TEXT_] = {.sh_type = SHT_NOBITS,
			       .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			       .sh_addr = TEXT},
		[SHN_SYMTAB_] = {.sh_type = SHT_SYMTAB,
				 .sh_link = SHN_STRTAB_,
				 .sh_entsize = sizeof(Elf64_Sym)},
		[SHN_STRTAB_] = {.sh_type = SHT_STRTAB},
	};
	auto_free Elf64_Sym *table = xcalloc(n + 1, sizeof(*table));
	auto_str struct str names;

	str_init(&names, 0);
	str_init(file, 0);
	str_addc(&names, '\0');
	for (size_t i = 0; i < n; i++) {
		table[i + 1] = (Elf64_Sym){.st_name = (Elf64_Word)names.len,
					   .st_info = ELF64_ST_INFO(sym[i].bind, sym[i].type),
					   .st_shndx = SHN_TEXT_,
					   .st_value = TEXT + sym[i].at,
					   .st_size = sym[i].size};
		str_add(&names, sym[i].name, strlen(sym[i].name) + 1);
	}
	str_add(file, &head, sizeof(head));
	section[SHN_TEXT_].sh_size = TEXT_SIZE;
	elf_add(file, table, (n + 1) * sizeof(*table), &section[SHN_SYMTAB_]);
	elf_add(file, names.buf, names.len, &section[SHN_STRTAB_]);
	head.e_shoff = file->len;
	str_add(file, section, sizeof(section));
	memcpy(file->buf, &head, sizeof(head));
}

static inline void file_write(const char *path, const void *data, size_t n)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

#endif
