import assert from 'node:assert/strict';
import type { Address, Network, VerifiedContract } from '../../../../src/core/index.ts';
import { createCreations } from '../../../../src/host/verified/creations.ts';

const at = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`;
const network: Network = {
  ...{ id: 'n', name: 'N', chainId: 5, symbol: 'ETH', decimals: 18, rpcUrl: 'https://e.example' },
};

function setUp(identity: (address: Address) => Promise<unknown>, verified?: Partial<VerifiedContract>) {
  const asked: Address[] = [];
  const creations = createCreations({
    contractAt: () => verified as VerifiedContract | undefined,
    identityOf: async ({ chainId }) =>
      chainId === 5
        ? {
            identity: (address) => {
              asked.push(address);
              return identity(address) as never;
            },
          }
        : undefined,
  });
  return { creations, asked };
}

describe('The creation of contracts', () => {
  it('is asked for once, and is of one chain', async () => {
    const { creations, asked } = setUp(async () => ({ created: { block: 7n } }));
    assert.equal(creations.at(at(1), 5), undefined);
    assert.equal(await creations.want([at(1)], network), true);
    assert.deepEqual(creations.at(at(1), 5), { block: 7n, contract: undefined });
    assert.equal(creations.at(at(1), 6), undefined);
    assert.equal(await creations.want([at(1)], network), false);
    assert.equal(await creations.want([at(1)], { ...network, chainId: 6 }), false);
    assert.deepEqual(asked, [at(1)]);
  });

  it('is that of who verified the contract, where that is known', async () => {
    const { creations, asked } = setUp(async () => undefined, { created: { block: 9n }, name: 'Shop' });
    await creations.want([at(1)], network);
    assert.deepEqual([creations.at(at(1), 5), asked], [{ block: 9n, contract: 'Shop' }, []]);
  });

  it('stays unknown where nobody tells, and is asked for again after a failure', async () => {
    let fails = true;
    const { creations, asked } = setUp(async () => {
      if (fails) throw new Error('no');
      return { created: undefined };
    });
    assert.equal(await creations.want([at(1)], network), false);
    fails = false;
    assert.equal(await creations.want([at(1)], network), true);
    assert.equal(await creations.want([at(1)], network), false);
    assert.equal(asked.length, 2);
    assert.equal(creations.at(at(1), 5), undefined);
  });
});
