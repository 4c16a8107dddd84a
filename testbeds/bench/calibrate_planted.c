// SPDX-License-Identifier: GPL-2.0-or-later
/* Series of ours of which it is known what they do. To add a bench: a row in slower[]. */
#include "testbeds/bench/calibrate.h"

#include "base/fs.h"
#include <math.h>

static const struct {
	const char *bench;
	const char *file;
	const char *metrics; /* that the share is in */
} slower[] = {
	{"hot-add", "slower-hot-add.patch", "hot-add*"},
	{"ipi", "slower-ipi.patch", "ipi/*/@(one-to-many|each-in-turn)/*"},
	{"node-offline", "slower-all.patch", "*"},
};

static const struct {
	const char *name, *file;
} nulls[] = {
	{"null-string", "null-string.patch"},	  /* read-only data moves */
	{"null-function", "null-function.patch"}, /* all code moves by the same */
	{"null-align", "null-align.patch"},	  /* code moves by different distances */
};

/* +0.5 % is more than is asked for. */
static const char *const shares[] = {"slower-0.5", "slower-1", "slower-5"};

/* The line of a patch that its share is in. */
#define SHARE_WORDS "#define FIRN_PLANTED_SHARE "
#define SHARE_UNIT  10000

#define PATCH_MAX ((size_t)1 << 20)

struct planted_list {
	const char *bench;
	struct calibrate_planted *item;
	size_t n;
};

static void planted_add(struct planted_list *l, struct calibrate_planted p)
{
	p.name = xstrdup(p.name);
	l->item = xreallocarray(l->item, l->n + 1, sizeof(*l->item));
	l->item[l->n++] = p;
}

/* "slower-0.5": the share; NAN when it is no such name. */
static double share_of(const char *name)
{
	char *end;
	double percent;

	if (!str_starts(name, "slower-"))
		return NAN;
	percent = strtod(name + strlen("slower-"), &end);
	/* What the patch can hold: hundredths of a per cent. */
	return *end == '\0' && percent >= 0.01 && percent <= 100 ? rint(percent * 100) / SHARE_UNIT
								 : NAN;
}

static int add_slower(struct planted_list *l, const char *name, struct err *err)
{
	double share = share_of(name);

	if (!isfinite(share))
		return err_set(err, ERR_USAGE,
			       "no planted series \"%s\": null-string, null-function, null-align, "
			       "or slower-PERCENT with 0.01 to 100",
			       name);
	for (size_t i = 0; i < array_size(slower); i++) {
		if (strcmp(slower[i].bench, l->bench) != 0)
			continue;
		planted_add(l, (struct calibrate_planted){.name = name,
							  .share = share,
							  .file = slower[i].file,
							  .metrics = slower[i].metrics});
		return 0;
	}
	return err_set(err, ERR_USAGE, "there is no series that makes %s slower by a known share",
		       l->bench);
}

static int add_named(struct planted_list *l, const char *name, struct err *err)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->item[i].name, name) == 0)
			return 0;
	for (size_t i = 0; i < array_size(nulls); i++) {
		if (strcmp(nulls[i].name, name) != 0)
			continue;
		planted_add(l, (struct calibrate_planted){
				       .name = name, .file = nulls[i].file, .metrics = ""});
		return 0;
	}
	return add_slower(l, name, err);
}

/* A bench without a series that makes it slower has the null series only. */
static void add_all(struct planted_list *l)
{
	struct err none = ERR_INIT;

	for (size_t i = 0; i < array_size(nulls); i++)
		(void)!add_named(l, nulls[i].name, &none);
	for (size_t i = 0; i < array_size(shares); i++)
		(void)!add_named(l, shares[i], &none);
}

static int add_list(struct planted_list *l, const char *list, struct err *err)
{
	auto_free char *copy = xstrdup(list);
	char *save = NULL;
	int rc = 0;

	for (char *name = strtok_r(copy, ",", &save); name && rc == 0;
	     name = strtok_r(NULL, ",", &save))
		rc = add_named(l, name, err);
	return rc;
}

int calibrate_planted_parse(const char *list, const char *bench, struct calibrate_planted **ret,
			    size_t *ret_n, struct err *err)
{
	struct planted_list l = {.bench = bench};
	int rc = 0;

	if (strcmp(list, "all") == 0)
		add_all(&l);
	else if (strcmp(list, "none") != 0)
		rc = add_list(&l, list, err);
	if (rc < 0) {
		calibrate_planted_free(l.item, l.n);
		return rc;
	}
	*ret = l.item;
	*ret_n = l.n;
	return 0;
}

void calibrate_planted_free(struct calibrate_planted *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)list[i].name);
	free(list);
}

int calibrate_planted_text(const struct calibrate_planted *p, struct str *ret, struct err *err)
{
	auto_free char *path = xasprintf("%s/testbeds/bench/planted/%s", fs_data_dir(), p->file);
	auto_str struct str text;
	const char *at, *number;
	int rc;

	str_init(&text, PATCH_MAX);
	rc = fs_read(path, PATCH_MAX, ERR_CONFIG, &text, err);
	if (rc < 0)
		return rc;
	at = p->share != 0 ? strstr(text.buf, SHARE_WORDS) : NULL;
	if (!at && p->share != 0)
		return err_set(err, ERR_CONFIG, "%s has no line \"" SHARE_WORDS "\"", path);
	if (!at) {
		str_add(ret, text.buf, text.len);
		return 0;
	}
	number = at + strlen(SHARE_WORDS);
	str_add(ret, text.buf, (size_t)(number - text.buf));
	str_addf(ret, "%.0f", p->share * SHARE_UNIT);
	str_adds(ret, number + strspn(number, "0123456789"));
	return 0;
}
