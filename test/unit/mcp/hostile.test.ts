import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import {
  createChainClient,
  createLogDecoder,
  fitResult,
  type JsonObject,
  loadStandardLookup,
  MAX_RESULT_BYTES,
  type OperationDeps,
  parseAbiItem,
  runOperation,
  systemClock,
} from '../../../src/core/index.ts';
import { hostileNames } from '../../fixtures/hostileNames.ts';
import { runs } from '../../support/fullRun.ts';
import { createRow, createScriptedFetch } from '../../support/scriptedServer.ts';

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
      ...{ decode: decoder.decode, prepare: async () => undefined, wantCode: async () => undefined },
    }),
    source: async () => undefined,
    files: undefined,
    sent: () => 0,
    clock: systemClock,
    version: '1',
  };
}

describe('Answers to agents about what strangers wrote', () => {
  const names = Object.values(hostileNames);

  it('hold it as data: marked, plain, and cut with a mark', async () => {
    const deps = await depsWith(names.map((name, place) => row(place + 1, name, [name])));
    let input: object = { event: declared, mode: 'rows', limit: 100 };
    let seen = 0;
    for (;;) {
      const answer = await runOperation({ name: 'query_events', input }, deps);
      assert.ok(sent(answer) <= MAX_RESULT_BYTES, `${sent(answer)} bytes`);
      const text = JSON.stringify(answer);
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u);
      for (const { args } of answer.rows as unknown as { args: { words: Record<string, unknown> } }[]) {
        const name = names[seen++] ?? '';
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
    assert.equal(seen, names.length);
  });

  it('never take more than 16 KiB, whatever stands in rows', async () => {
    const rows = fc.array(
      fc.record({
        words: fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.constantFrom(...names)),
        more: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 200 }),
        bytes: fc.integer({ min: 0, max: 5000 }),
      }),
      { minLength: 1, maxLength: 30 },
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

  it('give every row once however they are cut', async () => {
    const given = Array.from({ length: 40 }, (_, at) => row(at + 1, 'x'.repeat(at * 100), [], at * 200));
    const deps = await depsWith(given);
    const blocks: string[] = [];
    let input: object | undefined = { event: declared, mode: 'rows', limit: 100 };
    while (input) {
      const answer = await runOperation({ name: 'query_events', input }, deps);
      blocks.push(...(answer.rows as unknown as { block: string }[]).map(({ block }) => block));
      input = (answer.next_call as { arguments: object } | undefined)?.arguments;
    }
    assert.deepEqual(
      blocks,
      given.map((_, at) => String(at + 1)),
    );
  });

  it('are cut until they fit, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
        fc.integer({ min: 1, max: 3000 }),
        (json, times) => {
          const answer = fitResult({
            list: Array.from({ length: times }, () => json as never),
            text: 'é"\\'.repeat(times),
          });
          assert.ok(sent(answer) <= MAX_RESULT_BYTES);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are never about what is no parameter', async () => {
    const deps = await depsWith([row(1, 'x', [])]);
    const names = [
      'get_network',
      'resolve_contract',
      'get_address',
      'query_events',
      'decode_data',
      'get_transaction',
    ];
    const property = fc.asyncProperty(fc.constantFrom(...names), fc.jsonValue(), async (name, input) => {
      const answer = await runOperation({ name, input }, deps);
      assert.ok(sent(answer) <= MAX_RESULT_BYTES);
      assert.ok([true, false, 'unknown'].includes(answer.complete));
      assert.ok(Array.isArray(answer.reasons));
    });
    await fc.assert(property, { numRuns: runs(100) });
  });
});
