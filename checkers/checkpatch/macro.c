// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/macro.h"

/* For reading tokens [from, to) again, with all that is then asked about them. */
static bool pay(struct view *v, uint32_t from, uint32_t to)
{
	size_t cost = (size_t)(to - from) * 8;

	if (v->fuel < cost)
		return false;
	v->fuel -= cost;
	return true;
}

bool macro_read(const struct cline *l, struct macro *ret)
{
	struct macro m = {.line = *l, .token = l->token, .open = CTOKEN_NONE, .close = CTOKEN_NONE};
	uint32_t name = l->first + 2, last = l->line;
	/* One that another goes on with: the last of a hundred would be read a hundred times. */
	bool is_nested = l->first && l->token[l->first - 1].kind == CT_SPLICE;

	if (!cline_directive(l, "define") || name >= l->end)
		return false;
	m.body = name + 1;
	if (m.body < l->end && ctoken_is(&l->token[m.body], '(') &&
	    l->token[m.body].at == ctoken_end(&l->token[name])) {
		/* No brackets are in there, so the first that closes is it. */
		for (m.close = m.body; m.close < l->end; m.close++)
			if (ctoken_is(&l->token[m.close], ')'))
				break;
		m.open = m.body;
		m.body = m.close + 1;
		if (m.close == l->end)
			return false;
	}
	m.end = l->end;
	while (m.end > m.body && l->token[m.end - 1].kind == CT_SPLICE) {
		last = view_next(l->view, last);
		if (last == VIEW_NONE)
			break;
		if (l->code->tokens.first[last + 1] == l->code->tokens.first[last])
			break;
		if (is_nested && !pay(l->view, m.end, l->code->tokens.first[last + 1]))
			return false;
		m.end = l->code->tokens.first[last + 1];
	}
	while (m.end > m.body && l->token[m.end - 1].kind == CT_SPLICE)
		m.end--;
	*ret = m;
	return m.end > m.body;
}

uint32_t macro_next(const struct macro *m, uint32_t i)
{
	do
		i++;
	while (i < m->end && m->token[i].kind == CT_SPLICE);
	return i;
}

uint32_t macro_first(const struct macro *m)
{
	return m->token[m->body].kind == CT_SPLICE ? macro_next(m, m->body) : m->body;
}

uint32_t macro_skip(const struct macro *m, uint32_t i)
{
	if (m->token[i].kind == CT_OPEN && m->token[i].match < m->end)
		i = m->token[i].match;
	return macro_next(m, i);
}

bool macro_is_pasted(const struct macro *m, uint32_t i)
{
	return (i > m->body && m->token[i - 1].kind == CT_HASH) ||
	       (i + 1 < m->end && m->token[i + 1].kind == CT_HASH);
}
