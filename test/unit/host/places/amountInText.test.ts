import assert from 'node:assert/strict';
import { findAmountAt } from '../../../../src/host/places/amountInText.ts';

/** The amount at the mark `|` of a line, and what the hover marks. */
function findAtMark(marked: string) {
  const offset = marked.indexOf('|');
  const line = marked.replace('|', '');
  const found = findAmountAt(line, offset);
  return found && { ...found, text: line.slice(found.offset, found.offset + found.length) };
}

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;

describe('findAmountAt', () => {
  const amounts: readonly (readonly [line: string, wei: bigint, text?: string])[] = [
    ['assertEq(balance, |1500000000000000000);', (3n * ETHER) / 2n, '1500000000000000000'],
    ['1_500_000_000_000|_000_000', (3n * ETHER) / 2n],
    ['1500000000000000000n|', (3n * ETHER) / 2n, '1500000000000000000n'],
    ['BigNumber.from("|1234567890123456789")', 1_234_567_890_123_456_789n],
    ['amountPaid = |1000000000000000;', ETHER / 1000n],
    ['if (bid < |50000000000000000)', ETHER / 20n],
    ['[|1000000000000000000, 5]', ETHER],
    ['1.|5e18', (3n * ETHER) / 2n, '1.5e18'],
    ['5|e9', 5n * GWEI],
    ['"0xde0b|6b3a7640000"', ETHER],
    ['1500000000| gwei', (3n * ETHER) / 2n, '1500000000 gwei'],
    ['1|.5 gwei;', (3n * GWEI) / 2n, '1.5 gwei'],
    ['20000000000 |wei', 20n * GWEI],
    ['5 |finney', ETHER / 200n],
    ['gasPrice: |20000000000', 20n * GWEI],
    ['tx.gasprice < |50000000000', 50n * GWEI],
    ['maxPriorityFeePerGas: |1_500_000_000n,', (3n * GWEI) / 2n],
    ['const FEE: bigint = |1234567890n', 1_234_567_890n],
    ['"gasPrice": "0x4a817|c800"', 20n * GWEI],
    ['1|0 ** 18', ETHER, '10 ** 18'],
    ['10**|18', ETHER],
    ['supply = |1000 * 10n ** 18n;', 1000n * ETHER, '1000 * 10n ** 18n'],
    ['1.5 * 10 ** 1|8', (3n * ETHER) / 2n],
    ['x * 10 ** |18', ETHER, '10 ** 18'],
    ['6 / 2 * 10 ** |18', ETHER, '10 ** 18'],
    ['10 ** 18 + |1000000000000000000', ETHER, '1000000000000000000'],
  ];
  for (const [line, wei, text] of amounts) {
    it(`finds the amount in ${line}`, () => {
      const found = findAtMark(line);
      assert.equal(found?.wei, wei);
      if (text !== undefined) assert.equal(found?.text, text);
    });
  }

  const others: Readonly<Record<string, readonly string[]>> = {
    'small numbers': ['x = |1', 'i < |1000', 'gas: |30_000_000', 'fee = |3000', '|0', 'fee = 1|00 wei'],
    years: ['year = |2026', '// |2026'],
    'block numbers': ['vm.roll(|21_345_678)', 'startBlock = |21345678'],
    times: ['vm.warp(|1_700_000_000)', 'deadline = |1700000000000', 'timestamp: |1700000000000000000'],
    'chain ids': ['chainId: |11155111', 'block.chainid == |1313161554', 'chain_id = |10e9'],
    'ids and seeds': ['guildId: "|1234567890123456789"', 'ID = |1234567890123456789', 'salt: |1e18'],
    'amounts of other tokens': ['|1000000000', 'usdc = |1_000_000_000_000', '100_000_000|e6', '2|000e8'],
    'powers of other tokens': ['10 ** |6', '5 * 10 ** |8', '10 ** |18 ** 2', '2 ** |96', '10 ** |decimals'],
    'amounts in another unit': [
      '1000000000000000000| ether',
      '1000000000000000000| days',
      'parseEther("|1000000000000000000")',
      'parseUnits("|1500000000000000", 6)',
      'web3.toWei(|1500000000000000)',
      'Web3.to_wei(|1500000000000000)',
      'balanceGwei = |32000000000000000',
    ],
    'other constants': [
      '|0xcbf29ce484222325',
      `0|x${'f'.repeat(40)}`,
      '|79228162514264337593543950336',
      'RAY = |1e27',
      'a = 0x3b9a|ca00',
    ],
    'other texts': [
      '[1,200,300,|400,500,600]',
      'v1|.5e18x',
      'x1e1|8',
      '1.5e18.|2',
      '1e-1|8',
      'no| number',
      '',
    ],
  };
  for (const [kind, lines] of Object.entries(others)) {
    for (const line of lines) {
      it(`finds none of ${kind} in ${line}`, () => assert.equal(findAtMark(line)?.text, undefined));
    }
  }

  it('takes no time on long lines', () => {
    for (const part of ['1', '1_', '1 * ', '10 ** ', '7 wei ', 'a: (', ' ']) {
      const line = part.repeat(500_000);
      assert.equal(findAmountAt(line, line.length / 2)?.length, undefined, part);
    }
  });
});
