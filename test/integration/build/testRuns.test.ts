import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Mocha from 'mocha';
import { formatCosts } from '../../../scripts/support/costTable.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { readCosts, runWithRetry, type Stage, type StageResult } from '../../../scripts/support/stage.ts';
import { filesFor } from '../../../scripts/support/testFiles.ts';
import { failedWait, waitFor, waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';
import { loadAndRunMocha } from '../../support/runMocha.ts';

const all = [
  'test/unit/core/logs/query/filter.test.ts',
  'test/unit/core/eth/hex.test.ts',
  'test/unit/host/log.test.ts',
];

describe('test files on the command line', () => {
  for (const [wanted, found] of [
    ['test/unit/core/eth/hex.test.ts', [all[1]]],
    ['./test/unit/core/eth/hex.test.ts', [all[1]]],
    ['test\\unit\\core\\eth\\hex.test.ts', [all[1]]],
    ['query/filter', [all[0]]],
    ['core', [all[0], all[1]]],
    ['**/lo*.test.ts', [all[2]]],
  ] as const) {
    it(`are meant by ${wanted}`, () => assert.deepEqual(filesFor(wanted, all), found));
  }

  it('are missed aloud', () => {
    assert.throws(() => filesFor('ledger', all), /^Error: No test file is called ledger/);
  });
});

describe('a test file that cannot be loaded', () => {
  it('is a failed test, whichever tests are selected', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-mocha-'));
    try {
      const mocha = new Mocha({ reporter: Mocha.reporters.Base, grep: 'another' });
      mocha.addFile(join(folder, 'broken.cjs'));
      await writeFile(join(folder, 'broken.cjs'), "throw new Error('broken');");
      const failure = { file: '', test: 'can be loaded', error: 'Error: broken' };
      assert.deepEqual(await loadAndRunMocha(mocha), { passed: 0, failed: 1, failures: [failure] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a stage of the tests', () => {
  const stage: Stage = { script: 'testHost', options: ['--vscode', 'newest'], budget: 10, perTest: 0.5 };
  const failure = 'test/host/a.test.ts › a suite holds (Error: late)';
  const resultOf = (failures: readonly string[], passed: number): StageResult => ({
    ...{ stage, failures, code: failures.length > 0 ? 1 : 0, counts: { passed, failed: failures.length } },
    ...{ seconds: 20, processorSeconds: 12, files: [] },
  });

  it('runs its failed files once more only where it may, and counts each test once', async () => {
    const runs: Stage[] = [];
    const run = async (next: Stage) => resultOf(runs.push(next) === 1 ? [failure, failure] : [], 3);
    const retried = { ...stage, isRetried: true };
    const result = await runWithRetry(retried, run);
    assert.deepEqual(runs, [retried, { ...retried, files: ['test/host/a.test.ts'] }]);
    assert.deepEqual([result.code, result.counts, result.failures], [0, { passed: 5, failed: 0 }, []]);
    assert.deepEqual([result.flaky, result.processorSeconds], [[failure, failure], 24]);
    const once = await runWithRetry(stage, async () => resultOf([failure], 3));
    assert.deepEqual([once.code, once.failures, once.flaky], [1, [failure], undefined]);
  });

  it('has failed if its files fail twice', async () => {
    const run = async () => resultOf([failure], 3);
    const { code, counts, failures, flaky } = await runWithRetry({ ...stage, isRetried: true }, run);
    assert.deepEqual([code, counts.failed, failures, flaky], [1, 1, [failure, failure], undefined]);
  });

  it('counts all suites of a file as one, and its own process as the whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-costs-'));
    try {
      const cost = (pid: number, tests: number, file?: string) =>
        JSON.stringify({ pid, file, tests, seconds: 2, processorSeconds: pid === 7 ? 1 : 9 });
      const lines = [cost(7, 3, 'a.test.ts'), cost(8, 0), cost(7, 1, 'b.test.ts'), cost(7, 4, 'a.test.ts')];
      const file = join(folder, 'costs.jsonl');
      await writeFile(file, [...lines, cost(7, 0)].join('\n'));
      assert.deepEqual(readCosts(file, 7), {
        files: [
          { file: 'a.test.ts', tests: 7, seconds: 4, processorSeconds: 2 },
          { file: 'b.test.ts', tests: 1, seconds: 2, processorSeconds: 1 },
        ],
        processorSeconds: 1,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('over its budget is shown with the files that cost more than their tests may', () => {
    const cost = (name: string, tests: number, processorSeconds: number) => ({
      ...{ file: fromRoot('test', 'host', name), tests, seconds: 1, processorSeconds },
    });
    const files = [cost('many.test.ts', 20, 9), cost('slow.test.ts', 2, 3)];
    const table = formatCosts([{ ...resultOf([], 22), files }], 21);
    assert.match(table, /^testHost --vscode newest +22 +20 +12 +10$/m);
    assert.match(table, /^all +22 +21 +12 +10$/m);
    assert.match(table, /^Most expensive files .*\n\S+many\.test\.ts +20 +1\.0 +9\.0\n\S+slow/m);
    const growth = table.slice(table.indexOf('testHost --vscode newest is over its budget of 10 s'));
    assert.match(growth, /more than 0\.5 s a test:\n\S+slow\.test\.ts +2 +1\.0 +3\.0$/);
    assert.doesNotMatch(formatCosts([{ ...resultOf([], 22), processorSeconds: 9, files }], 21), /budget of/);
  });
});

/**
 * Where tests in a browser let time pass, and how often: where something must not come, of which there is no sign, and
 * where a window is watched for a while. Every other wait is for a thing and says which.
 */
const pauses: Readonly<Record<string, number>> = {
  'scripts/support/workbench/server.ts': 1,
  'scripts/support/workbench/waitUntil.ts': 1,
  'test/attack/editor.attack.ts': 2,
  'test/attack/support/browserStrain.ts': 1,
};

describe('waits of the tests in a browser', () => {
  it('let time pass in the named places alone', () => {
    const files = globSync('{scripts/support/workbench,test/component,test/e2e,test/attack}/**/*.ts', {
      cwd: fromRoot('.'),
    });
    const found = files.flatMap((file) => {
      const times = readFileSync(fromRoot(file), 'utf8').match(/\b(?:waitForTimeout|sleep)\(/g)?.length;
      return times === undefined ? [] : [[file.replaceAll('\\', '/'), times] as const];
    });
    assert.deepEqual(Object.fromEntries(found.sort()), pauses);
  });

  it('say in words what they waited for in vain', async () => {
    await assert.rejects(
      waitUntil('the moon is full', () => false, { seconds: 0 }),
      /^Error: Waited 0 s in vain: the moon is full\.$/,
    );
    await assert.rejects(waitFor('the tide turns', Promise.reject(new Error('Timeout'))), (error: Error) => {
      assert.equal(error.message, failedWait('the tide turns', new Error('Timeout')).message);
      assert.match(error.message, /^Waited in vain: the tide turns\.\nTimeout$/);
      return true;
    });
  });

  it('end as soon as what they wait for is so', async () => {
    let looks = 0;
    await waitUntil('the third look', () => ++looks === 3);
    assert.equal(looks, 3);
    assert.equal(await waitFor('a value', Promise.resolve(7)), 7);
  });
});
