import assert from 'node:assert/strict';
import { createMessage, foreign } from '../../../../src/core/base/text.ts';
import {
  createChainClient,
  createLogDecoder,
  createTimeSlices,
  isAppError,
  mergeLookups,
  type SimulationPoint,
  simulateTransaction,
  systemClock,
  type Transaction,
} from '../../../../src/core/index.ts';
import { createNodeFetch } from '../../../support/operationDeps.ts';
import { addressOf, transactionOf } from '../../../support/transactions.ts';

const failed = transactionOf({ status: 'failed', input: '0x12345678', value: 5n, gasLimit: 50_000n });

/** A simulation at a node with these methods, and what it was sent. */
async function simulate(
  methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>>,
  point: SimulationPoint,
  transaction: Transaction = failed,
) {
  const sent: (readonly [string, ...(readonly unknown[])])[] = [];
  const { fetch } = createNodeFetch([], {
    head: 20,
    other(method, params) {
      if (/^(?:debug|trace)_|^eth_call$/.test(method)) sent.push([method, ...params]);
      return methods[method]?.(params);
    },
  });
  const lookup = mergeLookups();
  const { call, isOwnState, trace } = await simulateTransaction(transaction, point, {
    client: createChainClient({ fetch, clock: systemClock, url: 'http://127.0.0.1:1' }),
    ...{ lookup, decoder: createLogDecoder({ lookup, chainId: 1 }), chainId: 1 },
    ...{ index: undefined, files: undefined, prefetchAbis: async () => undefined },
    slices: createTimeSlices(systemClock),
  });
  return { after: call.after, isOwnState, trace, sent };
}

const frame = { type: 'CALL', from: addressOf(1), to: addressOf(2), input: '0x12345678' };
const reverted = { ...frame, error: 'execution reverted', output: '0xdeadbeef' };
const refuse = (code: number, message: string, data?: unknown) => () => {
  throw { code, message, data };
};

describe('a simulation of a transaction', () => {
  it('repeats its call without nonce and fee, on the state before its block', async () => {
    const accessList = [{ address: addressOf(3), storageKeys: [] }];
    const authorizationList = [{ chainId: '0x1', address: addressOf(4) }];
    const { after, isOwnState, trace, sent } = await simulate({ debug_traceCall: () => reverted }, 'own', {
      ...failed,
      accessList,
      authorizationList,
    });
    assert.deepEqual([after, isOwnState], [4n, true]);
    assert.ok(trace.state === 'told');
    assert.deepEqual([trace.method, trace.root.frame.output], ['debug_traceCall', '0xdeadbeef']);
    const [method, call, block] = sent[0] ?? [];
    assert.deepEqual([method, block], ['debug_traceCall', '0x4']);
    assert.deepEqual(call, {
      ...{ from: addressOf(1), to: addressOf(2), data: '0x12345678', value: '0x5', gas: '0xc350' },
      ...{ accessList, authorizationList },
    });
  });

  it('is not on its own state where others came before it in its block, or at another block', async () => {
    const methods = { debug_traceCall: () => reverted };
    const second = await simulate(methods, 'own', { ...failed, position: 1 });
    assert.deepEqual([second.after, second.isOwnState], [4n, false]);
    const latest = await simulate(methods, 'latest');
    assert.deepEqual([latest.after, latest.isOwnState, latest.sent[0]?.[2]], [20n, false, '0x14']);
    const pending = { ...failed, block: undefined, position: undefined };
    await assert.rejects(simulate(methods, 'own', pending), (error) => isAppError(error, 'badInput'));
    assert.equal((await simulate(methods, 'latest', pending)).after, 20n);
  });

  it('comes from trace_call where there is no debug_traceCall', async () => {
    const action = { callType: 'call', ...frame, type: undefined, value: '0x0' };
    const { trace } = await simulate(
      { trace_call: () => ({ output: '0x', trace: [{ type: 'call', traceAddress: [], action }] }) },
      'own',
    );
    assert.deepEqual(trace.state === 'told' && [trace.method, trace.hasLogs], ['trace_call', false]);
  });

  for (const [node, answer, error, output] of [
    ['geth', refuse(3, 'execution reverted', '0xdeadbeef'), 'execution reverted', '0xdeadbeef'],
    ['Hardhat 2', refuse(-32603, 'reverted', { data: '0xdeadbeef' }), 'execution reverted', '0xdeadbeef'],
    ['Nethermind', refuse(-32015, 'VM execution error.', 'Reverted 0x12'), 'execution reverted', '0x12'],
    ['a node without data', refuse(-32000, 'out of gas'), 'out of gas', '0x'],
    ['a node on which it succeeds', () => '0x01', undefined, '0x01'],
  ] as const) {
    it(`has only the outermost call by eth_call of ${node} that cannot trace`, async () => {
      const { trace } = await simulate({ eth_call: answer }, 'latest');
      assert.ok(trace.state === 'told');
      const { frame: root, calls } = trace.root;
      assert.deepEqual([trace.method, root.error, root.output, calls], ['eth_call', error, output, []]);
    });
  }

  it('says why where nothing runs it', async () => {
    const pruned = await simulate({ eth_call: refuse(-32000, 'missing trie node 12ab') }, 'own');
    assert.match(
      pruned.trace.state === 'notOffered' ? pruned.trace.reason.template : '',
      /Use an archive node/,
    );
    const { trace } = await simulate({ eth_call: refuse(-32000, 'insufficient funds for transfer') }, 'own');
    assert.deepEqual(trace, {
      state: 'notOffered',
      reason: createMessage(
        'The endpoint refused to run the call: {0}',
        foreign('insufficient funds for transfer'),
      ),
    });
  });
});
