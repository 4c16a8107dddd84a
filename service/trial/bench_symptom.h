/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a benchmark saw that a series does, so that it can be looked for in a part of the series. */
#ifndef FIRN_TRIAL_BENCH_SYMPTOM_H
#define FIRN_TRIAL_BENCH_SYMPTOM_H

#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>

enum bench_symptom_kind {
	SYMPTOM_FACT,	/* right on base, wrong on patched */
	SYMPTOM_FAIL,	/* a check of the benchmark, or the boots, fail */
	SYMPTOM_NUMBER, /* a judged one, slower or faster */
};

struct bench_symptom {
	enum bench_symptom_kind kind;
	const char *name, *title; /* of the metric or fact; NULL for a fail */
	const char *word;	  /* "slower", "wrong", "fail" */
};

/* The gravest symptom in the data of a bench job; strings belong to `data`. A wrong fact, else a
 * fail, else the number that got slower most, else the one that got faster most. False: nothing
 * changed. */
bool bench_symptom_find(const json_t *data, struct bench_symptom *ret);

/* Does another run show it too? 1 or 0; ERR_INFRA when that run says nothing about it. */
must_check int bench_symptom_seen(const json_t *data, const struct bench_symptom *s,
				  struct err *err);

#endif
