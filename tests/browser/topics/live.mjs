// SPDX-License-Identifier: GPL-2.0-or-later
// A series whose build takes some seconds comes while the front page is open (service.sh posts it when WATCHED is there):
// its trial is watched while it runs, without a reload.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { open, test, text, until, visit } from '../harness.mjs';

const mark = (page) => page.evaluate(() => { window.same_page = true; });
const marked = (page) => page.evaluate(() => window.same_page === true);

test('live: front page, trial, log', () => visit({}, async (page, context) => {
	const front = await context.newPage();
	await open(front, '/');
	await mark(front);
	assert.equal(await front.locator('#running tr[data-trial]').count(), 0, 'something runs already');
	await front.getByText('live', { exact: true }).waitFor();
	writeFileSync(process.env.WATCHED, '');
	// It turns up by itself.
	const row = front.locator('#running tr[data-trial]', { hasText: 'takes its time' }).first();
	await row.waitFor();
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
	// And it leaves by itself. (A tab in the background does not listen.)
	await front.bringToFront();
	await until(async () => assert.equal(await front.locator('#running tr[data-trial]').count(), 0));
	assert.ok(await marked(front), 'the front page was loaded again');
	await front.close();
	await steps.close();
}));
