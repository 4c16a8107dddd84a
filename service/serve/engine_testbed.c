// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/engine_testbed.h"

#include "base/clock.h"
#include "base/str.h"
#include "serve/engine.h"
#include "testbeds/testbed.h"

#define ASK_S 3600

/* `*ret_known` false: never asked. */
static int row_find(struct store *s, const char *name, struct store_testbed *ret, bool *ret_known,
		    struct err *err)
{
	struct store_testbed_list list = {0};
	int rc = store_testbed_list(s, &list, err);

	*ret_known = false;
	for (size_t i = 0; rc == 0 && i < list.n; i++) {
		if (strcmp(list.testbed[i].name, name) != 0)
			continue;
		*ret = list.testbed[i];
		list.testbed[i] = (struct store_testbed){0};
		*ret_known = true;
	}
	store_testbed_list_done(&list);
	return rc;
}

static int probe(const char *name, struct store *s, struct testbed_state *ret, struct err *err)
{
	const char *arg;
	const struct testbed *t = testbed_find(name, &arg);
	struct err why = ERR_INIT;

	if (!t)
		return err_set(err, ERR_CONFIG, "no testbed \"%s\"", name);
	ret->good = t->probe(arg, &why) == 0;
	if (!ret->good) {
		ret->words = xasprintf("the testbed %s is out: %s", name, why.msg);
		ret->again = clock_wall() + ENGINE_WAIT_MIN;
	}
	return store_testbed_tell(s, name, ret->good, why.msg, err);
}

int testbed_ask(const struct conf *conf, struct store *s, struct testbed_state *ret,
		struct err *err)
{
	const char *name = conf_str(conf, CONF_TESTBED_NAME);
	struct store_testbed row = {0};
	int64_t now = clock_wall(), again = 0;
	bool known = false;
	int rc = row_find(s, name, &row, &known, err);

	if (rc < 0)
		return rc;
	if (known && row.good && !*row.words && now - row.checked < ASK_S) {
		ret->good = true;
	} else {
		if (known && !row.good)
			again = row.checked + engine_backoff_since(row.since, row.checked);
		if (again > now) {
			ret->words = xasprintf("the testbed %s is out: %s", name, row.words);
			ret->again = again;
		} else {
			rc = probe(name, s, ret, err);
		}
	}
	free(row.name);
	free(row.words);
	return rc;
}

int testbed_used(const struct conf *conf, struct store *s, unsigned boots, const char *failure,
		 bool base, struct err *err)
{
	const char *name = conf_str(conf, CONF_TESTBED_NAME);
	int rc = store_testbed_count(s, name, boots, failure != NULL, err);

	if (rc == 0 && failure)
		rc = store_testbed_tell(s, name, !base, failure, err);
	return rc;
}
