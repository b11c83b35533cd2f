import assert from 'node:assert/strict';
import { createMessage } from '../../../../src/core/base/text.ts';
import {
  createLogDecoder,
  createTimeSlices,
  type Hex,
  systemClock,
  type TransactionTrace,
  transferEvents,
} from '../../../../src/core/index.ts';
import type { CallFrame } from '../../../../src/core/traces/callFrame.ts';
import { explainTrace } from '../../../../src/core/traces/explainTrace.ts';
import { createFailedAtLines, createTraceLines } from '../../../../src/features/decode/formatTrace.ts';
import { createWording, encodeItem, frameOf, lookupOf } from '../../../support/decodingStubs.ts';
import { addressOf } from '../../../support/transactions.ts';

type KnownTrace = Extract<TransactionTrace, { readonly state: 'told' }>;

const [treasury, shop, token] = [addressOf(1), addressOf(2), addressOf(3)];
const PAY = 'function pay(uint256 price) returns (bool)';
const PULL = 'function pull(address by)';
const ERROR = 'error Unpaid(address by, uint256 missing)';
const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const lookup = lookupOf(PAY, PULL, ERROR, TRANSFER);
const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

const transfer = (position: number | undefined) => ({
  address: token,
  topics: [transferEvents.transfer.topic0, topic(treasury), topic(shop)],
  data: word(1250),
  position,
});

async function textOf(root: CallFrame, more: Partial<KnownTrace> = {}): Promise<readonly string[]> {
  const explained = await explainTrace(root, {
    ...{ lookup, decoder: createLogDecoder({ lookup, chainId: 5 }), chainId: 5 },
    contracts: new Map([[shop, 'Shop']]),
    receivers: new Map([[shop, 'receive()']]),
    transaction: { block: 5n, position: 0, logs: [] },
    slices: createTimeSlices(systemClock),
  });
  const trace = {
    state: 'told',
    root: explained,
    cutReason: undefined,
    hasLogs: true,
    method: 'debug_traceTransaction',
    failedAt: undefined,
    ...more,
  } as const;
  return createTraceLines(trace, context).map(({ level, text }) => `${'  '.repeat(level)}${text}`);
}

const context = {
  format: createWording(treasury),
  coin: { symbol: 'HBR', decimals: 18 },
  uriOf: (file: string) => (file.startsWith('src/') ? `file:///${file}` : undefined),
};

describe('calls of a transaction as lines', () => {
  it('are a tree with names, values, gas and results, and the logs between them', async () => {
    const root = frameOf({
      ...{ input: encodeItem(PAY, 5n), output: word(1), value: 15n * 10n ** 17n },
      logs: [transfer(0), transfer(2)],
      calls: [
        frameOf({ type: 'STATICCALL', from: shop, to: token, input: '0x12345678', gasUsed: undefined }),
        frameOf({
          type: 'DELEGATECALL',
          from: shop,
          to: token,
          input: encodeItem(PULL, treasury),
          value: 5n,
        }),
        frameOf({ type: 'CREATE2', from: shop, to: addressOf(9), input: '0x6001', output: '0x60' }),
      ],
    });
    assert.deepEqual(await textOf(root), [
      'Calls',
      '  CALL Shop.pay(price: 5) → true · 1.5 HBR · 21,000 gas',
      '    log Transfer(from: Treasury, to: 0xcdcd…0002, value: 1,250)',
      '    STATICCALL 0xcDCd…0003.0x12345678',
      '    DELEGATECALL 0xcDCd…0003.pull(by: Treasury) · 21,000 gas · storage of 0xcdcd…0002',
      '    log Transfer(from: Treasury, to: 0xcdcd…0002, value: 1,250)',
      '    CREATE2 0xcdcD…0009 · 21,000 gas',
    ]);
  });

  it('say why a call failed, in the words of its code or of the server', async () => {
    const data = encodeItem(ERROR, treasury, 7n);
    const root = frameOf({
      ...{ error: 'execution reverted', output: data, input: encodeItem(PAY, 5n) },
      calls: [
        frameOf({ to: token, error: 'out of gas\u202e', input: '0x12345678' }),
        frameOf({ logs: [transfer(0)] }),
      ],
    });
    const lines = await textOf(root);
    assert.equal(lines[1], '  CALL Shop.pay(price: 5) · 21,000 gas · Unpaid(by: Treasury, missing: 7)');
    assert.match(lines[2] ?? '', /· out of gas \(out of gas<U\+202E>\)$/);
    assert.equal(lines[4], '      log Transfer(from: Treasury, to: 0xcdcd…0002, value: 1,250), undone');
  });

  it('name the function without a selector, and show what is known of a malformed call, with the reasons', async () => {
    const root = frameOf({
      input: '0x12345678',
      calls: [
        frameOf({ input: '0x', value: 10n ** 18n }),
        frameOf({ type: 'SELFDESTRUCT', to: undefined, value: undefined, gasUsed: undefined }),
        frameOf({ type: 'UNKNOWN', typeName: 'AUTHCALL', to: undefined, gasUsed: undefined }),
      ],
    });
    const reasons = [
      createMessage('Some calls or logs of the trace are malformed: only what is known of them is shown.'),
    ];
    assert.deepEqual((await textOf(root, { reasons })).slice(2), [
      '    CALL Shop.receive() · 1 HBR · 21,000 gas',
      '    SELFDESTRUCT (unknown address)',
      '    AUTHCALL (unknown address)',
      '  Some calls or logs of the trace are malformed: only what is known of them is shown.',
    ]);
  });

  it('are bounded, and say what is missing', async () => {
    const many = frameOf({ calls: Array.from({ length: 3_000 }, () => frameOf({})) });
    const lines = await textOf(many, { hasLogs: false });
    assert.ok(lines.length <= 2_002);
    assert.deepEqual(lines.slice(-2), [
      '  The endpoint does not report which call emitted which log.',
      '  Some calls are not shown.',
    ]);
    let deep = frameOf({});
    for (let depth = 0; depth < 500; depth++) deep = frameOf({ calls: [deep] });
    assert.ok((await textOf(deep)).every((line) => line.length < 200));
    const refused = createTraceLines(
      { state: 'notOffered', reason: createMessage('The plan does not include it.') },
      context,
    );
    assert.deepEqual(
      refused.map(({ text }) => text),
      ['Calls', 'The plan does not include it.'],
    );
  });

  it('end at the line that failed, with the functions above it as links; or at lines that may be it', () => {
    const stack = [
      { file: 'src/Shop.sol', line: 7, function: 'Shop.pay' },
      { file: 'lib/Math.sol', line: 3, function: 'Math.sub' },
    ];
    const certain = createFailedAtLines(
      { failedAt: { certain: true, file: 'src/Shop.sol', line: 7, stack } },
      context,
    );
    assert.deepEqual(
      certain.map(({ level, text, place }) => [level, text, place]),
      [
        [1, 'It failed at', undefined],
        [2, 'src/Shop.sol:7 · Shop.pay', { file: 'file:///src/Shop.sol', line: 6 }],
        [2, 'lib/Math.sol:3 · Math.sub', undefined],
      ],
    );
    const candidates = Array.from({ length: 50 }, (_, line) => ({ file: 'src/Shop.sol', line: line + 1 }));
    const uncertain = createFailedAtLines({ failedAt: { certain: false, candidates } }, context);
    assert.deepEqual([uncertain[0]?.text, uncertain.length], ['It may have failed at', 21]);
    assert.deepEqual(createFailedAtLines({ failedAt: { certain: false, candidates: [] } }, context), []);
    const unknownCode = [
      { address: shop, contract: 'Inner' },
      { address: token, contract: undefined },
      { address: undefined, contract: undefined },
    ];
    const noted = createFailedAtLines({ failedAt: { certain: false, candidates: [], unknownCode } }, context);
    assert.deepEqual(
      noted.map(({ text }) => text),
      [
        'The code of Inner differs from your build, so its lines are unknown.',
        'The code of 0xcDCd…0003 is not of your build, so its lines are unknown.',
        'The code that was to be created is not of your build, so its lines are unknown.',
      ],
    );
    assert.deepEqual(createFailedAtLines({ failedAt: undefined }, context), []);
  });
});
