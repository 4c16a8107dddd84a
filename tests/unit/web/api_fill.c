// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/web/api_fill.h"

#include "base/fs.h"
#include "base/json.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/queue.h"
#include "store/requests.h"
#include "store/trial_metric.h"

#define DATE 1795000000

/* Each part does nothing once one has failed. */
struct fill {
	struct store *s;
	const char *dir, *text;
	struct err *err;
	int rc;
};

#define TRY(f, call)                                                                               \
	do {                                                                                       \
		if ((f)->rc == 0)                                                                  \
			(f)->rc = (call);                                                          \
	} while (0)

static int64_t mail(struct fill *f, const char *id, const char *ref)
{
	const char *refs[] = {ref, NULL};
	const struct store_mail_new m = {.message_id = id,
					 .refs = refs,
					 .subject = f->text,
					 .from_name = f->text,
					 .from_email = "ada@example.org",
					 .date = DATE,
					 .raw = f->text,
					 .raw_len = strlen(f->text),
					 .list = "demo",
					 .source = "lore demo",
					 .place = id};
	int64_t row = 0;
	bool new;

	TRY(f, store_mail_add(f->s, &m, &row, &new, f->err));
	return row;
}

static struct store_posting posting_of(struct fill *f, const char *id, unsigned version,
				       struct store_posting_patch patch[3])
{
	return (struct store_posting){.list = (char *)"demo",
				      .message_id = (char *)(uintptr_t)id,
				      .title = (char *)(uintptr_t)f->text,
				      .author_name = (char *)(uintptr_t)f->text,
				      .author_email = (char *)"ada@example.org",
				      .digest = (char *)"d",
				      .reason = (char *)"",
				      .version = version,
				      .total = 2,
				      .have = 2,
				      .date = DATE,
				      .state = STORE_POSTING_COMPLETE,
				      .patch = patch,
				      .n_patches = 3};
}

/* A cover letter, ID, and its two patches, 1-ID and 2-ID; one is missing of an incomplete one. */
static int64_t posting(struct fill *f, const char *id, unsigned version, bool complete)
{
	auto_free char *one = xasprintf("1-%s", id), *two = xasprintf("2-%s", id);
	struct store_posting_patch patch[3] = {{.number = 0, .message_id = (char *)(uintptr_t)id},
					       {.number = 1, .message_id = one},
					       {.number = 2, .message_id = two}};
	struct store_posting p = posting_of(f, id, version, patch);
	int64_t row = 0;

	if (!complete) {
		p.state = STORE_POSTING_INCOMPLETE;
		p.reason = (char *)"1 of 2, waiting for 2/2";
		p.have = 1;
		p.n_patches = 2;
	}
	for (size_t i = 0; i < p.n_patches; i++) {
		patch[i].subject = (char *)(uintptr_t)f->text;
		patch[i].mail = mail(f, patch[i].message_id, i ? id : NULL);
	}
	TRY(f, store_posting_put(f->s, &p, &row, f->err));
	for (unsigned i = 0; i < p.n_patches; i++)
		TRY(f, store_mail_settle(f->s, patch[i].mail, i ? "patch" : "cover", "", row, i,
					 f->err));
	TRY(f, store_posting_cover(f->s, row, f->text, f->err));
	return row;
}

static const char since[] =
	"{\"version\":1,\"message_id\":\"v1@example.org\",\"why\":\"same author\",\"limited\":null,"
	"\"patches\":[{\"patch\":1,\"was\":1,\"word\":\"unchanged\",\"words\":\"\","
	"\"subject\":\"one\",\"diff\":null}]}";

static void postings(struct fill *f)
{
	static const char *const files[] = {"arch/powerpc/mm/mem.c", "mm/memory_hotplug.c"};
	const struct store_patchwork row = {
		.server = (char *)"ozlabs",
		.message_id = (char *)"v2@example.org",
		.url = (char *)"https://patchwork.example.org/patch/12/",
		.number = 12,
		.series = 7,
		.is_cover = true};
	int64_t one = posting(f, "v1@example.org", 1, true),
		two = posting(f, "v2@example.org", 2, true), reply;

	posting(f, "part@example.org", 1, false);
	TRY(f, store_posting_link(f->s, one, two, f->err));
	TRY(f, store_posting_since(f->s, two, since, f->err));
	TRY(f, store_posting_files(f->s, two, files, array_size(files), f->err));
	TRY(f, store_patchwork_put(f->s, &row, f->err));
	reply = mail(f, "re@example.org", "v2@example.org");
	TRY(f, store_mail_settle(f->s, reply, "reply", f->text, two, 0, f->err));
	mail(f, "new@example.org", NULL);
}

static json_t *build(const char *row, int patch, const char *outcome, const char *log)
{
	return json_pack(
		"{s:s, s:s, s:b, s:i, s:s, s:s, s:f, s:b, s:s?, s:[], s:[], s:n, s:[s, s]}", "row",
		row, "summary", "little-endian", "main", strcmp(row, "ppc64le-lean") == 0, "patch",
		patch, "outcome", outcome, "reason", "built in 53 s", "seconds", 53.5, "cached",
		patch == 0, "log", log, "new_warnings", "config_changes", "sizes", "commands",
		"git checkout 0123", "make O=../build ARCH=powerpc CC=clang-14 vmlinux");
}

/* A checker that is called, and says, what f->text is. */
static void finding_add(const json_t *text, json_t *report)
{
	json_array_append_new(json_object_get(report, "findings"),
			      json_pack("{s:O, s:s, s:s, s:s, s:i, s:n, s:i, s:O, s:n}", "checker",
					text, "level", "WARNING", "type", "LONG_LINE", "path",
					"mm/slab.c", "line", 12, "patch_line", "patch", 2,
					"message", text, "excerpt"));
	json_array_append_new(json_object_get(report, "checks"),
			      json_pack("{s:O, s:i, s:s, s:O}", "checker", text, "patch", 2,
					"outcome", "warn", "reason", text));
}

/* What the fixture does not have: builds, findings, patches that were kept. */
static void report_add(const struct fill *f, json_t *report)
{
	json_t *builds = json_array(), *series = json_object_get(report, "series"), *patch;
	auto_json json_t *text = json_text(f->text);
	size_t i;

	json_array_append_new(builds, build("ppc64le-lean", 0, "pass", "jobs/01-build-base/log"));
	json_array_append_new(builds, build("ppc64le-lean", 1, "warn", NULL));
	json_array_append_new(builds, build("ppc64le-lean", 2, "pass", NULL));
	json_array_append_new(builds, build("ppc64e", 2, "fail", "jobs/02-build-ppc64e/log"));
	json_object_set_new(report, "builds", builds);
	json_object_set(series, "title", text);
	finding_add(text, report);
	json_array_foreach (json_object_get(series, "patches"), i, patch) {
		auto_free char *name = xasprintf("patches/%04zu.patch", i + 1);

		json_object_set_new(patch, "text", json_string(name));
	}
}

static void put(struct fill *f, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, name);
	auto_free char *dir = xmemdup(path, (size_t)(strrchr(path, '/') - path));

	TRY(f, fs_mkdirs(dir, f->err));
	TRY(f, fs_write_atomic(path, text, strlen(text), f->err));
}

static void work_folder(struct fill *f)
{
	put(f, "jobs/01-build-base/log", "  CC      init/main.o\n\x1b[31mred\x1b[0m\n<b>\xff\n");
	put(f, "jobs/02-build-ppc64e/log", "error: no\n");
	put(f, "jobs/03-boot/qemu.console", "Linux version 6.1\n");
	put(f, "patches/0001.patch", "one\n");
	put(f, "patches/0002.patch", "two\n");
	put(f, "broken.json", "{\"schema\": \"other\"}");
}

static const char *const steps[] = {"apply", "build", "boot", NULL};

static int64_t trial(struct fill *f, int64_t of)
{
	const struct store_plan plan = {.posting = of,
					.list = "demo",
					.digest = "d",
					.series = {.title = f->text,
						   .message_id = "v2@example.org",
						   .author = f->text,
						   .version = 2}};
	int64_t id = 0;

	TRY(f, store_queue_add(f->s, &plan, steps, &id, f->err));
	return id;
}

static int64_t begun(struct fill *f, int64_t of)
{
	int64_t id = 0, wait = 0;

	trial(f, of);
	TRY(f, store_queue_take(f->s, 4000000000, &id, &wait, f->err));
	TRY(f, store_trial_work_dir(f->s, id, f->dir, f->err));
	return id;
}

static void step_end(struct fill *f, int64_t id, const char *name, enum outcome outcome)
{
	const struct store_step_end end = {.outcome = outcome,
					   .reason = f->text,
					   .seconds = 1.5,
					   .log = "jobs/01-build-base/log"};

	TRY(f, store_step_begin(f->s, id, name, f->err));
	TRY(f, store_step_finish(f->s, id, name, &end, f->err));
}

static void finish(struct fill *f, int64_t id, enum outcome outcome, const char *report)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, report);
	const struct store_trial_end end = {.outcome = outcome,
					    .words = f->text,
					    .base = "4d1c8f0b7a6e5d2c3b9a8f7e6d5c4b3a2f1e0d9c",
					    .report = path};

	TRY(f, store_trial_finish(f->s, id, &end, f->err));
}

static void measured(struct fill *f)
{
	auto_free char *path = xasprintf("%s/report.json", f->dir);
	auto_json json_t *report = NULL;
	int64_t id = begun(f, 2);

	TRY(f, json_read(FIXTURES "/report/bench-hot-add.json", ERR_INPUT, &report, f->err));
	if (f->rc < 0)
		return;
	report_add(f, report);
	TRY(f, json_write(path, report, f->err));
	step_end(f, id, "apply", OUTCOME_PASS);
	step_end(f, id, "build", OUTCOME_WARN);
	finish(f, id, OUTCOME_WARN, "report.json");
	TRY(f, store_metrics_keep(f->s, id, report, f->err));
}

static void trials(struct fill *f)
{
	const struct store_series by_hand = {
		.title = f->text, .message_id = "hand@example.org", .author = "", .version = 1};
	int64_t id;

	measured(f);
	finish(f, begun(f, 2), OUTCOME_PASS, "gone.json");
	finish(f, begun(f, 1), OUTCOME_FAIL, "broken.json");
	id = begun(f, 1);
	step_end(f, id, "apply", OUTCOME_PASS);
	TRY(f, store_step_begin(f->s, id, "build", f->err));
	TRY(f, store_step_tell(f->s, id, "build", f->text, 1, 3, f->err));
	trial(f, 2);
	TRY(f, store_trial_begin(f->s, &by_hand, steps, &id, f->err));
}

static void outbox(struct fill *f)
{
	auto_json json_t *text = json_text(f->text);
	auto_json json_t *check = json_pack("{s:s, s:O}", "state", "warn", "description", text);
	auto_json json_t *answer = json_pack("{s:O, s:s, s:[s]}", "subject", text, "body",
					     "the secret body", "to", "ada@example.org");
	struct store_post_new post = {.trial = FILL_REPORT,
				      .poster = "patchwork",
				      .target = "ozlabs 12",
				      .context = "firn-apply",
				      .want = check};
	int64_t id = 0;

	TRY(f, store_outbox_put(f->s, &post, &id, f->err));
	TRY(f, store_delivery_tell(f->s, id, 1, STORE_DELIVERY_SENT, 0, f->text, f->err));
	post.target = "ozlabs 13";
	TRY(f, store_outbox_put(f->s, &post, &id, f->err));
	TRY(f, store_delivery_tell(f->s, id, 1, STORE_DELIVERY_FAILED, 0, "no", f->err));
	post = (struct store_post_new){.trial = FILL_REPORT,
				       .poster = "mail",
				       .target = "answer@example.org",
				       .context = "",
				       .want = answer,
				       .held = true};
	TRY(f, store_outbox_put(f->s, &post, &id, f->err));
}

static void request(struct fill *f, const char *via)
{
	auto_json json_t *arguments = json_pack("{s:s}", "only", "build");
	const struct store_request r = {.kind = (char *)"rerun",
					.message_id = (char *)"v2@example.org",
					.arguments = arguments,
					.who = (char *)"ada",
					.via = (char *)(uintptr_t)via};
	int64_t id = 0;

	TRY(f, store_request_add(f->s, &r, &id, f->err));
}

static void rest(struct fill *f)
{
	for (int i = 0; i < 3; i++)
		request(f, "web");
	request(f, "command");
	TRY(f, store_request_answer(f->s, 1, true, f->text, FILL_WAITING, f->err));
	TRY(f, store_request_answer(f->s, 2, false, f->text, 0, f->err));
	TRY(f, store_source_tell(f->s, "lore demo", f->text, DATE, f->err));
	TRY(f, store_source_tell(f->s, "patchwork ozlabs demo", NULL, 0, f->err));
	TRY(f, store_testbed_tell(f->s, "qemu", true, "", f->err));
	TRY(f, store_testbed_count(f->s, "qemu", 10, 1, f->err));
	TRY(f, store_testbed_tell(f->s, "lpar", false, f->text, f->err));
}

int api_fill(const char *store_path, const char *dir, const char *text, struct err *err)
{
	auto_store struct store *store = NULL;
	struct fill f = {.dir = dir, .text = text, .err = err};

	f.rc = store_open(store_path, STORE_WRITE, &store, err);
	f.s = store;
	work_folder(&f);
	postings(&f);
	trials(&f);
	outbox(&f);
	rest(&f);
	return f.rc;
}
