import assert from 'node:assert/strict';
import { mnemonicToAccount } from 'viem/accounts';
import { listDevelopmentAccounts, toChecksumAddress } from '../../../../src/core/index.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';

describe('accounts of development nodes', () => {
  it('are those of the mnemonic that anvil and Hardhat have', () => {
    const accounts = listDevelopmentAccounts(31337);
    assert.deepEqual(
      accounts.map(({ address }) => toChecksumAddress(address)),
      accounts.map((_, addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }).address),
    );
    const names = accounts.map(({ name }) => name);
    assert.deepEqual(
      [names[0], names[9], names[10], names[19]],
      ['anvil #0', 'anvil #9', 'Hardhat #10', 'Hardhat #19'],
    );
  });

  it('have names on development chains alone', () => {
    assert.equal(listDevelopmentAccounts(1337).length, 20);
    for (const chain of [0, 1, 11155111, 8453]) assert.deepEqual(listDevelopmentAccounts(chain), []);
  });
});
