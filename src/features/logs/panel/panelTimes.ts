import * as vscode from 'vscode';
import type { Address, Hex, Log, LogsInBlocks } from '../../../core/index.ts';
import { BlockTimes, type TimesState } from '../../../host/times/blockTimes.ts';
import { createTimeFormats, timeWords } from '../../../host/times/timeWords.ts';
import type { RowTimes } from '../decoded/rowTimes.ts';
import type { ExportTimes } from '../export/exportTimes.ts';
import type { Endpoint } from './panelNetwork.ts';

interface PanelTimesOptions {
  /** What the rows were asked of; undefined where nothing is to be asked of it any more. */
  readonly endpoint: () => Endpoint | undefined;
  readonly onDidChange: () => void;
}

/** Times of the rows of one panel: their own where the node gave them, else those of the blocks that are in view. */
export class PanelTimes implements RowTimes, ExportTimes {
  readonly #formats = createTimeFormats(vscode.env.language);
  readonly #closing = new AbortController();
  readonly #endpoint: PanelTimesOptions['endpoint'];
  readonly #blocks: BlockTimes;
  #asked: Endpoint | undefined;

  constructor({ endpoint, onDidChange }: PanelTimesOptions) {
    this.#endpoint = endpoint;
    this.#blocks = new BlockTimes(() => {
      if (!this.#asked) throw new Error('Nothing is asked before rows want it.');
      return { ...this.#asked, signal: this.#closing.signal };
    }, onDidChange);
  }

  get state(): TimesState {
    return this.#blocks.state;
  }

  timeOf({ time, blockNumber }: Log): number | undefined {
    return time ?? this.#blocks.timeOf(blockNumber);
  }

  /** Has the times read that these rows lack. */
  want(logs: readonly Log[]): void {
    const endpoint = this.#endpoint();
    const lacking = logs.filter((log) => this.timeOf(log) === undefined);
    if (!endpoint || lacking.length === 0) return;
    if (endpoint.client !== this.#asked?.client) this.#blocks.clear();
    this.#asked = endpoint;
    const blocks = lacking.map(({ blockNumber }) => blockNumber);
    this.#blocks.want(blocks, endpoint.network, logsAlike(lacking));
  }

  /** Whether it is known, or not known yet, that the endpoint tells of times. */
  get canRead(): boolean {
    return this.state !== 'notTold' && this.#endpoint() !== undefined;
  }

  async read(logs: readonly Log[], { signal }: { readonly signal: AbortSignal }) {
    const blocks = logs.map(({ blockNumber }) => blockNumber);
    return this.#endpoint()?.client.blockTimes(blocks, { signal, logs: logsAlike(logs) });
  }

  async atOnce(): Promise<number> {
    return (await this.#endpoint()?.client.blocksAtOnce()) ?? 1;
  }

  words(time: number) {
    return timeWords(time, this.#formats);
  }

  dispose(): void {
    this.#closing.abort();
    this.#blocks.dispose();
  }
}

/** What all of these logs have in common, by which an explorer finds them. */
function logsAlike([first, ...others]: readonly Log[]): LogsInBlocks {
  const common = <T extends Address | Hex>(of: (log: Log) => T | undefined): T | undefined => {
    const value = first && of(first);
    return others.every((log) => of(log) === value) ? value : undefined;
  };
  return { address: common(({ address }) => address), topic0: common(({ topics }) => topics[0]) };
}
