import assert from 'node:assert/strict';
import { startNode } from '../../../../../localnet/node/server.ts';
import { startPortal } from '../../../../../localnet/portal/server.ts';
import {
  type ChainClient,
  compareClients,
  createChainClient,
  describeOpinionReason,
  type FetchLike,
  formatMessage,
  opinionToJson,
  parseLogFilter,
} from '../../../../../src/core/index.ts';
import type { CompareOptions } from '../../../../../src/core/logs/compare/compareClients.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createQuirkyFetch, type Row } from '../../../../support/fakeFetch.ts';
import { byTurns } from '../../../../support/fullRun.ts';
import { type InjectableServer, withServer } from '../../../../support/injectFetch.ts';
import {
  addresses,
  buildChain,
  buildDataSet,
  createRandom,
  type LogDataSet,
} from '../../../../support/logDataSets.ts';
import { createInjectClient, expectedKeys } from '../../../../support/logReading.ts';

const [A = '0x'] = addresses;
const set = buildChain(210, 4);
const range = { fromBlock: 0n, toBlock: BigInt(set.head) };
const filter = parseLogFilter({ address: A });

const keyOf = ({ blockNumber, logIndex }: Row) => `${Number(blockNumber)}:${Number(logIndex)}`;

/** A node that gives every row as `change` makes it. */
function nodeWith(change: (rows: readonly Row[]) => readonly Row[] = (rows) => rows, of: LogDataSet = set) {
  const fetch = createQuirkyFetch(of, { says: { name: 'Geth/v1.17.0' }, change });
  return createChainClient({ fetch, clock: createTestClock(), url: 'http://node.example' });
}

const losing = (lost: ReadonlySet<string>) => nodeWith((rows) => rows.filter((row) => !lost.has(keyOf(row))));

const compare = (here: ChainClient, there: ChainClient, options: Partial<CompareOptions> = {}) =>
  compareClients(here, there, { filter, range, unsettled: 0n, ...options });

const keys = expectedKeys(set, { address: A });

describe('A second opinion', () => {
  it('agrees where both give the same, whatever kind of server each is', async () => {
    const assertAgrees = async (server: InjectableServer) => {
      const opinion = await compare(nodeWith(), createInjectClient(server));
      const { state, alike, reasons, sample, blocks } = opinion;
      assert.deepEqual([state, alike, reasons, sample, blocks], ['agree', keys.length, [], false, 210n]);
    };
    const { index } = set;
    await withServer(startPortal({ index, limits: { blocks: 50 } }), assertAgrees);
    await withServer(startNode({ index, profile: 'alchemy', limits: { maxLogs: 300 } }), assertAgrees);
  });

  /** Rows that a server can lose, by chance. */
  const losses: Readonly<Record<string, (random: (below: number) => number) => ReadonlySet<string>>> = {
    'a single row': (random) => new Set([keys[random(keys.length)] ?? '']),
    'several rows': (random) =>
      new Set(Array.from({ length: 1 + random(20) }, () => keys[random(keys.length)] ?? '')),
    'a whole block': (random) => {
      const block = keys[random(keys.length)]?.split(':')[0];
      return new Set(keys.filter((key) => key.startsWith(`${block}:`)));
    },
    'the end of each page': (random) => {
      const page = 50 + random(400);
      return new Set(keys.filter((_, place) => place % page === page - 1));
    },
    'all behind some row': (random) => new Set(keys.slice(random(keys.length))),
  };
  /** Different ones for different turns, even and odd. */
  const seedsOf = (turn: number) =>
    byTurns(
      Array.from({ length: 12 }, (_, nth) => nth + 1),
      3,
      turn,
    );
  for (const [turn, [what, lose]] of Object.entries(losses).entries()) {
    it(`finds each time that a server has lost ${what}, whichever of both it is`, async () => {
      for (const seed of seedsOf(turn)) {
        const lost = lose(createRandom(seed * 7919));
        const isHere = seed % 2 === 0;
        const [whole, lossy] = [nodeWith(), losing(lost)];
        const { state, onlyHere, onlyThere, different, rows, alike } = isHere
          ? await compare(lossy, whole)
          : await compare(whole, lossy);
        assert.equal(state, 'differ', `seed ${seed}`);
        assert.deepEqual([onlyHere, onlyThere, different], isHere ? [0, lost.size, 0] : [lost.size, 0, 0]);
        assert.equal(alike, keys.length - lost.size);
        assert.equal(rows.length, Math.min(lost.size, 100));
        assert.ok(rows.every(({ here, there }) => (isHere ? there && !here : here && !there)));
      }
    });
  }

  it('finds each time that a row has other data, another block or another transaction', async () => {
    const other = `0x${'f'.repeat(64)}`;
    for (const seed of seedsOf(1)) {
      const random = createRandom(seed * 104_729);
      const key = keys[random(keys.length)];
      const field = ['data', 'transactionHash', 'blockHash'][random(3)] ?? 'data';
      const changed = nodeWith((rows) =>
        rows.map((row) => (keyOf(row) === key ? { ...row, [field]: other } : row)),
      );
      const { state, different, rows, reasons } = await compare(nodeWith(), changed);
      // Two hashes in one block show a server that is in doubt by itself.
      if (reasons.length > 0) assert.equal(state, 'unknown');
      else assert.equal(state, 'differ', `${field}, seed ${seed}`);
      assert.equal(different, 1);
      assert.equal(rows[0]?.kind, 'different');
      assert.notEqual(rows[0]?.here?.[field as 'data'], rows[0]?.there?.[field as 'data']);
    }
  });

  it('keeps no more rows of each kind than it may', async () => {
    const { onlyHere, rows } = await compare(nodeWith(), losing(new Set(keys)), { maxRows: 3 });
    assert.equal(onlyHere, keys.length);
    assert.equal(rows.length, 3);
  });

  it('compares the blocks only that are settled on both', async () => {
    const newest = new Set(keys.filter((key) => Number(key.split(':')[0]) > 81));
    const opinion = await compare(nodeWith(), losing(newest), { unsettled: undefined });
    assert.equal(opinion.state, 'agree');
    assert.deepEqual([opinion.fromBlock, opinion.toBlock], [0n, 81n]);
    assert.deepEqual(opinion.reasons, [{ code: 'notSettled' }]);

    const behind = buildDataSet(new Map([[3, 5]]), { head: 60 });
    const none = await compare(nodeWith(), nodeWith(undefined, behind), { unsettled: undefined });
    assert.equal(none.state, 'unknown');
    assert.deepEqual(none.reasons, [{ code: 'nothingSettled' }]);
    assert.ok(none.toBlock < none.fromBlock);
  });

  it('claims nothing of two chains', async () => {
    const of = (chainId: number): ChainClient => ({ ...nodeWith(), getChainId: async () => chainId });
    const { state, reasons, alike } = await compare(of(1), of(5));
    assert.deepEqual([state, alike], ['unknown', 0]);
    assert.deepEqual(reasons, [{ code: 'otherChain', chainIds: { here: 1, there: 5 } }]);
  });

  it('says that two chains with one chain ID are two, by their first block or by the first or last of the range', async () => {
    const hashes = (first: string, other: string): ChainClient => ({
      ...nodeWith(),
      getChainId: async () => 31337,
      getBlockHash: async (block) => `0x${(block === 0n ? first : other).repeat(64)}`,
    });
    const here = hashes('a', 'a');
    const chains = await compare(here, hashes('b', 'b'));
    assert.deepEqual([chains.state, chains.reasons], ['unknown', [{ code: 'sameChainId', block: 0n }]]);
    assert.deepEqual([chains.alike, chains.blocks, chains.rows], [0, 0n, []]);
    const fork = await compare(here, hashes('a', 'b'), { range: { ...range, fromBlock: 9n } });
    assert.deepEqual(fork.reasons, [{ code: 'sameChainId', block: 9n }]);
    const fromBlock9: ChainClient = {
      ...hashes('a', 'a'),
      getBlockHash: async (block) => `0x${(block <= 9n ? 'a' : 'b').repeat(64)}`,
    };
    const later = await compare(here, fromBlock9, { range: { ...range, fromBlock: 9n } });
    assert.deepEqual([later.state, later.blocks], ['unknown', 0n]);
    assert.deepEqual(later.reasons, [{ code: 'sameChainId', block: later.reasons[0]?.block }]);
    assert.ok((later.reasons[0]?.block ?? 0n) > 9n);
    const unknown: ChainClient = { ...hashes('b', 'b'), getBlockHash: async () => undefined };
    const failing: ChainClient = { ...hashes('b', 'b'), getBlockHash: () => Promise.reject(new Error('no')) };
    for (const there of [hashes('a', 'a'), unknown, failing]) {
      assert.equal((await compare(here, there)).state, 'agree');
    }
  });

  it('claims nothing where one of both is in doubt or fails, and says which', async () => {
    const strays = nodeWith((rows) => rows.map((row) => ({ ...row, address: `0x${'9'.repeat(40)}` })));
    const there = await compare(nodeWith(), strays);
    assert.equal(there.state, 'unknown');
    assert.deepEqual(there.reasons, [{ code: 'notWholeThere' }]);
    assert.deepEqual((await compare(strays, nodeWith())).reasons, [{ code: 'notWholeHere' }]);

    const failing: FetchLike = async () => new Response('<html>', { status: 403 });
    const broken = createChainClient({ fetch: failing, clock: createTestClock(), url: 'http://x.example' });
    const failed = await compare(nodeWith(), broken);
    assert.equal(failed.state, 'unknown');
    assert.equal(failed.reasons[0]?.code, 'failedThere');
    assert.match(
      formatMessage(describeOpinionReason(failed.reasons[0] ?? { code: 'notSettled' })),
      /The other endpoint failed: .*403/,
    );
  });

  it('ends when it is no longer wanted', async () => {
    const stop = new AbortController();
    const slow = nodeWith((rows) => {
      stop.abort();
      return rows;
    });
    await assert.rejects(compare(nodeWith(), slow, { signal: stop.signal }), { kind: 'aborted' });
  });

  it('looks at some windows of a long range, the same for the same seed', async () => {
    const sample = { windows: 8, blocks: 10n, seed: 4 };
    const asked: string[] = [];
    const here = nodeWith();
    const spied: ChainClient = {
      ...here,
      openLogQuery(query, options) {
        asked.push(`${query.fromBlock}-${query.toBlock}`);
        return here.openLogQuery(query, options);
      },
    };
    const steps: bigint[] = [];
    const onProgress = ({ done }: { readonly done: bigint }) => void steps.push(done);
    const opinion = await compare(spied, nodeWith(), { sample, onProgress });
    assert.equal(opinion.state, 'agree');
    assert.deepEqual([opinion.sample, opinion.blocks], [true, 80n]);
    assert.deepEqual(steps.at(-1), 80n);
    assert.equal(asked.length, 8);
    const first = asked.splice(0);
    await compare(spied, nodeWith(), { sample });
    assert.deepEqual(asked, first);
    await compare(spied, nodeWith(), { sample: { ...sample, seed: 5 } });
    assert.notDeepEqual(asked.slice(8), first);
    let last = -1n;
    for (const window of first) {
      const [from = 0n, to = 0n] = window.split('-').map(BigInt);
      assert.ok(from > last && to === from + 9n && to <= range.toBlock, window);
      last = to;
    }
    // A sample as long as the range is none.
    assert.equal(
      (await compare(here, nodeWith(), { sample: { windows: 8, blocks: 30n, seed: 1 } })).sample,
      false,
    );
  });

  it('is told as JSON', async () => {
    const lost = new Set(keys.slice(0, 2));
    assert.deepEqual(opinionToJson(await compare(nodeWith(), losing(lost)), 'http://node.example'), {
      ...{ origin: 'http://node.example', state: 'differ', onlyHere: 2, onlyThere: 0, different: 0 },
      ...{ reasons: [], fromBlock: '0', toBlock: '209', sample: false },
    });
  });
});

describe('reasons of a second opinion', () => {
  it('start with the name of the other endpoint, where they name it', () => {
    const codes = ['failedThere', 'notWholeThere', 'otherChain', 'sameChainId'] as const;
    for (const code of codes) {
      assert.match(formatMessage(describeOpinionReason({ code })), /^The other endpoint [^T]*$/);
      assert.match(formatMessage(describeOpinionReason({ code }, 'Node B')), /^Node B /);
    }
  });
});
