import assert from 'node:assert/strict';
import { createMessage, formatMessage } from '../../../../src/core/base/text.ts';
import {
  AppError,
  createChainClient,
  isAppError,
  iterateFrames,
  systemClock,
} from '../../../../src/core/index.ts';
import { createTraceReader } from '../../../../src/core/traces/fetchTrace.ts';
import { createNodeFetch } from '../../../support/operationDeps.ts';
import { addressOf, hashOf, transactionOf } from '../../../support/transactions.ts';

const transaction = transactionOf({ hash: hashOf(3), gasUsed: 30_000n });
const frame = { type: 'CALL', from: addressOf(1), to: addressOf(2), input: '0x', gasUsed: '0xffffff' };
const listed = [{ type: 'call', traceAddress: [], action: { callType: 'call', ...frame, type: undefined } }];

const CLOCK = { clock: systemClock };

type Answer = (params: readonly unknown[]) => unknown;

/** A client of a node with these methods, and the methods that were called, with the tracer. */
function openNode(methods: Readonly<Record<string, Answer>>) {
  const called: string[] = [];
  const { fetch } = createNodeFetch([], {
    other(method, params) {
      const answer = methods[method];
      const { tracer = '' } = (params[1] ?? {}) as { tracer?: string };
      called.push(`${method} ${tracer.startsWith('{') ? 'steps' : tracer}`.trim());
      return answer?.(params);
    },
  });
  return { client: createChainClient({ fetch, clock: systemClock, url: 'http://127.0.0.1:1' }), called };
}

const isTracer = (options: unknown) => (options as { tracer?: string }).tracer !== undefined;
const refuse = (code: number, message: string) => () => {
  throw { code, message };
};

describe('the trace of a transaction', () => {
  it('has the gas of the receipt: anvil gives the root that of the block up to there', async () => {
    const { client, called } = openNode({ debug_traceTransaction: () => frame });
    const trace = await client.fetchTrace(transaction);
    assert.ok(trace.state === 'told');
    assert.deepEqual([trace.root.gasUsed, trace.hasLogs], [30_000n, true]);
    assert.deepEqual(called, ['debug_traceTransaction callTracer']);
  });

  for (const [name, answer] of [
    ['a node without the method', undefined],
    ['anvil without a tracer', () => ({})],
    ['anvil before 2024', () => ({ failed: false, gas: 1, returnValue: '', structLogs: [] })],
    [
      'Hardhat 2',
      refuse(-32603, 'Hardhat currently only supports the default tracer, so no tracer parameter'),
    ],
    ['Besu', refuse(-32604, 'Method not enabled')],
  ] as const) {
    it(`comes from trace_transaction at ${name}, which is asked only once for the rest`, async () => {
      const { client, called } = openNode({
        trace_transaction: () => listed,
        ...(answer && { debug_traceTransaction: answer }),
      });
      for (const expected of [2, 3]) {
        const trace = await client.fetchTrace(transaction);
        assert.deepEqual(
          [trace.state, trace.state === 'told' && trace.hasLogs, called.length],
          ['told', false, expected],
        );
      }
    });
  }

  it('comes from steps with stack and memory at Hardhat 2, which has nothing else', async () => {
    const steps = { failed: true, gas: 9, returnValue: '12', structLogs: [{ op: 'REVERT', depth: 1 }] };
    const { client, called } = openNode({
      debug_traceTransaction: ([, options]) => {
        if (isTracer(options))
          throw { code: -32602, message: 'Hardhat currently only supports the default tracer' };
        return steps;
      },
    });
    const trace = await client.fetchTrace({ ...transaction, status: 'failed' });
    assert.ok(trace.state === 'told');
    assert.deepEqual(
      [trace.root.to, trace.root.error, trace.root.output, trace.hasLogs, called.length],
      [addressOf(2), 'execution reverted', '0x12', true, 3],
    );
  });

  for (const [message, reason] of [
    ['missing trie node 12ab (path )', /no longer has the state of that block/],
    ['required historical state unavailable (reexec=128)', /no longer has the state/],
    ['execution timeout', /takes the node too long/],
    ['debug_traceTransaction is not available on the Free tier - upgrade to Pay As You Go', /in your plan/],
    ['transaction not found', /does not find the transaction/],
    ['something else', /refused to trace/],
  ] as const) {
    it(`is not offered, in words, after: ${message}`, async () => {
      const { client, called } = openNode({ debug_traceTransaction: refuse(-32000, message) });
      for (let times = 1; times <= 2; times++) {
        const trace = await client.fetchTrace(transaction);
        assert.ok(trace.state === 'notOffered');
        assert.match(formatMessage(trace.reason), reason);
      }
      // Another transaction may be traced: only what is missing is not asked again.
      const isMissing = /Free tier/.test(message);
      assert.equal(called.filter((method) => method.startsWith('debug_')).length, isMissing ? 1 : 2);
    });
  }

  it('is not offered by a node without methods for it', async () => {
    const trace = await openNode({}).client.fetchTrace(transaction);
    assert.deepEqual(trace, {
      state: 'notOffered',
      reason: createMessage('The endpoint offers no method that traces transactions.'),
    });
  });

  it('may be deeper than other results, also in a large response', async () => {
    const input = `0x${'12'.repeat(10_000)}`;
    let root: object = { ...frame, input };
    for (let depth = 1; depth < 200; depth++) root = { ...frame, input, calls: [root] };
    const { client } = openNode({ debug_traceTransaction: () => root });
    const trace = await client.fetchTrace(transaction);
    assert.ok(trace.state === 'told');
    assert.equal([...iterateFrames(trace.root)].length, 200);
  });

  it('is the first call where all of them are larger than is read, and not offered where that is too', async () => {
    const large = (isTopLarge: boolean) =>
      createTraceReader(async (_method, params, { maxBytes } = {}) => {
        assert.equal(maxBytes, 10 * 1024 * 1024);
        const { tracerConfig } = (params[1] ?? {}) as { tracerConfig?: { onlyTopCall?: boolean } };
        if (tracerConfig?.onlyTopCall && !isTopLarge) return { ...frame, error: 'out of gas' };
        throw new AppError('tooLarge', 'It is larger than is read.');
      }, CLOCK).fetchTrace({ ...transaction, status: 'failed' });
    const trace = await large(false);
    assert.ok(trace.state === 'told');
    assert.deepEqual([trace.root.error, trace.root.calls, trace.hasLogs], ['out of gas', [], false]);
    assert.match(trace.cutReason?.template ?? '', /larger than Chainside reads/);
    const none = await large(true);
    assert.match(
      none.state === 'notOffered' ? formatMessage(none.reason) : '',
      /larger than Chainside reads/,
    );
  });

  it('is what the transaction itself tells where the server stalls, and nothing else is tried', async () => {
    const called: string[] = [];
    const reader = createTraceReader(async (method) => {
      called.push(method);
      throw new AppError('timeout', 'The server did not finish its response within 30 s.', { status: 200 });
    }, CLOCK);
    const failed = transactionOf({
      ...{ hash: hashOf(4), status: 'failed' },
      failure: { state: 'told', by: 'replay', data: '0x12', isCut: false, message: undefined },
    });
    const trace = await reader.fetchTrace(failed);
    assert.ok(trace.state === 'told');
    assert.deepEqual(
      [trace.root.error, trace.root.output, trace.root.calls],
      ['execution reverted', '0x12', []],
    );
    assert.match(trace.cutReason?.template ?? '', /did not send the trace in time/);
    assert.equal(await reader.fetchSteps(failed), undefined);
    assert.deepEqual(called, ['debug_traceTransaction']);
  });

  it('fails where the server responds with a broken one', async () => {
    const { client } = openNode({ debug_traceTransaction: () => ({ ...frame, from: 'me' }) });
    await assert.rejects(client.fetchTrace(transaction), (error) => isAppError(error, 'badResponse'));
  });
});

describe('the steps of a transaction', () => {
  const structLogs = [{ pc: 0, op: 'PUSH0', depth: 1 }];

  it('come from struct logs where no tracer in JavaScript runs', async () => {
    const { client, called } = openNode({
      debug_traceTransaction: ([, options]: readonly unknown[]) => {
        if (isTracer(options)) throw { code: -32000, message: 'JS Tracer is not enabled' };
        return { structLogs };
      },
    });
    assert.deepEqual((await client.fetchSteps(transaction))?.counters, [0]);
    assert.deepEqual((await client.fetchSteps(transaction))?.counters, [0]);
    assert.equal(called.length, 3);
  });

  it('come from the call at the block before where mining recorded none, for the first of a block', async () => {
    const methods = {
      debug_traceTransaction: ([, options]: readonly unknown[]) =>
        isTracer(options) ? {} : { structLogs: [] },
      debug_traceCall: ([, block]: readonly unknown[]) => ({ structLogs: block === '0x4' ? structLogs : [] }),
    };
    assert.deepEqual((await openNode(methods).client.fetchSteps(transaction))?.counters, [0]);
    const second = { ...transaction, position: 1 };
    assert.equal(await openNode(methods).client.fetchSteps(second), undefined);
  });
});
