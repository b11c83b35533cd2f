import {
  type BackoffControl,
  type Clock,
  createBackoffControl,
  fetchNftHistory,
  type LoadProgress,
  type NftHistory,
  type VisibleBackoff,
} from '../../../core/index.ts';
import type { Load } from '../../../host/loading/load.ts';
import type { Service } from '../../../host/words/describeError.ts';
import { type Read, transfersSource } from './nftSources.ts';

/** How the transfers of one token are read, and how far that has come. */
export class TransfersReading {
  readonly #load: Load<NftHistory>;
  readonly #clock: Clock;
  readonly #onDidChange: () => void;
  #progress: LoadProgress | undefined;
  #waits: BackoffControl | undefined;
  #from: Service = 'endpoint';

  /** `onDidChange` is called often: as it goes on, and as it waits. */
  constructor(load: Load<NftHistory>, clock: Clock, onDidChange: () => void) {
    this.#load = load;
    this.#clock = clock;
    this.#onDidChange = onDidChange;
  }

  /** How far reading logs has come, while it runs. */
  get progress(): LoadProgress | undefined {
    return this.#load.isLoading ? this.#progress : undefined;
  }

  /** What reading logs waits for, if that takes a while; it can be skipped. */
  get waiting(): VisibleBackoff | undefined {
    return this.#load.isLoading ? this.#waits?.told : undefined;
  }

  /** Which server the last request went to. */
  get from(): Service {
    return this.#from;
  }

  /** Asks the server at once, whatever it is waited for. */
  skipWait(): void {
    this.#waits?.skip();
  }

  /**
   * The histories as they come, each with more than the one before and none with less than was there before but the
   * last. `from` the chain's `logs`, or from `any` source, which prefers a source.
   */
  begin(question: Parameters<typeof fetchNftHistory>[1], from: 'any' | 'logs'): Read<NftHistory> {
    const waits: BackoffControl = createBackoffControl(this.#clock, () => {
      if (this.#waits === waits) this.#onDidChange();
    });
    const shown = this.#load.value?.count ?? 0;
    this.#waits = waits;
    this.#progress = undefined;
    const onProgress = (progress: LoadProgress) => {
      this.#progress = progress;
      this.#onDidChange();
    };
    return ({ client, nfts }, { signal }) => {
      const source = from === 'logs' ? 'notWanted' : transfersSource(nfts);
      this.#from = typeof source === 'string' ? 'endpoint' : 'source';
      const options = { clock: this.#clock, waits, signal, onProgress };
      const histories = fetchNftHistory({ source, chain: client }, question, options);
      return notFewer(shown, this.#noteSource(histories));
    };
  }

  async *#noteSource(histories: AsyncIterable<NftHistory>): AsyncGenerator<NftHistory> {
    for await (const history of histories) {
      if (history.from === 'logs') this.#from = 'endpoint';
      yield history;
    }
  }
}

/** Leaves out what is less than was shown before, so that asking again takes nothing away; the last is the answer. */
async function* notFewer(shown: number, histories: AsyncIterable<NftHistory>): AsyncGenerator<NftHistory> {
  let last: NftHistory | undefined;
  for await (const history of histories) {
    last = history;
    if (history.count >= shown) yield history;
  }
  if (last && last.count < shown) yield last;
}
