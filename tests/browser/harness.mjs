// SPDX-License-Identifier: GPL-2.0-or-later
// What the topics use: a browser, pages that are watched while they are open, and what must be true of every page.
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import assert from 'node:assert/strict';

const require = createRequire(path.join(process.env.FIRN_BROWSER_MODULES, 'modules.cjs'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const at = process.env.FIRN_AT;
export const facts = JSON.parse(readFileSync(process.env.FIRN_FACTS, 'utf8'));
const shots = process.env.FIRN_SHOTS;
mkdirSync(shots, { recursive: true });

export const WAIT_MS = 20000;
export const desktop = { width: 1280, height: 900 }, phone = { width: 360, height: 740 };

let browser;
export async function browser_open() {
	browser = await chromium.launch({
		executablePath: process.env.FIRN_CHROMIUM,
		args: process.getuid() === 0 ? ['--no-sandbox'] : [],
	});
}
export const browser_close = () => browser.close();

// The message, and where in a topic it was.
function told(e) {
	const place = String(e.stack).split('\n').find((line) => /topics\//.test(line)) ?? '';
	return `${e.message}\n${place.trim()}`.slice(0, 4000).replace(/^/gm, '      ');
}

const tests = [];
export const test = (name, run) => tests.push({ name, run });

// Runs what the topics registered; the number of tests that failed.
export async function tests_run() {
	let failed = 0;

	for (const t of tests) {
		const began = Date.now();
		try {
			await t.run();
			console.log(`ok    ${t.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
		} catch (e) {
			failed++;
			console.log(`FAIL  ${t.name}\n${told(e)}`);
		}
	}
	console.log(`${tests.length - failed} passed, ${failed} failed`);
	return failed;
}

// Everything that goes wrong while a page is open: script errors, refusals by the CSP, requests that fail.
function watch(page, wrong) {
	page.on('pageerror', (e) => wrong.push(`script error: ${e}`));
	page.on('console', (m) => {
		if (['error', 'warning'].includes(m.type())) wrong.push(`console ${m.type()}: ${m.text()} (${m.location().url})`);
	});
	// Leaving a page ends its event stream, and a click what was still being loaded.
	page.on('requestfailed', (r) => {
		if (r.failure()?.errorText !== 'net::ERR_ABORTED') wrong.push(`request failed: ${r.url()}: ${r.failure()?.errorText}`);
	});
	page.on('request', (r) => {
		if (!r.url().startsWith(`${at}/`) && !r.url().startsWith('data:')) wrong.push(`request to elsewhere: ${r.url()}`);
	});
	page.on('dialog', (d) => {
		wrong.push(`dialog: ${d.message()}`);
		d.dismiss();
	});
}

// A browser of one's own (cookies, colours, size) for `use(page)`; what went wrong meanwhile is an error.
// status: of answers that are meant to be errors.
export async function visit({ dark = false, size = desktop, script = true, status = [], ...more }, use) {
	const context = await browser.newContext({
		viewport: size, colorScheme: dark ? 'dark' : 'light', javaScriptEnabled: script, reducedMotion: 'reduce', ...more,
	});
	const wrong = [];

	context.setDefaultTimeout(WAIT_MS);
	if (script)
		await context.addInitScript(() => {
			document.addEventListener('securitypolicyviolation', (e) => console.error(`CSP: ${e.violatedDirective} ${e.blockedURI}`));
		});
	try {
		const page = await context.newPage();
		watch(page, wrong);
		page.on('response', (r) => {
			if (r.status() >= 400 && !status.includes(r.status())) wrong.push(`status ${r.status()}: ${r.url()}`);
		});
		await use(page, context);
	} finally {
		await context.close();
	}
	assert.deepEqual(wrong.filter((w) => !(status.length && /^console error: Failed to load resource: .*status of/.test(w))), []);
}

// `where` is a path of ours.
export async function open(page, where) {
	const response = await page.goto(at + where, { waitUntil: 'load' });
	return response.status();
}

const word = (where) => where.replace(/^\//, '').replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '') || 'front';
export const shot = (page, where, look) => page.screenshot({ path: path.join(shots, `${word(where)}-${look}.png`), fullPage: true });

// axe-core: nothing serious.
export async function accessible(page) {
	await page.evaluate(axe);
	const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], preload: false }));
	const bad = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
	assert.deepEqual(bad.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.html.slice(0, 160)}`).join(' | ')}`), []);
}

// One h1, a main, a title, and nothing that sticks out to the right.
export async function well_formed(page) {
	assert.equal(await page.locator('h1').count(), 1, 'one h1');
	assert.equal(await page.locator('main').count(), 1, 'one main');
	assert.ok((await page.title()).length > 0, 'a title');
	assert.equal(await page.evaluate(() => window.pwned), undefined, 'words from outside ran as a script');
}

// What sticks out to the right, but for what scrolls in a box of its own; null when the page fits.
const sticks_out = (page) => page.evaluate(() => {
	const room = document.documentElement.clientWidth;
	const boxed = (e) => e.parentElement && (getComputedStyle(e.parentElement).overflowX !== 'visible' || boxed(e.parentElement));
	if (document.documentElement.scrollWidth <= room) return null;
	const out = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > room + 1 && !boxed(e));
	return out.slice(-3).map((e) => e.outerHTML.slice(0, 160));
});

// Plots follow the size of the window a moment later.
export const fits = (page) => until(async () => assert.equal(await sticks_out(page), null, 'the page scrolls sideways'));

export const text = async (page) => (await page.locator('body').innerText()).replace(/\s+/g, ' ');

// Words that must be on the page, in this order.
export async function says(page, ...words) {
	const all = await text(page);
	let from = 0;

	for (const w of words) {
		const found = all.indexOf(w, from);
		assert.ok(found >= 0, `"${w}" is not ${from ? 'behind what was before it ' : ''}on ${page.url()}:\n${all.slice(0, 3000)}`);
		from = found + w.length;
	}
}

// Until `check()` does not throw.
export async function until(check) {
	const end = Date.now() + WAIT_MS;
	for (;;) {
		try {
			return await check();
		} catch (e) {
			if (Date.now() > end) throw e;
			await new Promise((again) => setTimeout(again, 200));
		}
	}
}
