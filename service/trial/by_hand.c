// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/by_hand.h"

#include "trial/shell.h"

const git_oid *by_hand_base(const struct trial *t)
{
	return &t->base.commit;
}

/* b4 takes the patches of a posting by their numbers. */
static void add_b4(struct str *out, const struct series *s, size_t k)
{
	str_adds(out, "b4 am -o-");
	if (k < s->n_patches)
		str_addf(out, " -P1-%u", s->patch[k - 1].subject.number);
	shell_add(out, s->message_id);
	str_adds(out, " | git am -3");
}

/* mails/0002.eml: where trial_keep_input() put it. */
static void add_mail(struct str *out, const struct trial *t, const struct mail *mail)
{
	for (size_t i = 0; i < t->mails.n; i++) {
		auto_free char *path = xasprintf("%s/mails/%04zu.eml", t->work_dir, i + 1);

		if (t->mails.item[i] == mail)
			shell_add(out, path);
	}
}

static void add_files(struct str *out, const struct trial *t, const struct series *s, size_t k)
{
	str_adds(out, "git am -3");
	for (size_t i = 0; i < k; i++)
		add_mail(out, t, s->patch[i].mail);
}

static json_t *apply_line(const struct trial *t, const struct series *s, size_t k)
{
	auto_str struct str line;

	str_init(&line, 0);
	if (s->message_id && *s->message_id)
		add_b4(&line, s, k);
	else
		add_files(&line, t, s, k);
	return json_text(line.buf);
}

void by_hand_apply(const struct trial *t, size_t k, json_t *commands)
{
	size_t at = 1;

	for (size_t i = 0; i + 1 < t->plan.n_steps; i++) {
		const struct depends_step *step = &t->plan.step[i];
		const struct series *s = &t->set.series[step->series];
		size_t n = step->n_patches < s->n_patches ? step->n_patches : s->n_patches;

		if (n)
			json_array_insert_new(commands, at++, apply_line(t, s, n));
	}
	if (k)
		json_array_insert_new(commands, at, apply_line(t, t->series, k));
}
