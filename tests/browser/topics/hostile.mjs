// SPDX-License-Identifier: GPL-2.0-or-later
// Words of a mail that would be a script, a tag or an order to write from right to left if a page let them: Eve's series, in
// every place that shows a part of it. They are shown as they are, and do nothing.
import assert from 'node:assert/strict';
import { facts, fits, open, phone, test, visit } from '../harness.mjs';

const { posting, trial } = facts;
const [series, ran] = [posting['hostile-1@example.org'], trial['hostile-1@example.org']];
const places = ['/', '/list/demo', `/series/${series}`, `/series/${series}/patch/1`, `/trial/${ran}`, `/trial/${ran}/step/check`, '/ledger', '/outbox',
	'/?q=%3Cimg', '/?author=%3Cscript%3E'];

for (const where of places)
	test(`hostile words at ${where}`, () => visit({ size: phone }, async (page) => {
		await open(page, where);
		assert.equal(await page.evaluate(() => window.pwned), undefined, 'they ran');
		assert.equal(await page.locator('img[src=x], main script, svg[onload], b').filter({ hasText: /bold|pwned|^$/ }).count(), 0, 'they became tags');
		assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('*')].filter((e) => e.getAttributeNames().some((n) => n.startsWith('on'))).length), 0);
		assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
		await fits(page);
		// What turns the direction of writing stays inside of its own element.
		const loose = await page.evaluate(() => {
			const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			const out = [];
			for (let n = walk.nextNode(); n; n = walk.nextNode())
				if (/[\u202a-\u202e\u2066-\u2069]/.test(n.data) && !n.parentElement.closest('bdi, pre, code, input, title')) out.push(n.data.slice(0, 80));
			return out;
		});
		assert.deepEqual(loose, [], 'outside of <bdi>');
	}));
test('hostile words in paths and queries', () => visit({ status: [400, 404] }, async (page) => {
	for (const where of ['/?q=%3Cscript%3Ewindow.pwned=1%3C/script%3E', '/search?q=%22%3E%3Csvg/onload=window.pwned=1%3E', '/list/%3Cscript%3E',
		'/m/%3Cimg%20src=x%20onerror=window.pwned=1%3E', '/ledger?state=%22onfocus=%22window.pwned=1']) {
		await open(page, where);
		assert.equal(await page.evaluate(() => window.pwned), undefined, where);
	}
}));
