// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"

#include "base/fs.h"
#include "base/str.h"
#include <glib.h>

json_t *json_text_n(const char *s, size_t n)
{
	json_t *text = json_stringn(s, n);

	if (text)
		return text;
	/* GLib's conversion writes U+FFFD for every byte that is not UTF-8; it stops at NULs only
	 * when length is -1. */
	char *valid = g_utf8_make_valid(s, (gssize)n);
	text = json_string(valid);
	g_free(valid);
	return text ? text : json_string("");
}

json_t *json_text(const char *s)
{
	return s ? json_text_n(s, strlen(s)) : json_null();
}

/* 64 MiB: a job result with every finding of a huge series stays far below it. */
#define JSON_FILE_MAX ((size_t)64 << 20)

int json_read(const char *path, enum err_kind kind, json_t **ret_obj, struct err *err)
{
	auto_str struct str data;
	json_error_t jerr;
	json_t *obj;
	int rc;

	str_init(&data, JSON_FILE_MAX);
	rc = fs_read(path, JSON_FILE_MAX, kind, &data, err);
	if (rc < 0)
		return rc;
	obj = json_loadb(data.buf, data.len, JSON_ALLOW_NUL, &jerr);
	if (!obj)
		return err_set(err, kind, "%s:%d: %s", path, jerr.line, jerr.text);
	if (!json_is_object(obj)) {
		json_decref(obj);
		return err_set(err, kind, "%s: not a JSON object", path);
	}
	*ret_obj = obj;
	return 0;
}

int json_write(const char *path, const json_t *obj, struct err *err)
{
	char *text = json_dumps(obj, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	int rc;

	if (!text)
		return err_set(err, ERR_INFRA, "%s: cannot be written as JSON", path);
	rc = fs_write_atomic(path, text, strlen(text), err);
	free(text);
	return rc;
}

const char *json_get_str(const json_t *obj, const char *key, const char *dflt)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_string(v) ? json_string_value(v) : dflt;
}

double json_get_num(const json_t *obj, const char *key, double dflt)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_number(v) ? json_number_value(v) : dflt;
}

bool json_get_bool(const json_t *obj, const char *key, bool dflt)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_boolean(v) ? json_is_true(v) : dflt;
}
