import assert from 'node:assert/strict';
import {
  type IdentityFacts,
  mergeIdentityFacts,
  type ProxyIdentity,
} from '../../../../src/core/identity/identity.ts';

const first = `0x${'01'.repeat(20)}` as const;
const second = `0x${'02'.repeat(20)}` as const;

function factsWith(given: Partial<IdentityFacts>): IdentityFacts {
  return {
    ...{ kind: 'contract', name: undefined, token: undefined, proxy: undefined, created: undefined },
    tells: ['kind', 'token', 'proxy'],
    ...given,
  };
}

function proxyTo(address: typeof first, name?: string): ProxyIdentity {
  const implementations = [{ address, name }];
  return { type: 'eip1967', implementations, left: 0, admin: undefined, beacon: undefined, conflict: [] };
}

describe('what an explorer has recorded beside what the chain says', () => {
  it('adds names to what the chain says', () => {
    const recorded = factsWith({ name: 'Harbor', proxy: proxyTo(first, 'HarborV2') });
    const { name, proxy } = mergeIdentityFacts(recorded, factsWith({ proxy: proxyTo(first) }));
    assert.deepEqual(
      [name, proxy?.implementations, proxy?.conflict],
      ['Harbor', [{ address: first, name: 'HarborV2' }], []],
    );
  });

  it('is a conflict where it names another implementation, as after an upgrade', () => {
    const recorded = factsWith({ proxy: proxyTo(second, 'HarborV1') });
    const { proxy } = mergeIdentityFacts(recorded, factsWith({ proxy: proxyTo(first) }));
    assert.equal(proxy?.implementations[0]?.address, first);
    assert.deepEqual(proxy.conflict, [{ type: 'eip1967', address: second, name: 'HarborV1' }]);
  });

  it('is not believed where the chain shows no proxy, and is where the chain does not tell', () => {
    const recorded = factsWith({ proxy: proxyTo(second) });
    assert.equal(mergeIdentityFacts(recorded, factsWith({})).proxy, undefined);
    const silent = factsWith({ kind: 'unknown', tells: [] });
    assert.deepEqual(mergeIdentityFacts(recorded, silent).proxy, recorded.proxy);
    assert.equal(mergeIdentityFacts(recorded, silent).kind, 'contract');
  });

  it('fills in what a token does not tell itself', () => {
    const unknown = { name: undefined, symbol: undefined, decimals: undefined, supply: undefined };
    const recorded = factsWith({ token: { standard: 'ERC-20', ...unknown, name: 'Tide', supply: 7n } });
    const read = factsWith({ token: { standard: 'ERC-4626', ...unknown, name: 'Tide Vault' } });
    const { token } = mergeIdentityFacts(recorded, read);
    assert.deepEqual([token?.standard, token?.name, token?.supply], ['ERC-4626', 'Tide Vault', 7n]);
  });
});
