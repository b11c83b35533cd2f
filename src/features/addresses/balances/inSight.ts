import type { Address } from '../../../core/index.ts';
import type { Identities } from '../identity/identities.ts';
import type { BalanceStore } from './balanceStore.ts';
import type { WatchedTokens } from './watchedTokens.ts';

/**
 * What the view has in sight, for whoever loads it: what was never asked for. What failed is not asked for again by
 * being drawn. Rows go by the ids that the view knows them by.
 */
export interface InSight {
  /** The rows of these addresses are drawn in the group `id`, each with its native balance. */
  listed(id: string, accounts: readonly Address[]): void;
  /** The rows under that of an address are drawn; `id` begins with that of its group. */
  opened(id: string, account: Address): void;
  /** The rows under `id` are folded away. */
  fold(id: string): void;
  /** They are not any more; false if they were not. */
  unfold(id: string): boolean;
  /** Addresses whose native balance is in sight. */
  readonly accounts: readonly Address[];
  /** Addresses whose tokens are in sight. */
  readonly holders: readonly Address[];
}

/** Has the stores see to it that what is in sight is loaded. */
export function createInSight(stores: {
  readonly balances: Pick<BalanceStore, 'load' | 'loadNatives'>;
  readonly watchedTokens: Pick<WatchedTokens, 'load'>;
  /** What is at an address. */
  readonly identities: Pick<Identities, 'load' | 'loadListed'>;
}): InSight {
  const { balances, watchedTokens, identities } = stores;
  const groups = new Map<string, readonly Address[]>();
  const open = new Map<string, Address>();
  const folded = new Set<string>();

  const isFolded = (id: string) => [...folded].some((above) => `${id}/`.startsWith(`${above}/`));
  /** A row may be gone with its group, or from it, without being folded. */
  function isDrawn([id, account]: readonly [string, Address]): boolean {
    const listed = groups.get(id.slice(0, id.indexOf('/')));
    return !isFolded(id) && (listed === undefined || listed.includes(account));
  }
  const holders = () => [...new Set([...open].filter(isDrawn).map(([, account]) => account))];

  return {
    listed(id, accounts) {
      groups.set(id, accounts);
      void balances.loadNatives(accounts, 'missing');
      void identities.loadListed(accounts);
    },
    opened(id, account) {
      open.set(id, account);
      void balances.load(account, 'missing');
      void watchedTokens.load(account);
      void identities.load(account);
    },
    fold: (id) => void folded.add(id),
    unfold: (id) => folded.delete(id),
    get accounts() {
      const listed = [...groups].filter(([id]) => !isFolded(id)).flatMap(([, accounts]) => accounts);
      return [...new Set([...listed, ...holders()])];
    },
    get holders() {
      return holders();
    },
  };
}
