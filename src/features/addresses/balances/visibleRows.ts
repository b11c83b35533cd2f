import type * as vscode from 'vscode';
import { type Address, asAppError, type Clock, getRetryDelay } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressIdentityCache } from '../identityCache.ts';
import type { WatchedValues } from '../values/watchedValues.ts';
import { type BalanceReader, getResultAt } from './balanceReader.ts';
import type { BalanceStore } from './balanceStore.ts';
import type { WatchedTokens } from './watchedTokens.ts';

/**
 * The rows visible in the view; loads what they show and was never requested. A redraw does not retry a failure. Rows
 * have the IDs of the view.
 */
export interface VisibleRows {
  /** The rows of these addresses are drawn in the group `id`, each with its native balance. */
  listed(id: string, accounts: readonly Address[]): void;
  /** The children of an address row are drawn. `id` starts with the ID of its group. */
  opened(id: string, account: Address): void;
  /** The watched values are drawn, in the group `id`. */
  listedValues(id: string): void;
  fold(id: string): void;
  /** Returns false if the row was not folded. */
  unfold(id: string): boolean;
  readonly accounts: readonly Address[];
  readonly holders: readonly Address[];
  /** Whether the watched values are visible. */
  readonly showsValues: boolean;
}

export function createVisibleRows(stores: {
  readonly balances: Pick<BalanceStore, 'load' | 'loadNatives'>;
  readonly watchedTokens: Pick<WatchedTokens, 'load'>;
  readonly identities: Pick<AddressIdentityCache, 'load' | 'loadListed'>;
  readonly values: Pick<WatchedValues, 'load'>;
}): VisibleRows {
  const { balances, watchedTokens, identities, values } = stores;
  const groups = new Map<string, readonly Address[]>();
  const open = new Map<string, Address>();
  const folded = new Set<string>();
  let valuesId: string | undefined;

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
    listedValues(id) {
      valuesId = id;
      void values.load();
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
    get showsValues() {
      return valuesId !== undefined && !isFolded(valuesId);
    },
  };
}

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
  readonly visibleRows: Pick<VisibleRows, 'accounts' | 'holders' | 'showsValues'>;
  readonly balances: Pick<BalanceStore, 'onDidChange' | 'settledNatives' | 'showAges' | 'setNative'>;
  readonly watchedTokens: Pick<WatchedTokens, 'cached' | 'loadMissing' | 'showAges' | 'set'>;
  readonly values: Pick<WatchedValues, 'onDidChange' | 'refresh' | 'settled' | 'showAges'>;
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
 * Refreshes the visible balances and watched values at each new block, lower ones included, and when the endpoint recovers. One round at a
 * time, so that a slow one skips blocks; none while the view or the window is hidden. After a round the next one waits
 * for as long as the round took; after failures for longer each time.
 */
export function followBlocks(deps: FollowBlocksDeps): BlockFollower {
  const { head, visibility, visibleRows, balances, watchedTokens, values, reader, session, clock } = deps;
  const disposables = new Disposables();
  let ended = new AbortController();
  let block: bigint | undefined;
  let hasHeadError = false;
  let isDue = false;
  let isRunning = false;
  let failures = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let isRedrawingAges = false;
  let isWaiting = false;

  const isSeen = () => visibility.view && visibility.window;

  function onHeadChange(): void {
    const { head: newest, error } = head.state;
    if (error !== undefined) {
      isDue ||= !hasHeadError;
      hasHeadError = true;
    } else if (newest) {
      if (hasHeadError) nextAt = Number.NEGATIVE_INFINITY;
      isDue ||= hasHeadError || (block !== undefined && newest.block !== block);
      hasHeadError = false;
      ({ block } = newest);
    }
    void readRound();
  }

  function update(): void {
    const { accounts, showsValues } = visibleRows;
    const hasValues = showsValues && values.settled.length > 0;
    head.setVisible('addresses', visibility.view && (accounts.length > 0 || hasValues));
    void readRound();
    void redrawAges();
  }

  async function readRound(): Promise<void> {
    if (!isDue || isRunning || !isSeen()) return;
    if (clock.elapsed() < nextAt) {
      await waitForTurn();
      return;
    }
    // An unreachable endpoint is polled by the head, which reports when it recovers.
    if (head.state.error !== undefined && failures > 0) return;
    const { signal } = ended;
    const visible = getVisible();
    // The round stays due until there is something to read.
    if (visible.natives.length + visible.tokens.length + visible.views.length === 0) return;
    isDue = false;
    isRunning = true;
    const start = clock.elapsed();
    const failure = await readAll(visible);
    if (signal.aborted) return;
    isRunning = false;
    failures = failure === undefined ? 0 : failures + 1;
    const end = clock.elapsed();
    nextAt = end + (failure === undefined ? end - start : getBackoff(failure, failures));
    isDue ||= failure !== undefined;
    void readRound();
    void redrawAges();
  }

  async function waitForTurn(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    const { signal } = ended;
    await clock.sleep(nextAt - clock.elapsed(), { signal }).catch(() => undefined);
    if (signal.aborted) return;
    isWaiting = false;
    void readRound();
  }

  function getVisible() {
    const { accounts, holders, showsValues } = visibleRows;
    return {
      natives: balances.settledNatives(accounts),
      tokens: watchedTokens.cached(holders),
      holders,
      views: showsValues ? values.settled : [],
    };
  }

  /** @returns the first error if nothing could be read. */
  async function readAll({
    natives,
    tokens,
    holders,
    views,
  }: ReturnType<typeof getVisible>): Promise<unknown> {
    const read = reader.readBatch({ natives, tokens }, { retries: 0 });
    const failed = await Promise.all([
      ...natives.map((address, at) => balances.setNative(address, getResultAt(read.natives, at))),
      ...tokens.map((holding, at) => watchedTokens.set(holding, getResultAt(read.tokens, at))),
      ...values.refresh(views),
    ]);
    if (failed.every((failure) => failure !== undefined)) return failed[0];
    await watchedTokens.loadMissing(holders);
    return undefined;
  }

  /** Redraws ages while values could not be refreshed. */
  async function redrawAges(): Promise<void> {
    if (isRedrawingAges || failures === 0 || !isSeen()) return;
    isRedrawingAges = true;
    const { signal } = ended;
    while (failures > 0 && isSeen() && !signal.aborted) {
      await clock.sleep(AGE_REFRESH_MS, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      balances.showAges();
      watchedTokens.showAges();
      values.showAges();
    }
    isRedrawingAges = false;
  }

  function reset(): void {
    ended.abort();
    ended = new AbortController();
    block = undefined;
    hasHeadError = isDue = isRunning = isRedrawingAges = isWaiting = false;
    failures = 0;
    nextAt = Number.NEGATIVE_INFINITY;
  }

  disposables.add(session.onDidChange(reset));
  disposables.add(head.onDidChange(onHeadChange));
  disposables.add(balances.onDidChange(update));
  disposables.add(values.onDidChange(update));
  disposables.add(visibility.onDidChange(update));
  disposables.add({
    dispose() {
      reset();
      ended.abort();
      head.setVisible('addresses', false);
    },
  });
  block = head.state.head?.block;
  update();
  return {
    onUnfold() {
      isDue ||= block !== undefined;
      update();
    },
    dispose: () => disposables.dispose(),
  };
}

function getBackoff(failure: unknown, failures: number): number {
  return getRetryDelay(asAppError(failure), FIRST_BACKOFF_STEP + failures, 1);
}
