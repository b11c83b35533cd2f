import assert from 'node:assert/strict';
import type { Address, Network, VerifiedContract } from '../../../../src/core/index.ts';
import { createCreationCache } from '../../../../src/host/verified/verifiedContracts.ts';

const at = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`;
const network: Network = {
  ...{ id: 'n', name: 'N', chainId: 5, symbol: 'ETH', decimals: 18, rpcUrl: 'https://e.example' },
};

/** Of which somebody tells. */
let chains: number[];
beforeEach(() => {
  chains = [5];
});

function setUp(identity: (address: Address) => Promise<unknown>, verified?: Partial<VerifiedContract>) {
  const asked: Address[] = [];
  const creations = createCreationCache({
    contractAt: () => verified as VerifiedContract | undefined,
    identityOf: async ({ chainId }) =>
      chains.includes(chainId)
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
    assert.equal(creations.at(at(1), network), undefined);
    assert.equal(await creations.want([at(1)], network), true);
    assert.deepEqual(creations.at(at(1), network), { block: 7n, contract: undefined });
    assert.equal(creations.at(at(1), { ...network, chainId: 6 }), undefined);
    assert.equal(await creations.want([at(1)], network), false);
    assert.equal(await creations.want([at(1)], { ...network, chainId: 6 }), false);
    assert.deepEqual(asked, [at(1)]);
  });

  it('is that of who verified the contract, where that is known', async () => {
    const { creations, asked } = setUp(async () => undefined, { created: { block: 9n }, name: 'Shop' });
    await creations.want([at(1)], network);
    assert.deepEqual([creations.at(at(1), network), asked], [{ block: 9n, contract: 'Shop' }, []]);
  });

  it('stays unknown where nobody tells, and is asked for again after a failure', async () => {
    let fails = true;
    const { creations, asked } = setUp(async () => {
      if (fails) throw new Error('no');
      return { kind: 'contract', created: undefined };
    });
    assert.equal(await creations.want([at(1)], network), false);
    fails = false;
    assert.equal(await creations.want([at(1)], network), true);
    assert.equal(await creations.want([at(1)], network), false);
    assert.equal(asked.length, 3);
    assert.equal(creations.at(at(1), network), undefined);
  });

  it('is asked for again where it was only not told, as by a server at its limit', async () => {
    let created: { block: bigint | undefined } | undefined = { block: undefined };
    const { creations } = setUp(async () => ({ kind: 'contract', created }));
    assert.equal(await creations.want([at(1)], network), true);
    created = { block: 7n };
    assert.equal(await creations.want([at(1)], network), true);
    assert.deepEqual(creations.at(at(1), network), { block: 7n, contract: undefined });
  });

  it('is told to all who want it at the same time', async () => {
    const { creations, asked } = setUp(async () => ({ created: { block: 7n } }));
    const both = [creations.want([at(1)], network), creations.want([at(1)], network)];
    assert.deepEqual(await Promise.all(both), [true, true]);
    assert.equal(asked.length, 1);
  });

  it('is asked for once somebody can be asked', async () => {
    const elsewhere = { ...network, chainId: 6 };
    const { creations, asked } = setUp(async () => ({ created: { block: 7n } }));
    await creations.want([at(1)], elsewhere);
    chains.push(6);
    assert.equal(await creations.want([at(1)], elsewhere), true);
    assert.equal(asked.length, 1);
  });

  it('is of one endpoint: a fork on this machine has contracts of its own', async () => {
    const fork = { ...network, rpcUrl: 'http://127.0.0.1:8545' };
    const { creations } = setUp(async () => ({ created: { block: 7n } }));
    await creations.want([at(1)], network);
    assert.equal(creations.at(at(1), fork), undefined);
    assert.equal(await creations.want([at(1)], fork), true);
  });
});
