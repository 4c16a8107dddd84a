// SPDX-License-Identifier: GPL-2.0-or-later
// Mails that wait for somebody: shown to who is signed in, sent or dropped by a click.
import assert from 'node:assert/strict';
import { accessible, facts, fits, open, shot, test, text, until, visit } from '../harness.mjs';
import { sign_in } from '../sign_in.mjs';

const { held } = facts;
const form = (id) => `form[action="/outbox/${id}"]`;

test('outbox: strangers see that mails wait, not what is in them', () => visit({}, async (page) => {
	await open(page, '/outbox?show=held');
	assert.match(await text(page), /held/);
	assert.equal(await page.locator('form[action^="/outbox/"]').count(), 0);
	assert.doesNotMatch(await page.content(), /firn run/);
}));
test('outbox: who is signed in reads them', () => visit({}, async (page) => {
	await sign_in(page);
	await open(page, '/outbox?show=held');
	assert.ok((await page.locator('form[action^="/outbox/"]').count()) > 0, 'no forms');
	assert.match(await page.locator('main').evaluate((e) => e.textContent), /open_then[^]*firn run/);
	// What a reader of the list can run: the archive's link and a tree of their own.
	assert.match(await page.locator('main').evaluate((e) => e.textContent),
		/in a clone of the kernel:\n {2}firn run http:\S+ --tree \. --base [0-9a-f]{40}/);
	await accessible(page);
	await shot(page, '/outbox/signed-in', 'light');
	await page.emulateMedia({ colorScheme: 'dark' });
	await accessible(page);
	await page.setViewportSize({ width: 360, height: 740 });
	await fits(page);
	await shot(page, '/outbox/signed-in', 'phone');
}));

// The button, what it asks for, and what the row says in the end.
for (const [i, verb, ends] of [[0, 'approve', /\bsent\b/], [1, 'drop', /\bdropped\b/]])
	test(`outbox: ${verb}`, () => visit({}, async (page) => {
		await sign_in(page);
		await open(page, '/outbox?show=held');
		await page.locator(form(held[i])).locator(`[value=${verb}]`).click();
		await page.waitForURL(/\/requests\/[0-9]+$/);
		await until(async () => {
			await open(page, '/outbox?limit=200');
			assert.match(await page.locator(`#row-${held[i]}`).innerText(), ends);
		});
		assert.equal(await page.locator(form(held[i])).count(), 0, 'it can be asked for again');
	}));
