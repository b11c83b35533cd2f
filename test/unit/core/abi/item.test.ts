import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromAbi, getSelector, getSignature, type AbiItem as OxItem } from 'ox/AbiItem';
import { formatAbiItem, parseAbiItem } from '../../../../src/core/abi/item.ts';
import { parseAbi } from '../../../../src/core/abi/parseAbi.ts';
import { arbitraryItem } from '../../../support/abi/arbitraryAbi.ts';
import { toAbiJson } from '../../../support/abi/viemAbi.ts';

const textOf = (text: string) => {
  const item = parseAbiItem(text);
  return item && formatAbiItem(item);
};

describe('ABI item as text', () => {
  it('is read again as the same item', () => {
    fc.assert(
      fc.property(arbitraryItem, (item) => {
        assert.deepEqual(parseAbiItem(formatAbiItem(item)), item);
      }),
    );
  });

  it('is what readAbi makes of the JSON of the same item', () => {
    fc.assert(
      fc.property(arbitraryItem, (item) => {
        assert.deepEqual(parseAbi([toAbiJson(item)]), { items: [formatAbiItem(item)], skipped: 0 });
      }),
    );
  });

  it('has the signature and hash that ox gives its JSON', () => {
    fc.assert(
      fc.property(arbitraryItem, (item) => {
        const json = toAbiJson(item) as unknown as OxItem;
        assert.equal(item.signature, getSignature(json));
        if (item.kind !== 'event') assert.equal(item.selector, getSelector(json));
        else assert.equal(item.topic0.slice(0, 10), getSelector(fromAbi([json], item.name)).slice(0, 10));
      }),
    );
  });

  it('says the types in their canonical form, and the members of tuples with their names', () => {
    for (const [written, text] of [
      [
        'event  Paid ( address payable indexed by,uint[ 4 ][] a ) ;',
        'event Paid(address indexed by, uint256[4][] a)',
      ],
      [
        'event Put((address token, uint amount)[] order, bytes32) anonymous',
        'event Put((address token, uint256 amount)[] order, bytes32) anonymous',
      ],
      ['error Unpaid(string memory why, int)', 'error Unpaid(string why, int256)'],
      [
        'function get(uint[] calldata ids) external view virtual returns (uint, (bool ok) memory state);',
        'function get(uint256[] ids) view returns (uint256, (bool ok) state)',
      ],
      ['function sum(uint a) public pure returns (uint)', 'function sum(uint256 a) view returns (uint256)'],
      ['function old() constant returns (uint)', 'function old() view returns (uint256)'],
      ['function pay() external payable', 'function pay()'],
      ['function stop()', 'function stop()'],
    ] as const) {
      assert.equal(textOf(written), text);
    }
  });

  it('is none for anything else', () => {
    for (const text of [
      '',
      'Paid(uint256)',
      'event Paid',
      'event (uint256)',
      'event Paid(IERC20 token)',
      'event Paid(uint256',
      'event Paid(uint256) anonymous x',
      'event Paid(uint256 memory a)',
      'event Paid(())',
      'error Unpaid(uint256 indexed a)',
      'error Unpaid() anonymous',
      'function get() returns',
      'function get() returns (uint256',
      'constructor()',
      `event A(${Array(4).fill('uint256 indexed').join(',')})`,
      `event A(${Array(5).fill('uint256 indexed').join(',')}) anonymous`,
      `event A(${'uint8,'.repeat(3000)}uint8)`,
      `event A(uint8${'[]'.repeat(17)})`,
      `event A(uint8[${'9'.repeat(20)}])`,
      `event A(${'('.repeat(17)}uint8${')'.repeat(17)})`,
    ]) {
      assert.equal(parseAbiItem(text), undefined, text.slice(0, 60));
    }
    assert.ok(parseAbiItem(`event A(${'('.repeat(16)}uint8${'[]'.repeat(16)}${')'.repeat(16)})`));
  });
});

describe('ABI', () => {
  const event = { type: 'event', name: 'Paid', inputs: [{ name: 'by', type: 'address', indexed: true }] };

  it('gives events, errors and functions; a constructor and the like are none, the rest is skipped', () => {
    assert.deepEqual(
      parseAbi([
        { type: 'constructor', inputs: [] },
        { type: 'receive', stateMutability: 'payable' },
        { type: 'fallback' },
        event,
        { name: 'old', inputs: [], outputs: [{ type: 'uint' }], constant: true },
        'error Unpaid(uint due)',
        { type: 'struct', name: 'A', inputs: [] },
        'Unpaid',
        7,
        null,
      ]),
      {
        items: [
          'event Paid(address indexed by)',
          'function old() view returns (uint256)',
          'error Unpaid(uint256 due)',
        ],
        skipped: 4,
      },
    );
    for (const json of [undefined, null, 'event A()', { abi: [event] }]) {
      assert.deepEqual(parseAbi(json), { items: [], skipped: 0 });
    }
  });

  it('loses no item over the name of a parameter, which is left out where it is none', () => {
    for (const name of ['memory', 'uint256', 'a b', ') evil(', 'a'.repeat(300), '\u202e', 7, null, ['a']]) {
      assert.deepEqual(
        parseAbi([{ type: 'error', name: 'A', inputs: [{ name, type: 'bool' }] }]).items,
        ['error A(bool)'],
        String(name),
      );
    }
  });

  it('is read in bounds, and hostile JSON is skipped', () => {
    const nested = (depth: number) => {
      let input: unknown = { name: '', type: 'bool' };
      for (let level = 0; level < depth; level++) input = { name: '', type: 'tuple', components: [input] };
      return { type: 'error', name: 'A', inputs: [input] };
    };
    assert.equal(parseAbi([nested(16)]).items.length, 1);
    const flag = { name: '', type: 'bool' };
    for (const [index, entry] of [
      nested(17),
      nested(5000),
      { ...event, name: 'a b' },
      { ...event, name: 'ä' },
      { ...event, name: `A${'a'.repeat(256)}` },
      { ...event, inputs: {} },
      { ...event, inputs: [null] },
      { ...event, inputs: [[]] },
      { ...event, inputs: Array(4).fill(event.inputs[0]) },
      { ...event, inputs: Array(2049).fill(flag) },
      { ...event, inputs: Array(64).fill({ type: 'tuple', components: Array(40).fill(flag) }) },
      { ...event, inputs: Array(2000).fill({ ...flag, name: 'aaaaaaaaaa' }) },
      ...[
        'tuple',
        'tuple[]',
        'uint7',
        'bool[',
        'bool[]x',
        'Lib.Kind',
        `bool${'[]'.repeat(17)}`,
        `bool[${'9'.repeat(17)}]`,
      ].map((type) => ({ ...event, inputs: [{ name: '', type, components: [] }] })),
      { ...event, inputs: [{ name: '', type: ['bool'] }] },
      { type: { toString: 'event' }, name: 'A', inputs: [] },
      JSON.parse('{"__proto__": {"type": "event", "name": "A", "inputs": []}}'),
    ].entries()) {
      assert.deepEqual(parseAbi([entry]), { items: [], skipped: 1 }, `entry ${index}`);
    }
    const many = parseAbi(Array(5_003).fill(event));
    assert.deepEqual([many.items.length, many.skipped], [5_000, 3]);
  });

  it('never throws, whatever JSON it is', () => {
    const keys = fc.constantFrom('type', 'name', 'inputs', 'outputs', 'components', 'indexed', 'anonymous');
    const leaf = fc.oneof(fc.constantFrom('event', 'function', 'tuple[2]', 'uint256', true), fc.jsonValue());
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('json')), fc.dictionary(keys, tie('json'))),
    }));
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), (abi) => {
        for (const text of parseAbi(abi).items) assert.ok(parseAbiItem(text), text);
      }),
      // As `JSON.parse` returns it, it has no text of its own.
      { examples: [[[{ type: 'function', inputs: [{ type: [Object.create(null)] }] }]]] },
    );
  });
});
