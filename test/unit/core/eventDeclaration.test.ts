import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AbiEvent, from, getSelector } from 'ox/AbiEvent';
import { getSignature } from 'ox/AbiItem';
import { type AppError, parseEventSignature } from '../../../src/core/index.ts';

const elementary = fc.oneof(
  fc.constantFrom('address', 'address payable', 'bool', 'string', 'bytes', 'uint', 'int', 'function'),
  fc.integer({ min: 1, max: 32 }).map((size) => `bytes${size}`),
  fc.tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 })).map(([kind, n]) => kind + 8 * n),
);
const dimensions = fc
  .array(fc.option(fc.nat(99), { nil: undefined }), { maxLength: 3 })
  .map((sizes) => sizes.map((size) => `[${size ?? ''}]`).join(''));
const name = fc.stringMatching(/^[a-z_$][A-Z0-9_$]{0,12}$/);

const { parameters } = fc.letrec<{ type: string; components: string; parameters: string }>((tie) => ({
  type: fc
    .tuple(fc.oneof({ depthSize: 'small' }, elementary, tie('components')), dimensions)
    .map((parts) => parts.join('')),
  components: fc.array(fc.tuple(tie('type'), name), { minLength: 1, maxLength: 4 }).map(listed),
  parameters: fc
    .array(fc.tuple(tie('type'), fc.constantFrom('', 'indexed '), fc.option(name, { nil: '' })), {
      maxLength: 6,
    })
    .map((each) => {
      const isFourth = (index: number) =>
        each.slice(0, index).filter(([, indexed]) => indexed !== '').length >= 3;
      return listed(
        each.map(([type, indexed, called], index) => [type, (isFourth(index) ? '' : indexed) + called]),
      );
    }),
}));

function listed(each: readonly (readonly [string, string])[]): string {
  return `(${each.map(([type, called]) => `${type} ${called}`.trim()).join(', ')})`;
}

describe('declaration of an event', () => {
  it('has the signature and topic0 that ox gives it, whatever its types are', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][A-Za-z0-9_$]{0,20}$/), parameters, (event, written) => {
        const expected = from(['event ', event, written.replace(/, /g, ',')].join('')) as AbiEvent;
        assert.deepEqual(parseEventSignature(`event ${event}\n ${written} ;`), {
          signature: getSignature(expected),
          topic0: getSelector(expected),
        });
      }),
    );
  });

  const refusal = (text: string) => {
    try {
      return parseEventSignature(text).signature;
    } catch (error) {
      return (error as AppError).message;
    }
  };
  const malformed = 'Not an event signature. Enter it like Transfer(address,address,uint256).';

  it('is refused where it is none', () => {
    for (const text of [
      ...[
        'A',
        'A(',
        'A()(',
        'A())',
        'A(uint',
        'A(,)',
        'A(uint,)',
        'A(,uint)',
        'A(uint,,uint)',
        '(uint)',
        '1A()',
      ],
      ...[
        'A(())',
        'A(uint[)',
        'A(uint[x])',
        'A(uint[1 2])',
        'A(uint])',
        'A((uint indexed a) b)',
        'A(uint a b)',
      ],
      ...[
        'A() B()',

        'function a()',
        '',
        'A();;',
        'A() virtual',
        'A("")',
        'Ä()',
        'A(uint ä)',
        `A${'a'.repeat(256)}()`,
      ],
    ]) {
      assert.equal(refusal(text), malformed, text);
    }
    assert.match(refusal('event A() anonymous;'), /^An anonymous event has no topic0\./);
    const four = `A(${Array(4).fill('uint256 indexed').join(',')})`;
    assert.match(refusal(four), /at most three indexed/);
  });

  it('is refused with its own words where a type is none of the ABI', () => {
    for (const [text, shown] of [
      ['event A(IERC20  indexed token,uint [ ] b);', 'A(IERC20 indexed token, uint[] b)'],
      ['A(uint7)', 'A(uint7)'],
      ['A(bytes33 b)', 'A(bytes33 b)'],
      ['A(uint256 uint256)', 'A(uint256 uint256)'],
      ['A(uint256 memory)', 'A(uint256 memory)'],
      [`A(${'x'.repeat(200)})`, `A(${'x'.repeat(78)}…`],
    ] as const) {
      assert.ok(refusal(text).startsWith(`${shown} has an unknown type.`), refusal(text));
    }
  });

  it('is read in bounds: its length, and how deep tuples lie in tuples', () => {
    const tuples = (depth: number) => `A(${'('.repeat(depth)}uint8${')'.repeat(depth)})`;
    assert.equal(refusal(tuples(16)), tuples(16));
    assert.equal(refusal(tuples(17)), malformed);
    const long = `A(${Array(682).fill('uint8').join(',')})`;
    assert.equal(long.length, 4094);
    assert.equal(refusal(long), long);
    assert.equal(refusal(`${long}    `), malformed);
    for (const text of ['A'.repeat(1e6), '('.repeat(1e6), `A(${' '.repeat(1e6)})`]) {
      assert.equal(refusal(text), malformed);
    }
  });
});
