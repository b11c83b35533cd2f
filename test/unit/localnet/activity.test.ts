import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createActivity } from '../../../localnet/chain/activity.ts';
import type { DemoChain } from '../../../localnet/chain/demoChain.ts';

describe('activity of the local chain', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('makes up for no block that a pause has left out', async () => {
    const address = '0x0000000000000000000000000000000000000001';
    const chain = {
      accounts: { deployer: address, alice: address },
      contracts: { usd: { address } },
    } as unknown as DemoChain;
    let mined = 0;
    const rpc = {
      async call(method: string) {
        if (method === 'evm_mine') mined++;
      },
      batch: async () => [],
    };
    const activity = createActivity(rpc, async () => '0x', chain);
    activity.mineEvery(5);
    await activity.pauseFor(async () => mock.timers.tick(600_000));
    await activity.stop();
    assert.equal(mined, 1);
  });
});
