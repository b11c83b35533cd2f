import assert from 'node:assert/strict';
import { MAX_RESULT_BYTES, runOperation, type Transaction } from '../../../../src/core/index.ts';
import { countSentBytes, type JsonObject } from '../../../../src/core/operations/result.ts';
import { createNodeFetch, createTestDeps } from '../../../support/operationDeps.ts';
import { runCli } from '../../../support/runCli.ts';
import { findTrueLines } from '../../../support/traces/buildCorpus.ts';
import { type FailingProject, startFailingProject } from '../../../support/traces/failingProject.ts';
import { addressOf, answerOf, hashOf, transactionOf } from '../../../support/transactions.ts';

describe('get_transaction with its calls', () => {
  let project: FailingProject;

  before(async function () {
    this.timeout(60_000);
    project = await startFailingProject();
  });
  after(() => project.stop());

  async function ask(hash: string, trace?: boolean) {
    const input = JSON.stringify({ hash, ...(trace === undefined ? {} : { trace }) });
    const args = ['ask', 'get_transaction', input, '--rpc', project.rpcUrl, '--dir', project.folder];
    return JSON.parse((await runCli(args)).stdout);
  }

  /** What the operation tells of a transaction that a source knows, by an endpoint with this trace. */
  async function askStub(transaction: Transaction, trace?: object): Promise<JsonObject> {
    const { fetch } = createNodeFetch([], {
      other: (method) => (method === 'debug_traceTransaction' ? trace : undefined),
    });
    const source = { lookUpHash: async () => answerOf(transaction) };
    const deps = await createTestDeps(fetch, { provider: async () => source as never });
    return runOperation({ name: 'get_transaction', input: { hash: transaction.hash, trace: true } }, deps);
  }

  it('has the tree, and the line of the project that failed', async () => {
    const hash = project.findFailure('through a call');
    const { trace, failedAt } = await ask(hash, true);
    assert.deepEqual(
      [trace.contract, trace.function, trace.args, trace.error.signature],
      [{ chainText: 'Callers' }, 'through(uint256)', { a: '1' }, 'Panic(uint256)'],
    );
    assert.deepEqual(
      [trace.calls[0].function, trace.calls[0].contract, trace.logs],
      ['subtract(uint256,uint256)', { chainText: 'Failing' }, ['Called']],
    );
    const { file = '', line } = findTrueLines(project.corpus).get('overflow') ?? {};
    assert.deepEqual([failedAt.certain, failedAt.file, failedAt.line], [true, { chainText: file }, line]);
    assert.deepEqual(
      failedAt.stack.map((entry: { readonly function: unknown }) => entry.function),
      [{ chainText: 'Failing.subtract' }, { chainText: 'Callers.through' }],
    );
    const untraced = await ask(hash);
    assert.deepEqual([untraced.trace, untraced.failedAt], [undefined, undefined]);
  });

  it('has the calls that failed first, within 16 KiB, however many there are', async () => {
    const frame = (to: number, more: object = {}) => ({
      ...{ type: 'CALL', from: addressOf(1), to: addressOf(to), input: '0xa9059cbb', gasUsed: '0x1' },
      ...more,
    });
    const failed = { error: 'execution reverted', output: '0x1234' };
    let deepest: object = frame(99, failed);
    for (let depth = 0; depth < 10; depth++) {
      const others = Array.from({ length: 50 }, (_, place) => frame(place));
      deepest = frame(50 + depth, { ...failed, calls: [...others, deepest] });
    }
    const result = await askStub(
      transactionOf({ hash: hashOf(5), status: 'failed', to: addressOf(59), input: '0xa9059cbb' }),
      deepest,
    );
    assert.ok(countSentBytes(result) <= MAX_RESULT_BYTES);
    let call = result.trace as JsonObject;
    let depth = 0;
    for (; Array.isArray(call.calls); depth++) call = call.calls.at(-1) as JsonObject;
    assert.deepEqual([depth, call.to], [10, addressOf(99)]);
    assert.ok((result.trace as JsonObject).moreCalls !== undefined);
  });

  it('says why there are no calls', async () => {
    const { trace, reasons } = await askStub(transactionOf({ hash: hashOf(5) }));
    assert.deepEqual([trace, reasons], [null, ['The endpoint offers no method that traces transactions.']]);
  });
});
