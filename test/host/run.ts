import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire, findSourceMap } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import { loadAndRunMocha } from '../support/runMocha.ts';
import { createLeftoverChecks } from './support/leftovers.ts';

/** Marks the lines of the test report among all that an extension host prints. */
const mark = process.env.CHAINSIDE_REPORT_MARK ?? '';

/** Exports of `tests.cjs`, the bundle beside this one. */
interface HostTests {
  /** Loads each test file, by its path in the project. */
  readonly tests: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Entry point of VS Code's `extensionTestsPath`: runs the test files that the environment names. */
export async function run(): Promise<void> {
  // Node keeps source maps only of files that are loaded after this call.
  process.setSourceMapsEnabled(true);
  // VS Code formats stack traces itself, without source maps.
  Error.prepareStackTrace = (error, sites) =>
    [String(error), ...sites.map((site) => `    at ${toSourcePosition(String(site))}`)].join('\n');
  const { tests }: HostTests = createRequire(__filename)('./tests.cjs');
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(mark + format(...args));
  const grep = process.env.CHAINSIDE_GREP;
  const files: readonly string[] = JSON.parse(process.env.CHAINSIDE_HOST_TESTS ?? '');
  const { afterEach, afterAll } = createLeftoverChecks();
  const rootHooks = { afterEach: [showFailure, afterEach], afterAll };
  let failed = 0;
  for (const file of files) {
    const mocha = new Mocha({ timeout: 120_000, color: false, rootHooks });
    if (grep !== undefined) mocha.grep(new RegExp(grep));
    const result = await loadAndRunMocha(mocha, async () => {
      mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
      const load = tests[file] ?? assert.fail(`${file} is not bundled.`);
      await load();
    });
    const failures = result.failures.map((failure) => ({ ...failure, file }));
    console.log(`${mark}ran ${JSON.stringify({ ...result, failures })}`);
    failed += result.failed;
  }
  if (failed > 0) throw new Error('Host tests failed.');
}

function toSourcePosition(site: string): string {
  return site.replace(/([^\s(]+\.cjs):(\d+):(\d+)/, (place, file, line, column) => {
    const found = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !('originalSource' in found) || !found.originalSource.startsWith('file:')) return place;
    const { originalSource, originalLine, originalColumn } = found;
    return `${fileURLToPath(originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  });
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
