import * as vscode from 'vscode';
import {
  type AbiFunction,
  type AppError,
  type Clock,
  isAppError,
  mergeLookups,
  type ReadResult,
  readView,
  type TokenUnits,
} from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { LoadState } from '../../../host/loading.ts';
import { createUnitsFetcher, getReturnedUnits, parseViewFunction } from '../../../host/readValues.ts';
import type { Connection, Session } from '../../../host/session/session.ts';
import { BalanceCache } from '../balances/balanceCache.ts';
import type { SeenBlock } from '../balances/balanceReader.ts';
import { createWatchedViewStore, MAX_WATCHED_VALUES, type WatchedView } from './watchedViews.ts';

/** What a contract returned in the state after a block, or why it returned nothing. */
export interface WatchedValue {
  readonly head: SeenBlock;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
  readonly outcome:
    | { readonly state: 'returned'; readonly result: ReadResult; readonly units: TokenUnits | undefined }
    | { readonly state: 'refused'; readonly error: AppError };
}

interface WatchedValuesDeps {
  readonly session: Session;
  readonly workspaceState: vscode.Memento;
  readonly contracts: Pick<WorkspaceContracts, 'known' | 'onDidRead'>;
  readonly clock: Clock;
  readonly readHead: () => Promise<SeenBlock>;
}

/** The watched values on the active network. Those that are read at a time are of one block, and share a request. */
export class WatchedValues implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #figures: BalanceCache<string, WatchedValue>;
  readonly #store: ReturnType<typeof createWatchedViewStore>;
  readonly #deps: WatchedValuesDeps;
  /** Of one chain, parsed from the store. */
  #listed: { readonly chainId: number; readonly views: readonly WatchedView[] } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(deps: WatchedValuesDeps) {
    this.#deps = deps;
    this.#store = createWatchedViewStore(deps.workspaceState);
    this.#figures = new BalanceCache({
      clock: deps.clock,
      amountOf: getWatchedAmount,
      isSame: (one, other) => toComparable(one) === toComparable(other),
      onChange: () => this.#changed.fire(),
    });
    this.#disposables.add(
      deps.session.onDidChange(() => {
        this.#figures.clear();
        this.#changed.fire();
      }),
    );
    // The project may declare the enums.
    this.#disposables.add(deps.contracts.onDidRead(() => this.#changed.fire()));
  }

  /** In the order in which they were added; empty until a network is chosen. */
  get list(): readonly WatchedView[] {
    const { isChosen, network } = this.#deps.session;
    if (!isChosen) return [];
    const { chainId } = network;
    if (this.#listed?.chainId !== chainId) this.#listed = { chainId, views: this.#store.list(chainId) };
    return this.#listed.views;
  }

  /** With the enums that the project declares now. */
  functionOf({ contract: address, declaration }: WatchedView): AbiFunction | undefined {
    const { contracts, session } = this.#deps;
    return parseViewFunction(
      declaration,
      { address, chainId: session.network.chainId },
      contracts.known?.lookup,
    );
  }

  get({ id }: WatchedView): LoadState<WatchedValue> {
    return this.#figures.get(id);
  }

  /** By how much an integer changed a moment ago. */
  change({ id }: WatchedView): bigint | undefined {
    return this.#figures.change(id);
  }

  /** False if {@link MAX_WATCHED_VALUES} are watched on this chain already. */
  async add(view: WatchedView): Promise<boolean> {
    if (this.list.some(({ id }) => id === view.id)) return true;
    if (this.list.length >= MAX_WATCHED_VALUES) return false;
    await this.#write([...this.list, view]);
    return true;
  }

  async remove(id: string): Promise<void> {
    await this.#write(this.list.filter((view) => view.id !== id));
  }

  /** Reads those that were never requested, or all of them if `again`. Never rejects. */
  async load({ again = false } = {}): Promise<void> {
    const due = this.list.filter((view) => again || this.get(view).state === 'idle');
    const reads = this.#readAll(due);
    await Promise.all(
      due.map(({ id }, index) => this.#figures.load(id, () => reads[index] ?? Promise.reject(), { again })),
    );
  }

  /** Those that are not being read. */
  get settled(): readonly WatchedView[] {
    return this.list.filter((view) => !['idle', 'loading'].includes(this.get(view).state));
  }

  /** Reads these in the background, each as {@link BalanceCache.set}. */
  refresh(views: readonly WatchedView[]): readonly Promise<unknown>[] {
    const reads = this.#readAll(views, { retries: 0 });
    return views.map(({ id }, index) => this.#figures.set(id, reads[index] ?? Promise.reject()));
  }

  /** As {@link BalanceCache.showAges}. */
  showAges(): void {
    this.#figures.showAges();
  }

  dispose(): void {
    this.#figures.clear();
    this.#disposables.dispose();
  }

  async #write(views: readonly WatchedView[]): Promise<void> {
    const { chainId } = this.#deps.session.network;
    this.#listed = { chainId, views };
    this.#changed.fire();
    await this.#store.write(chainId, views);
  }

  #readAll(
    views: readonly WatchedView[],
    effort: { readonly retries?: number } = {},
  ): readonly Promise<WatchedValue>[] {
    if (views.length === 0) return [];
    const { session, readHead } = this.#deps;
    const { connection } = session;
    const head = readHead();
    return views.map((view) => {
      const read = head.then((seen) => this.#read(view, seen, connection, effort));
      // It may be awaited later, or not at all.
      read.catch(() => undefined);
      return read;
    });
  }

  async #read(
    view: WatchedView,
    head: SeenBlock,
    connection: Connection,
    effort: { readonly retries?: number },
  ): Promise<WatchedValue> {
    const { clock, contracts } = this.#deps;
    const { client, network, signal } = connection;
    const { chainId } = network;
    const { contract: address, args, from } = view;
    const lookup = contracts.known?.lookup ?? mergeLookups();
    const item = this.functionOf(view);
    if (!item) throw new RangeError('A watched function is malformed.');
    const options = { ...effort, signal };
    const stamp = () => ({ head, readAt: clock.now() });
    try {
      const fetchUnits = createUnitsFetcher(contracts, connection);
      const reads = { client, chainId, lookup, fetchUnits };
      const result = await readView({ address, item, args, block: head.block, from }, reads, options);
      const [output, ...others] = result.outputs;
      const units = output && others.length === 0 ? getReturnedUnits(output.type) : undefined;
      return { ...stamp(), outcome: { state: 'returned', result, units } };
    } catch (error) {
      // What the contract says is a value of this block; other errors are of the endpoint.
      if (isAppError(error, 'reverted', 'notAContract')) {
        return { ...stamp(), outcome: { state: 'refused', error } };
      }
      throw error;
    }
  }
}

/** The integer that a function returns, if it is one. */
export function getWatchedAmount({ outcome }: WatchedValue): bigint | undefined {
  if (outcome.state !== 'returned') return undefined;
  const [output, ...others] = outcome.result.outputs;
  const [value] = outcome.result.values;
  const { type } = output ?? {};
  const isNumber = (type?.kind === 'uint' || type?.kind === 'int') && !('enumeration' in type);
  return isNumber && others.length === 0 && typeof value === 'bigint' ? value : undefined;
}

function toComparable({ outcome }: WatchedValue): string {
  if (outcome.state === 'refused') return outcome.error.message;
  return JSON.stringify([outcome.units, outcome.result.values], (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
