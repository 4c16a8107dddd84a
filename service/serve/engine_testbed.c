// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/engine_testbed.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/local_names.h"
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

/* Others read what is said here: its folder is not named. */
static int probe(const struct conf *conf, const char *label, struct store *s,
		 struct testbed_state *ret, struct err *err)
{
	const char *arg, *name = conf_str(conf, CONF_TESTBED_NAME);
	const struct testbed *t = testbed_find(name, &arg);
	auto_local_names struct local_names names = {0};
	struct err why = ERR_INIT;

	if (!t)
		return err_set(err, ERR_CONFIG, "no testbed \"%s\"", name);
	ret->good = t->probe(arg, &why) == 0;
	local_names_conf(&names, conf, NULL, NULL);
	auto_free char *words = local_names_text(&names, why.msg);
	if (!ret->good) {
		ret->words = xasprintf("the testbed %s is out: %s", label, words);
		ret->again = clock_wall() + ENGINE_WAIT_MIN;
	}
	return store_testbed_tell(s, label, ret->good, words, err);
}

int testbed_ask(const struct conf *conf, struct store *s, struct testbed_state *ret,
		struct err *err)
{
	auto_free char *name = testbed_label(conf_str(conf, CONF_TESTBED_NAME));
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
			rc = probe(conf, name, s, ret, err);
		}
	}
	free(row.name);
	free(row.words);
	return rc;
}

unsigned testbed_boots(const json_t *data)
{
	const json_t *list = json_object_get(data, "benches"), *row;
	double boots = 0;
	size_t i;

	json_array_foreach (list, i, row)
		boots += json_get_num(row, "boots", 0);
	return boots > 0 ? (unsigned)boots : 1;
}

int testbed_used(const struct conf *conf, struct store *s, unsigned boots, const char *failure,
		 bool base, struct err *err)
{
	auto_free char *name = testbed_label(conf_str(conf, CONF_TESTBED_NAME));
	int rc = store_testbed_count(s, name, boots, failure != NULL, err);

	if (rc == 0 && failure)
		rc = store_testbed_tell(s, name, !base, failure, err);
	return rc;
}
