// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/ipi_log.h"

#include "base/str.h"
#include "testbeds/bench/sampler.h"
#include <ctype.h>
#include <math.h>

#define LINE_MAX_LEN 1024

/* More is no count. A double holds it, and a sum of IPI_CPUS_MAX of them. */
#define NUMBER_MAX ((uint64_t)1 << 47)

const char *const ipi_kind_name[IPI_KINDS] = {
	[IPI_ONE_TO_MANY] = "one-to-many",
	[IPI_EACH_IN_TURN] = "each-in-turn",
	[IPI_ALL_TO_ALL] = "all-to-all",
	[IPI_ALL_TO_CHIP] = "all-to-all-chip",
};

/* Takes the next word; NULL at the end. */
static char *word_take(char **text)
{
	char *word;

	do
		word = strsep(text, " \t");
	while (word && !*word);
	return word;
}

static bool number_parse(const char *word, uint64_t *ret)
{
	uint64_t n = 0;

	if (!word || !*word)
		return false;
	for (; isdigit((unsigned char)*word) && n < NUMBER_MAX; word++)
		n = n * 10 + (uint64_t)(*word - '0');
	if (*word || n >= NUMBER_MAX)
		return false;
	*ret = n;
	return true;
}

/* The word `key`, then a number. */
static bool field_take(char **text, const char *key, uint64_t *ret)
{
	const char *word = word_take(text);

	return word && strcmp(word, key) == 0 && number_parse(word_take(text), ret);
}

/* "one-to-many 8" */
static struct ipi_run *run_take(struct ipi_log *log, char **text)
{
	const char *name = word_take(text);
	struct ipi_run *r = log->run;
	enum ipi_kind kind = 0;
	uint64_t cpus;

	while (kind < IPI_KINDS && name && strcmp(name, ipi_kind_name[kind]) != 0)
		kind++;
	if (!name || kind == IPI_KINDS || !number_parse(word_take(text), &cpus) || cpus < 2 ||
	    cpus > IPI_CPUS_MAX)
		return NULL;
	while (r < log->run + log->n_runs && (r->kind != kind || r->cpus != cpus))
		r++;
	if (r == log->run + IPI_RUNS_MAX)
		return NULL;
	if (r == log->run + log->n_runs) {
		log->n_runs++;
		r->kind = kind;
		r->cpus = (unsigned)cpus;
	}
	return r;
}

static double rate_of(uint64_t sent, uint64_t ns)
{
	return sent && ns ? (double)sent * 1e9 / (double)ns : 0;
}

/* "one-to-many 8 sent 994 ns 4661000" */
static void read_run(struct ipi_log *log, char *text)
{
	struct ipi_run *r = run_take(log, &text);
	uint64_t sent, ns;

	if (!r || !field_take(&text, "sent", &sent) || !field_take(&text, "ns", &ns) ||
	    word_take(&text) || !rate_of(sent, ns))
		return;
	r->rate = fmax(r->rate, rate_of(sent, ns));
	r->repeats++;
}

/* "one-to-many 8 0 node 0 calls 994 sent 6958 received 0 ns 32627000" */
static void read_cpu(struct ipi_log *log, char *text)
{
	struct ipi_run *r = run_take(log, &text);
	uint64_t cpu, node, calls, sent, received, ns;

	if (r && number_parse(word_take(&text), &cpu) && cpu < IPI_CPUS_MAX &&
	    field_take(&text, "node", &node) && field_take(&text, "calls", &calls) &&
	    field_take(&text, "sent", &sent) && field_take(&text, "received", &received) &&
	    field_take(&text, "ns", &ns) && !word_take(&text))
		r->cpu_rate[cpu] = rate_of(sent, ns);
}

static bool is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

	return n && !s[n] && n < IPI_NAME_MAX;
}

static struct ipi_line *line_get(struct ipi_log *log, const char *name)
{
	struct ipi_line *l = log->line;

	if (!is_name(name))
		return NULL;
	while (l < log->line + log->n_lines && strcmp(l->name, name) != 0)
		l++;
	if (l == log->line + IPI_LINES_MAX)
		return NULL;
	if (l == log->line + log->n_lines) {
		log->n_lines++;
		memcpy(l->name, name, strlen(name) + 1); /* is_name() knows its length */
	}
	return l;
}

/* " 16: 15070 44627 XIVE-IPI 0 Edge IPI-0": counts by CPU, then words, the last of which names it.
 * "DBL: 0 0 Doorbell interrupts" has its name in front. */
static struct ipi_line *line_parse(struct ipi_log *log, char *text, unsigned cpus,
				   uint64_t count[static IPI_CPUS_MAX])
{
	char *label = word_take(&text), *last = NULL, *word;
	size_t n = label ? strlen(label) : 0;

	if (n < 2 || label[n - 1] != ':')
		return NULL;
	label[n - 1] = '\0';
	for (unsigned i = 0; i < cpus; i++)
		if (!number_parse(word_take(&text), &count[i]))
			return NULL;
	while ((word = word_take(&text)) != NULL)
		last = word;
	return last ? line_get(log, isdigit((unsigned char)label[0]) ? last : label) : NULL;
}

/* "CPU0 CPU1": how many. 0 when it is no such line. */
static unsigned header_cpus(const char *text)
{
	unsigned n = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		auto_free char *want = xasprintf("CPU%u", n);
		size_t len = strcspn(text, " ");

		if (n == IPI_CPUS_MAX || len != strlen(want) || memcmp(text, want, len) != 0)
			return 0;
		text += len;
		n++;
	}
	return n;
}

/* "before" or "after", then a line of /proc/interrupts. `*cpus`: its columns, once they are known.
 */
static void read_line(struct ipi_log *log, char *text, unsigned *cpus)
{
	const char *when = strsep(&text, " ");
	bool after = strcmp(when, "after") == 0;
	uint64_t count[IPI_CPUS_MAX] = {0};
	unsigned header = text ? header_cpus(text) : 0;
	struct ipi_line *l;

	if (header)
		*cpus = header;
	if (header || !text || (!after && strcmp(when, "before") != 0))
		return;
	l = line_parse(log, text, *cpus, count);
	if (!l || l->after)
		return;
	for (unsigned i = 0; i < *cpus; i++) {
		if (after && count[i] < l->count[i])
			count[i] = l->count[i]; /* it wrapped, or is a lie */
		l->count[i] = after ? count[i] - l->count[i] : count[i];
	}
	l->after = after;
}

void ipi_log_read(const struct boot_result *boot, struct ipi_log *ret)
{
	const char *pos = boot->console.buf, *p;
	unsigned cpus = 0;
	size_t n;

	*ret = (struct ipi_log){0};
	while (sample_line(boot, &pos, "firn: ipi ", &p, &n)) {
		char text[LINE_MAX_LEN];

		if (n >= sizeof(text) || memchr(p, '\0', n))
			continue;
		memcpy(text, p, n);
		text[n] = '\0';
		if (str_starts(text, "run "))
			read_run(ret, text + strlen("run "));
		else if (str_starts(text, "cpu "))
			read_cpu(ret, text + strlen("cpu "));
		else if (str_starts(text, "line "))
			read_line(ret, text + strlen("line "), &cpus);
	}
}

uint64_t ipi_line_total(const struct ipi_line *l)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < IPI_CPUS_MAX && l->after; i++)
		sum += l->count[i];
	return sum;
}

/* "0-3,6" */
static void served_add(struct str *s, const struct ipi_line *l)
{
	const char *comma = "";

	for (unsigned i = 0; i < IPI_CPUS_MAX; i++) {
		unsigned last = i;

		if (!l->count[i])
			continue;
		while (last + 1 < IPI_CPUS_MAX && l->count[last + 1])
			last++;
		str_addf(s, last > i ? "%s%u-%u" : "%s%u", comma, i, last);
		comma = ",";
		i = last;
	}
}

char *ipi_log_served(const struct ipi_log *log)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (const struct ipi_line *l = log->line; l < log->line + log->n_lines; l++) {
		if (!ipi_line_total(l))
			continue;
		str_addf(&s, "%s%s: CPUs ", s.len ? "; " : "", l->name);
		served_add(&s, l);
	}
	return str_take(&s);
}
