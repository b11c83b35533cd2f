import { createError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage } from '../base/text.ts';

/** Each needs some 200 bytes. */
export const MAX_BALANCES = 2_000_000;

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
export function createBalanceBook() {
  const balances = new Map<string, bigint>();
  let debtors = new Set<string>();
  let firstDebt: Debt | undefined;
  let burned = 0n;

  function change(key: string, amount: bigint): void {
    const before = balances.get(key);
    if (before === undefined && balances.size >= MAX_BALANCES) throw createTooManyError();
    const after = (before ?? 0n) + amount;
    balances.set(key, after);
    if (after < 0n) debtors.add(key);
  }

  return {
    get: (key: string) => balances.get(key) ?? 0n,
    get size() {
      return balances.size;
    },
    /** The key and balance of everyone who ever had one, zero and below included. */
    entries: () => balances.entries(),
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
export function createTooManyError() {
  return createError(
    'tooHeavy',
    createMessage('There are more than {0} rows, which is too many to list.', decimal(MAX_BALANCES)),
  );
}
