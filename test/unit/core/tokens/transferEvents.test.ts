import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AbiEvent, type Hex } from 'ox';
import { transferEvents } from '../../../../src/core/index.ts';
import type { CallResult } from '../../../../src/core/rpc/ethCall.ts';
import {
  decodeNftMovements,
  decodePlainTransfer,
  findMovementOf,
} from '../../../../src/core/tokens/transferEvents.ts';
import { createTransferStandardReader } from '../../../../src/core/tokens/transferStandard.ts';

const parties = 'address indexed operator, address indexed from, address indexed to';
const erc721 = AbiEvent.from(
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
);
const erc20 = AbiEvent.from('event Transfer(address indexed from, address indexed to, uint256 value)');
const single = AbiEvent.from(`event TransferSingle(${parties}, uint256 id, uint256 value)`);
const batch = AbiEvent.from(`event TransferBatch(${parties}, uint256[] ids, uint256[] values)`);

const range = AbiEvent.from(
  'event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)',
);

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hex.Hex);

/** A log as a node gives it; topics that are not given are none. */
function encode(event: AbiEvent.AbiEvent, args: Record<string, unknown>, data: Hex.Hex = '0x') {
  const { topics } = AbiEvent.encode(event, args as never);
  return { topics: topics as Hex.Hex[], data };
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const words = (...values: bigint[]): Hex.Hex => `0x${values.map(word).join('')}`;
const arrays = (ids: readonly bigint[], values: readonly bigint[]) =>
  words(64n, 96n + 32n * BigInt(ids.length), BigInt(ids.length), ...ids, BigInt(values.length), ...values);

const OPERATOR = `0x${'0f'.repeat(20)}` as const;
const FROM = `0x${'a1'.repeat(20)}` as const;
const TO = `0x${'b2'.repeat(20)}` as const;
const between = { operator: OPERATOR, from: FROM, to: TO };

describe('NFT movements in a log', () => {
  it('are read from an ERC-721 transfer of any id', () => {
    fc.assert(
      fc.property(address, address, uint256, (from, to, tokenId) => {
        const [movement, ...others] = decodeNftMovements(encode(erc721, { from, to, tokenId })) ?? [];
        assert.deepEqual(movement, { standard: 'erc721', tokenId, from, to, amount: 1n, position: 0 });
        assert.equal(others.length, 0);
      }),
    );
  });

  it('are read from an ERC-2309 range, of which one id is found', () => {
    fc.assert(
      fc.property(address, address, uint256, uint256, uint256, (from, to, a, b, id) => {
        const [first, last] = a < b ? [a, b] : [b, a];
        const log = encode(range, { fromTokenId: first, fromAddress: from, toAddress: to }, words(last));
        const [movement, ...others] = decodeNftMovements(log) ?? [];
        assert.deepEqual(movement, {
          ...{ standard: 'erc721', tokenId: first, lastTokenId: last, from, to },
          ...{ amount: last - first + 1n, position: 0 },
        });
        assert.equal(others.length, 0);
        const one = { standard: 'erc721', tokenId: id, from, to, amount: 1n, position: 0 };
        assert.deepEqual(findMovementOf(movement, id), first <= id && id <= last ? one : undefined);
      }),
    );
  });

  it('are read from an ERC-1155 transfer of any id and amount', () => {
    fc.assert(
      fc.property(uint256, uint256, (id, value) => {
        assert.deepEqual(decodeNftMovements(encode(single, between, words(id, value))), [
          { standard: 'erc1155', tokenId: id, from: FROM, to: TO, amount: value, position: 0 },
        ]);
      }),
    );
  });

  it('are read from a batch, an id that is named twice as two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 3n }), uint256), { maxLength: 20 }),
        (moved) => {
          const data = arrays(
            moved.map(([id]) => id),
            moved.map(([, value]) => value),
          );
          assert.deepEqual(
            decodeNftMovements(encode(batch, between, data)),
            moved.map(([tokenId, amount], position) => ({
              ...{ standard: 'erc1155', tokenId, from: FROM, to: TO, amount, position },
            })),
          );
        },
      ),
    );
  });

  it('are none in an ERC-20 transfer or another event', () => {
    assert.deepEqual(decodeNftMovements(encode(erc20, { from: FROM, to: TO }, words(17n))), []);
    const approval = AbiEvent.from(
      'event Approval(address indexed owner, address indexed to, uint256 indexed id)',
    );
    assert.deepEqual(decodeNftMovements(encode(approval, { owner: FROM, to: TO, id: 1n })), []);
    assert.deepEqual(decodeNftMovements({ topics: [], data: '0x' }), []);
  });

  it('are unknown, which is not none, where the log cannot be read', () => {
    const broken: readonly { topics: readonly Hex.Hex[]; data: Hex.Hex }[] = [
      encode(single, between, '0x'),
      encode(single, between, words(1n)),
      { topics: encode(single, between).topics.slice(0, 3), data: words(1n, 1n) },
      encode(batch, between, '0x'),
      encode(batch, between, arrays([1n, 2n], [1n])),
      encode(batch, between, words(64n, 2n ** 255n, 1n, 1n)),
      encode(batch, between, words(64n, 128n, 2n ** 200n, 1n, 1n, 1n)),
      encode(batch, between, `${arrays([1n], [1n]).slice(0, -2)}` as Hex.Hex),
    ];
    for (const [index, log] of broken.entries())
      assert.equal(decodeNftMovements(log), undefined, `log ${index}`);
  });
});

describe('a Transfer of three arguments', () => {
  const plain = (indexed: readonly boolean[]) =>
    AbiEvent.from(
      `event Transfer(${['address from', 'address to', 'uint256 value']
        .map((input, at) => input.replace(' ', indexed[at] ? ' indexed ' : ' '))
        .join(', ')})` as 'event Transfer(address from, address to, uint256 value)',
    );

  it('is read whichever arguments are indexed, where that tells them apart', () => {
    fc.assert(
      fc.property(address, address, uint256, (from, to, value) => {
        const [a, b] = [BigInt(from), BigInt(to)];
        const expected = (isValueIndexed: boolean) => ({ from, to, value, isValueIndexed });
        const forms = [
          [encode(plain([true, true, true]), { from, to, value }), true],
          [encode(plain([true, true, false]), { from, to }, words(value)), false],
          [encode(plain([false, false, false]), {}, words(a, b, value)), false],
        ] as const;
        for (const [log, isIndexed] of forms) assert.deepEqual(decodePlainTransfer(log), expected(isIndexed));
      }),
    );
  });

  it('is not read where it may be another', () => {
    const topic0 = transferEvents.transfer.topic0;
    const one: Hex.Hex = `0x${word(1n)}`;
    const notAnAddress: Hex.Hex = `0x${'f'.repeat(64)}`;
    for (const log of [
      { topics: [topic0, one], data: words(2n, 3n) },
      { topics: [topic0, one, one], data: '0x' as const },
      { topics: [topic0, one, one, one], data: words(1n) },
      { topics: [topic0, notAnAddress, one], data: words(1n) },
      { topics: [one, one, one, one], data: '0x' as const },
    ]) {
      assert.equal(decodePlainTransfer(log), undefined);
    }
  });
});

describe('the standard of a Transfer', () => {
  const [FINAL = '', DRAFT = '', ANYTHING = ''] = ['80ac58cd', '9a20483d', 'ffffffff'].map(
    (id) => `0x01ffc9a7${id}`,
  );
  const [DECIMALS, OWNER_OF, APPROVED] = ['0x313ce567', '0x6352211e', '0xe985e9c5'] as const;

  /** What is read of a contract that returns these words by the start of the calldata, and reverts else. */
  function standardOf(
    returned: Readonly<Record<string, bigint>>,
    state: 'nothing' | 'notOffered' = 'nothing',
  ) {
    const call = async (_: string, data: string): Promise<CallResult> => {
      const found = Object.entries(returned).find(([start]) => data.startsWith(start));
      return found ? { state: 'returned', data: words(found[1]) } : { state };
    };
    return createTransferStandardReader({ call })(TO, 4217n);
  }

  for (const [what, standard, contracts] of [
    ['is ERC-20 where the contract has decimals', 'erc20', [{ [DECIMALS]: 6n }, { [DECIMALS]: 0n }]],
    ['is ERC-721 where it claims that', 'erc721', [{ [FINAL]: 1n }, { [FINAL]: 1n, [DECIMALS]: 0n }]],
    [
      'is ERC-721 for contracts that are older than its interface ID',
      'erc721',
      [{ [DRAFT]: 1n }, { [OWNER_OF]: 0xa11cen }, { [APPROVED]: 0n }],
    ],
    [
      'is told by the form where a contract is both, as ERC-404',
      'byForm',
      [{ [APPROVED]: 0n }, { [OWNER_OF]: 0xa11cen }, { [FINAL]: 1n }].map((nft) => ({
        [DECIMALS]: 18n,
        ...nft,
      })),
    ],
    [
      'is unknown where the contract tells neither, or answers everything alike',
      undefined,
      [
        ...[{}, { '0x': 1n }, { '0x': 0xa11cen }, { [ANYTHING]: 1n, [DECIMALS]: 1n, [FINAL]: 1n }],
        ...[
          { [DECIMALS]: 256n, [OWNER_OF]: 0n },
          { [OWNER_OF]: 2n ** 200n, [APPROVED]: 7n },
        ],
      ],
    ],
  ] as const) {
    it(what, async () => {
      for (const contract of contracts) assert.equal(await standardOf(contract), standard);
    });
  }

  it('is unknown where the contract cannot be asked', async () => {
    assert.equal(await standardOf({}, 'notOffered'), undefined);
  });
});
