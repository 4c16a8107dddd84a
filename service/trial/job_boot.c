// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/json.h"
#include "testbeds/complaint.h"
#include "testbeds/testbed.h"
#include "trial/guest.h"
#include "trial/job.h"

static json_t *complaint_list(const struct boot_result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_complaints; i++) {
		const struct complaint *c = &r->complaint[i];
		json_t *row = json_object(), *lines = json_array();

		for (size_t k = 0; k < c->n_lines; k++)
			json_array_append_new(lines, json_text(c->line[k]));
		json_object_set_new(row, "kind", json_text(complaint_kind_name(c->kind)));
		json_object_set_new(row, "title", json_text(c->title));
		json_object_set_new(row, "key", json_text(c->key));
		json_object_set_new(row, "lines", lines);
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *test_list(const struct boot_result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_tests; i++) {
		json_t *row = json_object();

		json_object_set_new(row, "name", json_text(r->test[i].name));
		json_object_set_new(row, "outcome", json_text(outcome_name(r->test[i].outcome)));
		json_object_set_new(row, "note", json_text(r->test[i].note));
		json_array_append_new(list, row);
	}
	return list;
}

/* The last lines of the console, for a boot that did not end well. */
#define TAIL_LINES 15

static json_t *console_tail(const struct str *console)
{
	json_t *list = json_array();
	const char *p = console->buf + console->len;
	unsigned lines = 0;

	while (p > console->buf && lines <= TAIL_LINES)
		lines += *--p == '\n';
	p += *p == '\n';
	while (*p) {
		size_t n = strcspn(p, "\r\n");

		if (n)
			json_array_append_new(list, json_text_n(p, n));
		p += n + strspn(p + n, "\r\n");
	}
	return list;
}

static json_t *boot_data(const struct boot_result *r)
{
	json_t *data = json_object();

	json_object_set_new(data, "end", json_text(boot_end_name(r->end)));
	json_object_set_new(data, "reason", json_text(r->reason));
	json_object_set_new(data, "complaints", complaint_list(r));
	json_object_set_new(data, "tests", test_list(r));
	json_object_set_new(data, "guest_seconds", json_real(r->guest_seconds));
	json_object_set_new(data, "host_seconds", json_real(r->host_seconds));
	json_object_set_new(data, "tail", console_tail(&r->console));
	return data;
}

/* What a machine may have; the argument comes from our own tables. */
#define NODES_MAX 16

/* [[cpus, MiB], ...] */
static unsigned nodes_read(const json_t *list, struct boot_node *ret)
{
	unsigned n = 0;
	const json_t *item;
	size_t i;

	json_array_foreach (list, i, item)
		if (n < NODES_MAX)
			ret[n++] = (struct boot_node){
				.cpus = (unsigned)json_integer_value(json_array_get(item, 0)),
				.memory_mib =
					(unsigned)json_integer_value(json_array_get(item, 1))};
	return n;
}

static int boot(const struct job *job, const char *kernel, const char *initramfs,
		struct boot_result *ret, struct err *err)
{
	struct boot_node node[NODES_MAX];
	unsigned nodes = nodes_read(json_object_get(job->args, "nodes"), node);
	struct boot_spec spec = {.kernel = kernel,
				 .initramfs = initramfs,
				 .append = "firn.mode=boot",
				 .cpus = (unsigned)json_get_num(job->args, "cpus", 1),
				 .nodes = nodes ? nodes : 2,
				 .node = nodes ? node : NULL,
				 .timeout_s = json_get_num(job->args, "timeout", 0),
				 .silence_s = json_get_num(job->args, "silence", 0),
				 .work_dir = job->dir};
	const struct testbed *testbed;
	const char *name, *arg;
	int rc = job_arg_str(job, "testbed", &name, err);

	if (rc < 0)
		return rc;
	testbed = testbed_find(name, &arg);
	if (!testbed)
		return err_set(err, ERR_CONFIG, "no testbed \"%s\"", name);
	/* Guest time by instructions where it can be had: then a busy host makes no lockup or
	 * stall. */
	spec.count = testbed->caps & TESTBED_COUNT;
	job_progress("booting", 0, 0);
	return testbed->boot(arg, &spec, ret, err);
}

static int run(const struct job *job, json_t **ret_data, struct err *err)
{
	auto_free char *cpio = xasprintf("%s/initramfs.cpio", job->dir);
	auto_free char *vmlinux = NULL;
	const char *artifact, *cache;
	struct boot_result r = {0};
	int rc = job_arg_str(job, "artifact", &artifact, err);

	if (rc == 0)
		rc = job_arg_str(job, "cache", &cache, err);
	if (rc == 0)
		rc = guest_prepare(artifact, cache, cpio, &vmlinux, err);
	if (rc == 0)
		rc = boot(job, vmlinux, cpio, &r, err);
	if (rc == 0)
		rc = fs_write_atomic(job->log, r.console.buf, r.console.len, err);
	if (rc == 0)
		*ret_data = boot_data(&r);
	boot_result_done(&r);
	return rc;
}

const struct job_kind job_boot = {
	.name = "boot", .summary = "boot one kernel on a testbed", .run = run};
