// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/conf.h"

#include "base/conf_section.h"
#include "base/fs.h"
#include "base/netblock.h"
#include "base/str.h"
#include <ctype.h>
#include <git2.h>
#include <limits.h>

#define CONF_FILE_MAX ((size_t)1 << 20)

const struct conf_key conf_keys[CONF_N] = {
#define X(id, key, type, dflt, least, most, help)                                                  \
	[CONF_##id] = {key, CONF_TYPE_##type, dflt, least, most, help},
	CONF_KEYS(X)
#undef X
};

static bool parse_number(const char *s, char **ret_end, long *ret_n)
{
	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*ret_n = strtol(s, ret_end, 10);
	return errno == 0;
}

static int check_number(const struct conf_key *k, const char *value, struct err *err)
{
	char *end;
	long n;

	if (!parse_number(value, &end, &n) || *end)
		return err_set(err, ERR_CONFIG, "%s: \"%s\" is not a number", k->key, value);
	if (n < k->least || n > k->most)
		return err_set(err, ERR_CONFIG, "%s: %ld is not between %ld and %ld", k->key, n,
			       k->least, k->most);
	return 0;
}

static int check_list(const struct conf_key *k, const char *value, struct err *err)
{
	const char *p = value;

	for (;;) {
		char *end;
		long n;

		if (!parse_number(p, &end, &n) || (*end && *end != ','))
			return err_set(err, ERR_CONFIG,
				       "%s: \"%s\" is not a list of numbers (16,64)", k->key,
				       value);
		if (n < k->least || n > k->most)
			return err_set(err, ERR_CONFIG, "%s: %ld is not between %ld and %ld",
				       k->key, n, k->least, k->most);
		if (!*end)
			return 0;
		p = end + 1;
	}
}

/* Words as names of rows are: no blanks, none empty. */
static int check_words(const struct conf_key *k, const char *value, struct err *err)
{
	for (const char *p = value;; p++) {
		size_t n = strcspn(p, ", \t");

		if (n == 0 || (p[n] && p[n] != ','))
			return err_set(err, ERR_CONFIG,
				       "%s: \"%s\" is not a list of words (one,two)", k->key,
				       value);
		p += n;
		if (!*p)
			return 0;
	}
}

static int check_bool(const struct conf_key *k, const char *value, struct err *err)
{
	int ignored;

	if (git_config_parse_bool(&ignored, value) < 0)
		return err_set(err, ERR_CONFIG, "%s: \"%s\" is neither true nor false", k->key,
			       value);
	return 0;
}

static int check_text(const struct conf_key *k, const char *value, struct err *err)
{
	for (const char *p = value; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return err_set(err, ERR_CONFIG, "%s: has a control character", k->key);
	return *value ? 0 : err_set(err, ERR_CONFIG, "%s: is empty", k->key);
}

static int check_url(const struct conf_key *k, const char *value, struct err *err)
{
	const char *host = strstr(value, "://");

	if (!host || (strncmp(value, "http://", 7) != 0 && strncmp(value, "https://", 8) != 0) ||
	    !isalnum((unsigned char)host[3]))
		return err_set(err, ERR_CONFIG, "%s: \"%s\" is not an http or https address",
			       k->key, value);
	return check_text(k, value, err);
}

/* RFC 9110, 5.1: the letters that all servers pass on. */
static int check_header(const struct conf_key *k, const char *value, struct err *err)
{
	for (const char *p = value; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-')
			return err_set(err, ERR_CONFIG, "%s: \"%s\" is no name of a header", k->key,
				       value);
	return *value ? 0 : err_set(err, ERR_CONFIG, "%s: is empty", k->key);
}

static int check_slug(const struct conf_key *k, const char *value, struct err *err)
{
	if (!*value || value[strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		return err_set(err, ERR_CONFIG,
			       "%s: \"%s\" is not of lower case letters, digits and _", k->key,
			       value);
	return 0;
}

static int check_nets(const struct conf_key *k, const char *value, struct err *err)
{
	struct netblocks nets;
	int rc = netblocks_parse(value, &nets, err);

	if (rc < 0)
		err_wrap(err, "%s", k->key);
	return rc;
}

/* The words stand in the help, behind its last colon; what is in brackets explains them. */
static int check_choice(const struct conf_key *k, const char *value, struct err *err)
{
	const char *choices = strrchr(k->help, ':') + 1;
	size_t n = strlen(value), m;

	for (const char *p = choices; *p; p += m + strspn(p + m, " ,")) {
		p += strspn(p, " ");
		m = strcspn(p, ", (");
		if (m == n && n && strncmp(p, value, n) == 0)
			return 0;
		m = strcspn(p, ",");
	}
	return err_set(err, ERR_CONFIG, "%s: \"%s\" is none of%s", k->key, value, choices);
}

int conf_value_check(const struct conf_key *k, const char *value, struct err *err)
{
	switch (k->type) {
	case CONF_TYPE_INT: return check_number(k, value, err);
	case CONF_TYPE_LIST: return check_list(k, value, err);
	case CONF_TYPE_WORDS: return check_words(k, value, err);
	case CONF_TYPE_HEADER: return check_header(k, value, err);
	case CONF_TYPE_SLUG: return check_slug(k, value, err);
	case CONF_TYPE_NETS: return check_nets(k, value, err);
	case CONF_TYPE_BOOL: return check_bool(k, value, err);
	case CONF_TYPE_TEXT: return check_text(k, value, err);
	case CONF_TYPE_URL: return check_url(k, value, err);
	case CONF_TYPE_CHOICE: return check_choice(k, value, err);
	case CONF_TYPE_PATH:
		if (value[0] != '/')
			return err_set(err, ERR_CONFIG, "%s: \"%s\" is not an absolute path",
				       k->key, value);
		return 0;
	case CONF_TYPE_WORD: break;
	}
	return *value ? 0 : err_set(err, ERR_CONFIG, "%s: is empty", k->key);
}

int conf_set(struct conf *conf, enum conf_id id, const char *value, struct err *err)
{
	if (conf_value_check(&conf_keys[id], value, err) < 0) {
		err->kind = ERR_USAGE;
		return ERR_USAGE;
	}
	free(conf->value[id]);
	conf->value[id] = xstrdup(value);
	return 0;
}

void conf_done(struct conf *conf)
{
	for (size_t i = 0; i < CONF_N; i++)
		free(conf->value[i]);
	free(conf->path);
	conf_sections_done(conf);
	*conf = (struct conf){0};
}

const char *conf_str(const struct conf *conf, enum conf_id id)
{
	return conf->value[id] ? conf->value[id] : conf_keys[id].dflt;
}

long conf_int(const struct conf *conf, enum conf_id id)
{
	return strtol(conf_str(conf, id), NULL, 10);
}

bool conf_bool(const struct conf *conf, enum conf_id id)
{
	int value = 0;

	return git_config_parse_bool(&value, conf_str(conf, id)) == 0 && value;
}

bool conf_has_word(const struct conf *conf, enum conf_id id, const char *word)
{
	size_t want = strlen(word), n;

	for (const char *p = conf_str(conf, id); *p; p += n + (p[n] == ',')) {
		n = strcspn(p, ",");
		if (n == want && strncmp(p, word, n) == 0)
			return true;
	}
	return false;
}

unsigned *conf_list(const struct conf *conf, enum conf_id id)
{
	const char *p = conf_str(conf, id);
	unsigned *list = NULL;
	size_t n = 0, cap = 0;

	while (p && *p) {
		char *end;
		unsigned long v = strtoul(p, &end, 10);

		arr_grow(list, n, cap);
		list[n++] = (unsigned)v;
		p = *end ? end + 1 : end;
	}
	arr_grow(list, n, cap);
	list[n] = 0;
	return list;
}

/* libgit2 1.5 does not say on which line an entry stands: this finds the `nth` (from 0) place of a
 * key. */
struct line_finder {
	char section[128]; /* lower case, "cache" */
	unsigned line;
};

/* [list "NAME"] is "list.NAME" in an entry's name. */
static bool line_section(struct line_finder *f, const char *p)
{
	bool quoted = false;
	size_t n = 0;

	if (*p != '[')
		return false;
	for (p++; *p && (quoted || *p != ']') && *p != '\n' && n < sizeof(f->section) - 1; p++) {
		if (*p == '"') {
			quoted = !quoted;
			if (quoted)
				f->section[n++] = '.';
		} else if (quoted || !isspace((unsigned char)*p)) {
			f->section[n++] = (char)tolower((unsigned char)*p);
		}
	}
	f->section[n] = '\0';
	return true;
}

static bool line_has_key(const struct line_finder *f, const char *p, const char *key)
{
	size_t n = strlen(f->section), m;

	if (strncasecmp(key, f->section, n) != 0 || key[n] != '.')
		return false;
	m = strlen(key + n + 1);
	return strncasecmp(p, key + n + 1, m) == 0 && !isalnum((unsigned char)p[m]) && p[m] != '-';
}

static unsigned find_line(const char *text, const char *key, unsigned nth)
{
	struct line_finder f = {0};

	for (const char *p = text; *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : p + strlen(p)) {
		f.line++;
		while (*p == ' ' || *p == '\t')
			p++;
		if (line_section(&f, p)) {
			p = strchr(p, ']');
			if (!p)
				return f.line;
			for (p++; *p == ' ' || *p == '\t';)
				p++;
		}
		if (line_has_key(&f, p, key) && nth-- == 0)
			return f.line;
	}
	return 0;
}

struct conf_reader {
	struct conf *conf;
	const char *path;
	struct str text;
	unsigned seen[CONF_N];
	conf_mistake_fn *on_mistake;
	void *ctx;
	struct err *first; /* the caller's; kind is ERR_NONE until the first mistake */
};

static void mistake(struct conf_reader *r, unsigned line, const char *what)
{
	auto_free char *message = xasprintf("%s:%u: %s", r->path, line, what);

	if (r->on_mistake)
		r->on_mistake(r->ctx, message);
	if (r->first->kind == ERR_NONE)
		(void)err_set(r->first, ERR_CONFIG, "%s", message);
}

static int read_entry(const git_config_entry *entry, void *payload)
{
	struct conf_reader *r = payload;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < CONF_N; i++) {
		/* A key without "=" is true: git-config(1). */
		const char *value = entry->value			  ? entry->value
				    : conf_keys[i].type == CONF_TYPE_BOOL ? "true"
									  : "";

		if (strcasecmp(conf_keys[i].key, entry->name) != 0)
			continue;
		r->conf->line[i] = find_line(r->text.buf, entry->name, r->seen[i]++);
		if (conf_value_check(&conf_keys[i], value, &err) < 0) {
			mistake(r, r->conf->line[i], err.msg);
		} else {
			free(r->conf->value[i]);
			r->conf->value[i] = xstrdup(value);
		}
		return 0;
	}
	unsigned line = find_line(r->text.buf, entry->name, 0);
	auto_free char *what = NULL;

	if (!conf_section_entry(r->conf, entry->name, entry->value, line, &what))
		what = xasprintf("unknown key %s", entry->name);
	if (what)
		mistake(r, line, what);
	return 0;
}

static void check_sections(struct conf_reader *r)
{
	unsigned line = 0;
	size_t pos = 0;

	for (char *what; (what = conf_section_mistake(r->conf, &pos, &line)) != NULL; free(what))
		mistake(r, line, what);
}

int conf_read(struct conf *conf, const char *path, conf_mistake_fn *on_mistake, void *ctx,
	      struct err *err)
{
	struct conf_reader r = {
		.conf = conf, .path = path, .on_mistake = on_mistake, .ctx = ctx, .first = err};
	git_config *config = NULL;
	int rc;

	err->kind = ERR_NONE;
	free(conf->path);
	conf->path = realpath(path, NULL);
	str_init(&r.text, CONF_FILE_MAX);
	rc = fs_read(path, CONF_FILE_MAX, ERR_CONFIG, &r.text, err);
	if (rc < 0) {
		if (on_mistake)
			on_mistake(ctx, err->msg);
		return rc;
	}
	if (git_config_open_ondisk(&config, path) < 0) {
		rc = err_git(err, ERR_CONFIG, "%s", path);
		if (on_mistake)
			on_mistake(ctx, err->msg);
	} else if (git_config_foreach(config, read_entry, &r) < 0) {
		rc = err_git(err, ERR_CONFIG, "%s", path);
	} else {
		check_sections(&r);
		rc = err->kind;
	}
	git_config_free(config);
	str_done(&r.text);
	return rc;
}

char *conf_default_path(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	auto_free char *home = fs_home_dir(), *path = NULL;

	if (xdg && xdg[0] == '/')
		path = xasprintf("%s/firn/config", xdg);
	else if (home)
		path = xasprintf("%s/.config/firn/config", home);
	if (path && fs_exists(path))
		return take(path);
	return fs_exists("/etc/firn/config") ? xstrdup("/etc/firn/config") : NULL;
}
