import assert from 'node:assert/strict';
import { isAppError } from '../../../../src/core/index.ts';
import { type CallFrame, findFailedPath, iterateFrames } from '../../../../src/core/traces/callFrame.ts';
import { parseCallTracer, parseTraceList } from '../../../../src/core/traces/parseCallTracer.ts';
import { type FrameSteps, parseStepTracer, parseStructLogs } from '../../../../src/core/traces/steps.ts';
import { slicing } from '../../../support/clocks.ts';
import { addressOf } from '../../../support/transactions.ts';

type Wire = Readonly<Record<string, unknown>>;

const call = (to: number, more: Wire = {}) => ({
  ...{ type: 'CALL', from: addressOf(1), to: addressOf(to), gas: '0x10', gasUsed: '0x1', input: '0x' },
  ...more,
});
const failed = (to: number, output: string, calls: readonly Wire[] = []) =>
  call(to, { error: 'execution reverted', ...(output === '0x' ? {} : { output }), calls });
const listed = (traceAddress: readonly unknown[], more: Wire = {}) => ({
  ...{ type: 'call', traceAddress, result: { gasUsed: '0x1', output: '0x12' } },
  action: { callType: 'call', from: addressOf(1), to: addressOf(2), value: '0x0', input: '0x' },
  ...more,
});
const parsed = async (wire: unknown) =>
  (await parseCallTracer(wire, slicing))?.root ?? assert.fail('It has another shape.');
const membersOf = (frame: CallFrame | undefined, expected: object) =>
  Object.fromEntries(Object.keys(expected).map((key) => [key, frame?.[key as keyof CallFrame]]));
const badResponse = (error: unknown) => isAppError(error, 'badResponse');

describe('traces of servers', () => {
  it('is undefined for what another tracer responds', async () => {
    for (const other of [
      {},
      { structLogs: [] },
      { type: 'CALL', structLogs: [] },
      [],
      null,
      'text',
      7,
      undefined,
    ])
      assert.equal(await parseCallTracer(other, slicing), undefined);
    for (const other of [{}, [], null, { result: [] }])
      assert.equal(await parseTraceList(other, slicing), undefined);
    for (const other of [{}, [], null, { type: 'CALL' }])
      assert.equal(await parseStructLogs(other, slicing), undefined);
    for (const other of [{}, [], null, { structLogs: [] }])
      assert.equal(await parseStepTracer(other, slicing), undefined);
  });

  it('refuses a malformed outermost call', async () => {
    for (const wire of [
      call(2, { from: 'me' }),
      call(2, { type: 'JUMP' }),
      call(2, { input: 'hello' }),
      call(2, { output: '0x1' }),
    ])
      await assert.rejects(parseCallTracer(wire, slicing), badResponse);
  });

  it('takes from the transaction what the outermost call lacks', async () => {
    const traced = { from: addressOf(7), to: addressOf(8), input: '0x1234', value: 5n } as const;
    const { root } =
      (await parseCallTracer({ type: 'CALL', from: addressOf(1) }, slicing, traced)) ?? assert.fail();
    assert.deepEqual(
      [root.from, root.to, root.input, root.value],
      [addressOf(1), addressOf(8), '0x1234', 5n],
    );
    const list =
      (await parseTraceList([{ type: 'call', traceAddress: [], action: {} }], slicing, traced)) ??
      assert.fail();
    assert.deepEqual([list.root.from, list.root.to, list.root.input], [addressOf(7), addressOf(8), '0x1234']);
    await assert.rejects(parseCallTracer({ type: 'CALL' }, slicing), badResponse);
  });

  it('tells what is known of malformed calls and logs, and that some are', async () => {
    const log = { address: addressOf(2), topics: [], data: '0x' };
    const unknown = { type: 'UNKNOWN', from: addressOf(2), to: undefined, input: '0x', value: undefined };
    for (const [wire, expected] of [
      [{}, unknown],
      ['CALL', unknown],
      [null, unknown],
      [
        { type: 'AuthCall', to: addressOf(3), input: '0x12' },
        { typeName: 'AUTHCALL', to: addressOf(3), input: '0x12' },
      ],
      [{ type: 'ignore all\nrules' }, { ...unknown, typeName: undefined }],
      [call(3, { from: 'me' }), { type: 'CALL', from: addressOf(2), to: addressOf(3), gas: 16n }],
      [call(3, { to: undefined }), { type: 'CALL', to: undefined, value: 0n }],
      [call(3, { gas: 'much', gasUsed: {}, input: 7 }), { gas: undefined, gasUsed: undefined, input: '0x' }],
      [call(3, { output: '0x1', value: '-1' }), { output: '0x', value: undefined }],
      [
        call(3, { logs: [7, log, { ...log, topics: ['0x12'] }] }),
        { logs: [{ ...log, position: undefined }] },
      ],
      [call(3, { logs: [{ ...log, topics: Array(5).fill(`0x${'0'.repeat(64)}`) }] }), { logs: [] }],
    ] as const) {
      const told =
        (await parseCallTracer(call(2, { calls: [call(4), wire, call(5)] }), slicing)) ?? assert.fail();
      assert.deepEqual([told.root.calls.map(({ to }) => to)[2], told.isMalformed], [addressOf(5), true]);
      assert.deepEqual(membersOf(told.root.calls[1], expected), { ...expected });
    }
    assert.equal((await parseCallTracer(call(2, { logs: [7] }), slicing))?.isMalformed, true);
    assert.equal(
      (await parseCallTracer(call(2, { calls: null, logs: null }), slicing))?.isMalformed,
      undefined,
    );
  });

  it('knows a destruction by its type alone, by its old name, and as a call that pays back', async () => {
    const told = await parseCallTracer(
      call(2, { calls: [{ type: 'SELFDESTRUCT' }, { type: 'suicide' }] }),
      slicing,
    );
    assert.equal(told?.isMalformed, undefined);
    for (const frame of told?.root.calls ?? assert.fail())
      assert.deepEqual(
        [frame.type, frame.from, frame.to, frame.value],
        ['SELFDESTRUCT', addressOf(2), undefined, undefined],
      );
    const action = { address: addressOf(2), refundAddress: addressOf(4), balance: '0x5' };
    const list = await parseTraceList(
      [listed([]), listed([0], { action }), listed([1], { action: null })],
      slicing,
    );
    assert.deepEqual(
      list?.root.calls.map(({ type, from, to, value }) => [type, from, to, value]),
      [
        ['SELFDESTRUCT', addressOf(2), addressOf(4), 5n],
        ['CALL', addressOf(2), undefined, 0n],
      ],
    );
    assert.equal(list?.isMalformed, true);
  });

  it('names the caller of a call without one: of a delegatecall it is the contract that has the storage', async () => {
    const delegated = call(3, {
      type: 'DELEGATECALL',
      from: addressOf(2),
      calls: [{ type: 'CALL', to: addressOf(4) }],
    });
    assert.equal((await parsed(call(2, { calls: [delegated] }))).calls[0]?.calls[0]?.from, addressOf(2));
  });

  it('refuses a tree that no EVM makes, however deep it is', async () => {
    let wire: Wire = call(2);
    for (let depth = 0; depth < 20_000; depth++) wire = call(2, { calls: [wire] });
    await assert.rejects(parseCallTracer(wire, slicing), badResponse);
    let deepest: Wire = call(2);
    for (let depth = 0; depth < 1_024; depth++) deepest = failed(2, '0x12', [deepest]);
    const root = await parsed({ ...deepest });
    assert.equal([...iterateFrames(root)].at(-1)?.depth, 1_024);
    assert.equal(findFailedPath(root).length, 1_024);
  });

  it('cuts the error of a call before anything reads it, and keeps all logs of one', async () => {
    const log = { address: addressOf(2), topics: [], data: '0x' };
    const wire = call(2, { error: 'x'.repeat(100_000), logs: Array(100_001).fill(log) });
    const { error, logs } = await parsed(wire);
    assert.deepEqual([error, logs.length], ['x'.repeat(2_048), 100_001]);
  });

  it('keeps 100,000 calls and says that there are more', async () => {
    const many = await parseCallTracer(
      call(2, { calls: Array.from({ length: 100_001 }, () => call(3)) }),
      slicing,
    );
    assert.deepEqual([many?.root.calls.length, many?.isCut], [99_999, true]);
    const list = await parseTraceList(
      [listed([]), ...Array.from({ length: 100_001 }, (_, place) => listed([place]))],
      slicing,
    );
    assert.deepEqual([list?.root.calls.length, list?.isCut], [99_999, true]);
  });

  it('makes a tree of the list of trace_transaction', async () => {
    const root = (
      await parseTraceList(
        [
          listed([], { error: 'Reverted' }),
          listed([0], { type: 'create', action: { from: addressOf(1), init: '0x60', value: '0x1' } }),
          listed([0, 0], { type: 'suicide', action: { address: addressOf(3), refundAddress: addressOf(4) } }),
          listed([1], {
            action: { callType: 'delegatecall', from: addressOf(1), to: addressOf(5), input: '0x' },
          }),
        ],
        slicing,
      )
    )?.root;
    assert.deepEqual([root?.type, root?.error, root?.output], ['CALL', 'execution reverted', '0x12']);
    assert.deepEqual(
      root?.calls.map(({ type, to, input, calls }) => [type, to, input, calls.length]),
      [
        ['CREATE', undefined, '0x60', 1],
        ['DELEGATECALL', addressOf(5), '0x', 0],
      ],
    );
    assert.deepEqual(
      [root?.calls[0]?.calls[0]?.type, root?.calls[0]?.calls[0]?.to],
      ['SELFDESTRUCT', addressOf(4)],
    );
  });

  it('refuses places that form no tree', async () => {
    for (const places of [
      [[0]],
      [[], []],
      [[], [1]],
      [[], [0], [0]],
      [[], [0, 0], [0]],
      [[], [0], [0, 0, 0]],
      [[], ['0']],
      [[], ['__proto__']],
      [[], [-1]],
      [[], [0.5]],
      [[], Array(2_000).fill(0)],
    ])
      await assert.rejects(
        parseTraceList(
          places.map((place) => listed(place)),
          slicing,
        ),
        badResponse,
      );
    await assert.rejects(parseTraceList([{ action: {} }], slicing), badResponse);
  });
});

describe('the call that made a transaction fail', () => {
  const path = async (wire: Wire) => findFailedPath(await parsed(wire)).map(({ frame }) => frame.to);

  it('is the innermost whose data came back unchanged', async () => {
    const inner = failed(4, '0x0102');
    assert.deepEqual(
      await path(failed(2, '0x0102', [call(3), failed(3, '0x0102', [inner])])),
      [2, 3, 4].map(addressOf),
    );
    assert.deepEqual(await path(call(2, { calls: [inner] })), []);
  });

  it('is not one that was caught, however deep it is', async () => {
    const caught = failed(3, '0x0304', [failed(4, '0x0304')]);
    assert.deepEqual(await path(failed(2, '0x0102', [caught])), [addressOf(2)]);
    assert.deepEqual(await path(failed(2, '0x0304', [caught, call(5)])), [addressOf(2)]);
  });

  it('is one that ran out of gas, if the caller did too', async () => {
    const out = { error: 'out of gas' };
    assert.deepEqual(await path(call(2, { ...out, calls: [call(3, out)] })), [2, 3].map(addressOf));
  });

  it('is only likely where both returned nothing', async () => {
    const [, inner] = findFailedPath(await parsed(failed(2, '0x', [failed(3, '0x')])));
    assert.equal(inner?.isLikely, true);
  });
});

describe('steps of servers', () => {
  const shape = ({ counters, calls }: FrameSteps): unknown => [
    counters,
    calls.map(({ at, steps }) => [at, shape(steps)]),
  ];
  const step = (depth: number, pc: number, op = 'PUSH1') => ({ depth, pc, op });

  it('are sorted into the calls of struct logs, also those of accounts without code', async () => {
    const structLogs = [
      ...[step(1, 0), step(1, 2, 'CALL'), step(2, 0), step(2, 1, 'STATICCALL'), step(2, 2, 'RETURN')],
      ...[step(1, 3, 'CREATE'), step(2, 0, 'REVERT'), step(1, 4, 'REVERT')],
    ];
    const steps = await parseStructLogs({ structLogs }, slicing);
    assert.ok(steps && steps !== 'none');
    assert.deepEqual(shape(steps), [
      [0, 2, 3, 4],
      [
        [1, [[0, 1, 2], [[1, [[], []]]]]],
        [2, [[0], []]],
      ],
    ]);
    const fromZero = await parseStructLogs(
      {
        structLogs: structLogs.map((each) => ({ ...each, depth: each.depth - 1 })),
      },
      slicing,
    );
    assert.deepEqual(fromZero, steps);
  });

  it('are those of the tracer in JavaScript', async () => {
    const steps = await parseStepTracer(
      [
        [0, 0, 0, [0, 2]],
        [1, 0, 1, []],
        [2, 0, 0, []],
        [1, 4, 1, [9]],
      ],
      slicing,
    );
    assert.ok(steps);
    assert.deepEqual(shape(steps), [
      [0, 2],
      [
        [1, [[], [[0, [[], []]]]]],
        [1, [[9], []]],
      ],
    ]);
    assert.equal(steps.calls[1]?.steps.isCut, true);
  });

  it('are refused where depths or counters make no sense', async () => {
    for (const structLogs of [
      [step(1, 0), step(2, 0)],
      [step(1, 0, 'CALL'), step(3, 0)],
      [step(2, 0), step(1, 0)],
      [step(1, -1)],
      [step(1, 0.5)],
      [{ depth: 1 }],
      [null],
      Array.from({ length: 1_030 }, (_, depth) => step(depth, 0, 'CALL')),
    ])
      await assert.rejects(parseStructLogs({ structLogs }, slicing), badResponse);
    for (const frames of [
      [[1, 0, 0, []]],
      [
        [0, 0, 0, []],
        [2, 0, 0, []],
      ],
      [
        [0, 0, 0, []],
        [0, 0, 0, []],
      ],
      [[0, 0, 0, ['1']]],
      [[0, 0, 0]],
      [7],
      Array.from({ length: 1_030 }, (_, depth) => [depth, 0, 0, []]),
    ])
      await assert.rejects(parseStepTracer(frames, slicing), badResponse);
  });
});
