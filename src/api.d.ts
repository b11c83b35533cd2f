/**
 * What `activate()` returns to other extensions:
 * `await vscode.extensions.getExtension<ChainsideApi>('chainside.chainside')?.activate()`.
 * Every call uses the network that is active at that moment. Amounts and block numbers are `bigint`.
 * A promise rejects with an `Error` that has a `kind`, such as `network` or `badInput`.
 */
export interface ChainsideApi {
  /** Increases when this API changes in a way that callers notice. */
  readonly version: 2;

  /** While {@link isNetworkChosen} is false, the default network. */
  readonly network: ChainsideNetwork;
  /**
   * Whether the user has chosen a network. Until then no request is sent: every promise here, and the first page
   * of logs, rejects with the kind `notChosen`. The command `chainside.selectNetwork` lets the user choose.
   */
  readonly isNetworkChosen: boolean;
  /** Fires when another network becomes active, or the first one is chosen. */
  readonly onDidChangeNetwork: (listener: (network: ChainsideNetwork) => unknown) => { dispose(): void };

  latestBlock(): Promise<bigint>;

  /** In wei; undefined, which does not mean zero, if the explorer has no balance for the address. */
  nativeBalance(address: string): Promise<bigint | undefined>;

  /** Undefined if the network has neither an explorer nor a data API with a key. */
  tokenBalances(address: string): Promise<readonly ChainsideToken[] | undefined>;

  /**
   * Every log that the filter matches, page by page. Each page has the verdict so far. The last verdict is
   * `complete`, or `uncertain` with the reasons. To stop, leave the loop or abort the signal.
   */
  queryLogs(
    filter: ChainsideLogFilter,
    options?: AbortSignal | ChainsideLogOptions,
  ): AsyncIterable<ChainsideLogPage>;

  /**
   * Since version 2. The operations of the MCP server and the command line, with names of the workspace for
   * addresses and events. The result is plain JSON of at most 16 KiB, with a verdict. A failed operation resolves
   * to a result with `error`, which says what to do; only a cancelled one rejects. `docs/mcp.md` lists the input
   * of each operation.
   *
   * `await api.ask('query_events', { address: 'Token', event: 'Transfer' })` counts the events exactly.
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
  | 'get_transaction'
  | 'read_contract'
  | 'compare_code';

/** A result. Each operation adds its own properties. */
export interface ChainsideAnswer {
  readonly complete: boolean | 'unknown';
  /** Why it is not complete, in English. */
  readonly reasons: readonly string[];
  readonly network: { readonly [key: string]: unknown };
  /** The newest block during the operation; null if it was not read. */
  readonly head: string | null;
  readonly source: { readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

export interface ChainsideLogOptions {
  readonly signal?: AbortSignal | undefined;
  /** Which logs come first: those of the first block of the range (default), or those of its last block. */
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
  /** Whether this is the native coin of the chain. */
  readonly native: boolean;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
  readonly decimals: number | undefined;
  /** In smallest units; undefined if unknown. */
  readonly amount: bigint | undefined;
}

/**
 * As in `eth_getLogs`: topics by position, null for any. A bound is a number, `earliest`, `latest` or
 * `latest-1000`. `fromBlock` also takes `-1000`, the first of the last thousand blocks. A bound can also be a
 * time, in ISO 8601 (UTC without a time zone) or as `-7d`: it means the nearest block inside the range. Default:
 * all blocks.
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
    /** `unreached`: complete so far, but the range ends after the newest block. */
    readonly state: 'complete' | 'more' | 'unreached' | 'uncertain';
    /** Why it is not complete, in English. */
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
  /** The time of its block, in milliseconds since the Unix epoch; only if the node sends it with its logs. */
  readonly time?: number;
}
