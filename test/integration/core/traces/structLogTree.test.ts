import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { type Hex, isAppError } from '../../../../src/core/index.ts';
import { type CallFrame, isOutOfGas } from '../../../../src/core/traces/callFrame.ts';
import { parseCallTracer } from '../../../../src/core/traces/parseCallTracer.ts';
import { parseStructLogTree } from '../../../../src/core/traces/structLogTree.ts';
import { compileCorpus } from '../../../support/traces/buildCorpus.ts';
import { type SentCorpus, sendFailures } from '../../../support/traces/sendFailures.ts';
import {
  addressOf,
  requireTransaction,
  requireTransactionProvider,
  transactionOf,
} from '../../../support/transactions.ts';

const quantity = (value: bigint) => `0x${value.toString(16)}`;

/** What both forms tell. */
function outline({ type, from, to, value, input, output, error, logs, calls }: CallFrame): unknown {
  const halt = error === undefined ? 'none' : isOutOfGas({ error }) ? 'gas' : 'revert';
  // Those of a call that failed are undone, and told by anvil of the first call alone.
  const emitted = error === undefined ? logs : [];
  return { type, from, to, value, input, output, halt, emitted, calls: calls.map(outline) };
}

describe('the calls in struct logs', () => {
  let anvil: Anvil;
  let sent: SentCorpus;

  before(async function () {
    this.timeout(60_000);
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    sent = await sendFailures(createNodeRpc(anvil.url), await compileCorpus('plain'));
  });
  after(() => anvil.stop());

  it('are those of the tracer of calls, for each transaction of the corpus', async () => {
    const node = createNodeRpc(anvil.url);
    const provider = await requireTransactionProvider('calls', anvil.url);
    const hashes: readonly Hex[] = [...sent.failures.map(({ hash }) => hash), sent.caught, sent.created];
    for (const hash of hashes) {
      const transaction = await requireTransaction(provider, hash);
      const { from, to, input, value, gasLimit = 0n } = transaction;
      const call = { from, to, input, value: quantity(value), gas: quantity(gasLimit) };
      const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } };
      const [traced, logged] = await Promise.all([
        node.call('debug_traceCall', [call, 'latest', tracer]),
        node.call('debug_traceCall', [call, 'latest', { enableMemory: true }]),
      ]);
      const expected = parseCallTracer(traced)?.root ?? assert.fail();
      const tree = parseStructLogTree(logged, { ...transaction, created: expected.to });
      assert.deepEqual(outline(tree?.root ?? assert.fail(hash)), outline(expected), hash);
    }
  });

  it('are undefined for another shape, and refused where steps are malformed', () => {
    const transaction = transactionOf();
    for (const other of [{}, [], null, { structLogs: [] }, { type: 'CALL' }])
      assert.equal(parseStructLogTree(other, transaction), undefined);
    const step = { op: 'STOP', depth: 1, stack: [], memory: [] };
    for (const structLogs of [
      [7],
      [{ ...step, depth: '1' }],
      [step, { ...step, depth: 2 }],
      [{ ...step, depth: 2 }, step],
      [{ ...step, op: 'CALL', stack: ['zz'] }],
      Array.from({ length: 1_030 }, (_, depth) => ({ ...step, op: 'CALL', depth })),
    ])
      assert.throws(
        () => parseStructLogTree({ structLogs }, transaction),
        (error) => isAppError(error, 'badResponse'),
      );
  });

  it('take no memory for an input that no gas can pay', () => {
    const huge = 'f'.repeat(60);
    const stack = ['0', '0', huge, '0', '0', addressOf(2), '0'];
    const tree = parseStructLogTree(
      {
        structLogs: [
          { op: 'CALL', depth: 1, stack, memory: [] },
          { op: 'STOP', depth: 1, stack: ['0'] },
        ],
      },
      transactionOf(),
    );
    assert.deepEqual(
      tree?.root.calls.map(({ to, input, error }) => [to, input, error]),
      [[addressOf(2), '0x', 'execution reverted']],
    );
  });
});
