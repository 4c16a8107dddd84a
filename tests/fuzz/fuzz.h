/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a fuzz target defines: libFuzzer or corpus_run.c calls it. A wrong answer ends in abort().
 */
#ifndef FIRN_TESTS_FUZZ_H
#define FIRN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
