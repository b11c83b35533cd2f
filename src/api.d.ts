/**
 * What `activate()` gives to other extensions:
 * `await vscode.extensions.getExtension<ChainsideApi>('chainside.chainside')?.activate()`.
 * All of it is about the network that is active when it is called. Amounts and block numbers are `bigint`.
 * A promise that rejects does so with an `Error` that has a `kind`, such as `network` or `badInput`.
 */
export interface ChainsideApi {
  /** Counts up when something here changes in a way that callers notice. */
  readonly version: 2;

  /** While {@link isNetworkChosen} is false, the one that would be read by default. */
  readonly network: ChainsideNetwork;
  /**
   * Whether the user has chosen a network. Nothing is asked of any server before: every promise here, and the first page
   * of logs, rejects with the kind `notChosen`. The command `chainside.selectNetwork` lets the user choose.
   */
  readonly isNetworkChosen: boolean;
  /** Fires when another network is active, or the first one is chosen. */
  readonly onDidChangeNetwork: (listener: (network: ChainsideNetwork) => unknown) => { dispose(): void };

  latestBlock(): Promise<bigint>;

  /** In wei; undefined when the explorer has no balance on record for the address, which is not zero. */
  nativeBalance(address: string): Promise<bigint | undefined>;

  /** Undefined where nobody can be asked: the network has neither an explorer nor a data API with a key. */
  tokenBalances(address: string): Promise<readonly ChainsideToken[] | undefined>;

  /**
   * Every log that the filter matches, page by page; each page says what the answer is worth so far. The last one is
   * `complete`, or `uncertain` with the reasons. Stop by leaving the loop or by the signal.
   */
  queryLogs(
    filter: ChainsideLogFilter,
    options?: AbortSignal | ChainsideLogOptions,
  ): AsyncIterable<ChainsideLogPage>;

  /**
   * Since version 2. The questions that agents and the headless runner ask too, with names of the workspace for
   * addresses and events: plain JSON of at most 16 KiB, with a verdict. What cannot be answered is an answer with
   * `error`, which says what to do; only a cancel rejects. `docs/mcp.md` lists what each takes.
   *
   * `await api.ask('query_events', { address: 'Token', event: 'Transfer' })` counts, exactly.
   */
  ask(
    operation: ChainsideOperation,
    input?: unknown,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ChainsideAnswer>;
}

export type ChainsideOperation =
  | 'get_network'
  | 'resolve_contract'
  | 'get_address'
  | 'query_events'
  | 'decode_data'
  | 'get_transaction';

/** An answer, with what is special to its operation beside this. */
export interface ChainsideAnswer {
  readonly complete: boolean | 'unknown';
  /** Why it is not complete, in English. */
  readonly reasons: readonly string[];
  readonly network: { readonly [key: string]: unknown };
  /** The newest block while it was answered; null where it was not asked for. */
  readonly head: string | null;
  readonly source: { readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

export interface ChainsideLogOptions {
  readonly signal?: AbortSignal | undefined;
  /** Which logs come first: those of the first block of the range, which is the default, or those of its last. */
  readonly order?: 'oldestFirst' | 'newestFirst' | undefined;
}

export interface ChainsideNetwork {
  readonly id: string;
  readonly name: string;
  readonly chainId: number;
  readonly symbol: string;
  readonly decimals: number;
}

export interface ChainsideToken {
  readonly contract: string;
  /** Whether it is the chain's own coin. */
  readonly native: boolean;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
  /** In smallest units; undefined when the source does not say. */
  readonly amount: bigint | undefined;
}

/**
 * As in `eth_getLogs`: topics by position, null is any. Bounds are a number, `earliest`, `latest` or `latest-1000`,
 * `fromBlock` also `-1000`, which is the first of the last thousand; or a time, as ISO 8601 writes it (UTC without a
 * zone) or `-7d`, which stands for the nearest block inside of the range. Default all.
 */
export interface ChainsideLogFilter {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: bigint | number | string;
  readonly toBlock?: bigint | number | string;
}

export interface ChainsideLogPage {
  readonly logs: readonly ChainsideLog[];
  readonly verdict: {
    readonly state: 'complete' | 'more' | 'uncertain';
    /** Why it is not certain, in English. */
    readonly reasons: readonly string[];
    readonly fromBlock: bigint;
    readonly toBlock: bigint;
    /** The newest block when the query began. */
    readonly head: bigint;
    /** The order of the logs, of this page and from page to page. */
    readonly order: 'oldestFirst' | 'newestFirst';
  };
}

/** Hex is in lower case with `0x`. */
export interface ChainsideLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly logIndex: number;
  readonly transactionHash: string;
  readonly transactionIndex: number;
  /** When its block was made, in milliseconds since the Unix epoch, where the node says so with its logs. */
  readonly time?: number;
}
