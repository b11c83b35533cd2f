import assert from 'node:assert/strict';
import { createRandom } from '../../../../../localnet/chain/random.ts';
import { isFullRun } from '../../../../support/fullRun.ts';
import { recordChain } from '../../../../support/proofChain.ts';
import { lieNames, tellLie } from '../../../../support/seededLies.ts';

const LIES = isFullRun ? 300 : 100;

describe('proof of lies', () => {
  it(`proves none of ${LIES}, and contradicts all that are about rows`, async () => {
    const chain = await recordChain('prague');
    const told = new Set<string>();
    for (let seed = 0; seed < LIES; seed++) {
      const { name, level, isAboutRows } = await tellLie(chain, createRandom(seed));
      told.add(name);
      assert.notEqual(level, 'proven', `${name}, seed ${seed}`);
      if (isAboutRows) assert.equal(level, 'contradicted', `${name}, seed ${seed}`);
    }
    assert.deepEqual([...told].sort(), [...lieNames].sort());
  });
});
