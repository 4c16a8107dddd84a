// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/sizes.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "base/str.h"
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#define FILE_MAX      ((off_t)1 << 30)
#define SEEN_MAX      2000000u /* sections and symbols */
#define NAME_BYTES    256
#define SYMBOLS_SHOWN 20
/* A size that is more than this is a lie. */
#define SIZE_SANE ((long long)1 << 40)

DEFINE_CLEANUP(Elf *, elf, elf_end)

static void list_done(struct size_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->item[i].name);
	free(l->item);
}

void sizes_done(struct sizes *s)
{
	list_done(&s->sections);
	list_done(&s->symbols);
	*s = (struct sizes){0};
}

void size_list_add(struct size_list *l, const char *name, long long size)
{
	arr_grow(l->item, l->n, l->cap);
	l->item[l->n++] =
		(struct size_row){.name = xmemdup(name, strnlen(name, NAME_BYTES)), .size = size};
}

static int row_compare(const void *a, const void *b)
{
	return strcmp(((const struct size_row *)a)->name, ((const struct size_row *)b)->name);
}

void size_list_sort(struct size_list *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->item, l->n, sizeof(*l->item), row_compare);
	for (size_t i = 0; i < l->n; i++) {
		if (n && strcmp(l->item[n - 1].name, l->item[i].name) == 0) {
			l->item[n - 1].size += l->item[i].size;
			free(l->item[i].name);
		} else {
			l->item[n++] = l->item[i];
		}
	}
	l->n = n;
}

/* gcc numbers statics and clones: "count.12" and "f.constprop.0" of one build may be "count.13" in
 * the next. */
static void symbol_add(struct size_list *l, const char *name, long long size)
{
	size_t n = strnlen(name, NAME_BYTES), digits = n;
	auto_free char *plain = NULL;

	/* With a line number in it. */
	if (str_starts(name, "__initcall__") || str_starts(name, "__UNIQUE_ID_"))
		return;
	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	if (digits > 1 && digits < n && name[digits - 1] == '.')
		n = digits - 1;
	plain = xmemdup(name, n);
	size_list_add(l, plain, size);
}

static int symbols_read(Elf *elf, Elf_Scn *scn, const GElf_Shdr *head, struct sizes *ret,
			struct err *err)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && head->sh_entsize ? data->d_size / head->sh_entsize : 0;

	ret->seen += n;
	if (ret->seen > SEEN_MAX)
		return err_set(err, ERR_INPUT, "it has %zu symbols", n);
	for (size_t i = 0; i < n; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || !sym.st_size ||
		    sym.st_size > (GElf_Xword)SIZE_SANE ||
		    (GELF_ST_TYPE(sym.st_info) != STT_FUNC &&
		     GELF_ST_TYPE(sym.st_info) != STT_OBJECT))
			continue;
		name = elf_strptr(elf, head->sh_link, sym.st_name);
		if (name && *name)
			symbol_add(&ret->symbols, name, (long long)sym.st_size);
	}
	return 0;
}

static int section_read(Elf *elf, Elf_Scn *scn, size_t names, struct sizes *ret, struct err *err)
{
	const char *name;
	GElf_Shdr head;

	if (!gelf_getshdr(scn, &head))
		return err_set(err, ERR_INPUT, "%s", elf_errmsg(-1));
	if (++ret->seen > SEEN_MAX)
		return err_set(err, ERR_INPUT, "it has too many sections");
	if (head.sh_type == SHT_SYMTAB)
		return symbols_read(elf, scn, &head, ret, err);
	name = elf_strptr(elf, names, head.sh_name);
	if ((head.sh_flags & SHF_ALLOC) && name && *name && head.sh_size < (GElf_Xword)SIZE_SANE)
		size_list_add(&ret->sections, name, (long long)head.sh_size);
	return 0;
}

static int elf_read(Elf *elf, struct sizes *ret, struct err *err)
{
	size_t names = 0;
	int rc = 0;

	if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) < 0)
		return err_set(err, ERR_INPUT, "it is not an ELF file with sections");
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn && rc == 0; scn = elf_nextscn(elf, scn))
		rc = section_read(elf, scn, names, ret, err);
	size_list_sort(&ret->sections);
	size_list_sort(&ret->symbols);
	return rc;
}

int sizes_read(const char *path, struct sizes *ret, struct err *err)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? err_sys(err, ERR_INFRA, "cannot open %s", path)
		      : sizes_read_fd(fd, path, ret, err);
}

int sizes_read_fd(int fd, const char *path, struct sizes *ret, struct err *err)
{
	auto_cleanup(elf) Elf *elf = NULL;
	struct stat st;
	int rc;

	if (fstat(fd, &st) < 0)
		return err_sys(err, ERR_INFRA, "cannot read %s", path);
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		return err_set(err, ERR_INPUT, "%s is not a file of a sane size", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return err_set(err, ERR_INPUT, "%s: %s", path, elf_errmsg(-1));
	rc = elf_read(elf, ret, err);
	return rc < 0 ? err_wrap(err, "%s", path) : 0;
}

struct change {
	const char *name;
	long long base, patched;
};

struct changes {
	struct change *item;
	size_t n, cap;
	unsigned grown, shrunk, added, removed;
	long long base, patched;
};

static void change_add(struct changes *c, const struct size_row *base,
		       const struct size_row *patched)
{
	struct change change = {.name = (base ?: patched)->name,
				.base = base ? base->size : 0,
				.patched = patched ? patched->size : 0};

	c->base += change.base;
	c->patched += change.patched;
	if (change.base == change.patched)
		return;
	c->added += !base;
	c->removed += !patched;
	c->grown += base && patched && change.patched > change.base;
	c->shrunk += base && patched && change.patched < change.base;
	arr_grow(c->item, c->n, c->cap);
	c->item[c->n++] = change;
}

static int change_compare(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	long long dx = llabs(x->patched - x->base), dy = llabs(y->patched - y->base);

	return dx != dy ? (dx < dy) - (dx > dy) : strcmp(x->name, y->name);
}

static void changes_make(const struct size_list *a, const struct size_list *b, struct changes *ret)
{
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		int order = i == a->n	? 1
			    : k == b->n ? -1
					: strcmp(a->item[i].name, b->item[k].name);

		change_add(ret, order <= 0 ? &a->item[i] : NULL, order >= 0 ? &b->item[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	if (ret->n)
		qsort(ret->item, ret->n, sizeof(*ret->item), change_compare);
}

static json_t *changes_list(const struct changes *c, size_t most)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->n && i < most; i++) {
		json_t *row = json_object();

		json_object_set_new(row, "name", json_text(c->item[i].name));
		json_object_set_new(row, "base", json_integer(c->item[i].base));
		json_object_set_new(row, "patched", json_integer(c->item[i].patched));
		json_array_append_new(list, row);
	}
	return list;
}

json_t *sizes_compare(const struct sizes *base, const struct sizes *patched)
{
	struct changes sections = {0}, symbols = {0};
	json_t *obj = json_object();

	changes_make(&base->sections, &patched->sections, &sections);
	changes_make(&base->symbols, &patched->symbols, &symbols);
	json_object_set_new(obj, "base", json_integer(sections.base));
	json_object_set_new(obj, "patched", json_integer(sections.patched));
	json_object_set_new(obj, "sections", changes_list(&sections, SYMBOLS_SHOWN));
	json_object_set_new(obj, "symbols", changes_list(&symbols, SYMBOLS_SHOWN));
	json_object_set_new(obj, "grown", json_integer(symbols.grown));
	json_object_set_new(obj, "shrunk", json_integer(symbols.shrunk));
	json_object_set_new(obj, "added", json_integer(symbols.added));
	json_object_set_new(obj, "removed", json_integer(symbols.removed));
	free(sections.item);
	free(symbols.item);
	return obj;
}

int sizes_compare_files(const char *base, const char *patched, json_t **ret, struct err *err)
{
	auto_sizes struct sizes a = {0}, b = {0};
	int rc = sizes_read(base, &a, err);

	if (rc == 0)
		rc = sizes_read(patched, &b, err);
	if (rc == 0)
		*ret = sizes_compare(&a, &b);
	return rc;
}
