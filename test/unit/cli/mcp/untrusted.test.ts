import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import manifest from '../../../../package.json' with { type: 'json' };
import {
  createChainClient,
  createLogDecoder,
  createVerdict,
  getToolSchema,
  type JsonObject,
  type Log,
  type LogQuery,
  loadStandardLookup,
  MAX_RESULT_BYTES,
  mergeLookups,
  type OperationDeps,
  operationTools,
  parseAbiItem,
  runOperation,
  systemClock,
  type Verdict,
} from '../../../../src/core/index.ts';
import { fitResult } from '../../../../src/core/operations/result.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { createRow, createScriptedFetch } from '../../../support/fakeFetch.ts';
import { byTurns, isFullRun, runs } from '../../../support/fullRun.ts';

const abi = parseAbi(['event Said(address indexed by, string words, bytes data, string[] more)']);
const declared = 'Said(address indexed by, string words, bytes data, string[] more)';
const [topic0] = encodeEventTopics({ abi });
const by = `0x${'b'.repeat(40)}` as const;

/** What the program sends for an answer: as data, and as text of it. */
function sent(answer: JsonObject): number {
  const text = JSON.stringify(answer);
  return Buffer.byteLength(
    JSON.stringify({ content: [{ type: 'text', text }], structuredContent: answer, isError: true }),
  );
}

function row(block: number, words: string, more: readonly string[], bytes = 0) {
  const data = encodeAbiParameters(
    [{ type: 'string' }, { type: 'bytes' }, { type: 'string[]' }],
    [words, `0x${'ab'.repeat(bytes)}`, more],
  );
  const topics = encodeEventTopics({ abi, eventName: 'Said', args: { by } });
  return createRow(block, 0, { topics, data });
}

async function depsWith(rows: readonly object[]): Promise<OperationDeps> {
  const { fetch } = createScriptedFetch({
    head: rows.length,
    says: { name: 'anvil' },
    logs: ({ from, to }) => rows.filter((_, place) => place + 1 >= from && place + 1 <= to),
  });
  const item = parseAbiItem(`event ${declared}`);
  assert.ok(item?.kind === 'event');
  const bundled = await loadStandardLookup();
  const origin = { trust: 'workspace', from: 'a.sol', contract: 'A', line: 1 } as const;
  const lookup = {
    ...bundled,
    events: (hash: string | undefined) => (hash === topic0 ? [{ item, origin }] : []),
  };
  const decoder = createLogDecoder({ lookup, chainId: 1 });
  return {
    network: { name: undefined, rpcUrl: 'http://127.0.0.1:1', symbol: undefined, decimals: 18 },
    client: createChainClient({ fetch, clock: systemClock, url: 'http://127.0.0.1:1' }),
    chainId: async () => 1,
    knowledge: async () => ({
      ...{ index: undefined, names: [], lookup, code: { abiAt: () => undefined } },
      ...{ decode: decoder.decode, prepare: async () => undefined, prefetchAbis: async () => undefined },
    }),
    provider: async () => undefined,
    files: undefined,
    clock: systemClock,
    version: '1',
  };
}

describe('Answers to agents about what strangers wrote', () => {
  const names = Object.values(hostileNames);
  const some = byTurns(names, 3, 0);

  it('hold it as data: marked, plain, and cut with a mark', async () => {
    const deps = await depsWith(some.map((name, place) => row(place + 1, name, [name])));
    let input: object = { event: declared, mode: 'rows', limit: 100 };
    let seen = 0;
    for (;;) {
      const answer = await runOperation({ name: 'query_events', input }, deps);
      assert.ok(sent(answer) <= MAX_RESULT_BYTES, `${sent(answer)} bytes`);
      const text = JSON.stringify(answer);
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u);
      for (const { args } of answer.rows as unknown as { args: { words: Record<string, unknown> } }[]) {
        const name = some[seen++] ?? '';
        assert.deepEqual(
          Object.keys(args.words).filter((key) => key !== 'truncated'),
          ['chainText'],
        );
        if (name.length > 2000) assert.equal(args.words.truncated, true);
      }
      const next = answer.next_call as { arguments: object } | undefined;
      if (!next) break;
      input = next.arguments;
    }
    assert.equal(seen, some.length);
  });

  it('never take more than 16 KiB, whatever stands in rows', async () => {
    const rows = fc.array(
      fc.record({
        words: fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.constantFrom(...names)),
        more: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: isFullRun ? 200 : 40 }),
        bytes: fc.integer({ min: 0, max: 5000 }),
      }),
      { minLength: 1, maxLength: isFullRun ? 30 : 10 },
    );
    const property = fc.asyncProperty(
      rows,
      fc.constantFrom('rows', 'sample', 'count'),
      async (given, mode) => {
        const deps = await depsWith(
          given.map(({ words, more, bytes }, at) => row(at + 1, words, more, bytes)),
        );
        const answer = await runOperation(
          { name: 'query_events', input: { event: declared, mode, limit: 100 } },
          deps,
        );
        assert.ok(!('error' in answer), JSON.stringify(answer).slice(0, 500));
        assert.ok(sent(answer) <= MAX_RESULT_BYTES, `${sent(answer)} bytes`);
        if (mode === 'rows') assert.ok((answer.rows as unknown as object[]).length > 0);
      },
    );
    await fc.assert(property, { numRuns: runs(20) });
  });

  it('are cut until they fit, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
        fc.integer({ min: 1, max: 3000 }),
        (json, times) => {
          const answer = fitResult({
            list: Array.from({ length: times }, () => json as never),
            text: 'é"\\'.repeat(times) as never,
          });
          assert.ok(sent(answer) <= MAX_RESULT_BYTES);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are never about what is no parameter', async () => {
    const deps = await depsWith([row(1, 'x', [])]);
    const names = operationTools.map(({ name }) => name);
    const property = fc.asyncProperty(fc.constantFrom(...names), fc.jsonValue(), async (name, input) => {
      const answer = await runOperation({ name, input }, deps);
      assert.ok(sent(answer) <= MAX_RESULT_BYTES);
      assert.ok([true, false, 'unknown'].includes(answer.complete));
      assert.ok(Array.isArray(answer.reasons));
    });
    await fc.assert(property, { numRuns: runs(100) });
  });
});

const address = `0x${'a1'.repeat(20)}` as const;
const hash = (of: number) => `0x${of.toString(16).padStart(64, '0')}` as const;
const BLOCKS = 100;

function logAt(block: number, logIndex: number): Log {
  const at = { blockNumber: BigInt(block), blockHash: hash(block), logIndex, transactionIndex: 0 };
  return { address, topics: [], data: '0x', transactionHash: hash(block), ...at };
}

/** A query of two rows a block, each block a page of its own and a request `cost` times; the first one `firstCost` times. */
function limitedDeps(cost: number, firstCost = cost): OperationDeps {
  let sent = 0;
  const lookup = mergeLookups();
  const { decode } = createLogDecoder({ lookup, chainId: 1 });

  function openLogQuery(
    { fromBlock, toBlock }: { readonly fromBlock: unknown; readonly toBlock: unknown },
    { onRequest }: { readonly onRequest?: () => void } = {},
  ) {
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
          const requests = block === 1 ? firstCost : cost;
          for (let count = 0; count < requests; count++) onRequest?.();
          sent += requests;
          onProgress?.({ blocksDone: BigInt(block - from + 1), blocks: BigInt(to - from + 1) });
          signal?.throwIfAborted();
          const logs = [logAt(block, 0), logAt(block, 1)];
          rows += logs.length;
          verdict = createVerdict({
            ...{ isRead: block === to, reasons: [], order: 'oldestFirst' },
            ...{ fromBlock: BigInt(from), toBlock: BigInt(to), head: BigInt(BLOCKS) },
            ...{ readThrough: BigInt(block), rows, requests: sent },
          });
          yield { logs, verdict };
        }
      },
    };
    return query as LogQuery;
  }

  return {
    network: { name: undefined, rpcUrl: 'http://127.0.0.1:1', symbol: undefined, decimals: 18 },
    client: { openLogQuery, dialect: () => ({ family: 'unknown' }), fetchBlockTimes: async () => undefined },
    chainId: async () => 1,
    knowledge: async () => ({
      ...{ index: undefined, names: [], lookup, code: { abiAt: () => undefined }, decode },
      ...{ prepare: async () => undefined, prefetchAbis: async () => undefined },
    }),
    provider: async () => undefined,
    files: undefined,
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
  it('count the requests of that call alone, however many run at once', async () => {
    const deps = limitedDeps(1);
    const answers = await Promise.all(Array.from({ length: 6 }, () => count(deps, { address })));
    for (const { complete, count: rows, estimate } of answers)
      assert.deepEqual([complete, rows, estimate], [true, String(2 * BLOCKS), undefined]);
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

  it('estimate by the pace after the first requests, which find the size of a page', async () => {
    const first = await count(limitedDeps(5, 60), { address });
    const needed = 60 + 5 * (BLOCKS - 1);
    assert.ok(
      Math.abs((first.estimate?.requests ?? 0) - needed) <= needed / 10,
      JSON.stringify(first.estimate),
    );
    assert.ok(Number(first.count) > 0);
    const cheap = await count(limitedDeps(1, 60), { address });
    assert.deepEqual([cheap.complete, cheap.estimate], [true, undefined]);
  });

  it('hold for what was confirmed too', async () => {
    const answer = await count(limitedDeps(1000), { address, confirm: true });
    assert.equal(answer.complete, false);
    assert.match(answer.reasons.join(), /Stopped after \d+ requests/);
  });
});

describe('Tools', () => {
  const { languageModelTools } = manifest.contributes;

  it('are ten at most, in both faces together', () => {
    assert.ok(operationTools.length + languageModelTools.length <= 10);
  });

  it('have in the manifest the schema that they are read with', () => {
    const [tool] = languageModelTools;
    assert.deepEqual(tool?.inputSchema, getToolSchema('open_query'));
    assert.ok((tool?.modelDescription.length ?? 0) <= 1024);
  });
});
