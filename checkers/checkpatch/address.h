/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as they stand behind a trailer's colon: "A B <a@example.org> # why". */
#ifndef FIRN_CHECKERS_CHECKPATCH_ADDRESS_H
#define FIRN_CHECKERS_CHECKPATCH_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct address {
	char *name;    /* without quotes and comments */
	char *email;   /* without the dot or comma behind it */
	char *comment; /* what is in brackets within the name */
	char *rest;    /* what follows the address, without spaces around it */
	bool is_tidy;  /* nothing had to be taken off the address */
};

/* Takes the text apart. False when no address is in it where one can be; then nothing is to be
 * freed. */
bool address_parse(const char *s, size_t n, struct address *ret);
void address_done(struct address *a);

/* What makes two addresses differ, the least of it last. */
enum address_match {
	ADDRESS_OTHER, /* another person */
	ADDRESS_OTHER_NAME,
	ADDRESS_OTHER_EMAIL,
	ADDRESS_OTHER_SUBADDRESS, /* ada+linux@example.org */
	ADDRESS_OTHER_COMMENT,	  /* or capitals in the address */
	ADDRESS_SAME,
};
enum address_match address_compare(const struct address *a, const struct address *b);

#endif
