import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Mocha from 'mocha';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { type FileRun, flakyFailures, runWithRetry } from '../../../scripts/support/retry.ts';
import { failedRun, loadAndRunMocha } from '../../support/runMocha.ts';

const names = ['a', 'b', 'c', 'd'] as const;
const files = names.map((name) => fromRoot('test', 'e2e', `${name}.test.ts`));
const [a, b, c] = names.map((name) => join('test', 'e2e', `${name}.test.ts`));

/** The errors of a file's runs, one after the other; `undefined` passes, `'crash'` has the run end before the file. */
type Errors = Partial<Record<(typeof names)[number], readonly (string | undefined)[]>>;

async function runTests(errors: Errors) {
  const runs: (readonly string[])[] = [];
  const result = await runWithRetry(files, async (some) => {
    const round = runs.push(some) - 1;
    return some.flatMap((file): readonly FileRun[] => {
      const error = errors[names[files.indexOf(file)] ?? 'a']?.[round];
      if (error === 'crash') return [];
      if (error === undefined) return [{ file, passed: 3, failed: 0, failures: [] }];
      return [{ file, ...failedRun('suite test', new Error(error)), passed: 2 }];
    });
  });
  return { ...result, again: runs[1] ?? [] };
}

describe('test files that fail', () => {
  it('are none where all pass, and none runs again', async () => {
    assert.deepEqual(await runTests({}), { passed: 12, failed: 0, failures: [], flaky: [], again: [] });
  });

  it('are flaky if they pass when they run again', async () => {
    assert.deepEqual(await runTests({ b: ['Late\n  by far'] }), {
      ...{ passed: 12, failed: 0, failures: [], again: [files[1]] },
      flaky: [`${b} › suite test (first run: Error: Late by far)`],
    });
  });

  it('show both failures if they fail again', async () => {
    assert.deepEqual(await runTests({ a: ['one', 'other'], c: ['late'] }), {
      ...{ passed: 11, failed: 1, again: [files[0], files[2]] },
      failures: [`${a} › suite test (first run: Error: one)`, `${a} › suite test (second run: Error: other)`],
      flaky: [`${c} › suite test (first run: Error: late)`],
    });
  });

  it('take no blame for a crash before they ran', async () => {
    assert.deepEqual(await runTests({ a: ['broke off'], b: ['crash'] }), {
      ...{ passed: 12, failed: 0, failures: [], again: [files[0], files[1]] },
      flaky: [`${a} › suite test (first run: Error: broke off)`],
    });
  });

  it('are failures if they never ran', async () => {
    const { failed, failures, flaky } = await runTests({ b: ['crash', 'crash'], c: ['late', 'crash'] });
    assert.equal(failed, 2);
    assert.equal(failures.filter((line) => line.startsWith(`${b} › did not run (`)).length, 2);
    assert.equal(failures.filter((line) => line.startsWith(`${c} › `)).length, 2);
    assert.deepEqual(flaky, []);
  });

  it('include one that cannot be loaded, whichever tests are selected', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-mocha-'));
    try {
      const mocha = new Mocha({ reporter: Mocha.reporters.Base, grep: 'another' });
      mocha.addFile(join(folder, 'broken.cjs'));
      await writeFile(join(folder, 'broken.cjs'), "throw new Error('broken');");
      assert.deepEqual(await loadAndRunMocha(mocha), {
        ...{ passed: 0, failed: 1 },
        failures: [{ test: 'can be loaded', error: 'Error: broken' }],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fail the run where more than two files are flaky', async () => {
    const two = await runTests({ a: ['late'], b: ['late'] });
    const three = await runTests({ a: ['late'], b: ['late'], c: ['late'] });
    // A file counts once, however many of its tests failed.
    assert.equal(flakyFailures([...two.flaky, ...two.flaky]), 0);
    assert.equal(flakyFailures(three.flaky), 3);
  });
});
