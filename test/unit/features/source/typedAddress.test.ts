import assert from 'node:assert/strict';
import { findMatchingNames } from '../../../../src/features/source/matchingNames.ts';
import { findTypedAddress } from '../../../../src/features/source/typedAddress.ts';

const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** What is typed where `|` stands, and what would be replaced. */
function typed(marked: string, isSolidity = false) {
  const offset = marked.indexOf('|');
  const line = marked.replace('|', '');
  const found = findTypedAddress(line, offset, { isSolidity });
  return found && [found.text, line.slice(found.start, found.end), found.isHex];
}

describe('an address as it is typed', () => {
  it('begins with 0x, in a string or not', () => {
    assert.deepEqual(typed('0x|'), ['0x', '0x', true]);
    assert.deepEqual(typed('const a = "0x5Fb|";'), ['0x5Fb', '0x5Fb', true]);
    assert.deepEqual(typed('f(0xTreas|)'), ['0xTreas', '0xTreas', true]);
    assert.deepEqual(typed(`${ADDRESS}|`), [ADDRESS, ADDRESS, true]);
    assert.deepEqual(typed('0x5F|bDB2'), ['0x5F', '0x5FbDB2', true]);
  });

  it('is no part of a word, and no hash', () => {
    for (const line of ['|', '0|', 'x|', 'a0x|', '$0x|', '0 x|', `${ADDRESS}0|`, `0x|${'a'.repeat(64)}`]) {
      assert.equal(typed(line), undefined, line);
    }
  });

  it('is also a name in Solidity, where an address is assigned', () => {
    assert.deepEqual(typed('address constant treasury = Trea|', true), ['Trea', 'Trea', false]);
    assert.deepEqual(typed('address payable to = T|reasury;', true), ['T', 'Treasury', false]);
    assert.equal(typed('address constant treasury = Trea|'), undefined);
    assert.equal(typed('uint256 constant treasury = Trea|', true), undefined);
    assert.equal(typed('address constant treasury = |', true), undefined);
  });
});

describe('names that fit what is typed', () => {
  const named = (name: string, address: `0x${string}`) => ({ name, address, provider: 'label' }) as const;
  const all = [named('Treasury', `0x${'ab'.repeat(20)}`), named('Vault', `0x${'12'.repeat(20)}`)];
  const fit = (text: string, isHex = true) =>
    findMatchingNames(all, { text, isHex }).names.map(({ name }) => name);

  it('fit by their digits and by their name', () => {
    assert.deepEqual(fit('0x'), ['Treasury', 'Vault']);
    assert.deepEqual(fit('0xAB'), ['Treasury']);
    assert.deepEqual(fit('0x1'), ['Vault']);
    assert.deepEqual(fit('0xtreas'), ['Treasury']);
    assert.deepEqual(fit('Vau', false), ['Vault']);
    assert.deepEqual(fit('0xzz'), []);
  });

  it('are at most 200, and told to be cut', () => {
    const many = Array.from({ length: 201 }, (_, at) => named(`N${at}`, `0x${String(at).padStart(40, '0')}`));
    const isCutOf = (some: typeof many) => findMatchingNames(some, { text: '0x', isHex: true }).isCut;
    assert.deepEqual([many.slice(1), many].map(isCutOf), [false, true]);
    assert.equal(findMatchingNames(many, { text: '0x', isHex: true }).names.length, 200);
  });
});
