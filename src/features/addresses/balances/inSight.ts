import type { Address } from '../../../core/index.ts';
import type { BalanceStore } from './balanceStore.ts';
import type { WatchedTokens } from './watchedTokens.ts';

/** A watched address beyond these shows its balance when it is opened. */
const MOST_LISTED = 50;

/**
 * What the view has in sight, for whoever loads it: what was never asked for. What failed is not asked for again by
 * being drawn.
 */
export interface InSight {
  /** The rows of these addresses, each with its native balance. */
  listed(accounts: readonly Address[]): void;
  /** The rows under an address. */
  opened(account: Address): void;
}

/** Has the stores see to it that what is in sight is loaded. */
export function createInSight(stores: {
  readonly balances: BalanceStore;
  readonly watchedTokens: WatchedTokens;
}): InSight {
  const { balances, watchedTokens } = stores;
  return {
    listed(accounts) {
      void balances.loadNatives(accounts.slice(0, MOST_LISTED), 'missing');
    },
    opened(account) {
      void balances.load(account, 'missing');
      void watchedTokens.load(account);
    },
  };
}
