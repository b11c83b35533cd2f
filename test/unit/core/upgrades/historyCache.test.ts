import assert from 'node:assert/strict';
import {
  type Address,
  AppError,
  createHistoryCache,
  createVerdict,
  createVersionLookup,
  type HistoryCache,
  type Log,
  type LogFilter,
  type LogPage,
  systemClock,
  toAbiWord,
  type Verdict,
} from '../../../../src/core/index.ts';
import type { LogClient } from '../../../../src/core/logs/query/logQuery.ts';
import type { VerdictBasis } from '../../../../src/core/logs/query/verdict.ts';
import { getUpgradeTopics } from '../../../../src/core/upgrades/upgradeEvents.ts';
import { createManualClock } from '../../../support/clocks.ts';
import { pick } from '../../../support/pick.ts';

const PROXY = `0x${'01'.repeat(20)}` as const;
const BEACON = `0x${'be'.repeat(20)}` as const;
const V1 = `0x${'a1'.repeat(20)}` as const;
const V2 = `0x${'a2'.repeat(20)}` as const;
const [UPGRADED, BEACON_UPGRADED] = getUpgradeTopics();
const HASH = `0x${'9'.repeat(64)}` as const;
const CHAIN = 1;

function logOf(
  block: bigint,
  to: Address,
  { by = PROXY, topic0 = UPGRADED }: { by?: Address; topic0?: typeof UPGRADED | undefined } = {},
): Log {
  return {
    ...{ address: by, blockNumber: block, blockHash: HASH, logIndex: 0, transactionHash: HASH },
    ...{ transactionIndex: 0, topics: [topic0 ?? HASH, toAbiWord(to)], data: '0x' },
  };
}

type Answer = (
  filter: LogFilter,
  signal: AbortSignal | undefined,
) => AsyncGenerator<Partial<VerdictBasis> & Pick<LogPage, 'logs'>>;

/** A server that answers so; notes what it was asked. */
function sourceOf(answer: Answer): LogClient & { readonly asked: LogFilter[] } {
  const asked: LogFilter[] = [];
  return {
    asked,
    openLogQuery(filter) {
      asked.push(filter);
      let verdict: Verdict | undefined;
      return {
        get verdict() {
          return verdict;
        },
        nextPage: () => assert.fail('All are wanted.'),
        async *rest({ signal } = {}) {
          for await (const { logs, ...found } of answer(filter, signal)) {
            verdict = createVerdict({
              ...{
                isRead: true,
                reasons: [],
                fromBlock: 0n,
                toBlock: 100n,
                head: 100n,
                order: 'oldestFirst',
              },
              ...{ readThrough: 100n, rows: logs.length, requests: 1, ...found },
            });
            yield { logs, verdict };
          }
        },
      };
    },
  };
}

/** A chain whose logs are these. */
const chainOf = (logs: readonly Log[], head = 100n) =>
  sourceOf(async function* ({ addresses, fromBlock }) {
    const from = typeof fromBlock === 'bigint' ? fromBlock : 0n;
    const found = logs.filter((log) => addresses.includes(log.address) && log.blockNumber >= from);
    yield { logs: found, toBlock: head, readThrough: head, head };
  });

function codeAt(histories: HistoryCache, block: number, address: Address = PROXY) {
  const history = histories.historyOf({ address, chainId: CHAIN });
  const stretch = history?.periods[history.periodAt(block, 0, 1)];
  return stretch && (stretch.code?.map((one) => one.address) ?? stretch.reason);
}

const wanted = (block = 50n) => new Map([[PROXY, block]]);

describe('histories of contracts', () => {
  it('are read with one query for the upgrades of each', async () => {
    const histories = createHistoryCache(systemClock);
    const source = chainOf([logOf(10n, V1)]);
    assert.equal(histories.historyOf({ address: PROXY, chainId: CHAIN }), undefined);
    assert.equal(await histories.read(wanted(), { chainId: CHAIN, client: source }), true);
    assert.deepEqual(source.asked, [
      { addresses: [PROXY], topics: [getUpgradeTopics()], fromBlock: 0n, toBlock: 'latest' },
    ]);
    assert.deepEqual(
      [codeAt(histories, 9), codeAt(histories, 10), codeAt(histories, 101)],
      ['constructor', [V1], 'unread'],
    );
    assert.equal(histories.historyOf({ address: PROXY, chainId: 2 }), undefined);
  });

  it('are unknown of an account that delegates, whatever it emitted; a failed question changes nothing', async () => {
    const histories = createHistoryCache(systemClock);
    const asked: Address[] = [];
    const client = {
      ...chainOf([logOf(10n, V1)]),
      async fetchDelegate(address: Address) {
        asked.push(address);
        return V2;
      },
    };
    await histories.read(wanted(), { chainId: CHAIN, client });
    assert.deepEqual(
      [codeAt(histories, 5), codeAt(histories, 200), asked],
      ['delegated', 'delegated', [PROXY]],
    );
    const others = createHistoryCache(systemClock);
    const failing = { ...client, fetchDelegate: () => Promise.reject(new AppError('network', 'gone')) };
    await others.read(wanted(), { chainId: CHAIN, client: failing });
    assert.deepEqual(codeAt(others, 50), [V1]);
  });

  it('are of each node by itself where a chain ID is shared, and so is what decodes by them', async () => {
    const histories = createHistoryCache(systemClock);
    const [one, two] = ['1 127.0.0.1:8545/', '1 127.0.0.1:9545/'];
    await histories.read(wanted(), { chainId: CHAIN, chainKey: one, client: chainOf([logOf(10n, V1)]) });
    await histories.read(wanted(), { chainId: CHAIN, chainKey: two, client: chainOf([logOf(10n, V2)]) });
    const at = { address: PROXY, chainId: CHAIN };
    const codeOn = (chainKey?: string) =>
      histories.historyOf({ ...at, chainKey })?.all.map(({ address }) => address);
    assert.deepEqual([codeOn(one), codeOn(two), codeOn()], [[V1], [V2], undefined]);
    const lookup = createVersionLookup({ lookups: [], known: { abiAt: () => undefined }, histories });
    assert.deepEqual([...lookup.missingAbis([logOf(20n, V1)], CHAIN, one)], [V1]);
    assert.deepEqual([...lookup.missingAbis([logOf(20n, V1)], CHAIN, two)], [V2]);
    assert.notEqual(lookup.versionsAt({ ...at, chainKey: one }), lookup.versionsAt({ ...at, chainKey: two }));
  });

  it('are read once for several who ask', async () => {
    const histories = createHistoryCache(systemClock);
    const client = chainOf([]);
    const asked = { chainId: CHAIN, client };
    await Promise.all([histories.read(wanted(), asked), histories.read(wanted(), asked)]);
    assert.equal(client.asked.length, 1);
  });

  it('go on behind what was read, but for what a reorganisation may change', async () => {
    const histories = createHistoryCache(systemClock);
    const undone = logOf(190n, V2);
    await histories.read(wanted(), { chainId: CHAIN, client: chainOf([logOf(10n, V1), undone], 200n) });
    assert.deepEqual(codeAt(histories, 195), [V2]);
    const later = chainOf([logOf(10n, V1), logOf(250n, V2)], 300n);
    assert.equal(await histories.read(wanted(300n), { chainId: CHAIN, client: later }), true);
    assert.deepEqual(pick(later.asked, 'fromBlock'), [73n]);
    assert.deepEqual([codeAt(histories, 195), codeAt(histories, 300)], [[V1], [V2]]);
  });

  it('have the upgrades of the beacons that a proxy names', async () => {
    const histories = createHistoryCache(systemClock);
    const logs = [
      logOf(5n, V1, { by: BEACON }),
      logOf(10n, BEACON, { topic0: BEACON_UPGRADED }),
      logOf(20n, V2, { by: BEACON }),
    ];
    const source = chainOf(logs);
    await histories.read(wanted(), { chainId: CHAIN, client: source });
    assert.deepEqual(pick(source.asked, 'addresses'), [[PROXY], [BEACON]]);
    assert.deepEqual([codeAt(histories, 15), codeAt(histories, 25)], [[V1], [V2]]);
  });

  it('begin where a contract was created, and all the way down where that gives nothing', async () => {
    const histories = createHistoryCache(systemClock);
    const client = chainOf([logOf(10n, V1)]);
    const asked = { chainId: CHAIN, client: client, createdAt: () => 60n };
    await histories.read(wanted(), asked);
    assert.equal(codeAt(histories, 50), 'unread');
    assert.deepEqual(
      [await histories.read(wanted(), asked), await histories.read(wanted(), asked)],
      [false, false],
    );
    assert.deepEqual(pick(client.asked, 'fromBlock'), [60n, 60n, 0n]);
    assert.deepEqual(codeAt(histories, 50), [V1]);
  });

  it('are not read again from above, once a creation is known', async () => {
    const histories = createHistoryCache(systemClock);
    await histories.read(wanted(), { chainId: CHAIN, client: chainOf([logOf(10n, V1)], 200n) });
    const later = chainOf([logOf(10n, V1)], 300n);
    await histories.read(wanted(300n), { chainId: CHAIN, client: later, createdAt: () => 5n });
    assert.deepEqual(pick(later.asked, 'fromBlock'), [73n]);
    assert.deepEqual([codeAt(histories, 4), codeAt(histories, 300)], ['constructor', [V1]]);
  });

  it('are uncertain where the answer is, and are not asked for without end', async () => {
    const clock = createManualClock();
    const histories = createHistoryCache(clock);
    let head = 100n;
    const source = sourceOf(async function* () {
      head++;
      const reasons = [{ code: 'shortPages', block: 10n } as const];
      yield { logs: [logOf(10n, V1)], reasons, toBlock: head };
    });
    for (let count = 0; count < 20; count++)
      await histories.read(wanted(), { chainId: CHAIN, client: source });
    assert.equal(codeAt(histories, 50), 'uncertain');
    assert.equal(source.asked.length, 5);
    await clock.pass(60_000);
    await histories.read(wanted(), { chainId: CHAIN, client: source });
    assert.equal(source.asked.length, 6);
  });

  it('hold what was read before a failure, and are asked for a bounded number of times', async () => {
    const histories = createHistoryCache(systemClock);
    const source = sourceOf(async function* () {
      yield { logs: [logOf(10n, V1)], isRead: false, readThrough: 20n };
      throw new AppError('network', 'It broke.');
    });
    for (let count = 0; count < 20; count++)
      await histories.read(wanted(), { chainId: CHAIN, client: source });
    assert.deepEqual([codeAt(histories, 20), codeAt(histories, 21)], [[V1], 'unread']);
    assert.ok(source.asked.length < 10, String(source.asked.length));
    const silent = sourceOf(() => assert.fail('It is silent.'));
    const others = createHistoryCache(systemClock);
    for (let count = 0; count < 20; count++)
      assert.equal(await others.read(wanted(), { chainId: CHAIN, client: silent }), false);
    assert.deepEqual([codeAt(others, 1), silent.asked.length], [undefined, 5]);
  });

  it('end after a while where a server is slow, and go on the next time', async () => {
    const clock = createManualClock();
    const histories = createHistoryCache(clock);
    let pages = 0;
    const source = sourceOf(async function* (_filter, signal) {
      yield { logs: [logOf(10n, V1)], isRead: false, readThrough: 20n };
      pages++;
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const reading = histories.read(wanted(), { chainId: CHAIN, client: source });
    while (pages === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.pass(30_000);
    assert.equal(await reading, true);
    assert.deepEqual([codeAt(histories, 20), codeAt(histories, 21)], [[V1], 'unread']);
  });

  it('are given up with what asks for them', async () => {
    const histories = createHistoryCache(systemClock);
    const ended = new AbortController();
    const source = sourceOf(async function* (_filter, signal) {
      yield { logs: [], isRead: false, readThrough: 20n };
      ended.abort();
      signal?.throwIfAborted();
    });
    const reading = histories.read(wanted(), { chainId: CHAIN, client: source }, { signal: ended.signal });
    await assert.rejects(reading, { kind: 'aborted' });
    assert.equal(codeAt(histories, 1), undefined);
  });

  it('stay with who still asks for them where another leaves', async () => {
    const histories = createHistoryCache(systemClock);
    const ended = new AbortController();
    const client = sourceOf(async function* (_filter, signal) {
      ended.abort();
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      yield { logs: [logOf(10n, V1)], toBlock: 100n };
    });
    const asked = { chainId: CHAIN, client: client };
    const first = histories.read(wanted(), asked, { signal: ended.signal });
    const second = histories.read(wanted(), asked);
    await assert.rejects(first, { kind: 'aborted' });
    assert.deepEqual([await second, codeAt(histories, 10)], [true, [V1]]);
  });

  it('are kept in bounded room, and those without room are not read in turn without end', async () => {
    const histories = createHistoryCache(createManualClock());
    const large = { ...logOf(10n, V1), data: `0x${'00'.repeat(7_500_000)}` } as const;
    const source = sourceOf(async function* ({ addresses: [address = PROXY] }) {
      yield { logs: [{ ...large, address }], toBlock: 100n };
    });
    const many = new Map(Array.from({ length: 8 }, (_, index) => [addressOf(index), 50n]));
    for (let count = 0; count < 5; count++) await histories.read(many, { chainId: CHAIN, client: source });
    const kept = [...many.keys()].filter((address) => codeAt(histories, 50, address) !== undefined);
    assert.equal(kept.length, 6);
    assert.equal(new Set(source.asked.map(({ addresses }) => addresses[0])).size, 8);
    const first = source.asked.filter(({ addresses }) => addresses[0] === addressOf(0));
    assert.equal(first.length, 1);
  });

  it('are read for a bounded number of contracts, with a bounded number of upgrades', async () => {
    const histories = createHistoryCache(systemClock);
    const many = new Map(Array.from({ length: 80 }, (_, index) => [addressOf(index), 1n]));
    const source = chainOf([]);
    await histories.read(many, { chainId: CHAIN, client: source });
    assert.equal(source.asked.length, 50);
    let given = 0;
    const endless = sourceOf(async function* () {
      for (let page = 0n; ; page++) {
        given++;
        const logs = Array.from({ length: 1000 }, (_, index) => logOf(page * 1000n + BigInt(index), V1));
        yield { logs, isRead: false, readThrough: page * 1000n + 999n };
      }
    });
    await histories.read(wanted(), { chainId: CHAIN, client: endless });
    assert.ok(given < 10);
    assert.equal(codeAt(histories, 1_000_000), 'unread');
  });
});

function addressOf(index: number): Address {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`;
}
