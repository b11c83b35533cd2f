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
type ResultNotice = 'cancelled' | 'limit' | 'moved' | 'restored';

/**
 * The answer of one panel: its rows, what it is worth, and what is going on. Belongs to the network that it was
 * asked from, until the next run.
 */
export class LogResults {
  readonly #options: ResultsOptions;
  #answer = crypto.randomUUID();
  #network: Network | undefined;
  #load: QueryLoad | undefined;
  #noRows = createLogStore();
  #sequence: RowSequence = createRowSequence(this.#noRows, 'newestFirst');
  #asked: { readonly client: FollowClient; readonly filter: LogFilter } | undefined;
  /** Goes on from where the query ended; stays when it is stopped, with what it has brought. */
  #following: Following | undefined;
  /** To be followed as soon as all is loaded. */
  #isToFollow = false;
  /** What remains of it is to be loaded for that, once. */
  #isToLoad = false;
  /** Nothing more is asked for this answer. */
  #isLeft = false;
  /** Why there is no answer, where there was one. */
  #notice: 'moved' | 'restored' | undefined;

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  /** Changes when another answer takes the place of this one. */
  get answer(): string {
    return this.#answer;
  }

  get rows(): LogStore {
    return this.#load?.rows ?? this.#noRows;
  }

  /** The rows in their order, without those that were taken back. */
  get sequence(): RowSequence {
    return this.#sequence;
  }

  /** What following has come to; undefined before it was ever wanted of this answer. */
  get following(): Following | undefined {
    return this.#following;
  }

  /** Whether it is followed, or will be as soon as all is loaded. */
  get isFollowed(): boolean {
    return this.#isToFollow || this.#following?.isOn === true;
  }

  /** The network that was asked; undefined before the first run. */
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

  /** How far loading all has come, while it runs. */
  get progress(): LoadAllProgress | undefined {
    return this.#load?.progress;
  }

  /** What the loading waits for, if that takes a while; it can be skipped. */
  get waiting(): VisibleBackoff | undefined {
    return this.loading && this.#load?.waits.visible;
  }

  /** Whether more can be asked for. */
  get more(): boolean {
    return !this.#isLeft && this.#load?.more === true;
  }

  /** What the last request failed with; undefined when it did not fail. */
  get error(): unknown {
    return this.#following?.error ?? (this.#load && getLoadError(this.#load.state));
  }

  get notice(): ResultNotice | undefined {
    if (this.#load?.state.state === 'cancelled') return 'cancelled';
    return this.#load?.isAtLimit ? 'limit' : this.#notice;
  }

  /** When the last page came, in milliseconds since the Unix epoch. */
  get loadedAt(): number | undefined {
    return this.#following?.cameAt?.wall ?? (this.#load && getAvailableValue(this.#load.state));
  }

  /** How long ago the last page came, in milliseconds. */
  get age(): number | undefined {
    const cameAt = this.#following?.cameAt?.elapsed ?? this.#load?.cameAt;
    return cameAt === undefined ? undefined : this.#options.clock.elapsed() - cameAt;
  }

  /** Drops the old answer and loads the first page of a new one, or all of it. Settles when it has come, failed or been cancelled. */
  async run(
    network: Network,
    client: Pick<ChainClient, 'openLogQuery'> & FollowClient,
    asked: { readonly filter: LogFilter; readonly order?: LogOrder; readonly portion?: Portion },
  ): Promise<void> {
    this.#reset();
    this.#network = network;
    const { filter, order = 'newestFirst', portion = 'page' } = asked;
    const open = (waits: BackoffControl) => client.openLogQuery(filter, { waits, order });
    this.#asked = { client, filter };
    this.#load = new QueryLoad(open, { ...this.#options, onDidChange: (what) => this.#loaded(what) });
    this.#sequence = createRowSequence(this.#load.rows, order);
    await (portion === 'all' ? this.#load.loadAll() : this.#load.nextPage());
  }

  /** Loads the next page, or the first one if it has failed or was cancelled. */
  async nextPage(): Promise<void> {
    if (!this.#isLeft) await this.#load?.nextPage();
  }

  /**
   * Loads what remains. Stops with the notice `limit` at every multiple of the limit if blocks are left to read;
   * called once more it goes on.
   */
  async loadAll(): Promise<void> {
    if (!this.#isLeft) await this.#load?.loadAll();
  }

  /** Keeps the answer true as the chain grows. Loads first what remains of it. */
  follow(): void {
    if (this.#isLeft || !this.#load || this.isFollowed) return;
    this.#isToFollow = true;
    this.#isToLoad = true;
    this.#options.onDidChange('state');
    this.#followLoaded();
  }

  /** Follows the chain no more; what has come stays. */
  unfollow(): void {
    if (!this.isFollowed) return;
    this.#isToFollow = false;
    this.#following?.stop();
    this.#options.onDidChange('state');
  }

  /** Goes on with what has failed. */
  async tryAgain(): Promise<void> {
    if (this.#following?.error !== undefined) return this.#following.start();
    const allFailed = this.error !== undefined && this.#load?.portion === 'all';
    await (allFailed ? this.loadAll() : this.nextPage());
  }

  /** Stops what runs. That shows at once, whatever the server does; what has come by then is kept. */
  cancel(): void {
    this.#load?.cancel();
  }

  /** Asks no more for this answer: what is loaded stays as it is. */
  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.unfollow();
    this.cancel();
    this.#options.onDidChange('state');
  }

  /** Asks the server at once, whatever it is waited for. */
  skipWait(): void {
    this.#load?.waits.skip();
  }

  /** Takes the answer to the question that the notice `limit` asks: no more for now. */
  dismissLimitPrompt(): void {
    this.#load?.dismissLimit();
  }

  /** Stops what runs and forgets the answer, for the reason that `notice` gives. */
  clear(notice: 'moved' | 'restored'): void {
    this.#reset();
    this.#notice = notice;
    this.#options.onDidChange('state');
  }

  dispose(): void {
    this.#following?.dispose();
    this.#load?.dispose();
  }

  #loaded(what: ResultsChange): void {
    this.#followLoaded();
    this.#options.onDidChange(what);
  }

  #followLoaded(): void {
    const { verdict } = this;
    if (!this.#isToFollow || this.loading || !this.#asked || !verdict) return;
    if (verdict.state === 'more') {
      const isToLoad = this.#isToLoad;
      this.#isToLoad = false;
      if (isToLoad) void this.loadAll();
      else if (this.notice === 'cancelled') this.#isToFollow = false;
      return;
    }
    this.#isToFollow = false;
    this.#following ??= new Following(this.#options, {
      ...{ ...this.#asked, verdict, sequence: this.#sequence, network: this.#network },
    });
    this.#following.start();
  }

  #reset(): void {
    this.#following?.dispose();
    this.#following = undefined;
    this.#isToFollow = false;
    this.#load?.dispose();
    this.#load = undefined;
    this.#answer = crypto.randomUUID();
    this.#network = undefined;
    this.#noRows = createLogStore();
    this.#sequence = createRowSequence(this.#noRows, 'newestFirst');
    this.#isLeft = false;
    this.#notice = undefined;
  }
}
