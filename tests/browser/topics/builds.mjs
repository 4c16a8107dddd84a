// SPDX-License-Identifier: GPL-2.0-or-later
// What builds say of a patch stands at its lines, as what checkers say does.
import assert from 'node:assert/strict';
import { facts, open, says, shot, test, visit } from '../harness.mjs';

const { posting } = facts;
const broken = posting['build-0@example.org'];

test('builds: a patch that does not build says so, at its line', () => visit({}, async (page) => {
	await open(page, `/series/${broken}/patch/2`);
	await says(page, 'does not build', 'open_then', 'build of');
	// Both places that return it.
	assert.equal(await page.locator('.diff span.hit').count(), 2);
	assert.equal(await page.locator('.finding.ERROR').count(), 2);
	const line = page.locator('.diff span.hit').first();
	assert.match(await line.innerText(), /^\+.*return open_then;/);
	const note = page.locator('.finding.ERROR').first();
	assert.match(await note.innerText(), /ERROR.*open_then.*build of /s);
	// The note stands right under its line, and the list above leads there.
	const [above, below] = [await line.boundingBox(), await note.boundingBox()];
	assert.ok(below.y >= above.y + above.height && below.y < above.y + above.height + 20, 'the note is not at its line');
	await page.locator('ul.findings a').first().click();
	assert.equal(new URL(page.url()).hash, `#${await line.getAttribute('id')}`);
	await shot(page, `/series/${broken}/patch/2/at-line`, 'light');
}));
test('builds: the patch before it does not', () => visit({}, async (page) => {
	await open(page, `/series/${broken}/patch/1`);
	assert.equal(await page.locator('.finding').count(), 0);
	assert.equal(await page.getByText('does not build').count(), 0);
}));
test('builds: the grid of the series says which rows fail', () => visit({}, async (page) => {
	await open(page, `/series/${broken}`);
	const names = page.locator('#patch-2 small.rows');
	assert.ok((await names.innerText()).length > 2);
	assert.equal(await names.getAttribute('title'), await names.innerText());
	assert.equal(await page.locator('#patch-1 small.rows').count(), 0);
}));
