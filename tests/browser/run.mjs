// SPDX-License-Identifier: GPL-2.0-or-later
// node run.mjs TOPIC...: the tests of topics/TOPIC.mjs. browser.sh sets FIRN_AT (the server), FIRN_FACTS (a file: what is in
// its store), FIRN_SHOTS (a folder for pictures), FIRN_BROWSER_MODULES and FIRN_CHROMIUM.
import { browser_close, browser_open, tests_run } from './harness.mjs';

for (const topic of process.argv.slice(2)) await import(`./topics/${topic}.mjs`);
await browser_open();
const failed = await tests_run();
await browser_close();
process.exit(failed ? 1 : 0);
