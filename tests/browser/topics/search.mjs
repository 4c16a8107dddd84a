// SPDX-License-Identifier: GPL-2.0-or-later
// The search box takes what people have at hand: a Message-ID, a link to lore or Patchwork, words.
import assert from 'node:assert/strict';
import { facts, open, says, test, visit } from '../harness.mjs';

const { posting, patchwork, lore, patch } = facts;
const v2 = posting['doors-v2-0@example.org'];

// What is typed on the front page, and where it leads.
const searches = [
	['a Message-ID', 'doors-v2-0@example.org', `/series/${v2}`],
	['a Message-ID as it stands in a mail', '<doors-v2-0@example.org>', `/series/${v2}`],
	['a patch', 'doors-v2-2@example.org', `/series/${v2}/patch/2`],
	['a link to lore', `${lore}doors-v2-1@example.org/`, `/series/${v2}/patch/1`],
	['a link to lore, one mail of a thread', `${lore}doors-v2-0@example.org/T/#u`, `/series/${v2}`],
	['a link to Patchwork', `${patchwork}project/demo/patch/doors-v2-2@example.org/`, `/series/${v2}/patch/2`],
	['a number in Patchwork', `${patchwork}patch/${patch['doors-v2-2@example.org']}/`, `/series/${v2}/patch/2`],
	['a reply', 'tested@example.org', `/series/${posting['doors-v1-0@example.org']}#reply`],
];
for (const [what, typed, where] of searches)
	for (const script of [true, false])
		test(`search: ${what}${script ? '' : ', without script'}`, () => visit({ script }, async (page) => {
			await open(page, '/');
			await page.locator('form[action="/search"] input[name=q]').fill(typed);
			await page.keyboard.press('Enter');
			await page.waitForURL((url) => url.pathname + url.hash === where || url.pathname === where);
			assert.equal(new URL(page.url()).pathname, where.replace(/#.*/, ''));
		}));

test('search: words', () => visit({}, async (page) => {
	await open(page, '/');
	await page.locator('form[action="/search"] input[name=q]').fill('remember');
	await page.keyboard.press('Enter');
	await page.waitForURL(/q=remember/);
	await says(page, 'doors remember');
	assert.equal(await page.getByText('door: open it once').count(), 0, 'what does not match is shown');
}));
test('search: nobody knows this link', () => visit({}, async (page) => {
	await open(page, `/search?${new URLSearchParams({ q: `${patchwork}patch/99999/` })}`);
	await says(page, 'What this link leads to is not known here');
}));
test('search: nobody knows this mail', () => visit({}, async (page) => {
	await open(page, '/');
	await page.locator('form[action="/search"] input[name=q]').fill('nobody@example.org');
	await page.keyboard.press('Enter');
	await page.waitForURL(/q=nobody/);
	await says(page, 'No mail with the Message-ID nobody@example.org is known here');
	assert.equal(await page.getByRole('link', { name: 'archive of demo' }).getAttribute('href'), `${lore}nobody%40example.org/`);
}));
