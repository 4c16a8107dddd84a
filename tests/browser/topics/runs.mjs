// SPDX-License-Identifier: GPL-2.0-or-later
// What one developer ran: the list, the report, its steps, the benchmark with plots.
import assert from 'node:assert/strict';
import { facts, open, says, test, text, until, visit } from '../harness.mjs';
import { look } from '../look.mjs';

const { mine, measured, failed, bench } = facts;

look('/', (page) => says(page, 'clocks: tick twice'));
look(`/trial/${mine}`, (page) => says(page, 'clocks: tick twice', 'slower'));
look(`/trial/${mine}/step/build`, (page) => says(page, 'build'));
look(`/trial/${mine}/step/bench-hot-add`, (page) => says(page, 'hot-add'));
look(`/trial/${mine}/bench/hot-add`, (page) => says(page, 'hot-add', 'slower'));
look('/bench', (page) => says(page, 'hot-add'));
look('/bench/hot-add', (page) => says(page, 'hot-add of 16 LMBs'));
if (measured) {
	look(`/trial/${measured}`, (page) => says(page, bench));
	look(`/trial/${measured}/bench/${bench}`, (page) => says(page, bench));
	look(`/bench/${bench}`, (page) => says(page, bench));
}
if (failed) look(`/trial/${failed}`, (page) => says(page, 'fail'));

test('the benchmark is drawn by script, and its numbers are in tables without', async () => {
	const where = `/trial/${mine}/bench/hot-add`;
	let rows;

	await visit({}, async (page) => {
		await open(page, where);
		await until(async () => assert.ok((await page.locator('.uplot canvas').count()) > 0, 'no plot'));
		rows = await page.locator('table:not(.u-legend) tr').count();
	});
	await visit({ script: false }, async (page) => {
		await open(page, where);
		assert.equal(await page.locator('.uplot').count(), 0);
		assert.equal(await page.locator('table:not(.u-legend) tr').count(), rows);
		assert.ok((await page.locator('svg').count()) > 0, 'no figure');
	});
});

test('the history of the base marks where it changed', () => visit({}, async (page) => {
	await open(page, '/bench/hot-add');
	await until(async () => assert.ok((await page.locator('.uplot canvas').count()) > 0, 'no plot'));
	await says(page, 'hot-add of 16 LMBs', '41 commits');
	assert.doesNotMatch(await text(page), /No change of level in 41/);
}));

test('a whole log is text', () => visit({}, async (page) => {
	await open(page, `/trial/${mine}/step/build`);
	const link = page.locator(`a[href^="/trial/${mine}/log/"]`).first();
	const answer = await page.request.get(new URL(await link.getAttribute('href'), page.url()).href);
	assert.equal(answer.status(), 200);
	assert.match(answer.headers()['content-type'], /^text\/plain/);
	assert.equal(answer.headers()['x-content-type-options'], 'nosniff');
	assert.match(await answer.text(), /CC {6}drivers\/[a-z]+\.o/);
}));
