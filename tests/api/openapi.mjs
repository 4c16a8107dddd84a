// SPDX-License-Identifier: GPL-2.0-or-later
// node openapi.mjs WEB-FOLDER: is openapi.json what the server at FIRN_AT does? Its paths are those of routes.c; every GET of it
// is asked, for things that are there and for things that are not, and each answer must have a status that is documented for
// it and a body as the schema says, without members that it does not name.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.FIRN_API_MODULES}/`);
const Ajv = require('ajv/dist/2020').default;
const formats = require('ajv-formats').default;
const folder = process.argv[2];
const at = process.env.FIRN_AT;
const doc = JSON.parse(readFileSync(`${folder}/openapi.json`, 'utf8'));
let failed = 0;

function check(good, words) {
	if (good) return;
	failed++;
	console.log(`FAIL: ${words}`);
}

// The routes as the server has them. {rest} and {name} are the holes of web/path.h.
function routes() {
	const text = readFileSync(`${folder}/routes.c`, 'utf8');
	return [...text.matchAll(/\{"(GET|POST)", "(\/api\/[^"]*)"/g)].map(([, method, path]) => `${method} ${path}`);
}
function documented() {
	return Object.entries(doc.paths).flatMap(([path, item]) => Object.keys(item).map((m) => `${m.toUpperCase()} ${path}`));
}

const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
ajv.addSchema(doc, 'openapi.json');
const compiled = new Map();
function validator(pointer) {
	if (!compiled.has(pointer)) compiled.set(pointer, ajv.compile({ $ref: `openapi.json#${pointer}` }));
	return compiled.get(pointer);
}
const escaped = (key) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const encoded = (pointer) => pointer.split('/').map(encodeURIComponent).join('/');

// The answer's place in the document: of a $ref, what it names.
function response_of(path, method, status) {
	const here = `/paths/${escaped(path)}/${method}/responses/${status}`;
	const response = doc.paths[path][method].responses[status];
	return response?.$ref ? response.$ref.slice(1) : response && here;
}
function look(pointer) {
	return pointer.split('/').slice(1).reduce((o, key) => o?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], doc);
}

const seen = new Set();
async function ask(path, where, want, options = {}) {
	const method = (options.method ?? 'GET').toLowerCase();
	const answer = await fetch(at + where, { redirect: 'manual', ...options });
	const text = await answer.text();
	const words = `${method.toUpperCase()} ${where}: ${answer.status}`;
	check(answer.status === want, `${words}, not ${want}: ${text.slice(0, 300)}`);
	seen.add(`${method} ${path} ${answer.status}`);
	const pointer = response_of(path, method, answer.status);
	check(pointer, `${words} is not documented`);
	if (!pointer) return null;
	const content = look(pointer).content;
	if (!content) return check(text === '', `${words}: a body that is not documented`);
	const [type] = Object.keys(content);
	check(answer.headers.get('content-type') === type, `${words}: type ${answer.headers.get('content-type')}`);
	const valid = validator(encoded(`${pointer}/content/${escaped(type)}/schema`));
	const body = JSON.parse(text);
	if (!valid(body)) check(false, `${words}: ${ajv.errorsText(valid.errors, { separator: '\n  ' }).slice(0, 2000)}`);
	if (want === 200) {
		check(/^"[0-9a-f]+(-gz)?"$/.test(answer.headers.get('etag') ?? ''), `${words}: no ETag`);
		const same = await fetch(at + where, { headers: { 'If-None-Match': answer.headers.get('etag'), ...options.headers } });
		// The queue tells the time.
		check(same.status === 304 || path.endsWith('/queue'), `${words}: with its ETag ${same.status}`);
		const link = answer.headers.get('link');
		if ('next' in body) check(link === (body.next ? `<${body.next}>; rel="next"` : null), `${words}: Link is ${link}`);
	}
	return body;
}

// What is asked for each path: [address, status]. The ids are those of ../unit/web/api_fill.h.
const api = '/api/v1';
const trial = (after, more = []) => [[1, 200], [99, 404], ...more].map(([id, status]) => [after.replace('{id}', id), status]);
const questions = {
	'/openapi.json': [['/openapi.json', 200]],
	'/health': [['/health', 200]],
	'/queue': [['/queue', 200], ['/queue?limit=1', 200]],
	'/series': [
		['/series', 200], ['/series?limit=1', 200], ['/series?list=demo&q=tidy&author=ada', 200], ['/series?file=mm/', 200],
		['/series?before=x', 400], ['/series?state=good', 400], ['/series?limit=0', 400], ['/series?q=%ff', 400],
		...doc.components.schemas.SeriesState.enum.map((s) => [`/series?state=${encodeURIComponent(s)}`, 200]),
	],
	'/series/{id}': [['/series/1', 200], ['/series/2', 200], ['/series/3', 200], ['/series/99', 404]],
	'/m/{rest}': [['/m/v2%40example.org', 200], ['/m/hand@example.org', 200], ['/m/re@example.org', 200], ['/m/nobody@example.org', 404]],
	'/trials': [['/trials', 200], ['/trials?limit=2', 200], ['/trials?before=-1', 400]],
	'/trials/{id}': trial('/trials/{id}', [2, 3, 4, 5, 6].map((id) => [id, 200])),
	'/trials/{id}/steps': trial('/trials/{id}/steps', [[4, 200]]),
	'/trials/{id}/logs': trial('/trials/{id}/logs', [[5, 200]]),
	'/trials/{id}/log/{rest}': [
		...trial('/trials/{id}/log/jobs/01-build-base/log'), ['/trials/1/log/jobs/01-build-base/log?from=22', 200],
		['/trials/1/log/jobs/01-build-base/log?from=x', 400], ['/trials/1/log/report.json', 404], ['/trials/5/log/jobs/01-build-base/log', 404],
	],
	'/trials/{id}/report': trial('/trials/{id}/report', [[2, 410], [3, 500], [4, 404]]),
	'/kcidb/trials/{id}': trial('/kcidb/trials/{id}', [[2, 410], [3, 500], [4, 404]]),
	'/benches': [['/benches', 200]],
	'/benches/{name}': [['/benches/hot-add', 200], ['/benches/hot-add?limit=1', 200], ['/benches/hot-add?limit=1&offset=1', 200], ['/benches/none', 404]],
	'/mails': [['/mails', 200], ['/mails?limit=1&list=demo', 200], ['/mails?state=reply', 200], ['/mails?before=x', 400]],
	'/testbeds': [['/testbeds', 200]],
	'/lists': [['/lists', 200]],
	'/outbox': [['/outbox', 200], ...['held', 'open', 'sent', 'failed'].map((s) => [`/outbox?show=${s}`, 200]), ['/outbox?show=all', 400]],
	'/requests': [['/requests', 200], ['/requests?limit=1', 200], ['/requests?before=x', 400]],
	'/requests/{id}': [['/requests/1', 200], ['/requests/2', 200], ['/requests/3', 200], ['/requests/4', 404]],
};

check(JSON.stringify(routes().sort()) === JSON.stringify(documented().sort()),
	`routes.c and openapi.json differ:\n${routes().filter((r) => !documented().includes(r))}\n${documented().filter((r) => !routes().includes(r))}`);
for (const [path, item] of Object.entries(doc.paths)) {
	if (!item.get) continue;
	const rows = questions[path.slice(api.length)];
	check(rows, `nothing is asked of ${path}`);
	for (const [where, status] of rows ?? []) await ask(path, api + where, status);
	check(seen.has(`get ${path} 200`), `${path} was never answered well`);
}

// Lists are turned to their end, and each page is as documented.
for (const path of ['/series', '/trials', '/mails', '/outbox', '/requests']) {
	let pages = 0;
	for (let where = `${api}${path}?limit=1`; where; pages++) where = (await ask(api + path, where, 200))?.next;
	check(pages > 2, `${path} has ${pages} pages`);
}

// The commands print the same objects; the API's have addresses besides.
const api_only = new Set(['page', 'report']);
async function same_as_command(args, where, name, drop = []) {
	const bare = (row) => Object.fromEntries(Object.entries(row).filter(([key]) => !api_only.has(key) && !drop.includes(key)));
	const printed = JSON.parse(execFileSync(process.env.FIRN, [...args, '--json', '--config', process.env.FIRN_CONF], { encoding: 'utf8' }));
	const answer = await (await fetch(at + api + where, { headers: { Authorization: `Bearer ${process.env.FIRN_TOKEN}` } })).json();
	check(answer[name].length > 0 && JSON.stringify(printed[name].map(bare)) === JSON.stringify(answer[name].map(bare)),
		`firn ${args.join(' ')} and ${where} differ:\n${JSON.stringify(printed[name][0])}\n${JSON.stringify(answer[name][0])}`);
}
await same_as_command(['queue'], '/queue', 'queue', ['left', 'wait']); // these tell the time
await same_as_command(['ledger'], '/mails', 'mails');
await same_as_command(['outbox', '--all'], '/outbox', 'posts');
await same_as_command(['log', '4'], '/trials/4/steps', 'steps');
await same_as_command(['status'], '/testbeds', 'testbeds');
await same_as_command(['status'], '/lists', 'sources', ['good_age']);

// Who may read what is to be said.
const token = { Authorization: `Bearer ${process.env.FIRN_TOKEN}` };
const held = await ask(`${api}/outbox`, `${api}/outbox?show=held`, 200, { headers: token });
check(held?.posts[0]?.want?.body === 'the secret body', 'the token does not show what is held');
await ask(`${api}/outbox`, `${api}/outbox`, 401, { headers: { Authorization: 'Bearer wrong-wrong-wrong-wrong' } });

const post = (want, body, headers = {}) =>
	ask(`${api}/rerun`, `${api}/rerun`, want, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
await post(202, '{"message_id": "v2@example.org", "only": "build"}', token);
await post(400, '{"message_id": 7}', token);
await post(401, '{}');
await post(404, '{"message_id": "nobody@example.org"}', token);
await post(413, `{"message_id": "${'x'.repeat(9000)}"}`, token);
await post(415, 'message_id=1', { ...token, 'Content-Type': 'text/plain' });

// The page of a method that is none, and of a path that is none, are errors as documented too.
for (const [where, options, status] of [[`${api}/trials`, { method: 'POST' }, 405], [`${api}/none`, {}, 404], [`${api}/trials/01`, {}, 404]]) {
	const answer = await fetch(at + where, options);
	const valid = validator('/components/schemas/Error');
	check(answer.status === status && valid(await answer.json()), `${where}: ${answer.status}`);
}

// Every schema that is named is used, so that none is left that nothing checks.
const used = JSON.stringify(doc);
for (const name of Object.keys(doc.components.schemas)) check(used.includes(`#/components/schemas/${name}"`), `nothing uses ${name}`);

console.log(failed ? `${failed} failures` : `${seen.size} answers are as openapi.json says`);
process.exit(failed ? 1 : 0);
