// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the report: ../report/SCHEMA.md says what each member means. */
#include "base/clock.h"
#include "base/local_names.h"
#include "report/report.h"
#include "trial/bench_args.h"
#include "trial/bench_json.h"
#include "trial/run.h"
#include "trial/shell.h"

static json_t *iso(int64_t t)
{
	char buf[CLOCK_ISO_MAX];

	return json_text(clock_iso(t, buf));
}

static json_t *person(const struct ident *id)
{
	json_t *obj = json_object();

	json_object_set_new(obj, "name", json_text(id->name));
	json_object_set_new(obj, "email", json_text(id->email));
	return obj;
}

static void add_diffstat(json_t *row, const struct diff *d)
{
	json_t *files = json_array();
	json_int_t added = 0, removed = 0;

	for (size_t i = 0; d && i < d->n_files; i++) {
		json_array_append_new(files, json_text(diff_file_path(&d->file[i])));
		for (size_t h = 0; h < d->file[i].n_hunks; h++) {
			const struct diff_hunk *hunk = &d->file[i].hunk[h];

			for (size_t l = 0; l < hunk->n_lines; l++) {
				added += hunk->line[l].kind == '+';
				removed += hunk->line[l].kind == '-';
			}
		}
	}
	json_object_set_new(row, "files", files);
	json_object_set_new(row, "added", json_integer(added));
	json_object_set_new(row, "removed", json_integer(removed));
}

static json_t *commit_id(const git_oid *oid)
{
	char hex[GIT_OID_HEXSZ + 1];

	return json_text(git_oid_tostr(hex, sizeof(hex), oid));
}

static json_t *patch_row(const struct trial *t, size_t i)
{
	const struct patch *p = &t->series->patch[i];
	auto_free char *text = t->work_dir ? trial_patch_name(p) : NULL;
	json_t *row = json_object();

	json_object_set_new(row, "number", json_integer(p->subject.number));
	json_object_set_new(row, "subject", json_text(p->subject.text));
	json_object_set_new(row, "message_id",
			    json_text(p->mail->message_id ? p->mail->message_id : ""));
	json_object_set_new(row, "author", person(&p->author));
	add_diffstat(row, p->diff);
	json_object_set_new(row, "commit",
			    i < t->applied.n_commits ? commit_id(&t->applied.commit[i].commit)
						     : json_null());
	json_object_set_new(row, "text", json_text(text));
	return row;
}

static json_t *series_object(const struct trial *t)
{
	const struct series *s = t->series;
	json_t *obj = json_object(), *patches = json_array(), *missing = json_array();

	for (size_t i = 0; i < s->n_patches; i++)
		json_array_append_new(patches, patch_row(t, i));
	for (size_t i = 0; i < s->n_missing; i++)
		json_array_append_new(missing, json_integer(s->missing[i]));
	json_object_set_new(obj, "title", json_text(s->title));
	json_object_set_new(obj, "message_id", json_text(s->message_id));
	json_object_set_new(obj, "version", json_integer(s->version));
	json_object_set_new(obj, "date", iso(s->author.time));
	json_object_set_new(obj, "author", person(&s->author));
	json_object_set_new(obj, "total", json_integer(s->total));
	json_object_set_new(obj, "missing", missing);
	json_object_set_new(obj, "cover", s->cover ? json_text(s->cover->message_id) : json_null());
	json_object_set_new(obj, "patches", patches);
	return obj;
}

static json_t *committed(const struct trial *t)
{
	auto_git(commit) git_commit *commit = NULL;

	if (git_commit_lookup(&commit, t->user_repo, &t->base.commit) < 0)
		return json_null();
	return iso(git_commit_time(commit));
}

static json_t *base_object(const struct trial *t)
{
	json_t *obj, *tried;

	if (!t->has_base)
		return json_null();
	obj = json_object();
	tried = json_array();
	for (size_t i = 0; i < t->base.n_tried; i++)
		json_array_append_new(tried, json_text(t->base.tried[i]));
	json_object_set_new(obj, "commit", commit_id(&t->base.commit));
	json_object_set_new(obj, "committed", committed(t));
	json_object_set_new(obj, "subject", json_text(t->base.subject));
	json_object_set_new(obj, "why", json_text(t->base.why));
	json_object_set_new(obj, "tree", json_text(t->tree));
	json_object_set_new(obj, "name", json_text(t->base_name));
	json_object_set_new(obj, "warning", json_text(t->base.warning));
	json_object_set_new(obj, "blobs", json_integer((json_int_t)t->base.n_blobs));
	json_object_set_new(obj, "blobs_matched", json_integer((json_int_t)t->base.n_matched));
	json_object_set_new(obj, "tried", tried);
	json_object_set_new(obj, "start", commit_id(&t->start));
	return obj;
}

static json_t *step_row(const struct trial *t, size_t i)
{
	const struct step_result *r = &t->result[i];
	json_t *row = json_object();

	json_object_set_new(row, "name", json_text(steps[i].name));
	json_object_set_new(row, "outcome", json_text(outcome_name(r->outcome)));
	json_object_set_new(row, "reason", json_text(r->reason ? r->reason : ""));
	json_object_set_new(row, "patch",
			    r->patch ? json_integer((json_int_t)r->patch) : json_null());
	json_object_set_new(row, "evidence", r->evidence ? json_incref(r->evidence) : json_array());
	json_object_set_new(row, "seconds", json_real(t->seconds[i]));
	json_object_set_new(row, "cached", json_boolean(r->cached));
	json_object_set_new(row, "log", json_text(r->log));
	json_object_set_new(row, "details", r->details ? json_incref(r->details) : json_object());
	return row;
}

static bool is_skipped(const struct trial *t, size_t i)
{
	return t->result[i].outcome == OUTCOME_SKIP && t->result[i].reason;
}

/* Steps that nobody wanted, in one line; the others with the reason. */
static void add_skipped(const struct trial *t, json_t *list)
{
	auto_str struct str unwanted;

	str_init(&unwanted, 0);
	for (size_t i = 0; steps[i].name; i++) {
		if (is_skipped(t, i) && !t->wanted[i])
			str_addf(&unwanted, "%s%s", unwanted.len ? ", " : "", steps[i].name);
		else if (is_skipped(t, i))
			json_array_append_new(
				list, json_sprintf("%s: %s", steps[i].name, t->result[i].reason));
	}
	if (unwanted.len)
		json_array_append_new(list, json_sprintf("%s: not asked for", unwanted.buf));
}

/* What was built, or would have been. */
static void add_rows(const struct trial *t, struct str *s)
{
	const char *last = conf_str(t->opt->conf, CONF_BUILD_BUILDER);
	const json_t *row;
	size_t i;

	str_adds(s, last);
	json_array_foreach (t->builds, i, row) {
		const char *name = json_get_str(row, "row", "");

		if (!json_is_integer(json_object_get(row, "patch")) || strcmp(name, last) == 0 ||
		    json_get_bool(row, "main", false))
			continue;
		last = name;
		str_addf(s, ", %s", name);
	}
}

/* What was not done with the patches before the last. */
static const char *middle_words(const struct trial *t)
{
	if (t->applied.n_commits < 2)
		return "";
	if (strcmp(conf_str(t->opt->conf, CONF_BUILD_EACH), "off") == 0)
		return "; with several patches, those in the middle are built only to find which "
		       "one breaks";
	return trial_each(t) ? "" : "; the patches before the last are built and not booted";
}

/* What a reader may not conclude from this report. */
static json_t *not_tested(const struct trial *t)
{
	json_t *list = json_array();
	auto_free char *testbed = testbed_label(conf_str(t->opt->conf, CONF_TESTBED_NAME));
	auto_str struct str rows;

	str_init(&rows, 0);
	add_rows(t, &rows);
	add_skipped(t, list);
	if (t->same_image)
		json_array_append_new(list, json_text("the code that the series changes: with this "
						      "configuration the kernel "
						      "images are the same, byte for byte, so boot "
						      "and benchmarks say nothing "
						      "about it"));
	json_array_append_new(list, json_sprintf("other architectures and configurations than %s%s",
						 rows.buf, middle_words(t)));
	json_array_append_new(list,
			      json_sprintf("real POWER machines: the testbed was %s", testbed));
	return list;
}

/* With everything pinned that this run found out or was told. */
static void repeat_options(const struct trial *t, struct str *s, bool here)
{
	char hex[GIT_OID_HEXSZ + 1];

	if (t->has_base)
		shell_add_option(s, "--base", git_oid_tostr(hex, sizeof(hex), &t->base.commit));
	shell_add_option(s, "--only", t->opt->only);
	shell_add_option(s, "--rows", conf_str(t->opt->conf, CONF_BUILD_ROWS));
	bench_args_options(s, t->opt->conf, here);
	if (conf_bool(t->opt->conf, CONF_BENCH_ATTRIBUTE))
		str_adds(s, " --attribute");
}

/* On the machine that ran it. */
static json_t *repeat_here(const struct trial *t)
{
	auto_str struct str s;
	auto_free char *mails = t->work_dir ? xasprintf("%s/mails", t->work_dir) : NULL;

	str_init(&s, 0);
	str_adds(&s, "firn run");
	for (size_t i = 0; t->opt->inputs[i]; i++)
		shell_add(&s,
			  strcmp(t->opt->inputs[i], "-") == 0 && mails ? mails : t->opt->inputs[i]);
	shell_add_option(&s, "--series", t->opt->pick);
	shell_add_option(&s, "--offer", t->opt->offer);
	shell_add_option(&s, "--tree", t->tree ? t->tree : t->opt->tree);
	shell_add_option(&s, "--config", t->opt->conf->path);
	repeat_options(t, &s, true);
	return json_text(s.buf);
}

/* By somebody who has neither our files nor our trees, in a clone of the kernel. */
static json_t *repeat_elsewhere(const struct trial *t)
{
	auto_str struct str s;

	str_init(&s, 0);
	if (!t->opt->link)
		return json_null();
	str_adds(&s, "firn run");
	shell_add(&s, t->opt->link);
	shell_add_option(&s, "--offer", t->opt->offer);
	shell_add_option(&s, "--tree", ".");
	repeat_options(t, &s, false);
	return json_text(s.buf);
}

static json_t *verdict_object(const struct trial *t)
{
	auto_free char *words = NULL;
	enum outcome o = judge_trial(t, &words);
	json_t *obj = json_object();

	json_object_set_new(obj, "outcome", json_text(outcome_name(o)));
	json_object_set_new(obj, "words", json_text(words));
	return obj;
}

json_t *report_make(const struct trial *t)
{
	json_t *obj = json_object(), *rows = json_array();
	double seconds = 0;

	for (size_t i = 0; i <= t->step && steps[i].name; i++) {
		json_array_append_new(rows, step_row(t, i));
		seconds += t->seconds[i];
	}
	json_object_set_new(obj, "schema", json_text(REPORT_SCHEMA));
	json_object_set_new(obj, "version", json_integer(REPORT_SCHEMA_VERSION));
	json_object_set_new(obj, "firn", json_text(FIRN_VERSION));
	json_object_set_new(obj, "started", iso(t->started));
	json_object_set_new(obj, "finished", iso(clock_wall()));
	json_object_set_new(obj, "seconds", json_real(seconds));
	json_object_set_new(obj, "series", t->series ? series_object(t) : json_null());
	json_object_set_new(obj, "base", base_object(t));
	json_object_set_new(obj, "since", t->since ? json_incref(t->since) : json_null());
	json_object_set_new(obj, "steps", rows);
	json_object_set_new(obj, "checks", json_incref(t->checks));
	json_object_set_new(obj, "findings", json_incref(t->findings));
	json_object_set_new(obj, "ledger", t->ledger ? json_incref(t->ledger) : json_array());
	json_object_set_new(obj, "builds", t->builds ? json_incref(t->builds) : json_array());
	json_object_set_new(obj, "counts", t->counts ? json_incref(t->counts) : json_null());
	bench_json_merge(obj, t->bench);
	json_object_set_new(obj, "not_tested", not_tested(t));
	json_object_set_new(obj, "verdict", verdict_object(t));
	json_object_set_new(obj, "repeat", repeat_here(t));
	json_object_set_new(obj, "repeat_elsewhere", repeat_elsewhere(t));
	return obj;
}
