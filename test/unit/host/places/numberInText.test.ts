import assert from 'node:assert/strict';
import { findNumberAt } from '../../../../src/host/places/numberInText.ts';

/** The number at the mark `|` of a line. */
function findAtMark(marked: string) {
  const offset = marked.indexOf('|');
  return findNumberAt(marked.replace('|', ''), offset);
}

describe('findNumberAt', () => {
  const numbers: readonly (readonly [string, bigint])[] = [
    ['x = 12|34;', 1234n],
    ['|21_345_678', 21_345_678n],
    ['Block: 21,345,|678, index 0', 21_345_678n],
    ['f(|1000, 2000)', 1000n],
    ['f(1000000000000000000,|500)', 500n],
    ['1234n|', 1234n],
    ['5e|17', 5n * 10n ** 17n],
    ['1.5|e18', 15n * 10n ** 17n],
    ['"blockNumber": "0x1|0"', 16n],
  ];
  for (const [text, value] of numbers) {
    it(`finds the number in ${text}`, () => assert.equal(findAtMark(text)?.value, value));
  }

  for (const text of [
    'uint25|6',
    '1.|5',
    '1|.2.3',
    'a 1|2px',
    'no| number',
    '1.55e|1',
    '0xc0ffee|c0ffee0000000000',
  ]) {
    it(`finds none in ${text}`, () => assert.equal(findAtMark(text), undefined));
  }

  const blocks = [
    'block: 12|3',
    'at block |123',
    '{ fromBlock: 12|3n }',
    '"toBlock": "12|3"',
    'cast call --block |123',
    'forge test --fork-block-number 12|3',
    'fork_block_number = 12|3',
    'START_BLOCK = 12|3',
    'vm.roll(12|3)',
    'if (block.number > 12|3)',
    'Block #|123',
  ];
  for (const text of blocks) {
    it(`takes the number in ${text} for a block`, () => assert.equal(findAtMark(text)?.isBlock, true));
  }

  for (const text of [
    'blocks: 12|3',
    'blockSize = 12|3',
    'unblock 12|3',
    'x = 12|3',
    'block.timestamp > 12|3',
  ]) {
    it(`takes the number in ${text} for no block`, () => assert.equal(findAtMark(text)?.isBlock, false));
  }

  it('takes no time on a line of digits', () => {
    const line = '1'.repeat(1_000_000);
    assert.equal(findNumberAt(line, 500_000), undefined);
  });
});
