// SPDX-License-Identifier: GPL-2.0-or-later
import { facts, open, says } from './harness.mjs';

export async function sign_in(page) {
	await open(page, '/login');
	await page.locator('form[action="/login"] input[name=token]').fill(facts.token);
	await page.locator('form[action="/login"] input[name=token]').press('Enter');
	await page.waitForURL((url) => url.pathname !== '/login');
	await says(page, 'ada');
}
