// SPDX-License-Identifier: GPL-2.0-or-later
/* /testbeds: how they are, and what `firn calibrate` found of the benchmarks on them. */
#include "base/json.h"
#include "store/queue.h"
#include "web/html.h"
#include <dirent.h>
#include <sys/stat.h>

#define LIVES_S		 5
#define CALIBRATIONS_MAX 100
#define FILE_MAX	 (4 << 20)

static void row(struct str *out, const struct store_testbed *t)
{
	str_adds(out, "<tr><td>");
	html_word(out, t->good ? "pass" : "fail");
	str_adds(out, "</td><th scope=\"row\">");
	html_bdi(out, t->name);
	str_addf(out, "</th><td class=\"when\">%s", t->good ? "" : "out since ");
	html_when(out, t->since);
	str_addf(out, "</td><td class=\"n\">%lld</td><td class=\"n\">%lld</td><td class=\"n\">",
		 (long long)t->boots, (long long)t->failed);
	if (t->boots)
		str_addf(out, "%.2f %%", 100.0 * (double)(t->boots - t->failed) / (double)t->boots);
	str_adds(out, "</td><td class=\"when\">");
	html_when(out, t->checked);
	str_adds(out, "</td><td>");
	html_words(out, t->words, 300);
	str_adds(out, "</td></tr>\n");
}

static void table(struct str *out, const struct store_testbed_list *l)
{
	if (!l->n) {
		str_adds(out, "<p class=\"empty\">None has been used yet: the first boot of "
			      "<code>firn serve</code> brings one in.</p>\n");
		return;
	}
	str_adds(out, "<div class=\"wide\"><table class=\"testbeds\">\n<thead><tr>"
		      "<th scope=\"col\">State</th><th scope=\"col\">Testbed</th>"
		      "<th scope=\"col\">Since</th><th scope=\"col\" class=\"n\">Boots</th>"
		      "<th scope=\"col\" class=\"n\">Failed by its own fault</th>"
		      "<th scope=\"col\" class=\"n\">Success</th><th scope=\"col\">Looked at</th>"
		      "<th scope=\"col\">What it said</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < l->n; i++)
		row(out, &l->testbed[i]);
	str_adds(out, "</tbody></table></div>\n");
}

static void aim_row(struct str *out, const json_t *aim)
{
	const char *state = json_get_str(aim, "state", "");

	str_adds(out, "<tr><td>");
	html_word(out, strcmp(state, "shown") == 0    ? "pass"
		       : strcmp(state, "missed") == 0 ? "fail"
						      : "skip");
	str_adds(out, "</td><th scope=\"row\">");
	html_cut(out, json_get_str(aim, "what", ""), 200);
	str_adds(out, "</th><td>");
	html_cut(out, state, 40);
	str_addf(out,
		 "</td><td class=\"n\">%.0f of %.0f</td><td class=\"n\">%.2f %%</td>"
		 "<td class=\"n\">%.2f %%</td></tr>\n",
		 json_get_num(aim, "k", 0), json_get_num(aim, "n", 0),
		 100 * json_get_num(aim, "rate", 0), 100 * json_get_num(aim, "bound", 0));
}

static void calibration_head(struct str *out, const json_t *c)
{
	const json_t *boots = json_object_get(c, "boots");

	str_adds(out, "<section class=\"calibration\">\n<h3>");
	html_cut(out, json_get_str(c, "bench", ""), 80);
	str_adds(out, " on ");
	html_cut(out, json_get_str(c, "testbed", ""), 80);
	str_adds(out, ", ");
	html_cut(out, json_get_str(c, "mode", ""), 20);
	str_addf(out,
		 " mode</h3>\n<p class=\"note\">%.0f runs, %.0f boots (%.0f reached their "
		 "end), base ",
		 json_get_num(c, "runs", 0), json_get_num(boots, "made", 0),
		 json_get_num(boots, "good", 0));
	html_bdi(out, json_get_str(c, "base", ""));
	str_adds(out, ", finished ");
	html_cut(out, json_get_str(c, "finished", ""), 20);
	str_adds(out, "</p>\n");
}

static void calibration(struct str *out, const json_t *c)
{
	const json_t *aims = json_object_get(c, "aims"), *aim;
	size_t i;

	calibration_head(out, c);
	if (json_array_size(aims)) {
		str_adds(out, "<div class=\"wide\"><table class=\"aims\">\n<thead><tr>"
			      "<th scope=\"col\">State</th><th scope=\"col\">Aim</th>"
			      "<th scope=\"col\">So far</th>"
			      "<th scope=\"col\" class=\"n\">Seen</th>"
			      "<th scope=\"col\" class=\"n\">Rate</th>"
			      "<th scope=\"col\" class=\"n\">Bound</th></tr></thead>\n<tbody>\n");
		json_array_foreach (aims, i, aim)
			aim_row(out, aim);
		str_adds(out, "</tbody></table></div>\n");
	}
	str_adds(out, "</section>\n");
}

static int is_result(const struct dirent *d)
{
	return d->d_name[0] != '.' && str_ends(d->d_name, ".json");
}

static bool is_small(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_MAX;
}

static void calibrations(struct str *out, const char *cache_dir)
{
	auto_free char *dir = xasprintf("%s/calibration", cache_dir ? cache_dir : "");
	struct dirent **entry = NULL;
	int n = cache_dir ? scandir(dir, &entry, is_result, alphasort) : 0, shown = 0;

	for (int i = 0; i < n; i++) {
		auto_free char *path = xasprintf("%s/%s", dir, entry[i]->d_name);
		auto_json json_t *c = NULL;
		struct err ignored = ERR_INIT;

		if (shown < CALIBRATIONS_MAX && is_small(path) &&
		    json_read(path, ERR_INPUT, &c, &ignored) == 0) {
			calibration(out, c);
			shown++;
		}
		free(entry[i]);
	}
	free(entry);
	if (!shown)
		str_adds(out, "<p class=\"empty\">No benchmark has been calibrated here: "
			      "<code>firn calibrate --bench NAME --tree TREE</code> does it, and "
			      "keeps what it found.</p>\n");
}

void page_testbeds(const struct request *q, struct response *r)
{
	struct store_testbed_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	struct str *out = &r->body;

	if (respond_store(q, r, &store) < 0)
		return;
	if (store_testbed_list(store, &l, &err) < 0) {
		respond_failure(q, r, &err, "The testbeds cannot be read.");
		return;
	}
	r->lives_s = LIVES_S;
	page_begin(out, &(struct page){.title = "Testbeds", .section = PAGE_TESTBEDS, .q = q});
	str_adds(out, "<h1>Testbeds</h1>\n");
	table(out, &l);
	str_adds(out, "<h2>Calibration of the benchmarks</h2>\n<p class=\"note\">How often a "
		      "benchmark is wrong where the answer is known.</p>\n");
	calibrations(out, q->opt->cache_dir);
	page_end(out, q);
	store_testbed_list_done(&l);
}
