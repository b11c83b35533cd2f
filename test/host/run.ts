import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import { loadAndRunMocha } from '../support/runMocha.ts';
import { createLeftoverCheck } from './support/leftovers.ts';

/** Marks the lines of the test report among all that an extension host prints. */
const mark = process.env.CHAINSIDE_REPORT_MARK ?? '';

/** For VS Code's `extensionTestsPath`: runs those of `tests` that the environment names, each loaded when its turn comes. */
export async function runTests(tests: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(mark + format(...args));
  const grep = process.env.CHAINSIDE_GREP;
  const files: readonly string[] = JSON.parse(process.env.CHAINSIDE_HOST_TESTS ?? '');
  const rootHooks = { afterEach: showFailure, afterAll: createLeftoverCheck() };
  let failed = 0;
  for (const file of files) {
    const mocha = new Mocha({ timeout: 120_000, color: false, rootHooks });
    if (grep !== undefined) mocha.grep(new RegExp(grep));
    const result = await loadAndRunMocha(mocha, async () => {
      mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
      const load = tests[file] ?? assert.fail(`${file} is not bundled.`);
      await load();
    });
    console.log(`${mark}ran ${JSON.stringify(result)}`);
    failed += result.failed;
  }
  if (failed > 0) throw new Error('Host tests failed.');
}

let failures = 0;

/** Has the window described by who started it, while it is as the failed test left it. */
async function showFailure(this: Mocha.Context): Promise<void> {
  const folder = process.env.CHAINSIDE_FAILURES;
  if (this.currentTest?.state !== 'failed' || folder === undefined) return;
  failures++;
  console.log(`${mark}failed ${failures}: ${this.currentTest.fullTitle()}`);
  const deadline = Date.now() + 10_000;
  while (!existsSync(join(folder, `${failures}`)) && Date.now() < deadline) await sleep(20);
}
