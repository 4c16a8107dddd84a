// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdict over all steps. */
#include "trial/run.h"

/* The first step that ended with this outcome; NULL: none. */
static const struct step_result *first_with(const struct trial *t, enum outcome o,
					    const char **ret_name)
{
	for (size_t i = 0; steps[i].name; i++) {
		if (t->ran[i] && t->result[i].outcome == o) {
			*ret_name = steps[i].name;
			return &t->result[i];
		}
	}
	return NULL;
}

static unsigned add_list(const struct trial *t, enum outcome o, bool with_reason, struct str *out)
{
	unsigned n = 0;

	for (size_t i = 0; steps[i].name; i++) {
		if (!t->ran[i] || t->result[i].outcome != o || steps[i].always)
			continue;
		str_addf(out, "%s%s", out->len ? (with_reason ? "; " : ", ") : "", steps[i].name);
		if (with_reason)
			str_addf(out, ": %s", t->result[i].reason);
		n++;
	}
	return n;
}

enum outcome judge_trial(const struct trial *t, char **ret_words)
{
	enum outcome worst = OUTCOME_SKIP;
	const struct step_result *r;
	const char *name = "";
	unsigned n;
	auto_str struct str words;

	str_init(&words, ERR_MSG_MAX);
	for (size_t i = 0; steps[i].name; i++)
		if (t->ran[i])
			worst = outcome_worse(worst, t->result[i].outcome);
	r = first_with(t, worst, &name);
	switch (worst) {
	case OUTCOME_FAIL: str_addf(&words, "%s: %s", name, r->reason); break;
	case OUTCOME_ERROR: str_addf(&words, "could not find out: %s: %s", name, r->reason); break;
	case OUTCOME_WARN:
		if (add_list(t, OUTCOME_WARN, true, &words) == 0)
			str_addf(&words, "%s: %s", name, r->reason);
		break;
	case OUTCOME_PASS:
	case OUTCOME_SKIP:
		n = add_list(t, OUTCOME_PASS, false, &words);
		str_adds(&words, n > 1 ? " are good" : n ? " is good" : "nothing was tested");
		break;
	}
	*ret_words = str_take(&words);
	return worst;
}
