import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { failureReports } from '../../../scripts/support/failureReports.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { filesFor } from '../../../scripts/support/testFiles.ts';
import { failedWait, waitFor, waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';

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

const report = `
  a suite
    \u001b[32m✔\u001b[39m holds
    1) breaks
    2) breaks as well


  1 passing (5ms)
  2 failing

  1) a suite
       breaks:
     Error: Waited in vain.
Call log:
  - waiting for something

      at Context.<anonymous> (a.test.ts:3:1)

  2) a suite
       breaks as well:
     Error: Another
      at Context.<anonymous> (b.test.ts:3:1)
`;

describe('the failures of a run', () => {
  it('are found in each of its reports, with titles, errors and places', () => {
    const more = `\n\n\n  another suite\n    ✔ holds\n\n\n  1 passing (1ms)\n`;
    for (const end of ['', '\n\n\n1 passed, 2 failed', '\n1 passed, 2 failed\n', more]) {
      const found = failureReports(`VS Code 1.100\n${report}${more}${report}${end}`);
      assert.equal(found.length, 4);
      for (const at of [0, 2]) {
        assert.match(
          found[at] ?? '',
          /^1\) a suite\n {7}breaks:.*waiting for something\n.*a\.test\.ts:3:1\)$/s,
        );
        assert.match(found[at + 1] ?? '', /^2\) a suite\n {7}breaks as well:.*b\.test\.ts:3:1\)$/s);
      }
    }
  });

  it('say where the picture of the window is', () => {
    const shown =
      'On the screen when it failed: a suite breaks as well\n  Picture: /tmp/failed.png\n  Tabs:\n';
    const [first = '', second = ''] = failureReports(shown + report);
    assert.doesNotMatch(first, /Picture/);
    assert.match(second, /b\.test\.ts:3:1\)\n {2}Picture: \/tmp\/failed\.png$/);
  });

  it('are none where all passed', () => {
    assert.deepEqual(failureReports('  1 passing (5ms)\n\n1 passed, 0 failed\n'), []);
  });
});

/**
 * Where tests in a browser let time pass, and how often: where something must not come, of which there is no sign, and
 * where a window is watched for a while, and where a person picks at any moment. Every other wait is for a thing and says which.
 */
const pauses: Readonly<Record<string, number>> = {
  'scripts/support/workbench/server.ts': 1,
  'scripts/support/workbench/waitUntil.ts': 1,
  'test/attack/editor.attack.ts': 2,
  'test/attack/support/browserStrain.ts': 1,
  'test/attack/windows.attack.ts': 2,
  'test/e2e/addNetwork.test.ts': 1,
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
