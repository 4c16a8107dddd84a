/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FIRN_TESTS_MARKUP_H
#define FIRN_TESTS_MARKUP_H

/* Reads a page as strictly as an XML parser would: every element closed in order, attributes
 * quoted, only what the report's pages may have. Returns NULL, or what is wrong and where (free()).
 */
char *markup_fault(const char *page);

#endif
