import assert from 'node:assert/strict';
import { toEventSelector } from 'viem';
import {
  type AbiProvider,
  type Address,
  AppError,
  chainAbiProviders,
  createDelegateProvider,
  createVerifiedCache,
  type Log,
  loadStandardLookup,
  mergeLookups,
  prefetchAbis,
  type VerifiedContract,
} from '../../../../src/core/index.ts';

const source = { name: 'sourcify', origin: 'https://s.example', takesKey: false };
const at = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`;
const none = { verifiedContract: async () => undefined, proxyAt: async () => undefined };
const paid = 'event Paid(address indexed by)';
const paidTopic = toEventSelector('Paid(address)');

function contract(
  n: number,
  more: Partial<VerifiedContract> = {},
  leads: readonly number[] = [],
): VerifiedContract {
  const implementations = leads.map((lead) => ({ address: at(lead) }));
  return {
    ...{ source, readAt: 0, address: at(n), name: `C${n}`, abi: [`event E${n}()`], match: 'exact' },
    ...(leads.length > 0 && { proxy: { type: 'any', implementations } }),
    ...more,
  };
}

/** What is verified by its number, and what was asked. */
function serving(contracts: Readonly<Record<number, VerifiedContract | AppError>>) {
  const asked: Address[] = [];
  const own: AbiProvider = {
    async verifiedContract(address) {
      asked.push(address);
      const found = contracts[Number(address)];
      if (found instanceof AppError) throw found;
      return found;
    },
    proxyAt: async () => undefined,
  };
  return { source: own, asked };
}

const chain = { chainId: 1, endpoint: 'https://node.example' };

async function namesAt(n: number, own: AbiProvider) {
  const store = createVerifiedCache();
  await store.prefetch([at(n)], { ...chain, provider: own });
  const read = store.at({ address: at(n), chainId: 1 });
  return { names: read?.contracts.map(({ name }) => name), isPartial: read?.isPartial, store };
}

describe('What is verified behind a proxy', () => {
  it('is there beside what the proxy has itself', async () => {
    const { source: own } = serving({ 1: contract(1, {}, [2]), 2: contract(2) });
    const { names, isPartial } = await namesAt(1, own);
    assert.deepEqual([names, isPartial], [['C1', 'C2'], false]);
  });

  it('is followed three deep, and no loop twice', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, contract(n, {}, [n + 1])]));
    const deep = await namesAt(1, serving(chain).source);
    assert.deepEqual([deep.names, deep.isPartial], [['C1', 'C2', 'C3', 'C4'], true]);
    const loop = serving({ 1: contract(1, {}, [2]), 2: contract(2, {}, [1, 2]) });
    assert.deepEqual((await namesAt(1, loop.source)).names, ['C1', 'C2']);
    assert.deepEqual(loop.asked, [at(1), at(2)]);
  });

  it('is of forty facets at most', async () => {
    const leads = Array.from({ length: 60 }, (_, n) => n + 2);
    const { source: own, asked } = serving({ 1: contract(1, {}, leads) });
    assert.equal((await namesAt(1, own)).isPartial, true);
    assert.equal(asked.length, 41);
  });

  it('may be known where the proxy itself is not verified', async () => {
    const { source: own } = serving({ 2: contract(2) });
    const proxyAt = async (address: Address) =>
      address === at(1) ? { type: 'eip1167', implementations: [{ address: at(2) }] } : undefined;
    assert.deepEqual((await namesAt(1, { ...own, proxyAt })).names, ['C2']);
  });

  it('is that of the contract to which an account delegates, as the node tells', async () => {
    const { source: own } = serving({ 2: contract(2) });
    const delegating = (fetchDelegate: () => Promise<Address | undefined>) =>
      namesAt(1, chainAbiProviders([own, createDelegateProvider({ fetchDelegate })]));
    assert.deepEqual((await delegating(async () => at(2))).names, ['C2']);
    assert.equal((await delegating(async () => undefined)).names, undefined);
    assert.equal((await delegating(() => Promise.reject(new AppError('rpc', 'no')))).names, undefined);
  });

  it('is left out where it fails, which makes the answer partial', async () => {
    const { source: own } = serving({
      1: contract(1, {}, [2, 3]),
      2: new AppError('server', 'x'),
      3: contract(3),
    });
    const { names, isPartial } = await namesAt(1, own);
    assert.deepEqual([names, isPartial], [['C1', 'C3'], true]);
  });
});

describe('Several who verify', () => {
  const ask = (...sources: AbiProvider[]) => chainAbiProviders(sources).verifiedContract(at(1));
  const failing = (kind: 'server' | 'notServed' | 'aborted') =>
    serving({ 1: new AppError(kind, kind) }).source;
  const own = serving({ 1: contract(1, { name: 'Own' }) }).source;
  const twin = serving({ 1: contract(1, { name: 'Twin', match: 'twin' }) }).source;

  it('are asked until one has the contract itself; a twin is the last resort', async () => {
    assert.equal((await ask(twin, own))?.name, 'Own');
    assert.equal((await ask(none, twin))?.name, 'Twin');
    const second = serving({});
    assert.equal((await ask(own, second.source))?.name, 'Own');
    assert.deepEqual(second.asked, []);
  });

  it('stand in for one that fails; where none knows, the failure is told', async () => {
    assert.equal((await ask(failing('server'), own))?.name, 'Own');
    assert.equal((await ask(failing('server'), twin))?.name, 'Twin');
    await assert.rejects(ask(failing('server'), none), { kind: 'server' });
    assert.equal(await ask(failing('notServed'), none), undefined);
    assert.equal(await ask(), undefined);
  });
});

describe('The store of what is verified', () => {
  it('says how sure it is, and of what', async () => {
    const forms = [
      [{}, 'verified'],
      [{ match: 'partial' }, 'partlyVerified'],
      [{ changedBytecode: true }, 'partlyVerified'],
      [{ match: 'twin', twin: at(9) }, 'twin'],
    ] as const;
    for (const [more, trust] of forms) {
      const { store } = await namesAt(1, serving({ 1: contract(1, { abi: [paid], ...more }) }).source);
      const place = { address: at(1), chainId: 1 };
      assert.deepEqual(store.lookup.events(`0x${'0'.repeat(64)}`, place), []);
      const [found] = store.lookup.events(paidTopic, place);
      assert.equal(found?.origin.trust, trust);
      assert.match(found?.origin.from ?? '', /^s\.example 0x0{39}1$/);
      assert.equal(found?.origin.verified?.twin, trust === 'twin' ? at(9) : undefined);
      assert.deepEqual(store.lookup.events(paidTopic), []);
      assert.deepEqual(store.lookup.events(paidTopic, { address: at(1), chainId: 2 }), []);
    }
  });

  it('asks once, again after a failure that may pass, and anew once it is cleared', async () => {
    for (const [kind, times] of [
      ['server', 2],
      ['timeout', 2],
      ['needsKey', 2],
      ['notFound', 1],
    ] as const) {
      const failed = serving({ 1: new AppError(kind, kind) });
      const store = createVerifiedCache();
      await store.prefetch([at(1)], { ...chain, provider: failed.source });
      await store.prefetch([at(1)], { ...chain, provider: failed.source });
      assert.equal(failed.asked.length, times);
    }
    const { source: own, asked } = serving({ 1: contract(1) });
    const store = createVerifiedCache();
    await store.prefetch([at(1), at(1), at(2)], { ...chain, provider: own });
    await store.prefetch([at(1), at(2)], { ...chain, provider: own });
    assert.equal(asked.length, 2);
    store.clear();
    assert.equal(store.at({ address: at(1), chainId: 1 }), undefined);
    await store.prefetch([at(1)], { ...chain, provider: own });
    assert.equal(asked.length, 3);
  });

  it('asks again, for another endpoint, for what was not found: a fork has the chain id of its original', async () => {
    const { source: fork, asked } = serving({ 2: contract(2) });
    const { source: own } = serving({ 1: contract(1) });
    const store = createVerifiedCache();
    await store.prefetch([at(1), at(2)], { chainId: 1, endpoint: 'http://127.0.0.1:8545', provider: fork });
    assert.equal(store.at({ address: at(1), chainId: 1 }), undefined);
    await store.prefetch([at(1), at(2)], { ...chain, provider: own });
    assert.equal(store.at({ address: at(1), chainId: 1 })?.contracts.length, 1);
    assert.deepEqual(asked, [at(1), at(2)]);
  });
});

describe('What several ask about at once', () => {
  it('is asked once, and all of them wait for it', async () => {
    const { source: own, asked } = serving({ 1: contract(1) });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = {
      ...own,
      async verifiedContract(...question: Parameters<typeof own.verifiedContract>) {
        await answered;
        return own.verifiedContract(...question);
      },
    };
    const store = createVerifiedCache();
    const wanted = { ...chain, provider: slow };
    const first = store.prefetch([at(1)], wanted);
    let isDone = false;
    const meaning = { ...wanted, lookup: store.lookup, contracts: { store, source: slow } };
    const log = { address: at(1), topics: [`0x${'7'.repeat(64)}`], data: '0x' } as const;
    const second = prefetchAbis([log], { ...meaning, signatures: undefined }).then(() => {
      isDone = true;
    });
    await new Promise(setImmediate);
    assert.equal(isDone, false);
    answer();
    await Promise.all([first, second]);
    assert.deepEqual(asked, [at(1)]);
    assert.equal(store.at({ address: at(1), chainId: 1 })?.contracts.length, 1);
  });
});

describe('What logs are asked about', () => {
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const log = (n: number, topics: readonly `0x${string}`[], data: `0x${string}` = '0x'): Log =>
    ({ address: at(n), topics, data }) as unknown as Log;

  it('are contracts that nobody knows first, then those known by a hash alone', async () => {
    const { source: own, asked } = serving({});
    const store = createVerifiedCache();
    const lookup = mergeLookups(await loadStandardLookup(), store.lookup);
    const word = `0x${'1'.padStart(64, '0')}` as const;
    const logs = [log(1, [transfer, word, word], word), log(2, [word]), log(2, [word])];
    await prefetchAbis(logs, {
      ...{ ...chain, lookup, contracts: { store, source: own }, signatures: undefined },
    });
    assert.deepEqual(asked, [at(2), at(1)]);
  });

  it('are fifty at most', async () => {
    const { source: own, asked } = serving({});
    const store = createVerifiedCache();
    const logs = Array.from({ length: 300 }, (_, n) => log(n + 1, []));
    await prefetchAbis(logs, {
      ...{ ...chain, lookup: store.lookup, contracts: { store, source: own }, signatures: undefined },
    });
    assert.equal(asked.length, 50);
  });
});
