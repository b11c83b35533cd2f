import assert from 'node:assert/strict';
import { createBalanceBook } from '../../../../src/core/state/balanceBook.ts';
import { createTokenLedger } from '../../../../src/core/state/tokenLedger.ts';

const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}` as const;
const addressOf = (value: number) => `0x${value.toString(16).padStart(40, '0')}` as const;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';

describe('balances of a token', () => {
  it('that became zero are kept as samples, and no more of them', () => {
    const book = createBalanceBook();
    for (let holder = 0; holder < 50_000; holder++) {
      book.move(undefined, `${holder}`, 5n);
      book.move(`${holder}`, 'buyer', 5n);
    }
    assert.equal(book.get('buyer'), 250_000n);
    assert.equal(book.size, 20_001);
    book.move('buyer', '49999', 1n);
    book.move('buyer', '0', 1n);
    assert.deepEqual([book.get('49999'), book.get('0'), book.size], [1n, 1n, 20_002]);
    book.move('49998', 'buyer', 1n);
    book.settle(7n);
    assert.deepEqual(book.firstDebt, { key: '49998', block: 7n }, 'a dropped balance is zero');
  });

  it('are refused where more hold something than are listed, and those that sold it do not count', () => {
    const book = createBalanceBook(25_000);
    for (let holder = 0; holder < 60_000; holder++) {
      book.move(undefined, `${holder}`, 5n);
      book.move(`${holder}`, undefined, 5n);
    }
    const fill = () => {
      for (let holder = 0; holder < 5_001; holder++) book.move(undefined, `new ${holder}`, 1n);
    };
    assert.throws(fill, { kind: 'tooHeavy', message: /^There are more than 25,?000 rows/ });
  });

  it('do without what was withdrawn, also where the balance with it was dropped as zero', () => {
    const ledger = createTokenLedger(() => 'erc20');
    const add = (topics: readonly `0x${string}`[], value: number, transaction: number) =>
      ledger.add({
        ...{ address: addressOf(1), topics, data: word(value), logIndex: 0 },
        ...{ blockNumber: 7n, transactionHash: word(transaction) },
      } as never);
    const HOLDERS = 30_000;
    for (let holder = 1; holder <= HOLDERS; holder++) {
      add([TRANSFER, word(0), word(holder)], 5, 2 * holder);
      add([WITHDRAWAL, word(holder)], 5, 2 * holder + 1);
    }
    ledger.end();
    assert.ok(!ledger.amounts.has(addressOf(HOLDERS)), 'it was dropped');
    const without = new Map(ledger.amountsWithoutWraps());
    assert.equal(without.size, HOLDERS);
    assert.ok([...without.values()].every((amount) => amount === 5n));
  });
});
