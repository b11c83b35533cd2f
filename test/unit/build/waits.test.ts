import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { failedWait, waitFor, waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';

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
