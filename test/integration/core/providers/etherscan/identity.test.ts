import assert from 'node:assert/strict';
import {
  type EtherscanServer,
  etherscanKey,
  startEtherscan,
} from '../../../../../localnet/etherscan/server.ts';
import {
  type Address,
  AppError,
  type Identity,
  type IdentityProvider,
  parseAddress,
  providers,
  withCreation,
} from '../../../../../src/core/index.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import {
  answerEtherscan,
  etherscanErrorOf,
  openEtherscanPorts,
  refuseEtherscan,
  rerouteEtherscan,
} from '../../../../support/etherscanPorts.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';
import { verifiedOf } from '../../../../support/verifiedOf.ts';

const SHOP: Address = `0x${'ab'.repeat(20)}`;
const MAKER: Address = `0x${'cd'.repeat(20)}`;
const HASH = `0x${'12'.repeat(32)}` as const;
const row = { contractAddress: SHOP, contractCreator: MAKER, txHash: HASH, blockNumber: '77' };

describe("creations by Etherscan's API", () => {
  async function open(answer: (params: URLSearchParams) => unknown) {
    const { fetch, asked } = answerEtherscan(answer);
    const { identity } = await openEtherscanPorts(fetch, 1);
    return { identity: identity ?? assert.fail(), asked };
  }
  const creationOf = async (answer: unknown) => (await open(() => answer)).identity.identity(SHOP);

  it('have the block, the transaction and the deployer, and nothing else of the address', async () => {
    const { identity, asked } = await open(() => [row]);
    const { created, kind, sources } = await identity.identity(SHOP);
    assert.deepEqual(created, { block: 77n, transaction: HASH, deployer: MAKER });
    assert.deepEqual([kind, sources.map(({ tells }) => tells)], ['unknown', [['created']]]);
    await identity.identity(SHOP);
    assert.equal(asked.length, 1);
    assert.deepEqual(Object.fromEntries(asked[0] ?? []), {
      ...{ chainid: '1', module: 'contract', action: 'getcontractcreation' },
      ...{ contractaddresses: SHOP, apikey: asked[0]?.get('apikey') },
    });
  });

  it('have no transaction in the first block', async () => {
    const { created, sources } = await creationOf([
      { ...row, txHash: 'GENESIS_ab', contractCreator: 'GENESIS' },
    ]);
    assert.deepEqual([created, sources[0]?.tells], [undefined, ['created']]);
  });

  it('are unknown where there is no record', async () => {
    for (const answer of [refuseEtherscan(null, 'No data found'), []]) {
      const { created, sources } = await creationOf(answer);
      assert.deepEqual([created, sources[0]?.reason], [undefined, 'notIndexed']);
    }
  });

  const invalid: Readonly<Record<string, unknown>> = {
    'another contract': [{ ...row, contractAddress: MAKER }],
    'a genesis row of another contract': [{ ...row, contractAddress: MAKER, txHash: 'GENESIS' }],
    'a creator that is no address': [{ ...row, contractCreator: '0x12' }],
    'a hash that is no hash': [{ ...row, txHash: '0x12' }],
    'a hash that is the key, which no error shows': [{ ...row, txHash: etherscanKey }],
    text: 'x',
    'a list of nothing': [null],
    HTML: new Response('<html>Just a moment…</html>', { headers: { 'content-type': 'text/html' } }),
  };
  for (const [what, answer] of Object.entries(invalid)) {
    it(`are not taken from ${what}`, async () => {
      assert.equal((await etherscanErrorOf(creationOf(answer))).kind, 'badResponse');
    });
  }

  it('have no block where it is not a number, of any length', async () => {
    for (const blockNumber of ['9'.repeat(1_000_000), '-1', '0x10', '1e3']) {
      assert.equal((await creationOf([{ ...row, blockNumber }])).created?.block, undefined);
    }
  });

  it('are asked for no more once the key or the plan is refused', async () => {
    for (const [text, kind] of [
      [`Invalid API Key ${etherscanKey}`, 'unauthorized'],
      ['Free API access is not supported for this chain. Please upgrade your api plan', 'forbidden'],
    ]) {
      const { identity, asked } = await open(() => refuseEtherscan(text));
      assert.equal((await etherscanErrorOf(identity.identity(SHOP))).kind, kind);
      assert.equal((await etherscanErrorOf(identity.identity(MAKER))).kind, kind);
      assert.equal(asked.length, 1);
    }
  });

  it('are asked for again after a page of HTML with a status, which may pass', async () => {
    let isBlocked = true;
    const { identity, asked } = await open(() =>
      isBlocked ? new Response('<html>Just a moment…</html>', { status: 403 }) : [row],
    );
    assert.equal((await etherscanErrorOf(identity.identity(SHOP))).kind, 'forbidden');
    isBlocked = false;
    assert.equal((await identity.identity(SHOP)).created?.block, 77n);
    assert.equal(asked.length, 2);
  });

  it('are not offered on a development chain', () => {
    const kind = providers.find(({ name }) => name === 'etherscan');
    for (const chainId of [31337, 1337]) assert.equal(kind?.urlFor({ chainId } as never), undefined);
  });

  describe('over a real node', () => {
    let localnet: SharedLocalnet;
    let server: EtherscanServer;
    before(async () => {
      localnet = await sharedLocalnet();
      const ask = (method: string, params: readonly unknown[]) => localnet.node.call(method, params);
      server = await startEtherscan({
        registry: verifiedOf({ chainId: 5, address: SHOP, name: 'Shop', abi: [] }),
        ask,
        chainIds: [5],
      });
    });
    after(() => server.stop());

    it('are those that the node tells', async () => {
      const fetch = rerouteEtherscan(() => server.url);
      const { identity } = await openEtherscanPorts(fetch, 5);
      const address = parseAddress(localnet.chain.contracts.usd.address) ?? assert.fail();
      const told = (await localnet.node.call('ots_getContractCreator', [address])) as {
        readonly hash: string;
      };
      assert.equal((await identity?.identity(address))?.created?.transaction, told.hash);
      assert.equal((await identity?.identity(MAKER))?.created, undefined);
    });
  });
});

describe('a creation that the first provider lacks', () => {
  const label = { name: 'calls', origin: 'https://node.example', takesKey: false };
  const created = { block: 5n, transaction: HASH, deployer: MAKER };
  const known = (facts: Partial<Identity>): IdentityProvider => ({
    ...{ label, offers: { identity: 'free' } },
    identity: async (address) => ({
      ...{ address, kind: 'contract', name: undefined, token: undefined, proxy: undefined },
      ...{ created: undefined, sources: [{ source: label, readAt: 1, tells: ['kind'] }] },
      ...facts,
    }),
  });
  const clock = createTestClock();

  it('comes from the other one', async () => {
    const { identity } = withCreation(known({}), async () => known({ created }), clock);
    const { created: found, sources, kind } = await identity(SHOP);
    assert.deepEqual([found, sources.length, kind], [created, 2, 'contract']);
  });

  it('is asked for where only its block is missing', async () => {
    const first = known({ created: { ...created, block: undefined } });
    const { identity } = withCreation(first, async () => known({ created }), clock);
    assert.equal((await identity(SHOP)).created?.block, 5n);
  });

  it('is not asked for where it is known, is known not to exist, or is of no contract', async () => {
    const never = () => assert.fail('It was asked for.');
    const source = { source: label, readAt: 1, tells: ['kind', 'created'] as const };
    for (const facts of [{ created }, { sources: [source] }, { kind: 'account' as const }]) {
      await withCreation(known(facts), never, clock).identity(SHOP);
    }
    await withCreation(known({}), never, clock).identity(SHOP, { glance: true });
  });

  it('is unknown where the other one fails, and the source says why', async () => {
    const failing = (kind: AppError['kind']): IdentityProvider => ({
      ...known({}),
      identity: async () => Promise.reject(new AppError(kind, 'No.')),
    });
    const reasonBy = async (kind: AppError['kind']) => {
      const { identity } = withCreation(known({}), async () => failing(kind), clock);
      const { created: none, sources } = await identity(SHOP);
      assert.equal(none, undefined);
      return sources[1]?.reason;
    };
    assert.deepEqual(
      [await reasonBy('unauthorized'), await reasonBy('notServed'), await reasonBy('badResponse')],
      ['refused', 'notOffered', 'failed'],
    );
    const cancelled = withCreation(known({}), async () => failing('aborted'), clock).identity(SHOP);
    await assert.rejects(cancelled, (error: AppError) => error.kind === 'aborted');
  });
});
