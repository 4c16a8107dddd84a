// SPDX-License-Identifier: GPL-2.0-or-later
// The filters of the front page: each alone, through its form, and two together.
import assert from 'node:assert/strict';
import { open, says, test, visit } from '../harness.mjs';

const titles = { good: 'doors and clocks', style: 'door: open it once', build: 'doors remember', apply: 'clock: add nothing' };

// A filter, and what is left.
const filters = [
	[{ list: 'demo' }, ['good', 'style', 'build', 'apply']],
	[{ list: 'nosuch' }, []],
	[{ author: 'Cleo' }, ['build']],
	[{ author: 'bert@example.org' }, ['style']],
	[{ file: 'drivers/clock.c' }, ['good', 'build', 'apply']],
	[{ file: 'drivers/' }, ['good', 'style', 'build', 'apply']],
	[{ file: 'mm/' }, []],
	[{ state: 'fail' }, ['build', 'apply']],
	[{ state: 'warn' }, ['style']],
	[{ state: 'pass' }, ['good']],
	[{ q: 'remember' }, ['build']],
	[{ q: '%' }, []],
	[{ state: 'fail', author: 'Dora' }, ['apply']],
];

async function only(page, wanted) {
	const shown = await page.locator('#verdicts tbody tr').allInnerTexts();

	for (const [name, title] of Object.entries(titles))
		assert.equal(shown.some((row) => row.includes(title)), wanted.includes(name), `"${title}" in ${shown.join(' || ')}`);
}

for (const [filter, wanted] of filters)
	test(`filter: ${JSON.stringify(filter)}`, () => visit({}, async (page) => {
		await open(page, `/?${new URLSearchParams(filter)}`);
		await only(page, wanted);
		for (const [key, value] of Object.entries(filter))
			assert.equal(await page.locator(`form.filters [name=${key}]`).first().inputValue(), value, 'the form forgets');
	}));

test('filter: by the form, without script', () => visit({ script: false }, async (page) => {
	await open(page, '/');
	await page.locator('form.filters [name=author]').fill('Cleo');
	await page.locator('form.filters [name=author]').press('Enter');
	await page.waitForURL(/author=Cleo/);
	await only(page, ['build']);
}));
test('filter: an unknown state is told, not ignored', () => visit({ status: [400] }, async (page) => {
	await open(page, '/?state=purple');
	await says(page, 'There is no such state');
}));
