import assert from 'node:assert/strict';
import { encodeParameters } from '../../../../src/core/abi/encode.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';
import { formatMessage, type Hex } from '../../../../src/core/index.ts';
import type { CallFrame } from '../../../../src/core/traces/callFrame.ts';
import { type ArgumentChecks, describeRefusal, findRefusal } from '../../../../src/core/traces/refusals.ts';

const set = { type: 'function', name: 'set', inputs: [{ type: 'uint256' }], stateMutability: 'nonpayable' };
const pay = { type: 'function', name: 'pay', inputs: [], stateMutability: 'payable' };
const order = {
  ...{ type: 'function', name: 'order', stateMutability: 'nonpayable' },
  inputs: [
    { type: 'tuple[2]', components: [{ type: 'address' }, { type: 'uint8' }] },
    { type: 'string' },
    { type: 'uint8[3]' },
  ],
};
const ownConstructor = { type: 'constructor', inputs: [{ type: 'uint256' }], stateMutability: 'nonpayable' };
const receive = { type: 'receive', stateMutability: 'payable' };
const fallback = (stateMutability: string) => ({ type: 'fallback', stateMutability });

const SET = '0x60fe47b1';
const PAY = '0x1b9265b8';
const ORDER = '0x2d9d33b2';
const ONE = `${'0'.repeat(63)}1`;
const CREATION = '6080604052';

/** Why a call with this input and value was refused. */
function refusalOf(
  abi: readonly unknown[],
  input: string,
  {
    value = 0n,
    runtime = '6080',
    checksArguments = true,
    checks = {},
    ...more
  }: Partial<CallFrame> & {
    readonly checks?: ArgumentChecks;
    readonly checksArguments?: boolean;
    readonly runtime?: string;
  } = {},
): string | undefined {
  const frame: CallFrame = {
    ...{ type: 'CALL', from: `0x${'aa'.repeat(20)}`, to: `0x${'bb'.repeat(20)}`, value },
    ...{ gas: 100_000n, gasUsed: 200n, input: input as Hex, output: '0x', error: 'execution reverted' },
    ...{ logs: [], calls: [] },
    ...more,
  };
  const code = (digits: string) => ({ digits, gaps: [], sourceMap: '' });
  const build = {
    ...{ rawAbi: abi, runtime: code(runtime), creation: code(CREATION) },
    contract: { name: 'Vault', abi: [] } as never,
  };
  const enumSizes = new Map([['Side', 2]]);
  const getChecks = checksArguments ? () => ({ enumSizes, ...checks }) : undefined;
  const found = findRefusal(frame, build, { getChecks });
  return found && formatMessage(describeRefusal(found));
}

describe('a call that a contract refuses', () => {
  const noFunction = (called: string) => `Vault has no function ${called}, and no fallback function`;

  for (const [name, abi, input, options, expected] of [
    ['an unknown selector', [set], '0x12345678', {}, noFunction('0x12345678')],
    [
      'a selector that a receive function does not take',
      [set, receive],
      '0x12345678',
      {},
      noFunction('0x12345678'),
    ],
    ['data that is too short for a selector', [set, receive], '0x1234', {}, noFunction('0x1234')],
    ['a selector for a fallback function', [set, fallback('nonpayable')], '0x12345678', {}, undefined],
    [
      'coins for a fallback function that takes none',
      [set, fallback('nonpayable')],
      '0x12345678',
      { value: 1n },
      'Vault.fallback is not payable',
    ],
    [
      'coins without data',
      [set, pay],
      '0x',
      { value: 1n },
      'Vault has no receive function, and no fallback function',
    ],
    ['coins for a receive function', [set, receive], '0x', { value: 1n }, undefined],
    ['coins for a payable fallback function', [fallback('payable')], '0x', { value: 1n }, undefined],
    ['coins for a function that takes none', [set], SET + ONE, { value: 5n }, 'Vault.set is not payable'],
    ['coins for a payable function', [pay], PAY, { value: 5n }, undefined],
    ['a known function', [set], SET + ONE, {}, undefined],
    ['too few arguments', [set], SET, {}, 'Vault.set was called with too few bytes for its arguments'],
    [
      'an argument that is cut',
      [set],
      SET + ONE.slice(2),
      {},
      'Vault.set was called with too few bytes for its arguments',
    ],
    ['more bytes than arguments', [set], SET + ONE + ONE, {}, undefined],
    [
      'heads of static and dynamic arguments',
      [order],
      ORDER + ONE.repeat(8),
      { checksArguments: false },
      undefined,
    ],
    [
      'heads that are cut',
      [order],
      ORDER + ONE.repeat(7),
      {},
      'Vault.order was called with too few bytes for its arguments',
    ],
    [
      'a creation without its arguments',
      [ownConstructor],
      `0x${CREATION}`,
      { type: 'CREATE', to: undefined },
      'Vault was created with too few bytes for the arguments of its constructor',
    ],
    ['a creation with arguments', [ownConstructor], `0x${CREATION}${ONE}`, { type: 'CREATE2' }, undefined],
    [
      'coins for a creation',
      [ownConstructor],
      `0x${CREATION}${ONE}`,
      { type: 'CREATE', value: 1n },
      'Vault has no payable constructor',
    ],
    [
      'coins for a creation without a constructor',
      [],
      `0x${CREATION}`,
      { type: 'CREATE', value: 1n },
      'Vault has no payable constructor',
    ],
    ['revert data', [set], '0x12345678', { output: '0x08c379a0' }, undefined],
    ['a call that made another', [set], '0x12345678', { calls: [{} as CallFrame] }, undefined],
    ['a call that ran out of gas', [set], '0x12345678', { error: 'out of gas' }, undefined],
    ['a call that succeeded', [set], '0x12345678', { error: undefined }, undefined],
    [
      'a library, whose selectors are not all in its ABI',
      [set],
      '0x12345678',
      { type: 'DELEGATECALL', runtime: `73${'00'.repeat(20)}30146080` },
      undefined,
    ],
    [
      'an ABI that is broken',
      [null, 'set', { type: 'function' }, 5],
      '0x12345678',
      {},
      noFunction('0x12345678'),
    ],
  ] as const) {
    it(`${expected === undefined ? 'is not' : 'is'}: ${name}`, () => {
      assert.equal(refusalOf(abi, input, options), expected);
    });
  }

  describe('for an argument out of its range', () => {
    const word = (digits: string) => digits.padStart(64, '0');
    for (const [type, fine, dirty, more] of [
      ['address', ['f'.repeat(40)], [`1${'0'.repeat(40)}`, 'f'.repeat(64)]],
      ['bool', ['0', '1'], ['2', 'f'.repeat(64)]],
      ['uint8', ['ff'], ['100']],
      ['uint256', ['f'.repeat(64)], []],
      ['int8', ['7f', `${'f'.repeat(62)}80`], ['80', 'ff']],
      ['bytes4', [`12345678${'0'.repeat(56)}`], ['1', `1234567801${'0'.repeat(54)}`]],
      ['uint8', ['1'], ['2'], { internalType: 'enum Kinds.Side', shown: 'Side' }],
      [
        'string',
        [`20${word('0')}`, `20${word('2')}1234`],
        ['40', `20${word('21')}${'0'.repeat(64)}`, 'f'.repeat(64)],
      ],
      ['uint8[]', [`20${word('1')}${word('7')}`], [`20${word('2')}${word('7')}`]],
      ['bytes[]', [`20${word('1')}${word('7')}`], [`20${word('f'.repeat(16))}${word('7')}`]],
    ] as const) {
      const { internalType, shown = type } = { internalType: undefined, ...more } as {
        internalType?: string;
        shown?: string;
      };
      it(`is: ${shown}`, () => {
        const item = parseAbiItem(`function f(uint256 a, ${type} b)`);
        assert.ok(item?.kind === 'function');
        const entry = { type: 'function', name: 'f', inputs: [{ type: 'uint256' }, { type, internalType }] };
        const abi = [{ ...entry, stateMutability: 'nonpayable' }];
        // The offset counts from the first argument.
        const shift = (digits: string) =>
          /^20/.test(digits) && digits.length > 64 ? `40${digits.slice(2)}` : digits;
        const call = (digits: string) => {
          const [head, tail] =
            digits.length > 64 && /^[24]0/.test(digits)
              ? [digits.slice(0, 2), digits.slice(2)]
              : [digits, ''];
          return `${item.selector}${ONE}${word(head)}${tail}`;
        };
        for (const digits of fine) assert.equal(refusalOf(abi, call(shift(digits))), undefined, digits);
        const expected = `argument 2 of Vault.f is not a valid ${shown}`;
        for (const digits of dirty) {
          assert.equal(refusalOf(abi, call(shift(digits))), expected, digits);
          assert.equal(refusalOf(abi, call(shift(digits)), { checksArguments: false }), undefined);
        }
      });
    }
  });

  describe('for a member of an argument out of its range', () => {
    const member = { type: 'tuple[]', internalType: 'struct Vault.Order[]' };
    const components = [
      { type: 'address' },
      { type: 'uint8[]', internalType: 'enum Kinds.Side[]' },
      { type: 'bool[2]' },
      { type: 'string' },
    ];
    const f = { type: 'function', name: 'f', stateMutability: 'nonpayable' };
    const abi = [{ ...f, inputs: [{ ...member, components }] }];
    const item = parseAbiItem('function f((address,uint8[],bool[2],string)[] orders)');
    assert.ok(item?.kind === 'function');
    const owner = `0x${'ab'.repeat(20)}` as const;
    const data = `${item.selector}${encodeParameters(item.inputs, [[[owner, [0n, 1n], [true, false], 'text']]]).slice(2)}`;
    const WORDS = (data.length - 10) / 64;
    const checks = { checksMembers: true };
    const change = (index: number, word: string) =>
      data.slice(0, 10 + 64 * index) + word.padStart(64, '0') + data.slice(74 + 64 * index);

    it('is where the compiler checks members', () => {
      assert.equal(refusalOf(abi, data, { checks }), undefined);
      const expected = 'argument 1 of Vault.f is not a valid (address,uint8[],bool[2],string)[]';
      const found: number[] = [];
      for (let index = 0; index < WORDS; index++) {
        const dirty = change(index, 'f'.repeat(64));
        if (refusalOf(abi, dirty, { checks }) === expected) found.push(index);
      }
      // All but the bytes of the text.
      assert.deepEqual(found, [...Array(WORDS - 1).keys()]);
      assert.equal(refusalOf(abi, change(10, '2'), { checks }), expected);
    });

    it('is not where it reads them later, nor offsets where it does not check them', () => {
      assert.equal(refusalOf(abi, change(3, 'f'.repeat(64))), undefined);
      const ofVyper = { checksMembers: true, checksOffsets: false };
      assert.equal(refusalOf(abi, change(0, 'f'.repeat(64)), { checks: ofVyper }), undefined);
      assert.notEqual(refusalOf(abi, change(3, 'f'.repeat(64)), { checks: ofVyper }), undefined);
    });
  });

  it('counts the bytes that an encoder writes at least', () => {
    const item = parseAbiItem('function order((address,uint8)[2] a, string b, uint8[3] c)');
    assert.ok(item?.kind === 'function');
    const zero = `0x${'00'.repeat(20)}`;
    const data = encodeParameters(item.inputs, [
      [
        [zero, 0n],
        [zero, 0n],
      ],
      '',
      [0n, 0n, 0n],
    ]);
    assert.equal(item.selector, ORDER);
    assert.equal(refusalOf([order], ORDER + data.slice(2)), undefined);
  });
});
