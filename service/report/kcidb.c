// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/kcidb.h"

#include "base/json.h"
#include "report/kcidb_make.h"
#include <glib.h>

#define PATCH_NAME_MAX 32

char *kcidb_id(const struct kcidb *k, const char *rest)
{
	return xasprintf("%s:trial-%lld%s", k->facts->origin, (long long)k->facts->trial, rest);
}

json_t *kcidb_object(const struct kcidb *k, const char *rest)
{
	auto_free char *id = kcidb_id(k, rest);

	return json_pack("{s:o, s:s}", "id", json_text(id), "origin", k->facts->origin);
}

void kcidb_text(json_t *obj, const char *key, const char *text)
{
	if (text && *text)
		json_object_set_new(obj, key, json_text(text));
}

/* Cut between characters. */
static size_t fit(const char *s, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max && ((unsigned char)s[max] & 0xc0) == 0x80)
		max--;
	return max;
}

void kcidb_excerpt(json_t *obj, const json_t *lines)
{
	auto_str struct str text;
	const json_t *line;
	size_t i;

	str_init(&text, 2 * KCIDB_EXCERPT_MAX);
	json_array_foreach (lines, i, line)
		str_addf(&text, "%s\n", json_string_value(line));
	if (text.len)
		json_object_set_new(
			obj, "log_excerpt",
			json_text_n(text.buf, fit(text.buf, text.len, KCIDB_EXCERPT_MAX)));
}

void kcidb_log(const struct kcidb *k, json_t *obj, const char *log)
{
	auto_free char *url = NULL;

	if (!log || !*log)
		return;
	url = xasprintf("%s/trial/%lld/log/%s", k->facts->url, (long long)k->facts->trial, log);
	json_object_set_new(obj, "log_url", json_text(url));
}

const json_t *kcidb_step(const json_t *report, const char *name)
{
	const json_t *step;
	size_t i;

	json_array_foreach (json_object_get(report, "steps"), i, step)
		if (strcmp(json_get_str(step, "name", ""), name) == 0)
			return step;
	return NULL;
}

/* As `sha256sum *.patch | cut -c-64 | sha256sum` has it; "" for none. */
static void patchset_hash(json_t *checkout, const struct kcidb_facts *f, unsigned patches)
{
	GChecksum *sum;

	if (!patches)
		json_object_set_new(checkout, "patchset_hash", json_string(""));
	if (!patches || patches > f->n)
		return;
	sum = g_checksum_new(G_CHECKSUM_SHA256);
	for (unsigned i = 0; i < patches; i++) {
		g_checksum_update(sum, (const guchar *)f->digest[i], KCIDB_DIGEST - 1);
		g_checksum_update(sum, (const guchar *)"\n", 1);
	}
	json_object_set_new(checkout, "patchset_hash", json_string(g_checksum_get_string(sum)));
	g_checksum_free(sum);
}

/* Where each can be read, as the hash has it. */
static void patchset_files(json_t *checkout, const struct kcidb_facts *f, unsigned patches)
{
	json_t *files;

	if (!f->posting || !patches || patches > f->n)
		return;
	files = json_array();
	for (unsigned i = 1; i <= patches; i++) {
		auto_free char *url =
			xasprintf("%s/series/%lld/patch/%u/raw", f->url, (long long)f->posting, i);
		char name[PATCH_NAME_MAX];

		snprintf(name, sizeof(name), "%04u.patch", i);
		json_array_append_new(files, json_pack("{s:s, s:s}", "name", name, "url", url));
	}
	json_object_set_new(checkout, "patchset_files", files);
}

static bool is_hash(const char *s)
{
	return strlen(s) == 40 && strspn(s, "0123456789abcdef") == 40;
}

/* Dots with something on both sides. */
static bool is_dotted(const char *s, size_t n, const char *more)
{
	bool dot = true;

	for (size_t i = 0; i < n; i++) {
		bool letter = g_ascii_isalnum(s[i]) || strchr(more, s[i]);

		if (s[i] == '.' ? dot : !letter)
			return false;
		dot = s[i] == '.';
	}
	return !dot;
}

/* The schema wants an address of the plain kind. */
static bool is_address(const char *id)
{
	const char *at = strchr(id, '@');

	return at && is_dotted(id, (size_t)(at - id), "!#$%&'*+/=?^_`{|}~-") &&
	       is_dotted(at + 1, strlen(at + 1), "-") && strchr(at + 1, '.') && at[1] != '-' &&
	       id[strlen(id) - 1] != '-' && !strstr(at, "-.") && !strstr(at, ".-");
}

/* What is compared with, and where it came from. A base with something on top that the series needs
 * is in no public repository: then the patches are not all of the difference. */
static bool base_is_public(const json_t *base)
{
	const char *commit = json_get_str(base, "commit", "");

	return strcmp(commit, json_get_str(base, "start", commit)) == 0;
}

static void checkout_base(json_t *checkout, const struct kcidb *k)
{
	const json_t *base = json_object_get(k->report, "base");
	const char *commit = json_get_str(base, "commit", "");
	const struct kcidb_facts *f = k->facts;

	if (is_hash(commit))
		kcidb_text(checkout, "git_commit_hash", commit);
	kcidb_text(checkout, "git_commit_message", json_get_str(base, "subject", ""));
	kcidb_text(checkout, "tree_name", f->tree_name);
	kcidb_text(checkout, "git_repository_branch", f->branch);
	if (f->tree_url && str_starts(f->tree_url, "https://"))
		kcidb_text(checkout, "git_repository_url", f->tree_url);
}

/* Whether the patches could be applied: known for all of them, and for none. */
static void checkout_valid(json_t *checkout, const json_t *report, unsigned patches)
{
	const json_t *apply = kcidb_step(report, "apply");
	const char *outcome = json_get_str(apply, "outcome", "skip");
	bool good = strcmp(outcome, "pass") == 0 || strcmp(outcome, "warn") == 0;

	if (!good && strcmp(outcome, "fail") != 0)
		return;
	json_object_set_new(checkout, "valid", json_boolean(good || !patches));
	if (!good && patches)
		kcidb_excerpt(checkout, json_object_get(apply, "evidence"));
}

static void checkout_misc(json_t *checkout, const struct kcidb *k, unsigned patches)
{
	const json_t *base = json_object_get(k->report, "base");
	auto_free char *page =
		xasprintf("%s/trial/%lld", k->facts->url, (long long)k->facts->trial);
	json_t *misc = json_pack("{s:s, s:i}", "page", page, "patches", (int)patches);

	kcidb_text(misc, "why", json_get_str(base, "why", ""));
	if (!base_is_public(base))
		kcidb_text(misc, "start", json_get_str(base, "start", ""));
	json_object_set_new(checkout, "misc", misc);
}

static void checkout_make(struct kcidb *k, const char *rest, unsigned patches)
{
	const json_t *series = json_object_get(k->report, "series");
	const char *id = json_get_str(series, "message_id", "");
	json_t *checkout = kcidb_object(k, rest);

	checkout_base(checkout, k);
	if (base_is_public(json_object_get(k->report, "base"))) {
		patchset_hash(checkout, k->facts, patches);
		patchset_files(checkout, k->facts, patches);
	}
	if (patches && is_address(id))
		kcidb_text(checkout, "message_id", id);
	if (patches)
		kcidb_text(checkout, "comment", json_get_str(series, "title", ""));
	kcidb_text(checkout, "start_time", json_get_str(k->report, "started", ""));
	kcidb_text(checkout, "origin_tests_finish_time", json_get_str(k->report, "finished", ""));
	checkout_valid(checkout, k->report, patches);
	checkout_misc(checkout, k, patches);
	json_array_append_new(k->checkouts, checkout);
}

char *kcidb_checkout(struct kcidb *k, unsigned patches)
{
	auto_free char *rest = xasprintf("/%u", patches);
	char *id = kcidb_id(k, rest);
	const json_t *checkout;
	size_t i;

	json_array_foreach (k->checkouts, i, checkout)
		if (strcmp(json_get_str(checkout, "id", ""), id) == 0)
			return id;
	checkout_make(k, rest, patches);
	return id;
}

json_t *kcidb_make(const json_t *report, const struct kcidb_facts *facts)
{
	struct kcidb k = {.facts = facts,
			  .report = report,
			  .checkouts = json_array(),
			  .builds = json_array(),
			  .tests = json_array()};
	size_t patches =
		json_array_size(json_object_get(json_object_get(report, "series"), "patches"));

	free(kcidb_checkout(&k, (unsigned)patches));
	kcidb_builds(&k);
	kcidb_checks(&k);
	kcidb_tests(&k);
	free(k.base_build);
	free(k.build);
	return json_pack("{s:{s:i, s:i}, s:o, s:o, s:o}", "version", "major", KCIDB_MAJOR, "minor",
			 KCIDB_MINOR, "checkouts", k.checkouts, "builds", k.builds, "tests",
			 k.tests);
}
