// SPDX-License-Identifier: GPL-2.0-or-later
// Every page of a service: light, dark, on a phone, and without script; and that it says what it is there for.
import { facts, says, test } from '../harness.mjs';
import { look } from '../look.mjs';

const { posting, trial, held } = facts;
const [v1, v2] = [posting['doors-v1-0@example.org'], posting['doors-v2-0@example.org']];
const good = trial['doors-v2-0@example.org'];

// Where, and what must be said there, in this order.
const pages = [
	['/', 'doors and clocks'],
	['/?state=fail', 'doors remember'],
	['/list/demo', 'demo', 'doors and clocks'],
	[`/series/${v1}`, 'doors and clocks'],
	[`/series/${v2}`, 'doors and clocks', 'Comments say what is meant'],
	[`/series/${posting['style-1@example.org']}`, 'door: open it once'],
	[`/series/${posting['build-0@example.org']}`, 'doors remember', 'does not build'],
	[`/series/${posting['apply-1@example.org']}`, 'clock: add nothing', 'does not apply'],
	[`/series/${posting['lost-0@example.org']}`, 'tocks', 'waiting for 2/2'],
	[`/series/${v2}/patch/0`, 'doors and clocks'],
	[`/series/${v2}/patch/2`, 'door: reword a comment', 'Is the door open?'],
	[`/series/${posting['style-1@example.org']}/patch/1`, 'if(open_now==0)'],
	[`/series/${posting['build-0@example.org']}/patch/2`, 'open_then'],
	[`/trial/${good}`, 'doors and clocks'],
	[`/trial/${good}/step/build`, 'build'],
	[`/trial/${trial['build-0@example.org']}/step/build`, 'does not build', 'open_then'],
	[`/trial/${good}/step/boot`, 'boot'],
	[`/trial/${good}/bench/hot-add`, 'hot-add', 'LMBs'],
	['/bench', 'hot-add'],
	['/bench/hot-add', 'hot-add'],
	['/testbeds', 'replay'],
	['/ledger', 'clock changes'],
	['/ledger?list=demo', 'build success'],
	['/outbox', 'held'],
	['/login', 'oken'],
];
for (const [where, ...words] of pages) look(where, (page) => says(page, ...words));
look('/series/999', (page) => says(page, 'no series of that number'), { status: [404] });
look('/m/nobody%40example.org', (page) => says(page, 'nobody@example.org'), { status: [404] });
