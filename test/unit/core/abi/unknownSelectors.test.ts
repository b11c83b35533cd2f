import assert from 'node:assert/strict';
import { createAbiLookup, type Hex, listUnknownSelectors } from '../../../../src/core/index.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';

const origin = { trust: 'workspace', from: 'src/Shop.sol', contract: 'Shop', line: 1 } as const;
const lookup = createAbiLookup(
  ['function transfer(address to, uint256 value)', 'error Closed()'].map((text) => ({ text, origin })),
);

describe('listUnknownSelectors', () => {
  it('lists each selector that nothing explains once, in order', () => {
    const data: readonly Hex[] = ['0x12345678ab', '0x', '0x1234', '0xdeadbeef', '0x12345678'];
    assert.deepEqual(listUnknownSelectors(data, lookup), ['0x12345678', '0xdeadbeef']);
  });

  it('leaves out those of known functions and errors, and of errors of Solidity', () => {
    const closed = encodeItem('error Closed()');
    assert.deepEqual(listUnknownSelectors(['0xa9059cbb', closed, '0x08c379a0', '0x4e487b71'], lookup), []);
  });

  it('lists 50 at most', () => {
    const data = Array.from({ length: 60 }, (_, place): Hex => `0x${String(place).padStart(8, '0')}`);
    assert.deepEqual(listUnknownSelectors(data, lookup), data.slice(0, 50));
  });
});
