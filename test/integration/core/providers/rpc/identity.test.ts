import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../../localnet/chain/nodeRpc.ts';
import { deployProxyKinds, type ProxyKinds } from '../../../../../localnet/chain/proxyKinds.ts';
import { toAbiWord } from '../../../../../src/core/abi/encode.ts';
import {
  type Address,
  type FetchLike,
  type Hex,
  type Identity,
  isAppError,
} from '../../../../../src/core/index.ts';
import { createIdentityCache, createRpcIdentity } from '../../../../../src/core/providers/rpc/identity.ts';
import { hostileNames } from '../../../../fixtures/hostileNames.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createRecordingFetch } from '../../../../support/fakeFetch.ts';
import { findHiddenCharacters } from '../../../../support/untrustedText.ts';

const address = `0x${'ab'.repeat(20)}` as const;
const PROBED = '0x43686169';
const methodNotFound = { code: -32601, message: 'the method does not exist' };

interface Server {
  /** A result, or the `error` of a call; undefined for a method that is not there. */
  readonly answer: (method: string, data: string) => unknown;
  /** Calls that it takes in one request; any number by default. */
  readonly most?: number;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly { readonly data?: string }[];
}

function served({ answer, most = Number.POSITIVE_INFINITY }: Server): FetchLike {
  const one = ({ id, method, params }: Call) => {
    const data = params[0]?.data ?? '';
    const offered = answer(method, data);
    const isGiven = typeof offered === 'object' && offered !== null && 'given' in offered;
    const result = isGiven ? offered.given : data === PROBED && offered !== undefined ? PROBED : offered;
    const refused = result === undefined ? { error: methodNotFound } : undefined;
    const given = typeof result === 'object' && result !== null && 'error' in result ? result : { result };
    return { jsonrpc: '2.0', id, ...(refused ?? given) };
  };
  return async (_url, { body = '' }) => {
    const asked = JSON.parse(body);
    if (!Array.isArray(asked)) return Response.json(one(asked));
    if (asked.length <= most) return Response.json(asked.map(one));
    const error = { code: -32600, message: `Max batch size is ${most}` };
    return Response.json({ jsonrpc: '2.0', id: null, error }, { status: most === 0 ? 400 : 413 });
  };
}

/** A contract that answers calls by `answers`, and reverts on all else. */
function contract(answers: Readonly<Record<string, unknown>>): Server['answer'] {
  return (method, data) => {
    if (method === 'eth_getCode') return '0x6001';
    if (method === 'eth_getStorageAt') return '0x0';
    if (method !== 'eth_call') return undefined;
    return answers[data.slice(0, 10)] ?? { error: { code: 3, message: 'execution reverted' } };
  };
}

function textResult(text: string): Hex {
  const bytes = Buffer.from(text).toString('hex');
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
  return `${toAbiWord(32n)}${toAbiWord(BigInt(bytes.length / 2)).slice(2)}${padded}`;
}

const token = {
  '0x06fdde03': textResult('Tide'),
  '0x95d89b41': textResult('TIDE'),
  '0x313ce567': toAbiWord(18n),
  '0x18160ddd': toAbiWord(7n),
  '0x70a08231': toAbiWord(0n),
};

function openFetch(answer: FetchLike, { url = 'http://127.0.0.1:1', chainId = 1 } = {}) {
  const { fetch, asked } = createRecordingFetch(answer);
  const clock = createTestClock();
  const revoked = new AbortController();
  const options = { url, chainId, fetch, clock, revoked: revoked.signal };
  return { ...createRpcIdentity(options), asked, clock, revoked };
}
const open = (server: Server) => openFetch(served(server));
const identify = (answer: Server['answer']) => open({ answer }).identity(address);
/** A contract that answers all calls with the same. */
const alike = (result: Hex) =>
  identify((method) => (method === 'eth_call' ? result : contract({})(method, '')));

describe('what is at an address, by calls', () => {
  it('is asked for in one request', async () => {
    const { identity, asked } = open({ answer: contract(token) });
    const { kind, token: found } = await identity(address);
    assert.deepEqual(
      [kind, found?.standard, found?.symbol, found?.supply],
      ['contract', 'ERC-20', 'TIDE', 7n],
    );
    assert.equal(asked.length, 1);
  });

  it('is told at a glance in one request, of which the closer look asks the rest', async () => {
    const { identity, asked } = open({ answer: contract(token) });
    const glance = await identity(address, { glance: true });
    assert.deepEqual(
      [glance.kind, glance.token?.symbol, glance.isGlance, glance.sources[0]?.tells],
      ['contract', 'TIDE', true, ['kind', 'token']],
    );
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.every((method) => method !== 'eth_getStorageAt'));
    const { isGlance, sources } = await identity(address);
    assert.deepEqual([isGlance, sources[0]?.tells.includes('proxy'), asked.length], [undefined, true, 2]);
    assert.equal((await identity(address, { glance: true })).isGlance, undefined);
    assert.equal(asked.length, 2);
  });

  it('is at a glance the code alone where no batches are taken', async () => {
    const { identity, asked } = open({ answer: contract(token), most: 0 });
    await identity(address, { glance: true });
    asked.length = 0;
    const { kind, token: found, sources } = await identity(`0x${'cd'.repeat(20)}`, { glance: true });
    assert.deepEqual([kind, found, sources[0]?.tells], ['contract', undefined, ['kind']]);
    assert.deepEqual(asked, [['eth_getCode']]);
  });

  it('is told in small batches too, and learns their size once', async () => {
    const { identity, asked } = open({ answer: contract(token), most: 5 });
    assert.equal((await identity(address)).token?.symbol, 'TIDE');
    const first = asked.length;
    assert.equal((await identity(`0x${'cd'.repeat(20)}`)).token?.symbol, 'TIDE');
    assert.ok(asked.length - first < first, 'the second look asks less');
    assert.ok(asked.slice(1).every((methods) => methods.length <= 5));
  });

  it('is told by a server that takes no batches; of an account then only the code is asked', async () => {
    const { identity, asked } = open({
      answer: (method, data) => (method === 'eth_getCode' ? '0x' : contract(token)(method, data)),
      most: 0,
    });
    assert.equal((await identity(address)).kind, 'account');
    const alone = asked.filter(({ length }) => length === 1);
    // Whether the node has blocks is asked once, while a few others are sent.
    assert.ok(alone.length <= 6 && alone[0]?.[0] === 'eth_getCode', `${alone.length} calls`);
    asked.length = 0;
    assert.equal((await identity(`0x${'cd'.repeat(20)}`)).kind, 'account');
    assert.deepEqual(asked, [['eth_getCode']]);
  });

  it('fails after two requests where the endpoint refuses everything, and asks no more', async () => {
    for (const status of [403, 404]) {
      const { identity, asked, clock } = openFetch(async () => new Response('<html>', { status }));
      await assert.rejects(identity(address), (error) => isAppError(error, 'forbidden', 'notFound'));
      for (let turn = 0; turn < 20; turn++) await clock.sleep(0);
      assert.deepEqual([asked.length, asked[1]], [2, ['eth_getCode']]);
    }
  });

  it('is asked call by call at once where the words say that no batch is taken, of whatever size', async () => {
    for (const message of ['batch requests are not supported', 'Invalid Request', 'method not found']) {
      const error = { code: -32600, message };
      const { identity, asked } = openFetch(async (url, init) =>
        init.body?.startsWith('[')
          ? Response.json({ jsonrpc: '2.0', id: null, error })
          : served({ answer: contract(token) })(url, init),
      );
      assert.equal((await identity(address)).token?.symbol, 'TIDE');
      assert.equal(asked.filter(({ length }) => length > 1).length, 1, message);
    }
  });

  it('is not known without eth_getCode, which is asked for once', async () => {
    const { identity, asked } = open({ answer: () => undefined });
    const { kind, sources } = await identity(address);
    assert.equal(kind, 'unknown');
    assert.deepEqual(
      sources.map(({ tells, reason }) => ({ tells, gap: reason })),
      [{ tells: [], gap: 'notOffered' }],
    );
    asked.length = 0;
    assert.equal((await identity(`0x${'cd'.repeat(20)}`)).kind, 'unknown');
    assert.deepEqual(asked, []);
  });

  it('is told where the endpoint answers the probe with nothing, with a revert, or with something else', async () => {
    const zero = toAbiWord(0n);
    for (const probed of ['0x', zero, { error: { code: 3, message: 'execution reverted' } }]) {
      const answer = contract({ ...token, '0x70a08231': toAbiWord(5n) });
      const {
        token: found,
        proxy,
        sources,
      } = await identify((method, data) => (data === PROBED ? { given: probed } : answer(method, data)));
      assert.deepEqual([found?.symbol, proxy], ['TIDE', undefined]);
      // What it reverts on may be what it does not offer.
      assert.deepEqual(sources[0]?.tells, ['kind', 'token']);
    }
    for (const same of ['0x', zero]) {
      const { sources } = await identify((method, data) =>
        data === PROBED ? { given: same } : method === 'eth_call' ? same : contract({})(method, data),
      );
      assert.deepEqual(sources[0]?.tells, ['kind']);
    }
  });

  it('says which parts are not known where calls or storage are not offered', async () => {
    const { kind, sources } = await identify((method) => (method === 'eth_getCode' ? '0x6001' : undefined));
    assert.deepEqual([kind, sources[0]?.tells], ['contract', ['kind']]);
    const withoutStorage = await identify((method, data) =>
      method === 'eth_getStorageAt' ? undefined : contract(token)(method, data),
    );
    assert.deepEqual(withoutStorage.sources[0]?.tells, ['kind', 'token']);
    const withoutSlots = await identify((method, data) =>
      method === 'eth_getStorageAt' ? '0x' : contract(token)(method, data),
    );
    assert.deepEqual(withoutSlots.sources[0]?.tells, ['kind', 'token']);
  });

  it('takes no contract for a token that answers everything alike', async () => {
    for (const result of [toAbiWord(0n), toAbiWord(1n), toAbiWord(5n), toAbiWord(address), textResult('yes')])
      assert.equal((await alike(result)).token, undefined);
  });

  it('takes a token without decimals for ERC-20, and no NFT from before ERC-165 was answered rightly', async () => {
    const { '0x313ce567': _, ...bare } = token;
    const tokenOf = async (answers: Readonly<Record<string, unknown>>) =>
      (await identify(contract(answers))).token;
    const found = await tokenOf(bare);
    assert.deepEqual([found?.standard, found?.decimals, found?.symbol], ['ERC-20', undefined, 'TIDE']);
    // As CryptoKitties, which deny what they are.
    assert.equal(await tokenOf({ ...bare, '0x01ffc9a7': toAbiWord(0n) }), undefined);
    assert.equal(await tokenOf({ '0x18160ddd': toAbiWord(7n), '0x70a08231': toAbiWord(0n) }), undefined);
    assert.equal(await tokenOf({ '0x313ce567': toAbiWord(8n), '0x95d89b41': textResult('FEED') }), undefined);
  });

  it('takes for a proxy what CALLs its target() and emits for it, if the target has code', async () => {
    const target = `0x${'22'.repeat(20)}` as const;
    const code = '0x6080604052d4b83992600080600080600080600060005af1';
    const serve = (targetCode: Hex): Server['answer'] => {
      let isFirst = true;
      return (method, data) => {
        if (method !== 'eth_getCode') return contract({ '0xd4b83992': toAbiWord(target) })(method, data);
        const isProxy = isFirst;
        isFirst = false;
        return isProxy ? code : targetCode;
      };
    };
    const { proxy } = await identify(serve('0x6080604052'));
    assert.deepEqual(
      [proxy?.type, proxy?.implementations],
      ['call_target', [{ address: target, code: 'code' }]],
    );
    assert.equal((await identify(serve('0x'))).proxy, undefined);
  });

  it('takes for no vault what says yes to every claim', async () => {
    const { token: found } = await identify((method, data) =>
      method === 'eth_call' ? (token[data as '0x06fdde03'] ?? toAbiWord(1n)) : contract({})(method, data),
    );
    assert.equal(found?.standard, 'ERC-20');
  });

  it('reads names that are hostile, too long, or no text as plain words or none', async () => {
    const tokenOf = async (more: object) => (await identify(contract({ ...token, ...more }))).token;
    for (const name of [...Object.values(hostileNames), 'x'.repeat(100_000)]) {
      const found = await tokenOf({ '0x06fdde03': textResult(name) });
      assert.equal(found?.symbol, 'TIDE', name.slice(0, 20));
      assert.ok((found.name ?? '').length <= 700, name.slice(0, 20));
      assert.deepEqual(findHiddenCharacters(found.name ?? ''), []);
    }
    assert.equal((await tokenOf({ '0x06fdde03': `0x${'ff'.repeat(96)}` }))?.name, undefined);
    assert.equal((await tokenOf({ '0x313ce567': toAbiWord(256n) }))?.decimals, undefined);
  });

  it('reads slots without zeros in front, and rejects what is no data', async () => {
    const storing = (slot: string) =>
      identify((method, data) => (method === 'eth_getStorageAt' ? slot : contract({})(method, data)));
    assert.equal((await storing(`0x${'cd'.repeat(20)}`)).proxy?.type, 'eip1967');
    await assert.rejects(storing('soon'), { kind: 'badResponse' });
  });

  it('keeps that of a contract for longer than that of an account', async () => {
    let code = '0x';
    const { identity, asked, clock } = open({
      answer: (method, data) => (method === 'eth_getCode' ? code : contract(token)(method, data)),
    });
    await identity(address);
    await identity(address);
    assert.equal(asked.length, 1);
    await clock.sleep(61_000);
    code = '0x6001';
    assert.equal((await identity(address)).kind, 'contract');
    assert.equal(asked.length, 2);
    await clock.sleep(10 * 60_000);
    await identity(address);
    assert.equal(asked.length, 2);
    await identity(address, { fresh: true });
    assert.equal(asked.length, 3);
    await clock.sleep(16 * 60_000);
    await identity(address);
    assert.equal(asked.length, 4);
  });

  it('keeps no failure, and ends when it is revoked', async () => {
    let fails = true;
    const { identity, revoked } = open({
      answer: (method, data) =>
        fails ? { error: { code: -32005, message: 'rate limit' } } : contract(token)(method, data),
    });
    await assert.rejects(identity(address), { kind: 'rateLimited' });
    fails = false;
    assert.equal((await identity(address)).kind, 'contract');
    revoked.abort();
    await assert.rejects(identity(`0x${'cd'.repeat(20)}`), { kind: 'aborted' });
  });
});

const source = { name: 'blockscout', origin: 'https://explorer.example', takesKey: false };
const kept: Identity = {
  ...{ address, kind: 'contract', name: undefined, token: undefined, proxy: undefined, created: undefined },
  sources: [{ source, readAt: 0, tells: ['kind'] }],
};

describe('kept identities', () => {
  for (const [what, reason, reads] of [
    ['are not for longer what a source has failed to add to', 'failed', 2],
    ['are for longer what a source has no record of', 'notIndexed', 1],
  ] as const) {
    it(what, async () => {
      const clock = createTestClock();
      const keep = createIdentityCache(clock);
      let read = 0;
      const load = async () => {
        read++;
        return { ...kept, sources: [...kept.sources, { source, readAt: 0, tells: [], reason }] };
      };
      await keep(address, load);
      await clock.sleep(61_000);
      await keep(address, load);
      assert.equal(read, reads);
    });
  }
});

describe('what is at an address, as a node tells', () => {
  let anvil: Anvil;
  let kinds: ProxyKinds;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    kinds = await deployProxyKinds(createNodeRpc(anvil.url));
  });
  after(() => anvil.stop());

  async function look(at: Address) {
    const { identity, asked } = openFetch(fetch as FetchLike, { url: anvil.url, chainId: 31337 });
    return { identity: await identity(at), asked };
  }

  const direct = {
    clone: 'eip1167',
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
      const { identity, asked } = await look(kinds[name as keyof typeof direct]);
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
      const { identity, asked } = await look(kinds[name as keyof typeof asking]);
      assert.equal(identity.proxy?.type, type);
      assert.equal(identity.proxy.beacon, beacon && kinds[beacon]);
      assert.deepEqual(identity.proxy.implementations, [{ address: kinds.logic }]);
      assert.ok(asked.length <= 2, `${asked.length} requests`);
    });
  }

  it('finds every facet of a diamond', async () => {
    const { proxy } = (await look(kinds.diamond)).identity;
    assert.equal(proxy?.type, 'eip2535');
    assert.deepEqual(
      proxy.implementations.map(({ address }) => address),
      [kinds.logic, kinds.secondLogic],
    );
    assert.equal(proxy.left, 0);
  });

  it('tells a delegated account from a contract', async () => {
    const { kind, token, proxy, created } = (await look(kinds.delegated)).identity;
    assert.equal(kind, 'delegated');
    assert.deepEqual(proxy?.implementations, [{ address: kinds.logic, code: 'code' }]);
    assert.deepEqual([proxy.type, token, created], ['eip7702', undefined, undefined]);
  });

  it('believes the slot and not a function that names another; shows both', async () => {
    const { proxy } = (await look(kinds.lying)).identity;
    assert.equal(proxy?.type, 'eip1967');
    assert.deepEqual(proxy.implementations, [{ address: kinds.logic, code: 'code' }]);
    assert.deepEqual(proxy.conflict, [{ type: 'basic_implementation', address: kinds.secondLogic }]);
  });

  it('shows slots of two standards that differ', async () => {
    const { proxy } = (await look(kinds.conflicted)).identity;
    assert.equal(proxy?.implementations[0]?.address, kinds.logic);
    assert.deepEqual(proxy?.conflict, [{ type: 'eip1822', address: kinds.secondLogic }]);
  });

  it('takes no contract for a proxy that only has an implementation() and cannot run it', async () => {
    const { identity } = await look(kinds.beacon);
    assert.equal(identity.kind, 'contract');
    assert.equal(identity.proxy, undefined);
    assert.ok(identity.sources[0]?.tells.includes('proxy'));
  });

  it('says where the implementation has no code any more', async () => {
    const { proxy } = (await look(kinds.orphaned)).identity;
    assert.deepEqual(proxy?.implementations, [{ address: kinds.gone, code: 'noCode' }]);
  });

  it('follows proxies behind each other three deep, and no further', async () => {
    const { proxy } = (await look(kinds.chain)).identity;
    const [second] = proxy?.implementations ?? [];
    const [third] = second?.proxy?.implementations ?? [];
    const [fourth, ...others] = third?.proxy?.implementations ?? [];
    assert.deepEqual([second?.address, third?.address], [kinds.second, kinds.third]);
    assert.deepEqual([fourth, others], [{ address: kinds.fourth, stopped: 'depth' }, []]);
  });

  it('stops at a loop', async () => {
    const { proxy } = (await look(kinds.loop)).identity;
    const [back] = proxy?.implementations ?? [];
    assert.equal(back?.address, kinds.loopBack);
    assert.deepEqual(back?.proxy?.implementations, [{ address: kinds.loop, stopped: 'loop' }]);
  });

  it('finds tokens, and what a vault holds', async () => {
    const { token } = (await look(kinds.asset)).identity;
    assert.deepEqual(token, {
      ...{ standard: 'ERC-20', name: 'Harbor Dollar', symbol: 'HUSD', decimals: 6, supply: 10n ** 15n },
    });
    const { identity, asked } = await look(kinds.vault);
    assert.deepEqual(identity.token, {
      ...{ standard: 'ERC-4626', name: 'Harbor Vault', symbol: 'vHUSD', decimals: 6, supply: 0n },
      asset: { address: kinds.asset, symbol: 'HUSD', decimals: 6 },
    });
    assert.ok(asked.length <= 2, `${asked.length} requests`);
  });

  it('says who made a contract, when and by what, where the node tells', async () => {
    const { created } = (await look(kinds.vault)).identity;
    assert.equal(created?.deployer, kinds.deployer);
    assert.match(String(created?.transaction), /^0x[0-9a-f]{64}$/);
    assert.ok((created?.block ?? 0n) > 0n);
  });

  it('takes an account for one, in one request', async () => {
    const { identity, asked } = await look(kinds.deployer);
    assert.deepEqual([identity.kind, identity.token, identity.proxy], ['account', undefined, undefined]);
    assert.deepEqual(identity.sources[0]?.tells, ['kind', 'token', 'proxy', 'created']);
    assert.equal(asked.length, 1);
  });
});
