// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/profile.h"

#include "base/fs.h"
#include "base/str.h"
#include "testbeds/symbols.h"
#include <math.h>

#define HEAD "firn-profile 1\n"
/* A million blocks, the plugin's limit, of 40 bytes. */
#define FILE_MAX_BYTES ((size_t)64 << 20)
/* A double holds integers up to here exactly: at a guest instruction a nanosecond, 104 days. */
#define COUNT_MAX (UINT64_C(1) << 53)
/* Where the kernel's addresses begin on 64-bit powerpc (PAGE_OFFSET). */
#define KERNEL_BEGIN UINT64_C(0xc000000000000000)

/* Instructions by symbol, and of what has none. */
struct counts {
	const struct symbols *symbols;
	uint64_t *by_symbol; /* symbols->n of them */
	uint64_t user, modules, total;
};

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Digits alone: no sign, no space, no 0x. False when there are none or too many. */
static bool number_read(const char **p, unsigned base, uint64_t *ret)
{
	const char *begin = *p;
	uint64_t n = 0;

	for (int d; (d = digit_of(**p)) < (int)base; ++*p)
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, (uint64_t)d, &n))
			return false;
	*ret = n;
	return *p > begin;
}

static bool skip(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

static uint64_t *counter_of(struct counts *c, uint64_t pc)
{
	const struct symbol *symbol = symbols_find(c->symbols, pc);

	if (symbol)
		return &c->by_symbol[symbol - c->symbols->item];
	return pc < KERNEL_BEGIN ? &c->user : &c->modules;
}

static bool row_read(struct counts *c, const char **p)
{
	uint64_t pc, n;

	if (!number_read(p, 16, &pc) || !skip(p, ' ') || !number_read(p, 10, &n) || !skip(p, '\n'))
		return false;
	if (n > COUNT_MAX - c->total)
		return false;
	c->total += n;
	*counter_of(c, pc) += n;
	return true;
}

static int counts_read(struct counts *c, const char *path, struct err *err)
{
	static const char end[] = "end ";
	auto_str struct str text;
	const char *p;
	uint64_t sum;
	int rc;

	str_init(&text, 0);
	rc = fs_read(path, FILE_MAX_BYTES, ERR_INFRA, &text, err);
	if (rc < 0)
		return rc;
	if (!str_starts(text.buf, HEAD))
		return err_set(err, ERR_INFRA, "%s is no profile: the emulator %s", path,
			       text.len ? "wrote something else" : "did not write it");
	p = text.buf + strlen(HEAD);
	for (unsigned line = 2; *p && !str_starts(p, end); line++)
		if (!row_read(c, &p))
			return err_set(err, ERR_INFRA, "%s:%u: no address and count", path, line);
	if (!*p)
		return err_set(err, ERR_INFRA, "%s is cut: its last line is missing", path);
	p += strlen(end);
	if (!number_read(&p, 10, &sum) || !skip(&p, '\n') || p != text.buf + text.len)
		return err_set(err, ERR_INFRA, "%s does not end as a profile does", path);
	if (sum != c->total)
		return err_set(err, ERR_INFRA, "%s is damaged: its rows do not add up", path);
	return 0;
}

static void function_add(struct profile *p, const char *name, uint64_t n)
{
	if (n)
		p->function[p->n_functions++] =
			(struct profile_function){.name = xstrdup(name), .n = (double)n};
}

static int function_by_name(const void *a, const void *b)
{
	return strcmp(((const struct profile_function *)a)->name,
		      ((const struct profile_function *)b)->name);
}

/* Functions of one name become one. */
static void functions_fold(struct profile *p)
{
	size_t kept = 0;

	qsort(p->function, p->n_functions, sizeof(*p->function), function_by_name);
	for (size_t i = 0; i < p->n_functions; i++) {
		struct profile_function *f = &p->function[i];

		if (kept && strcmp(p->function[kept - 1].name, f->name) == 0) {
			p->function[kept - 1].n += f->n;
			free(f->name);
		} else {
			p->function[kept++] = *f;
		}
	}
	p->n_functions = kept;
}

static void profile_fill(struct profile *p, const struct counts *c)
{
	size_t n = c->symbols->n;

	*p = (struct profile){.function = xcalloc(n + 2, sizeof(*p->function)),
			      .total = (double)c->total};
	for (size_t i = 0; i < n; i++)
		function_add(p, c->symbols->item[i].name, c->by_symbol[i]);
	function_add(p, PROFILE_USER, c->user);
	function_add(p, PROFILE_MODULES, c->modules);
	functions_fold(p);
}

int profile_read(const char *path, const char *vmlinux, struct profile *ret, struct err *err)
{
	__attribute__((cleanup(symbols_done))) struct symbols symbols = {0};
	auto_free uint64_t *by_symbol = NULL;
	struct counts c = {.symbols = &symbols};
	int rc = symbols_read(vmlinux, &symbols, err);

	if (rc < 0)
		return rc;
	c.by_symbol = by_symbol = xcalloc(symbols.n, sizeof(*by_symbol));
	rc = counts_read(&c, path, err);
	if (rc == 0)
		profile_fill(ret, &c);
	return rc;
}

void profile_done(struct profile *p)
{
	for (size_t i = 0; i < p->n_functions; i++)
		free(p->function[i].name);
	free(p->function);
	*p = (struct profile){0};
}

/* A row of the comparison; the name belongs to a profile. */
struct change {
	const char *name;
	double base, patched;
};

static int change_by_size(const void *pa, const void *pb)
{
	const struct change *a = pa, *b = pb;
	double da = fabs(a->patched - a->base), db = fabs(b->patched - b->base);

	return da != db ? (da > db ? -1 : 1) : strcmp(a->name, b->name);
}

static bool is_kernel(const char *name)
{
	return strcmp(name, PROFILE_USER) != 0 && strcmp(name, PROFILE_MODULES) != 0;
}

/* The next of two lists by name: in one of them, or in both. */
static struct change change_next(const struct profile *base, size_t *i,
				 const struct profile *patched, size_t *j)
{
	const struct profile_function *b = *i < base->n_functions ? &base->function[*i] : NULL,
				      *p = *j < patched->n_functions ? &patched->function[*j]
								     : NULL;
	int order = !b ? 1 : !p ? -1 : strcmp(b->name, p->name);
	struct change c = {.name = order <= 0 ? b->name : p->name};

	if (order <= 0)
		c.base = base->function[(*i)++].n;
	if (order >= 0)
		c.patched = patched->function[(*j)++].n;
	return c;
}

void profile_compare(const struct profile *base, const struct profile *patched, size_t most,
		     struct bench_result *r)
{
	auto_free struct change *list =
		xcalloc(base->n_functions + patched->n_functions + 1, sizeof(*list));
	size_t n = 0, i = 0, j = 0;

	while (i < base->n_functions || j < patched->n_functions) {
		list[n] = change_next(base, &i, patched, &j);
		n += list[n].base != list[n].patched && is_kernel(list[n].name);
	}
	qsort(list, n, sizeof(*list), change_by_size);
	n = n < most ? n : most;
	r->function = xreallocarray(r->function, r->n_functions + n + 1, sizeof(*r->function));
	for (i = 0; i < n; i++)
		r->function[r->n_functions++] =
			(struct bench_function){.name = xstrdup(list[i].name),
						.base = list[i].base,
						.patched = list[i].patched};
}
