import assert from 'node:assert/strict';
import { createChainClient, isAppError, systemClock } from '../../../../src/core/index.ts';
import type { Trace } from '../../../../src/core/traces/callFrame.ts';
import { parseOtterscanCalls } from '../../../../src/core/traces/listedCalls.ts';
import { slicing } from '../../../support/clocks.ts';
import { addressOf, hashOf, transactionOf } from '../../../support/transactions.ts';

const data = '0xdeadbeef';
const failed = transactionOf({
  ...{ hash: hashOf(3), status: 'failed', input: '0x12345678' },
  failure: { state: 'told', by: 'explorer', data, isCut: false, message: 'Reverted' },
});
const item = (index: number, more: object = {}) => ({
  ...{ index, type: 'call', from: { hash: addressOf(2) }, to: { hash: addressOf(10 + index) }, value: '7' },
  ...{ success: true, error: null, created_contract: null, gas_limit: '100' },
  ...more,
});

/** A client of an explorer without methods that trace, with this answer for each cursor. */
function openExplorer(pages: Readonly<Record<string, object | number>>) {
  const asked: string[] = [];
  const fetch = async (url: URL | string, { body }: { readonly body?: unknown }) => {
    const { pathname, search } = new URL(url);
    if (typeof body !== 'string') {
      asked.push(`${pathname}${search}`);
      const page = pages[search] ?? 400;
      return typeof page === 'number'
        ? Response.json({ message: 'Unknown API v2 action' }, { status: page })
        : Response.json(page);
    }
    const refuse = ({ id }: { readonly id: number }) => ({
      ...{ jsonrpc: '2.0', id, error: { code: -32601, message: 'Action not found.' } },
    });
    const calls = JSON.parse(body);
    return Response.json(Array.isArray(calls) ? calls.map(refuse) : refuse(calls));
  };
  const url = 'http://explorer.example/api/eth-rpc';
  return { client: createChainClient({ fetch: fetch as never, clock: systemClock, url }), asked };
}

const targets = (trace: Trace) =>
  trace.state === 'told' ? trace.root.calls.map(({ type, to, error }) => [type, to, error]) : [];

describe('the calls that an explorer lists', () => {
  it('stand below the outermost call, page by page, where no method traces', async () => {
    const { client, asked } = openExplorer({
      '': {
        items: [item(0, { from: { hash: addressOf(1) }, to: { hash: addressOf(2) } }), item(2)],
        next_page_params: { index: 2, items_count: 50 },
      },
      '?index=2&items_count=50': {
        items: [
          item(3, { type: 'delegatecall', success: false, error: 'Reverted' }),
          item(4, { type: 'create', to: null, created_contract: { hash: addressOf(9) } }),
          item(1),
        ],
        next_page_params: null,
      },
    });
    const trace = await client.fetchTrace(failed);
    assert.ok(trace.state === 'told');
    assert.deepEqual(
      [trace.method, trace.hasLogs, trace.cutReason],
      ['internalTransactions', false, undefined],
    );
    const { root } = trace;
    assert.deepEqual(
      [root.to, root.input, root.output, root.error, root.gasUsed],
      [addressOf(2), '0x12345678', data, 'execution reverted', 21_000n],
    );
    assert.deepEqual(targets(trace), [
      ['CALL', addressOf(11), undefined],
      ['CALL', addressOf(12), undefined],
      ['DELEGATECALL', addressOf(13), 'Reverted'],
      ['CREATE', addressOf(9), undefined],
    ]);
    assert.equal(asked[0], `/api/v2/transactions/${hashOf(3)}/internal-transactions`);
  });

  it('are cut where a later page fails, or comes again', async () => {
    const first = { items: [item(1)], next_page_params: { index: 1 } };
    for (const second of [400, first]) {
      const trace = await openExplorer({ '': first, '?index=1': second }).client.fetchTrace(failed);
      assert.deepEqual(
        [trace.state === 'told' && trace.cutReason !== undefined, targets(trace).length],
        [true, 1],
      );
    }
  });

  it('are asked for only once where the explorer lacks the route', async () => {
    const { client, asked } = openExplorer({});
    for (let times = 0; times < 2; times++) {
      const trace = await client.fetchTrace(failed);
      assert.deepEqual(trace.state, 'notOffered');
    }
    assert.equal(asked.length, 1);
  });

  it('are refused where they are broken', async () => {
    const { client } = openExplorer({ '': { items: [{ index: 1 }], next_page_params: null } });
    await assert.rejects(client.fetchTrace(failed), (error) => isAppError(error, 'badResponse'));
  });
});

describe('the calls that Otterscan lists', () => {
  const call = (depth: number, to: number, more: object = {}) => ({
    ...{ type: 'CALL', depth, from: addressOf(1), to: addressOf(to), value: '0x5', input: '0x12345678' },
    ...more,
  });

  it('are a tree by their depth', async () => {
    const list = [call(0, 2), call(1, 3), call(2, 4, { value: null, type: 'STATICCALL' }), call(1, 5)];
    const { root } = (await parseOtterscanCalls(list, failed, slicing)) ?? assert.fail();
    assert.deepEqual([root.to, root.error, root.output], [addressOf(2), 'execution reverted', data]);
    assert.deepEqual(
      root.calls.map(({ to, calls }) => [to, calls.map(({ type, value }) => [type, value])]),
      [
        [addressOf(3), [['STATICCALL', 0n]]],
        [addressOf(5), []],
      ],
    );
  });

  it('are refused where a call has no caller', async () => {
    for (const list of [[call(1, 2)], [call(0, 2), call(2, 3)], [call(0, 2), call(0, 3)], [call(0, 2), 5]])
      await assert.rejects(parseOtterscanCalls(list, failed, slicing), (error) =>
        isAppError(error, 'badResponse'),
      );
    assert.equal(await parseOtterscanCalls({}, failed, slicing), undefined);
  });
});
