/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON by jansson (RFC 8259): files, and text that may not be UTF-8. */
#ifndef FIRN_BASE_JSON_H
#define FIRN_BASE_JSON_H

#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>

/* A JSON string from bytes that may not be UTF-8: what is not becomes U+FFFD. NULs and all. Never
 * NULL. jansson's own json_string() returns NULL for such bytes. */
json_t *json_text_n(const char *s, size_t n);
/* The same for a C string; JSON null for NULL. */
json_t *json_text(const char *s);

/* Reads an object. `kind` is for a file that is missing or is not a JSON object; the message has
 * file and line. */
must_check int json_read(const char *path, enum err_kind kind, json_t **ret_obj, struct err *err);
/* Writes indented, atomically. */
must_check int json_write(const char *path, const json_t *obj, struct err *err);

/* Members with a default. The string belongs to the object. */
const char *json_get_str(const json_t *obj, const char *key, const char *dflt);
double json_get_num(const json_t *obj, const char *key, double dflt);
bool json_get_bool(const json_t *obj, const char *key, bool dflt);

#endif
