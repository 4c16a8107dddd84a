// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about permissions of files in sysfs, debugfs and /proc. */
#include "checkers/checkpatch/stretch.h"

/* --- S_IRUGO and the like --- */

static const struct {
	const char *name;
	unsigned bits;
} symbols[] = {
	{"S_IRWXUGO", 0777}, {"S_IRUGO", 0444}, {"S_IWUGO", 0222}, {"S_IXUGO", 0111},
	{"S_IRWXU", 0700},   {"S_IRUSR", 0400}, {"S_IWUSR", 0200}, {"S_IXUSR", 0100},
	{"S_IRWXG", 0070},   {"S_IRGRP", 0040}, {"S_IWGRP", 0020}, {"S_IXGRP", 0010},
	{"S_IRWXO", 0007},   {"S_IROTH", 0004}, {"S_IWOTH", 0002}, {"S_IXOTH", 0001},
};

#define SYMBOL	"S_I(?:RWX(?:UGO|[UGO])|[RWX](?:UGO|USR|GRP|OTH))\\b"
#define SYMBOLS SYMBOL "(?:\\s*\\|\\s*" SYMBOL ")*"

static unsigned symbol_bits(const char *s, size_t n)
{
	for (size_t i = 0; i < array_size(symbols); i++)
		if (strlen(symbols[i].name) == n && memcmp(symbols[i].name, s, n) == 0)
			return symbols[i].bits;
	return 0;
}

/* Of "S_IRUGO | S_IWUSR". */
static unsigned symbols_bits(const char *s, size_t n)
{
	unsigned bits = 0;

	for (size_t at = 0, end; at < n; at = end + 1) {
		size_t len;

		end = at;
		while (end < n && s[end] != '|')
			end++;
		len = end - at;
		while (len && strchr(" \t\n", s[at])) {
			at++;
			len--;
		}
		while (len && strchr(" \t\n", s[at + len - 1]))
			len--;
		bits |= symbol_bits(s + at, len);
	}
	return bits;
}

static void find_symbols(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	static struct pattern *p;
	struct rule_subject rest = *s;
	struct pattern_match m;

	while (subject_find(&p, "\\b" SYMBOLS, &rest, &m)) {
		const char *end = m.group[0].s + m.group[0].len;
		auto_free char *text = xasprintf("%.*s is 0%03o", (int)m.group[0].len, m.group[0].s,
						 symbols_bits(m.group[0].s, m.group[0].len));

		rule_report(run, rule, s, text);
		rest.len -= (size_t)(end - rest.text);
		rest.text = end;
	}
}

/* --- functions that take a mode --- */

static const struct {
	const char *name; /* an expression */
	unsigned before;  /* arguments before the mode */
} takers[] = {
	{"module_param", 2},
	{"module_param_named", 3},
	{"module_param_array", 3},
	{"module_param_array_named", 4},
	{"module_param_string", 3},
	{"debugfs_create_(?:file|u8|u16|u32|u64|x8|x16|x32|x64|size_t|atomic_t|bool|blob|regset32|"
	 "u32_array)",
	 1},
	{"proc_create(?:_data)?", 1},
	{"(?:CLASS|DEVICE|SENSOR|SENSOR_DEVICE|IIO_DEVICE)_ATTR", 1},
	{"SENSOR_(?:DEVICE_)?ATTR_2", 1},
	{"__ATTR", 1},
	{"SENSOR_TEMPLATE(?:_2)?", 2},
	{"IIO_DEV_ATTR_CH_OFF", 1},
	{"IIO_DEV_ATTR_(?!CH_OFF\\b)[A-Z_]+", 0},
};

/* The number that is the mode. */
static bool find_mode(const struct stretch *t, size_t i, struct pattern_match *ret)
{
	static struct pattern *patterns[array_size(takers)];
	static char *expressions[array_size(takers)];

	if (!patterns[i])
		expressions[i] = xasprintf("\\b%s\\s*\\(\\s*(?:[^,]*,\\s*){%u}(\\d+)\\s*[,)]",
					   takers[i].name, takers[i].before);
	return stretch_find(&patterns[i], expressions[i], t, ret);
}

/* Module parameters may be 0: they have no file then. */
static bool is_four_octal(const struct pattern_match *m, bool may_be_none)
{
	if (m->group[1].len == 1 && may_be_none)
		return m->group[1].s[0] == '0';
	if (m->group[1].len != 4 || m->group[1].s[0] != '0')
		return false;
	for (size_t i = 1; i < 4; i++)
		if (m->group[1].s[i] > '7')
			return false;
	return true;
}

static bool is_world_writable(const struct pattern_match *m)
{
	const char *s = m->group[1].s;
	size_t n = m->group[1].len;

	return n > 1 && s[0] == '0' && strchr("2367", s[n - 1]);
}

static void find_number(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	bool is_octal_rule = strcmp(rule->type, "NON_OCTAL_PERMISSIONS") == 0;
	struct stretch t = stretch_of(s);

	for (size_t i = 0; i < array_size(takers); i++) {
		struct pattern_match m;

		/* The name is on the line itself. */
		if (!find_mode(&t, i, &m) || !stretch_is_first_line(&t, &m))
			continue;
		if (is_octal_rule ? !is_four_octal(&m, i < 5) : is_world_writable(&m))
			pattern_report(run, rule, s, &m, 1);
	}
}

/* --- DEVICE_ATTR --- */

static bool is_name_and(const struct pattern_match *m, unsigned group, const char *suffix)
{
	size_t n = m->group[1].len;

	return m->group[group].len == n + strlen(suffix) &&
	       memcmp(m->group[group].s, m->group[1].s, n) == 0 &&
	       memcmp(m->group[group].s + n, suffix, strlen(suffix)) == 0;
}

static const char *attribute_type(const struct pattern_match *m, unsigned bits)
{
	bool show = is_name_and(m, 3, "_show"), store = is_name_and(m, 4, "_store");

	if (bits == 0644)
		return show && store ? "DEVICE_ATTR_RW" : "DEVICE_ATTR_FUNCTIONS";
	if (bits == 0444)
		return show && pattern_is(m, 4, "NULL") ? "DEVICE_ATTR_RO"
							: "DEVICE_ATTR_FUNCTIONS";
	if (bits == 0200)
		return store && pattern_is(m, 3, "NULL") ? "DEVICE_ATTR_WO"
							 : "DEVICE_ATTR_FUNCTIONS";
	return "DEVICE_ATTR_PERMS";
}

static void find_attribute(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	static struct pattern *p;
	struct stretch t = stretch_of(s);
	struct pattern_match m;
	unsigned bits;

	if (!stretch_find(&p,
			  "\\bDEVICE_ATTR\\s*\\(\\s*(\\w+)\\s*,\\s*(0[0-7]{3}|" SYMBOLS
			  ")\\s*,\\s*(\\w+)\\s*,\\s*(\\w+)\\s*\\)",
			  &t, &m))
		return;
	if (m.group[2].s[0] == '0')
		bits = (unsigned)strtoul(m.group[2].s, NULL, 8);
	else
		bits = symbols_bits(m.group[2].s, m.group[2].len);
	if (strcmp(rule->type, attribute_type(&m, bits)) == 0)
		pattern_report(run, rule, s, &m, 1);
}

#define ATTRIBUTE(name, says, why)                                                                 \
	{                                                                                          \
		.type = name, .level = FINDING_WARNING, .scope = RULE_STATEMENT,                   \
		.files = FILE_CODE, .need = "DEVICE_ATTR", .find = find_attribute,                 \
		.message = says, .help = why                                                       \
	}

static const struct rule rules[] = {
	ATTRIBUTE("DEVICE_ATTR_RW", "DEVICE_ATTR_RW() is this with one argument",
		  "Mode 0644, NAME_show() and NAME_store() are what it takes."),
	ATTRIBUTE("DEVICE_ATTR_RO", "DEVICE_ATTR_RO() is this with one argument",
		  "Mode 0444 and NAME_show() are what it takes."),
	ATTRIBUTE("DEVICE_ATTR_WO", "DEVICE_ATTR_WO() is this with one argument",
		  "Mode 0200 and NAME_store() are what it takes."),
	ATTRIBUTE("DEVICE_ATTR_FUNCTIONS", "functions of an attribute have its name",
		  "NAME_show() and NAME_store(): then DEVICE_ATTR_RW() and the like fit."),
	ATTRIBUTE("DEVICE_ATTR_PERMS", "an attribute with unusual permissions",
		  "0644, 0444 and 0200 are what attributes have, for reading and for writing."),
	{
		.type = "SYMBOLIC_PERMS",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "S_I",
		.find = find_symbols,
		.message = "permissions are easier to read as octal numbers",
		.help = "0644 is what ls and chmod show, too.",
	},
	{
		.type = "NON_OCTAL_PERMISSIONS",
		.level = FINDING_ERROR,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "module_param|debugfs_create_|proc_create|ATTR|SENSOR_TEMPLATE",
		.find = find_number,
		.message = "permissions are octal, with four digits",
		.help = "644 without a leading 0 is 01204.",
	},
	{
		.type = "EXPORTED_WORLD_WRITABLE",
		.level = FINDING_ERROR,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "module_param|debugfs_create_|proc_create|ATTR|SENSOR_TEMPLATE",
		.find = find_number,
		.message = "everybody may write to this file",
		.help = "Leave writing to the owner: 0644.",
	},
	{
		.type = "EXPORTED_WORLD_WRITABLE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "debugfs_create_|DEVICE_ATTR",
		.pattern = "(?:debugfs_create_\\w+|DEVICE_ATTR).*"
			   "\\b(?:S_IWUGO|S_IWOTH|S_IRWXUGO|S_IALLUGO|0[0-7][0-7][2367])\\b",
		.message = "a file that everybody may write to",
		.help = "Leave writing to the owner: 0644.",
	},
};

const struct rule_family family_permission = {"permission", rules, array_size(rules)};
