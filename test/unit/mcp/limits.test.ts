import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import {
  createLogDecoder,
  getToolSchema,
  type Log,
  type LogQuery,
  mergeLookups,
  type OperationDeps,
  operationTools,
  runOperation,
  systemClock,
  type Verdict,
} from '../../../src/core/index.ts';

const address = `0x${'a1'.repeat(20)}` as const;
const hash = (of: number) => `0x${of.toString(16).padStart(64, '0')}` as const;
const BLOCKS = 100;

function logAt(block: number, logIndex: number): Log {
  const at = { blockNumber: BigInt(block), blockHash: hash(block), logIndex, transactionIndex: 0 };
  return { address, topics: [], data: '0x', transactionHash: hash(block), ...at };
}

/** A query of two rows a block, each block a page of its own and a request `cost` times. */
function limitedDeps(cost: number): OperationDeps {
  let sent = 0;
  const lookup = mergeLookups();
  const { decode } = createLogDecoder({ lookup, chainId: 1 });

  function openLogQuery({ fromBlock, toBlock }: { readonly fromBlock: unknown; readonly toBlock: unknown }) {
    const from = typeof fromBlock === 'bigint' ? Number(fromBlock) : 1;
    const to = typeof toBlock === 'bigint' ? Number(toBlock) : BLOCKS;
    let verdict: Verdict | undefined;
    let rows = 0;
    const query: Partial<LogQuery> = {
      get verdict() {
        return verdict;
      },
      async *rest({ signal, onProgress } = {}) {
        for (let block = from; block <= to; block++) {
          sent += cost;
          onProgress?.({ blocksDone: BigInt(block - from + 1), blocks: BigInt(to - from + 1) });
          signal?.throwIfAborted();
          const logs = [logAt(block, 0), logAt(block, 1)];
          rows += logs.length;
          verdict = {
            ...{ state: block === to ? 'complete' : 'more', reasons: [], order: 'oldestFirst' },
            ...{ fromBlock: BigInt(from), toBlock: BigInt(to), head: BigInt(BLOCKS) },
            ...{ readThrough: BigInt(block), rows, requests: sent },
          };
          yield { logs, verdict };
        }
      },
    };
    return query as LogQuery;
  }

  return {
    network: { name: undefined, rpcUrl: 'http://127.0.0.1:1', symbol: undefined, decimals: 18 },
    client: { openLogQuery, dialect: () => ({ family: 'unknown' }), blockTimes: async () => undefined },
    chainId: async () => 1,
    knowledge: async () => ({
      ...{ index: undefined, names: [], lookup, code: { abiAt: () => undefined }, decode },
      ...{ prepare: async () => undefined, wantCode: async () => undefined },
    }),
    source: async () => undefined,
    files: undefined,
    sent: () => sent,
    clock: systemClock,
    version: '1',
  } as unknown as OperationDeps;
}

interface Answer {
  readonly complete: unknown;
  readonly count: string;
  readonly reasons: readonly string[];
  readonly estimate?: { readonly requests: number };
  readonly next_call?: { readonly arguments: Record<string, unknown> };
}

async function count(deps: OperationDeps, input: object): Promise<Answer> {
  return (await runOperation({ name: 'query_events', input }, deps)) as unknown as Answer;
}

describe('Limits of one call', () => {
  it('are not met by what is cheap', async () => {
    const answer = await count(limitedDeps(1), { address });
    assert.deepEqual([answer.complete, answer.count, answer.estimate], [true, String(2 * BLOCKS), undefined]);
  });

  it('end what is dear with an estimate, a count of whole blocks, and the call for the rest', async () => {
    const deps = limitedDeps(10);
    const first = await count(deps, { address });
    assert.equal(first.complete, false);
    assert.match(first.reasons.join(), /about 1,000 requests .* confirm: true/);
    assert.equal(first.estimate?.requests, 1000);
    assert.ok(Number(first.count) > 0 && Number(first.count) < 2 * BLOCKS);
    assert.equal(first.next_call?.arguments.confirm, true);
    const rest = await count(deps, first.next_call?.arguments ?? {});
    assert.equal(rest.complete, true);
    assert.equal(Number(first.count) + Number(rest.count), 2 * BLOCKS);
  });

  it('hold for what was confirmed too', async () => {
    const answer = await count(limitedDeps(1000), { address, confirm: true });
    assert.equal(answer.complete, false);
    assert.match(answer.reasons.join(), /stopped after \d+ requests/);
  });
});

describe('Tools', () => {
  const { languageModelTools } = manifest.contributes;

  it('are seven at most, in both faces together', () => {
    assert.ok(operationTools.length + languageModelTools.length <= 7);
  });

  it('have in the manifest the schema that they are read with', () => {
    const [tool] = languageModelTools;
    assert.deepEqual(tool?.inputSchema, getToolSchema('open_query'));
    assert.ok((tool?.modelDescription.length ?? 0) <= 1024);
  });
});
