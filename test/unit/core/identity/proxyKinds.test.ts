import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { deployProxyKinds, type ProxyKinds } from '../../../../localnet/chain/proxyKinds.ts';
import { type Address, systemClock } from '../../../../src/core/index.ts';
import { createRpcIdentity } from '../../../../src/core/providers/rpc/identity.ts';
import { createRecordingFetch } from '../../../support/countedFetch.ts';

describe('what is at an address, as a node tells', () => {
  let anvil: Anvil;
  let kinds: ProxyKinds;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    kinds = await deployProxyKinds(createNodeRpc(anvil.url));
  });
  after(() => anvil.stop());

  async function identify(address: Address) {
    const { fetch, asked } = createRecordingFetch();
    const revoked = new AbortController().signal;
    const source = createRpcIdentity({
      url: anvil.url,
      chainId: 31337,
      fetch,
      clock: systemClock,
      revoked,
    });
    return { identity: await source.identity(address), asked };
  }

  const direct = {
    clone: 'eip1167',
    shortClone: 'eip1167',
    cloneWithArguments: 'clone_with_immutable_arguments',
    innerClone: 'minimal_proxy',
    uups7760: 'erc7760',
    safe: 'master_copy',
    firstSafe: 'master_copy',
    eip1967: 'eip1967',
    unsubtracted: 'eip1967',
    openZeppelin: 'eip1967_oz',
    sequence: 'sequence_wallet',
    eip1822: 'eip1822',
    implementationGetter: 'basic_implementation',
    getImplementationGetter: 'basic_get_implementation',
    comptroller: 'comptroller',
    masterCopyGetter: 'master_copy',
  } as const;

  for (const [name, type] of Object.entries(direct)) {
    it(`finds ${type} (${name}) and what it runs, in two requests`, async () => {
      const { identity, asked } = await identify(kinds[name as keyof typeof direct]);
      const { kind, proxy } = identity;
      assert.equal(kind, 'contract');
      assert.equal(proxy?.type, type);
      assert.deepEqual(proxy.implementations, [{ address: kinds.logic, code: 'code' }]);
      assert.deepEqual(proxy.conflict, []);
      assert.ok(asked.length <= 2, `${asked.length} requests`);
    });
  }

  const asking = {
    beacon7760: ['erc7760', 'beacon'],
    eip1967Beacon: ['eip1967_beacon', 'beacon'],
    resolved: ['resolved_delegate_proxy', undefined],
  } as const;

  for (const [name, [type, beacon]] of Object.entries(asking)) {
    it(`asks who names what ${type} (${name}) runs, in two requests`, async () => {
      const { identity, asked } = await identify(kinds[name as keyof typeof asking]);
      assert.equal(identity.proxy?.type, type);
      assert.equal(identity.proxy.beacon, beacon && kinds[beacon]);
      assert.deepEqual(identity.proxy.implementations, [{ address: kinds.logic }]);
      assert.ok(asked.length <= 2, `${asked.length} requests`);
    });
  }

  it('finds every facet of a diamond', async () => {
    const { proxy } = (await identify(kinds.diamond)).identity;
    assert.equal(proxy?.type, 'eip2535');
    assert.deepEqual(
      proxy.implementations.map(({ address }) => address),
      [kinds.logic, kinds.secondLogic],
    );
    assert.equal(proxy.left, 0);
  });

  it('tells a delegated account from a contract', async () => {
    const { kind, token, proxy, created } = (await identify(kinds.delegated)).identity;
    assert.equal(kind, 'delegated');
    assert.deepEqual(proxy?.implementations, [{ address: kinds.logic, code: 'code' }]);
    assert.deepEqual([proxy.type, token, created], ['eip7702', undefined, undefined]);
  });

  it('believes the slot and not a function that names another; shows both', async () => {
    const { proxy } = (await identify(kinds.lying)).identity;
    assert.equal(proxy?.type, 'eip1967');
    assert.deepEqual(proxy.implementations, [{ address: kinds.logic, code: 'code' }]);
    assert.deepEqual(proxy.conflict, [{ type: 'basic_implementation', address: kinds.secondLogic }]);
  });

  it('shows slots of two standards that differ', async () => {
    const { proxy } = (await identify(kinds.conflicted)).identity;
    assert.equal(proxy?.implementations[0]?.address, kinds.logic);
    assert.deepEqual(proxy?.conflict, [{ type: 'eip1822', address: kinds.secondLogic }]);
  });

  it('takes no contract for a proxy that only has an implementation() and cannot run it', async () => {
    const { identity } = await identify(kinds.beacon);
    assert.equal(identity.kind, 'contract');
    assert.equal(identity.proxy, undefined);
    assert.ok(identity.sources[0]?.tells.includes('proxy'));
  });

  it('says where the implementation has no code any more', async () => {
    const { proxy } = (await identify(kinds.orphaned)).identity;
    assert.deepEqual(proxy?.implementations, [{ address: kinds.gone, code: 'noCode' }]);
  });

  it('follows proxies behind each other three deep, and no further', async () => {
    const { proxy } = (await identify(kinds.chain)).identity;
    const [second] = proxy?.implementations ?? [];
    const [third] = second?.proxy?.implementations ?? [];
    const [fourth, ...others] = third?.proxy?.implementations ?? [];
    assert.deepEqual([second?.address, third?.address], [kinds.second, kinds.third]);
    assert.deepEqual([fourth, others], [{ address: kinds.fourth, stopped: 'depth' }, []]);
  });

  it('stops at a loop', async () => {
    const { proxy } = (await identify(kinds.loop)).identity;
    const [back] = proxy?.implementations ?? [];
    assert.equal(back?.address, kinds.loopBack);
    assert.deepEqual(back?.proxy?.implementations, [{ address: kinds.loop, stopped: 'loop' }]);
  });

  it('finds tokens, and what a vault holds', async () => {
    const { token } = (await identify(kinds.asset)).identity;
    assert.deepEqual(token, {
      ...{ standard: 'ERC-20', name: 'Harbor Dollar', symbol: 'HUSD', decimals: 6, supply: 10n ** 15n },
    });
    const { identity, asked } = await identify(kinds.vault);
    assert.deepEqual(identity.token, {
      ...{ standard: 'ERC-4626', name: 'Harbor Vault', symbol: 'vHUSD', decimals: 6, supply: 0n },
      asset: { address: kinds.asset, symbol: 'HUSD', decimals: 6 },
    });
    assert.ok(asked.length <= 2, `${asked.length} requests`);
  });

  it('says who made a contract, when and by what, where the node tells', async () => {
    const { created } = (await identify(kinds.vault)).identity;
    assert.equal(created?.deployer, kinds.deployer);
    assert.match(String(created?.transaction), /^0x[0-9a-f]{64}$/);
    assert.ok((created?.block ?? 0n) > 0n);
  });

  it('takes an account for one, in one request', async () => {
    const { identity, asked } = await identify(kinds.deployer);
    assert.deepEqual([identity.kind, identity.token, identity.proxy], ['account', undefined, undefined]);
    assert.deepEqual(identity.sources[0]?.tells, ['kind', 'token', 'proxy', 'created']);
    assert.equal(asked.length, 1);
  });
});
