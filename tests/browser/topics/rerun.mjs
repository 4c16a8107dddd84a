// SPDX-License-Identifier: GPL-2.0-or-later
// Signing in, and a rerun from the click to its result: the engine of `firn serve` does it.
import assert from 'node:assert/strict';
import { facts, open, says, test, text, until, visit } from '../harness.mjs';
import { sign_in } from '../sign_in.mjs';

const { posting } = facts;
const where = `/series/${posting['style-1@example.org']}`;

test('who is not signed in is told how', () => visit({}, async (page) => {
	await open(page, where);
	assert.ok((await page.locator('main a[href^="/login"]').count()) > 0, 'no link to sign in');
}));
test('a wrong token signs nobody in', () => visit({ status: [401, 403] }, async (page) => {
	await open(page, '/login');
	await page.locator('form[action="/login"] input[name=token]').fill('wrong-horse-battery');
	await page.locator('form[action="/login"] input[name=token]').press('Enter');
	await page.waitForLoadState();
	await open(page, where);
	assert.ok((await page.locator('main a[href^="/login"]').count()) > 0);
}));
test('signing out', () => visit({}, async (page) => {
	await sign_in(page);
	await page.locator('form[action="/logout"] button').click();
	await page.waitForLoadState();
	await open(page, '/');
	assert.equal(await page.locator('form[action="/logout"]').count(), 0);
}));

for (const script of [true, false])
	test(`rerun: from the click to the result${script ? '' : ', without script'}`, () => visit({ script }, async (page) => {
		await sign_in(page);
		await open(page, where);
		await page.locator('form[action="/rerun"] [type=submit], form[action="/rerun"] button').first().click();
		await page.waitForURL(/\/requests\/[0-9]+$/);
		await says(page, 'ada');
		// The page finds out by itself; who has no script, by reloading.
		const link = page.locator('main a[href^="/trial/"]').first();
		await until(async () => assert.ok((await link.count()) > 0, `no answer: ${await text(page)}`));
		await link.click();
		await page.waitForURL(/\/trial\/[0-9]+/);
		await until(async () => assert.match(await text(page), /total: [1-9][0-9]* errors/));
		await open(page, where);
		await says(page, 'door: open it once');
	}));
