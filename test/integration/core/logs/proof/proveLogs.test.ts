import assert from 'node:assert/strict';
import { createRandom } from '../../../../../localnet/chain/random.ts';
import { AppError, isAppError } from '../../../../../src/core/base/errors.ts';
import { formatMessage } from '../../../../../src/core/base/text.ts';
import { createTimeSlices } from '../../../../../src/core/base/timeSlices.ts';
import { type Hex, systemClock } from '../../../../../src/core/index.ts';
import type { Log, LogOrder } from '../../../../../src/core/logs/log.ts';
import { encodeTransactions } from '../../../../../src/core/logs/proof/blockTransactions.ts';
import { describeProof, logProofToJson } from '../../../../../src/core/logs/proof/logProof.ts';
import { type ProofOptions, proveLogs } from '../../../../../src/core/logs/proof/proveLogs.ts';
import { createLogTest } from '../../../../../src/core/logs/query/filter.ts';
import { parseLogFilter } from '../../../../../src/core/logs/query/queryJson.ts';
import { createLogStore } from '../../../../../src/core/logs/store/logStore.ts';
import { describeInFullRun, isFullRun } from '../../../../support/fullRun.ts';
import {
  createRecordedCall,
  FORKS,
  type RecordedChain,
  recordChain,
  topics,
} from '../../../../support/proofChain.ts';
import { lieNames, tellLie } from '../../../../support/seededLies.ts';

const LIES = isFullRun ? 300 : 100;

describe('proof of a result', () => {
  const chains = new Map<string, RecordedChain>();
  before(async () => {
    for (const fork of FORKS) chains.set(fork, await recordChain(fork));
  });
  const chainOf = (fork: string) => chains.get(fork) ?? assert.fail(fork);
  const prague = () => chainOf('prague');

  interface Attempt extends ProofOptions {
    readonly query?: object;
    readonly rows?: (rows: readonly Log[]) => readonly Log[];
    readonly order?: LogOrder;
    readonly call?: ReturnType<typeof createRecordedCall>;
    readonly from?: bigint;
    readonly to?: bigint;
  }

  async function prove(chain: RecordedChain, attempt: Attempt = {}) {
    const { query = {}, rows: change = (rows) => rows, order = 'oldestFirst', ...options } = attempt;
    const filter = parseLogFilter(query);
    const range = { fromBlock: attempt.from ?? 0n, toBlock: attempt.to ?? chain.last };
    const honest = chain.logs.filter(
      (log) =>
        createLogTest(filter)(log) && log.blockNumber >= range.fromBlock && log.blockNumber <= range.toBlock,
    );
    const rows = change(honest);
    const store = createLogStore();
    store.append(order === 'newestFirst' ? rows.toReversed() : rows);
    const call = attempt.call ?? createRecordedCall(chain.blocks);
    const proof = await proveLogs(
      { filter, range, logs: store, order },
      { call, clock: systemClock },
      options,
    );
    return { ...proof, json: logProofToJson(proof) };
  }

  for (const fork of FORKS)
    it(`holds for all blocks of ${fork}, whatever the filter`, async () => {
      const chain = chainOf(fork);
      const { emitter } = chain;
      for (const query of [
        {},
        { topics: [topics[1]] },
        { address: emitter, topics: [[topics[2], topics[0]]] },
        { address: '0x00000000000000000000000000000000000000ee' },
      ]) {
        const { json } = await prove(chain, { query });
        assert.deepEqual([json.level, json.reasons], ['proven', []]);
        assert.equal(
          json.blocks,
          chain.blocks.filter(({ header }) => Number(header.number) <= chain.last).length,
        );
        assert.ok(json.receipts <= 6);
      }
    });

  it('asks for no receipts of blocks that the bloom rules out', async () => {
    const { receipts } = await prove(prague(), { query: { topics: [topics[0]] }, to: 4n });
    assert.equal(receipts, 1);
    const nothing = await prove(prague(), { query: { address: `0x${'9'.repeat(40)}` } });
    // One shows that the blooms of the chain have its logs.
    assert.deepEqual([nothing.level, nothing.receipts], ['proven', 1]);
  });

  it('holds newest first, with single receipts, and under a trusted block above the range', async () => {
    const chain = prague();
    const trustHash = chain.blocks.at(-1)?.header.hash as Hex;
    const newest = await prove(chain, { order: 'newestFirst', trustHash });
    assert.deepEqual([newest.level, newest.trustedBy, newest.trustedHash], ['proven', 'user', trustHash]);
    assert.equal(newest.blocks, chain.blocks.length);
    const single = await prove(chain, {
      call: createRecordedCall(chain.blocks, ['eth_getBlockReceipts']),
    });
    assert.equal(single.level, 'proven');
    assert.match(formatMessage(describeProof(single)), /^Proven if 0x\w{64} is the hash/);
    assert.match(formatMessage(describeProof(newest)), /which you trust, and allow no other logs\.$/);
  });

  it('reports rows that are missing, invented, altered or out of order, and where', async () => {
    const chain = prague();
    for (const rows of [
      (all: readonly Log[]) => all.toSpliced(3, 1),
      (all: readonly Log[]) => all.toSpliced(3, 0, all[3] as Log),
      (all: readonly Log[]) => all.with(3, { ...(all[3] as Log), data: '0x01' }),
    ]) {
      const { level, reasons, contradictedAt } = await prove(chain, { rows });
      assert.deepEqual([level, contradictedAt, reasons.length], ['contradicted', 2n, 1]);
    }
    const beyond = await prove(chain, { to: 3n, rows: (all) => [...all, chain.logs.at(-1) as Log] });
    assert.match(beyond.json.reasons.join(), /outside of the range/);
    const swapped = await prove(chain, { rows: (all) => all.toReversed() });
    assert.match(swapped.json.reasons.join(), /not in the order/);
    const invented = await prove(chain, {
      query: { topics: [`0x${'7'.repeat(64)}`] },
      rows: () => [{ ...(chain.logs[0] as Log), topics: [`0x${'7'.repeat(64)}`] }],
    });
    assert.match(invented.json.reasons.join(), /has 0 matching logs\. The result has 1 of it/);
  });

  it(`proves none of ${LIES} lies, and contradicts all that are about rows`, async () => {
    const told = new Set<string>();
    for (let seed = 0; seed < LIES; seed++) {
      const { name, level, isAboutRows } = await tellLie(prague(), createRandom(seed));
      told.add(name);
      assert.notEqual(level, 'proven', `${name}, seed ${seed}`);
      if (isAboutRows) assert.equal(level, 'contradicted', `${name}, seed ${seed}`);
    }
    assert.deepEqual([...told].sort(), [...lieNames].sort());
  });

  it('says which part a server does not give', async () => {
    const chain = prague();
    const only = (change: (method: string, result: unknown) => unknown) => ({
      call: async (method: string, params: readonly unknown[]) =>
        change(method, await createRecordedCall(chain.blocks)(method, params)),
    });
    const header = (change: object) =>
      only((method, result) =>
        method === 'eth_getBlockByNumber' && (result as { number: string }).number === '0x3'
          ? { ...(result as object), ...change }
          : result,
      );
    for (const [attempt, reason] of [
      [
        { call: createRecordedCall(chain.blocks, ['eth_getBlockReceipts', 'eth_getTransactionReceipt']) },
        /returns no receipts of block/,
      ],
      [only((method, result) => (method === 'eth_getBlockReceipts' ? null : result)), undefined],
      [
        only((method, result) => (method === 'eth_getBlockByNumber' ? null : result)),
        /does not return block 8/,
      ],
      [header({ mixHash: undefined }), /block 3 has no valid mixHash/],
      [header({ extDataHash: '0x01' }), undefined],
      [header({ extDataHash: '0x01', gasUsed: '0x1' }), /does not know: extDataHash/],
      [{ trustHash: `0x${'5'.repeat(64)}` as Hex }, /does not return block 0x5555/],
    ] as const) {
      const { level, json } = await prove(chain, attempt);
      if (reason) assert.match(json.reasons.join(), reason);
      assert.equal(level, reason ? 'impossible' : 'proven', json.reasons.join());
    }
  });

  it('is impossible where Polygon has logs outside of its receipts roots', async () => {
    const chain = prague();
    const recorded = createRecordedCall(chain.blocks);
    const call = (chainId: string) => async (method: string, params: readonly unknown[]) =>
      method === 'eth_chainId' ? chainId : recorded(method, params);
    for (const chainId of ['0x89', '0x13882']) {
      const { level, json } = await prove(chain, { call: call(chainId), rows: () => [] });
      assert.equal(level, 'impossible');
      assert.match(json.reasons.join(), /no receipts root has the logs of state sync/);
    }
    assert.equal((await prove(chain, { call: call('0x1') })).level, 'proven');
  });

  it('is contradicted where the server altered one block, as others have their hashes', async () => {
    const chain = prague();
    const changing = (at: bigint, wanted: RegExp, change: (result: unknown) => unknown) => ({
      call: async (method: string, params: readonly unknown[]) => {
        const result = await createRecordedCall(chain.blocks)(method, params);
        const isHere = [`0x${at.toString(16)}`, chain.blocks[Number(at)]?.header.hash].includes(
          params[0] as string,
        );
        return isHere && wanted.test(method) ? change(result) : result;
      },
    });
    const { address, topics: first, blockNumber: at } = chain.logs[0] ?? assert.fail();
    const isCut = (log: object) => 'topics' in log && JSON.stringify(log.topics) === JSON.stringify(first);
    const cut = changing(at, /Receipts$/, (receipts) =>
      (receipts as readonly { readonly logs: readonly object[] }[]).map((receipt) => ({
        ...receipt,
        logs: receipt.logs.filter((log) => !isCut(log)),
      })),
    );
    const header = (change: object) =>
      changing(3n, /Block(?:ByNumber|ByHash)$/, (block) => ({ ...(block as object), ...change }));
    const query = { address, topics: first };
    const rows = (all: readonly Log[]) => all.filter(({ blockNumber }) => blockNumber !== at);
    for (const [attempt, alteredAt, reason] of [
      [{ ...cut, rows, query }, at, /receipts of block 2 do not have the root/],
      [{ ...cut, rows, query, from: at, to: at }, at, /receipts of block 2 do not have the root/],
      [header({ requestsHash: null }), 3n, /block 3 do not have its hash\. The endpoint altered/],
      [header({ logsBloom: `0x${'0'.repeat(512)}` }), 3n, /block 3 do not have its hash/],
      [{ ...header({ gasUsed: '0x1' }), to: 3n }, 3n, /block 3 do not have its hash/],
    ] as const) {
      const proof = await prove(chain, attempt);
      assert.deepEqual(
        [proof.level, proof.alteredAt],
        ['contradicted', alteredAt],
        proof.json.reasons.join(),
      );
      assert.match(proof.json.reasons.join(), reason);
      assert.match(formatMessage(describeProof(proof)), /contradict what the endpoint returned/);
    }
    const other = async (method: string, params: readonly unknown[]) => {
      const result = await createRecordedCall(chain.blocks)(method, params);
      if (method !== 'eth_getBlockReceipts') return result;
      return (result as readonly object[]).map((receipt) => ({ ...receipt, cumulativeGasUsed: '0x1' }));
    };
    assert.equal((await prove(chain, { call: other })).level, 'impossible');
  });

  it('requests the receipts of blocks one by one if those of several are too large', async () => {
    const chain = prague();
    const recorded = createRecordedCall(chain.blocks);
    let [pending, most] = [0, 0];
    const tried = new Set<unknown>();
    const call = async (method: string, params: readonly unknown[]) => {
      if (method !== 'eth_getBlockReceipts') return recorded(method, params);
      if (!tried.has(params[0])) {
        tried.add(params[0]);
        throw new AppError('tooLarge', 'Too large.');
      }
      most = Math.max(most, ++pending);
      await Promise.resolve();
      pending--;
      return recorded(method, params);
    };
    assert.deepEqual([(await prove(chain, { call })).level, tried.size, most], ['proven', 6, 1]);
  });

  describeInFullRun('of a blob', () => {
    it('knows the hash of a transaction with a blob, whose root anvil computes in its own way', async () => {
      const chain = chainOf('osaka');
      const [block] = chain.blocks.slice(-1);
      const transactions = block?.whole.transactions as readonly {
        readonly hash: Hex;
        readonly type: string;
      }[];
      const work = { slices: createTimeSlices(systemClock) };
      assert.deepEqual(
        transactions.map(({ type }) => type),
        ['0x3'],
      );
      assert.deepEqual(
        (await encodeTransactions(transactions, work))?.hashes,
        transactions.map(({ hash }) => hash),
      );
      const { level, json } = await prove(chain, { to: chain.last + 1n });
      assert.equal(level, 'impossible');
      assert.match(json.reasons.join(), /The transactions of block 9 do not have the root/);
    });
  });

  it('refuses ranges and trusted blocks that do not fit, and stops when aborted', async () => {
    const chain = prague();
    const isField = (field: string) => (error: unknown) =>
      isAppError(error, 'badInput') && error.details.field === field;
    await assert.rejects(prove(chain, { to: 10_000n }), isField('prove'));
    const trustHash = chain.blocks[2]?.header.hash as Hex;
    await assert.rejects(prove(chain, { trustHash }), isField('trust-hash'));
    const signal = AbortSignal.abort();
    const failing = async () => {
      throw new AppError('timeout', 'No response.');
    };
    assert.match((await prove(chain, { call: failing })).json.reasons.join(), /failed: No response/);
    const call = async () => {
      throw new AppError('aborted', 'Cancelled.');
    };
    await assert.rejects(prove(chain, { signal, call }), /Cancelled/);
  });
});
