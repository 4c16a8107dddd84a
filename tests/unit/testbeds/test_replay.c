// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "testbeds/testbed.h"
#include <signal.h>

#define RECORDING FIXTURES "/testbeds/replay"

/* A folder with one recording, made for a test. */
struct folder {
	char path[64];
};

static struct folder folder_make(const char *json, const char *console)
{
	struct folder f = {"/tmp/firn-replay-XXXXXX"};
	struct err err = ERR_INIT;

	assert_non_null(mkdtemp(f.path));
	auto_free char *a = xasprintf("%s/replay.json", f.path);
	auto_free char *b = xasprintf("%s/c", f.path);

	assert_ok(fs_write_atomic(a, json, strlen(json), &err), &err);
	assert_ok(fs_write_atomic(b, console, strlen(console), &err), &err);
	return f;
}

static void folder_remove(struct folder *f)
{
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(f->path, &err), &err);
}

static struct boot_spec spec_for(const char *kernel)
{
	return (struct boot_spec){
		.kernel = kernel, .initramfs = "/x/root.cpio", .nodes = 2, .max_memory_mib = 8192};
}

static void assert_boots(const struct boot_spec *spec, enum boot_end end, const char *reason)
{
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	assert_ok(testbed_replay.boot(RECORDING, spec, &r, &err), &err);
	if (r.end != end || !strstr(r.reason, reason))
		fail_msg("%s: %s", boot_end_name(r.end), r.reason);
	assert_true(r.host_seconds >= 0 && r.host_seconds < 10);
	boot_result_done(&r);
}

static void first_match_wins(void **state)
{
	struct boot_spec spec = spec_for("/k/base/vmlinux");

	(void)state;
	assert_boots(&spec, BOOT_DONE, "init reported its end");
	spec.kernel = "/k/panics/vmlinux";
	assert_boots(&spec, BOOT_PANIC, "Attempted to kill init");
	spec.kernel = "/k/hangs/vmlinux";
	/* It said "done" before it fell silent. */
	assert_boots(&spec, BOOT_DONE, "");
}

static void killed_is_ours(void **state)
{
	struct boot_spec spec = spec_for("/k/base/vmlinux");
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	spec.work_dir = "/w/lost";
	assert_err(testbed_replay.boot(RECORDING, &spec, &r, &err), &err, ERR_INFRA, "killed");
	assert_null(r.reason);
}

struct seen {
	unsigned lmbs, node, stops;
	bool before_stop; /* output from behind the stop came before it */
	int result;
	struct str text;
};

static int plug(void *ctx, struct machine *m, struct err *err)
{
	struct seen *seen = ctx;

	seen->stops++;
	seen->before_stop = strstr(seen->text.buf, "hot-add-stop") == NULL;
	seen->result = m->ops->add_memory(m, seen->lmbs, seen->node, err);
	return seen->result;
}

static void listen(void *ctx, const char *data, size_t n)
{
	str_add(&((struct seen *)ctx)->text, data, n);
}

static int boot_hot_add(struct seen *seen, struct boot_result *r, struct err *err)
{
	struct boot_spec spec = spec_for("/k/base/vmlinux");

	str_init(&seen->text, 0);
	spec.append = "firn.lmbs=16 firn.node=1";
	spec.on_stop = plug;
	spec.on_console = listen;
	spec.ctx = seen;
	return testbed_replay.boot(RECORDING, &spec, r, err);
}

static void planned_stop_hands_out_a_machine(void **state)
{
	struct seen seen = {.lmbs = 16, .node = 1};
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(boot_hot_add(&seen, &r, &err), &err);
	assert_int_equal(seen.stops, 1);
	assert_true(seen.before_stop);
	assert_int_equal(seen.text.len, r.console.len);
	assert_int_equal(r.end, BOOT_DONE);
	assert_int_equal(r.n_complaints, 0);
	assert_int_equal(r.n_tests, 2);
	str_done(&seen.text);
	boot_result_done(&r);
}

static void wrong_memory_is_refused(void **state)
{
	static const struct {
		unsigned lmbs, node;
		const char *words;
	} rows[] = {{64, 1, "recorded with 16 LMBs, not 64"}, {16, 2, "no node 2"}};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct seen seen = {.lmbs = rows[i].lmbs, .node = rows[i].node};
		struct boot_result r = {0};
		struct err err = ERR_INIT;

		assert_err(boot_hot_add(&seen, &r, &err), &err, ERR_CONFIG, rows[i].words);
		str_done(&seen.text);
	}
}

static void ends_by_limits(void **state)
{
	static const struct {
		const char *end;
		double delay_s, silence_s, timeout_s;
		enum boot_end want;
		const char *reason;
	} rows[] = {
		{"silence", 0, 45, 0, BOOT_HANG, "no output for 45 s after \"up\""},
		{"timeout", 0, 0, 70, BOOT_HANG, "not done after 70 s"},
		{"timeout", 0, 0, 0, BOOT_HANG, "not done after 300 s"},
		{"exited", 0.02, 0, 0, BOOT_EXITED, "without a word from init"},
		{"exited", 60, 0.02, 50, BOOT_HANG, "no output for 0.02 s"},
		{"killed", 60, 50, 0.02, BOOT_HANG, "not done after 0.02 s"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *json = xasprintf(
			"{\"boots\": [{\"console\": \"c\", \"end\": \"%s\", \"delay_s\": %g}]}",
			rows[i].end, rows[i].delay_s);
		struct boot_spec spec = spec_for("k");
		struct boot_result r = {0};
		struct err err = ERR_INIT;
		struct folder f = folder_make(json, "[    0.100000] up\n");

		spec.silence_s = rows[i].silence_s;
		spec.timeout_s = rows[i].timeout_s;
		assert_ok(testbed_replay.boot(f.path, &spec, &r, &err), &err);
		if (r.end != rows[i].want || !strstr(r.reason, rows[i].reason))
			fail_msg("%s: %s", boot_end_name(r.end), r.reason);
		boot_result_done(&r);
		folder_remove(&f);
	}
}

static void match_on_count(void **state)
{
	struct boot_spec spec = spec_for("k");
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	struct folder f = folder_make(
		"{\"boots\": [{\"match\": {\"count\": true, \"initramfs\": \"*root*\"}, "
		"\"console\": \"c\"}]}",
		"x\n");
	assert_err(testbed_replay.boot(f.path, &spec, &r, &err), &err, ERR_CONFIG,
		   "no boot is recorded for kernel k, append \"\"");
	spec.count = true;
	assert_ok(testbed_replay.boot(f.path, &spec, &r, &err), &err);
	assert_int_equal(r.end, BOOT_SILENT);
	boot_result_done(&r);
	folder_remove(&f);
}

static void bad_recordings(void **state)
{
	static const struct {
		const char *json, *words;
	} rows[] = {
		{"{\"boots\": [", "replay.json"},
		{"{}", "\"boots\" is not a list"},
		{"{\"boots\": []}", "\"boots\" is not a list"},
		{"{\"boots\": [{}]}", "boot 1: Object item not found: console"},
		{"{\"boots\": [{\"console\": 3}]}", "boot 1: Expected string"},
		{"{\"boots\": [{\"console\": \"c\", \"ende\": \"x\"}]}", "boot 1: "},
		{"{\"boots\": [{\"console\": \"c\", \"match\": {\"kernl\": \"x\"}}]}", "boot 1: "},
		{"{\"boots\": [{\"console\": \"c\", \"end\": \"x\"}]}", "boot 1: \"end\" is \"x\""},
		{"{\"boots\": [{\"console\": \"../c\"}]}", "beside replay.json"},
		{"{\"boots\": [{\"console\": \"c\"}, {\"console\": \"d\"}]}", "boot 2: no file"},
	};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct folder f = folder_make(rows[i].json, "");

		assert_err(testbed_replay.probe(f.path, &err), &err, ERR_CONFIG, rows[i].words);
		folder_remove(&f);
	}
	assert_err(testbed_replay.probe("", &err), &err, ERR_CONFIG, "replay:DIR");
	assert_err(testbed_replay.probe("/nowhere", &err), &err, ERR_CONFIG,
		   "/nowhere/replay.json");
	assert_ok(testbed_replay.probe(RECORDING, &err), &err);
}

/* Last: a cancelled process stays cancelled. */
static void cancel_ends_a_delay(void **state)
{
	struct boot_spec spec = spec_for("k");
	struct boot_result r = {0};
	struct err err = ERR_INIT;
	double begun = clock_mono();

	(void)state;
	struct folder f =
		folder_make("{\"boots\": [{\"console\": \"c\", \"delay_s\": 30}]}", "x\n");
	cancel_init();
	raise(SIGTERM);
	assert_int_equal(testbed_replay.boot(f.path, &spec, &r, &err), ERR_CANCELLED);
	assert_true(clock_mono() - begun < 5);
	assert_null(r.reason);
	folder_remove(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_match_wins),
		cmocka_unit_test(killed_is_ours),
		cmocka_unit_test(planned_stop_hands_out_a_machine),
		cmocka_unit_test(wrong_memory_is_refused),
		cmocka_unit_test(ends_by_limits),
		cmocka_unit_test(match_on_count),
		cmocka_unit_test(bad_recordings),
		cmocka_unit_test(cancel_ends_a_delay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
