import assert from 'node:assert/strict';
import { isAppError } from '../../../../src/core/index.ts';
import { createCodeMap } from '../../../../src/core/traces/builtCode.ts';
import { type CallFrame, findFailedPath } from '../../../../src/core/traces/callFrame.ts';
import { parseCallTracer, parseTraceList } from '../../../../src/core/traces/parseCallTracer.ts';
import { parseStructLogs } from '../../../../src/core/traces/steps.ts';
import { parseStructLogTree } from '../../../../src/core/traces/structLogTree.ts';
import { slicing } from '../../../support/clocks.ts';
import { pick } from '../../../support/pick.ts';
import { addressOf, transactionOf } from '../../../support/transactions.ts';

const [from, to] = [addressOf(1), addressOf(2)];
const call = { type: 'CALL', from, to, gas: '0x10', gasUsed: '0x1', input: '0x' };
const action = { callType: 'call', from, to, gas: '0x10', value: '0x0', input: '0x' };
const listed = { type: 'call', traceAddress: [], subtraces: 0, action };

type Shape = readonly [name: string, wire: object, expected: Partial<CallFrame>];

/** What a client tells in its own way, and what is read of it. */
const CALL_TRACER: readonly Shape[] = [
  [
    'geth leaves out what is empty',
    { ...call, error: 'execution reverted' },
    { value: 0n, output: '0x', error: 'execution reverted', logs: [], calls: [] },
  ],
  ['a creation that failed has no address', { ...call, type: 'CREATE', to: undefined }, { to: undefined }],
  [
    'a delegatecall has no value, and lists are null',
    { ...call, type: 'DELEGATECALL', calls: null, logs: null },
    { type: 'DELEGATECALL', value: 0n, calls: [], logs: [] },
  ],
  ['types are in lower case', { ...call, type: 'staticcall' }, { type: 'STATICCALL' }],
  ['addresses are in capitals', { ...call, to: `0x${'AB'.repeat(20)}` }, { to: `0x${'ab'.repeat(20)}` }],
  [
    'the error of a success is empty',
    { ...call, error: '', output: null },
    { error: undefined, output: '0x' },
  ],
  [
    'revertReason is not the data',
    { ...call, error: 'execution reverted', revertReason: 'not one' },
    { output: '0x', error: 'execution reverted' },
  ],
  ['gas is a number', { ...call, gas: 16, gasUsed: 1 }, { gas: 16n, gasUsed: 1n }],
  [
    'a destruction has neither gas nor input',
    { type: 'SELFDESTRUCT', from, to, value: '0x5' },
    { type: 'SELFDESTRUCT', value: 5n, gas: undefined, input: '0x' },
  ],
  [
    'a log has no position',
    { ...call, logs: [{ address: to, topics: [], data: '0x' }] },
    { logs: [{ address: to, topics: [], data: '0x', position: undefined }] },
  ],
  [
    'the position of a log is a number',
    { ...call, logs: [{ address: to, topics: null, position: 0 }] },
    { logs: [{ address: to, topics: [], data: '0x', position: 0 }] },
  ],
];

const TRACE_LIST: readonly Shape[] = [
  [
    'anvil and reth have the data of a revert as result',
    { ...listed, error: 'Reverted', result: { gasUsed: '0x1', output: '0x0102' } },
    { error: 'execution reverted', output: '0x0102', gasUsed: 1n },
  ],
  [
    'Besu has it beside the error',
    { ...listed, error: 'Reverted', result: null, revertReason: '0x0102' },
    { error: 'execution reverted', output: '0x0102' },
  ],
  ['Nethermind and OpenEthereum have none', { ...listed, error: 'Reverted' }, { output: '0x' }],
  [
    'geth writes its own words',
    { ...listed, error: 'execution reverted', result: { output: '0x0102' } },
    { error: 'execution reverted', output: '0x0102' },
  ],
  [
    'a creation names its opcode, or not',
    { ...listed, type: 'create', action: { from, init: '0x60', value: '0x1', creationMethod: 'create2' } },
    { type: 'CREATE2', input: '0x60', to: undefined },
  ],
  [
    'a destruction is called suicide, or selfdestruct',
    { ...listed, type: 'selfdestruct', action: { address: from, refundAddress: to, balance: '0x5' } },
    { type: 'SELFDESTRUCT', from, to, value: 5n },
  ],
];

const membersOf = (frame: CallFrame | undefined, expected: Partial<CallFrame>) =>
  Object.fromEntries(Object.keys(expected).map((key) => [key, frame?.[key as keyof CallFrame]]));

describe('the calls of clients', () => {
  for (const [name, wire, expected] of CALL_TRACER)
    it(`are read from the callTracer where ${name}`, async () =>
      assert.deepEqual(membersOf((await parseCallTracer(wire, slicing))?.root, expected), expected));
  for (const [name, wire, expected] of TRACE_LIST)
    it(`are read from trace_transaction where ${name}`, async () =>
      assert.deepEqual(membersOf((await parseTraceList([wire], slicing))?.root, expected), expected));

  for (const error of [
    ...['insufficient balance for transfer', 'OutOfFunds', 'INSUFFICIENT_BALANCE', 'Out of funds'],
    ...['max call depth exceeded', 'CallTooDeep', 'NotEnoughBalance', 'CallDepthExceeded'],
  ])
    it(`fail in the caller where the call never began: ${error}`, async () => {
      const root = (
        await parseCallTracer(
          {
            ...call,
            error: 'execution reverted',
            calls: [{ ...call, error }],
          },
          slicing,
        )
      )?.root;
      assert.equal(findFailedPath(root ?? assert.fail()).length, 1);
    });
});

it('a number that equals the place of an instruction is no jump to it', async () => {
  // PUSH2 7 JUMP, PUSH1 7 POP, JUMPDEST
  const map = await createCodeMap({ digits: '610007566007505b', gaps: [], sourceMap: '0:1:0;;;;' }, slicing);
  assert.equal(map.countPushes(7), 1);
});

describe('the struct logs of clients', () => {
  const step = { pc: 0, op: 'STOP', depth: 1, gas: 9, gasCost: 1 };
  const tree = async (structLogs: readonly object[], more: object = {}) =>
    (
      await parseStructLogTree(
        { structLogs, failed: true, returnValue: '', ...more },
        transactionOf(),
        slicing,
      )
    )?.root;

  it('have returned data with and without 0x', async () => {
    for (const returnValue of ['0102', '0x0102'])
      assert.equal((await tree([{ ...step, op: 'REVERT' }], { returnValue }))?.output, '0x0102');
  });

  it('tell a failure by the last step where nothing else tells it', async () => {
    assert.equal(
      (await tree([{ ...step, op: 'REVERT' }], { failed: undefined }))?.error,
      'execution reverted',
    );
    assert.equal((await tree([step], { failed: undefined }))?.error, undefined);
    assert.equal((await tree([{ ...step, op: 'REVERT' }], { failed: false }))?.error, undefined);
  });

  it('have an error as text, as text of Rust, or as an object', async () => {
    const halt = async (error: unknown) => (await tree([{ ...step, op: 'JUMP', error }]))?.error;
    assert.equal(await halt('invalid jump destination'), 'invalid jump destination');
    assert.equal(await halt('Some(InvalidJump)'), 'InvalidJump');
    assert.equal(await halt({}), 'out of gas');
  });

  it('are undefined for another shape, and refused where steps are malformed', async () => {
    for (const other of [{}, [], null, { structLogs: [] }, { type: 'CALL' }])
      assert.equal(await parseStructLogTree(other, transactionOf(), slicing), undefined);
    const one = { op: 'STOP', depth: 1, stack: [], memory: [] };
    for (const structLogs of [
      [7],
      [{ ...one, depth: '1' }],
      [one, { ...one, depth: 2 }],
      [{ ...one, depth: 2 }, one],
      [{ ...one, op: 'CALL', stack: ['zz'] }],
      Array.from({ length: 1_030 }, (_, depth) => ({ ...one, op: 'CALL', depth })),
    ])
      await assert.rejects(parseStructLogTree({ structLogs }, transactionOf(), slicing), (error) =>
        isAppError(error, 'badResponse'),
      );
  });

  it('take no memory for an input that no gas can pay', async () => {
    const stack = ['0', '0', 'f'.repeat(60), '0', '0', addressOf(2), '0'];
    const root = await tree([
      { op: 'CALL', depth: 1, stack, memory: [] },
      { op: 'STOP', depth: 1, stack: ['0'] },
    ]);
    assert.deepEqual(pick(root?.calls, 'to', 'input', 'error'), [[addressOf(2), '0x', 'execution reverted']]);
  });

  it('call a destruction by its old name', async () => {
    const root = await tree([{ ...step, op: 'SUICIDE', stack: [addressOf(4)] }], { failed: false });
    assert.deepEqual(
      [root?.calls[0]?.type, root?.calls[0]?.to, root?.error],
      ['SELFDESTRUCT', addressOf(4), undefined],
    );
  });

  it('begin at depth 0 or 1, without stack and memory or with null', async () => {
    for (const base of [0, 1]) {
      const structLogs = [
        { ...step, op: 'CALL', depth: base, stack: null, memory: null },
        { ...step, pc: 7, depth: base + 1 },
      ];
      const steps = await parseStructLogs({ structLogs }, slicing);
      assert.ok(steps && steps !== 'none');
      assert.deepEqual(steps.calls[0]?.steps.counters, [7]);
      assert.equal((await tree(structLogs))?.calls.length, 1);
    }
  });
});
