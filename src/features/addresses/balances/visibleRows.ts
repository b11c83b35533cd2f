import type * as vscode from 'vscode';
import { type Address, asAppError, type Clock, getRetryDelay } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressIdentityCache } from '../identityCache.ts';
import { type BalanceReader, getResultAt } from './balanceReader.ts';
import type { BalanceStore } from './balanceStore.ts';
import type { WatchedTokens } from './watchedTokens.ts';

/** The newest block, which is polled while something visible shows it. */
export interface FollowedHead {
  readonly state: { readonly head?: { readonly block: bigint }; readonly error?: unknown };
  readonly onDidChange: vscode.Event<void>;
  /** Sets whether `place` currently shows something that depends on the head. */
  setVisible(place: string, inSight: boolean): void;
}

interface FollowBlocksDeps {
  readonly head: FollowedHead;
  readonly visibility: ViewVisibility;
  readonly visibleRows: Pick<VisibleRows, 'accounts' | 'holders'>;
  readonly balances: Pick<BalanceStore, 'onDidChange' | 'settledNatives' | 'showAges' | 'setNative'>;
  readonly watchedTokens: Pick<WatchedTokens, 'cached' | 'loadMissing' | 'showAges' | 'set'>;
  readonly reader: Pick<BalanceReader, 'readBatch'>;
  readonly session: Pick<Session, 'onDidChange'>;
  readonly clock: Clock;
}

export interface ViewVisibility {
  readonly view: boolean;
  readonly window: boolean;
  readonly onDidChange: vscode.Event<unknown>;
}

interface BlockFollower extends vscode.Disposable {
  /** More rows are visible; their balances may have been read blocks ago. */
  onUnfold(): void;
}

/** While values cannot be refreshed, their ages are redrawn this often. */
const AGE_REFRESH_MS = 5_000;
/** The first backoff after a failure is that of this many attempts: the next block retries anyway. */
const FIRST_BACKOFF_STEP = 4;

/**
 * Refreshes the visible balances at each new block, lower ones included, and when the endpoint recovers. One round at a
 * time, so that a slow one skips blocks; none while the view or the window is hidden. After a round the next one waits
 * for as long as the round took; after failures for longer each time.
 */
export function followBlocks(deps: FollowBlocksDeps): BlockFollower {
  const { head, visibility, visibleRows, balances, watchedTokens, reader, session, clock } = deps;
  const disposables = new Disposables();
  let ended = new AbortController();
  let block: bigint | undefined;
  let broken = false;
  let due = false;
  let running = false;
  let failures = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let watching = false;
  let waiting = false;

  const isSeen = () => visibility.view && visibility.window;

  function heard(): void {
    const { head: newest, error } = head.state;
    if (error !== undefined) {
      due ||= !broken;
      broken = true;
    } else if (newest) {
      if (broken) nextAt = Number.NEGATIVE_INFINITY;
      due ||= broken || (block !== undefined && newest.block !== block);
      broken = false;
      ({ block } = newest);
    }
    void round();
  }

  function looked(): void {
    head.setVisible('addresses', visibility.view && visibleRows.accounts.length > 0);
    void round();
    void watchFailure();
  }

  async function round(): Promise<void> {
    if (!due || running || !isSeen()) return;
    if (clock.elapsed() < nextAt) {
      await waitForTurn();
      return;
    }
    // An unreachable endpoint is polled by the head, which reports when it recovers.
    if (head.state.error !== undefined && failures > 0) return;
    const { signal } = ended;
    const asked = inSightNow();
    // The round stays due until there is something to read.
    if (asked.natives.length + asked.tokens.length === 0) return;
    due = false;
    running = true;
    const begun = clock.elapsed();
    const failure = await readAll(asked);
    if (signal.aborted) return;
    running = false;
    failures = failure === undefined ? 0 : failures + 1;
    const ends = clock.elapsed();
    nextAt = ends + (failure === undefined ? ends - begun : waitAfter(failure, failures));
    due ||= failure !== undefined;
    void round();
    void watchFailure();
  }

  async function waitForTurn(): Promise<void> {
    if (waiting) return;
    waiting = true;
    const { signal } = ended;
    await clock.sleep(nextAt - clock.elapsed(), { signal }).catch(() => undefined);
    if (signal.aborted) return;
    waiting = false;
    void round();
  }

  function inSightNow() {
    const { accounts, holders } = visibleRows;
    return { natives: balances.settledNatives(accounts), tokens: watchedTokens.cached(holders), holders };
  }

  /** @returns the first error if nothing could be read. */
  async function readAll({ natives, tokens, holders }: ReturnType<typeof inSightNow>): Promise<unknown> {
    const read = reader.readBatch({ natives, tokens }, { retries: 0 });
    const failed = await Promise.all([
      ...natives.map((address, at) => balances.setNative(address, getResultAt(read.natives, at))),
      ...tokens.map((holding, at) => watchedTokens.set(holding, getResultAt(read.tokens, at))),
    ]);
    if (failed.every((failure) => failure !== undefined)) return failed[0];
    await watchedTokens.loadMissing(holders);
    return undefined;
  }

  /** Redraws ages while values could not be refreshed. */
  async function watchFailure(): Promise<void> {
    if (watching || failures === 0 || !isSeen()) return;
    watching = true;
    const { signal } = ended;
    while (failures > 0 && isSeen() && !signal.aborted) {
      await clock.sleep(AGE_REFRESH_MS, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      balances.showAges();
      watchedTokens.showAges();
    }
    watching = false;
  }

  function startAnew(): void {
    ended.abort();
    ended = new AbortController();
    block = undefined;
    broken = due = running = watching = waiting = false;
    failures = 0;
    nextAt = Number.NEGATIVE_INFINITY;
  }

  disposables.add(session.onDidChange(startAnew));
  disposables.add(head.onDidChange(heard));
  disposables.add(balances.onDidChange(looked));
  disposables.add(visibility.onDidChange(looked));
  disposables.add({
    dispose() {
      startAnew();
      ended.abort();
      head.setVisible('addresses', false);
    },
  });
  block = head.state.head?.block;
  looked();
  return {
    onUnfold() {
      due ||= block !== undefined;
      looked();
    },
    dispose: () => disposables.dispose(),
  };
}

function waitAfter(failure: unknown, failures: number): number {
  return getRetryDelay(asAppError(failure), FIRST_BACKOFF_STEP + failures, 1);
}

/**
 * The rows visible in the view; loads what they show and was never requested. A redraw does not retry a failure. Rows
 * have the IDs of the view.
 */
export interface VisibleRows {
  /** The rows of these addresses are drawn in the group `id`, each with its native balance. */
  listed(id: string, accounts: readonly Address[]): void;
  /** The children of an address row are drawn. `id` starts with the ID of its group. */
  opened(id: string, account: Address): void;
  fold(id: string): void;
  /** Returns false if the row was not folded. */
  unfold(id: string): boolean;
  readonly accounts: readonly Address[];
  readonly holders: readonly Address[];
}

export function createVisibleRows(stores: {
  readonly balances: Pick<BalanceStore, 'load' | 'loadNatives'>;
  readonly watchedTokens: Pick<WatchedTokens, 'load'>;
  readonly identities: Pick<AddressIdentityCache, 'load' | 'loadListed'>;
}): VisibleRows {
  const { balances, watchedTokens, identities } = stores;
  const groups = new Map<string, readonly Address[]>();
  const open = new Map<string, Address>();
  const folded = new Set<string>();

  const isFolded = (id: string) => [...folded].some((above) => `${id}/`.startsWith(`${above}/`));
  /** A row can disappear from its group, or with it, without being folded. */
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
