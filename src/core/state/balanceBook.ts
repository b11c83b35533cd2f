import { createError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage } from '../base/text.ts';

/** With its row, each needs up to 340 bytes. */
export const MAX_BALANCES = 1_000_000;
/** Balances by token ID: with its row, each needs up to 700 bytes. */
export const MAX_COPIES = 500_000;
/** Balances of zero that are kept, as samples to compare with calls: most who ever held a token sold it. */
const MAX_ZEROS = 20_000;

/** A key and its balance. */
export type BookEntry = readonly [key: string, balance: bigint];

/** The first balance that was below zero after a transaction. */
export interface Debt {
  readonly key: string;
  readonly block: bigint;
}

/**
 * Sums what moves between holders. A key names a holder; undefined stands for the zero address, which mints and burns.
 *
 * @example
 * const book = createBalanceBook();
 * book.move(undefined, 'alice', 5n);
 * book.get('alice'); // 5n
 */
export function createBalanceBook(most = MAX_BALANCES) {
  const balances = new Map<string, bigint>();
  let debtors = new Set<string>();
  let firstDebt: Debt | undefined;
  let burned = 0n;
  let zeros = 0;

  function change(key: string, amount: bigint): void {
    const before = balances.get(key);
    const after = (before ?? 0n) + amount;
    if (before === 0n) zeros -= 1;
    if (after === 0n && zeros >= MAX_ZEROS) {
      balances.delete(key);
      return;
    }
    if (before === undefined && balances.size >= most) throw createTooManyError(most);
    balances.set(key, after);
    if (after === 0n) zeros += 1;
    if (after < 0n) debtors.add(key);
  }

  return {
    get: (key: string) => balances.get(key) ?? 0n,
    get size() {
      return balances.size;
    },
    has: (key: string) => balances.has(key),
    /** All balances above and below zero, and the first of those that are zero. */
    entries: (): Iterable<BookEntry> => balances.entries(),
    /** What was sent to the zero address. */
    get burned() {
      return burned;
    },
    get firstDebt() {
      return firstDebt;
    },
    move(from: string | undefined, to: string | undefined, amount: bigint): void {
      if (from !== undefined) change(from, -amount);
      if (to === undefined) burned += amount;
      else change(to, amount);
    },
    /** Call it after each transaction: within one, the logs of a token may be in any order. */
    settle(block: bigint): void {
      if (debtors.size === 0) return;
      for (const key of debtors) if (this.get(key) < 0n) firstDebt ??= { key, block };
      debtors = new Set();
    },
  };
}

export type BalanceBook = ReturnType<typeof createBalanceBook>;

/** @example throw createTooManyError(); */
export function createTooManyError(most = MAX_BALANCES) {
  return createError(
    'tooHeavy',
    createMessage(
      'There are more than {0} rows, which is too many to list. Choose an earlier block.',
      decimal(most),
    ),
  );
}
