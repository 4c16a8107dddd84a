// SPDX-License-Identifier: GPL-2.0-or-later
#include "collate_help.h"

#include "series/assign.h"
#include "series/range_diff.h"
#include <time.h>

/* A patch of `lines` added lines, each with this word in it. */
static char *diff_of(const char *file, const char *word, unsigned lines)
{
	struct str out;

	str_init(&out, 0);
	str_addf(&out, "---\ndiff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1,0 +1,%u @@ f()\n",
		 file, file, file, file, lines);
	for (unsigned i = 0; i < lines; i++)
		str_addf(&out, "+%s line %u\n", word, i);
	return str_take(&out);
}

/* v1 and v2 of a series from bodies; NULL at the end of each. */
static struct made pair_make(char *const *older, char *const *newer)
{
	struct made m = {};

	for (int v = 0; v < 2; v++) {
		char *const *body = v ? newer : older;
		unsigned n = 0;

		while (body[n])
			n++;
		for (unsigned i = 0; i < n; i++) {
			auto_free char *subject =
				xasprintf("[PATCH v%d %u/%u] x: patch", v + 1, i + 1, n);
			auto_free char *id = xasprintf("v%d-%u", v + 1, i + 1);
			auto_free char *first = xasprintf("v%d-1", v + 1);

			spec_add(&m.list, &(struct spec){subject, id, i ? first : NULL, body[i]},
				 (unsigned)v * 60 + i);
		}
	}
	made_collate(&m);
	assert_int_equal(m.set.n_series, 2);
	return m;
}

/* "1=2 2!1 3< >3" */
static char *marks(const struct range_diff *rd)
{
	struct str out;

	str_init(&out, 0);
	for (size_t i = 0; i < rd->n; i++) {
		const struct range_pair *p = &rd->pair[i];

		str_adds(&out, i ? " " : "");
		if (p->older != RANGE_NONE)
			str_addf(&out, "%zu", p->older + 1);
		str_addc(&out, p->mark);
		if (p->newer != RANGE_NONE)
			str_addf(&out, "%zu", p->newer + 1);
	}
	return str_take(&out);
}

static struct range_diff compare(const struct made *m)
{
	struct range_diff rd = {};
	struct err err = ERR_INIT;

	assert_ok(range_diff_make(&m->set.series[0], &m->set.series[1], &rd, &err), &err);
	return rd;
}

static void marks_are(char *const *older, char *const *newer, const char *want)
{
	auto_made struct made m = pair_make(older, newer);
	struct range_diff rd = compare(&m);
	auto_free char *got = marks(&rd);

	assert_string_equal(got, want);
	assert_null(rd.limited);
	range_diff_done(&rd);
}
#define BODIES(...) ((char *const[]){__VA_ARGS__, NULL})

static void test_marks(void **state)
{
	auto_free char *a = diff_of("a", "one", 9), *b = diff_of("b", "two", 9),
		       *c = diff_of("c", "three", 9), *d = diff_of("d", "four", 9),
		       *b_more = diff_of("b", "two", 11), *b_said = xasprintf("Words.\n%s", b);

	(void)state;
	marks_are(BODIES(a, b, c), BODIES(a, b, c), "1=1 2=2 3=3");
	marks_are(BODIES(a, b, c), BODIES(c, a, b), "3=1 1=2 2=3");
	marks_are(BODIES(a, b, c), BODIES(a, b_more, c), "1=1 2!2 3=3");
	marks_are(BODIES(a, b, c), BODIES(a, b_said, c), "1=1 2!2 3=3");
	marks_are(BODIES(a, b, c), BODIES(a, c), "1=1 2< 3=2");
	marks_are(BODIES(a, c), BODIES(a, b, c), "1=1 >2 2=3");
	marks_are(BODIES(a, b), BODIES(c, d), "1< 2< >1 >2");
	/* the same patch twice: the first with the first */
	marks_are(BODIES(a, a), BODIES(a, b, a), "1=1 >2 2=3");
}

static void test_text(void **state)
{
	auto_free char *a = diff_of("a", "one", 20), *more = diff_of("a", "one", 21),
		       *said = xasprintf("Said.\n%s", more);
	auto_made struct made m = pair_make(BODIES(a), BODIES(said));
	struct range_diff rd = compare(&m);
	auto_free char *line = range_pair_line(&rd.pair[0], &m.set.series[0], &m.set.series[1]);

	(void)state;
	assert_string_equal(line, "1 ! 1: x: patch (commit message, diff)");
	assert_false(rd.pair[0].author_changed);
	assert_string_equal(rd.pair[0].text, "@@ ## Commit message ##\n"
					     " x: patch\n"
					     " \n"
					     " Text.\n"
					     "+Said.\n"
					     " \n"
					     "  ## a ##\n"
					     " @@ a: f()\n"
					     "@@ a: f()\n"
					     " +one line 17\n"
					     " +one line 18\n"
					     " +one line 19\n"
					     "++one line 20\n");
	range_diff_done(&rd);
}

/* Every pairing is tried. */
static long best_of(const long *gain, size_t rows, size_t cols, unsigned taken, size_t row)
{
	long best;

	if (row == rows)
		return 0;
	best = best_of(gain, rows, cols, taken, row + 1);
	for (size_t col = 0; col < cols; col++) {
		long sum;

		if (taken & 1u << col || gain[row * cols + col] <= 0)
			continue;
		sum = gain[row * cols + col] +
		      best_of(gain, rows, cols, taken | 1u << col, row + 1);
		best = sum > best ? sum : best;
	}
	return best;
}

static void test_assign(void **state)
{
	uint32_t seed = 3;

	(void)state;
	for (int round = 0; round < 400; round++) {
		size_t rows = 1 + random_next(&seed) % 6, cols = 1 + random_next(&seed) % 6, n = 0;
		size_t col[6];
		long gain[36], sum = 0;
		struct assign_pair pair[36];
		unsigned taken = 0;

		for (size_t i = 0; i < rows * cols; i++) {
			gain[i] = (long)(random_next(&seed) % 12) - 4;
			if (gain[i] > 0)
				pair[n++] = (struct assign_pair){i / cols, i % cols, gain[i]};
		}
		assert_true(assign(pair, n, rows, cols, col));
		for (size_t i = 0; i < rows; i++) {
			if (col[i] == ASSIGN_NONE)
				continue;
			assert_false(taken & 1u << col[i]);
			taken |= 1u << col[i];
			assert_true(gain[i * cols + col[i]] > 0);
			sum += gain[i * cols + col[i]];
		}
		assert_int_equal(sum, best_of(gain, rows, cols, 0, 0));
	}
}

/* All alike, so that each pair has to be looked at: it ends, and says what it left out. */
static void test_hostile(void **state)
{
	enum { N = 150 };
	static struct patch patch[2][N];
	struct series s[2] = {{.patch = patch[0], .n_patches = N},
			      {.patch = patch[1], .n_patches = N}};
	struct range_diff rd = {};
	struct err err = ERR_INIT;
	clock_t start = clock();

	(void)state;
	for (int v = 0; v < 2; v++)
		for (unsigned i = 0; i < N; i++) {
			struct patch *p = &patch[v][i];

			p->subject.text = xstrdup("x");
			p->diff_error = NULL;
			p->diff_text =
				xasprintf("+a\n+b\n+c\n+d\n+e\n+f\n+g\n+h\n+%u\n+%d\n", i, v);
			p->diff_len = strlen(p->diff_text);
		}
	assert_ok(range_diff_make(&s[0], &s[1], &rd, &err), &err);
	assert_int_equal(rd.n, N);
	for (size_t i = 0; i < rd.n; i++)
		assert_int_equal(rd.pair[i].mark, '!');
	print_message("%d by %d patches: %.2f s\n", N, N,
		      (double)(clock() - start) / CLOCKS_PER_SEC);
	range_diff_done(&rd);
	for (int v = 0; v < 2; v++)
		for (unsigned i = 0; i < N; i++) {
			free(patch[v][i].subject.text);
			free(patch[v][i].diff_text);
		}
}

static void test_empty(void **state)
{
	struct series none = {};
	struct range_diff rd = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(range_diff_make(&none, &none, &rd, &err), &err);
	assert_int_equal(rd.n, 0);
	range_diff_done(&rd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),  cmocka_unit_test(test_text),
		cmocka_unit_test(test_assign), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
