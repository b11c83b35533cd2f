import assert from 'node:assert/strict';
import { formatMessage, type Hex } from '../../../../src/core/index.ts';
import type { CallFrame } from '../../../../src/core/traces/callFrame.ts';
import { matchReceipt, matchSimulation } from '../../../../src/core/traces/receiptMatch.ts';
import { addressOf, hashOf, transactionOf } from '../../../support/transactions.ts';

const PANIC: Hex = `0x4e487b71${'0'.repeat(62)}11`;
const CUSTOM: Hex = `0x12345678${'0'.repeat(64)}`;
const WORDS: Hex = `0x${'0'.repeat(63)}1`;

const transaction = (more: Parameters<typeof transactionOf>[0] = {}) =>
  transactionOf({ ...{ hash: hashOf(3), from: addressOf(1), to: addressOf(2), input: '0x1234' }, ...more });
const failed = (more: Parameters<typeof transactionOf>[0] = {}) => transaction({ status: 'failed', ...more });

const frame = (more: Partial<CallFrame> = {}): CallFrame => ({
  ...{ type: 'CALL', from: addressOf(1), to: addressOf(2), value: 0n, gas: 100n, gasUsed: 50n },
  ...{ input: '0x1234', output: '0x', error: undefined, logs: [], calls: [] },
  ...more,
});
const inner = (output: Hex, more: Partial<CallFrame> = {}) => frame({ to: addressOf(3), output, ...more });

/** The errors of the calls, the outer ones first, and the reasons. */
function match(root: CallFrame, traced: Parameters<typeof matchReceipt>[1]) {
  const matched = matchReceipt(root, traced);
  if (matched.state === 'other') return formatMessage(matched.reason);
  const errors: (string | undefined)[] = [];
  const open = [matched.root];
  for (const { error, calls } of open) {
    errors.push(error);
    open.push(...calls);
  }
  return [errors, matched.reasons.map(formatMessage)];
}

const REVERTED = 'execution reverted';
const BY_RECEIPT = ['The trace does not say that the transaction failed: that is taken from its receipt.'];
const OTHER = 'The trace is of another transaction: sender, target or data differ. It is not shown.';

describe('a trace and the receipt of its transaction', () => {
  it('agree where both failed, or both did not', () => {
    assert.deepEqual(match(frame(), transaction()), [[undefined], []]);
    assert.deepEqual(match(frame({ error: 'out of gas' }), failed()), [['out of gas'], []]);
    for (const status of ['unknown', 'pending'] as const)
      assert.deepEqual(match(frame({ error: REVERTED }), transaction({ status })), [[REVERTED], []]);
  });

  it('give the outermost call the error that the trace lacks', () => {
    for (const output of [PANIC, CUSTOM, WORDS])
      assert.deepEqual(match(frame({ output }), failed()), [[REVERTED], BY_RECEIPT]);
    assert.deepEqual(match(frame(), failed()), [['failed by its receipt'], BY_RECEIPT]);
    const failure = {
      state: 'told',
      by: 'replay',
      data: undefined,
      isCut: false,
      message: 'out of gas',
    } as const;
    assert.deepEqual(match(frame(), failed({ failure })), [['out of gas'], BY_RECEIPT]);
    const created = matchReceipt(frame({ type: 'CREATE' }), failed({ to: undefined, created: addressOf(2) }));
    assert.ok(created.state === 'same');
    assert.equal(created.root.to, undefined);
  });

  it('give inner calls the error that their data show, down to the call that failed', () => {
    const chain = (output: Hex, more: Partial<CallFrame> = {}) =>
      frame({ output, calls: [inner(WORDS), inner(output, { calls: [inner(output)] })], ...more });
    assert.deepEqual(match(chain(PANIC), failed()), [[REVERTED, undefined, REVERTED, REVERTED], BY_RECEIPT]);
    assert.deepEqual(match(chain(CUSTOM), failed()), [[REVERTED, undefined, REVERTED, REVERTED], BY_RECEIPT]);
    // Of a server that tells errors, other data may be a result.
    const error = REVERTED;
    assert.deepEqual(match(chain(PANIC, { error }), failed()), [[error, undefined, error, error], []]);
    assert.deepEqual(match(chain(CUSTOM, { error }), failed()), [
      [error, undefined, undefined, undefined],
      [],
    ]);
    assert.deepEqual(match(chain(WORDS), failed())[0], [REVERTED, undefined, undefined, undefined]);
    assert.deepEqual(match(chain(PANIC), transaction())[0], [undefined, undefined, undefined, undefined]);
  });

  it('are of different transactions where the trace failed, or most of the call differs', () => {
    assert.match(
      String(match(frame({ error: REVERTED }), transaction())),
      /but its receipt says that it succeeded/,
    );
    for (const more of [
      { to: addressOf(9), input: '0x99' },
      { from: addressOf(9), input: '0x' },
      { type: 'CREATE', from: addressOf(9) },
    ] as const)
      assert.equal(match(frame(more), transaction()), OTHER);
  });

  it('have a reason where one thing differs', () => {
    for (const [more, traced, reason] of [
      [{ from: addressOf(9) }, {}, /another sender/],
      [{ to: addressOf(9) }, {}, /another target/],
      [{ input: '0x' }, {}, /other data/],
      [{ value: 7n }, {}, /another value/],
      [{ type: 'CREATE' }, {}, /whether a contract was created/],
      [{ type: 'CREATE' }, { to: undefined, created: addressOf(9) }, /another address of the new contract/],
      [{ gasUsed: 42_001n }, { position: 0 }, /used 42,001 gas; by its receipt 21,000/],
    ] as const) {
      const [errors, reasons] = match(frame(more), transaction(traced));
      assert.deepEqual([errors, reasons?.length], [[undefined], 1]);
      assert.match(String(reasons), reason);
    }
  });

  it('may differ on rollups that run another call, at zkSync, and in the gas of anvil', () => {
    const other = { from: addressOf(9), to: addressOf(8), input: '0x99' } as const;
    assert.equal(match(frame(other), transaction({ type: 0x69 }))[1]?.length, 3);
    assert.deepEqual(match(frame({ ...other, from: `0x${'0'.repeat(40)}` as const }), transaction()), [
      [undefined],
      [],
    ]);
    assert.deepEqual(match(frame({ gasUsed: 90_000n }), transaction({ position: 1 })), [[undefined], []]);
    assert.deepEqual(match(frame({ gasUsed: undefined, value: undefined }), transaction()), [
      [undefined],
      [],
    ]);
  });
});

describe('the calls of a simulation', () => {
  it('have failed where they return what only a revert returns', () => {
    assert.equal(matchSimulation(frame({ output: PANIC })).error, REVERTED);
    for (const output of [CUSTOM, WORDS, '0x', '0x4e487b71'] as const)
      assert.equal(matchSimulation(frame({ output })).error, undefined);
  });
});
