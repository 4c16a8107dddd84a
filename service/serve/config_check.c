// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/config_check.h"

#include "series/repo.h"
#include "serve/config_checks.h"
#include "trial/trial.h"
#include <stdarg.h>

void checks_say(struct checks *c, enum checks_what what, unsigned line, const char *fmt, ...)
{
	void (*tell)(void *ctx, const char *message) =
		what == CHECKS_MISTAKE ? c->checker->on_mistake : c->checker->on_warning;
	auto_str struct str text;
	va_list ap;

	str_init(&text, 0);
	str_addf(&text, "%s:%u: ", c->path, line);
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	if (what == CHECKS_MISTAKE)
		c->mistakes++;
	if (tell)
		tell(c->checker->ctx, text.buf);
}

static void on_mistake(void *ctx, const char *message)
{
	struct checks *c = ctx;

	c->mistakes++;
	if (c->checker->on_mistake)
		c->checker->on_mistake(c->checker->ctx, message);
}

/* Names that a table must know. */
static void check_names(struct checks *c)
{
	for (size_t i = 0; i < CONF_N; i++) {
		auto_free char *mistake = trial_conf_mistake(c->conf, (enum conf_id)i);

		if (mistake)
			checks_say(c, CHECKS_MISTAKE, c->conf->line[i], "%s: %s", conf_keys[i].key,
				   mistake);
	}
}

int config_check(const char *path, const struct config_checker *checker, struct conf *ret,
		 struct err *err)
{
	struct checks c = {.path = path, .checker = checker, .conf = ret};
	int rc;

	repo_setup();
	rc = conf_read(ret, path, on_mistake, &c, err);
	if (rc < 0 && c.mistakes == 0)
		return rc;
	check_names(&c);
	checks_files(&c);
	checks_sections(&c);
	checks_together(&c);
	if (c.mistakes)
		return err_set(err, ERR_CONFIG, "%s: %u mistake%s", path, c.mistakes,
			       c.mistakes == 1 ? "" : "s");
	return 0;
}
