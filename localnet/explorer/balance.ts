import type { ExplorerIndex } from '../index/explorerIndex.ts';
import { castAddress, parseDecimal, parseHexDigits } from './casts.ts';
import { Refused } from './failures.ts';

export type BalanceRules = {
  /** `latest`: the last balance fetched (since v5.3.2), or before it the newest recorded up to the head. */
  readonly latest: 'lastFetched' | 'recordedUpToHead';
  /** A block as hex is refused through v11.2.7. Decimal text is read by every version. */
  readonly hexBlock: 'refused' | 'read';
};

/** `eth_getBalance`: an address without a recorded balance is refused, never answered with zero. */
export function readBalance(
  [addressParam, blockParam]: readonly unknown[],
  index: ExplorerIndex,
  rules: BalanceRules,
): string {
  const address = typeof addressParam === 'string' ? castAddress(addressParam) : undefined;
  if (address === undefined) throw new Refused('invalidBalanceAddress');

  const head = index.head();
  const balanceUpTo = (to: number) => index.balanceIn(address, { from: 0, to });
  const read = (): bigint | undefined => {
    const block = readBlockParam(blockParam, rules);
    if (typeof block === 'number') return balanceUpTo(block);
    if (block === 'earliest') return balanceUpTo(0);
    // `pending` is what was recorded above the head of the main chain.
    if (block === 'pending') {
      return index.balanceIn(address, { from: (head ?? -1) + 1, to: Number.MAX_SAFE_INTEGER });
    }
    if (rules.latest === 'lastFetched') return index.latestBalance(address);
    return head === undefined ? undefined : balanceUpTo(head);
  };
  const wei = read();
  if (wei === undefined) throw new Refused('balanceNotFound');
  return `0x${wei.toString(16)}`;
}

function readBlockParam(
  value: unknown,
  { hexBlock }: BalanceRules,
): 'latest' | 'earliest' | 'pending' | number {
  if (value === undefined || value === null) return 'latest';
  if (value === 'latest' || value === 'earliest' || value === 'pending') return value;
  if (typeof value !== 'string') throw new Refused('invalidBalanceBlock');
  const isHex = value.startsWith('0x') && hexBlock === 'read';
  const number = isHex ? parseHexDigits(value.slice(2)) : parseDecimal(value);
  if (number === undefined) throw new Refused('invalidBalanceBlock');
  return number;
}
