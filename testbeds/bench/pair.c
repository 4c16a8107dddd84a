// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/pair.h"

#include "base/fs.h"
#include "base/str.h"

#define SAMPLES_DEFAULT 3
#define TRIES		2

unsigned pair_samples(const struct bench_request *req)
{
	return req->samples ? req->samples : SAMPLES_DEFAULT;
}

/* SplitMix64 (Steele, Lea, Flood 2014): the order depends on the seed alone, on every machine. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* `n` of each side, shuffled (Fisher and Yates). */
static void order_make(unsigned char *order, size_t n, unsigned seed, const char *slug)
{
	uint64_t state = seed;

	for (; *slug; slug++) /* so that the sizes of one run differ in their order */
		state = state * 31 + (unsigned char)*slug;
	for (size_t i = 0; i < 2 * n; i++)
		order[i] = i < n ? PAIR_BASE : PAIR_PATCHED;
	for (size_t i = 2 * n - 1; i > 0; i--) {
		size_t j = random_next(&state) % (i + 1);
		unsigned char kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
}

static void side_show(struct pair_side *s, struct boot_result *boot)
{
	boot_result_done(&s->shown);
	s->shown = *boot;
	*boot = (struct boot_result){0};
}

static void side_take(const struct pair *p, struct pair_side *s, struct boot_result *boot)
{
	double x;

	if (boot->end != BOOT_DONE) {
		s->bad = ++s->failed >= TRIES;
		if (s->bad)
			side_show(s, boot);
		return;
	}
	if (p->measure(boot, &x)) {
		s->sample = xreallocarray(s->sample, s->n + 1, sizeof(*s->sample));
		s->sample[s->n++] = x;
	}
	if (s->good++ == 0)
		side_show(s, boot);
}

static int console_keep(const struct pair *p, const struct pair_side *s,
			const struct boot_result *boot, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s-%s-%u.console", p->req->work_dir, p->slug, s->name,
					 s->good + s->failed + 1);

	return fs_write_atomic(path, boot->console.buf, boot->console.len, err);
}

static int pair_boot(struct pair *p, struct pair_side *s, struct err *err)
{
	const struct bench_request *req = p->req;
	struct boot_result boot = {0};
	int rc;

	p->boot.kernel = s->kernel->vmlinux;
	p->boot.initramfs = s->kernel->initramfs;
	rc = req->testbed->boot(req->testbed_arg, &p->boot, &boot, err);
	if (rc < 0)
		return err_wrap(err, "%s, %s", p->title, s->name);
	rc = console_keep(p, s, &boot, err);
	if (rc == 0)
		side_take(p, s, &boot);
	boot_result_done(&boot);
	return rc;
}

/* One number of one side, in at most TRIES boots. */
static int pair_step(struct pair *p, struct pair_side *s, struct err *err)
{
	unsigned want = s->good + 1;
	auto_free char *what =
		xasprintf("%s, %s, boot %u of %u", p->title, s->name, want, pair_samples(p->req));
	int rc = 0;

	if (p->req->on_progress)
		p->req->on_progress(p->req->ctx, what, p->done, p->total);
	p->done++;
	while (rc == 0 && !s->bad && s->good < want)
		rc = pair_boot(p, s, err);
	return rc;
}

int pair_run(struct pair *p, struct err *err)
{
	const struct bench_request *req = p->req;
	unsigned n = pair_samples(req);
	auto_free unsigned char *order = xmalloc(2 * (size_t)n);
	int rc = 0;

	p->side[PAIR_BASE] = (struct pair_side){.name = "base", .kernel = &req->base};
	p->side[PAIR_PATCHED] = (struct pair_side){.name = "patched", .kernel = &req->patched};
	p->boot.work_dir = req->work_dir;
	p->boot.timeout_s = req->timeout_s;
	order_make(order, n, req->seed, p->slug);
	for (size_t i = 0; i < 2 * (size_t)n && rc == 0; i++)
		rc = pair_step(p, &p->side[order[i]], err);
	return rc;
}

void pair_done(struct pair *p)
{
	for (size_t i = 0; i < array_size(p->side); i++) {
		free(p->side[i].sample);
		boot_result_done(&p->side[i].shown);
	}
}

static void side_take_samples(struct pair_side *s, struct bench_side *ret)
{
	ret->sample = s->sample;
	ret->n = s->n;
	s->sample = NULL;
	s->n = 0;
}

void pair_take_samples(struct pair *p, struct bench_metric *m)
{
	side_take_samples(&p->side[PAIR_BASE], &m->base);
	side_take_samples(&p->side[PAIR_PATCHED], &m->patched);
}

static const struct ktap_test *boot_test(const struct boot_result *boot, const char *name)
{
	for (size_t i = 0; i < boot->n_tests; i++)
		if (strcmp(boot->test[i].name, name) == 0)
			return &boot->test[i];
	return NULL;
}

const struct ktap_test *pair_new_failure(const struct pair *p)
{
	const struct boot_result *base = &p->side[PAIR_BASE].shown,
				 *patched = &p->side[PAIR_PATCHED].shown;

	for (size_t i = 0; i < patched->n_tests; i++) {
		const struct ktap_test *t = &patched->test[i], *b;

		if (t->outcome != OUTCOME_FAIL)
			continue;
		b = boot_test(base, t->name);
		if (b &&
		    b->outcome == OUTCOME_PASS) /* failed or skipped there: it cannot be told */
			return t;
	}
	return NULL;
}

const struct ktap_test *pair_base_failure(const struct pair *p)
{
	const struct boot_result *base = &p->side[PAIR_BASE].shown;

	for (size_t i = 0; i < base->n_tests; i++)
		if (base->test[i].outcome == OUTCOME_FAIL)
			return &base->test[i];
	return NULL;
}
