// SPDX-License-Identifier: GPL-2.0-or-later
// One page in all the ways that somebody may look at it.
import assert from 'node:assert/strict';
import { accessible, fits, open, phone, shot, test, visit, well_formed } from './harness.mjs';

// says(page): throws when the page lacks something. status: the page is an error, and meant to be one.
export function look(where, says, { status = [] } = {}) {
	const wanted = status[0] ?? 200;

	test(`${where}: light, dark, on a phone`, () => visit({ status }, async (page) => {
		assert.equal(await open(page, where), wanted, `status of ${where}`);
		await well_formed(page);
		await says(page);
		await accessible(page);
		await shot(page, where, 'light');
		await page.emulateMedia({ colorScheme: 'dark' });
		await accessible(page);
		await shot(page, where, 'dark');
		await page.setViewportSize(phone);
		await says(page);
		await fits(page);
		await accessible(page);
		await page.emulateMedia({ colorScheme: 'light' });
		await shot(page, where, 'phone');
	}));
	test(`${where}: without script`, () => visit({ status, script: false }, async (page) => {
		assert.equal(await open(page, where), wanted);
		await says(page);
	}));
}
