// SPDX-License-Identifier: GPL-2.0-or-later
/* How the service is: counts that an index holds, nothing that grows with the store. */
#include "store/views.h"

#include "store/sql.h"

static const char health_sql[] =
	"SELECT (SELECT count(*) FROM mail WHERE state = 'new'),"
	" (SELECT count(*) FROM posting WHERE state = 'incomplete'),"
	" (SELECT count(*) FROM trial WHERE state = 'waiting'),"
	" (SELECT count(*) FROM trial WHERE state = 'running'),"
	" (SELECT count(*) FROM to_say CROSS JOIN outbox o ON o.id = to_say.outbox"
	"  LEFT JOIN delivery d ON d.outbox = o.id WHERE held AND NOT withdrawn AND (d.state IS "
	"NULL OR d.revision < o.revision)),"
	" (SELECT count(*) FROM delivery d JOIN outbox o ON o.id = d.outbox"
	"  WHERE d.state = 'failed' AND d.revision = o.revision),"
	" (SELECT count(*) FROM source), (SELECT count(*) FROM source WHERE failures > 0),"
	" (SELECT count(*) FROM testbed), (SELECT count(*) FROM testbed WHERE state = 'out'),"
	" (SELECT max(good) FROM source),"
	" max(coalesce((SELECT max(finished) FROM trial WHERE state = 'finished'), 0),"
	"  coalesce((SELECT max(started) FROM trial WHERE state = 'running'), 0)),"
	" (SELECT max(id) FROM trial)";

int view_health(struct store *s, struct view_health *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, health_sql, &stmt, err);

	if (rc == 0)
		rc = sql_step(s, stmt, "looking how the service is", err);
	if (rc < 0)
		return rc;
	*ret = (struct view_health){
		.mails_new = sqlite3_column_int64(stmt, 0),
		.incomplete = sqlite3_column_int64(stmt, 1),
		.waiting = sqlite3_column_int64(stmt, 2),
		.running = sqlite3_column_int64(stmt, 3),
		.held = sqlite3_column_int64(stmt, 4),
		.failed = sqlite3_column_int64(stmt, 5),
		.sources = sqlite3_column_int64(stmt, 6),
		.sources_bad = sqlite3_column_int64(stmt, 7),
		.testbeds = sqlite3_column_int64(stmt, 8),
		.testbeds_out = sqlite3_column_int64(stmt, 9),
		.good = sqlite3_column_int64(stmt, 10),
		.last = sqlite3_column_int64(stmt, 11),
		.newest = sqlite3_column_int64(stmt, 12),
	};
	return 0;
}
