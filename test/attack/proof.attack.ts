import assert from 'node:assert/strict';
import { createRandom } from '../../localnet/chain/random.ts';
import { type RecordedChain, recordChain } from '../support/proofChain.ts';
import { tellLie } from '../support/seededLies.ts';
import { campaign } from './support/campaign.ts';

const lies = campaign.short ? 200 : 10_000;
const LIES_OF_A_TEST = 500;
/** Header fields differ from fork to fork. */
const forks = campaign.short ? (['prague'] as const) : (['byzantium', 'london', 'cancun', 'osaka'] as const);

describe('the proof of logs against servers that lie', () => {
  const chains: RecordedChain[] = [];
  before(async () => {
    for (const fork of forks) chains.push(await recordChain(fork));
  });

  for (let first = 0; first < lies; first += LIES_OF_A_TEST) {
    const count = Math.min(LIES_OF_A_TEST, lies - first);
    it(`proves none of ${count} lies from seed ${campaign.seed + first} on`, async () => {
      for (let seed = campaign.seed + first; seed < campaign.seed + first + count; seed++) {
        const { name, level, isAboutRows } = await tellLie(
          chains[seed % chains.length] ?? assert.fail(),
          createRandom(seed),
        );
        assert.notEqual(level, 'proven', `${name}, seed ${seed}`);
        if (isAboutRows) assert.equal(level, 'contradicted', `${name}, seed ${seed}`);
      }
    });
  }
});
