// SPDX-License-Identifier: GPL-2.0-or-later
// A series whose build takes some seconds has just come (service.sh): its trial is watched while it runs, without a reload.
import assert from 'node:assert/strict';
import { open, test, text, until, visit } from '../harness.mjs';

const mark = (page) => page.evaluate(() => { window.same_page = true; });
const marked = (page) => page.evaluate(() => window.same_page === true);

test('live: front page, trial, log', () => visit({}, async (page, context) => {
	await open(page, '/');
	await mark(page);
	// It turns up by itself.
	const row = page.locator('#running tr[data-trial]', { hasText: 'takes its time' }).first();
	await row.waitFor();
	assert.ok(await marked(page), 'the front page was loaded again');
	assert.ok((await row.locator('progress').count()) > 0, 'no progress');
	const trial = `/trial/${await row.getAttribute('data-trial')}`;

	const steps = await context.newPage();
	await open(steps, trial);
	await mark(steps);
	await open(page, `${trial}/step/build`);
	await mark(page);
	const log = page.locator('pre').filter({ hasText: 'WAIT' }).first();
	await log.waitFor();
	const seen = (await log.innerText()).match(/WAIT/g).length;
	await until(async () => assert.ok((await log.innerText()).match(/WAIT/g).length > seen, 'the log does not grow'));
	assert.ok(await marked(page), 'the step page was loaded again');
	assert.match(await text(steps), /build.*running|running.*build/);
	// To the end.
	await until(async () => assert.match(await text(page), /\bpass\b/i));
	await until(async () => assert.match(await text(steps), /are good/));
	await steps.close();
}));
