import {
  type BackoffControl,
  type ChainClient,
  createLogStore,
  createRowSequence,
  type LogFilter,
  type LogOrder,
  type LogStore,
  type Network,
  type RowSequence,
  type Verdict,
  type VisibleBackoff,
} from '../../../core/index.ts';
import { getAvailableValue, getLoadError } from '../../../host/loading.ts';
import { type FollowClient, Following } from './following.ts';
import {
  type LoadAllProgress,
  type Portion,
  QueryLoad,
  type ResultsChange,
  type ResultsOptions,
} from './queryLoad.ts';

type Loading = 'first' | 'next' | 'all';
type ResultNotice = 'cancelled' | 'limit' | ClearReason;
/** `chainReplaced`: the node of the network has a new chain. */
type ClearReason = 'moved' | 'restored' | 'chainReplaced';

/**
 * The result of one panel: its rows, its verdict, and what is loading. It belongs to one network until the
 * next run.
 */
export class LogResults {
  readonly #options: ResultsOptions;
  #resultId = crypto.randomUUID();
  #network: Network | undefined;
  #load: QueryLoad | undefined;
  #noRows = createLogStore();
  #sequence: RowSequence = createRowSequence(this.#noRows, 'newestFirst');
  #query: { readonly client: FollowClient; readonly filter: LogFilter } | undefined;
  /** Continues where the query ended. Stays after a stop, with the rows that it added. */
  #following: Following | undefined;
  /** Follow once all is loaded. */
  #shouldFollow = false;
  /** Load the rest for that, once. */
  #shouldLoad = false;
  /** Send no more requests for this result. */
  #isFrozen = false;
  /** Why the result was dropped. */
  #notice: ClearReason | undefined;

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  /** Changes with each new result. */
  get resultId(): string {
    return this.#resultId;
  }

  get rows(): LogStore {
    return this.#load?.rows ?? this.#noRows;
  }

  /** The rows in order, without removed ones. */
  get sequence(): RowSequence {
    return this.#sequence;
  }

  /** Undefined before the first follow. */
  get following(): Following | undefined {
    return this.#following;
  }

  /** Whether it is followed, or will be once all is loaded. */
  get isFollowed(): boolean {
    return this.#shouldFollow || this.#following?.isOn === true;
  }

  /** Undefined before the first run. */
  get network(): Network | undefined {
    return this.#network;
  }

  get verdict(): Verdict | undefined {
    return this.#following?.verdict ?? this.#load?.query.verdict;
  }

  get loading(): Loading | undefined {
    if (this.#load?.state.state !== 'loading') return undefined;
    if (this.#load.portion === 'all') return 'all';
    return this.verdict ? 'next' : 'first';
  }

  /** Set while all logs are loading. */
  get progress(): LoadAllProgress | undefined {
    return this.#load?.progress;
  }

  /** The backoff that loading waits for; it can be skipped. */
  get backoff(): VisibleBackoff | undefined {
    return this.loading && this.#load?.waits.visible;
  }

  get hasMore(): boolean {
    return !this.#isFrozen && this.#load?.hasMore === true;
  }

  /** The error of the last request; undefined if it succeeded. */
  get error(): unknown {
    return this.#following?.error ?? (this.#load && getLoadError(this.#load.state));
  }

  get notice(): ResultNotice | undefined {
    if (this.#load?.state.state === 'cancelled') return 'cancelled';
    return this.#load?.isAtLimit ? 'limit' : this.#notice;
  }

  /** When the last page came, in milliseconds since the Unix epoch. */
  get loadedAt(): number | undefined {
    return this.#following?.polledAt?.wall ?? (this.#load && getAvailableValue(this.#load.state));
  }

  /** Milliseconds since the last page came. */
  get age(): number | undefined {
    const lastAt = this.#following?.polledAt?.elapsed ?? this.#load?.lastPageAt;
    return lastAt === undefined ? undefined : this.#options.clock.elapsed() - lastAt;
  }

  /**
   * Drops the old result and loads the first page of a new one, or all of it. Settles when that has finished,
   * failed or been cancelled.
   */
  async run(
    network: Network,
    client: Pick<ChainClient, 'openLogQuery'> & FollowClient,
    query: { readonly filter: LogFilter; readonly order?: LogOrder; readonly portion?: Portion },
  ): Promise<void> {
    this.#reset();
    this.#network = network;
    const { filter, order = 'newestFirst', portion = 'page' } = query;
    const open = (waits: BackoffControl) => client.openLogQuery(filter, { waits, order });
    this.#query = { client, filter };
    this.#load = new QueryLoad(open, { ...this.#options, onDidChange: (what) => this.#onLoadChange(what) });
    this.#sequence = createRowSequence(this.#load.rows, order);
    await (portion === 'all' ? this.#load.loadAll() : this.#load.nextPage());
  }

  /** Loads the next page, or retries the first one. */
  async nextPage(): Promise<void> {
    if (!this.#isFrozen) await this.#load?.nextPage();
  }

  /**
   * Loads the rest. Stops with the notice `limit` at every multiple of the limit while blocks are left to
   * read; the next call continues.
   */
  async loadAll(): Promise<void> {
    if (!this.#isFrozen) await this.#load?.loadAll();
  }

  /** Follows the chain. Loads the rest of the result first. */
  follow(): void {
    if (this.#isFrozen || !this.#load || this.isFollowed) return;
    this.#shouldFollow = true;
    this.#shouldLoad = true;
    this.#options.onDidChange('state');
    this.#followLoaded();
  }

  /** Stops following; the rows stay. */
  unfollow(): void {
    if (!this.isFollowed) return;
    this.#shouldFollow = false;
    this.#following?.stop();
    this.#options.onDidChange('state');
  }

  async tryAgain(): Promise<void> {
    if (this.#following?.error !== undefined) return this.#following.start();
    const allFailed = this.error !== undefined && this.#load?.portion === 'all';
    await (allFailed ? this.loadAll() : this.nextPage());
  }

  /** Stops loading. The state changes at once, whatever the server does; the rows stay. */
  cancel(): void {
    this.#load?.cancel();
  }

  /** Sends no more requests for this result; the rows stay. */
  freeze(): void {
    if (this.#isFrozen) return;
    this.#isFrozen = true;
    this.unfollow();
    this.cancel();
    this.#options.onDidChange('state');
  }

  /** Skips the wait before the next request. */
  skipWait(): void {
    this.#load?.waits.skip();
  }

  /** Dismisses the prompt of the notice `limit`. */
  dismissLimitPrompt(): void {
    this.#load?.dismissLimit();
  }

  /** Stops loading and drops the result, for the reason `notice`. */
  clear(notice: ClearReason): void {
    this.#reset();
    this.#notice = notice;
    this.#options.onDidChange('state');
  }

  dispose(): void {
    this.#following?.dispose();
    this.#load?.dispose();
  }

  #onLoadChange(what: ResultsChange): void {
    this.#followLoaded();
    this.#options.onDidChange(what);
  }

  #followLoaded(): void {
    const { verdict } = this;
    if (!this.#shouldFollow || this.loading || !this.#query || !verdict) return;
    if (verdict.state === 'more') {
      const shouldLoad = this.#shouldLoad;
      this.#shouldLoad = false;
      if (shouldLoad) void this.loadAll();
      else if (this.notice === 'cancelled') this.#shouldFollow = false;
      return;
    }
    this.#shouldFollow = false;
    this.#following ??= new Following(this.#options, {
      ...this.#query,
      verdict,
      sequence: this.#sequence,
      network: this.#network,
    });
    this.#following.start();
  }

  #reset(): void {
    this.#following?.dispose();
    this.#following = undefined;
    this.#shouldFollow = false;
    this.#load?.dispose();
    this.#load = undefined;
    this.#resultId = crypto.randomUUID();
    this.#network = undefined;
    this.#noRows = createLogStore();
    this.#sequence = createRowSequence(this.#noRows, 'newestFirst');
    this.#isFrozen = false;
    this.#notice = undefined;
  }
}
