import assert from 'node:assert/strict';
import type { Address, Identity } from '../../../../src/core/index.ts';
import { createIdentityCache } from '../../../../src/core/providers/rpc/identity.ts';
import { createTestClock } from '../../../support/testClock.ts';

const address: Address = `0x${'ab'.repeat(20)}`;
const source = { name: 'blockscout', origin: 'https://explorer.example', takesKey: false };
const contract: Identity = {
  ...{ address, kind: 'contract', name: undefined, token: undefined, proxy: undefined, created: undefined },
  sources: [{ source, readAt: 0, tells: ['kind'] }],
};

describe('kept identities', () => {
  for (const [what, gap, reads] of [
    ['are those of contracts for longer than a minute', undefined, 1],
    ['are not for longer what a source has failed to add to', 'failed', 2],
    ['are for longer what a source has no record of', 'notIndexed', 1],
  ] as const) {
    it(what, async () => {
      const clock = createTestClock();
      const kept = createIdentityCache(clock);
      let read = 0;
      const load = async () => {
        read++;
        return { ...contract, sources: [...contract.sources, { source, readAt: 0, tells: [], gap }] };
      };
      await kept(address, load);
      await clock.sleep(61_000);
      await kept(address, load);
      assert.equal(read, reads);
    });
  }
});
