import assert from 'node:assert/strict';
import { requireTopic } from '../../../../src/core/abi/declaration.ts';
import { parseHexData, parseQuantity } from '../../../../src/core/eth/hex.ts';
import { findKnownAddress } from '../../../../src/core/identity/knownAddresses.ts';
import {
  type AppError,
  formatShortUnits,
  formatUnits,
  formatUnitsGrouped,
  getChecksumState,
  groupDigits,
  knownAddresses,
  parseAddress,
  parseEventOrTopic0,
  requireAddress,
  safeUrl,
  sanitizeText,
  toChecksumAddress,
} from '../../../../src/core/index.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const badInput = (field: string) => (error: AppError) =>
  error.kind === 'badInput' && error.details.field === field;

describe('address', () => {
  // The test addresses of EIP-55.
  const checksummed = [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ] as const;

  it('gives the checksum of EIP-55', () => {
    for (const address of checksummed) {
      assert.equal(toChecksumAddress(requireAddress(address)), address);
    }
  });

  it('tells a right checksum from a wrong one and from none, of all that has a letter', () => {
    const [address] = checksummed;
    const noLetter = [`0x${'0'.repeat(40)}`, `0x${'12'.repeat(20)}`, `0x${'0'.repeat(39)}A`];
    for (const right of [...checksummed, ...noLetter]) assert.equal(getChecksumState(right), 'right', right);
    assert.equal(getChecksumState(address.replace('aA', 'Aa')), 'wrong');
    for (const none of [
      `0x${'0'.repeat(39)}a`,
      address.toLowerCase(),
      `0x${address.slice(2).toUpperCase()}`,
    ]) {
      assert.equal(getChecksumState(none), 'none', none);
    }
  });

  it('takes any case and refuses what is not 20 bytes', () => {
    assert.equal(parseAddress(` ${checksummed[0]} `), checksummed[0].toLowerCase());
    for (const wrong of [
      '',
      '0x',
      '0x12',
      `${checksummed[0]}0`,
      checksummed[0].slice(2),
      `0x${'g'.repeat(40)}`,
      7,
    ]) {
      assert.equal(parseAddress(wrong), undefined, String(wrong));
    }
    assert.throws(() => requireAddress('0x12'), badInput('address'));
  });
});

describe('topic0', () => {
  it('is taken as it is', () => {
    assert.equal(parseEventOrTopic0(TRANSFER.toUpperCase().replace('0X', '0x')), TRANSFER);
    assert.throws(() => parseEventOrTopic0('0x1234'), badInput('event'));
    assert.throws(() => requireTopic('0x1234'), badInput('topics'));
  });
});

describe('units', () => {
  it('are exact', () => {
    assert.equal(formatUnits(1n, 18), '0.000000000000000001');
    assert.equal(formatUnits(2n ** 256n - 1n, 0), (2n ** 256n - 1n).toString());
    assert.equal(formatUnits(1_500_000n, 6), '1.5');
    assert.equal(formatUnits(0n, 18), '0');
    assert.equal(formatUnitsGrouped(1_234_567_000_001n, 6), '1,234,567.000001');
    assert.equal(groupDigits(21_345_678n), '21,345,678');
    for (const [digits, grouped] of [
      ['', ''],
      ['999', '999'],
      ['1000', '1,000'],
      ['-999', '-999'],
      ['-123456', '-123,456'],
    ] as const) {
      assert.equal(groupDigits(digits), grouped);
    }
    assert.equal(groupDigits('1'.repeat(999_999)), Array(333_333).fill('111').join(','));
  });
});

describe('quantity', () => {
  it('is read in every form that servers write', () => {
    assert.equal(parseQuantity('0x1b4'), 436n);
    assert.equal(parseQuantity('6423AC'), 0x6423acn);
    assert.equal(parseQuantity(53), 53n);
    assert.equal(parseQuantity('0x2a15c308d'), 11297108109n);
  });

  it('is refused in any other', () => {
    for (const wrong of ['', '0x', 'xyz', '-1', -1, 1.5, null, undefined, {}, `0x${'f'.repeat(65)}`]) {
      assert.equal(parseQuantity(wrong), undefined, String(wrong));
    }
  });
});

describe('data', () => {
  it('of any length is in lower case, and refused with any other character', () => {
    for (const length of [64, 1022, 1024, 5000]) {
      const digits = 'a0'.repeat(length / 2);
      assert.equal(parseHexData(`0x${digits}`), `0x${digits}`);
      assert.equal(parseHexData(`0x${digits.toUpperCase()}`), `0x${digits}`);
      for (const at of [0, length - 1]) {
        const wrong = `${digits.slice(0, at)}g${digits.slice(at + 1)}`;
        assert.equal(parseHexData(`0x${wrong}`), undefined, `${length} ${at}`);
      }
    }
  });
});

describe('plain text', () => {
  it('bounds length and piles of marks', () => {
    assert.equal(sanitizeText('x'.repeat(100)), `${'x'.repeat(64)}…`);
    assert.equal(sanitizeText(`z${'\u0301'.repeat(50)}`), `z${'\u0301'.repeat(3)}`);
    assert.equal([...sanitizeText('\u202e'.repeat(1_000_000))].length, 65);
  });

  it('leaves honest names alone', () => {
    for (const name of ['USD Coin', 'Wrapped Ether', '日本円', 'Złoty', 'naïve', '🦄']) {
      assert.equal(sanitizeText(name), name);
    }
  });
});

describe('safe URL', () => {
  it('keeps scheme, host and port only', () => {
    assert.equal(
      safeUrl('https://user:secret@node.example:8545/v3/KEY?key=KEY#KEY'),
      'https://node.example:8545',
    );
    assert.equal(safeUrl('not a url KEY'), 'an invalid URL');
  });
});

describe('addresses that are the same everywhere', () => {
  it('are the zero address and precompiles, each once', () => {
    assert.equal(new Set(knownAddresses.map(({ address }) => address)).size, knownAddresses.length);
    assert.equal(findKnownAddress(`0x${'0'.repeat(40)}`)?.name, 'Zero address');
    assert.equal(findKnownAddress(`0x${'0'.repeat(39)}1`)?.name, 'ecrecover');
    assert.deepEqual(
      [0x0a, 0x0b, 0x11, 0x100].map(
        (number) => findKnownAddress(`0x${number.toString(16).padStart(40, '0')}`)?.source,
      ),
      ['EIP-4844', 'EIP-2537', 'EIP-2537', 'EIP-7951'],
    );
    assert.equal(findKnownAddress(`0x${'0'.repeat(38)}12`), undefined);
  });
});

describe('short amounts', () => {
  const ether = (whole: bigint) => whole * 10n ** 18n;

  it('are cut to what is read at a glance, never rounded up', () => {
    const cases: readonly (readonly [bigint, number, string])[] = [
      [0n, 18, '0'],
      [1n, 18, '<0.000001'],
      [1_234_567_890_123n, 18, '0.000001234'],
      [209_600_000_000_000_000n, 18, '0.2096'],
      [ether(1n), 18, '1'],
      [ether(1n) - 1n, 18, '0.9999'],
      [9_999_342_083_198n, 9, '9,999.34'],
      [999_999_999_999n, 6, '999,999.99'],
      [1_000_000_000_000n, 6, '1M'],
      [49_939_999_999_999n, 6, '49.93M'],
      [ether(999_999_999n), 18, '999.99M'],
      [ether(1_000_000_000n), 18, '1B'],
      [ether(12_500_000_000_000n), 18, '12.5T'],
      [ether(123_456_000_000_000_000n), 18, '123,456T'],
      [2n ** 256n - 1n, 0, '1.15e77'],
      [100n, 2, '1'],
      [7n, 0, '7'],
    ];
    for (const [amount, decimals, text] of cases) assert.equal(formatShortUnits(amount, decimals), text);
  });
});
