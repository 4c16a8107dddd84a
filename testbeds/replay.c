// SPDX-License-Identifier: GPL-2.0-or-later
/* Recorded consoles instead of a machine: README.md has the format of replay.json. */
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/proc.h"
#include "testbeds/console.h"
#include "testbeds/testbed.h"
#include <fnmatch.h>
#include <math.h>
#include <poll.h>

#define RECORDING_MAX ((size_t)64 << 20)

/* One row of replay.json; the strings belong to the JSON object. Patterns that are NULL match all.
 */
struct rule {
	size_t number; /* from 1 */
	const char *kernel, *initramfs, *append, *work_dir;
	int count; /* 0, 1; -1: any */
	const char *console, *end;
	double delay_s; /* real time that passes at the end of the recording */
	int lmbs;	/* what the recorded machine was given at each stop; -1: any */
};

/* The machine that a planned stop hands out: it only looks whether the recording fits. */
struct replay_machine {
	struct machine machine;
	const struct boot_spec *spec;
	const struct rule *rule;
	unsigned added_mib;
};

struct end {
	const char *word;
	enum console_machine how;
};

static const struct end ends[] = {
	{"exited", CONSOLE_EXITED},
	{"silence", CONSOLE_SILENCE},
	{"timeout", CONSOLE_TIMEOUT},
	{"killed", CONSOLE_EXITED},
};

static const struct end *end_find(const char *word)
{
	for (size_t i = 0; i < array_size(ends); i++)
		if (strcmp(ends[i].word, word) == 0)
			return &ends[i];
	return NULL;
}

static int rule_read(json_t *obj, size_t number, struct rule *ret, struct err *err)
{
	struct rule r = {.number = number, .count = -1, .end = "exited", .lmbs = -1};
	json_error_t at;

	if (json_unpack_ex(obj, &at, 0, "{s?{s?s, s?s, s?s, s?s, s?b !}, s:s, s?s, s?F, s?i !}",
			   "match", "kernel", &r.kernel, "initramfs", &r.initramfs, "append",
			   &r.append, "work_dir", &r.work_dir, "count", &r.count, "console",
			   &r.console, "end", &r.end, "delay_s", &r.delay_s, "lmbs", &r.lmbs) < 0)
		return err_set(err, ERR_CONFIG, "boot %zu: %s", number, at.text);
	if (!end_find(r.end))
		return err_set(
			err, ERR_CONFIG,
			"boot %zu: \"end\" is \"%s\", not exited, silence, timeout or killed",
			number, r.end);
	if (strchr(r.console, '/'))
		return err_set(err, ERR_CONFIG,
			       "boot %zu: \"console\" is a file beside replay.json", number);
	*ret = r;
	return 0;
}

/* `*ret_boots` is borrowed from `*ret_obj`. */
static int recording_open(const char *dir, json_t **ret_obj, json_t **ret_boots, struct err *err)
{
	auto_free char *path = xasprintf("%s/replay.json", dir);
	auto_json json_t *obj = NULL;
	json_t *boots;

	if (!*dir)
		return err_set(err, ERR_CONFIG, "replay needs a folder: replay:DIR");
	if (json_read(path, ERR_CONFIG, &obj, err) < 0)
		return err->kind;
	boots = json_object_get(obj, "boots");
	if (!json_array_size(boots))
		return err_set(err, ERR_CONFIG,
			       "%s: \"boots\" is not a list with at least one entry", path);
	*ret_boots = boots;
	*ret_obj = take(obj);
	return 0;
}

static bool glob_matches(const char *pattern, const char *text)
{
	return !pattern || fnmatch(pattern, text ? text : "", 0) == 0;
}

static bool rule_matches(const struct rule *r, const struct boot_spec *spec)
{
	return glob_matches(r->kernel, spec->kernel) &&
	       glob_matches(r->initramfs, spec->initramfs) &&
	       glob_matches(r->append, spec->append) && glob_matches(r->work_dir, spec->work_dir) &&
	       (r->count < 0 || r->count == spec->count);
}

/* The first row that matches. */
static int rule_find(json_t *boots, const struct boot_spec *spec, struct rule *ret, struct err *err)
{
	size_t i;
	json_t *obj;

	json_array_foreach (boots, i, obj) {
		struct rule r;

		if (rule_read(obj, i + 1, &r, err) < 0)
			return err->kind;
		if (rule_matches(&r, spec)) {
			*ret = r;
			return 0;
		}
	}
	return err_set(err, ERR_CONFIG, "no boot is recorded for kernel %s, append \"%s\"",
		       spec->kernel, spec->append ? spec->append : "");
}

static int replay_probe(const char *arg, struct err *err)
{
	auto_json json_t *obj = NULL;
	json_t *boots, *row;
	size_t i;

	if (recording_open(arg, &obj, &boots, err) < 0)
		return err->kind;
	json_array_foreach (boots, i, row) {
		struct rule r;

		if (rule_read(row, i + 1, &r, err) < 0)
			return err_wrap(err, "%s/replay.json", arg);
		auto_free char *path = xasprintf("%s/%s", arg, r.console);

		if (!fs_exists(path))
			return err_set(err, ERR_CONFIG, "%s/replay.json: boot %zu: no file %s", arg,
				       r.number, path);
	}
	return 0;
}

static int replay_add_memory(struct machine *m, unsigned lmbs, unsigned node, struct err *err)
{
	struct replay_machine *rm = (struct replay_machine *)m;
	const struct boot_spec *spec = rm->spec;
	unsigned at_boot = spec->memory_mib ? spec->memory_mib : 1024;

	if (rm->rule->lmbs >= 0 && (unsigned)rm->rule->lmbs != lmbs)
		return err_set(err, ERR_CONFIG, "boot %zu is recorded with %d LMBs, not %u",
			       rm->rule->number, rm->rule->lmbs, lmbs);
	if (node >= (spec->nodes ? spec->nodes : 1))
		return err_set(err, ERR_CONFIG, "there is no node %u", node);
	if ((uint64_t)at_boot + rm->added_mib + (uint64_t)lmbs * 256 > spec->max_memory_mib)
		return err_set(err, ERR_CONFIG, "no room for %u LMBs in max_memory_mib %u", lmbs,
			       spec->max_memory_mib);
	rm->added_mib += lmbs * 256;
	return 0;
}

/* What a recorded machine was asked for otherwise is not checked. */
static int replay_nothing(struct machine *m, struct err *err)
{
	(void)m;
	(void)err;
	return 0;
}

static const struct machine_ops replay_ops = {
	.add_memory = replay_add_memory,
	.remove_memory = replay_nothing,
	.add_cpu = replay_nothing,
	.remove_cpu = replay_nothing,
};

static size_t piece_len(const char *s, size_t n)
{
	const char *eol = memchr(s, '\n', n);

	return eol ? (size_t)(eol - s) + 1 : n;
}

/* Line by line, so that a planned stop comes where it was. */
static int replay_feed(struct console *c, const struct str *text, const struct boot_spec *spec,
		       const struct rule *rule, struct err *err)
{
	struct replay_machine m = {.machine.ops = &replay_ops, .spec = spec, .rule = rule};

	for (size_t at = 0, n; at < text->len; at += n) {
		unsigned stops = c->stops;

		n = piece_len(text->buf + at, text->len - at);
		console_feed(c, text->buf + at, n);
		if (spec->on_console)
			spec->on_console(spec->ctx, text->buf + at, n);
		if (cancel_requested())
			return err_cancelled(err);
		if (c->stops == stops || !spec->on_stop)
			continue;
		if (spec->on_stop(spec->ctx, &m.machine, err) < 0)
			return err->kind;
		m.machine.stops++;
	}
	return 0;
}

static int replay_wait(double seconds, struct err *err)
{
	double until = clock_mono() + seconds, left;

	while ((left = until - clock_mono()) > 0) {
		struct pollfd cancel = {.fd = cancel_fd(), .events = POLLIN};

		poll(&cancel, 1, (int)fmin(ceil(left * 1000), 60000));
		if (cancel_requested())
			return err_cancelled(err);
	}
	return 0;
}

/* Lets the recorded delay pass, up to the limits of the boot, and ends the machine. */
static int replay_end(struct console *c, const struct boot_spec *spec, const struct rule *rule,
		      struct boot_result *ret, struct err *err)
{
	double silence = spec->silence_s > 0 ? spec->silence_s : 60;
	double timeout = spec->timeout_s > 0 ? spec->timeout_s : 300;
	enum console_machine how = end_find(rule->end)->how;

	if (replay_wait(fmin(rule->delay_s, fmin(silence, timeout)), err) < 0)
		return err->kind;
	if (rule->delay_s > fmin(silence, timeout))
		how = silence <= timeout ? CONSOLE_SILENCE : CONSOLE_TIMEOUT;
	else if (strcmp(rule->end, "killed") == 0)
		return err_set(err, ERR_INFRA, "the recorded emulator was killed");
	console_finish(c, how, how == CONSOLE_TIMEOUT ? timeout : silence, ret);
	return 0;
}

static int replay_run(const char *dir, const struct boot_spec *spec, const struct rule *rule,
		      struct boot_result *ret, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s", dir, rule->console);
	auto_str struct str text;
	struct console c;
	int r;

	str_init(&text, 0);
	if (fs_read(path, RECORDING_MAX, ERR_CONFIG, &text, err) < 0)
		return err->kind;
	console_init(&c, 0);
	r = replay_feed(&c, &text, spec, rule, err);
	if (!r)
		r = replay_end(&c, spec, rule, ret, err);
	console_done(&c);
	return r;
}

static int replay_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		       struct err *err)
{
	auto_json json_t *obj = NULL;
	double started = clock_mono();
	json_t *boots;
	struct rule rule;

	if (recording_open(arg, &obj, &boots, err) < 0)
		return err->kind;
	if (rule_find(boots, spec, &rule, err) < 0)
		return err_wrap(err, "%s/replay.json", arg);
	if (replay_run(arg, spec, &rule, ret, err) < 0)
		return err->kind;
	ret->host_seconds = clock_mono() - started;
	return 0;
}

const struct testbed testbed_replay = {
	.name = "replay",
	.summary = "recorded consoles from a folder (replay:DIR), for tests",
	.caps = TESTBED_BOOT | TESTBED_COUNT | TESTBED_MEMORY_HOTPLUG | TESTBED_NUMA |
		TESTBED_MEMORY_UNPLUG,
	.probe = replay_probe,
	.boot = replay_boot,
};
